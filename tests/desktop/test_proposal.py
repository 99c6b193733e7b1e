"""Trust: what an agent proposes is drawn, ticked, applied whole or in part, rejected, stopped, and forgotten.

The agent, its MCP server and the workspace are real; the model is a stand-in that speaks Ollama's protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from stand_in_ollama import MODEL, plan, saying
from stand_in_server import StandIn, silent

from desktop.panels.proposal_card import ProposalCard
from desktop.panels.request_view import RequestView
from desktop.window import MainWindow
from model import operations
from model.change import ElementId
from model.storage import Opened
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP, UART = Vlnv.parse("acme:soc:top:1.0"), Vlnv.parse("acme:periph:uart:1.0")
REQUEST = f"Add another {UART} to {TOP} as u_spare and connect clk to u_spare.clk"
INSTANCE = {
    "tool": "add_subcomponent",
    "component": str(TOP),
    "subcomponent": str(UART),
    "instance_name": "u_spare",
}
WIRE = {
    "tool": "add_subcomponent_connection",
    "component": str(TOP),
    "source_port": "clk",
    "target_instance": "u_spare",
    "target_port": "clk",
}
SPARE = ElementId(TOP, "subcomponent", "u_spare")


@pytest.fixture
def window(ollama: StandIn, qtbot: QtBot, workspace: Workspace) -> Iterator[MainWindow]:
    """The window on the top, with the stand-in's model."""
    shown = MainWindow(Opened(workspace, (), TOP), MODEL)
    with qtbot.waitExposed(shown):
        shown.show()
    qtbot.waitUntil(lambda: shown.view.layout_is_there, timeout=20_000)
    yield shown
    shown.shut_down()
    shown.deleteLater()


def ask(window: MainWindow, qtbot: QtBot, text: str = REQUEST) -> RequestView:
    number = len(window.chat.requests)
    qtbot.keyClicks(window.chat.field, text)
    qtbot.keyClick(window.chat.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(window.chat.requests) > number, timeout=20_000)
    return window.chat.requests[number + 1]


def proposal(view: RequestView, qtbot: QtBot) -> ProposalCard:
    qtbot.waitUntil(lambda: view.proposal is not None, timeout=20_000)
    assert view.proposal is not None
    return view.proposal


def tick(card: ProposalCard, index: int, qtbot: QtBot) -> None:
    box = card.rows[index].box
    qtbot.waitUntil(lambda: box.isVisible() and box.width() < 30)  # laid out
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton)


def choose_mode(window: MainWindow, words: str) -> None:
    menu = window.chat.approval_button.menu()
    next(action for action in menu.actions() if action.text() == words).trigger()


def finished(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.conversation.busy, timeout=20_000)


def test_what_is_proposed_is_drawn_and_applied_in_one_step(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, ollama: StandIn
) -> None:
    ollama.answers["/api/chat"] = saying(plan(INSTANCE, WIRE))
    choose_mode(window, "Propose only")
    before = workspace.library
    view = ask(window, qtbot)
    card = proposal(view, qtbot)
    assert card.title.text() == "2 changes proposed"
    qtbot.waitUntil(lambda: window.view.shows_proposal)
    nodes = window.view.design_scene().nodes
    assert nodes["u_spare"].state == "added"
    assert nodes["u_spare"].state_word() == "proposed"
    assert workspace.library is before
    assert not workspace.done
    qtbot.mouseClick(card.apply, Qt.MouseButton.LeftButton)
    finished(window, qtbot)
    qtbot.waitUntil(lambda: "u_spare" in window.document.library.get(TOP).design.instances)
    assert not window.view.shows_proposal
    assert [step.label for step in workspace.done] == [REQUEST]
    assert card.title.text() == "Applied"
    window.actions_["undo"].trigger()
    assert workspace.library is before


