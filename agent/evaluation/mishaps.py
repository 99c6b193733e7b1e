"""What went wrong on the way to a task's end, task by task and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from agent.evaluation.records import MadeCallRecord, TaskRecord
from agent.evaluation.scoring import reads


@dataclass(frozen=True, slots=True)
class Mishaps:
    """How often things went wrong, counted over all tasks.

    Attributes:
        lost_calls: answers whose call never arrived.
        dropped_calls: calls beyond the first of a turn, which were not made.
        unknown_tools: calls of tools that do not exist.
        repeated_calls: calls that had been made before in the same task.
        turn_limits: tasks that ended at the turn limit.
        overflows: answers to a prompt that the model could not see whole.
        forgotten: requests that were dropped from memory for want of room.
        spare_reads: successful calls that nobody asked for and that only read …
        spare_writes: … and those that changed something.
        first_error: mean position of the first refused call in the tasks that have one, counted from 1; None if none.
        recovered: share of those tasks, where calls were right, that were done completely all the same.
    """

    lost_calls: int
    dropped_calls: int
    unknown_tools: int
    repeated_calls: int
    turn_limits: int
    overflows: int
    forgotten: int
    spare_reads: int
    spare_writes: int
    first_error: float | None
    recovered: float | None

    @classmethod
    def of(cls, records: Sequence[TaskRecord]) -> Mishaps:
        """Count those of some tasks."""
        spare = [call for record in records for call in spare_calls(record)]
        first_errors = [position for record in records if (position := first_refusal(record)) is not None]
        recoveries = [known for record in records if (known := has_recovered(record)) is not None]
        sessions: dict[tuple[str, int], int] = {}
        for record in records:
            session = record.suite, record.repeat
            sessions[session] = max(sessions.get(session, 0), record.forgotten)
        return cls(
            lost_calls=sum(record.lost_calls for record in records),
            dropped_calls=sum(record.dropped_calls for record in records),
            unknown_tools=sum(map(unknown_tools, records)),
            repeated_calls=sum(map(repeated_calls, records)),
            turn_limits=sum(record.outcome == "turn-limit" for record in records),
            overflows=sum(turn.overflow for record in records for turn in record.turns),
            forgotten=sum(sessions.values()),
            spare_reads=sum(map(reads, spare)),
            spare_writes=sum(not reads(call) for call in spare),
            first_error=fmean(first_errors) if first_errors else None,
            recovered=fmean(recoveries) if recoveries else None,
        )


def spare_calls(record: TaskRecord) -> list[MadeCallRecord]:
    """The successful calls of a task that nobody asked for."""
    answered = {index for _expected, index in record.grade.pairs}
    return [call for index, call in enumerate(record.calls) if call.ok and index not in answered]


def unknown_tools(record: TaskRecord) -> int:
    """How many calls of a task were of tools that do not exist."""
    return sum("unknown-tool" in call.text for call in record.calls if not call.ok)


def repeated_calls(record: TaskRecord) -> int:
    """How many calls of a task had been made before in it."""
    made = [(call.tool, call.arguments) for call in record.calls]
    return sum(call in made[:index] for index, call in enumerate(made))


def first_refusal(record: TaskRecord) -> int | None:
    """Position of the first refused call of a task, counted from 1; None if none was refused."""
    return next((position for position, call in enumerate(record.calls, 1) if not call.ok), None)


def has_recovered(record: TaskRecord) -> bool | None:
    """Whether a task was done completely after a refusal; None without one, or where no call is right."""
    if record.grade.ecc is None or first_refusal(record) is None:
        return None
    return record.grade.ecc == 1.0
