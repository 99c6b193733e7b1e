"""Grades the calls of old logs anew, by the present rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.evaluation.grading import grade
from agent.evaluation.records import TaskRecord
from agent.evaluation.run_folder import RunFolder
from agent.evaluation.scoring import MadeCall
from agent.evaluation.suites import Suite, Task


@dataclass(frozen=True, slots=True)
class Rescored:
    """A task whose grade is another now."""

    before: TaskRecord
    after: TaskRecord


def rescore(folder: RunFolder, suites: Sequence[Suite] = ()) -> tuple[int, list[Rescored]]:
    """Grade all tasks of a run again and write the new grades into its files.

    Args:
        suites: whose right answers replace those in the logs, for tasks of the same suite, id and prompt. The state
            of the design was compared when the task was run and is left as it is.

    Returns:
        How many tasks were graded, and those whose figures are others than before.

    Raises:
        RecordError: a file cannot be read.
    """
    newer = {(suite.name, task.id): task for suite in suites for task in suite.tasks}
    graded, changed = 0, list[Rescored]()
    for session in folder.sessions():
        session.cut_torn_line()
        records = [_again(record, newer.get((record.suite, record.task.id))) for record in session.tasks]
        for before, after in zip(session.tasks, records, strict=True):
            graded += 1
            if before.grade.model_dump(exclude={"grader"}) != after.grade.model_dump(exclude={"grader"}):
                changed.append(Rescored(before, after))
        if records != session.tasks:
            session.rewrite(records)
    return graded, changed


def _again(record: TaskRecord, newer: Task | None) -> TaskRecord:
    task = newer if newer is not None and newer.prompt == record.task.prompt else record.task
    made = [MadeCall(call.tool, call.arguments, call.ok, call.read_only) for call in record.calls]
    return record.model_copy(update={"task": task, "grade": grade(task, made)})
