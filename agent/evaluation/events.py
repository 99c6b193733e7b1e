"""What happens while a benchmark runs, for a progress bar, a window, or a test.

Every event names its session: the key of its configuration, the suite and the repeat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.evaluation.records import Interruption, MadeCallRecord, TaskRecord
from agent.evaluation.suites import Task
from model.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """A session begins or goes on.

    Attributes:
        key: of the configuration, as :attr:`agent.evaluation.configuration.Configuration.key`.
        done: how many of its ``total`` tasks were done before.
        workspace: the design that the agent will edit; None where nothing is left to do, or where another process
            does it.
    """

    key: str
    suite: str
    repeat: int
    done: int
    total: int
    workspace: Workspace | None = None


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """A task was handed to the agent; the workspace is in the task's canonical state."""

    key: str
    suite: str
    repeat: int
    task: Task


@dataclass(frozen=True, slots=True)
class CallMade:
    """The agent has made a call for the task that runs in the session."""

    key: str
    suite: str
    repeat: int
    task_id: str
    call: MadeCallRecord


@dataclass(frozen=True, slots=True)
class TaskFinished:
    """A task was done, graded and written down."""

    record: TaskRecord


@dataclass(frozen=True, slots=True)
class TaskInterrupted:
    """A task could not be done and will be run again in ``wait`` seconds."""

    key: str
    suite: str
    repeat: int
    interruption: Interruption
    wait: float


RunEvent = SessionStarted | TaskStarted | CallMade | TaskFinished | TaskInterrupted
Emit = Callable[[RunEvent], None]
