"""The agents of the product: assisted by default, the paper's faithful one on request."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

from agent.assisted.agent import AssistedAgent
from agent.calibrated import Calibrated, Mode
from agent.host import Agent
from agent.models.base import ChatOptions, LanguageModel
from agent.react import ReActAgent
from model.vlnv import Vlnv
from model.workspace import Workspace


def product_agent(
    model: LanguageModel,
    workspace: Workspace,
    focus: Callable[[], Vlnv | None],
    num_ctx: int,
    mode: Mode = "assisted",
    calibrated: Calibrated | None = None,
) -> Agent:
    """Return the agent that answers in the chat and on the command line.

    Args:
        calibrated: what suits the model best, where that is known. Its tool descriptions are the server's to publish.
    """
    history = calibrated.history if calibrated else "run"
    if mode == "faithful":
        variant = calibrated.prompt if calibrated else "basic"
        prompt = (
            "" if variant == "none" else (files("resources") / "prompts" / f"react-{variant}.md").read_text("utf-8")
        )
        return ReActAgent(model, ChatOptions(num_ctx=num_ctx), prompt, history, calls_in_text=True)
    agent = AssistedAgent(model, workspace, ChatOptions(temperature=0.0, seed=1, num_ctx=num_ctx), focus)
    if history == "task":
        agent.remembered = 0
    return agent
