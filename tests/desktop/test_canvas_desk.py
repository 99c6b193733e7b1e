"""The canvas in its window: gestures of a person become edits, are undone, and survive the end of the program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from gestures import drag, inside_place, pin_place, places, title_place
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from desktop.canvas.note_item import NoteEditor
from desktop.canvas.positions import FILE
from desktop.canvas.renaming import NameEditor
from desktop.window import MainWindow
from model import operations
from model.change import ElementId
from model.difference import change_between
from model.elements import BusInterface
from model.storage import Opened
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP, UART = Vlnv.parse("acme:soc:top:1.0"), Vlnv.parse("acme:periph:uart:1.0")
APB = Vlnv.parse("acme:bus:APB:1.0")
ASIDE = QPoint(40, 70)
U_UART = ElementId(TOP, "subcomponent", "u_uart")


@pytest.fixture
def window(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The window, once its picture has a layout."""
    qtbot.waitUntil(lambda: window.view.layout_is_there, timeout=20_000)
    return window


def settled(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.document.library is window.document.workspace.library)
    qtbot.waitUntil(lambda: window.view.layout_is_there)


def move(window: MainWindow, qtbot: QtBot, instance: str = "u_uart", by: QPoint = ASIDE) -> None:
    start = title_place(window.view, instance)
    with qtbot.waitSignal(window.view.layout_finished, timeout=20_000):
        drag(window.view, start, start + by)


def test_a_drag_from_port_to_port_connects_and_undo_takes_it_back(
    window: MainWindow, qtbot: QtBot, workspace: Workspace
) -> None:
    workspace.apply(operations.add_signal_port, component=str(TOP), name="irq", direction="out")
    qtbot.waitUntil(lambda: "port:irq" in window.view.design_scene().nodes)
    settled(window, qtbot)
    window.view.fit()
    drag(window.view, pin_place(window.view, "u_uart", "irq"), pin_place(window.view, "port:irq", "irq"))
    assert "u_uart_irq_to_irq" in workspace.library.get(TOP).design.connections
    window.actions_["undo"].trigger()
    assert "u_uart_irq_to_irq" not in workspace.library.get(TOP).design.connections


def test_a_drag_between_bus_interfaces_joins_them_and_says_why_not(
    window: MainWindow, qtbot: QtBot, workspace: Workspace
) -> None:
    def add(current, /, vlnv, name, mode):  # type: ignore[no-untyped-def]
        component = current.get(vlnv)
        interface = BusInterface(name=name, mode=mode, bus_type=APB)
        changed = component.model_copy(update={"bus_interfaces": component.bus_interfaces.set(name, interface)})
        after = current.put(changed)
        return after, change_between(current, after)

    workspace.apply(add, vlnv=UART, name="apb", mode="target")
    workspace.apply(add, vlnv=TOP, name="in_apb", mode="target")
    workspace.apply(add, vlnv=TOP, name="other", mode="initiator")
    qtbot.waitUntil(lambda: "interface:other" in window.view.design_scene().nodes)
    settled(window, qtbot)
    window.view.fit()
    view = window.view
    drag(view, pin_place(view, "u_uart", "apb"), pin_place(view, "interface:other", "other"), release=False)
    assert "initiator" in view.gesture_reason()
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    drag(view, pin_place(view, "u_uart", "apb"), pin_place(view, "interface:in_apb", "in_apb"))
    assert len(workspace.library.get(TOP).design.interconnections) == 1


@pytest.mark.parametrize("way", ["F2", "double click"])
def test_a_block_is_renamed_where_it_stands_and_keeps_its_place(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, way: str
) -> None:
    view = window.view
    before = places(view)
    if way == "F2":
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=title_place(view, "u_uart"))
        qtbot.keyClick(view, Qt.Key.Key_F2)
    else:
        qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=title_place(view, "u_uart"))
    (editor,) = view.findChildren(NameEditor)
    editor.selectAll()
    qtbot.keyClicks(editor, "u_console")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    settled(window, qtbot)
    assert places(view)["u_console"] == before["u_uart"]
    (connection,) = workspace.library.get(TOP).design.connections.values()
    assert "u_console.clk" in {str(end) for end in connection.ends}
    qtbot.waitUntil(lambda: window.document.selection == (ElementId(TOP, "subcomponent", "u_console"),))
    window.actions_["undo"].trigger()
    assert list(workspace.library.get(TOP).design.instances) == ["u_uart"]


