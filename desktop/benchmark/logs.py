"""Opening logs: a run's folder, a folder of several, compressed files, or an archive."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from agent.evaluation.parallel import Job
from agent.evaluation.records import find_runs
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
        read_only: it cannot be continued.
        stamp: changes when somebody writes to it.
    """

    path: Path
    board: Board
    jobs: tuple[Job, ...]
    read_only: bool
    stamp: object


def open_logs(path: Path) -> Logs:
    """Read the logs below a path.

    Raises:
        RecordError: there are none, or one cannot be read.
        OSError: a file cannot be read.
    """
    before = stamp(path)
    runs = find_runs(path)
    jobs: list[Job] = []
    for run in runs:
        found = run.read()
        plan = (read_plan(run.path, found.configuration) if found else None) or guess_plan(run)
        if plan is not None:
            jobs.append((plan, run.path))
    return Logs(path, Board.of_folders(runs), tuple(jobs), False, before)


def stamp(path: Path) -> object:
    """Sizes and times of the files of logs."""
    return tuple(
        _Size(file, found.st_size, found.st_mtime_ns)
        for file in sorted(path.rglob("*.json*"))
        if (found := file.stat())
    )
