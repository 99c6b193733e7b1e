"""The worker thread: results come back in Qt's thread, failures are told, the end is clean."""

from __future__ import annotations

import asyncio
import gc
import threading

import anyio
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.bridge import Bridge
from model import operations
from model.change import Change
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


def test_changes_that_come_faster_than_they_are_shown_arrive_as_one(qapp: QApplication, qtbot: QtBot) -> None:
    bridge = Bridge()
    workspace = Workspace()
    bridge.watch(workspace)
    seen: list[tuple[Change, Library]] = []
    bridge.changed.connect(lambda change, library: seen.append((change, library)))
    with qtbot.waitSignal(bridge.changed):
        workspace.apply(operations.create_component, vendor="a", library="b", name="c", version="1")
        for number in range(300):
            workspace.apply(operations.add_signal_port, component="a:b:c:1", name=f"p{number}", direction="in")
        workspace.apply(operations.delete_element, component="a:b:c:1", element_type="signal_port", name="p7")
    ((change, library),) = seen
    assert library is workspace.library
    assert len(change.added) == 300
    assert change.removed == ()
    with qtbot.waitSignal(bridge.changed):
        workspace.undo()
    assert len(seen) == 2
    bridge.close()
