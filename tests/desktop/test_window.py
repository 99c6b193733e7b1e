"""The window as a whole: gestures of a user, edits of an agent, undo, the theme, the palette."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from agent.evaluation.suites import load_suite
from agent.events import CallFinished, RequestFinished, RequestStarted
from agent.models.base import Usage
from desktop.actions import ACTIONS
from desktop.application import Failures
from desktop.panels.chat import HOW_TO_GET_A_MODEL
from desktop.panels.forms import FormDialog
from desktop.theme.tokens import DARK, LIGHT
from desktop.window import MainWindow
from model import operations
from model.change import ElementId
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace

TOP, UART = Vlnv.parse("acme:soc:top:1.0"), Vlnv.parse("acme:periph:uart:1.0")


def test_undo_takes_a_whole_request_back(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    before = workspace.library
    request = Transaction("Add two ports")
    for name in ("a", "b"):
        workspace.apply(operations.add_signal_port, transaction=request, component=str(TOP), name=name, direction="in")
    qtbot.waitUntil(lambda: window.document.library is workspace.library)
    qtbot.waitUntil(window.top_bar.undo.isEnabled)
    qtbot.waitUntil(lambda: window.status.undo.full_text == "undo: “Add two ports”")
    with qtbot.waitSignal(window.document.library_changed):
        qtbot.mouseClick(window.top_bar.undo, Qt.MouseButton.LeftButton)
    assert workspace.library == before
    assert not window.top_bar.undo.isEnabled()


def test_an_agents_edit_and_one_by_hand_arrive_in_order(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    seen: list[str] = []
    window.document.library_changed.connect(lambda change, _library: seen.append(change.summary))
    edit = operations.add_signal_port
    window.bridge.run_blocking(lambda: workspace.apply(edit, component=str(TOP), name="x", direction="in")).result(10)
    window.document.apply(edit, component=str(TOP), name="y", direction="in")
    qtbot.waitUntil(lambda: window.document.library is workspace.library)
    told = " ".join(seen)
    assert 0 <= told.find("port x ") < told.find("port y ")


def test_the_theme_can_be_switched_and_is_remembered(window: MainWindow, qtbot: QtBot) -> None:
    assert window.theme.tokens is LIGHT
    qtbot.mouseClick(window.status.theme, Qt.MouseButton.LeftButton)
    assert window.theme.tokens is DARK
    assert window.palette().window().color().name() == DARK.surface
    assert window._settings.value("window/theme") == "dark"


def test_without_a_model_the_chat_says_how_to_get_one(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.chat.hint.text() == HOW_TO_GET_A_MODEL, timeout=20_000)
    window.document.show(UART)
    assert window.chat.hint.text() == HOW_TO_GET_A_MODEL
    qtbot.keyClicks(window.chat.field, "Add a port")
    qtbot.keyClick(window.chat.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: 1 in window.chat.requests and not window.conversation.busy, timeout=20_000)
    qtbot.waitUntil(lambda: "blockwright models pull" in window.chat.requests[1].answer.text())
    assert window.scores.rows[0].score is None


def test_the_palette_finds_a_component_and_opens_it(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["palette"].trigger()
    assert window.palette_.isVisible()
    qtbot.keyClicks(window.palette_.field, "uart:1.0")
    qtbot.keyClick(window.palette_.field, Qt.Key.Key_Return)
    assert not window.palette_.isVisible()
    assert window.document.component == UART


def test_the_palette_runs_a_command(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["palette"].trigger()
    qtbot.keyClicks(window.palette_.field, "light and dark")
    qtbot.keyClick(window.palette_.field, Qt.Key.Key_Return)
    assert window.theme.tokens is DARK


def test_a_port_is_added_by_a_form_that_keeps_what_was_refused(window: MainWindow, qtbot: QtBot) -> None:
    said: list[str] = []

    def fill() -> None:
        form = window.findChild(FormDialog)
        assert isinstance(form, FormDialog)
        name, width = form.inputs["name"], form.inputs["width"]
        qtbot.keyClicks(name, "clk")
        qtbot.keyClicks(width, "8")
        qtbot.mouseClick(form.accept_button, Qt.MouseButton.LeftButton)
        said.append(form.message.text())
        qtbot.keyClicks(name, "2")
        qtbot.mouseClick(form.accept_button, Qt.MouseButton.LeftButton)
        if form.isVisible():
            form.reject()

    QTimer.singleShot(0, fill)
    window.actions_["add-port"].trigger()
    assert "clk" in said[0]
    qtbot.waitUntil(lambda: "clk2" in window.document.library.get(TOP).ports)


def test_deleting_a_used_port_asks_first(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    window.document.show(UART)
    window.document.select((ElementId(UART, "signal_port", "clk"),))
    texts: list[str] = []

    def agree() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        texts.append(box.informativeText())
        yes = next(button for button in box.findChildren(QPushButton) if button.text().startswith("Delete"))
        qtbot.mouseClick(yes, Qt.MouseButton.LeftButton)

    QTimer.singleShot(0, agree)
    window.actions_["delete"].trigger()
    assert "top" in texts[0]
    assert "clk" not in workspace.library.get(UART).ports
    workspace.undo()
    assert len(workspace.library.get(TOP).design.connections) == 1


def test_closing_with_unsaved_changes_can_be_called_off(window: MainWindow, qtbot: QtBot) -> None:
    def cancel() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        qtbot.keyClick(box, Qt.Key.Key_Escape)

    QTimer.singleShot(0, cancel)
    assert not window.close()
    assert window.isVisible()


def test_saving_writes_the_file_and_clears_the_mark(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, tmp_path: Path
) -> None:
    window.document.show(UART)
    window.actions_.refresh()
    assert UART in window.document.unsaved
    window.actions_["save"].trigger()
    qtbot.waitUntil(lambda: UART not in window.document.unsaved)
    content = (tmp_path / "acme/periph/uart/1.0/uart.1.0.xml").read_text(encoding="utf-8")
    assert "irq" in content
    assert not window.actions_["save"].isEnabled()


def test_a_tasks_design_is_set_up_in_one_step_and_scored(
    window: MainWindow, qtbot: QtBot, workspace: Workspace
) -> None:
    suite, before = load_suite("first-ten"), workspace.library
    window.tasks.set_up(suite, 1)
    qtbot.waitUntil(lambda: len(workspace.library) > 2, timeout=30_000)
    assert len(workspace.done) == 1
    expected = suite.tasks[0].expected[0]
    made = workspace.library.get(Vlnv.parse(str(expected.args["component"])))
    assert str(expected.args["name"]) in made.ports  # what the task before this one asks for is there
    window.tasks.choose(suite, 1)
    call = suite.tasks[1].expected[0]
    done = CallFinished(1, 0, call.tool, call.args, True, "done", {}, 0.001)
    window.bridge.emit_event(RequestStarted(1, suite.tasks[1].prompt, "x"))
    window.bridge.emit_event(RequestFinished(1, "done", "", 1.0, Usage(), (done,)))
    qtbot.waitUntil(lambda: bool(window.scores.rows))
    assert window.scores.rows[0].task == suite.tasks[1].id
    assert window.scores.rows[0].lines[0].mark == "matched"
    assert window.tasks.task is None
    workspace.undo()
    assert workspace.library == before


def test_a_failure_that_nobody_caught_is_logged_and_told_in_one_sentence(
    window: MainWindow, qtbot: QtBot, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    failures = Failures()
    failures.happened.connect(lambda text: window.say(text, "error"))
    failures.install()
    try:
        with qtbot.waitSignal(failures.happened):
            sys.excepthook(ZeroDivisionError, ZeroDivisionError("by zero"), None)
    finally:
        qInstallMessageHandler(None)
    assert "by zero" in caplog.text
    assert window.toast.isVisible()
    assert "Traceback" not in window.toast.words.text()


def test_opening_a_subcomponent_leaves_the_way_back(window: MainWindow) -> None:
    window.controller.views.open_inside(UART)
    assert window.document.path == (TOP, UART)
    window.actions_["back"].trigger()
    assert window.document.component == TOP


def test_no_two_actions_share_a_shortcut_or_a_name() -> None:
    shortcuts = [spec.shortcut for spec in ACTIONS if spec.shortcut]
    assert len(set(shortcuts)) == len(shortcuts)
    assert len({spec.id for spec in ACTIONS}) == len(ACTIONS)
