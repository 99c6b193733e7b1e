"""The tour: walked by mouse and keys, skipped, offered once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop import first_start
from desktop.panels.tour import Tour
from desktop.window import MainWindow


def _tour(window: MainWindow) -> Tour:
    window.actions_["tour"].trigger()
    tour = window.findChild(Tour)
    assert isinstance(tour, Tour)
    return tour


def test_it_leads_through_every_part(window: MainWindow, qtbot: QtBot) -> None:
    tour = _tour(window)
    titles = [tour.title.text()]
    assert tour.geometry() == window.rect()
    assert not tour.back.isEnabled()
    while tour.next.text() != "Done":
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)
        titles.append(tour.title.text())
        assert window.rect().contains(tour.card.geometry())
    assert titles[:4] == ["Your library", "The design", "The agent", "The scores"]
    with qtbot.waitSignal(tour.ended):
        qtbot.mouseClick(tour.next, Qt.MouseButton.LeftButton)


def test_keys_walk_and_end_it(window: MainWindow, qtbot: QtBot) -> None:
    tour = _tour(window)
    for key, position in ((Qt.Key.Key_Right, 1), (Qt.Key.Key_Return, 2), (Qt.Key.Key_Left, 1)):
        qtbot.keyClick(tour, key)
        assert tour.position == position
    with qtbot.waitSignal(tour.ended):
        qtbot.keyClick(tour, Qt.Key.Key_Escape)


def test_it_keeps_covering_a_window_that_changes_its_size(window: MainWindow, qtbot: QtBot) -> None:
    tour = _tour(window)
    window.resize(1100, 720)
    qtbot.waitUntil(lambda: tour.geometry() == window.rect())
    assert window.rect().contains(tour.card.geometry())
    tour.end()


def test_it_is_offered_until_somebody_has_seen_it(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_start, "_FIRST_LOOK_MS", 0)
    first_start.offer_tour(window)
    qtbot.waitUntil(lambda: window.findChild(Tour) is not None)
    tour = window.findChild(Tour)
    assert isinstance(tour, Tour)
    with qtbot.waitSignal(tour.ended):
        qtbot.mouseClick(tour.skip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.findChild(Tour) is None)
    assert QSettings().value("tour/seen", False, bool)
    first_start.offer_tour(window)
    QApplication.processEvents()
    assert window.findChild(Tour) is None
