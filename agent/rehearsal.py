"""Calls tried on a copy of the design: what each would change, and what would refuse it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agent.design_tools import design_tools
from agent.models.base import ToolCall
from agent.toolbox import Toolbox
from model.change import Change
from model.difference import change_between
from model.library import Library
from model.workspace import Workspace

_WRITES_FILES = "save_component"


@dataclass(frozen=True, slots=True)
class RehearsedCall:
    """One call of a plan as it went on the copy.

    Attributes:
        chosen: it was tried; a call that was left out has no change and no reason.
        reason: why it was refused, or "".
        is_read: it only reads, so there is nothing to agree to.
    """

    call: ToolCall
    chosen: bool
    is_read: bool
    reason: str = ""
    change: Change = Change()


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How a plan, or a part of it, went on a copy of the design.

    Attributes:
        before: the design that was copied.
        after: the copy at the end; calls that were refused have left it as it was.
        calls: the whole plan in its order.
    """

    before: Library
    after: Library
    calls: tuple[RehearsedCall, ...]

    @property
    def change(self) -> Change:
        """What all of it together would change."""
        return change_between(self.before, self.after)


async def rehearse(workspace: Workspace, calls: Sequence[ToolCall], chosen: Collection[int] | None = None) -> Rehearsal:
    """Make the chosen calls (all by default) on a copy of the design, one after another.

    Files are read, so that what a load would bring is seen, and never written: a save is taken to go well.
    """
    with workspace.lock:
        before = workspace.library
        copy = Workspace(workspace.folder, before, dict(workspace.sources), workspace.catalog)
    rehearsed: list[RehearsedCall] = []
    async with Toolbox.connected({"design": design_tools(copy)}) as toolbox:
        for index, call in enumerate(calls):
            reads = toolbox.is_read_only(call.name)
            if chosen is not None and index not in chosen and not reads:
                rehearsed.append(RehearsedCall(call, False, False))
            elif call.name == _WRITES_FILES:
                rehearsed.append(RehearsedCall(call, True, False))
            else:
                start = copy.library
                result = await toolbox.call(call)
                reason = "" if result.ok else str(result.data.get("message") or result.text)
                change = change_between(start, copy.library)
                rehearsed.append(RehearsedCall(call, True, reads, reason, change))
    return Rehearsal(before, copy.library, tuple(rehearsed))
