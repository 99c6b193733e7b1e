"""The chat, fed with an agent's events."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from agent.evaluation.suites import Task
from agent.events import (
    ApprovalRequested,
    CallFinished,
    CallStarted,
    Notice,
    RequestFinished,
    RequestStarted,
    TextStreamed,
)
from agent.models.base import Usage
from desktop.panels.chat import ChatPanel
from desktop.panels.widgets import TextButton
from desktop.theme.theme import Theme
from model.change import ElementId
from model.vlnv import Vlnv

TOP = Vlnv.parse("acme:soc:top:1.0")
SPI = {"component": str(TOP), "subcomponent": "acme:periph:spi:1.2", "instance_name": "u_spi"}


@pytest.fixture
def chat(application: QApplication, qtbot: QtBot) -> Iterator[ChatPanel]:
    panel = ChatPanel(Theme.of_application())
    panel.resize(420, 700)
    with qtbot.waitExposed(panel):
        panel.show()
    yield panel
    panel.close()
    panel.deleteLater()


def test_enter_sends_and_shift_enter_starts_a_line(chat: ChatPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(chat.field, "one")
    qtbot.keyClick(chat.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(chat.field, "two")
    with qtbot.waitSignal(chat.asked) as asked:
        qtbot.keyClick(chat.field, Qt.Key.Key_Return)
    assert asked.args == ["one\ntwo"]
    assert chat.field.toPlainText() == ""


def test_nothing_is_sent_while_a_request_runs_and_the_button_stops_it(chat: ChatPanel, qtbot: QtBot) -> None:
    chat.set_busy(True)
    qtbot.keyClicks(chat.field, "more")
    with qtbot.assertNotEmitted(chat.asked):
        qtbot.keyClick(chat.field, Qt.Key.Key_Return)
    with qtbot.waitSignal(chat.stop_requested):
        qtbot.mouseClick(chat.button, Qt.MouseButton.LeftButton)
    assert chat.field.toPlainText() == "more"


def test_a_call_shows_while_it_runs_and_what_it_changed(chat: ChatPanel, qtbot: QtBot) -> None:
    element = ElementId(TOP, "subcomponent", "u_spi")
    chat.handle(RequestStarted(1, "Add a SPI", "embedded:x"))
    chat.handle(CallStarted(1, 0, "add_subcomponent", SPI))
    card = chat.requests[1].cards[0]
    assert card.seconds.text() == "running…"
    chat.handle(CallFinished(1, 0, "add_subcomponent", SPI, True, "Added.", {"added": [str(element)]}, 0.0003))
    assert card.seconds.text() == "0.3 ms"
    assert card.symbol.symbol == "dot"
    link = next(button for button in card.findChildren(QPushButton) if button.text() == "show on canvas")
    with qtbot.waitSignal(chat.reveal_requested) as revealed:
        qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert revealed.args == [(element,)]


def test_a_refused_call_says_why(chat: ChatPanel) -> None:
    data = {
        "ok": False,
        "message": "There is no component acme:periph:spi:1.2.",
        "suggestions": ["acme:periph:spi:1.3"],
    }
    chat.handle(RequestStarted(1, "Add a SPI", "embedded:x"))
    chat.handle(CallFinished(1, 0, "add_subcomponent", SPI, False, "error", data, 0.01))
    card = chat.requests[1].cards[0]
    assert card.result.text() == (
        "Refused: There is no component acme:periph:spi:1.2. Did you mean acme:periph:spi:1.3?"
    )
    assert card.symbol.symbol == "error"


@pytest.mark.parametrize(("button", "yes"), [("apply", True), ("refuse", False)])
def test_a_call_that_waits_can_be_approved_or_refused(chat: ChatPanel, qtbot: QtBot, button: str, yes: bool) -> None:
    chat.handle(RequestStarted(7, "Delete it", "embedded:x"))
    chat.handle(ApprovalRequested(7, 2, "delete_component", {"component": str(TOP)}, "It deletes something."))
    card = chat.requests[7].approvals[2]
    with qtbot.waitSignal(chat.approval_given) as answered:
        qtbot.mouseClick(getattr(card, button), Qt.MouseButton.LeftButton)
    assert answered.args == [7, 2, yes]
    assert card._buttons.isHidden()


def test_an_approval_that_nobody_gave_ends_with_the_request(chat: ChatPanel) -> None:
    chat.handle(RequestStarted(1, "Delete it", "embedded:x"))
    chat.handle(ApprovalRequested(1, 0, "delete_component", {"component": str(TOP)}, "It deletes something."))
    chat.handle(RequestFinished(1, "stopped", "Stopped.", 1.0, Usage()))
    card = chat.requests[1].approvals[0]
    assert card.title.text() == "Not approved"
    assert card._buttons.isHidden()


def test_the_answer_streams_and_thinking_is_folded(chat: ChatPanel, qtbot: QtBot) -> None:
    chat.handle(RequestStarted(1, "What is it?", "embedded:x"))
    chat.handle(TextStreamed(1, thinking="Let me see."))
    chat.handle(TextStreamed(1, text="It is "))
    chat.handle(TextStreamed(1, text="a UART."))
    view = chat.requests[1]
    qtbot.waitUntil(lambda: view.answer.text() == "It is a UART.")
    assert not view.thinking.isVisible()
    qtbot.mouseClick(view.thought, Qt.MouseButton.LeftButton)
    assert view.thinking.isVisible()
    assert view.thinking.text() == "Let me see."
    usage = Usage(prompt_tokens=2100, completion_tokens=60, generation_seconds=2.0)
    chat.handle(RequestFinished(1, "done", "It is a **UART**.", 2.5, usage))
    assert view.status.text() == "done · 2.5 s · 60 tokens · 30 tok/s"
    assert chat.meter.full_text == "2.1k read · 30 tok/s"


def test_a_notice_and_a_failure_are_shown(chat: ChatPanel, qtbot: QtBot) -> None:
    chat.handle(RequestStarted(1, "Add", "embedded:x"))
    chat.handle(Notice(1, "The context is nearly full."))
    chat.handle(RequestFinished(1, "failed", "The model ran out of memory.", 2.5, Usage()))
    view = chat.requests[1]
    assert view.answer.text() == "The model ran out of memory."
    assert not view.retry.isHidden()
    with qtbot.waitSignal(chat.retry_requested) as retried:
        qtbot.mouseClick(view.retry, Qt.MouseButton.LeftButton)
    assert retried.args == [0]


def test_a_picked_task_fills_the_request(chat: ChatPanel, qtbot: QtBot) -> None:
    chat.set_task("easy / e01", Task(id="e01", prompt="Add a clock.", expected=()))
    assert chat.field.toPlainText() == "Add a clock."
    assert chat.task_chip.text() == "easy / e01"
    with qtbot.waitSignal(chat.task_dropped):
        qtbot.mouseClick(chat.drop_task, Qt.MouseButton.LeftButton)


def test_the_selection_can_be_named_in_the_request(chat: ChatPanel, qtbot: QtBot) -> None:
    qtbot.keyClicks(chat.field, "Rename")
    chat.set_selection((ElementId(TOP, "subcomponent", "u_spi"),))
    qtbot.mouseClick(chat.attach, Qt.MouseButton.LeftButton)
    assert chat.field.toPlainText() == "Rename instance u_spi "


def test_a_suggestion_is_written_into_the_field_to_be_read_first(chat: ChatPanel, qtbot: QtBot) -> None:
    chat.set_suggestions(["Add a port", "Add another"])
    button = chat.empty.findChildren(TextButton)[-1]
    with qtbot.assertNotEmitted(chat.asked):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert chat.field.toPlainText() == "Add another"


def test_reading_the_prompt_is_told(chat: ChatPanel) -> None:
    chat.handle(RequestStarted(1, "What is it?", "embedded:x"))
    chat.handle(TextStreamed(1, prompt_read=0.4))
    assert chat.requests[1].status.text() == "reading 40 %"


def test_a_long_result_is_collapsed_until_it_is_wanted(chat: ChatPanel, qtbot: QtBot) -> None:
    text = "\n".join(f"port p{number}" for number in range(40))
    chat.handle(RequestStarted(1, "What ports?", "embedded:x"))
    chat.handle(CallFinished(1, 0, "get_component_details", {"component": str(TOP)}, True, text, {}, 0.01))
    card = chat.requests[1].cards[0]
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert card.whole_result.text().endswith("port p11…")
    assert card.all_of_it.text() == "Show all of it: 40 lines"
    qtbot.mouseClick(card.all_of_it, Qt.MouseButton.LeftButton)
    assert card.whole_result.text() == text
    assert not card.all_of_it.isVisible()