def test_a_part_is_applied_and_what_hangs_on_it_is_greyed_with_the_reason(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, ollama: StandIn
) -> None:
    rx = {"tool": "add_signal_port", "component": str(UART), "name": "rx", "direction": "in"}
    ollama.answers["/api/chat"] = saying(plan(INSTANCE, WIRE, rx))
    choose_mode(window, "Propose only")
    view = ask(window, qtbot, f"{REQUEST}. Add an input rx to {UART}")
    card = proposal(view, qtbot)
    qtbot.waitUntil(lambda: "u_spare" in window.view.design_scene().nodes)
    tick(card, 0, qtbot)
    qtbot.waitUntil(lambda: not card.rows[1].box.isEnabled())
    assert "u_spare" in card.rows[1].note.text()
    assert card.rows[2].box.isChecked()
    qtbot.waitUntil(lambda: "u_spare" not in window.view.design_scene().nodes)
    tick(card, 0, qtbot)
    qtbot.waitUntil(card.rows[1].box.isChecked)  # it comes back with what it needs
    tick(card, 0, qtbot)
    qtbot.waitUntil(lambda: card.apply.text() == "Apply 1 of 3")
    qtbot.mouseClick(card.apply, Qt.MouseButton.LeftButton)
    finished(window, qtbot)
    assert "rx" in workspace.library.get(UART).ports
    assert "u_spare" not in workspace.library.get(TOP).design.instances
    assert len(workspace.done) == 1
    assert card.title.text() == "Applied 1 of 3"


def test_what_is_rejected_leaves_no_trace(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, ollama: StandIn
) -> None:
    ollama.answers["/api/chat"] = saying(plan(INSTANCE, WIRE))
    choose_mode(window, "Propose only")
    qtbot.waitUntil(lambda: window.view.layout_is_there)
    before = workspace.library
    places = {key: node.pos() for key, node in window.view.design_scene().nodes.items()}
    card = proposal(ask(window, qtbot), qtbot)
    qtbot.waitUntil(lambda: window.view.shows_proposal)
    qtbot.mouseClick(card.reject, Qt.MouseButton.LeftButton)
    finished(window, qtbot)
    assert not window.view.shows_proposal
    assert workspace.library is before
    assert not workspace.done
    assert {key: node.pos() for key, node in window.view.design_scene().nodes.items()} == places
    assert not window.view.design_scene().ghosts
    assert card.title.text() == "Rejected"


def test_by_default_only_deletes_are_asked_about_and_the_canvas_shows_what_goes_along(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, ollama: StandIn
) -> None:
    deletion = {
        "tool": "delete_element",
        "component": str(TOP),
        "element_type": "subcomponent",
        "name": "u_uart",
    }
    ollama.answers["/api/chat"] = saying(plan(INSTANCE, WIRE), plan(deletion))
    ask(window, qtbot)
    finished(window, qtbot)
    assert "u_spare" in workspace.library.get(TOP).design.instances
    card = proposal(ask(window, qtbot, f"Delete the instance u_uart of {TOP}"), qtbot)
    assert "connection" in card.rows[0].note.text()
    qtbot.waitUntil(lambda: len(window.view.design_scene().ghosts) == 2)
    qtbot.keyClick(card.apply, Qt.Key.Key_Space)
    finished(window, qtbot)
    assert "u_uart" not in workspace.library.get(TOP).design.instances


def test_a_component_that_a_proposal_creates_is_seen_before_it_exists(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, ollama: StandIn
) -> None:
    fields = {"vendor": "acme", "library": "periph", "name": "gpio", "version": "1.0"}
    port = {"tool": "add_signal_port", "component": "acme:periph:gpio:1.0", "name": "irq", "direction": "out"}
    ollama.answers["/api/chat"] = saying(plan({"tool": "create_component", **fields}, port))
    choose_mode(window, "Propose only")
    gpio = Vlnv.parse("acme:periph:gpio:1.0")
    card = proposal(ask(window, qtbot, f"Create {gpio} with an output irq"), qtbot)
    qtbot.waitUntil(lambda: window.view.component == gpio)
    assert gpio not in workspace.library
    tick(card, 1, qtbot)
    qtbot.waitUntil(lambda: not window.view.design_scene().nodes[""].pins)
    qtbot.mouseClick(card.reject, Qt.MouseButton.LeftButton)
    finished(window, qtbot)
    assert window.view.component == TOP
    ollama.answers["/api/chat"] = saying(plan({"tool": "create_component", **fields}, port))
    card = proposal(ask(window, qtbot, f"Create {gpio} with an output irq"), qtbot)
    qtbot.mouseClick(card.apply, Qt.MouseButton.LeftButton)
    finished(window, qtbot)
    qtbot.waitUntil(lambda: window.document.component == gpio)


