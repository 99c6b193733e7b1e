import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from model.workspace import Workspace
from server.connections import Connections
from server.desktop_service import DesktopService, find_desktop

LISTEN = [(b"mcp-method", b"subscriptions/listen")]
CALL = [(b"mcp-method", b"tools/call")]
SESSION = [(b"mcp-session-id", b"a")]
BRIDGE = [(b"blockwright-client", b"b")]


def peer(number: int) -> tuple[str, int]:
    return "127.0.0.1", number


def test_what_belongs_together_is_counted_once() -> None:
    told: list[int] = []
    connections = Connections(told.append)
    connections.used(peer(1), CALL)  # before it has a session
    for number, headers in ((1, SESSION), (2, SESSION), (3, BRIDGE), (4, [*BRIDGE, *LISTEN]), (5, CALL), (6, LISTEN)):
        connections.used(peer(number), headers)
    assert connections.count == 3
    connections.lost(peer(2))
    connections.lost(peer(5))
    assert connections.count == 3  # 1 has the session still, 6 listens still
    for number in (1, 3, 4, 6, 99):
        connections.lost(peer(number))
    connections.lost(None)
    assert told == [1, 2, 3, 2, 1, 0]


class Counted:
    """Hears the counts."""

    def __init__(self) -> None:
        self.told = [0]
        self._changed = asyncio.Event()

    def hear(self, count: int) -> None:
        self.told.append(count)
        self._changed.set()

    async def reaches(self, wanted: int) -> None:
        with anyio.fail_after(60):
            while self.told[-1] != wanted:
                self._changed.clear()
                await self._changed.wait()


@asynccontextmanager
async def connected(service: DesktopService, folder: Path, mode: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {find_desktop(folder).token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(service.url, http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.anyio
async def test_clients_are_counted_while_they_are_connected(workspace: Workspace, tmp_path: Path, mode: str) -> None:
    counted = Counted()
    service = DesktopService(folder=tmp_path, clients_changed=counted.hear)
    assert service.client_count == 0
    await service.start(workspace, port=0)
    try:
        async with httpx2.AsyncClient() as stranger:
            assert (await stranger.post(service.url, json={})).status_code == 401
            assert counted.told == [0]
        async with AsyncExitStack() as stack:
            for number in (1, 2, 3):
                client = await stack.enter_async_context(connected(service, tmp_path, mode))
                await client.list_tools()
                await counted.reaches(number)
            if mode == "auto":
                async with client.listen(resources_list_changed=True):
                    await client.list_tools()
                    assert service.client_count == 3
        await counted.reaches(0)
    finally:
        await service.stop()
    assert service.client_count == 0
