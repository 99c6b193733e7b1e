"""Opening logs: a run's folder, a folder of several, compressed files, or an archive."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from agent.evaluation.parallel import Job
from agent.evaluation.run_folder import RecordError, find_runs
from desktop.benchmark.archives import is_packed, unpack
from desktop.benchmark.board import Board
from desktop.benchmark.plans import guess_plan, read_plan


class _Size(NamedTuple):
    path: Path
    size: int
    changed: int


@dataclass(frozen=True)
class Logs:
    """What was opened.

    Attributes:
        jobs: what would go on with it.
        stamp: changes when somebody writes to it.
        read_only: it was packed and cannot be continued.
        planned: every run says what it still has to do; those from the command line do not.
    """

    path: Path
    board: Board
    jobs: tuple[Job, ...]
    stamp: object
    read_only: bool
    planned: bool


def open_logs(path: Path) -> Logs:
    """Read the logs below a path.

    Raises:
        RecordError: there are none, or one cannot be read.
        OSError: a file cannot be read.
    """
    before = stamp(path)
    if is_packed(path):
        with TemporaryDirectory(prefix="blockwright-logs-") as folder:
            unpack(path, Path(folder))
            board, jobs, planned = _read(Path(folder), path)
        return Logs(path, board, jobs, before, read_only=True, planned=planned)
    if path.is_file():
        path = path.parent  # one of a run's own files
    board, jobs, planned = _read(path, path)
    return Logs(path, board, jobs, before, read_only=False, planned=planned)


def _read(folder: Path, named: Path) -> tuple[Board, tuple[Job, ...], bool]:
    try:
        runs = find_runs(folder)
    except RecordError as error:
        raise RecordError(f"There is no benchmark run in {named}.") from error
    jobs: list[Job] = []
    planned = True
    for run in runs:
        found = run.read()
        plan = read_plan(run.path, found.configuration) if found else None
        planned = planned and plan is not None
        plan = plan or guess_plan(run)
        if plan is not None:
            jobs.append((plan, run.path))
    return Board.of_folders(runs), tuple(jobs), planned


def stamp(path: Path) -> object:
    """Sizes and times of the files of logs."""
    return tuple(
        _Size(file, found.st_size, found.st_mtime_ns)
        for file in sorted(path.rglob("*.json*"))
        if (found := file.stat())
    )
