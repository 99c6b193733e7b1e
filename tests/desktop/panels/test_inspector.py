"""The inspector: edits in place, under the model's rules."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from desktop.panels.inspector import PropertyField
from desktop.panels.link_list import LinkList
from desktop.window import MainWindow
from model import operations
from model.change import ElementId
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP, UART = Vlnv.parse("acme:soc:top:1.0"), Vlnv.parse("acme:periph:uart:1.0")


def _type(qtbot: QtBot, field: PropertyField, text: str) -> None:
    assert isinstance(field.input, QLineEdit)
    field.input.setFocus()
    field.input.selectAll()
    qtbot.keyClicks(field.input, text)
    qtbot.keyClick(field.input, Qt.Key.Key_Return)


def test_a_refused_edit_says_why_and_changes_nothing(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    window.document.show(UART)
    window.document.select((ElementId(UART, "signal_port", "irq"),))
    before = workspace.library
    field = window.inspector.fields["Name"]
    _type(qtbot, field, "clk")
    assert not field.message.isHidden()
    assert "already has a signal port clk" in field.message.text()
    assert workspace.library is before
    assert isinstance(field.input, QLineEdit)
    qtbot.keyClick(field.input, Qt.Key.Key_Escape)
    assert field.input.text() == "irq"
    assert field.message.isHidden()


def test_a_port_is_renamed_and_stays_selected(window: MainWindow, qtbot: QtBot) -> None:
    window.document.show(UART)
    window.document.select((ElementId(UART, "signal_port", "irq"),))
    _type(qtbot, window.inspector.fields["Name"], "intr")
    qtbot.waitUntil(lambda: "intr" in window.document.library.get(UART).ports)
    assert window.document.selection == (ElementId(UART, "signal_port", "intr"),)
    field = window.inspector.fields["Name"]
    assert isinstance(field.input, QLineEdit)
    assert field.input.text() == "intr"


def test_width_and_direction_can_be_changed(window: MainWindow, qtbot: QtBot) -> None:
    window.document.show(UART)
    window.document.select((ElementId(UART, "signal_port", "irq"),))
    _type(qtbot, window.inspector.fields["Width"], "DEPTH")
    qtbot.waitUntil(lambda: "Bits" in window.inspector.fields)
    box = window.inspector.fields["Direction"].input
    assert isinstance(box, QComboBox)
    box.setCurrentText("inout")
    box.textActivated.emit("inout")
    qtbot.waitUntil(lambda: "Default" in window.inspector.fields)


def test_an_instances_parameter_is_overridden_within_its_bounds(window: MainWindow, qtbot: QtBot) -> None:
    window.document.select((ElementId(TOP, "subcomponent", "u_uart"),))
    field = window.inspector.fields["DEPTH"]
    _type(qtbot, field, "100")
    assert "64" in field.message.text()
    _type(qtbot, field, "32")
    qtbot.waitUntil(lambda: window.document.library.get(TOP).design.instances["u_uart"].parameters.get("DEPTH") == "32")


def test_somebody_elses_edit_does_not_take_what_is_being_typed(
    window: MainWindow, qtbot: QtBot, workspace: Workspace
) -> None:
    window.activateWindow()
    window.document.show(UART)
    window.document.select((ElementId(UART, "signal_port", "irq"),))
    field = window.inspector.fields["Name"]
    assert isinstance(field.input, QLineEdit)
    field.input.setFocus()
    qtbot.waitUntil(field.input.hasFocus)
    field.input.end(False)
    qtbot.keyClicks(field.input, "_n")
    with qtbot.waitSignal(window.document.library_changed):
        workspace.apply(operations.add_signal_port, component=str(UART), name="other", direction="in")
    assert window.inspector.fields["Name"] is field
    assert field.input.text() == "irq_n"


def test_others_edits_change_the_lists_and_build_nothing_anew(
    window: MainWindow, qtbot: QtBot, workspace: Workspace
) -> None:
    field = window.inspector.fields["Description"]
    lists = window.inspector.findChildren(LinkList)

    def listed() -> list[str]:
        return [lists[0].model().index(row, 0).data() for row in range(lists[0].model().rowCount())]

    assert listed() == ["clk"]
    for number in range(50):
        workspace.apply(operations.add_signal_port, component=str(TOP), name=f"p{number}", direction="in")
    qtbot.waitUntil(lambda: listed() == ["clk", *(f"p{number}" for number in range(50))])
    assert lists[0].height() == 51 * (lists[0].sizeHintForRow(0))
    workspace.undo()
    qtbot.waitUntil(lambda: listed()[-1] == "p48")
    assert window.inspector.fields["Description"] is field
    assert window.inspector.findChildren(LinkList) == lists
    workspace.apply(
        operations.update_element, component=str(TOP), element_type="component", name="", description="A system."
    )
    qtbot.waitUntil(lambda: window.inspector.fields["Description"] is not field)
    assert window.inspector.fields["Description"].input.text() == "A system."  # type: ignore[union-attr]
