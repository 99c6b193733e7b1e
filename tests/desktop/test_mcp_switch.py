"""The switch for other programs, in the status bar."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.panels.connect_dialog import ConnectDialog
from desktop.window import MainWindow
from model.storage import Opened
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.desktop_service import NoDesktopError, find_desktop

TOP = Vlnv.parse("acme:soc:top:1.0")


def _settled(window: MainWindow) -> bool:
    return not window.mcp.changing


def _click(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.status.mcp, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: _settled(window), timeout=20_000)


def _add_port(name: str) -> None:
    """Another program, which finds the desktop as it would."""
    desktop = find_desktop()

    async def call() -> None:
        headers = {"Authorization": f"Bearer {desktop.token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(desktop.url, http_client=http)) as client,
        ):
            arguments = {"component": str(TOP), "name": name, "direction": "in"}
            assert not (await client.call_tool("add_signal_port", arguments)).is_error

    thread = threading.Thread(target=lambda: asyncio.run(call()))
    thread.start()
    thread.join(20)


def test_it_is_off_until_it_is_switched_on(window: MainWindow, qtbot: QtBot) -> None:
    assert window.status.mcp.text() == "MCP off"
    with pytest.raises(NoDesktopError):
        find_desktop()
    _click(window, qtbot)
    assert window.status.mcp.text() == f"MCP {window.mcp.address} · 0 clients"
    assert window.mcp.address.startswith("127.0.0.1:")
    _add_port("from_outside")
    qtbot.waitUntil(lambda: "from_outside" in window.document.library.get(TOP).ports)
    window.bottom.show_tab(1)
    step = window.bottom.history.rows.rows[0].cells
    assert step[0].startswith("Added signal port from_outside")
    assert step[1] == "another program"
    _click(window, qtbot)
    assert window.status.mcp.text() == "MCP off"
    with pytest.raises(NoDesktopError):
        find_desktop()


def test_the_status_bar_counts_the_clients(window: MainWindow, qtbot: QtBot) -> None:
    _click(window, qtbot)
    leave, connected = threading.Event(), threading.Event()

    async def stay() -> None:
        desktop = find_desktop()
        headers = {"Authorization": f"Bearer {desktop.token}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(desktop.url, http_client=http)) as client,
        ):
            await client.list_tools()
            connected.set()
            await asyncio.to_thread(leave.wait, 20)

    thread = threading.Thread(target=lambda: asyncio.run(stay()))
    thread.start()
    assert connected.wait(20)
    qtbot.waitUntil(lambda: window.status.mcp.text() == f"MCP {window.mcp.address} · 1 client")
    leave.set()
    thread.join(20)
    qtbot.waitUntil(lambda: window.status.mcp.text() == f"MCP {window.mcp.address} · 0 clients")


def test_another_folder_is_served_at_the_same_place(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    _click(window, qtbot)
    other = Workspace(folder=tmp_path, library=window.document.library)
    window.document.reopen(Opened(other, (), TOP))
    before = window.mcp.address
    _add_port("elsewhere")
    assert "elsewhere" in other.library.get(TOP).ports
    assert window.mcp.address == before


def test_it_is_remembered_and_nothing_is_left_behind_at_the_end(
    window: MainWindow, qtbot: QtBot, application: QApplication, workspace: Workspace, tmp_path: Path
) -> None:
    _click(window, qtbot)
    window.mcp._document.bridge.run(window.mcp.aclose()).result(20)
    assert not (tmp_path / "state" / "blockwright" / "desktop.json").exists()
    second = MainWindow(Opened(workspace, (), TOP))
    with qtbot.waitExposed(second):
        second.show()
    try:
        qtbot.waitUntil(lambda: second.mcp.is_on, timeout=20_000)
    finally:
        second.shut_down()
        second.deleteLater()
    with pytest.raises(NoDesktopError):
        find_desktop()


def test_what_to_paste_is_copied_and_follows_the_switch(window: MainWindow, qtbot: QtBot) -> None:
    seen: list[int] = []

    def use() -> None:
        dialog = window.findChild(ConnectDialog)
        assert isinstance(dialog, ConnectDialog)
        try:
            seen.append(dialog.clients.count())
            qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
            assert "--attach" in QGuiApplication.clipboard().text()
            dialog.on.setFocus()
            qtbot.keyClick(dialog.on, Qt.Key.Key_Space)
            qtbot.waitUntil(lambda: window.mcp.is_on, timeout=20_000)
            seen.append(dialog.clients.count())
            assert window.mcp.address in dialog.state.text()
        finally:
            dialog.reject()

    QTimer.singleShot(0, use)
    qtbot.mouseClick(window.status.connect_, Qt.MouseButton.LeftButton)
    assert seen[1] > seen[0]  # with an address there are texts for HTTP, too
