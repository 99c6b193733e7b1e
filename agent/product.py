"""The agents of the product: assisted by default, the paper's faithful one on request."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

from agent.assisted import prose
from agent.assisted.agent import AssistedAgent
from agent.assisted.prompts import fixed_prefix
from agent.calibrated import Calibrated, Mode
from agent.host import Agent
from agent.models.base import ChatOptions, LanguageModel, Prepares
from agent.react import ReActAgent
from agent.routing import RoutingAgent
from model.vlnv import Vlnv
from model.workspace import Workspace


def load() -> None:
    """Load what the agents know, before the first request waits for it."""
    prose.load()


async def prepare(model: LanguageModel, mode: Mode) -> None:
    """Let a model read what begins every request, if it can."""
    if isinstance(model, Prepares) and mode == "assisted":
        await model.prepare(fixed_prefix(), ())


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


def routed(agent: Agent) -> Agent:
    """The agent as conversations use it: the assisted one knows other servers' tools, too."""
    return RoutingAgent(agent) if isinstance(agent, AssistedAgent) else agent
