"""A run as the window handles it: started, stopped and resumed through the bridge; what happens arrives as signals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from agent.evaluation.configuration import ConfigurationError
from agent.evaluation.events import RunEvent
from agent.evaluation.parallel import Job
from agent.evaluation.run import Progress, Run
from agent.evaluation.run_folder import RecordError, RunFolder
from agent.evaluation.suites import SuiteError
from agent.models.base import ModelError
from desktop.benchmark.plans import write_plan
from desktop.bridge import Bridge

_IDLE = Progress("ready", 0, 0, 0.0, None)
_BUSY = frozenset({"running", "stopping"})


class RunControl(QObject):
    """One run at a time, on the bridge's loop.

    Signals:
        happened: a :data:`~agent.evaluation.events.RunEvent`.
        progressed: a :class:`~agent.evaluation.run.Progress`.
        failed: a sentence for the user; what was done is kept.
    """

    happened = Signal(object)
    progressed = Signal(object)
    failed = Signal(str)

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._run: Run | None = None
        self.progress: Progress = _IDLE
        self._starting = False

    @property
    def busy(self) -> bool:
        """Whether a run is going on or stopping."""
        return self._starting or self.progress.state in _BUSY

    def start(self, jobs: Sequence[Job], workers: int = 1) -> None:
        """Start jobs, or go on with them where their folders hold some of it already."""
        if self.busy:
            return
        self._starting = True
        self.progress = Progress("running", 0, 0, 0.0, None)
        self.progressed.emit(self.progress)
        self._bridge.run_blocking(partial(_take_on, tuple(jobs), workers), self._begin, self._fail)

    def _begin(self, run: Run) -> None:
        self._run = run
        run.subscribe(lambda event: self._bridge.post(partial(self._deliver, run, event)))
        self._bridge.run(run.start(), lambda _none: None, self._fail)

    def _deliver(self, run: Run, event: RunEvent | Progress) -> None:
        if run is not self._run:
            return
        if isinstance(event, Progress):
            self._starting = False
            self.progress = event
            self.progressed.emit(event)
        else:
            self.happened.emit(event)

    def _fail(self, error: Exception) -> None:
        self._starting = False
        known = isinstance(error, ConfigurationError | SuiteError | RecordError | ModelError | OSError)
        words = error.message if isinstance(error, ModelError) else str(error)
        if self.progress.state in _BUSY:
            self.progress = Progress("failed", self.progress.done, self.progress.total, 0.0, None, words)
        self.progressed.emit(self.progress)
        self.failed.emit(words if known else f"The run ended unexpectedly ({type(error).__name__}: {error}).")

    def stop(self) -> None:
        """Stop soon; the task that is being done is done again by the next start."""
        if self._run is not None:
            self._run.stop()


def _take_on(jobs: tuple[Job, ...], workers: int) -> Run:
    run = Run(jobs, workers=workers)
    for plan, folder in jobs:
        found = RunFolder(folder).read()
        if found is None or found.key == plan.configuration.key:  # otherwise the start refuses the folder
            write_plan(folder, plan)
    return run
