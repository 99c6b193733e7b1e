"""What the benchmark window knows, without Qt: a row for each session, with the records of its tasks as they come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from agent.evaluation.configuration import Configuration
from agent.evaluation.events import RunEvent, SessionStarted, TaskFinished, TaskInterrupted, TaskStarted
from agent.evaluation.parallel import Job
from agent.evaluation.records import SessionHeader, TaskRecord
from agent.evaluation.run_folder import RunFolder, Session
from agent.evaluation.suites import SuiteError, bundled_suites, load_suite
from desktop.benchmark.plans import read_plan

CellState = Literal["none", "waiting", "running", "interrupted", "done"]


class RowId(NamedTuple):
    """A session: one suite in one repeat of one run."""

    folder: Path
    suite: str
    repeat: int


@dataclass
class Row:
    """One session.

    Attributes:
        source: the name or path by which the suite was loaded.
        tasks: ids in order; those without a record are still to be done.
        running: the task that the agent works on, or "".
        interrupted: the task that waits for its infrastructure, or "".
        others: tasks of other servers than the design server, which are reported apart.
    """

    id: RowId
    configuration: Configuration
    source: str
    tasks: list[str]
    records: dict[str, TaskRecord] = field(default_factory=dict)
    running: str = ""
    interrupted: str = ""
    header: SessionHeader | None = None
    others: set[str] = field(default_factory=set)

    def state(self, column: int) -> CellState:
        """How far a task is; ``none`` beyond the session's last one."""
        if column >= len(self.tasks):
            return "none"
        task = self.tasks[column]
        if task == self.running:
            return "running"
        if task in self.records:
            return "done"
        return "interrupted" if task == self.interrupted else "waiting"

    def record(self, column: int) -> TaskRecord | None:
        """What became of a task, once it is done."""
        return self.records.get(self.tasks[column]) if column < len(self.tasks) else None

    def in_order(self) -> list[TaskRecord]:
        """The records in the order in which the tasks were done."""
        return [self.records[task] for task in self.tasks if task in self.records]


class Board:
    """The sessions that are shown, in the order of a report.

    Attributes:
        problems: what could not be read, in words.
    """

    def __init__(self) -> None:
        self._rows: dict[RowId, Row] = {}
        self._folders: dict[str, Path] = {}
        self.problems: list[str] = []

    @classmethod
    def of_jobs(cls, jobs: Sequence[Job]) -> Board:
        """Lay out what is about to be run, with what is in the folders already.

        Raises:
            SuiteError: a suite cannot be read.
            RecordError: a log cannot be read.
        """
        board = cls()
        for plan, folder in jobs:
            board._folders[plan.configuration.key] = folder
            for source in plan.suites:
                suite = load_suite(source)
                selected = plan.selected(suite)
                others = {task.id for task in selected if task.server != "design"}
                for repeat in plan.repeats:
                    tasks = [task.id for task in selected]
                    row = Row(RowId(folder, suite.name, repeat), plan.configuration, source, tasks, others=others)
                    _fill(row, RunFolder(folder).session(suite.name, repeat))
                    board._rows[row.id] = row
        return board

    @classmethod
    def of_folders(cls, runs: Sequence[RunFolder]) -> Board:
        """Read runs as far as they have come; what a plan left beside them still wants is shown as to be done.

        Raises:
            RecordError: a log cannot be read.
        """
        board = cls()
        for run in runs:
            found = run.read()
            if found is None:
                continue
            plan = read_plan(run.path, found.configuration)
            if plan is not None:
                try:
                    planned = cls.of_jobs([(plan, run.path)])
                except SuiteError as error:
                    board.problems.append(str(error))
                else:
                    board._rows |= planned._rows
            board._folders[found.key] = run.path
            for session in sorted(run.sessions(), key=_place):
                if session.header is None:
                    continue
                row_id = RowId(run.path, session.header.suite, session.header.repeat)
                if row_id not in board._rows:
                    row = Row(row_id, found.configuration, session.header.suite_source, [])
                    _fill(row, session)
                    board._rows[row_id] = row
        return board

    @property
    def rows(self) -> list[Row]:
        """All sessions."""
        return list(self._rows.values())

    def __getitem__(self, row: RowId) -> Row:
        return self._rows[row]

    def __contains__(self, row: object) -> bool:
        return row in self._rows

    def records(self, folder: Path, suite: str) -> list[TaskRecord]:
        """The design tasks' records of a suite in all repeats of a run."""
        rows = self._of(folder, suite)
        return [record for row in rows for record in row.in_order() if record.task.id not in row.others]

    def planned(self, folder: Path, suite: str) -> int:
        """How many design tasks a suite of a run has in all repeats."""
        return sum(len(row.tasks) - len(row.others) for row in self._of(folder, suite))

    def groups(self) -> list[tuple[Path, str]]:
        """Each suite of each run once."""
        return list(dict.fromkeys((row.id.folder, row.id.suite) for row in self._rows.values()))

    def configuration(self, folder: Path) -> Configuration:
        """What is run in a folder."""
        return next(row.configuration for row in self._rows.values() if row.id.folder == folder)

    def folders(self) -> list[Path]:
        """The runs that are shown."""
        return list(dict.fromkeys(row.id.folder for row in self._rows.values()))

    def _of(self, folder: Path, suite: str) -> Iterator[Row]:
        return (row for row in self._rows.values() if (row.id.folder, row.id.suite) == (folder, suite))

    def take(self, event: RunEvent) -> Row | None:
        """Follow a run; return the row that has changed, if it is one that is shown."""
        if isinstance(event, TaskFinished):
            record = event.record
            key, suite, repeat = record.key, record.suite, record.repeat
        else:
            key, suite, repeat = event.key, event.suite, event.repeat
        folder = self._folders.get(key)
        row = self._rows.get(RowId(folder, suite, repeat)) if folder is not None else None
        if row is None:
            return None
        match event:
            case SessionStarted():
                row.running = row.interrupted = ""
            case TaskStarted():
                row.running, row.interrupted = event.task.id, ""
            case TaskFinished():
                row.records[event.record.task.id] = event.record
                row.running = ""
            case TaskInterrupted():
                row.running, row.interrupted = "", event.interruption.task
        return row

    def rest(self) -> None:
        """Nothing is running any more."""
        for row in self._rows.values():
            row.running = row.interrupted = ""


def _fill(row: Row, session: Session) -> None:
    row.header = session.header
    for record in session.tasks:
        row.records[record.task.id] = record
        if record.task.server != "design":
            row.others.add(record.task.id)
        if record.task.id not in row.tasks:
            row.tasks.append(record.task.id)


def _place(session: Session) -> tuple[int, str, int]:
    names = bundled_suites()
    suite = session.header.suite if session.header else ""
    repeat = session.header.repeat if session.header else 0
    return (names.index(suite) if suite in names else len(names), suite, repeat)
