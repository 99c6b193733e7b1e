from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop import first_picture
from desktop.canvas.view import DesignView
from desktop.first_picture import FirstPicture
from desktop.window import MainWindow
from model.storage import Opened
from model.workspace import Workspace


class Paintings(QObject):
    """Counts how often a canvas is painted with its design."""

    def __init__(self, view: DesignView) -> None:
        super().__init__()
        self.complete = 0
        self._view = view
        view.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.complete += event.type() == QEvent.Type.Paint and self._view.layout_is_there
        return False


@pytest.fixture
def unshown(application: QApplication, workspace: Workspace) -> Iterator[MainWindow]:
    made = MainWindow(Opened(workspace, (), None))
    yield made
    made.shut_down()
    made.deleteLater()


def test_programs_start_after_the_design_was_painted(
    unshown: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_picture, "_LONGEST_MS", 60_000)
    paintings = Paintings(unshown.view)
    started: list[int] = []
    monkeypatch.setattr(unshown.conversation, "start", lambda: started.append(paintings.complete))
    unshown.show()
    assert not started
    qtbot.waitUntil(lambda: bool(started), timeout=20_000)
    assert started[0] >= 1


def test_a_window_without_a_picture_starts_them_too(
    application: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_picture, "_LONGEST_MS", 60_000)
    window = MainWindow(Opened(Workspace(), (), None))
    window.show()
    first = window.findChild(FirstPicture)
    with qtbot.waitSignal(first.painted, timeout=20_000):
        pass
    window.shut_down()
    window.deleteLater()


def test_it_does_not_wait_for_a_window_that_is_not_painted(unshown: MainWindow, qtbot: QtBot) -> None:
    first = FirstPicture(unshown, unshown.view)
    with qtbot.waitSignal(first.painted, timeout=20_000):
        pass
