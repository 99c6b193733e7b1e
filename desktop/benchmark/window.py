"""The benchmark's window: the form, the run with its heat map, and the logs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox

from agent.evaluation.configuration import ConfigurationError
from agent.evaluation.events import RunEvent, TaskFinished
from agent.evaluation.parallel import Job
from agent.evaluation.run import Progress
from agent.evaluation.run_folder import RecordError
from agent.evaluation.suites import SuiteError
from agent.models.catalog import default_model_name, list_models
from desktop.benchmark.board import Board, Row
from desktop.benchmark.control import RunControl
from desktop.benchmark.frame import BenchmarkFrame
from desktop.benchmark.logs import Logs, open_logs, stamp
from desktop.benchmark.plans import describe
from desktop.benchmark.texts import status_words

_FOLLOW_MS = 2000


class BenchmarkWindow(BenchmarkFrame):
    """One run, or the logs of several.

    Attributes:
        control: starts and stops.
        board: what is shown.

    Signals:
        closed: the window is gone for good.
    """

    RUN, TASKS = 0, 1  # the pages
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.control = RunControl(self.bridge, self)
        self.board = Board()
        self._logs: Logs | None = None
        self._planned = True  # the board shows all that there is to do
        self._jobs: tuple[Job, ...] = ()
        self._stamp: object = None
        self._shown_once = False
        self._closing = False
        self._connect()
        self._follow = QTimer(self)
        self._follow.setInterval(_FOLLOW_MS)
        self._follow.timeout.connect(self.follow)
        self.show_form(True)
        self._refresh()

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self.show_page)
        self.configure.toggled.connect(self.show_form)
        self.open.clicked.connect(self._choose)
        self.new.clicked.connect(self.prepare)
        self.start.clicked.connect(self.begin)
        self.stop.clicked.connect(self.control.stop)
        self.heat.map.cell_opened.connect(self.open_task)
        self.control.happened.connect(self._on_event)
        self.control.progressed.connect(self._on_progress)
        self.control.failed.connect(lambda text: self.say(text, "error"))
        self.bridge.failed.connect(lambda error: self.say(f"{error}", "error"))
        for keys, action in (
            ("Ctrl+O", self._choose),
            ("Ctrl+N", self.prepare),
            ("F5", self.begin),
            ("Shift+F5", self.control.stop),
            ("Ctrl+1", partial(self.show_page, self.RUN)),
            ("Ctrl+2", partial(self.show_page, self.TASKS)),
            ("Ctrl+Shift+L", self.theme.toggle),
            ("Ctrl+W", self.close),
        ):
            QShortcut(QKeySequence(keys), self, action)

    def showEvent(self, event: QShowEvent) -> None:
        """Look for models when the window is first seen."""
        super().showEvent(event)
        if not self._shown_once:
            self._shown_once = True
            self.bridge.run(list_models(), self.form.set_models)
            self.bridge.run(default_model_name(), self.form.set_default_model)

    # --- pages ---

    def show_page(self, page: int) -> None:
        """Show the run (0) or its tasks (1)."""
        self.tabs.setCurrentIndex(page)
        self.pages.setCurrentIndex(page)
        self.configure.setVisible(page == self.RUN)
        if page == self.TASKS:
            self.viewer.refresh()

    def open_task(self, chosen: Row, task: str) -> None:
        """Show everything about a task."""
        if task not in chosen.records:
            self.say("This task has not been done yet.")
            return
        self.show_page(self.TASKS)
        self.viewer.open_task(chosen, task)

    # --- logs ---

    def _choose(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, "Open a benchmark run, or a folder of several", str(Path.home())
        )
        if chosen:
            self.open_path(Path(chosen))

    def open_path(self, path: Path, *, page: int = RUN) -> None:
        """Open a run's folder, a folder with several runs below it, or an archive of them."""
        if self.control.busy:
            self.say("A run is going on in this window. Stop it first.", "warning")
            return
        self.name.set_full_text(f"opening {path}…")
        self.bridge.run_blocking(partial(open_logs, path), partial(self._opened, page), self._not_opened)

    def _opened(self, page: int, logs: Logs) -> None:
        self._logs = logs
        self._planned = logs.planned
        self._stamp = logs.stamp
        self._jobs = logs.jobs
        self._take_board(logs.board)
        if len(logs.jobs) == 1 and not logs.read_only:
            self.form.show_plan(*logs.jobs[0])
        self.show_form(False)
        self.name.set_full_text(f"{describe([plan for plan, _folder in logs.jobs])} · {logs.path}")
        for problem in logs.board.problems:
            self.say(problem, "warning")
        self.show_page(page)
        self._follow.start()
        self._refresh()

    def _not_opened(self, error: Exception) -> None:
        self.name.set_full_text("no run yet" if self._logs is None else str(self._logs.path))
        known = isinstance(error, RecordError | SuiteError | OSError)
        self.say(str(error) if known else f"It cannot be opened ({type(error).__name__}: {error}).", "error")

    def _take_board(self, board: Board) -> None:
        self.board = board
        self.show_rows(bool(board.rows))
        self.heat.show_board(board)
        self.fit_heat()
        self.figures.show(board)
        self.viewer.show_board(board)

    def follow(self) -> None:
        """Look whether another process has gone on with the run that is shown."""
        logs = self._logs
        if logs is None or logs.read_only or self.control.busy:
            return
        self.bridge.run_blocking(partial(stamp, logs.path), self._compare_stamp)

    def _compare_stamp(self, found: object) -> None:
        logs = self._logs
        if logs is None or found == self._stamp or self.control.busy:
            return
        self._stamp = found
        self.bridge.run_blocking(partial(open_logs, logs.path), self._reread)

    def _reread(self, logs: Logs) -> None:
        if self._logs is None or logs.path != self._logs.path or self.control.busy:
            return
        self._logs = logs
        chosen = self.viewer.chosen
        self._take_board(logs.board)
        if chosen is not None and chosen[0].id in logs.board:
            self.viewer.open_task(logs.board[chosen[0].id], chosen[1])
        self._refresh()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """A folder or archive of logs may be dropped."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.open_path(paths[0], page=self.TASKS)

    # --- the run ---

    def prepare(self) -> None:
        """Prepare another run."""
        if self.control.busy:
            self.say("A run is going on in this window. Stop it first.", "warning")
            return
        self._logs, self._jobs, self._planned = None, (), True
        self._follow.stop()
        self.form.forget_run()
        self.live.hide()
        self._take_board(Board())
        self.name.set_full_text("a new run")
        self.show_page(self.RUN)
        self.show_form(True)
        self._refresh()

    def begin(self) -> None:
        """Start what the form says, or go on with it."""
        if self.control.busy:
            return
        if len(self._jobs) > 1:  # a sweep has no form: all its runs go on
            self._start(self._jobs)
            return
        try:
            plan, folder = self.form.plan()
        except ConfigurationError as error:
            self.show_page(self.RUN)
            self.show_form(True)
            self.form.complain(str(error))
            return
        self._start(((plan, folder),))

    def _start(self, jobs: Sequence[Job]) -> None:
        self._jobs = tuple(jobs)
        self._planned = True
        self._follow.stop()
        self.start.setEnabled(False)
        self.bridge.run_blocking(partial(Board.of_jobs, self._jobs), self._go, self._cannot_go)

    def _go(self, board: Board) -> None:
        self._take_board(board)
        self.name.set_full_text(f"{describe([plan for plan, _ in self._jobs])} · {self._jobs[0][1]}")
        self.show_form(False)
        self.show_page(self.RUN)
        self.live.show()
        self.control.start(self._jobs, self.form.workers.value())

    def _cannot_go(self, error: Exception) -> None:
        self._refresh()
        self.show_page(self.RUN)
        self.show_form(True)
        self.form.complain(str(error))

    def _on_event(self, event: RunEvent) -> None:
        changed = self.board.take(event)
        if changed is not None:
            self.heat.row_changed(changed)
        self.live.handle(event)
        if isinstance(event, TaskFinished):
            self.figures.refresh()
            if self.pages.currentIndex() == self.TASKS:
                self.viewer.refresh()

    def _on_progress(self, progress: Progress) -> None:
        if progress.state in {"stopped", "done", "failed"}:
            self.board.rest()
            self.live.rest()
            self.heat.repaint_all()
            if self._closing:
                self.close()
                return
            if progress.state == "done":
                self.say(f"All {progress.total} tasks are done.")
        self._refresh()

    def _refresh(self) -> None:
        progress = self.control.progress
        busy = self.control.busy
        done = sum(len(each.records) for each in self.board.rows)
        total = sum(len(each.tasks) for each in self.board.rows)
        read_only = self._logs is not None and self._logs.read_only
        self.start.setText("Resume" if done and not busy else "Start")
        finished = bool(total) and done == total and self._planned
        self.start.setEnabled(not busy and not read_only and not finished)
        self.stop.setEnabled(busy and progress.state != "stopping")
        self.new.setEnabled(not busy)
        self.open.setEnabled(not busy)
        self.form.setEnabled(not busy)
        self.bar.set_share(done / total if total else 0.0, running=busy)
        self.status.setText(status_words(progress, busy, done, total, read_only))

    # --- the end ---

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask before a run is ended; it can be resumed."""
        if self.control.busy and not self._closing:
            event.ignore()
            if self._may_stop():
                self._closing = True
                self.control.stop()
            return
        if self.control.busy:
            event.ignore()  # it closes by itself when the run has stopped
            return
        self.hide()
        self.shut_down()
        super().closeEvent(event)
        self.closed.emit()

    def _may_stop(self) -> bool:
        box = QMessageBox(self)
        box.setWindowTitle("A run is going on")
        box.setText("Stop the run and close the window?")
        box.setInformativeText(
            f"What was done is kept in {self._jobs[0][1] if self._jobs else 'its folder'}. "
            "Opening the folder and pressing Resume goes on from there."
        )
        stop = box.addButton("Stop and close", QMessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton("Keep running", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.exec()
        return box.clickedButton() is stop

    def shut_down(self) -> None:
        """End the background work; the window is of no use afterwards."""
        self._follow.stop()
        self.bridge.close()
