"""Marking a request in the window: a missing call, a task in a suite file, the session in a file."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from agent.evaluation.suites import load_suite
from agent.events import CallFinished, RequestFinished, RequestStarted
from agent.models.base import Usage
from desktop.panels.forms import FormDialog
from desktop.panels.missing_call import MissingCallDialog
from desktop.panels.request_view import RequestView
from desktop.session_export import session_json
from desktop.window import MainWindow
from model import operations

CLOCK = {"component": "acme:soc:top:1.0", "name": "clk2", "direction": "in"}


def _click(window: MainWindow, qtbot: QtBot, name: str) -> None:
    button = window.scores.table.findChild(QPushButton, name)
    assert isinstance(button, QPushButton)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_spot_check_becomes_a_task(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = CallFinished(1, 0, "add_signal_port", CLOCK, True, "done", {}, 0.001)
    with qtbot.waitSignal(window.tasks.scored):
        window.bridge.emit_event(RequestStarted(1, "Add a clock and a reset", "x"))
        window.bridge.emit_event(RequestFinished(1, "done", "", 1.0, Usage(), (call,)))
    _click(window, qtbot, "right-0-0")

    said: list[str] = []

    def fill() -> None:
        dialog = window.findChild(MissingCallDialog)
        assert isinstance(dialog, MissingCallDialog)
        dialog.tool.setCurrentText("add_signal_port")
        qtbot.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        said.append(dialog.message.text())
        for name, text in (("name", "rst_n"), ("direction", "in")):
            field = dialog.inputs[name]
            assert isinstance(field, QLineEdit)
            qtbot.keyClicks(field, text)
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
        dialog.reject()

    QTimer.singleShot(0, fill)
    _click(window, qtbot, "missing-0")
    assert said == ["add_signal_port needs name and direction."]
    score = window.scores.rows[0].score
    assert score is not None
    assert score.ecc == 0.5

    suite, session = tmp_path / "mine.yaml", tmp_path / "session.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_named: (str(suite), ""))

    def save() -> None:
        form = window.findChild(FormDialog)
        assert isinstance(form, FormDialog)
        qtbot.mouseClick(form.accept_button, Qt.MouseButton.LeftButton)
        form.reject()

    QTimer.singleShot(0, save)
    _click(window, qtbot, "save-0")
    (task,) = load_suite(suite).tasks
    assert task.prompt == "Add a clock and a reset"
    reset = {"component": "acme:soc:top:1.0", "name": "rst_n", "direction": "in"}
    assert [dict(each.args) for each in task.expected] == [CLOCK, reset]

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_named: (str(session), ""))
    with qtbot.waitSignal(window.score_desk.told):
        window.actions_["export-scores"].trigger()
    assert json.loads(session.read_text(encoding="utf-8"))["totals"]["ecc"]["mean"] == 0.5


def test_a_scored_request_tells_whether_the_design_is_as_it_should_be(window: MainWindow, qtbot: QtBot) -> None:
    call = CallFinished(1, 0, "add_signal_port", CLOCK, True, "done", {}, 0.001)
    window.bridge.emit_event(RequestStarted(1, "Add a clock", "x"))
    qtbot.waitUntil(lambda: window.chat.findChild(RequestView) is not None)
    window.document.apply(operations.add_signal_port, **CLOCK)
    with qtbot.waitSignal(window.tasks.scored):
        window.bridge.emit_event(RequestFinished(1, "done", "", 1.0, Usage(), (call,)))
    item = window.scores.table.topLevelItem(0)
    assert item is not None
    assert item.text(5) == ""
    _click(window, qtbot, "right-0-0")
    qtbot.waitUntil(lambda: item.text(5) == "1")
    _click(window, qtbot, "wrong-0-0")
    assert item.text(5) == ""
    _click(window, qtbot, "nocall-0")
    qtbot.waitUntil(lambda: item.text(5) == "0")
    (row,) = window.scores.rows
    assert row.state is not None
    assert [str(element) for element in row.state.added] == ["signal_port clk2 of acme:soc:top:1.0"]
    assert "state 0.00 [0.00–0.79]" in window.scores.totals.text()
    assert json.loads(session_json(window.scores.rows, None, datetime.now(UTC)))["requests"][0]["state"] == 0.0