def test_a_name_that_is_refused_is_explained(window: MainWindow, qtbot: QtBot) -> None:
    view = window.view
    qtbot.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=title_place(view, "u_uart"))
    (editor,) = view.findChildren(NameEditor)
    editor.setText("not a name")
    with qtbot.waitSignal(window.document.refused):
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert "not a name" in window.toast.words.text()


def test_moves_and_edits_share_one_undo(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    start = places(window.view)
    move(window, qtbot)
    moved = places(window.view)
    window.document.apply(operations.add_signal_port, component=str(UART), name="rx", direction="in")
    settled(window, qtbot)
    assert [entry.label.split()[0] for entry in window.document.history.done] == ["Move", "Added"]
    window.actions_["undo"].trigger()
    settled(window, qtbot)
    assert "rx" not in workspace.library.get(UART).ports
    assert places(window.view)["u_uart"] == moved["u_uart"]
    window.actions_["undo"].trigger()
    assert places(window.view)["u_uart"] == start["u_uart"]
    assert not window.actions_["undo"].isEnabled()
    window.actions_["redo"].trigger()
    assert places(window.view)["u_uart"] == moved["u_uart"]


def test_the_history_names_moves_and_jumps_over_them(window: MainWindow, qtbot: QtBot) -> None:
    start = places(window.view)
    move(window, qtbot)
    with qtbot.waitSignal(window.view.layout_finished, timeout=20_000):
        window.actions_["relayout"].trigger()
    window.actions_["history"].trigger()
    table = window.bottom.history
    assert [row.cells[0] for row in table.rows.rows] == ["Re-layout", "Move u_uart", "As opened"]
    index = table.rows.index(2, 0)
    table.scrollTo(index)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    assert places(window.view) == start


def test_a_move_in_a_component_that_is_no_longer_shown_is_taken_back_there(window: MainWindow, qtbot: QtBot) -> None:
    start = places(window.view)
    move(window, qtbot)
    window.document.show(UART)
    window.actions_["undo"].trigger()
    assert window.document.component == TOP
    settled(window, qtbot)
    assert places(window.view) == start


def reopened(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> Iterator[MainWindow]:
    again = MainWindow(Opened(workspace, (), TOP))
    with qtbot.waitExposed(again):
        again.show()
    qtbot.waitUntil(lambda: again.view.layout_is_there, timeout=20_000)
    yield again
    again.shut_down()
    again.deleteLater()


def test_places_and_notes_are_there_again_at_the_next_start(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, tmp_path: Path
) -> None:
    move(window, qtbot)
    window.actions_["note"].trigger()
    (editor,) = window.view.findChildren(NoteEditor)
    qtbot.keyClicks(editor, "Check the clock")
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil((tmp_path / FILE).exists)
    expected = places(window.view)
    window.canvas.flush()
    for again in reopened(window, qtbot, workspace):
        assert places(again.view) == expected
        assert [note.note.text for note in again.view.design_scene().notes.values()] == ["Check the clock"]


def test_a_folder_that_cannot_be_written_is_said_once(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / ".blockwright").write_text("in the way")
    with qtbot.waitSignal(window.canvas.told) as told:
        move(window, qtbot)
    assert str(tmp_path) in told.args[0]
    with qtbot.assertNotEmitted(window.canvas.told, wait=900):
        move(window, qtbot, by=QPoint(-40, -30))


def test_a_note_is_deleted_by_the_delete_command(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    window.view._picture.add_note("Old", 0.0, -200.0)
    window.view.fit()
    (note,) = window.view.design_scene().notes.values()
    place = window.view.mapFromScene(note.mapToScene(QPointF(10, 10)))
    qtbot.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.actions_["delete"].isEnabled()
    window.actions_["delete"].trigger()
    assert not window.view.design_scene().notes
    assert not workspace.done


def test_a_double_click_goes_inside(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseDClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=inside_place(window.view, "u_uart"))
    assert window.document.component == UART


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_the_picture_is_exported_to_a_file_that_is_asked_for(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"top{suffix}"

    def answer() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, QFileDialog)
        name = dialog.findChild(QLineEdit, "fileNameEdit")
        assert name is not None
        name.setText(str(path))
        qtbot.keyClick(name, Qt.Key.Key_Return)

    QTimer.singleShot(300, answer)
    window.actions_["export-picture"].trigger()
    assert path.stat().st_size > 500
    assert str(path) in window.toast.words.text()


def test_a_picture_of_an_unknown_kind_is_explained(window: MainWindow, tmp_path: Path) -> None:
    window.controller.views.write_picture(tmp_path / "top.gif")
    assert "svg, pdf or png" in window.toast.words.text()
    window.controller.views.write_picture(tmp_path / "nowhere" / "top.svg")
    assert "nowhere" in window.toast.words.text()


def test_a_panel_that_was_closed_comes_back_with_its_command(window: MainWindow, qtbot: QtBot) -> None:
    for dock, action in (("Checks and lists", "check"), ("Checks and lists", "history"), ("Agent", "ask")):
        window._docks[dock].close()
        assert not window._docks[dock].isVisible()
        window.actions_[action].trigger()
        assert window._docks[dock].isVisible()


def choose_uart(window: MainWindow, qtbot: QtBot) -> None:
    place = title_place(window.view, "u_uart")
    qtbot.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.document.selection == (U_UART,)


def test_blocks_are_copied_pasted_and_duplicated(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    choose_uart(window, qtbot)
    window.actions_["copy"].trigger()
    assert QApplication.clipboard().text() == "u_uart"
    start = places(window.view)["u_uart"]
    window.actions_["paste"].trigger()
    qtbot.waitUntil(lambda: "u_uart_2" in places(window.view))
    assert places(window.view)["u_uart_2"] == (start[0] + 40, start[1] + 40)
    qtbot.waitUntil(lambda: window.document.selection == (ElementId(TOP, "subcomponent", "u_uart_2"),))
    window.actions_["duplicate"].trigger()
    qtbot.waitUntil(lambda: "u_uart_3" in places(window.view))
    assert [step.label for step in workspace.done] == [
        "Pasted u_uart_2 into acme:soc:top:1.0.",
        "Pasted u_uart_3 into acme:soc:top:1.0.",
    ]
    window.actions_["undo"].trigger()
    window.actions_["undo"].trigger()
    assert list(workspace.library.get(TOP).design.instances) == ["u_uart"]


def test_blocks_are_pasted_into_another_design(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    choose_uart(window, qtbot)
    qtbot.keyClick(window.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    workspace.apply(operations.create_component, vendor="acme", library="soc", name="board", version="1.0")
    board = Vlnv.parse("acme:soc:board:1.0")
    qtbot.waitUntil(lambda: board in window.document.library)
    window.document.show(board)
    qtbot.keyClick(window.view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert list(workspace.library.get(board).design.instances) == ["u_uart"]
    window.document.show(UART)
    with qtbot.waitSignal(window.document.refused):  # not into itself
        window.actions_["paste"].trigger()


@pytest.mark.parametrize("agree", [True, False])
def test_what_goes_along_is_shown_before_it_is_deleted(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, agree: bool
) -> None:
    choose_uart(window, qtbot)
    seen: list[str] = []
    drawn: list[int] = []

    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.append(box.informativeText())
        drawn.append(sum(item.state == "removed" for item in window.view.design_scene().all_items()))
        words = "Delete" if agree else "Cancel"
        qtbot.mouseClick(
            next(button for button in box.findChildren(QPushButton) if button.text() == words),
            Qt.MouseButton.LeftButton,
        )

    QTimer.singleShot(0, answer)
    qtbot.keyClick(window.view, Qt.Key.Key_Delete)
    assert seen == ["Connection clk_to_u_uart_clk goes along."]
    assert drawn == [2]
    assert ("u_uart" in workspace.library.get(TOP).design.instances) is not agree
    assert [step.label for step in workspace.done] == (["Delete instance u_uart"] if agree else [])
    assert not window.view.shows_proposal


def test_what_takes_nothing_along_is_deleted_at_once(window: MainWindow, workspace: Workspace) -> None:
    window.document.select((ElementId(TOP, "connection", "clk_to_u_uart_clk"),))
    window.actions_["delete"].trigger()
    assert not workspace.library.get(TOP).design.connections


def test_a_component_is_dragged_in_from_the_library(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    library, view = window.library, window.view
    source = library._items[UART].index()
    mime = library.model.mimeData([source])
    place = QPointF(60, 50)
    for kind in (QDragEnterEvent, QDragMoveEvent):
        event = kind(
            place.toPoint(),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(view.viewport(), event)
        assert event.isAccepted()
    wanted = view.mapToScene(place.toPoint())
    drop = QDropEvent(place, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view.viewport(), drop)
    qtbot.waitUntil(lambda: "u_uart_2" in places(view))
    x, y = places(view)["u_uart_2"]
    assert abs(x - wanted.x()) <= 5
    assert abs(y - wanted.y()) <= 5
