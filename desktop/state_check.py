"""Whether a request left the design as its expected calls would have left it."""

from __future__ import annotations

from collections.abc import Sequence

from agent.design_tools import design_tools
from agent.evaluation.scoring import Call
from agent.evaluation.state import state_difference
from agent.models.base import ToolCall
from agent.toolbox import Toolbox
from model.change import Change
from model.library import Library
from model.workspace import Workspace


async def state_change(before: Library, after: Library, answers: Sequence[Sequence[Call]]) -> Change | None:
    """Return what turns the nearest right design into the one that came of a request; empty where it is right.

    Args:
        before: the design that the request began with.
        answers: sets of calls that are right.

    Returns:
        None where no answer can be made on that design: it reads a file, or the design was another one.
    """
    found: list[Change] = []
    for calls in answers:
        workspace = Workspace(library=before)
        async with Toolbox.connected({"design": design_tools(workspace)}) as tools:
            results = [await tools.call(ToolCall(call.tool, call.args)) for call in calls]
        if all(result.ok for result in results):
            found.append(state_difference(workspace.library, after))
    return min(found, key=lambda change: len(change.touched), default=None)
