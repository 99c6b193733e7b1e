"""Standard input and output for a server of one client, waited for by asyncio's loop instead of by threads.

The SDK hands each line that it reads, writes or flushes to a worker thread: three changes of thread and back for a
call, which on a small machine are the larger part of its time. Its transport takes other streams; these do the same
work on the loop.
"""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, cast

import anyio
from mcp.server.stdio import stdio_server

_CHUNK = 1 << 16


@asynccontextmanager
async def standard_streams() -> AsyncIterator[tuple[Any, Any]]:
    """Yield the stream of the client's messages and that of the answers.

    While they are used, anything else that the program prints goes to standard error, and whoever reads standard input
    finds it at its end.
    """
    if not _can_be_waited_for():
        async with stdio_server() as streams:
            yield streams
        return
    with _claimed() as (incoming, outgoing):
        reader = asyncio.StreamReader(_CHUNK)
        loop = asyncio.get_running_loop()
        read_end, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), incoming)
        write_end, protocol = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), outgoing
        )
        write_end.set_write_buffer_limits(0)  # a flush waits until everything has left
        try:
            lines = cast("anyio.AsyncFile[str]", _Lines(reader))
            writer = _Writer(asyncio.StreamWriter(write_end, protocol, None, loop))
            async with stdio_server(lines, cast("anyio.AsyncFile[str]", writer)) as streams:
                yield streams
        finally:
            read_end.close()
            write_end.close()


class _Lines:
    """The lines that a client writes, of any length; as much is read ahead as comes at once."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def __aiter__(self) -> AsyncIterator[str]:
        begun: list[bytes] = []
        while chunk := await self._reader.read(_CHUNK):
            *ended, rest = chunk.split(b"\n")
            for line in ended:
                yield b"".join((*begun, line)).decode("utf-8", "replace")
                begun.clear()
            if rest:
                begun.append(rest)
        if begun:
            yield b"".join(begun).decode("utf-8", "replace")


class _Writer:
    """What the SDK's transport needs of a text file, over a pipe."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def write(self, text: str) -> None:
        self._writer.write(text.encode("utf-8"))

    async def flush(self) -> None:
        await self._writer.drain()


def _can_be_waited_for() -> bool:
    """Whether both are pipes of their own: not so for files, terminals, and on Windows."""
    if sys.platform == "win32":
        return False
    try:
        streams = [os.fstat(number) for number in (0, 1, 2)]
    except OSError:
        return False
    # A pipe that is waited for does not block, which would also be so for another stream that is the same pipe.
    alone = len({(stream.st_dev, stream.st_ino) for stream in streams}) == len(streams)
    return alone and all(stat.S_ISFIFO(stream.st_mode) or stat.S_ISSOCK(stream.st_mode) for stream in streams[:2])


@contextmanager
def _claimed() -> Iterator[tuple[Any, Any]]:
    """Both streams as files of their own, which child processes do not get; the standard numbers lead elsewhere."""
    sys.stdout.flush()
    incoming, outgoing = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
    back = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    try:
        yield incoming, outgoing
    finally:
        sys.stdout.flush()
        for number, kept in enumerate(back):
            os.set_blocking(kept, True)
            os.dup2(kept, number)
            os.close(kept)
