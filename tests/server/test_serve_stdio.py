"""The command as a client starts it: a child process that speaks MCP on its standard input and output."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

COMMAND = ["-c", "import typer; from desktop.commands.serve import serve; typer.run(serve)"]
VLNV = {"vendor": "acme", "library": "periph", "name": "uart", "version": "1.0"}


@pytest.mark.anyio
async def test_a_session_over_stdio(tmp_path: Path, mode: str) -> None:
    parameters = StdioServerParameters(command=sys.executable, args=[*COMMAND, "--workspace", str(tmp_path)])
    with (tmp_path / "errors.txt").open("w") as errors:
        async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
            assert len((await client.list_tools()).tools) == 14
            assert not (await client.call_tool("create_component", VLNV)).is_error
            port = {"component": "acme:periph:uart:1.0", "name": "tx", "direction": "out", "width": 8}
            assert not (await client.call_tool("add_signal_port", port)).is_error
            refused = await client.call_tool("add_signal_port", port)
            assert refused.is_error
            assert refused.structured_content["code"] == "name-taken"
            hostile = await client.call_tool("add_signal_port", {"na\u202eme": "\u0000", "name": "\U0001f600"})
            assert hostile.structured_content["code"] == "unknown-argument"
            saved = await client.call_tool("save_component", {"component": "acme:periph:uart:1.0"})
            assert saved.structured_content["paths"] == ["acme/periph/uart/1.0/uart.1.0.xml"]
    assert (tmp_path / "acme/periph/uart/1.0/uart.1.0.xml").exists()


def test_nothing_but_the_protocol_reaches_standard_output(tmp_path: Path) -> None:
    (tmp_path / "broken.xml").write_text("<no")
    done = subprocess.run(
        [sys.executable, *COMMAND, "--workspace", str(tmp_path)],
        input=b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\nnot json\n',
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    for line in done.stdout.splitlines():
        assert line.startswith(b'{"jsonrpc":"2.0"')
    assert b"0 components" in done.stderr


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, *COMMAND, "--workspace", str(tmp_path / "nowhere")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "There is no folder" in done.stderr
    assert "nowhere" in done.stderr


def test_an_interrupt_ends_it_at_once(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, *COMMAND, "--workspace", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    with child.stdin, child.stdout, child.stderr:
        child.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",')
        child.stdin.write(b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n')
        child.stdin.flush()
        assert b"blockwright" in child.stdout.readline()
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=20) == 130
