"""Asking again, editing an earlier request, and conversations in files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from pytestqt.qtbot import QtBot

from agent.events import CallFinished, Notice, RequestFinished, RequestStarted, TextStreamed
from agent.models.base import Usage
from desktop.panels.transcript_dialog import TranscriptDialog
from desktop.transcripts import TranscriptError, list_transcripts, read_transcript, transcripts_folder
from desktop.window import MainWindow
from model import operations
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace

TOP = Vlnv.parse("acme:soc:top:1.0")


def _request(window: MainWindow, qtbot: QtBot, request_id: int, text: str, *ports: str) -> None:
    """What the window sees of a request that adds ports: its edits, as one transaction, and its events."""
    transaction = Transaction(text)
    window.bridge.emit_event(RequestStarted(request_id, text, "embedded:x"))
    window.bridge.emit_event(TextStreamed(request_id, thinking="Hm."))
    window.bridge.emit_event(Notice(request_id, "Mind the gap."))
    calls = []
    for index, port in enumerate(ports):
        arguments = {"component": str(TOP), "name": port, "direction": "in"}
        window.document.workspace.apply(operations.add_signal_port, transaction=transaction, **arguments)
        calls.append(CallFinished(request_id, index, "add_signal_port", arguments, True, "Added.", {}, 0.001))
        window.bridge.emit_event(calls[-1])
    with qtbot.waitSignal(window.tasks.scored):
        window.bridge.emit_event(RequestFinished(request_id, "done", "Done.", 1.0, Usage(), tuple(calls)))


def _ports(workspace: Workspace) -> set[str]:
    return set(workspace.library.get(TOP).ports)


def test_editing_a_request_takes_it_and_what_followed_back(
    window: MainWindow, qtbot: QtBot, workspace: Workspace
) -> None:
    before = workspace.library
    _request(window, qtbot, 1, "Add a", "a")
    _request(window, qtbot, 2, "Add b and c", "b", "c")
    edit = window.chat.requests[1].edit
    qtbot.mouseClick(edit, Qt.MouseButton.LeftButton)
    assert workspace.library is before
    assert window.chat.field.toPlainText() == "Add a"
    assert [view.status.text() for view in window.chat.requests.values()] == ["taken back"] * 2
    assert len(workspace.undone) == 2  # redo brings both back


def test_an_edit_by_hand_in_between_is_never_taken_out(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    _request(window, qtbot, 1, "Add a", "a")
    window.document.apply(operations.add_signal_port, component=str(TOP), name="mine", direction="in")
    with qtbot.waitSignal(window.chat_desk.told) as told:
        qtbot.mouseClick(window.chat.requests[1].edit, Qt.MouseButton.LeftButton)
    assert "mine" in told.args[0]
    assert {"a", "mine"} <= _ports(workspace)
    assert window.chat.field.toPlainText() == ""


def test_what_was_undone_further_back_is_said(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    window.document.apply(operations.add_signal_port, component=str(TOP), name="mine", direction="in")
    _request(window, qtbot, 1, "Add a", "a")
    window.document.jump(0)
    with qtbot.waitSignal(window.chat_desk.told) as told:
        qtbot.mouseClick(window.chat.requests[1].edit, Qt.MouseButton.LeftButton)
    assert "were undone" in told.args[0]
    window.document.jump(1)
    qtbot.mouseClick(window.chat.requests[1].edit, Qt.MouseButton.LeftButton)
    assert window.chat.field.toPlainText() == "Add a"
    assert "mine" in _ports(workspace)


def test_asking_again_takes_back_first_and_asks_the_same(
    window: MainWindow, qtbot: QtBot, workspace: Workspace
) -> None:
    before = workspace.library
    _request(window, qtbot, 1, "Add a", "a")
    view = window.chat.requests[1]
    with qtbot.waitSignal(window.conversation.busy_changed):
        qtbot.mouseClick(view.retry, Qt.MouseButton.LeftButton)
    assert workspace.library is before
    qtbot.waitUntil(lambda: window.chat.requests[1] is not view, timeout=20_000)  # there is no model, which is said
    assert window.chat.requests[1].text == "Add a"
    qtbot.waitUntil(lambda: not window.conversation.busy, timeout=20_000)


def test_a_conversation_is_kept_and_shown_again(window: MainWindow, qtbot: QtBot) -> None:
    _request(window, qtbot, 1, "Add a", "a")
    _request(window, qtbot, 2, "Add b", "b")
    qtbot.waitUntil(
        lambda: any(
            len(json.loads(each.read_text())["requests"]) == 2 for each in list_transcripts(transcripts_folder())
        )
    )
    seen: list[str] = []

    def look() -> None:
        dialog = window.findChild(TranscriptDialog)
        assert isinstance(dialog, TranscriptDialog)
        try:
            qtbot.waitUntil(lambda: len(dialog.views) == 2)
            view = dialog.views[1]
            seen.extend([view.text, view.answer.text(), view.thinking.text(), view.cards[0].tool])
            assert not view.edit.isVisible()
            assert not view.retry.isVisible()
        finally:
            qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    QTimer.singleShot(0, look)
    window.actions_["transcripts"].trigger()
    assert seen == ["Add b", "Done.", "Hm.", "add_signal_port"]


def test_a_new_conversation_has_a_file_of_its_own(window: MainWindow, qtbot: QtBot) -> None:
    _request(window, qtbot, 1, "Add a", "a")
    qtbot.waitUntil(lambda: len(list_transcripts(transcripts_folder())) == 1)
    window.actions_["new-chat"].trigger()
    assert window.chat.empty.isVisible()
    _request(window, qtbot, 1, "Add b", "b")
    qtbot.waitUntil(lambda: len(list_transcripts(transcripts_folder())) == 2)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 7}', '{"format": 1, "started": "x"}'])
def test_what_is_no_conversation_is_said(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TranscriptError, match=r"x\.json"):
        read_transcript(path)
