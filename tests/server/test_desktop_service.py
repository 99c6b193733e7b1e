"""The desktop's switch, and the bridge that clients start to reach it."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.subscriptions import ResourceUpdated

from model.elements import Component
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.desktop_service import DesktopService, NoDesktopError, find_desktop
from server.http import socket_on

UART = "acme:periph:uart:1.0"
PORT = {"component": UART, "name": "irq", "direction": "out"}
COMMAND = ["-c", "import typer; from desktop.commands.serve import serve; typer.run(serve)", "--attach"]


@asynccontextmanager
async def switched_on(workspace: Workspace, folder: Path) -> AsyncIterator[DesktopService]:
    service = DesktopService(folder=folder)
    await service.start(workspace, port=0)
    try:
        yield service
    finally:
        await service.stop()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Where the command looks for a desktop when its environment says so."""
    return tmp_path / "state" / "blockwright"


def environment(state: Path) -> dict[str, str]:
    return os.environ | {"XDG_STATE_HOME": str(state.parent)}


@pytest.mark.anyio
async def test_a_client_works_on_the_open_design_through_the_bridge(
    workspace: Workspace, state: Path, tmp_path: Path, mode: str
) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=COMMAND, env=environment(state))
    async with switched_on(workspace, state) as service:
        with (tmp_path / "errors.txt").open("w") as errors:
            async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
                assert len((await client.list_tools()).tools) == 14
                result = await client.call_tool("add_signal_port", PORT)
                assert result.structured_content["added"] == [f"signal_port irq of {UART}"]
                refused = await client.call_tool("add_signal_port", PORT)
                assert refused.structured_content["code"] == "name-taken"
                assert (await client.read_resource(f"design://component/{UART}")).contents
                assert (await client.get_prompt("explain_component", {"component": UART})).messages
                assert service.client_count == 1
        assert (tmp_path / "errors.txt").read_text() == ""
    assert "irq" in workspace.library.get(Vlnv.parse(UART)).ports


@pytest.mark.anyio
async def test_the_bridge_carries_notifications(workspace: Workspace, state: Path, tmp_path: Path) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=COMMAND, env=environment(state))
    uri = f"design://component/{UART}"
    async with switched_on(workspace, state):
        with (tmp_path / "errors.txt").open("w") as errors:
            async with (
                Client(stdio_client(parameters, errlog=errors)) as client,
                client.listen(resource_subscriptions=[uri]) as events,
            ):
                await client.call_tool("add_signal_port", PORT)
                with anyio.fail_after(60):
                    assert await anext(events) == ResourceUpdated(uri)


