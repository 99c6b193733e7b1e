"""The worker thread: results come back in Qt's thread, failures are told, the end is clean."""

from __future__ import annotations

import asyncio
import gc
import threading
from functools import reduce

import anyio
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.bridge import Bridge
from desktop.deliveries import FEWEST, MOST
from model import operations
from model.change import Change
from model.difference import change_between
from model.library import Library
from model.workspace import Workspace


def test_closing_awaits_what_a_library_has_only_just_spawned(qapp: QApplication) -> None:
    """A coroutine that is never awaited is a warning, and so an error, when it is collected."""
    bridge = Bridge()
    waiting, ended = threading.Event(), []
    spawn = asyncio.Event()

    async def child() -> None:
        await asyncio.Event().wait()

    async def work() -> None:
        try:
            async with anyio.create_task_group() as group:
                waiting.set()
                await spawn.wait()
                group.start_soon(child)
                await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def last() -> None:
        spawn.set()
        await asyncio.sleep(0)  # ``work`` spawns its child; the closing goes on before the child's first step

    bridge.run(work())
    assert waiting.wait(10)
    bridge.close(last)
    assert ended == [True]
    gc.collect()


async def _name_of_thread() -> str:
    return threading.current_thread().name


def test_a_coroutine_runs_elsewhere_and_reports_here(qapp: QApplication, qtbot: QtBot) -> None:
    bridge = Bridge()
    seen: list[tuple[str, str]] = []
    bridge.run(_name_of_thread(), lambda name: seen.append((name, threading.current_thread().name)))
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [("blockwright-async", threading.current_thread().name)]
    bridge.close()


def test_a_failure_that_nobody_takes_is_told(
    qapp: QApplication, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    bridge = Bridge()

    def fail() -> None:
        raise ValueError("no good")

    with qtbot.waitSignal(bridge.failed) as told:
        bridge.run_blocking(fail)
    assert isinstance(told.args[0], ValueError)
    assert "no good" in caplog.text
    bridge.close()


def test_closing_cancels_what_runs_and_delivers_nothing_more(qapp: QApplication, qtbot: QtBot) -> None:
    bridge = Bridge()
    started, delivered = threading.Event(), []

    async def forever() -> None:
        started.set()
        await asyncio.Event().wait()

    bridge.run(forever(), delivered.append, delivered.append)
    assert started.wait(10)
    closed: list[bool] = []

    async def last() -> None:
        closed.append(True)

    bridge.close(last)
    assert closed == [True]
    assert bridge.closed
    qapp.processEvents()
    assert delivered == []
    assert not any(thread.name == "blockwright-async" for thread in threading.enumerate())


def test_changes_that_come_faster_than_they_are_shown_arrive_merged_and_in_portions(
    qapp: QApplication, qtbot: QtBot
) -> None:
    bridge = Bridge()
    workspace = Workspace()
    bridge.watch(workspace)
    seen: list[tuple[Change, Library]] = []
    bridge.changed.connect(lambda change, library: seen.append((change, library)))
    workspace.apply(operations.create_component, vendor="a", library="b", name="c", version="1")
    for number in range(300):
        workspace.apply(operations.add_signal_port, component="a:b:c:1", name=f"p{number}", direction="in")
    workspace.apply(operations.delete_element, component="a:b:c:1", element_type="signal_port", name="p7")
    qtbot.waitUntil(lambda: bool(seen) and seen[-1][1] is workspace.library)
    assert 1 < len(seen) < 302 / FEWEST + 1
    assert all(len(change.added) <= MOST for change, _library in seen)
    whole = reduce(Change.then, (change for change, _library in seen))
    assert len(whole.added) == 300
    assert whole.removed == ()
    assert change_between(Library(), workspace.library).added == whole.added
    count = len(seen)
    with qtbot.waitSignal(bridge.changed):
        workspace.undo()
    assert len(seen) == count + 1
    bridge.close()


def test_a_callback_comes_after_the_changes_before_it_and_before_those_after_it(
    qapp: QApplication, qtbot: QtBot
) -> None:
    bridge = Bridge()
    workspace = Workspace()
    bridge.watch(workspace)
    shown = Library()
    seen: list[int] = []

    def show(_change: Change, library: Library) -> None:
        nonlocal shown
        shown = library

    bridge.changed.connect(show)
    for number in range(100):
        workspace.apply(operations.create_component, vendor="a", library="b", name=f"c{number}", version="1")
        if number % 40 == 39:
            bridge.post(lambda: seen.append(len(shown)))
    qtbot.waitUntil(lambda: len(shown) == 100)
    assert seen == [40, 80]
    bridge.close()


def test_what_a_callback_raises_holds_up_nothing(qapp: QApplication, qtbot: QtBot) -> None:
    bridge = Bridge()
    workspace = Workspace()
    bridge.watch(workspace)
    seen: list[Library] = []
    bridge.changed.connect(lambda _change, library: seen.append(library))

    def fail() -> None:
        raise ValueError("no good")

    with qtbot.captureExceptions() as raised:
        bridge.post(fail)
        workspace.apply(operations.create_component, vendor="a", library="b", name="c", version="1")
        qtbot.waitUntil(lambda: bool(seen))
    assert [kind for kind, _error, _trace in raised] == [ValueError]
    bridge.close()


def test_what_another_folder_left_is_not_delivered(qapp: QApplication, qtbot: QtBot) -> None:
    bridge = Bridge()
    old, new = Workspace(), Workspace()
    bridge.watch(old)
    seen: list[Library] = []
    bridge.changed.connect(lambda _change, library: seen.append(library))
    old.apply(operations.create_component, vendor="a", library="b", name="old", version="1")
    bridge.watch(new)
    new.apply(operations.create_component, vendor="a", library="b", name="new", version="1")
    qtbot.waitUntil(lambda: bool(seen))
    assert seen == [new.library]
    bridge.close()
