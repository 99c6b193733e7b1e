"""Unsaved work survives the death of the process."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from desktop.recovery import Journal, LostWork, lost_work, put_back, recovery_folder
from desktop.window import MainWindow
from model import operations
from model.ipxact.canonical import canonical
from model.storage import Opened, open_workspace, save_all
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP, UART = Vlnv.parse("acme:soc:top:1.0"), Vlnv.parse("acme:periph:uart:1.0")

_EXAMPLE = Path(__file__).parents[2] / "resources" / "examples" / "tiny_soc"

# Edits without an end, and writes the journal after each: the kill comes at any moment.
_VICTIM = """
import sys
from pathlib import Path
from desktop.recovery import Journal
from model import operations
from model.workspace import Workspace
workspace = Workspace(folder=Path(sys.argv[1]))
journal = Journal(Path(sys.argv[2]))
workspace.apply(operations.create_component, vendor="acme", library="l", name="c", version="1.0")
for number in range(100_000):
    workspace.apply(operations.add_signal_port, component="acme:l:c:1.0", name=f"p{number}", direction="in")
    journal.write(workspace)
    print(number, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="There is no kill -9.")
@pytest.mark.parametrize("writes", [1, 7])
def test_what_was_written_survives_a_kill(tmp_path: Path, writes: int) -> None:
    project, journals = tmp_path / "project", tmp_path / "journals"
    project.mkdir()
    command = [sys.executable, "-c", textwrap.dedent(_VICTIM), str(project), str(journals)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as victim:
        assert victim.stdout is not None
        for _ in range(writes):
            written = int(victim.stdout.readline())
        assert lost_work(project, journals) is None  # it lives
        victim.send_signal(signal.SIGKILL)
        written = max([written, *(int(line) for line in victim.stdout if line.endswith("\n"))])
    lost = lost_work(project, journals)
    assert lost is not None
    (component,) = lost.read()
    # Everything that was said to be written is there, and at most the edit that was on its way besides.
    assert len(component.ports) in {written + 1, written + 2}
    assert list(project.iterdir()) == []
    assert lost_work(tmp_path, journals) is None  # other folders are not asked about
    lost.discard()
    assert lost_work(project, journals) is None
    assert list(journals.iterdir()) == []


def _die(journal: Journal) -> None:
    """What the system does with a process: its locks go, its files stay."""
    assert journal._lock is not None
    journal._lock.close()


def _lost(workspace: Workspace, folder: Path) -> LostWork:
    journal = Journal(folder)
    journal.write(workspace)
    _die(journal)
    lost = lost_work(workspace.folder, folder)
    assert lost is not None
    return lost


def test_instances_with_values_come_back_as_they_were(workspace: Workspace, tmp_path: Path) -> None:
    save_all(workspace)
    workspace.apply(
        operations.set_instance_parameter, component=str(TOP), instance_name="u_uart", parameter="DEPTH", value="32"
    )
    lost = _lost(workspace, tmp_path / "journals")
    assert list(lost.components) == [TOP]
    (component,) = lost.read()
    assert canonical(component) == canonical(workspace.library.get(TOP))


def test_what_is_restored_is_saved_to_the_same_bytes(tmp_path: Path) -> None:
    first, second = (Path(shutil.copytree(_EXAMPLE, tmp_path / name)) for name in ("a", "b"))
    without, crashed = open_workspace(first).workspace, open_workspace(second).workspace
    again = open_workspace(second).workspace
    for workspace in (without, crashed):
        for component in list(workspace.library):
            workspace.apply(operations.add_signal_port, component=str(component.vlnv), name="extra", direction="in")
    again.apply(put_back, components=_lost(crashed, tmp_path / "journals").read())
    save_all(without)
    save_all(again)
    files = sorted(path.relative_to(first) for path in first.rglob("*.xml"))
    assert {path: (first / path).read_bytes() for path in files} == {
        path: (second / path).read_bytes() for path in files
    }


def test_saving_and_closing_leave_nothing_behind(workspace: Workspace, tmp_path: Path) -> None:
    journals = tmp_path / "journals"
    journal = Journal(journals)
    journal.write(workspace)
    assert list(journals.iterdir()) != []
    save_all(workspace)
    journal.write(workspace)
    assert list(journals.iterdir()) == []
    workspace.apply(operations.add_signal_port, component=str(TOP), name="x", direction="in")
    journal.write(workspace)
    journal.close()
    journal.write(workspace)  # a late one counts no more
    assert list(journals.iterdir()) == []


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}"])
def test_a_damaged_journal_is_no_work(workspace: Workspace, tmp_path: Path, damage: str) -> None:
    lost = _lost(workspace, tmp_path / "journals")
    (lost.place / "journal.json").write_text(damage, encoding="utf-8")
    assert lost_work(workspace.folder, tmp_path / "journals") is None


@pytest.fixture
def saved(workspace: Workspace) -> Workspace:
    """The workspace as its files have it."""
    save_all(workspace)
    return workspace


@pytest.fixture
def after_a_crash(application: QApplication, qtbot: QtBot, saved: Workspace) -> Iterator[MainWindow]:
    """A window on a folder on which an earlier one died with a port that was not saved."""
    before = saved.library
    saved.apply(operations.add_signal_port, component=str(TOP), name="lost", direction="in")
    _lost(saved, recovery_folder())
    saved.restore(before)
    shown = MainWindow(Opened(saved, (), TOP))
    with qtbot.waitExposed(shown):
        shown.show()
    yield shown
    shown.shut_down()
    shown.deleteLater()


def _answer(qtbot: QtBot, words: str) -> None:
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    assert "top 1.0" in box.informativeText()
    qtbot.mouseClick(
        next(each for each in box.findChildren(QPushButton) if each.text() == words), Qt.MouseButton.LeftButton
    )


def test_lost_work_is_offered_and_restored_as_one_step(
    after_a_crash: MainWindow, qtbot: QtBot, saved: Workspace
) -> None:
    with qtbot.waitSignal(after_a_crash.safety.written, timeout=20_000):
        _answer(qtbot, "Restore")
    assert "lost" in saved.library.get(TOP).ports
    assert saved.unsaved() == (TOP,)
    (own,) = recovery_folder().iterdir()  # what was restored is kept again, and just once
    assert own == after_a_crash.safety.journal._place
    after_a_crash.document.undo()
    assert saved.unsaved() == ()


def test_lost_work_can_be_discarded_or_left_for_later(
    after_a_crash: MainWindow, qtbot: QtBot, saved: Workspace
) -> None:
    _answer(qtbot, "Ask me next time")
    assert lost_work(saved.folder) is not None
    after_a_crash.safety.offer()
    _answer(qtbot, "Discard")
    qtbot.waitUntil(lambda: lost_work(saved.folder) is None)
    assert "lost" not in saved.library.get(TOP).ports


def test_an_edit_is_kept_without_being_asked_and_forgotten_once_saved(
    application: QApplication, qtbot: QtBot, saved: Workspace
) -> None:
    shown = MainWindow(Opened(saved, (), TOP))
    with qtbot.waitExposed(shown):
        shown.show()
    try:
        with qtbot.waitSignal(shown.safety.written, timeout=20_000):
            shown.document.apply(operations.add_signal_port, component=str(TOP), name="x", direction="in")
        assert [each.name for each in recovery_folder().iterdir()] == [shown.safety.journal._place.name]
        with qtbot.waitSignal(shown.safety.written, timeout=20_000):
            shown.actions_["save-all"].trigger()
        assert list(recovery_folder().iterdir()) == []
    finally:
        shown.shut_down()
        shown.deleteLater()
