"""What waits for a person's word: calls to be agreed to first, and plans that are shown before they are made."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agent.models.base import ToolCall

Approval = Literal["apply", "ask", "propose", "deny"]


def needs_approval(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return why a person should agree to this call first, or "" where it may just be made.

    Deleting, overwriting a file and loading one are what undo cannot fully take back, or what a model should not
    decide alone.
    """
    if tool in {"delete_element", "delete_component"}:
        return "It deletes something."
    if tool == "load_component":
        return "It loads a file into the library."
    if tool == "save_component" and str(arguments.get("overwrite", "")).lower() == "true":
        return "It may overwrite a file."
    return ""


@dataclass(frozen=True)
class Proposal:
    """A plan that waits for a person; ``decision`` is the places of the calls that may be made."""

    request_id: int
    calls: Sequence[ToolCall]
    decision: asyncio.Future[frozenset[int]]


class Waiting:
    """The call and the plan of the running request that wait. On the event loop's thread alone."""

    def __init__(self) -> None:
        self._calls: dict[tuple[int, int], asyncio.Future[bool]] = {}
        self._proposal: Proposal | None = None

    def for_call(self, request_id: int, index: int) -> asyncio.Future[bool]:
        """A call waits from now on."""
        self._calls[request_id, index] = asyncio.get_running_loop().create_future()
        return self._calls[request_id, index]

    def for_plan(self, request_id: int, calls: Sequence[ToolCall]) -> asyncio.Future[frozenset[int]]:
        """A plan waits from now on."""
        self._proposal = Proposal(request_id, calls, asyncio.get_running_loop().create_future())
        return self._proposal.decision

    def proposal(self, request_id: int) -> Proposal | None:
        """The plan of a request, while it waits."""
        waiting = self._proposal
        return waiting if waiting is not None and waiting.request_id == request_id else None

    def approve(self, request_id: int, index: int, yes: bool) -> None:
        """Say yes or no to a call that waits."""
        waiting = self._calls.get((request_id, index))
        if waiting is not None and not waiting.done():
            waiting.set_result(yes)

    def decide(self, request_id: int, chosen: frozenset[int]) -> None:
        """Say which calls of a plan that waits may be made."""
        waiting = self.proposal(request_id)
        if waiting is not None and not waiting.decision.done():
            waiting.decision.set_result(chosen)

    def end(self) -> None:
        """Nothing waits any more."""
        self._calls.clear()
        self._proposal = None
