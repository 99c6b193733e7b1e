"""The score panel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from agent.evaluation.suites import Task
from agent.events import CallFinished, RequestFinished
from agent.models.base import Usage
from desktop.panels.scores import ScorePanel
from desktop.scorebook import judge
from desktop.theme.theme import Theme

PORT = {"component": "a:b:c:1.0", "name": "clk", "direction": "in"}


@pytest.fixture
def panel(application: QApplication, qtbot: QtBot) -> Iterator[ScorePanel]:
    made = ScorePanel(Theme.of_application())
    made.resize(420, 300)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.close()
    made.deleteLater()


def _finished() -> RequestFinished:
    call = CallFinished(1, 0, "add_signal_port", PORT, True, "done", {}, 0.001)
    return RequestFinished(1, "done", "", 2.04, Usage(completion_tokens=40), (call,))


def test_each_request_is_a_row_and_the_newest_is_open(panel: ScorePanel) -> None:
    task = Task(id="e1", prompt="p", expected=({"tool": "add_signal_port", "args": PORT},))
    panel.add(judge("Add a clock", _finished(), task))
    panel.add(judge("Just so", _finished(), None))
    first, second = panel.table.topLevelItem(0), panel.table.topLevelItem(1)
    assert first is not None
    assert second is not None
    assert [first.text(column) for column in range(8)] == ["Just so", "", "", "0.00", "", "", "2.0", "40"]
    cells = ["Add a clock", "1.00", "0.00", "0.00", "–", "–", "2.0", "40"]
    assert [second.text(column) for column in range(8)] == cells
    assert first.isExpanded()
    assert not second.isExpanded()
    assert second.child(0).text(0).startswith("matched: add_signal_port clk in in c 1.0")
    assert panel.summary.text() == "ECC 1.00 · 2 requests"
    assert (
        panel.totals.text() == "1 of 2 requests scored · ECC 1.00 · EVCR 0.00 · TFR 0.00 [0.00–0.00] · 4.1 s, 80 tokens"
    )


def test_tokens_have_a_column_where_there_is_room(panel: ScorePanel) -> None:
    panel.add(judge("Just so", _finished(), None))
    assert panel.table.isColumnHidden(7)
    panel.resize(520, 300)
    assert not panel.table.isColumnHidden(7)


def test_the_session_can_be_cleared(panel: ScorePanel) -> None:
    panel.add(judge("Just so", _finished(), None))
    panel.clear()
    assert panel.rows == ()
    assert panel.table.topLevelItemCount() == 0
    assert panel.empty.isVisible()


def _button(panel: ScorePanel, name: str) -> QPushButton:
    found = panel.table.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    return found


def test_a_mark_scores_the_request_and_the_keyboard_stays(panel: ScorePanel, qtbot: QtBot) -> None:
    panel.add(judge("Add a clock", _finished(), None))
    with qtbot.waitSignal(panel.changed):
        qtbot.mouseClick(_button(panel, "right-0-0"), Qt.MouseButton.LeftButton)
    item = panel.table.topLevelItem(0)
    assert item is not None
    assert [item.text(column) for column in range(1, 5)] == ["1.00", "0.00", "0.00", "–"]
    assert panel.summary.text() == "ECC 1.00 · 1 request"
    wrong = _button(panel, "wrong-0-0")
    wrong.setFocus()
    qtbot.keyClick(wrong, Qt.Key.Key_Space)
    assert panel.rows[0].score is None  # nothing is expected yet
    assert _button(panel, "wrong-0-0").hasFocus() or panel.table.hasFocus()
    qtbot.mouseClick(_button(panel, "nocall-0"), Qt.MouseButton.LeftButton)
    assert panel.rows[0].score is not None
    assert panel.rows[0].score.nca == 0.0
    with qtbot.waitSignal(panel.task_save_requested) as wanted:
        qtbot.mouseClick(_button(panel, "save-0"), Qt.MouseButton.LeftButton)
    assert wanted.args == [0]
