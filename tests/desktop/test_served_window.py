"""Other programs' calls while people work in the window: menus, dialogs, many calls, coming and going."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from desktop.panels.connect_dialog import ConnectDialog
from desktop.window import MainWindow
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.desktop_service import DesktopService, RunningDesktop, find_desktop

TOP = "acme:soc:top:1.0"


@pytest.fixture
def desktop(window: MainWindow, workspace: Workspace, tmp_path: Path) -> Iterator[RunningDesktop]:
    """The window with its switch on; the service runs on the bridge's loop."""
    service = DesktopService(folder=tmp_path / "state")
    window.bridge.run(service.start(workspace, port=0)).result(20)
    yield find_desktop(tmp_path / "state")
    window.bridge.run(service.stop()).result(20)


def in_thread(desktop: RunningDesktop, work: Callable[[Client], Any], done: Callable[[], None]) -> threading.Thread:
    """Another program: a client with a thread and a loop of its own."""

    async def connect() -> None:
        headers = {"Authorization": f"Bearer {desktop.token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(desktop.url, http_client=http)) as client,
        ):
            await work(client)

    def run() -> None:
        try:
            asyncio.run(connect())
        finally:
            done()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("kind", ["menu", "dialog"])
def test_a_call_is_answered_and_shown_while_a_menu_or_a_dialog_is_open(
    window: MainWindow, desktop: RunningDesktop, workspace: Workspace, kind: str
) -> None:
    answers: list[bool] = []
    shown: list[bool] = []

    async def call(client: Client) -> None:
        arguments = {"component": TOP, "name": "irq", "direction": "out"}
        answers.append((await client.call_tool("add_signal_port", arguments)).is_error is False)

    def close() -> None:
        opened = window.top_bar.menus["Edit"] if kind == "menu" else window.findChild(ConnectDialog)
        assert opened is not None
        shown.append(opened.isVisible() and "irq" in window.document.library.get(Vlnv.parse(TOP)).ports)
        opened.close()

    thread: list[threading.Thread] = []
    QTimer.singleShot(0, lambda: thread.append(in_thread(desktop, call, lambda: window.bridge.post(close))))
    if kind == "menu":
        window.top_bar.menus["Edit"].exec()
    else:
        window.actions_["connect"].trigger()
    thread[0].join()
    assert answers == [True]
    assert shown == [True]
    assert "irq" in workspace.library.get(Vlnv.parse(TOP)).ports


def test_the_window_answers_under_two_hundred_calls(
    window: MainWindow, qtbot: QtBot, desktop: RunningDesktop, workspace: Workspace
) -> None:
    """What other threads and programs take of the processors does not count against the window, but waiting does."""
    finished: list[float] = []
    beats = [(time.perf_counter(), time.thread_time())]
    timer = QTimer(window)
    timer.timeout.connect(lambda: beats.append((time.perf_counter(), time.thread_time())))

    async def call(client: Client) -> None:
        for index in range(100):
            arguments = {"component": TOP, "name": f"p{index}", "direction": "in"}
            assert not (await client.call_tool("add_signal_port", arguments)).is_error
            assert not (await client.call_tool("get_component_details", {"component": TOP})).is_error

    timer.start(5)
    thread = in_thread(desktop, call, lambda: finished.append(time.perf_counter()))
    qtbot.waitUntil(lambda: bool(finished), timeout=60_000)
    thread.join()
    qtbot.waitUntil(lambda: "p99" in window.document.library.get(Vlnv.parse(TOP)).ports, timeout=20_000)
    timer.stop()
    assert len(workspace.done) == 100
    assert max(later[1] - earlier[1] for earlier, later in pairwise(beats)) < 0.4  # 0.05 on an idle machine
    assert max(later[0] - earlier[0] for earlier, later in pairwise(beats)) < 3.0


def test_the_switch_can_be_used_again_and_again(window: MainWindow, workspace: Workspace, tmp_path: Path) -> None:
    service = DesktopService(folder=tmp_path / "state")
    for _ in range(100):
        window.bridge.run(service.start(workspace, port=0)).result(20)
        assert service.is_running
        window.bridge.run(service.stop()).result(20)
    assert list((tmp_path / "state").iterdir()) == []
