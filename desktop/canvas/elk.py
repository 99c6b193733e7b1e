"""ELK's layered layout: elkjs in a V8 isolate, on a worker thread, with a hard time limit."""

from __future__ import annotations

import atexit
import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from py_mini_racer import MiniRacer

TIME_LIMIT_S = 20.0

# elkjs expects a browser. Timers run at once: the whole layout is one eval, which its time limit really stops.
_SHIMS = """
var window = globalThis, self = globalThis, global = globalThis;
globalThis.setTimeout = function (f) { f.apply(null, Array.prototype.slice.call(arguments, 2)); return 0; };
globalThis.clearTimeout = function () {};
"""
_ENTRY = """
var elk = new ELK(), answer = null;
function start(text) {
  answer = null;
  elk.layout(JSON.parse(text)).then(
    function (graph) { answer = JSON.stringify({graph: graph}); },
    function (error) { answer = JSON.stringify({error: String(error && error.message || error)}); });
}
"""
_SMALLEST = """{"id": "root", "layoutOptions": {"elk.algorithm": "layered"},
"children": [{"id": "a", "width": 9, "height": 9}, {"id": "b", "width": 9, "height": 9}],
"edges": [{"id": "ab", "sources": ["a"], "targets": ["b"]}]}"""


class LayoutError(Exception):
    """ELK could not lay the graph out; the text says why."""


class Elk:
    """One V8 isolate with elkjs in it. Use from one thread at a time; the first use takes about 0.5 s."""

    def __init__(self) -> None:
        self._engine: MiniRacer | None = None

    def load(self) -> MiniRacer:
        """Start the engine where it is not running yet."""
        if self._engine is None:
            from py_mini_racer import MiniRacer  # noqa: PLC0415  # on the worker thread, not with the window

            engine = MiniRacer()
            engine.eval(_SHIMS)
            engine.eval(files("resources").joinpath("vendor/elkjs/elk.bundled.js").read_text(encoding="utf-8"))
            engine.eval(_ENTRY)
            engine.eval(f"start({json.dumps(_SMALLEST)})")  # compiles what the first design needs
            self._engine = engine
            # At the interpreter's end the engine would wait for a thread that no longer runs: stop it before.
            atexit.register(self.close)
        return self._engine

    def close(self) -> None:
        """Stop the engine; the next use starts another."""
        engine, self._engine = self._engine, None
        if engine is not None:
            atexit.unregister(self.close)
            engine.close()

    def _discard(self) -> None:
        """Give up an isolate that was stopped: it may be in any state."""
        if self._engine is not None:
            self._engine.eval("0")  # comes after what was stopped: nothing may still report to an engine that is closed
        self.close()

    def layout(self, graph: dict[str, Any], time_limit_s: float = TIME_LIMIT_S) -> dict[str, Any]:
        """Return ``graph`` (ELK JSON) with positions and routes filled in.

        Raises:
            LayoutError: the graph is malformed, or the time limit was reached.
        """
        from py_mini_racer import JSEvalException  # noqa: PLC0415

        engine = self.load()
        try:
            engine.eval(f"start({json.dumps(json.dumps(graph))})", timeout_sec=time_limit_s)
            text = engine.eval("answer")  # promises settle between two evals
        except JSEvalException as error:
            self._discard()
            raise LayoutError(f"The layout did not finish ({type(error).__name__}).") from error
        if not isinstance(text, str):
            raise LayoutError("The layout gave no answer.")
        answer: dict[str, Any] = json.loads(text)
        if "error" in answer:
            raise LayoutError(str(answer["error"]))
        result: dict[str, Any] = answer["graph"]
        return result


@lru_cache(maxsize=1)
def _shared() -> tuple[ThreadPoolExecutor, Elk]:
    """One thread and one isolate for all canvases: 30 MB and half a second once, not per view."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="layout"), Elk()


def warm_up() -> None:
    """Load elkjs in the background, so that the first layout does not wait for it."""
    executor, elk = _shared()
    executor.submit(elk.load)


class LayoutWorker(QObject):
    """Runs layout jobs off the Qt thread, in order, and reports by signals in the thread that owns this object."""

    finished = Signal(int, object)
    failed = Signal(int, str)

    def __init__(self) -> None:
        # No Qt parent: a running job holds a reference, so the object outlives a view that is closed meanwhile.
        super().__init__()
        self._ticket = 0
        self._pending: Future[object] | None = None

    def submit(self, job: Callable[[Elk], object]) -> int:
        """Queue ``job``; its result comes with :attr:`finished` under the ticket returned here.

        An earlier job of this worker that has not begun is dropped: only the latest answer is of use.
        """
        executor, elk = _shared()
        if self._pending is not None:
            self._pending.cancel()
        self._ticket += 1
        ticket = self._ticket

        def report(future: Future[object]) -> None:
            if future.cancelled():
                return
            error = future.exception()
            if error is None:
                self.finished.emit(ticket, future.result())
            else:
                self.failed.emit(ticket, str(error))

        self._pending = executor.submit(job, elk)
        self._pending.add_done_callback(report)
        return ticket
