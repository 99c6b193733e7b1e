"""The agents of the product: assisted by default, the paper's faithful one on request."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Literal

from agent.assisted.agent import AssistedAgent
from agent.host import Agent
from agent.models.base import ChatOptions, LanguageModel
from agent.react import ReActAgent
from model.vlnv import Vlnv
from model.workspace import Workspace

Mode = Literal["assisted", "faithful"]


def product_agent(
    model: LanguageModel, workspace: Workspace, focus: Callable[[], Vlnv | None], num_ctx: int, mode: Mode = "assisted"
) -> Agent:
    """Return the agent that answers in the chat and on the command line."""
    if mode == "faithful":
        prompt = (files("resources") / "prompts" / "react-basic.md").read_text("utf-8")
        return ReActAgent(model, ChatOptions(num_ctx=num_ctx), prompt, calls_in_text=True)
    return AssistedAgent(model, workspace, ChatOptions(temperature=0.0, seed=1, num_ctx=num_ctx), focus)
