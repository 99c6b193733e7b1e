"""The transport of a server that is a child process: whatever its client gives it as standard input and output."""

import asyncio
import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from server.standard_streams import _Lines

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there the SDK's own streams are used")

# Gives every message back, and prints meanwhile.
ECHO = """
import asyncio, os, sys
from server.standard_streams import standard_streams

async def main():
    async with standard_streams() as (incoming, outgoing):
        print("stray", flush=True)
        os.system("echo of a child; cat")
        assert sys.stdin.read() == ""
        async for message in incoming:
            if not isinstance(message, Exception):
                await outgoing.send(message)
        await outgoing.aclose()

asyncio.run(main())
print("after", os.get_blocking(1))
"""
COMMAND = [sys.executable, "-c", ECHO]


def ping(number: int, size: int = 0) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": "ping", "params": {"text": "é" * size}}
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


SENT = b"".join((ping(1), b"no message\n\n", ping(2, 300_000), ping(3).replace(b"\n", b"\r\n"), ping(4)))


def ids(answers: bytes) -> list[int]:
    return [json.loads(line)["id"] for line in answers.splitlines() if line.startswith(b"{")]


def test_pipes_carry_the_protocol_and_nothing_else() -> None:
    done = subprocess.run(COMMAND, input=SENT, capture_output=True, timeout=120, check=True)
    assert ids(done.stdout) == [1, 2, 3, 4]
    assert done.stdout.endswith(b"}\nafter True\n")
    assert b"stray\nof a child\n" in done.stderr


def test_files_do_where_there_are_no_pipes(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(SENT)
    with (tmp_path / "in").open("rb") as incoming, (tmp_path / "out").open("wb") as outgoing:
        subprocess.run(COMMAND, stdin=incoming, stdout=outgoing, stderr=subprocess.DEVNULL, timeout=120, check=True)
    assert ids((tmp_path / "out").read_bytes()) == [1, 2, 3, 4]


def test_sockets_do_which_is_what_node_gives() -> None:
    (ours_in, its_in), (ours_out, its_out) = socket.socketpair(), socket.socketpair()
    with ours_in, ours_out, subprocess.Popen(COMMAND, stdin=its_in, stdout=its_out, stderr=subprocess.DEVNULL) as child:
        its_in.close()
        its_out.close()
        ours_out.settimeout(120)
        ours_in.sendall(ping(1))
        assert ids(ours_out.recv(65536)) == [1]
        ours_in.sendall(ping(2))
        assert ids(ours_out.recv(65536)) == [2]
        ours_in.shutdown(socket.SHUT_WR)
        assert child.wait(timeout=120) == 0


def test_one_stream_for_answers_and_errors_is_left_to_block() -> None:
    done = subprocess.run(
        COMMAND, input=ping(1), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=True
    )
    assert ids(done.stdout) == [1]


def test_what_is_read_late_arrives_whole() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(ping(1, 20_000))  # more than a pipe holds, less than both
        child.stdin.flush()
        child.stdin.write(ping(2, 20_000))
        child.stdin.close()
        assert ids(child.stdout.read()) == [1, 2]
        assert child.wait(timeout=120) == 0


def test_a_client_that_is_gone_ends_it() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(ping(1))
        child.stdin.flush()
        child.stdout.readline()
        child.stdout.close()
        child.stdin.write(ping(2, 300_000))
        child.stdin.close()
        child.wait(timeout=120)


@pytest.mark.anyio
async def test_lines_are_put_together_from_what_comes() -> None:
    text = "one\n\nzwölf\r\nlast"
    data = text.encode() + b"\xff"
    for size in range(1, len(data) + 1):
        reader = asyncio.StreamReader()

        async def feed(reader: asyncio.StreamReader = reader, size: int = size) -> None:
            for start in range(0, len(data), size):
                reader.feed_data(data[start : start + size])
                await asyncio.sleep(0)
            reader.feed_eof()

        feeding = asyncio.create_task(feed())
        assert [line async for line in _Lines(reader)] == ["one", "", "zwölf\r", "last\ufffd"]
        await feeding