def test_an_edit_by_hand_while_a_plan_waits_is_seen_by_it(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, ollama: StandIn
) -> None:
    ollama.answers["/api/chat"] = saying(plan(INSTANCE, WIRE))
    choose_mode(window, "Propose only")
    card = proposal(ask(window, qtbot), qtbot)
    window.document.apply(
        operations.add_subcomponent, component=str(TOP), subcomponent=str(UART), instance_name="u_spare"
    )
    qtbot.waitUntil(lambda: not card.rows[0].box.isEnabled())
    assert "u_spare" in card.rows[0].note.text()
    qtbot.mouseClick(card.apply, Qt.MouseButton.LeftButton)
    finished(window, qtbot)
    assert [step.label for step in workspace.done][-1] == REQUEST
    assert len(workspace.done) == 2


def test_stop_ends_the_model_in_mid_answer(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, ollama: StandIn
) -> None:
    ollama.answers["/api/chat"] = silent
    before = workspace.library
    view = ask(window, qtbot)
    qtbot.waitUntil(lambda: bool(ollama.bodies("/api/chat")), timeout=20_000)
    assert window.chat.button.text() == "Stop"
    qtbot.mouseClick(window.chat.button, Qt.MouseButton.LeftButton)
    finished(window, qtbot)
    qtbot.waitUntil(lambda: "stopped" in view.status.text())
    qtbot.waitUntil(ollama.client_left.is_set)
    assert workspace.library is before


def test_stop_while_a_plan_waits_takes_the_drawing_away(
    window: MainWindow, qtbot: QtBot, workspace: Workspace, ollama: StandIn
) -> None:
    ollama.answers["/api/chat"] = saying(plan(INSTANCE, WIRE))
    choose_mode(window, "Propose only")
    card = proposal(ask(window, qtbot), qtbot)
    qtbot.waitUntil(lambda: window.view.shows_proposal)
    window.actions_["stop"].trigger()
    finished(window, qtbot)
    assert not window.view.shows_proposal
    assert card.title.text() == "Not applied"
    assert not workspace.done


def test_a_request_that_was_taken_back_is_not_in_the_next_prompt(
    window: MainWindow, qtbot: QtBot, ollama: StandIn
) -> None:
    def rx(name: str) -> dict[str, Any]:
        return plan({"tool": "add_signal_port", "component": str(UART), "name": name, "direction": "in"})

    ollama.answers["/api/chat"] = saying(rx("rx"), rx("cts_n"), rx("rts_n"))
    ask(window, qtbot, f"Add an input rx to {UART}")
    finished(window, qtbot)
    second = ask(window, qtbot, f"Add an input cts_n to {UART} too")
    finished(window, qtbot)
    qtbot.waitUntil(second.edit.isVisible)
    qtbot.mouseClick(second.edit, Qt.MouseButton.LeftButton)
    window.chat.field.clear()
    ask(window, qtbot, f"Add the same to {UART} as rts_n")
    finished(window, qtbot)
    prompt = str(ollama.bodies("/api/chat")[-1]["messages"])
    assert "Add an input rx" in prompt
    assert "cts_n" not in prompt


def test_the_rule_is_remembered(window: MainWindow, qtbot: QtBot) -> None:
    choose_mode(window, "Propose only")
    assert window.conversation.approval == "propose"
    assert window.chat.approval_button.text() == "Propose only ▾"
    assert window._settings.value("agent/trust") == "propose"
