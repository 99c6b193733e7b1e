"""A design of Kactus2 in the window: it opens as it was drawn, and a move is written where Kactus2 keeps it."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from gestures import drag, inside_place, places
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.canvas.positions import FILE
from desktop.window import MainWindow
from model.storage import Opened, open_workspace
from model.vlnv import Vlnv

LIBRARY = Path(__file__).parents[3] / "shared" / "ipxact" / "kactus2-example-library"
CORE = Vlnv.parse("tut.fi:cpu.subsystem:core_example:1.0")
DESIGN = Path("tut.fi/cpu.subsystem/core_example/1.0/core_example.design.1.0.xml")

pytestmark = pytest.mark.skipif(not LIBRARY.is_dir(), reason="the corpus of public files is not here")


@contextmanager
def opened(folder: Path, qtbot: QtBot) -> Iterator[MainWindow]:
    window = MainWindow(Opened(open_workspace(folder).workspace, (), CORE))
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: window.view.layout_is_there, timeout=20_000)
    try:
        yield window
    finally:
        window.shut_down()
        window.deleteLater()


def changed_lines(one: bytes, other: bytes) -> list[str]:
    lines = difflib.unified_diff(one.decode().splitlines(), other.decode().splitlines(), n=0)
    return [line[0] + line[1:].strip() for line in lines if line[:1] in "+-" and line[:3] not in {"+++", "---"}]


def test_a_moved_port_is_saved_into_the_file_and_stands_there_at_the_next_start(
    application: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    shutil.copytree(LIBRARY, folder)
    before = (folder / DESIGN).read_bytes()
    with opened(folder, qtbot) as window:
        view = window.view
        started = places(view)
        assert started["interface:instructions"][0] < started["alu"][0] < started["port:clk_i"][0]
        assert not window.canvas.has_moved(CORE)
        view.fit()
        start = inside_place(view, "interface:instructions")
        with qtbot.waitSignal(view.layout_finished, timeout=20_000):
            drag(view, start, start + QPoint(0, 60))
        moved = places(view)
        assert {key for key in moved if moved[key] != started[key]} == {"interface:instructions"}
        assert window.canvas.has_moved(CORE)
        window.actions_["save"].trigger()
        qtbot.waitUntil(lambda: (folder / DESIGN).read_bytes() != before, timeout=20_000)
        qtbot.waitUntil(lambda: not window.canvas.has_moved(CORE))
    lines = changed_lines(before, (folder / DESIGN).read_bytes())
    removed, added = ([line for line in lines if line[0] == sign] for sign in "-+")
    # The port's own line, and the corners of its wire: Kactus2 makes these anew.
    assert removed == ['-<kactus2:position x="170" y="250"/>', *['-<kactus2:position x="60" y="250"/>'] * 2]
    assert len(added) == 1
    assert added[0].startswith('+<kactus2:position x="60" y="')
    with opened(folder, qtbot) as window:
        assert places(window.view) == moved
    shutil.rmtree((folder / FILE).parent)  # as somebody else has it, who gets the design's file alone
    with opened(folder, qtbot) as window:
        found = places(window.view)
        assert found["interface:instructions"][1] == pytest.approx(moved["interface:instructions"][1], abs=10)
