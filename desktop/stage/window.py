"""The window of a demonstration: the usual one, on a suite's design in a folder of its own, with a caption."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QMainWindow, QVBoxLayout

from agent.evaluation.suites import Suite
from desktop.stage.caption import Caption
from desktop.stage.player import Player
from desktop.stage.states import Scene
from desktop.window import MainWindow
from model.storage import Opened
from model.workspace import Workspace


class StageWindow(MainWindow):
    """Nothing that happens here touches the user's own design: it is closed without questions.

    Attributes:
        player: plays the suite.
        caption: shows and steers it.

    Signals:
        closed: the window is gone for good.
    """

    closed = Signal()

    def __init__(self, suite: Suite, scenes: Sequence[Scene], model_name: str | None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="blockwright-stage-")
        library = scenes[0].before.library
        workspace = Workspace(folder=Path(self._folder.name), library=library)
        super().__init__(Opened(workspace, (), None), model_name)
        self.setWindowTitle(f"{suite.name} – Blockwright")
        self.conversation.set_approval("apply")  # nobody wants to be asked in front of an audience
        self.chat.set_approval("apply")
        self.player = Player(self, suite, scenes)
        self.caption = Caption(self.player, self.theme)
        self.caption.end.clicked.connect(self.close)
        centre = self.centralWidget()
        over_canvas = centre.layout() if centre is not None else None
        assert isinstance(over_canvas, QVBoxLayout)
        over_canvas.insertWidget(0, self.caption)
        for keys, action in (("Space", self.caption.pause.toggle), ("Right", self.player.go_on)):
            shortcut = QShortcut(QKeySequence(keys), self.caption, action)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self._started = True  # no settings, no journal, no server for others: the first window has those
        self._begun = False

    def showEvent(self, event: QShowEvent) -> None:
        """Place the panels and start the model; the first task begins when it is ready."""
        QMainWindow.showEvent(self, event)
        if not self._begun:
            self._begun = True
            for name in ("Inspector", "Checks and lists"):  # the room is for the picture
                self._docks[name].hide()
            self.place_panels()
            self.caption.next.setFocus()
            self.conversation.readiness_changed.connect(self._on_readiness)
            self.conversation.start()

    def _on_readiness(self, state: str, words: str) -> None:
        if self.player.step != "ready":
            return
        if state == "starting":
            self.caption.outcome.setText("the model starts…")
        else:  # without a model, the first request says what to do
            self.player.begin()

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the demonstration."""
        self.player.stop()
        self.hide()
        self.shut_down()
        self._folder.cleanup()
        QMainWindow.closeEvent(self, event)
        self.closed.emit()
