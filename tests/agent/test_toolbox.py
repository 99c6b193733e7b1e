"""Several servers behind one list of names: the design's in this process, another as a real child process."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from agent import server_process
from agent.models.base import ToolCall
from agent.server_process import ServerProcess
from agent.servers import ServerCommand, ServerError
from agent.toolbox import Toolbox, ToolResult
from model.workspace import Workspace
from server.design_server import build_server

pytestmark = pytest.mark.anyio

FRAIL = str(Path(__file__).with_name("frail_server.py"))


def frail(*arguments: str) -> ServerProcess:
    return ServerProcess(ServerCommand("shop", sys.executable, (FRAIL, *arguments)))


@pytest.fixture
async def shop() -> AsyncIterator[ServerProcess]:
    server = frail()
    await server.start()
    yield server
    await server.aclose()


def both(shop: ServerProcess) -> AbstractAsyncContextManager[Toolbox]:
    return Toolbox.connected({"design": build_server(Workspace()), "shop": shop})


async def made(tools: Toolbox, name: str, **arguments: Any) -> ToolResult:
    return await tools.call(ToolCall(name, arguments))


async def test_each_call_reaches_its_server_and_only_what_clashes_has_a_prefix(shop: ServerProcess) -> None:
    async with both(shop) as tools:
        names = [spec.name for spec in tools.specs]
        assert names[:1] == ["create_component"]
        assert names[14:] == ["shop_list_components", "count", "die", "break_protocol"]
        assert {spec.name: spec.server for spec in tools.specs}["count"] == "shop"
        ours = await made(tools, "list_components")
        theirs = await made(tools, "shop_list_components", folder="drawer 3")
        assert ours.ok
        assert "0 components" in ours.text
        assert theirs.text == "resistors in drawer 3"
        assert [tools.server_of(name) for name in ("list_components", "shop_list_components")] == ["design", "shop"]
        assert (tools.is_read_only("shop_list_components"), tools.is_read_only("count")) == (True, False)
        hints = [tools.is_destructive(name) for name in ("shop_list_components", "count", "die", "delete_element")]
        assert hints == [False, False, True, True]


async def test_an_unknown_name_is_refused_with_the_nearest_of_all_servers(shop: ServerProcess) -> None:
    async with both(shop) as tools:
        lost = await made(tools, "coumt")
        assert not lost.ok
        assert lost.text.startswith("Refused (unknown-tool): There is no tool 'coumt'. Did you mean count?")
        assert "add_signal_port" in lost.text


async def test_a_server_that_dies_in_a_call_is_told_and_started_again(shop: ServerProcess) -> None:
    async with both(shop) as tools:
        assert [(await made(tools, "count")).text for _each in range(2)] == ["1", "2"]
        died = await made(tools, "die", word="out of solder")
        assert not died.ok
        assert "ended while it worked on die, so it is not known whether that was done" in died.text
        assert "out of solder" in died.text
        assert "It has been started again" in died.text
        assert (await made(tools, "count")).text == "1"
        assert (await made(tools, "list_components")).ok


async def test_a_server_that_died_between_calls_loses_no_call(shop: ServerProcess) -> None:
    async with both(shop) as tools:
        await made(tools, "count")
        connection = shop._connection
        assert connection is not None
        await made(tools, "die", word="x")
        again = shop._connection
        assert again is not None
        assert again is not connection
        # Kill it from outside while it is idle; the transport is the only one who knows its process.
        for pid in processes_of(FRAIL):
            os.kill(pid, signal.SIGKILL)
        await again.ended.wait()
        counted = await made(tools, "count")
        assert counted.ok
        assert counted.text.splitlines() == [
            "The server shop had ended and was started again; what it held in memory is gone.",
            "1",
        ]


def processes_of(program: str) -> list[int]:
    """This process's children that run ``program``."""
    tasks = Path("/proc/self/task").iterdir()
    children = [pid for task in tasks for pid in (task / "children").read_text().split()]
    return [int(pid) for pid in children if program in Path(f"/proc/{pid}/cmdline").read_text()]


async def test_errors_of_the_protocol_are_results(shop: ServerProcess) -> None:
    async with both(shop) as tools:
        broken = await made(tools, "break_protocol")
        assert not broken.ok
        assert "the shop is closed" in broken.text
        assert (await made(tools, "count")).text == "1"


async def test_a_server_that_cannot_be_started_again_is_said(tmp_path: Path) -> None:
    program = Path(shutil.copy(FRAIL, tmp_path))
    server = ServerProcess(ServerCommand("shop", sys.executable, (str(program),)))
    await server.start()
    try:
        async with both(server) as tools:
            burn_down(program)
            died = await made(tools, "die", word="x")
            assert "It could not be started again" in died.text
            later = await made(tools, "count")
            assert later.text.startswith("Refused (server-unavailable): count was not called.")
            assert "the shop has burnt down" in later.text
            shutil.copy(FRAIL, tmp_path)
            assert (await made(tools, "count")).text.endswith("1")
    finally:
        await server.aclose()


def burn_down(program: Path) -> None:
    program.write_text("import sys; sys.exit('the shop has burnt down')")


async def test_why_a_server_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ServerError, match="there is no command 'no-such-server'"):
        await ServerProcess(ServerCommand("shop", "no-such-server")).start()
    with pytest.raises(ServerError, match="no licence found"):
        await frail("--broken").start()
    monkeypatch.setattr(server_process, "START_SECONDS", 1.0)
    with pytest.raises(ServerError, match="did not answer within 1 s"):
        await frail("--silent").start()


async def test_many_calls_at_once_all_arrive(shop: ServerProcess) -> None:
    async with both(shop) as tools:
        results = await asyncio.gather(*(made(tools, "count") for _each in range(50)))
    assert sorted(int(result.text) for result in results) == list(range(1, 51))
