"""Opening in the background: the tree fills at once, the window stays usable, and it can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

import desktop.opening
from desktop import application as applications
from desktop.opening import OpeningStopped
from desktop.window import MainWindow
from model import operations
from model.storage import Bodies, Opened, open_heads, save_all
from model.unread import Unread
from model.vlnv import Vlnv
from model.workspace import Workspace

UART = Vlnv.parse("acme:periph:uart:1.0")
_COMPONENT = """<?xml version="1.0" encoding="UTF-8"?>
<ipxact:component xmlns:ipxact="http://www.accellera.org/XMLSchema/IPXACT/1685-2022">
  <ipxact:vendor>many</ipxact:vendor><ipxact:library>ip</ipxact:library>
  <ipxact:name>part{number}</ipxact:name><ipxact:version>1.0</ipxact:version>
  <ipxact:model><ipxact:ports>
    <ipxact:port><ipxact:name>p{number}</ipxact:name><ipxact:wire><ipxact:direction>{way}</ipxact:direction>
    </ipxact:wire></ipxact:port>
  </ipxact:ports></ipxact:model>
</ipxact:component>
"""


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A folder of 40 components, one of them with a fault, and a file that is something else."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(40):
        way = "sideways" if number == 7 else "in"
        (folder / f"part{number}.xml").write_text(_COMPONENT.format(number=number, way=way), encoding="utf-8")
    (folder / "settings.xml").write_text("<settings/>", encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def saved(workspace: Workspace) -> None:
    """Nothing to ask about when another folder is opened."""
    save_all(workspace)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Holds the reading of bodies up until it is set; every step is reported."""
    event = threading.Event()
    read = Bodies.read
    monkeypatch.setattr(desktop.opening, "_FIRST_S", -1.0)
    monkeypatch.setattr(desktop.opening, "_BETWEEN_S", 0.0)
    monkeypatch.setattr(Bodies, "read", lambda self, progress: event.wait(20) and read(self, progress))
    yield event
    event.set()


def _said(window: MainWindow, words: str) -> bool:
    return window.toast.isVisible() and words in window.toast.words.text()


def _vlnv(number: int) -> Vlnv:
    return Vlnv("many", "ip", f"part{number}", "1.0")


def test_the_tree_is_full_before_a_component_is_read(
    window: MainWindow, qtbot: QtBot, many: Path, gate: threading.Event
) -> None:
    with qtbot.waitSignal(window.document.reopened, timeout=20_000):
        window.controller.files.open_path(many)
    library = window.document.library
    assert len(window.library._items) == 40
    assert window.library.count.text() == "40"
    assert all(library.is_unread(vlnv) for vlnv in library.components)
    assert window.controller.files.opener.is_busy
    # The window can be used meanwhile: what is looked at is read at once, and edits keep to the rules.
    window.document.show(_vlnv(3))
    assert not library.is_unread(_vlnv(3))
    window.document.apply(operations.add_signal_port, component=str(_vlnv(3)), name="extra", direction="out")
    qtbot.waitUntil(lambda: _vlnv(3) in window.document.unsaved, timeout=20_000)
    with qtbot.waitSignal(window.document.completed, timeout=20_000):
        gate.set()
    assert not any(library.is_unread(vlnv) for vlnv in library.components)
    assert window.document.component == _vlnv(3)
    assert "extra" in window.document.library.get(_vlnv(3)).ports
    assert {finding.code for finding in window.document.findings} == {"not-ipxact", "bad-direction"}
    assert _said(window, "Opened 40 components; 2 findings, see Problems of the whole library.")
    window.library.filter.setText("p39")
    assert window.library.proxy.rowCount() == 1
    window.document.undo()


def test_one_is_shown_where_the_user_has_chosen_none(window: MainWindow, qtbot: QtBot, many: Path) -> None:
    with qtbot.waitSignal(window.document.completed, timeout=20_000):
        window.controller.files.open_path(many)
    assert window.document.component is not None
    assert not window.progress.isVisible()


def test_progress_is_shown_and_reading_can_be_stopped(
    window: MainWindow, qtbot: QtBot, many: Path, gate: threading.Event
) -> None:
    seen: list[tuple[str, int, int]] = []
    window.controller.files.opener.progressed.connect(lambda *told: seen.append(told))
    with qtbot.waitSignal(window.document.reopened, timeout=20_000):
        window.controller.files.open_path(many)
    files = [told for told in seen if told[0] == "files"]
    assert files[0] == ("files", 1, 41)
    assert files[-1][1] > 30
    qtbot.mouseClick(window.progress.stop, Qt.MouseButton.LeftButton)
    gate.set()
    qtbot.waitUntil(lambda: _said(window, "1 of 40 components were read."), timeout=20_000)
    assert not window.progress.isVisible()
    library = window.document.library
    assert sum(library.is_unread(vlnv) for vlnv in library.components) == 39
    last = next(vlnv for vlnv in reversed(list(library.components)) if library.is_unread(vlnv))
    window.document.show(last)
    assert len(library.get(last).ports) == 1


