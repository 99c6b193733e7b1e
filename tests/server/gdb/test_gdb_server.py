"""The GDB server over a real gdb and a real program, in memory and as a child process."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from gdb_answers import Call, code_of, text_of
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from server.gdb import process
from server.gdb.contract import GDB_TOOLS
from server.gdb.gdb_server import build_gdb_server

pytestmark = pytest.mark.anyio


@pytest.fixture
async def call(folder: Path) -> AsyncIterator[Call]:
    async with Client(build_gdb_server(folder)) as client:
        yield lambda tool, **arguments: client.call_tool(tool, arguments)


@pytest.fixture
async def loaded(call: Call) -> Call:
    assert not (await call("gdb_start")).is_error
    assert not (await call("gdb_load", session="gdb1", program="sums")).is_error
    return call


async def test_a_debugging_session(loaded: Call) -> None:
    point = await loaded("gdb_break", session="gdb1", location="add", condition="right > 5")
    assert text_of(point) == "Breakpoint 1 is set in add, sums.c:7, when right > 5."
    run = await loaded("gdb_run", session="gdb1")
    assert text_of(run).splitlines() == [
        "The program stopped at breakpoint 1. It is in add (left=0, right=10) at sums.c:7.",
        "7: int sum = left + right;",
        "The program wrote:",
        "total 0",
    ]
    assert run.structured_content is not None
    assert (run.structured_content["function"], run.structured_content["line"]) == ("add", "7")
    trace = await loaded("gdb_backtrace", session="gdb1")
    assert text_of(trace).splitlines()[1] == "#0 add (left=0, right=10) at sums.c:7"
    assert "#1 main (count=1" in text_of(trace)
    assert "8: return sum;" in text_of(await loaded("gdb_next", session="gdb1"))
    assert "sum = 10" in text_of(await loaded("gdb_locals", session="gdb1")).splitlines()
    assert text_of(await loaded("gdb_print", session="gdb1", expression="sum * 2")) == "sum * 2 = 20"
    assert text_of(await loaded("gdb_print", session="gdb1", expression="sum = 99")) == "sum = 99 = 99"
    finished = await loaded("gdb_finish", session="gdb1")
    assert text_of(finished).startswith("The function finished and returned 99. It is in main")
    memory = await loaded("gdb_memory", session="gdb1", address="&total", count=4)
    assert memory.structured_content is not None
    assert memory.structured_content["bytes"] == "00000000"
    assert not (await loaded("gdb_delete_breakpoint", session="gdb1", number="1")).is_error
    assert "main" in text_of(await loaded("gdb_next", session="gdb1", count="2"))
    await loaded("gdb_break", session="gdb1", location="sums.c:14")
    await loaded("gdb_continue", session="gdb1")
    assert "add (left=99, right=20)" in text_of(await loaded("gdb_step", session="gdb1"))
    await loaded("gdb_delete_breakpoint", session="gdb1", number="2")
    ended = await loaded("gdb_continue", session="gdb1")
    assert ended.structured_content is not None
    assert (ended.structured_content["exit_status"], ended.structured_content["running"]) == (7, False)
    assert "total 119" in text_of(ended)


async def test_sessions_have_the_lowest_free_number(call: Call) -> None:
    names = [text_of(await call("gdb_start")).split()[2] for _each in range(4)]
    assert names == ["gdb1.", "gdb2.", "gdb3.", "gdb4."]
    assert code_of(await call("gdb_start")) == "too-many-sessions"
    await call("gdb_end", session="gdb2")
    assert "gdb2" in text_of(await call("gdb_start"))
    lost = await call("gdb_locals", session="gdb22")
    assert code_of(lost) == "no-such-session"
    assert "Did you mean gdb2" in text_of(lost)


async def test_refusals_say_what_to_do_next(call: Call) -> None:
    assert "Start one with gdb_start" in text_of(await call("gdb_run", session="gdb1"))
    await call("gdb_start")
    assert code_of(await call("gdb_run", session="gdb1")) == "no-program"
    assert code_of(await call("gdb_load", session="gdb1", program="../../bin/true")) == "outside-folder"
    assert code_of(await call("gdb_load", session="gdb1", program="nothing")) == "no-such-file"
    bare = await call("gdb_load", session="gdb1", program="bare")
    assert "compile it with -g" in text_of(bare)
    await call("gdb_load", session="gdb1", program="sums")
    assert code_of(await call("gdb_backtrace", session="gdb1")) == "not-running"
    assert code_of(await call("gdb_break", session="gdb1", location="subtract")) == "no-such-place"
    assert code_of(await call("gdb_delete_breakpoint", session="gdb1", number="3")) == "no-such-breakpoint"
    assert code_of(await call("gdb_step", session="gdb1", count="0")) == "bad-argument"
    assert code_of(await call("gdb_memory", session="gdb1", address="&total", count="4096")) == "bad-argument"
    assert code_of(await call("gdb_print", session="gdb1", expression="totals")) == "no-such-name"
    assert code_of(await call("gdb_print", session="gdb1", expresion="total")) == "unknown-argument"
    assert code_of(await call("gdb_prnt", session="gdb1")) == "unknown-tool"


async def test_looking_runs_nothing(loaded: Call, folder: Path) -> None:
    await loaded("gdb_break", session="gdb1", location="add")
    await loaded("gdb_run", session="gdb1")
    assert "Cannot call functions" in text_of(await loaded("gdb_print", session="gdb1", expression="add(1, 2)"))
    shell = await loaded("gdb_print", session="gdb1", expression='$_shell("touch made")')
    assert code_of(shell) == "not-allowed"
    line = await loaded("gdb_print", session="gdb1", expression='total\n-interpreter-exec console "shell touch made"')
    assert line.is_error
    assert not (folder / "made").exists()


async def test_a_crash_is_told(loaded: Call) -> None:
    await loaded("gdb_load", session="gdb1", program="sums", arguments="crash")
    run = text_of(await loaded("gdb_run", session="gdb1"))
    assert run.startswith("The program received SIGSEGV (Segmentation fault). It is in main")


async def test_a_program_that_does_not_end_is_interrupted(loaded: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process.Gdb.go, "__defaults__", (0.5,))
    await loaded("gdb_load", session="gdb1", program="sums", arguments="loop")
    run = await loaded("gdb_run", session="gdb1")
    assert text_of(run).startswith("The program was still running and has been interrupted. It is in main")
    assert not (await loaded("gdb_print", session="gdb1", expression="total")).is_error


async def test_a_debugger_that_dies_is_told_and_its_name_is_free(folder: Path) -> None:
    server = build_gdb_server(folder)
    async with Client(server) as client:
        await client.call_tool("gdb_start", {})
        debugger = server.sessions._open["gdb1"]._process
        debugger.kill()
        await debugger.wait()
        assert code_of(await client.call_tool("gdb_locals", {"session": "gdb1"})) == "gdb-ended"
        assert "gdb1" in text_of(await client.call_tool("gdb_start", {}))


async def test_no_gdb_is_said_plainly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    async with Client(build_gdb_server(tmp_path)) as client:
        refused = await client.call_tool("gdb_start", {})
        assert code_of(refused) == "gdb-not-installed"
        assert "apt-get install gdb" in text_of(refused)


async def test_schemas_are_flat_and_described(mode: str, tmp_path: Path) -> None:
    async with Client(build_gdb_server(tmp_path), mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == list(GDB_TOOLS)
    for name, tool in tools.items():
        assert tool.description
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint == (name in {"gdb_backtrace", "gdb_locals", "gdb_memory"})
        for argument in tool.input_schema["properties"].values():
            assert argument["type"] == "string"
            assert argument["description"]


async def test_it_runs_alone_over_stdio(folder: Path, mode: str, tmp_path: Path) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "server.gdb", "--folder", str(folder)])
    with (tmp_path / "errors.txt").open("w") as errors:
        async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
            started = await client.call_tool("gdb_start", {})
            assert text_of(started).startswith("Started session gdb1")
            await client.call_tool("gdb_load", {"session": "gdb1", "program": "sums"})
            run = await client.call_tool("gdb_run", {"session": "gdb1"})
            assert "exit status 7" in text_of(run)
    assert (tmp_path / "errors.txt").read_text() == ""


async def test_no_debugger_outlives_its_server(folder: Path) -> None:
    async with Client(build_gdb_server(folder)) as client:
        await client.call_tool("gdb_start", {})
        await client.call_tool("gdb_load", {"session": "gdb1", "program": "sums", "arguments": "loop"})
        before = _children()
        assert len(before) >= 1
    assert not [pid for pid in before if _runs(pid)]


def _children() -> list[int]:
    task = Path(f"/proc/{os.getpid()}/task")
    found = [int(pid) for each in task.iterdir() for pid in (each / "children").read_text().split()]
    return [pid for pid in found if Path(f"/proc/{pid}/comm").read_text().strip() == "gdb"]


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
