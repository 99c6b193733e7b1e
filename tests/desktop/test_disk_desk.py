"""The banner about files that another program changed: reload or keep, and what saving does after that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from desktop.disk_desk import question
from desktop.window import MainWindow
from model import operations
from model.storage import DiskChanges, save_all
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP, UART = Vlnv.parse("acme:soc:top:1.0"), Vlnv.parse("acme:periph:uart:1.0")


@pytest.fixture
def path(window: MainWindow, workspace: Workspace, qtbot: QtBot) -> Path:
    """The UART's file, saved and watched."""
    save_all(workspace)
    window.document.files_written()
    window.document.show(UART)
    window.disk.begin()
    qtbot.waitUntil(lambda: window.disk._watch is not None, timeout=20_000)
    return workspace.sources[UART].path


def _replace(path: Path, old: str, new: str) -> None:
    content = path.read_text(encoding="utf-8")
    assert old in content
    path.write_text(content.replace(old, new), encoding="utf-8")


def _look(window: MainWindow, qtbot: QtBot) -> None:
    window.disk.look()
    qtbot.waitUntil(window.banner.isVisible, timeout=20_000)


def _answer(qtbot: QtBot, words: str, asked: list[str]) -> Callable[[], None]:
    def answer() -> None:
        box = QApplication.activeModalWidget()
        if isinstance(box, QMessageBox):
            asked.append(box.informativeText())
            button = next(each for each in box.findChildren(QPushButton) if each.text() == words)
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    return answer


def test_reload_is_one_step(window: MainWindow, qtbot: QtBot, path: Path, workspace: Workspace) -> None:
    steps = len(workspace.done)
    _replace(path, ">irq<", ">interrupt<")
    _look(window, qtbot)
    assert window.banner.words.text() == f"{path.name} changed on disk."
    assert (window.banner.take.text(), window.banner.keep.text()) == ("Reload", "Keep mine")
    qtbot.mouseClick(window.banner.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "interrupt" in window.document.library.get(UART).ports, timeout=20_000)
    qtbot.waitUntil(lambda: not window.banner.isVisible(), timeout=20_000)
    assert len(workspace.done) == steps + 1
    assert workspace.done[-1].label == f"Reload {path.name}"
    assert UART not in window.document.unsaved
    window.document.undo()
    qtbot.waitUntil(lambda: "irq" in window.document.library.get(UART).ports, timeout=20_000)


def test_unsaved_edits_are_named_before_and_come_back_after(
    window: MainWindow, qtbot: QtBot, path: Path, workspace: Workspace
) -> None:
    window.document.apply(operations.add_signal_port, component=str(UART), name="mine", direction="in")
    _replace(path, ">irq<", ">interrupt<")
    _look(window, qtbot)
    assert "unsaved edits of uart 1.0; reloading replaces them, and undo brings them back" in window.banner.words.text()
    qtbot.mouseClick(window.banner.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "interrupt" in window.document.library.get(UART).ports, timeout=20_000)
    qtbot.waitUntil(lambda: "were replaced; undo brings them back" in window.toast.words.text(), timeout=20_000)
    window.document.undo()
    assert "mine" in workspace.library.get(UART).ports


def test_keeping_mine_makes_it_unsaved_and_saving_asks(
    window: MainWindow, qtbot: QtBot, path: Path, workspace: Workspace
) -> None:
    _replace(path, ">irq<", ">interrupt<")
    _look(window, qtbot)
    qtbot.mouseClick(window.banner.keep, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.banner.isVisible(), timeout=20_000)
    assert UART in window.document.unsaved
    asked: list[str] = []
    timer = QTimer()
    timer.timeout.connect(_answer(qtbot, "Cancel", asked))
    timer.start(10)
    window.actions_["save"].trigger()
    qtbot.waitUntil(lambda: bool(asked), timeout=20_000)
    assert "another program has changed it" in asked[0]
    assert ">interrupt<" in path.read_text(encoding="utf-8")
    timer.timeout.disconnect()
    timer.timeout.connect(_answer(qtbot, "Overwrite them", asked))
    window.actions_["save-all"].trigger()
    qtbot.waitUntil(lambda: ">irq<" in path.read_text(encoding="utf-8"), timeout=20_000)
    qtbot.waitUntil(lambda: UART not in window.document.unsaved, timeout=20_000)
    assert len(asked) == 2


def test_a_removed_file(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    path.unlink()
    _look(window, qtbot)
    assert window.banner.words.text() == f"{path.name} was removed from disk."
    qtbot.mouseClick(window.banner.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: UART not in window.document.library, timeout=20_000)
    window.document.undo()
    qtbot.waitUntil(lambda: UART in window.document.library, timeout=20_000)


def test_a_broken_file_keeps_what_was_loaded_and_the_question(
    window: MainWindow, qtbot: QtBot, path: Path, workspace: Workspace
) -> None:
    path.write_text("<ipxact", encoding="utf-8")
    before = workspace.library
    _look(window, qtbot)
    qtbot.mouseClick(window.banner.take, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "keeps what was loaded" in window.toast.words.text(), timeout=20_000)
    assert workspace.library is before
    qtbot.waitUntil(lambda: window.banner.isVisible() and window.banner.take.isEnabled(), timeout=20_000)


def test_a_change_that_is_taken_back_needs_no_answer(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content.replace(b">irq<", b">interrupt<"))
    _look(window, qtbot)
    path.write_bytes(content)
    window.disk.look()
    qtbot.waitUntil(lambda: not window.banner.isVisible(), timeout=20_000)


def test_it_looks_by_itself(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    window.disk._later.setInterval(10)
    window.disk.look()
    _replace(path, ">irq<", ">interrupt<")
    qtbot.waitUntil(window.banner.isVisible, timeout=20_000)


def test_another_workspace_is_asked_about_anew(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    _replace(path, ">irq<", ">interrupt<")
    _look(window, qtbot)
    with qtbot.waitSignal(window.document.completed, timeout=20_000):
        window.controller.files.open_path(path.parent)
    assert not window.banner.isVisible()
    assert "interrupt" in window.document.library.get(UART).ports


@pytest.mark.parametrize(
    ("changes", "edited", "asked"),
    [
        (
            DiskChanges((Path("cpu.xml"),)),
            (),
            ("cpu.xml changed on disk.", "Reload", "Keep mine"),
        ),
        (
            DiskChanges((Path("a.xml"), Path("b.xml"), Path("c.xml"), Path("d.xml"), Path("e.xml"))),
            (TOP, UART),
            (
                "a.xml, b.xml, c.xml and 2 more changed on disk. You have unsaved edits of top 1.0 and uart 1.0; "
                "reloading replaces them, and undo brings them back.",
                "Reload",
                "Keep mine",
            ),
        ),
        (
            DiskChanges((), (Path("a.xml"), Path("b.xml"))),
            (),
            ("a.xml and b.xml were removed from disk.", "Remove from the library", "Keep mine"),
        ),
        (DiskChanges((), (), (Path("a.xml"),)), (), ("a.xml is new in the folder.", "Load", "Ignore")),
        (
            DiskChanges((Path("a.xml"),), (Path("b.xml"),), (Path("c.xml"), Path("d.xml"))),
            (),
            (
                "a.xml changed on disk. b.xml was removed from disk. c.xml and d.xml are new in the folder.",
                "Reload",
                "Keep mine",
            ),
        ),
    ],
)
def test_what_is_asked(changes: DiskChanges, edited: tuple[Vlnv, ...], asked: tuple[str, str, str]) -> None:
    assert question(changes, edited) == asked
