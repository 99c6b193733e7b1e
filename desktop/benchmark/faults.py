"""What went wrong in a task, by name: the log viewer filters by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from agent.evaluation.records import TaskRecord

Fault = Literal["missed", "extraneous", "refused", "lost", "state", "no-call", "limit"]

FAULTS: Mapping[Fault, tuple[str, str, Callable[[TaskRecord], bool]]] = {
    "missed": ("call missed", "missed", lambda record: record.grade.ecc is not None and record.grade.ecc < 1.0),
    "extraneous": ("extraneous call", "extra", lambda record: record.grade.evcr > 0.0),
    "refused": ("call failed", "failed", lambda record: record.grade.tfr > 0.0),
    "lost": ("call lost", "lost", lambda record: record.lost_calls > 0),
    "state": ("state differs", "state", lambda record: not record.state.equal),
    "no-call": ("acted where no call is right", "acted", lambda record: record.grade.nca == 0.0),
    "limit": ("turn limit", "limit", lambda record: record.outcome == "turn-limit"),
}
"""Each fault in words, in a word, and whether a task has it."""


def faults_of(record: TaskRecord) -> list[Fault]:
    """What went wrong, in the order of :data:`FAULTS`."""
    return [fault for fault, (_words, _word, applies) in FAULTS.items() if applies(record)]


def fault_words(record: TaskRecord) -> str:
    """The same for people; "perfect" where nothing did."""
    found = [FAULTS[fault][0] for fault in faults_of(record)]
    if found:
        return ", ".join(found)
    return "perfect" if record.grade.perfect else "done"


def fault_signs(record: TaskRecord) -> str:
    """The same in as few words as there are faults."""
    return " · ".join(FAULTS[fault][1] for fault in faults_of(record)) or fault_words(record)
