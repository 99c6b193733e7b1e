"""What happens while an agent works, as values: the chat, the score panel and the command line all read these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from agent.models.base import Usage
from agent.rehearsal import Rehearsal

Outcome = Literal["done", "refused", "failed", "stopped", "turn-limit", "no-model", "needs-approval"]


@dataclass(frozen=True, slots=True)
class RequestStarted:
    """A request was handed to the agent."""

    request_id: int
    text: str
    model: str


@dataclass(frozen=True, slots=True)
class TextStreamed:
    """A piece of the answer, or of the model's thinking.

    Attributes:
        prompt_read: share of the prompt that the model has read so far (0 to 1), where the engine tells; else None.
    """

    request_id: int
    text: str = ""
    thinking: str = ""
    prompt_read: float | None = None


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool call is being made. ``index`` counts the calls of the request from 0."""

    request_id: int
    index: int
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A tool call came back.

    Attributes:
        ok: the server accepted it.
        text: the result as the model reads it.
        data: the structured result; ``added``, ``changed`` and ``removed`` list element ids as text.
        seconds: from the call to its result.
    """

    request_id: int
    index: int
    tool: str
    arguments: Mapping[str, Any]
    ok: bool
    text: str
    data: Mapping[str, Any]
    seconds: float


@dataclass(frozen=True, slots=True)
class ApprovalRequested:
    """The agent wants to make a call that needs a person's yes (delete, overwrite, load)."""

    request_id: int
    index: int
    tool: str
    arguments: Mapping[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class ProposalMade:
    """The agent has a whole plan and waits until a person says which of its calls may be made.

    Attributes:
        rehearsal: how the plan goes on a copy of the design.
        reason: why a person is asked.
    """

    request_id: int
    rehearsal: Rehearsal
    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to tell the user that is not part of the answer (context nearly full, a corrected spelling)."""

    request_id: int
    text: str


@dataclass(frozen=True, slots=True)
class RequestFinished:
    """The request is over.

    Attributes:
        answer: the whole answer for the user.
        seconds: wall time of the whole request.
    """

    request_id: int
    outcome: Outcome
    answer: str
    seconds: float
    usage: Usage
    calls: tuple[CallFinished, ...] = ()


AgentEvent = (
    RequestStarted
    | TextStreamed
    | CallStarted
    | CallFinished
    | ApprovalRequested
    | ProposalMade
    | Notice
    | RequestFinished
)
