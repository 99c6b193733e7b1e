import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.http import HttpService, socket_on

UART = "acme:periph:uart:1.0"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@asynccontextmanager
async def serving(workspace: Workspace, folder: Path) -> AsyncIterator[HttpService]:
    service = HttpService(workspace, token_folder=folder)
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


@asynccontextmanager
async def connected(service: HttpService, mode: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {service.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(service.url, http_client=http), mode=mode) as client,
    ):
        yield client


@pytest.mark.anyio
async def test_a_session_over_http(workspace: Workspace, tmp_path: Path, mode: str) -> None:
    async with serving(workspace, tmp_path) as service, connected(service, mode) as client:
        assert len((await client.list_tools()).tools) == 14
        result = await client.call_tool("add_signal_port", {"component": UART, "name": "irq", "direction": "out"})
        assert result.structured_content["added"] == [f"signal_port irq of {UART}"]
        refused = await client.call_tool("add_signal_port", {"component": UART, "name": "irq", "direction": "out"})
        assert refused.is_error
    assert "irq" in workspace.library.get(Vlnv.parse(UART)).ports


@pytest.mark.anyio
async def test_only_the_token_opens_the_door(workspace: Workspace, soc: Library, tmp_path: Path) -> None:
    async with serving(workspace, tmp_path) as service, httpx2.AsyncClient(headers=HEADERS) as http:
        for authorization in (None, "Bearer", "Bearer wrong", f"Basic {service.token}", service.token):
            headers = {"Authorization": authorization} if authorization else {}
            answer = await http.post(service.url, json=PING, headers=headers)
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"
            assert "blockwright serve" in answer.json()["message"]
    assert workspace.library is soc


@pytest.mark.anyio
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize(
    ("header", "value", "status"),
    [("Host", "evil.example:80", 421), ("Origin", "http://evil.example", 403), ("Origin", "null", 403)],
)
async def test_foreign_hosts_and_origins_are_refused(
    workspace: Workspace, tmp_path: Path, version: str, header: str, value: str, status: int
) -> None:
    async with serving(workspace, tmp_path) as service, httpx2.AsyncClient(headers=HEADERS) as http:
        headers = {"Authorization": f"Bearer {service.token}", "MCP-Protocol-Version": version, header: value}
        answer = await http.post(service.url, json=PING, headers=headers)
    assert answer.status_code == status


@pytest.mark.anyio
async def test_the_token_is_new_each_start_and_only_its_owner_can_read_it(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    service = HttpService(workspace, token_folder=folder)
    tokens = []
    for _ in range(2):
        await service.start()
        assert service.token_file is not None
        tokens.append(service.token_file.read_text().strip())
        assert tokens[-1] == service.token
        if os.name == "posix":
            assert service.token_file.stat().st_mode & 0o777 == 0o600
            assert folder.stat().st_mode & 0o077 == 0
        await service.stop()
        assert not service.token_file.exists()
    assert tokens[0] != tokens[1]


@pytest.mark.anyio
async def test_a_planted_link_is_not_written_through(workspace: Workspace, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    with socket_on(0) as free:
        port = free.getsockname()[1]
    (tmp_path / f"http-{port}.token").symlink_to(victim)
    service = HttpService(workspace, port=port, token_folder=tmp_path)
    await service.start()
    await service.stop()
    assert victim.read_text() == "precious"


@pytest.mark.anyio
async def test_a_taken_port_gives_the_next_free_one(workspace: Workspace, tmp_path: Path) -> None:
    with socket_on(0) as taken:
        service = HttpService(workspace, port=taken.getsockname()[1], token_folder=tmp_path)
        await service.start()
        try:
            assert service.port != taken.getsockname()[1]
            assert service.took_other_port
        finally:
            await service.stop()


def test_the_socket_says_that_it_is_tcp() -> None:
    with socket_on(0) as listening:
        assert listening.proto == socket.IPPROTO_TCP
        assert listening.getsockname()[0] == "127.0.0.1"


@pytest.mark.anyio
async def test_an_open_stream_does_not_block_the_end(workspace: Workspace, tmp_path: Path) -> None:
    service = HttpService(workspace, token_folder=tmp_path)
    await service.start()
    async with connected(service, "legacy") as client:
        await client.list_tools()
        await asyncio.wait_for(service.stop(), timeout=10)
    assert service.token_file is not None
    assert not service.token_file.exists()


@pytest.mark.anyio
async def test_starting_and_stopping_again_and_again(workspace: Workspace, tmp_path: Path) -> None:
    service = HttpService(workspace, token_folder=tmp_path)
    for _ in range(5):
        await service.start()
        async with connected(service, "auto") as client:
            assert not (await client.call_tool("list_components", {})).is_error
        await service.stop()


def test_the_command_says_where_it_serves_and_takes_the_token_away(tmp_path: Path) -> None:
    code = "import typer; from desktop.commands.serve import serve; typer.run(serve)"
    state, folder = tmp_path / "state", tmp_path / "design"
    folder.mkdir()
    with socket_on(0) as taken:
        port = taken.getsockname()[1]
        child = subprocess.Popen(
            [sys.executable, "-c", code, "--workspace", str(folder), "--http", str(port)],
            env=os.environ | {"XDG_STATE_HOME": str(state)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert child.stderr is not None
            said = ""
            for line in child.stderr:
                said += line
                if "Ctrl+C" in line:
                    break
            assert f"{port} is taken" in said
            assert "http://127.0.0.1:" in said
            (token,) = (state / "blockwright").glob("http-*.token")
            assert str(token) in said
        finally:
            child.send_signal(signal.SIGTERM)
            out, _errors = child.communicate(timeout=30)
    assert child.returncode == 0
    assert out == ""
    assert not token.exists()