def test_what_the_bar_says(window: MainWindow) -> None:
    window.progress.show_progress("components", 120, 1_400)
    assert window.progress.isVisible()
    assert window.progress.words.text() == "Reading components 120 of 1,400"
    assert (window.progress.bar.value(), window.progress.bar.maximum()) == (120, 1_400)


def test_stopped_while_files_are_looked_at_the_open_design_stays(
    window: MainWindow, qtbot: QtBot, many: Path, monkeypatch: pytest.MonkeyPatch, workspace: Workspace
) -> None:
    started, go = threading.Event(), threading.Event()

    def slowly(path: Path, progress: object) -> Opened:
        started.set()
        assert go.wait(20)
        return open_heads(path, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(desktop.opening, "open_heads", slowly)
    window.controller.files.open_path(many)
    assert started.wait(20)
    window.progress.stop_requested.emit()
    go.set()
    qtbot.waitUntil(lambda: _said(window, "The design that was open stays open."), timeout=20_000)
    assert window.document.workspace is workspace
    assert not window.controller.files.opener.is_busy


def test_a_second_folder_takes_the_place_of_the_first(
    window: MainWindow, qtbot: QtBot, many: Path, tmp_path: Path, gate: threading.Event
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "part7.xml").write_text(_COMPONENT.format(number=7, way="in"), encoding="utf-8")
    with qtbot.waitSignal(window.document.reopened, timeout=20_000):
        window.controller.files.open_path(many)
    with qtbot.waitSignal(window.document.reopened, timeout=20_000):
        window.controller.files.open_path(other)
    with qtbot.waitSignal(window.document.completed, timeout=20_000):
        gate.set()
    assert list(window.document.library.components) == [_vlnv(7)]
    assert not window.document.findings


def test_edits_made_while_a_folder_is_looked_at_are_asked_about(
    window: MainWindow, qtbot: QtBot, many: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slowly(path: Path, progress: object) -> Opened:
        assert go.wait(20)
        return open_heads(path, progress)  # type: ignore[arg-type]

    monkeypatch.setattr(desktop.opening, "open_heads", slowly)
    window.controller.files.open_path(many)
    window.document.apply(operations.add_signal_port, component=str(UART), name="late", direction="in")
    asked: list[str] = []

    def answer() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            asked.append(box.text())
            qtbot.keyClick(box, Qt.Key.Key_Escape)

    timer = QTimer()
    timer.timeout.connect(answer)
    timer.start(10)
    go.set()
    qtbot.waitUntil(lambda: bool(asked), timeout=20_000)
    assert asked == ["uart 1.0 has changes that are not saved."]
    assert window.document.workspace is workspace
    assert not window.controller.files.opener.is_busy


def test_a_fault_of_a_reader_reaches_the_window(window: MainWindow, qtbot: QtBot, workspace: Workspace) -> None:
    def fails() -> object:
        raise ValueError("a fault")

    bodies = Bodies(workspace.library, frozenset(), (Unread(fails),))  # type: ignore[arg-type]
    opener = window.controller.files.opener
    with qtbot.waitSignal(window.bridge.failed, timeout=20_000) as failed:
        opener.read(Opened(workspace, (), None, bodies), lambda _found: None, lambda _count, _total: None)
    assert str(failed.args[0]) == "a fault"
    assert not opener.is_busy


def test_a_folder_that_is_given_at_the_start_is_opened_in_the_background(
    application: QApplication, qtbot: QtBot, many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[MainWindow] = []
    really = applications.open_window

    def open_window(opened: Opened, model: str | None) -> MainWindow:
        assert not len(opened.workspace.library)
        made.append(really(opened, model))
        return made[0]

    monkeypatch.setattr(applications, "open_window", open_window)
    monkeypatch.setattr(applications, "start_log", lambda: None)
    monkeypatch.setattr(applications.Failures, "install", lambda _self: None)
    monkeypatch.setattr(type(application), "exec", lambda *_self: 0)
    assert applications.run_window(many, None) == 0
    (window,) = made
    qtbot.waitUntil(lambda: len(window.document.library) == 40 and window.document.bodies is None, timeout=20_000)
    window.shut_down()
    window.deleteLater()


def test_stopping_is_no_fault() -> None:
    assert not issubclass(OpeningStopped, (OSError, ValueError))
