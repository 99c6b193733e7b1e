"""What went wrong in a task, by name: the log viewer filters by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from agent.evaluation.records import TaskRecord

Fault = Literal["missed", "extraneous", "refused", "lost", "state", "no-call", "limit"]

FAULTS: Mapping[Fault, tuple[str, Callable[[TaskRecord], bool]]] = {
    "missed": ("call missed", lambda record: record.grade.ecc is not None and record.grade.ecc < 1.0),
    "extraneous": ("extraneous call", lambda record: record.grade.evcr > 0.0),
    "refused": ("call failed", lambda record: record.grade.tfr > 0.0),
    "lost": ("call lost", lambda record: record.lost_calls > 0),
    "state": ("state differs", lambda record: not record.state.equal),
    "no-call": ("acted where no call is right", lambda record: record.grade.nca == 0.0),
    "limit": ("turn limit", lambda record: record.outcome == "turn-limit"),
}
"""Each fault's words, and whether a task has it."""


def faults_of(record: TaskRecord) -> list[Fault]:
    """What went wrong, in the order of :data:`FAULTS`."""
    return [fault for fault, (_words, applies) in FAULTS.items() if applies(record)]


def fault_words(record: TaskRecord) -> str:
    """The same for people; "perfect" where nothing did."""
    found = [FAULTS[fault][0] for fault in faults_of(record)]
    if found:
        return ", ".join(found)
    return "perfect" if record.grade.perfect else "done"
