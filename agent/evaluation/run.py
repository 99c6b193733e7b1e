"""A run as a window or a command handles it: started, watched, stopped and resumed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Literal

from agent.evaluation.events import RunEvent, SessionStarted, TaskFinished
from agent.evaluation.parallel import Job, run_all
from agent.evaluation.suites import load_suite
from agent.models.base import ModelError

RunState = Literal["ready", "running", "stopping", "stopped", "done", "failed"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Attributes:
        done: tasks done, those of earlier starts included.
        seconds: since the last start.
        left: seconds that the rest will take, judged by the tasks done since the last start; None before the first.
        message: why the run failed; "" otherwise.
    """

    state: RunState
    done: int
    total: int
    seconds: float
    left: float | None
    message: str = ""


Listener = Callable[[RunEvent | Progress], None]


class Run:
    """One or several plans in their folders, from the first start to the last task.

    Everything but :meth:`stop` belongs to one event loop's thread; listeners are called there, too.
    """

    def __init__(self, jobs: Sequence[Job], *, workers: int = 1, scheduler: str = "") -> None:
        """Take a run on; nothing is started or written yet.

        Args:
            workers: processes on this machine. One works in this process, and then
                :class:`~agent.evaluation.events.SessionStarted` brings the workspace that the agent edits.
            scheduler: address of a Dask scheduler whose workers do the sessions instead.

        Raises:
            SuiteError: a suite cannot be read.
        """
        self._jobs = tuple(jobs)
        self._workers = workers
        self._scheduler = scheduler
        self._listeners: list[Listener] = []
        self._state: RunState = "ready"
        self._message = ""
        self._done: dict[tuple[str, str, int], int] = {}
        self._total = sum(
            len(plan.selected(load_suite(source))) * len(plan.repeats)
            for plan, _folder in self._jobs
            for source in plan.suites
        )
        self._since = monotonic()
        self._seconds = 0.0
        self._fresh = 0  # tasks done since the last start …
        self._worked = 0.0  # … in so many seconds
        self._loop: asyncio.AbstractEventLoop | None = None
        self._working: asyncio.Task[None] | None = None

    @property
    def progress(self) -> Progress:
        """How far it has come now."""
        seconds = monotonic() - self._since if self._working is not None else self._seconds
        done = sum(self._done.values())
        left = None
        if self._fresh:
            left = max(0.0, self._worked / self._fresh * (self._total - done) - (seconds - self._worked))
        return Progress(self._state, done, self._total, seconds, left, self._message)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Have a listener told every event, and a :class:`Progress` after each that changes it.

        Returns:
            A function that ends the subscription.
        """
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def start(self) -> None:
        """Run what is left and return when it is done, or has been stopped. Called again, it resumes.

        Raises:
            ConfigurationError, SuiteError, RecordError, ModelError: see :func:`agent.evaluation.parallel.run_all`;
                what was done is kept, and the state is ``failed``.
            RuntimeError: it is running.
        """
        if self._working is not None:
            raise RuntimeError("the run is running")
        self._loop = asyncio.get_running_loop()
        self._since, self._fresh, self._message = monotonic(), 0, ""
        self._done.clear()
        self._working = asyncio.ensure_future(run_all(self._jobs, self._workers, self._told, scheduler=self._scheduler))
        self._enter("running")
        try:
            await self._working
        except asyncio.CancelledError:
            asked = self._state == "stopping"
            self._end("stopped")
            if not asked:
                raise
        except Exception as error:
            self._end("failed", error.message if isinstance(error, ModelError) else str(error))
            raise
        else:
            self._end("done")

    def stop(self) -> None:
        """Stop soon, in the middle of a task if need be; from any thread. The task is run again by the next start."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if self._working is not None and self._state == "running":
            self._enter("stopping")
            self._working.cancel()

    def _told(self, event: RunEvent) -> None:
        self._tell(event)
        if isinstance(event, SessionStarted):
            self._done[event.key, event.suite, event.repeat] = event.done
        elif isinstance(event, TaskFinished):
            self._done[event.record.key, event.record.suite, event.record.repeat] += 1
            self._fresh += 1
            self._worked = monotonic() - self._since
        else:
            return
        self._tell(self.progress)

    def _end(self, state: RunState, message: str = "") -> None:
        self._seconds = monotonic() - self._since
        self._working, self._message = None, message
        self._enter(state)

    def _enter(self, state: RunState) -> None:
        self._state = state
        self._tell(self.progress)

    def _tell(self, event: RunEvent | Progress) -> None:
        for listener in tuple(self._listeners):
            listener(event)
