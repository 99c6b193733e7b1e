"""Ctrl+F over the whole library, and the way back and forward through what was looked at."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.searching import search
from desktop.trail import Trail
from desktop.window import MainWindow
from model import operations
from model.change import ElementId
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP, UART = Vlnv.parse("acme:soc:top:1.0"), Vlnv.parse("acme:periph:uart:1.0")


def test_the_shown_component_comes_first_and_all_words_must_match(workspace: Workspace) -> None:
    library = workspace.library
    found = [match.element for match in search(library, TOP, "CLK")]
    assert found == [
        ElementId(TOP, "signal_port", "clk"),
        ElementId(TOP, "connection", "clk_to_u_uart_clk"),
        ElementId(UART, "signal_port", "clk"),
    ]
    assert search(library, UART, "clk")[0].element == ElementId(UART, "signal_port", "clk")
    assert [match.words for match in search(library, TOP, "uart uart:1")] == [
        "instance u_uart in top 1.0",
        "component acme:periph:uart:1.0",
    ]
    assert search(library, TOP, "  ") == search(library, TOP, "clk zzz") == []


def test_finding_goes_from_one_to_the_next_across_components(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["find"].trigger()
    bar = window.find_bar
    assert bar.field.hasFocus()
    qtbot.keyClicks(bar.field, "clk")
    qtbot.waitUntil(lambda: bar.count.text() == "1 of 3")
    assert window.document.selection == (ElementId(TOP, "signal_port", "clk"),)
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert window.document.selection == (ElementId(TOP, "connection", "clk_to_u_uart_clk"),)
    window.actions_["find-next"].trigger()
    assert (window.document.component, bar.count.text()) == (UART, "3 of 3")
    assert window.document.selection == (ElementId(UART, "signal_port", "clk"),)
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert (window.document.component, bar.count.text()) == (TOP, "1 of 3")
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert (window.document.component, bar.count.text()) == (UART, "3 of 3")
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_what_is_not_there_is_said_and_edits_are_followed(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["find"].trigger()
    bar = window.find_bar
    qtbot.keyClicks(bar.field, "watchdog")
    qtbot.waitUntil(lambda: bar.count.text() == "nothing found")
    assert not bar.after.isEnabled()
    window.document.apply(operations.add_signal_port, component=str(TOP), name="watchdog", direction="in")
    qtbot.waitUntil(lambda: bar.count.text() == "1 found")
    qtbot.mouseClick(bar.after, Qt.MouseButton.LeftButton)
    assert window.document.selection == (ElementId(TOP, "signal_port", "watchdog"),)


def test_back_and_forward_go_through_what_was_looked_at(window: MainWindow, qtbot: QtBot) -> None:
    assert not window.breadcrumbs.before.isEnabled()
    window.controller.views.open_inside(UART)
    assert window.document.path == (TOP, UART)
    qtbot.mouseClick(window.breadcrumbs.before, Qt.MouseButton.LeftButton)
    assert window.document.component == TOP
    qtbot.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert (window.document.component, window.document.path) == (UART, (TOP, UART))
    assert not window.actions_["after"].isEnabled()
    window.document.show(TOP)
    window.actions_["before"].trigger()
    assert window.document.component == UART


def test_the_trail_leaves_out_what_was_deleted() -> None:
    trail = Trail()
    other = Vlnv.parse("a:b:c:1")
    for path in ((TOP,), (other,), (TOP, UART), (TOP, UART)):
        trail.visit(path)
    assert trail.go(1, {TOP, UART}) is None
    assert trail.go(-1, {TOP, UART}) == (TOP,)
    assert trail.go(-1, {TOP, UART}) is None
    assert trail.go(1, {TOP, UART}) == (TOP, UART)
    trail.clear()
    assert trail.look(-1, {TOP}) is None


@pytest.mark.parametrize("count", [1, 300])
def test_the_trail_is_not_endless(count: int) -> None:
    trail = Trail()
    stations = [(Vlnv.parse(f"a:b:c{number}:1"),) for number in range(count)]
    for station in stations:
        trail.visit(station)
    known = {station[-1] for station in stations}
    steps = 0
    while trail.go(-1, known) is not None:
        steps += 1
    assert steps == min(count, 100) - 1
