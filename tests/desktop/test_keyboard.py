"""Problems, history and the palette without a mouse, and the empty state that teaches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.panels.forms import FormDialog
from desktop.window import MainWindow
from model import operations
from model.storage import Opened
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP = Vlnv.parse("acme:soc:top:1.0")


def test_a_problem_is_reached_and_shown_by_keys_alone(window: MainWindow, qtbot: QtBot) -> None:
    window.document.apply(
        operations.add_subcomponent, component=str(TOP), subcomponent="acme:periph:uart:1.0", instance_name="u_two"
    )
    window.actions_["check"].trigger()
    table = window.bottom.problems
    qtbot.waitUntil(lambda: any("u_two" in row.cells[1] for row in table.rows.rows), timeout=10_000)
    assert table.hasFocus()
    qtbot.keyClick(table, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    for _ in range(table.model().rowCount()):
        if "u_two" in str(table.model().index(table.currentIndex().row(), 1).data()):
            break
        qtbot.keyClick(table, Qt.Key.Key_Down)
    with qtbot.waitSignal(window.bottom.reveal_requested):
        qtbot.keyClick(table, Qt.Key.Key_Return)


def test_the_history_jumps_by_keys_alone(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    before = workspace.library
    for name in ("a", "b"):
        window.document.apply(operations.add_signal_port, component=str(TOP), name=name, direction="in")
    window.actions_["history"].trigger()
    table = window.bottom.history
    assert table.hasFocus()
    assert table.currentIndex().row() == 0
    qtbot.keyClick(table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert workspace.library is before


def test_the_palette_is_left_by_keys_and_gives_the_keyboard_back(window: MainWindow, qtbot: QtBot) -> None:
    window.chat.field.setFocus()
    window.actions_["palette"].trigger()
    field, first = window.palette_.field, window.palette_.list.currentRow()
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert window.palette_.list.currentRow() == first + 1
    qtbot.keyClick(field, Qt.Key.Key_Up)
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert window.palette_.list.currentRow() == window.palette_.list.count() - 1
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not window.palette_.isVisible()
    assert window.chat.field.hasFocus()


@pytest.fixture
def empty(application: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """A window on an empty folder."""
    shown = MainWindow(Opened(Workspace(folder=tmp_path), (), None))
    with qtbot.waitExposed(shown):
        shown.show()
    yield shown
    shown.shut_down()
    shown.deleteLater()


def test_an_empty_folder_teaches_three_steps(empty: MainWindow, qtbot: QtBot) -> None:
    assert empty.welcome.isVisible()

    def fill() -> None:
        form = empty.findChild(FormDialog)
        assert isinstance(form, FormDialog)
        for name, text in (("vendor", "acme"), ("library", "periph"), ("name", "pwm")):
            qtbot.keyClicks(form.inputs[name], text)
        qtbot.mouseClick(form.accept_button, Qt.MouseButton.LeftButton)
        form.reject()

    QTimer.singleShot(0, fill)
    button = empty.welcome.buttons["new-component"]
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.waitUntil(empty.view.isVisible)
    assert not empty.welcome.isVisible()
    assert str(empty.document.component) == "acme:periph:pwm:1.0"
    empty.document.undo()
    qtbot.waitUntil(empty.welcome.isVisible)


def test_the_example_is_one_button_away(empty: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(empty.document.reopened, timeout=20_000):
        qtbot.mouseClick(empty.welcome.buttons["open-example"], Qt.MouseButton.LeftButton)
    assert len(empty.document.library) > 10
    qtbot.waitUntil(empty.view.isVisible)
