"""What an agent loop gets from whoever runs it, and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from agent.events import Outcome
from agent.models.base import Delta, ToolCall, ToolSpec, Usage
from agent.toolbox import ToolResult


class Host(Protocol):
    """Runs an agent: makes its calls, shows what it says. The desktop's chat, ``ask`` and the benchmark are hosts."""

    @property
    def tools(self) -> Sequence[ToolSpec]:
        """The tools that may be called."""
        ...

    async def call(self, call: ToolCall) -> ToolResult:
        """Make a call, after asking a person where that is the rule.

        Raises:
            ApprovalRefused: a person is needed and said no, or is not there.
        """
        ...

    def stream(self, delta: Delta) -> None:
        """Show a piece of the answer while it is written."""
        ...

    def notice(self, text: str) -> None:
        """Show something that is not part of the answer."""
        ...


@runtime_checkable
class ReadsAhead(Protocol):
    """An agent whose engine can read the beginning of a request before the request is sent."""

    async def read_ahead(self, draft: str) -> None:
        """Read what is certain so far; cancel it as soon as more is known.

        Raises:
            ModelError: the model cannot answer.
        """
        ...


@runtime_checkable
class Proposes(Protocol):
    """A host that wants to see a whole plan before its first call."""

    async def propose(self, calls: Sequence[ToolCall]) -> Sequence[ToolCall]:
        """Return the calls that may be made, in their order; none where a person rejected the plan."""
        ...


class ApprovalRefused(Exception):
    """A call that needs a person's yes did not get it.

    Attributes:
        asked: False where nobody could be asked (a command line without ``--yes``).
        reason: why a person should agree.
    """

    def __init__(self, call: ToolCall, *, asked: bool, reason: str = "") -> None:
        self.call = call
        self.asked = asked
        self.reason = reason
        super().__init__(f"{call.name} was not approved")


@dataclass(frozen=True, slots=True)
class Answer:
    """How a request ended."""

    text: str
    outcome: Outcome
    usage: Usage = field(default_factory=Usage)


class Agent(Protocol):
    """An agent loop with its memory of earlier requests."""

    async def run(self, request: str, host: Host) -> Answer:
        """Work on one request until it is done, refused or out of turns.

        Raises:
            ModelError: the model cannot answer; what was done so far stands.
            ApprovalRefused: see :class:`Host`.
        """
        ...

    def retract(self, requests: int) -> None:
        """Forget the last requests that were run: what they did was taken back."""
        ...
