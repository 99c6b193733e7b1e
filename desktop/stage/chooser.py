"""Which suite to play, which of its tasks, and how fast."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QLineEdit, QVBoxLayout, QWidget

from agent.evaluation.configuration import ConfigurationError
from agent.evaluation.runner import parse_tasks
from agent.evaluation.suites import Suite, bundled_suites, load_suite
from desktop.bridge import Bridge
from desktop.panels.widgets import make_button, make_label, row
from desktop.stage.states import Scene, scenes_of


class StageDialog(QDialog):
    """Asks, prepares the scenes, and hands them over.

    Signals:
        chosen: the :class:`Suite` and its scenes.
    """

    chosen = Signal(object, object)

    def __init__(self, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Demonstrate a suite")
        self.setMinimumWidth(440)
        self._bridge = bridge
        self.suites = QComboBox()
        self.suites.setAccessibleName("Suite")
        for name in bundled_suites():
            self.suites.addItem(name, name)
        self.file = make_button("A suite's file…", "link")
        self.tasks = QLineEdit("1-10")
        self.tasks.setAccessibleName("Tasks")
        self.tasks.setPlaceholderText("all, or positions such as 1-10")
        self.error = make_label("", "danger", wrap=True)
        self.error.hide()
        self.play = make_button("Play", "primary")
        self.play.setDefault(True)
        cancel = make_button("Cancel")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(
            make_label(
                "The tasks are typed and carried out by the agent one by one, in a window of their own; your design "
                "is not touched. Each one begins with the design as it should be, and is scored at once.",
                "muted",
                wrap=True,
            )
        )
        layout.addLayout(row(make_label("Suite", "muted"), self.suites, self.file, None))
        layout.addLayout(row(make_label("Tasks", "muted"), self.tasks, None))
        layout.addWidget(self.error)
        layout.addLayout(row(None, cancel, self.play))
        self.file.clicked.connect(self._choose_file)
        self.play.clicked.connect(self._prepare)
        cancel.clicked.connect(self.reject)
        self._gone = False
        self.finished.connect(self._leave)

    def _leave(self) -> None:
        self._gone = True  # what is being prepared is wanted no more

    def _choose_file(self) -> None:
        path, _filter = QFileDialog.getOpenFileName(self, "Choose a suite", str(Path.home()), "Suites (*.yaml *.yml)")
        if path:
            self.suites.addItem(Path(path).name, path)
            self.suites.setCurrentIndex(self.suites.count() - 1)

    def _prepare(self) -> None:
        text = self.tasks.text().strip()
        try:
            wanted = parse_tasks(text) if text else None
        except ConfigurationError as error:
            self._complain(str(error))
            return
        source = self.suites.currentData()
        self.play.setEnabled(False)
        self.play.setText("Preparing…")

        def replay(suite: Suite) -> None:
            self._bridge.run(scenes_of(suite), lambda scenes: self._take(suite, scenes, wanted), self._fail)

        load: Callable[[], Suite] = lambda: load_suite(source)  # noqa: E731
        self._bridge.run_blocking(load, replay, self._fail)

    def _take(self, suite: Suite, scenes: list[Scene], wanted: frozenset[int] | None) -> None:
        if self._gone:
            return
        chosen = [scene for scene in scenes if wanted is None or scene.position + 1 in wanted]
        if not chosen:
            self._complain(f"The suite {suite.name} has just {len(suite.tasks)} tasks: choose among those.")
            return
        self.accept()
        self.chosen.emit(suite, chosen)

    def _fail(self, error: Exception) -> None:
        if not self._gone:
            self._complain(str(error))

    def _complain(self, text: str) -> None:
        self.error.setText(text)
        self.error.show()
        self.play.setEnabled(True)
        self.play.setText("Play")
