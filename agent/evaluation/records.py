"""What a run of the benchmark takes down: the values of its lines; :mod:`agent.evaluation.run_folder` keeps them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from agent.evaluation.configuration import Configuration
from agent.evaluation.grading import Grade
from agent.evaluation.suites import Task
from agent.models.base import Message, ToolCall


class Record(BaseModel):
    """A value of a log."""

    model_config = ConfigDict(frozen=True)


class MadeCallRecord(Record):
    """A call that reached a server.

    Attributes:
        read_only: the tool changes nothing, as its server says.
        at: seconds from the task's start to the call.
        seconds: from the call to its result.
    """

    tool: str
    arguments: dict[str, Any]
    ok: bool
    text: str
    server: str = "design"
    read_only: bool = False
    at: float
    seconds: float


class UsageRecord(Record):
    """Tokens and seconds of a turn or a task; see :class:`agent.models.base.Usage`."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    load_seconds: float = 0.0
    prompt_seconds: float = 0.0
    generation_seconds: float = 0.0


class MessageRecord(Record):
    """A message of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    tool_name: str = ""

    @classmethod
    def of(cls, message: Message) -> MessageRecord:
        """Take a message down."""
        calls = tuple((call.name, dict(call.arguments)) for call in message.tool_calls)
        return cls(role=message.role, content=message.content, tool_calls=calls, tool_name=message.tool_name)

    def message(self) -> Message:
        """The message."""
        calls = tuple(ToolCall(name, arguments) for name, arguments in self.tool_calls)
        return Message(self.role, self.content, calls, self.tool_name)


class TurnRecord(Record):
    """One answer of the model, and exactly what it was given.

    Attributes:
        kept: the prompt begins with this many messages of the prompt before it in the same file …
        sent: … and goes on with these.
        calls: all that the model wanted, made or not.
        lost: tokens were generated, but the call in them never arrived.
        seconds: wall time.
    """

    model: str
    kept: int
    sent: tuple[MessageRecord, ...]
    text: str
    thinking: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    usage: UsageRecord
    truncated: bool = False
    overflow: bool = False
    lost: bool = False
    seconds: float


class StateRecord(Record):
    """How the design differs from the state that the task should have led to, as element ids."""

    equal: bool
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class TaskRecord(Record):
    """Everything about one task of one session.

    Attributes:
        key: of the configuration.
        task: as the suite had it: prompt and right answers.
        messages: what the task added to the agent's memory.
        forgotten: requests that the memory has lost for want of room since the session began.
        in_memory: requests that the memory holds afterwards, this one included.
        seconds: wall time of the agent's work.
        overhead: seconds for grading and for restoring the state before.
    """

    kind: Literal["task"] = "task"
    key: str
    suite: str
    repeat: int
    index: int
    task: Task
    outcome: str
    answer: str
    messages: tuple[MessageRecord, ...]
    turns: tuple[TurnRecord, ...]
    calls: tuple[MadeCallRecord, ...]
    notices: tuple[str, ...] = ()
    forgotten: int = 0
    in_memory: int = 0
    usage: UsageRecord
    state: StateRecord
    grade: Grade
    started: str
    seconds: float
    overhead: float = 0.0
    digest: str
    options: dict[str, Any]
    versions: dict[str, str]

    @property
    def lost_calls(self) -> int:
        """Answers whose call never arrived."""
        return sum(turn.lost for turn in self.turns)

    @property
    def dropped_calls(self) -> int:
        """Calls beyond the first of a turn, which the paper's agent does not make."""
        return sum(max(0, len(turn.calls) - 1) for turn in self.turns)


class Interruption(Record):
    """Something that was not the model's doing kept a task from being done; it is never scored."""

    kind: Literal["interruption"] = "interruption"
    task: str
    code: str
    message: str
    at: str


class SessionHeader(Record):
    """The first line of a session.

    Attributes:
        suite_source: the name or path by which the suite was loaded.
        suite_digest: of its content; a session is not continued on another suite.
    """

    kind: Literal["session"] = "session"
    key: str
    suite: str
    suite_source: str
    suite_digest: str
    repeat: int
    seed: int | None


class RunRecord(Record):
    """What ``run.json`` says."""

    key: str
    configuration: Configuration
    created: str
    versions: dict[str, str]
