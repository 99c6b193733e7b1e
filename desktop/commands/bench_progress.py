"""Runs plans with a bar that shows what is done and how long the rest will take."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.progress import Task as Bar
from rich.text import Text

from agent.evaluation.events import CallMade, RunEvent, SessionStarted, TaskFinished, TaskInterrupted, TaskStarted
from agent.evaluation.parallel import Job
from agent.evaluation.run import Progress, Run
from agent.models.base import ModelError

FAILED, BAD_USAGE, UNREACHABLE, INTERRUPTED = 1, 2, 3, 4

errors = Console(stderr=True, highlight=False, soft_wrap=True)


def execute(jobs: Sequence[Job], *, workers: int = 1, scheduler: str = "", quiet: bool) -> int:
    """Run plans in their folders with a progress bar; return the exit status.

    Raises:
        ConfigurationError, SuiteError, RecordError: see :func:`agent.evaluation.parallel.run_all`.
    """
    run = Run(jobs, workers=workers, scheduler=scheduler)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        _Left(run),
        TextColumn("{task.fields[last]}"),
    )
    with Bars(*columns, console=errors, disable=quiet) as bars:
        run.subscribe(_Watcher(bars, run.progress.total).show)
        try:
            asyncio.run(_stoppable(run))
        except ModelError as error:
            errors.print(f"{error.message}\nThe tasks done so far are kept: the same command goes on.", markup=False)
            return UNREACHABLE
        except OSError as error:
            errors.print(f"{error}\nThe tasks done so far are kept: the same command goes on.", markup=False)
            return FAILED
    if run.progress.state == "stopped":
        errors.print("Stopped. The same command goes on from here.")
        return INTERRUPTED
    return 0


async def _stoppable(run: Run) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows has no signal handlers on event loops
            asyncio.get_running_loop().add_signal_handler(number, run.stop)
    await run.start()


class _Left(ProgressColumn):
    """The time left by the tasks of this start: the bar's own would count those of earlier starts as done just now."""

    max_refresh = 0.5

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run

    def render(self, task: Bar) -> Text:
        left = self._run.progress.left
        return Text("left " + ("-:--:--" if left is None else str(timedelta(seconds=round(left)))))


class _Watcher:
    """Turns what happens in a run into a bar."""

    def __init__(self, bars: Bars, total: int) -> None:
        self._bars = bars
        self._bar = bars.add_task("starting the model", total=total, last="")
        self._calls: dict[tuple[str, str, int], int] = {}

    def show(self, event: RunEvent | Progress) -> None:
        match event:
            case Progress():
                self._bars.update(self._bar, completed=event.done)
            case SessionStarted():
                self._bars.update(self._bar, description=event.suite)
            case TaskStarted():
                self._calls[event.key, event.suite, event.repeat] = 0
                self._bars.update(self._bar, description=f"{event.suite} {event.task.id}")
            case CallMade():
                session = event.key, event.suite, event.repeat
                self._calls[session] = self._calls.get(session, 0) + 1
                self._bars.update(self._bar, last=f"{self._calls[session]} calls, {event.call.tool}")
            case TaskFinished():
                grade = event.record.grade
                achieved = "ECC" if grade.ecc is not None else "NCA"
                value = grade.ecc if grade.ecc is not None else grade.nca
                last = f"{event.record.task.id}: {achieved} {value:.2f}, {event.record.seconds:.0f} s"
                self._bars.update(self._bar, last=last)
            case TaskInterrupted():
                self._bars.console.print(f"{event.interruption.message} Again in {event.wait:g} s.", markup=False)
