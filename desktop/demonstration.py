"""The main job without a display: the same window, offscreen, with real requests to the local model."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path

import typer
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from agent.evaluation.suites import Suite, load_suite
from agent.events import AgentEvent, ApprovalRequested, ProposalMade
from desktop.application import create_application, open_window, start_log
from desktop.commands.event_printer import print_event
from desktop.scorebook import ScoredRequest
from desktop.window import MainWindow
from model.errors import DesignError
from model.storage import open_workspace
from model.vlnv import Vlnv

PICTURES = Path("out") / "demonstration"
SIZE = (1600, 1000)
SETTLE_MS = 600  # blocks move to their places for a moment
PATIENCE_MS = 15_000
START = Vlnv("blockwright.org", "soc", "tiny_soc", "1.0")


@dataclass(frozen=True)
class _Shown:
    """One request of the demonstration and the picture taken after it."""

    scored: ScoredRequest
    picture: Path


def demonstrate(model_name: str | None) -> int:
    """Open the bundled example offscreen, make the three requests of ``demonstration.yaml``, and print a summary.

    Returns:
        The exit status: 0, or 3 where there is no model to ask.
    """
    started = time.perf_counter()
    application = _offscreen()
    with (
        tempfile.TemporaryDirectory(prefix="blockwright-") as folder,
        as_file(files("resources") / "examples") as examples,
    ):
        # A copy: a demonstration must not change the example that the user edits.
        copy = Path(shutil.copytree(examples / "tiny_soc", Path(folder) / "tiny_soc"))
        window = _open(copy, model_name)
        demonstration = _Demonstration(window, load_suite(examples / "demonstration.yaml"), application)
        window.document.show(START)
        _once_laid_out(window, partial(demonstration.begin, started))
        application.exec()
        window.shut_down()
    return demonstration.report()


def picture(target: Path) -> int:
    """Open a folder or file offscreen, take a picture of the window and say where it is.

    Returns:
        The exit status: 2 where the target cannot be opened.
    """
    application = _offscreen()
    try:
        window = _open(target, None)
    except DesignError as error:
        typer.echo(str(error), err=True)
        return 2

    def take() -> None:
        path = _grab(window, target.stem or "picture")
        typer.echo(f"There is no display. A picture of the window: {path.resolve()}")
        typer.echo('To edit without one: blockwright ask "REQUEST" --workspace FOLDER')
        application.exit()

    _once_laid_out(window, take)
    application.exec()
    window.shut_down()
    return 0


def _offscreen() -> QApplication:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    start_log()
    return create_application()


def _open(target: Path, model_name: str | None) -> MainWindow:
    window = open_window(open_workspace(target), model_name)
    window.resize(*SIZE)
    window.show()
    window.place_panels()
    return window


def _once_laid_out(window: MainWindow, action: Callable[[], None]) -> None:
    """Do something when the canvas has its blocks in place, or after :data:`PATIENCE_MS` all the same."""
    waiting = QTimer(window)
    waiting.setSingleShot(True)
    waiting.timeout.connect(action)
    window.view.layout_finished.connect(lambda: waiting.start(SETTLE_MS) if waiting.isActive() else None)
    waiting.start(PATIENCE_MS)


def _grab(window: MainWindow, name: str) -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    window.view.fit()
    path = PICTURES / f"{name}.png"
    window.grab().save(str(path))
    return path


class _Demonstration(QObject):
    """Types one request after the other into the chat and takes a picture after each.

    It ends the event loop without closing the window, which would ask about the unsaved edits.
    """

    def __init__(self, window: MainWindow, suite: Suite, application: QApplication) -> None:
        super().__init__(window)
        self._window = window
        self._suite = suite
        self._application = application
        self._next = 0
        self._shown: list[_Shown] = []
        window.bridge.happened.connect(self._tell)
        window.tasks.scored.connect(self._scored)

    def begin(self, started: float) -> None:
        """Take the first picture and make the first request."""
        picture = _grab(self._window, "0-start")
        typer.echo(f"The example is open after {time.perf_counter() - started:.1f} s: {picture}")
        typer.echo("The model starts; the very first time it also reads its instructions, which are then kept on disk.")
        self._ask_next()

    def _ask_next(self) -> None:
        if self._next == len(self._suite.tasks):
            self._application.exit()
            return
        task = self._suite.tasks[self._next]
        typer.echo(f"\n“{task.prompt.strip()}”")
        self._window.tasks.choose(self._suite, self._next)
        self._window.chat.prefill(task.prompt.strip())
        self._window.chat.send()

    def _tell(self, event: AgentEvent) -> None:
        print_event(event)
        if isinstance(event, ApprovalRequested):  # nobody is there to ask
            self._window.conversation.approve(event.request_id, event.index, False)
        elif isinstance(event, ProposalMade):
            self._window.conversation.decide(event.request_id, frozenset())

    def _scored(self, scored: ScoredRequest) -> None:
        typer.echo(scored.finished.answer)
        self._later(partial(self._finish_request, scored))

    def _finish_request(self, scored: ScoredRequest) -> None:
        task = self._suite.tasks[self._next]
        self._next += 1
        self._shown.append(_Shown(scored, _grab(self._window, f"{self._next}-{task.id}")))
        if scored.finished.outcome == "no-model":
            self._application.exit()
        else:
            self._ask_next()

    def _later(self, action: Callable[[], None]) -> None:
        QTimer.singleShot(SETTLE_MS, self, action)

    def report(self) -> int:
        """Print what was asked, what came of it and where the pictures are; return the exit status."""
        table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for title in ("Request", "Outcome", "Calls", "ECC", "EVCR", "TFR", "NCA", "s", "Tokens", "Picture"):
            right = title in {"Calls", "ECC", "EVCR", "TFR", "NCA", "s", "Tokens"}
            table.add_column(title, justify="right" if right else "left", no_wrap=title != "Request")
        for task, shown in zip(self._suite.tasks, self._shown, strict=False):
            finished, score = shown.scored.finished, shown.scored.score
            table.add_row(
                task.id,
                finished.outcome,
                str(shown.scored.calls),
                _figure(score.ecc if score else None),
                _figure(score.evcr if score else None),
                _figure(shown.scored.failure_rate),
                _figure(score.nca if score else None),
                f"{finished.seconds:.1f}",
                str(finished.usage.completion_tokens),
                str(shown.picture),
            )
        typer.echo("")
        Console(width=max(120, Console().width)).print(table)
        typer.echo(f"Model: {self._window.conversation.model_name or 'none'}. Pictures: {PICTURES.resolve()}")
        return 3 if any(shown.scored.finished.outcome == "no-model" for shown in self._shown) else 0


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