@pytest.mark.parametrize("left_behind", [False, True])
def test_without_a_desktop_the_bridge_says_what_to_do(state: Path, left_behind: bool) -> None:
    if left_behind:  # by a desktop that was killed
        state.mkdir(parents=True)
        with socket_on(0) as free:
            address = {"url": f"http://127.0.0.1:{free.getsockname()[1]}/mcp", "token": "t"}
        (state / "desktop.json").write_text(json.dumps(address))
        (state / "desktop.json").chmod(0o600)
    done = subprocess.run(
        [sys.executable, *COMMAND],
        env=environment(state),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "switch its MCP server on" in done.stderr


@pytest.mark.anyio
async def test_the_bridge_ends_when_the_desktop_is_closed(workspace: Workspace, state: Path) -> None:
    async with switched_on(workspace, state):
        process = await anyio.open_process([sys.executable, *COMMAND], env=environment(state))
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        hello = (
            b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
            b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
        )
        await process.stdin.send(hello)
        assert b"blockwright" in await process.stdout.receive()
    await process.stdin.send(b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n')
    with anyio.fail_after(60):
        said = await process.stderr.receive()
        assert await process.wait() == 1
    assert b"no longer answers" in said
    await process.aclose()


FOR_EVER = """
import asyncio, sys
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main(url, token, mode):
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        for index in range(10**9):
            port = {"component": "acme:periph:uart:1.0", "name": f"p{index}", "direction": "in"}
            await client.call_tool("add_signal_port", port)
            print(index, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.anyio
async def test_a_program_that_is_killed_in_the_middle_of_its_calls_harms_nobody(
    workspace: Workspace, tmp_path: Path, mode: str
) -> None:
    gone = anyio.Event()
    service = DesktopService(folder=tmp_path, clients_changed=lambda count: None if count else gone.set())
    await service.start(workspace, port=0)
    try:
        address = find_desktop(tmp_path)
        command = [sys.executable, "-c", FOR_EVER, address.url, address.token, mode]
        async with await anyio.open_process(command, stderr=None) as process:
            assert process.stdout is not None
            with anyio.fail_after(60):
                await process.stdout.receive()
                assert service.client_count == 1
                process.kill()
                await gone.wait()
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {address.token}"}, timeout=30) as http,
            Client(streamable_http_client(address.url, http_client=http), mode=mode) as client,
        ):
            assert not (await client.call_tool("add_signal_port", PORT)).is_error
        ports = set(workspace.library.get(Vlnv.parse(UART)).ports)
        assert len(workspace.done) == sum(name == "irq" or name[1:].isdecimal() for name in ports)
    finally:
        await service.stop()
    assert workspace._listeners == []


@pytest.mark.anyio
async def test_another_folder_is_shown_without_a_new_connection(workspace: Workspace, tmp_path: Path) -> None:
    other = Workspace(library=Library.of((Component(vlnv=Vlnv.parse("a:b:other:1.0")),)))
    async with switched_on(workspace, tmp_path) as service:
        headers = {"Authorization": f"Bearer {find_desktop(tmp_path).token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(service.url, http_client=http)) as client,
            client.listen(resource_subscriptions=["design://library", "design://component/a:b:other:1.0"]) as events,
        ):
            service.show(other)
            heard = {(await anext(events)).uri for _ in range(2)}  # type: ignore[union-attr]
            assert heard == {"design://library", "design://component/a:b:other:1.0"}
            listed = await client.call_tool("list_components", {})
            assert listed.structured_content["components"] == ["a:b:other:1.0"]
            await client.call_tool("add_signal_port", PORT | {"component": "a:b:other:1.0"})
            with anyio.fail_after(60):
                assert await anext(events) == ResourceUpdated("design://component/a:b:other:1.0")
    assert workspace.done == ()
    assert len(other.done) == 1
    assert workspace._listeners == other._listeners == []


@pytest.mark.anyio
async def test_the_last_desktop_is_found_and_leaves_no_trace(workspace: Workspace, tmp_path: Path) -> None:
    async with switched_on(workspace, tmp_path) as first:
        async with switched_on(workspace, tmp_path) as second:
            assert find_desktop(tmp_path).url == second.url
            await first.stop()
            assert find_desktop(tmp_path).url == second.url
            if os.name == "posix":
                assert (tmp_path / "desktop.json").stat().st_mode & 0o777 == 0o600
        assert not first.is_running
    assert not (tmp_path / "desktop.json").exists()
    assert not first.token_file


@pytest.mark.anyio
async def test_a_taken_port_is_said(workspace: Workspace, tmp_path: Path) -> None:
    service = DesktopService(folder=tmp_path)
    assert service.notice == service.url == ""
    with socket_on(0) as taken:
        await service.start(workspace, port=taken.getsockname()[1])
        assert str(taken.getsockname()[1]) in service.notice
    await service.stop()
    assert service.token_file is None


@pytest.mark.skipif(os.name != "posix", reason="POSIX permissions")
@pytest.mark.parametrize(
    ("url", "mode", "said"),
    [
        ("http://127.0.0.1:9/mcp", 0o644, "not trusted"),
        ("http://evil.example/mcp", 0o600, "not on this machine"),
        ("http://127.0.0.1:9@evil.example/mcp", 0o600, "not on this machine"),
    ],
)
def test_an_address_that_others_could_have_written_is_not_trusted(
    tmp_path: Path, url: str, mode: int, said: str
) -> None:
    file = tmp_path / "desktop.json"
    file.write_text(json.dumps({"url": url, "token": "t"}))
    file.chmod(mode)
    with pytest.raises(NoDesktopError, match=said):
        find_desktop(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", "null", '{"url": 1}'])
def test_a_broken_address_file_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "desktop.json").write_text(content)
    with pytest.raises(NoDesktopError, match=r"desktop\.json"):
        find_desktop(tmp_path)


@pytest.mark.parametrize("more", [["--http", "0"], ["--extended"], ["--workspace", "."]])
def test_attaching_takes_no_other_option(more: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *COMMAND, *more],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "--attach takes no other option" in done.stderr
