"""The model reads along while a request is typed; the model is a stand-in that speaks Ollama's protocol."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from stand_in_ollama import MODEL, saying
from stand_in_server import StandIn

from desktop.window import MainWindow
from model.storage import Opened
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP = Vlnv.parse("acme:soc:top:1.0")


@pytest.fixture
def window(ollama: StandIn, qtbot: QtBot, workspace: Workspace) -> Iterator[MainWindow]:
    ollama.answers["/api/chat"] = saying()
    shown = MainWindow(Opened(workspace, (), TOP), MODEL)
    with qtbot.waitSignal(shown.conversation.readiness_changed, check_params_cb=lambda state, _words: state == "ready"):
        shown.show()
        shown.conversation.start()
    qtbot.waitExposed(shown)
    yield shown
    shown.shut_down()
    shown.deleteLater()


def read(ollama: StandIn) -> list[str]:
    """The requests as far as the model has read them."""
    return [body["messages"][-1]["content"].partition("Request: ")[2] for body in ollama.bodies("/api/chat")]


def test_what_is_typed_is_read_in_the_pauses(window: MainWindow, ollama: StandIn, qtbot: QtBot) -> None:
    window.chat.field.setFocus()
    qtbot.keyClicks(window.chat.field, "Add an input")
    qtbot.waitUntil(lambda: "Add an input" in read(ollama))
    qtbot.keyClicks(window.chat.field, " en to the top")
    qtbot.waitUntil(lambda: read(ollama)[-1] == "Add an input en to the top")
    assert "component acme:soc:top:1.0" in ollama.bodies("/api/chat")[-1]["messages"][-1]["content"]


def test_nothing_is_read_while_the_keyboard_is_elsewhere(window: MainWindow, ollama: StandIn, qtbot: QtBot) -> None:
    window.view.setFocus(Qt.FocusReason.OtherFocusReason)
    window.chat.field.setPlainText("Add an input")
    qtbot.waitUntil(lambda: not window.reading_along.waits)
    window.chat.field.setFocus()
    qtbot.waitUntil(lambda: bool(read(ollama)) and not window.reading_along.waits)
    assert read(ollama) == ["Add an input"]  # once, and not before
