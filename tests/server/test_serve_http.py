import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ResourceUpdatedNotification

from model.elements import Component
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
async def test_starting_and_stopping_a_hundred_times(workspace: Workspace, tmp_path: Path) -> None:
    service = HttpService(workspace, token_folder=tmp_path)
    before = threading.active_count()
    for index in range(100):
        await service.start()
        if index % 10 == 0:
            async with connected(service, "auto") as client:
                assert not (await client.call_tool("list_components", {})).is_error
        await service.stop()
    assert not (tmp_path / f"http-{service.port}.token").exists()
    assert workspace._listeners == []
    assert threading.active_count() <= before + 2  # the loop's own


def request(service: HttpService, method: str, params: dict[str, Any]) -> bytes:
    """A request of the later protocol era as it stands on the wire."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params | {"_meta": meta}}).encode()
    lines = [
        "POST /mcp HTTP/1.1",
        f"Host: 127.0.0.1:{service.port}",
        f"Authorization: Bearer {service.token}",
        "Accept: application/json, text/event-stream",
        "Content-Type: application/json",
        "MCP-Protocol-Version: 2026-07-28",
        f"Mcp-Method: {method}",
        *(f"Mcp-Name: {params[key]}" for key in ("name", "uri") if key in params),
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@pytest.mark.anyio
async def test_clients_that_never_read_their_answers_harm_nobody(tmp_path: Path) -> None:
    components = (Component(vlnv=Vlnv.parse(f"vendor:library:block{index}:1.0")) for index in range(6000))
    workspace = Workspace(library=Library.of(components))
    async with serving(workspace, tmp_path) as service:
        deaf = []
        for _ in range(5):
            connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", service.port))
            for _ in range(6):  # more than the buffers of both ends hold
                connection.sendall(request(service, "resources/read", {"uri": "design://library"}))
            deaf.append(connection)
        async with connected(service, "auto") as client:
            for index in range(20):
                vlnv = {"vendor": "a", "library": "b", "name": f"c{index}", "version": "1.0"}
                assert not (await client.call_tool("create_component", vlnv)).is_error
        first = await asyncio.to_thread(deaf[0].recv, 100)
        assert first.startswith(b"HTTP/1.1 200")
        for connection in deaf:
            connection.close()
        await asyncio.wait_for(service.stop(), timeout=20)


@pytest.mark.anyio
async def test_a_client_that_dies_in_the_middle_of_a_call_harms_nobody(workspace: Workspace, tmp_path: Path) -> None:
    async with serving(workspace, tmp_path) as service:
        for index in range(10):
            arguments = {"component": UART, "name": f"p{index}", "direction": "in"}
            whole = request(service, "tools/call", {"name": "add_signal_port", "arguments": arguments})
            with socket.create_connection(("127.0.0.1", service.port)) as connection:
                connection.sendall(whole[: len(whole) - 5] if index % 2 else whole)
        async with connected(service, "auto") as client:
            added = {"component": UART, "name": "after", "direction": "in"}
            assert not (await client.call_tool("add_signal_port", added)).is_error
    ports = set(workspace.library.get(Vlnv.parse(UART)).ports)
    assert not {f"p{index}" for index in range(1, 10, 2)} & ports
    assert len(workspace.done) == len({name for name in ports if name.startswith("p") or name == "after"})


@pytest.mark.anyio
async def test_a_call_that_is_cancelled_while_it_waits_harms_nobody(
    workspace: Workspace, tmp_path: Path, mode: str
) -> None:
    port = {"component": UART, "direction": "in"}
    async with serving(workspace, tmp_path) as service, connected(service, mode) as client:
        held, leave = threading.Event(), threading.Event()

        def edit() -> None:
            with workspace.lock:
                held.set()
                leave.wait()

        editor = threading.Thread(target=edit)
        editor.start()
        await asyncio.to_thread(held.wait)
        try:
            waiting = asyncio.create_task(client.call_tool("add_signal_port", port | {"name": "given_up"}))
            await client.call_tool("list_components", {})  # by now the edit waits for its turn
            waiting.cancel()
            await asyncio.wait([waiting])
            await client.call_tool("list_components", {})
        finally:
            leave.set()
            await asyncio.to_thread(editor.join)
        assert not (await client.call_tool("add_signal_port", port | {"name": "next"})).is_error
    ports = workspace.library.get(Vlnv.parse(UART)).ports
    assert "next" in ports
    assert len(workspace.done) == sum(name in ("given_up", "next") for name in ports)


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
@pytest.mark.anyio
async def test_subscribers_hear_of_edits_over_http(workspace: Workspace, tmp_path: Path, mode: str) -> None:
    uri = f"design://component/{UART}"
    port = {"component": UART, "name": "irq", "direction": "out"}
    heard: list[str] = []
    told = asyncio.Event()

    async def hear(message: Any) -> None:
        if mode == "legacy" and isinstance(message, ResourceUpdatedNotification):
            heard.append(message.params.uri)
            told.set()

    async with (
        serving(workspace, tmp_path) as service,
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {service.token}"}, timeout=30) as http,
        Client(streamable_http_client(service.url, http_client=http), mode=mode, message_handler=hear) as client,
    ):
        if mode == "legacy":
            await client.subscribe_resource(uri)
            await client.call_tool("add_signal_port", port)
            await asyncio.wait_for(told.wait(), 20)
        else:
            async with client.listen(resource_subscriptions=[uri]) as events:
                await client.call_tool("add_signal_port", port)
                heard.append((await asyncio.wait_for(anext(events), 20)).uri)  # type: ignore[union-attr]
    assert heard == [uri]
    assert workspace._listeners == []


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


def sent(service: HttpService, *pieces: bytes) -> bytes:
    """What comes back for ``pieces`` sent one after another; they may be cut off."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as connection:
        answer = b""
        try:
            for piece in pieces:
                connection.sendall(piece)
            while b"\r\n\r\n" not in answer:
                more = connection.recv(65536)
                if not more:
                    break
                answer += more
        except ConnectionError:
            pass
        return answer


