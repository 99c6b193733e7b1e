"""Opens folders and files in the background: which components there are first, what stands in them after that."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop.bridge import Bridge
from model.findings import Finding
from model.storage import Opened, Stage, open_heads

_FIRST_S = 0.2  # what is done sooner needs no bar
_BETWEEN_S = 0.05  # reports that come faster than anybody sees them would only keep Qt's thread busy


class OpeningStopped(Exception):
    """The user wanted no more of it."""


class _Run:
    """One folder that is being opened."""

    def __init__(self, bridge: Bridge, show: Callable[[_Run, Stage, int, int], None]) -> None:
        self.stopped = threading.Event()
        self.reached = (0, 0)
        self._bridge = bridge
        self._show = show
        self._next = time.monotonic() + _FIRST_S

    def told(self, stage: Stage, count: int, total: int) -> None:
        """Called on the thread that reads, for each file."""
        self.reached = (count, total)
        if self.stopped.is_set() or self._bridge.closed:
            raise OpeningStopped
        now = time.monotonic()
        if now > self._next:
            self._next = now + _BETWEEN_S
            self._bridge.post(partial(self._show, self, stage, count, total))


class Opener(QObject):
    """Opens one thing at a time; a second one takes the place of the first.

    Signals:
        progressed: the :data:`Stage`, how much is done, how much there is.
        ended: nothing is under way any more.
    """

    progressed = Signal(str, int, int)
    ended = Signal()

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._run: _Run | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is being opened or read."""
        return self._run is not None

    def open(self, path: Path, done: Callable[[Opened], None], failed: Callable[[Exception], None]) -> None:
        """Open a folder or file; ``failed`` gets :class:`OpeningStopped` where it is stopped."""
        self.stop()
        run = self._run = _Run(self._bridge, self._show)

        def opened(result: Opened) -> None:
            if run.stopped.is_set():  # too late for the thread, not for the user
                self._failed(run, failed, OpeningStopped())
            elif run is self._run:
                self._end()
                done(result)

        self._bridge.run_blocking(partial(open_heads, path, run.told), opened, partial(self._failed, run, failed))

    def read(
        self,
        opened: Opened,
        done: Callable[[tuple[Finding, ...]], None],
        stopped: Callable[[int, int], None],
    ) -> None:
        """Read what :func:`open_heads` left unread.

        Args:
            done: gets what was found.
            stopped: gets how many components were read, and of how many.
        """
        bodies = opened.bodies
        if bodies is None:
            done(())
            return
        self.stop()
        run = self._run = _Run(self._bridge, self._show)

        def read(found: tuple[Finding, ...]) -> None:
            if run is self._run:
                self._end()
                done(found)

        def failed(error: Exception) -> None:
            if isinstance(error, OpeningStopped):
                stopped(*run.reached)
            else:
                self._bridge.failed.emit(error)

        self._bridge.run_blocking(partial(bodies.read, run.told), read, partial(self._failed, run, failed))

    def stop(self) -> None:
        """End what is under way; a workspace that is open by then stays open."""
        if self._run is not None:
            self._run.stopped.set()

    def _show(self, run: _Run, stage: Stage, count: int, total: int) -> None:
        if run is self._run and not run.stopped.is_set():
            self.progressed.emit(stage, count, total)

    def _failed(self, run: _Run, failed: Callable[[Exception], None], error: Exception) -> None:
        if run is self._run:  # else something else is being opened by now
            self._end()
            failed(error)

    def _end(self) -> None:
        self._run = None
        self.ended.emit()
