"""A suite played before an audience; the agent, its server and the workspace are real, the model is a stand-in."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from small_suite import SUITE, UART
from stand_in_ollama import MODEL, plan, saying
from stand_in_server import Request, StandIn

from desktop.stage.chooser import StageDialog
from desktop.stage.window import StageWindow
from desktop.window import MainWindow
from model.storage import Opened
from model.vlnv import Vlnv
from model.workspace import Workspace

PORT = {"tool": "add_signal_port", "component": UART, "name": "clk", "direction": "in"}


def right_but_for_rx(request: Request) -> None:
    """Add clk as asked, and nothing else, however often it is asked."""
    asked = str(request.body["messages"][-1]["content"])
    saying(plan(PORT) if "input clk" in asked.rpartition("Request:")[2] else plan())(request)


@pytest.fixture
def window(ollama: StandIn, qtbot: QtBot, workspace: Workspace) -> Iterator[MainWindow]:
    """The first window, on a design of the user's own."""
    shown = MainWindow(Opened(workspace, (), Vlnv.parse("acme:soc:top:1.0")), MODEL)
    with qtbot.waitExposed(shown):
        shown.show()
    yield shown
    shown.shut_down()
    shown.deleteLater()


def _stage() -> StageWindow | None:
    return next((each for each in QApplication.topLevelWidgets() if isinstance(each, StageWindow)), None)


def _choose(window: MainWindow, qtbot: QtBot, suite: Path, tasks: str) -> None:
    window.actions_["demonstrate"].trigger()
    dialog = window.findChildren(StageDialog)[-1]
    dialog.suites.addItem("small", str(suite))
    dialog.suites.setCurrentIndex(dialog.suites.count() - 1)
    dialog.tasks.setText(tasks)
    qtbot.mouseClick(dialog.play, Qt.MouseButton.LeftButton)


@pytest.fixture
def stage(window: MainWindow, ollama: StandIn, qtbot: QtBot, tmp_path: Path) -> Iterator[StageWindow]:
    suite = tmp_path / "small.yaml"
    suite.write_text(SUITE)
    _choose(window, qtbot, suite, "1-3")
    qtbot.waitUntil(lambda: _stage() is not None, timeout=10_000)
    shown = _stage()
    assert shown is not None
    shown.player.speed = 30.0
    yield shown
    if _stage() is shown:
        with qtbot.waitSignal(shown.closed):
            shown.close()


def _click(qtbot: QtBot, button: QPushButton) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_tasks_are_typed_carried_out_and_scored_one_by_one(
    stage: StageWindow, window: MainWindow, ollama: StandIn, qtbot: QtBot
) -> None:
    ollama.answers["/api/chat"] = right_but_for_rx
    mine = window.document.library
    typed: list[str] = []
    stage.player.changed.connect(lambda: typed.append(stage.player.shown))
    qtbot.waitUntil(lambda: stage.player.step == "over", timeout=30_000)
    request = f"Add the input clk to {UART}."
    assert any(request.startswith(text) and 0 < len(text) < len(request) for text in typed)
    assert "Add the input rx to it, too." in typed
    ecc = [row.score.ecc if row.score else None for row in stage.player.outcomes]
    assert ecc[:2] == [1.0, 0.0]
    assert len(stage.scores.rows) == 3
    assert stage.caption.figures.text() == "0.50"
    assert "3 of 3" in stage.caption.figures_words.text()
    # The third task begins as if the second had been done rightly.
    uart = stage.document.library.get(Vlnv.parse(UART))
    assert list(uart.ports)[:2] == ["clk", "rx"]
    assert window.document.library is mine


def test_paused_it_stands_still_before_the_agent_and_after_the_score(
    stage: StageWindow, ollama: StandIn, qtbot: QtBot
) -> None:
    ollama.answers["/api/chat"] = right_but_for_rx
    player = stage.player
    _click(qtbot, stage.caption.pause)
    qtbot.waitUntil(lambda: player.step == "asked", timeout=10_000)
    assert stage.caption.request.text() == f"Add the input clk to {UART}."
    assert not ollama.bodies("/api/chat")
    _click(qtbot, stage.caption.next)
    qtbot.waitUntil(lambda: player.step == "scored", timeout=20_000)
    assert stage.caption.outcome.text().startswith("exactly as asked")
    assert player.number == 0
    _click(qtbot, stage.caption.next)
    qtbot.waitUntil(lambda: player.step == "asked" and player.number == 1, timeout=10_000)
    _click(qtbot, stage.caption.pause)
    qtbot.waitUntil(lambda: player.step == "over", timeout=30_000)
    assert len(player.outcomes) == 3


def test_next_finishes_typing_and_stops_an_agent_that_takes_too_long(
    stage: StageWindow, ollama: StandIn, qtbot: QtBot
) -> None:
    held, go_on = threading.Event(), threading.Event()

    def hold(request: Request) -> None:
        if not held.is_set():
            held.set()
            go_on.wait(20)
            return
        right_but_for_rx(request)

    ollama.answers["/api/chat"] = hold
    player = stage.player
    player.speed = 0.01
    qtbot.waitUntil(lambda: player.step == "typing", timeout=10_000)
    _click(qtbot, stage.caption.next)
    qtbot.waitUntil(lambda: player.step == "asked")
    _click(qtbot, stage.caption.next)
    qtbot.waitUntil(held.is_set, timeout=10_000)
    _click(qtbot, stage.caption.next)
    qtbot.waitUntil(lambda: player.step == "scored", timeout=10_000)
    go_on.set()
    assert stage.caption.outcome.text().startswith("stopped")


def test_it_ends_at_once_without_questions(stage: StageWindow, ollama: StandIn, qtbot: QtBot) -> None:
    ollama.answers["/api/chat"] = right_but_for_rx
    qtbot.waitUntil(lambda: len(stage.player.outcomes) == 1, timeout=20_000)
    with qtbot.waitSignal(stage.closed):
        _click(qtbot, stage.caption.end)


def test_without_a_model_it_says_what_to_do(window: MainWindow, ollama: StandIn, qtbot: QtBot, tmp_path: Path) -> None:
    suite = tmp_path / "small.yaml"
    suite.write_text(SUITE)
    window.conversation.model_name = "ollama:nobody"
    _choose(window, qtbot, suite, "")
    qtbot.waitUntil(lambda: _stage() is not None, timeout=10_000)
    stage = _stage()
    assert stage is not None
    stage.player.speed = 30.0
    qtbot.waitUntil(lambda: stage.player.step == "over", timeout=20_000)
    assert "nobody" in stage.caption.outcome.text()
    with qtbot.waitSignal(stage.closed):
        stage.close()


def test_a_choice_that_cannot_be_played_says_why(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    suite = tmp_path / "small.yaml"
    suite.write_text(SUITE)
    for tasks, words in (("x", "does not select tasks"), ("77", "just 4 tasks")):
        _choose(window, qtbot, suite, tasks)
        dialog = window.findChildren(StageDialog)[-1]
        qtbot.waitUntil(lambda dialog=dialog, words=words: words in dialog.error.text(), timeout=10_000)
        dialog.reject()
    assert _stage() is None
