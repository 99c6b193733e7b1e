"""The requests of a conversation and where in the undo list each began, without Qt."""

from __future__ import annotations

from dataclasses import dataclass

from model.errors import DesignError
from model.workspace import Step, Transaction, Workspace


@dataclass(frozen=True, slots=True)
class PastRequest:
    """A finished request.

    Attributes:
        before: the steps that were done before its own.
        transaction: what its own steps carry; None where it edited nothing.
    """

    text: str
    before: tuple[Step, ...]
    transaction: Transaction | None


class PastRequests:
    """The finished requests of a conversation by their number, counted from 0 in the order in which they began."""

    def __init__(self) -> None:
        self._requests: dict[int, PastRequest] = {}
        self._taken_back: set[int] = set()
        self._begun = 0
        self._running = ""

    def __getitem__(self, number: int) -> PastRequest:
        return self._requests[number]

    def __contains__(self, number: int) -> bool:
        return number in self._requests

    def clear(self) -> None:
        """Forget the conversation, and the request that may still be ending."""
        self._requests.clear()
        self._taken_back.clear()
        self._begun = 0
        self._running = ""

    def started(self, text: str) -> None:
        """Note that a request began."""
        self._begun += 1
        self._running = text

    def finished(self, workspace: Workspace) -> None:
        """Note where the request that is over began.

        An agent's request is a transaction of its own that bears the request's text.
        """
        if not self._running:
            return
        text, self._running = self._running, ""
        done = workspace.done
        known = {id(request.transaction) for request in self._requests.values()}
        own = next(
            (
                step.transaction
                for step in reversed(done)
                if type(step.transaction) is Transaction
                and step.transaction.label == text
                and id(step.transaction) not in known
            ),
            None,
        )
        start = len(done) if own is None else next(i for i, step in enumerate(done) if step.transaction is own)
        self._requests[self._begun - 1] = PastRequest(text, done[:start], own)

    def stands(self, workspace: Workspace, number: int) -> bool:
        """Whether something that a request did is in the design."""
        own = self._requests[number].transaction
        return own is not None and any(step.transaction is own for step in workspace.done)

    def go_back(self, workspace: Workspace, number: int) -> int:
        """Undo all steps since before a request; return how many requests that takes back.

        Raises:
            DesignError: ``edits-between``: somebody else edited since then; ``already-earlier``: the design is at an
                earlier state. Nothing was undone.
        """
        request = self._requests[number]
        with workspace.lock:
            done = workspace.done
            start = len(request.before)
            if len(done) < start or any(one is not other for one, other in zip(done, request.before, strict=False)):
                raise DesignError(
                    "already-earlier",
                    "Steps from before this request were undone, so the design cannot go back to where it was.",
                    "Redo them in the history, or send the request as a new one.",
                )
            agents = {id(self._requests[each].transaction) for each in self._requests if each >= number}
            agents.discard(id(None))
            other = next((step for step in done[start:] if id(step.transaction) not in agents), None)
            if other is not None:
                raise DesignError(
                    "edits-between",
                    f"“{other.label}” was not part of this conversation and came after the request, "
                    "and going back would take it out, too.",
                    "Undo it yourself if it is not needed, or send the request as a new one.",
                )
            for _step in done[start:]:
                workspace.undo()
        taken = set(range(number, self._begun)) - self._taken_back
        self._taken_back |= taken
        return len(taken)
