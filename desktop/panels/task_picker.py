"""Choosing a suite's task: its request, and the calls that are expected."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QListWidget, QListWidgetItem, QSplitter, QVBoxLayout, QWidget

from agent.evaluation.suites import Suite, Task, bundled_suites, load_suite
from desktop.bridge import Bridge
from desktop.call_text import call_words
from desktop.panels.widgets import column, make_button, make_label, row


class TaskPicker(QDialog):
    """Lists the bundled suites' tasks.

    Signals:
        task_chosen: the :class:`Suite` and the task's index.
        setup_requested: the suite and the index whose starting design is wanted.
    """

    task_chosen = Signal(object, int)
    setup_requested = Signal(object, int)

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Pick a task")
        self.resize(760, 460)
        self._bridge = bridge
        self._suite: Suite | None = None
        self.suites = QComboBox()
        self.suites.addItems(bundled_suites())
        self.tasks = QListWidget()
        self.tasks.setObjectName("Tasks")
        self.tasks.setWordWrap(False)
        self.tasks.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.prompt = make_label("", wrap=True, selectable=True)
        self.expected = make_label("", "mono", wrap=True, selectable=True)
        self.set_up = make_button("Set up the design", tip="Put the design that the task starts from into the library")
        self.use = make_button("Use this task", "primary")
        self.use.setDefault(True)
        cancel = make_button("Cancel")
        details = QWidget()
        details.setLayout(
            column(
                make_label("Request", "heading"),
                self.prompt,
                make_label("Expected calls", "heading"),
                self.expected,
                None,
                spacing=8,
                margins=(16, 4, 4, 4),
            )
        )
        split = QSplitter()
        split.setHandleWidth(1)
        split.addWidget(self.tasks)
        split.addWidget(details)
        split.setSizes([340, 420])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addLayout(row(make_label("Suite", "muted"), self.suites, None))
        layout.addWidget(split, 1)
        layout.addLayout(row(self.set_up, None, cancel, self.use))
        self.suites.currentTextChanged.connect(self._load)
        self.tasks.currentRowChanged.connect(self._show_task)
        self.tasks.itemDoubleClicked.connect(lambda _item: self._choose())
        self.use.clicked.connect(self._choose)
        self.set_up.clicked.connect(lambda: self._emit(self.setup_requested.emit))
        cancel.clicked.connect(self.reject)
        self._show_task(-1)
        if self.suites.count():
            self._load(self.suites.currentText())
        else:
            self.prompt.setText("No suites are installed.")

    def _load(self, name: str) -> None:
        self._bridge.run_blocking(lambda: load_suite(name), self._fill, lambda error: self.prompt.setText(str(error)))

    def _fill(self, suite: Suite) -> None:
        self._suite = suite
        self.tasks.clear()
        for task in suite.tasks:
            item = QListWidgetItem(f"{task.id}   {task.prompt}")
            item.setToolTip(task.prompt)
            self.tasks.addItem(item)
        self.tasks.setCurrentRow(0)
        self.tasks.setFocus()

    def _task(self) -> Task | None:
        position = self.tasks.currentRow()
        return self._suite.tasks[position] if self._suite is not None and position >= 0 else None

    def _show_task(self, _position: int) -> None:
        task = self._task()
        self.use.setEnabled(task is not None)
        self.set_up.setEnabled(task is not None)
        if task is None:
            self.prompt.setText("")
            self.expected.setText("")
            return
        self.prompt.setText(task.prompt)
        calls = "\n".join(f"{call.tool}  {call_words(call.tool, call.args)}" for call in task.expected)
        self.expected.setText(calls or f"No call. {task.reason}")

    def _emit(self, signal: Callable[[Suite, int], None]) -> None:
        if self._suite is not None and self.tasks.currentRow() >= 0:
            signal(self._suite, self.tasks.currentRow())

    def _choose(self) -> None:
        self._emit(self.task_chosen.emit)
        self.accept()
