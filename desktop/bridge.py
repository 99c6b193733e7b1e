"""The one asyncio loop, in one worker thread, and the way back from it into Qt's thread."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from agent.events import AgentEvent
from desktop.deliveries import Deliveries, Delivery
from model.change import Change
from model.workspace import Workspace

T = TypeVar("T")
Failed = Callable[[Exception], None]

_log = logging.getLogger(__name__)

_TURN_SECONDS = 0.001
"""How long Qt's thread and the loop's may keep each other from running Python; Python's own 5 ms is longer than a call
of a tool takes."""

_FRAME_SECONDS = 1 / 60
_LONGEST_PAUSE_SECONDS = 0.2


class Bridge(QObject):
    """Runs coroutines and slow functions away from Qt's thread and delivers what comes of them there, in order.

    Signals:
        changed: a :class:`Change` of the watched workspace and the :class:`Library` that it led to.
        happened: an :class:`AgentEvent`.
        failed: an exception that no caller asked to be told of.
    """

    changed = Signal(object, object)
    happened = Signal(object)
    failed = Signal(object)
    _posted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = True
        self._unsubscribe: Callable[[], None] | None = None
        self._deliveries = Deliveries()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._deliver)
        # Always queued, also from Qt's own thread: an edit by hand must not overtake an agent's that is on its way.
        self._posted.connect(self._deliver_unless_pausing, Qt.ConnectionType.QueuedConnection)
        sys.setswitchinterval(_TURN_SECONDS)
        self._roots: set[asyncio.Task[Any]] = set()  # touched on the loop's thread alone
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="blockwright-async", daemon=True)
        self._thread.start()

    @property
    def closed(self) -> bool:
        """Whether nothing is delivered any more; long work should end."""
        return not self._open

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def _deliver_unless_pausing(self) -> None:
        if not self._pause.isActive():
            self._deliver()
            return
        while self._open and (delivery := self._deliveries.take(only_callback=True)) is not None:
            self._run(delivery)

    def _deliver(self) -> None:
        """Deliver what waits, in order, up to the next change; then pause, so that the window comes to its own events.

        A callback may open a dialog, whose event loop delivers what follows from inside of here.
        """
        until = time.perf_counter() + _FRAME_SECONDS
        pause = 0.0
        try:
            while self._open and time.perf_counter() < until:
                delivery = self._deliveries.take()
                if delivery is None:
                    return
                spent = self._run(delivery)
                if delivery.callback is None:
                    # Three times as long as it took: most of the time is the user's, and the calls'.
                    pause = max(_FRAME_SECONDS, min(3 * spent, _LONGEST_PAUSE_SECONDS))
                    return
        finally:
            if pause or self._deliveries:
                self._pause.start(round(1000 * pause))

    def _run(self, delivery: Delivery) -> float:
        began = time.perf_counter()
        if delivery.callback is not None:
            delivery.callback()
        else:
            self.changed.emit(delivery.change, delivery.library)
        spent = time.perf_counter() - began
        self._deliveries.learn(delivery, spent)
        return spent

    def post(self, callback: Callable[[], None]) -> None:
        """Run ``callback`` in Qt's thread, after everything posted before; from any thread."""
        if self._open:
            self._deliveries.add(callback)
            self._posted.emit()

    def watch(self, workspace: Workspace) -> None:
        """Turn the changes of ``workspace``, and of no other, into ``changed``.

        Changes that come faster than the window can show them arrive merged, each with the library that it led to,
        not faster than frames, and never so many at once that the window stands still.
        """
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._deliveries.forget_changes()

        def listen(change: Change) -> None:  # the workspace's lock is held: the library is the one of this change
            if self._open and self._deliveries.add_change(change, workspace.library):
                self._posted.emit()

        self._unsubscribe = workspace.subscribe(listen)

    def emit_event(self, event: AgentEvent) -> None:
        """Deliver an agent's event as ``happened``; from any thread."""
        self.post(partial(self.happened.emit, event))

    def run(
        self, work: Coroutine[Any, Any, T], done: Callable[[T], None] | None = None, failed: Failed | None = None
    ) -> Future[T]:
        """Run a coroutine on the loop; ``done`` or ``failed`` is called in Qt's thread. Not run once closed."""
        if not self._open:
            work.close()
            never: Future[T] = Future()
            never.cancel()
            return never
        future = asyncio.run_coroutine_threadsafe(self._as_root(work), self._loop)
        future.add_done_callback(lambda finished: self._report(finished, done, failed))
        return future

    async def _as_root(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        if task is not None:
            self._roots.add(task)
            task.add_done_callback(self._roots.discard)
        return await work

    def run_blocking(
        self, function: Callable[[], T], done: Callable[[T], None] | None = None, failed: Failed | None = None
    ) -> Future[T]:
        """Run a slow function (files, big checks) on a thread of its own; results as in :meth:`run`."""
        return self.run(asyncio.to_thread(function), done, failed)

    def _report(self, finished: Future[T], done: Callable[[T], None] | None, failed: Failed | None) -> None:
        if finished.cancelled():
            return
        error = finished.exception()
        if error is None:
            if done is not None:
                self.post(partial(done, finished.result()))
        elif isinstance(error, Exception):
            self.post(partial(failed or self._unexpected, error))

    def _unexpected(self, error: Exception) -> None:
        _log.error("A background task failed.", exc_info=error)
        self.failed.emit(error)

    def close(self, last: Callable[[], Coroutine[Any, Any, None]] | None = None, seconds: float = 5.0) -> None:
        """Run ``last``, cancel whatever still runs and end the thread; nothing is delivered any more."""
        if not self._open:
            return
        self._open = False
        if self._unsubscribe is not None:
            self._unsubscribe()
        try:
            asyncio.run_coroutine_threadsafe(self._wind_up(last), self._loop).result(seconds)
        except TimeoutError:
            _log.warning("Background work did not end within %s s.", seconds)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(seconds)
        if not self._thread.is_alive():
            self._loop.close()

    async def _wind_up(self, last: Callable[[], Coroutine[Any, Any, None]] | None) -> None:
        if last is not None:
            await last()
        # Only what was started here: a library's own tasks end with these, and one of theirs that is cancelled before
        # its first step would never await what it was made for.
        roots = tuple(self._roots)
        for task in roots:
            task.cancel()
        await asyncio.gather(*roots, return_exceptions=True)
        await self._loop.shutdown_asyncgens()
        await self._loop.shutdown_default_executor()