@pytest.mark.anyio
async def test_headers_without_end_are_cut_off(workspace: Workspace, tmp_path: Path) -> None:
    async with serving(workspace, tmp_path) as service:
        for endless in (b"a", b"A: b\r\n"):
            started = [b"POST /mcp HTTP/1.1\r\n", b"Long: "]
            pieces = [*started, *(endless * (100_000 // len(endless)) for _ in range(200))]
            answer = await asyncio.to_thread(sent, service, *pieces)
            assert answer == b"" or answer.startswith(b"HTTP/1.1 400 ")
        async with connected(service, "auto") as client:
            assert (await client.list_tools()).tools


@pytest.mark.anyio
async def test_long_bodies_and_slow_headers_are_taken(workspace: Workspace, tmp_path: Path) -> None:
    async with serving(workspace, tmp_path) as service:
        whole = request(service, "tools/call", {"name": "list_components", "arguments": {"x": "y" * 300_000}})
        for pieces in ([whole], [whole[:40], whole[40:60], whole[60:]]):
            assert (await asyncio.to_thread(sent, service, *pieces)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.anyio
async def test_a_token_that_follows_the_body_opens_nothing(workspace: Workspace, tmp_path: Path) -> None:
    async with serving(workspace, tmp_path) as service:
        head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
        body = f"2\r\n{{}}\r\n0\r\nAuthorization: Bearer {service.token}\r\n\r\n"
        assert (await asyncio.to_thread(sent, service, (head + body).encode())).startswith(b"HTTP/1.1 401 ")


@pytest.mark.anyio
async def test_a_client_cannot_say_that_it_is_another_one(workspace: Workspace, tmp_path: Path) -> None:
    async with serving(workspace, tmp_path) as service:
        headers = HEADERS | {"Authorization": f"Bearer {service.token}", "X-Forwarded-For": "192.0.2.1"}
        async with httpx2.AsyncClient(headers=headers) as http:
            await http.post(service.url, json=PING)
            assert service.client_count == 1
        for _ in range(100):
            if service.client_count == 0:
                break
            await asyncio.sleep(0.05)
        assert service.client_count == 0
