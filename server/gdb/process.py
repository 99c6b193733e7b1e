"""One running debugger: commands in, results and stops out, and a terminal of its own for the program it debugs."""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import tty
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from model.errors import DesignError
from server.gdb.mi import MiError, Record, parse_line

COMMAND_SECONDS = 20.0
"""How long a command that runs no program may take."""
RUN_SECONDS = 10.0
"""How long the program may run before it is interrupted."""
MAX_OUTPUT = 4000
"""How much of the program's own output a stop tells, in bytes; the last."""

_EXIT_SECONDS = 2.0
_LONGEST_LINE = 1 << 22  # of GDB/MI: a record is one line however much it holds
# Nothing outside the program decides what the debugger does, and looking at a value never runs the program's code.
_SETTINGS = (
    "set auto-load off",
    "set debuginfod enabled off",
    "set confirm off",
    "set pagination off",
    "set startup-with-shell off",
    "set may-call-functions off",
    "set history save off",
    "set mi-async on",
)


@dataclass(frozen=True, slots=True)
class Stop:
    """Why and where the program is no longer running.

    Attributes:
        record: the debugger's ``*stopped``.
        output: what the program has written since it was last set going.
        interrupted: it was stopped because it ran for too long.
    """

    record: Record
    output: str
    interrupted: bool = False


def gdb_command() -> str:
    """The debugger's path.

    Raises:
        DesignError: ``gdb-not-installed``.
    """
    found = shutil.which("gdb")
    if found is None:
        raise DesignError(
            "gdb-not-installed",
            "There is no gdb on this machine's search path.",
            "Install it, for example with: sudo apt-get install gdb",
        )
    return found


class Gdb:
    """A debugger process; use :meth:`start`."""

    def __init__(self, process: asyncio.subprocess.Process, master: int, slave: int) -> None:
        self._process = process
        self._master, self._slave = master, slave
        self._tokens = itertools.count(1)
        self._results: dict[int, asyncio.Future[Record]] = {}
        self._stops: asyncio.Queue[Record] = asyncio.Queue()
        self._output = bytearray()
        self._lock = asyncio.Lock()
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def start(cls, folder: Path) -> Gdb:
        """Start a debugger that works in ``folder``.

        Raises:
            DesignError: ``gdb-not-installed``, or ``gdb-failed`` where it does not start.
        """
        command = [gdb_command(), "--interpreter=mi3", "-nx", "-quiet"]
        for setting in _SETTINGS:
            command += ["-iex", setting]
        master, slave = os.openpty()
        tty.setraw(slave)  # the program's lines arrive as it wrote them
        os.set_blocking(master, False)
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                cwd=folder,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LONGEST_LINE,
                start_new_session=True,  # Ctrl-C in a terminal is for the client to handle
            )
        except OSError as error:
            os.close(master)
            os.close(slave)
            raise DesignError("gdb-failed", f"{command[0]} cannot be started: {error}.") from error
        gdb = cls(process, master, slave)
        await gdb.command(f"-inferior-tty-set {os.ttyname(slave)}")
        return gdb

    @property
    def alive(self) -> bool:
        """Whether the debugger still runs."""
        return self._process.returncode is None and not self._reader.done()

    async def command(self, command: str) -> Record:
        """Carry out a command that does not set the program going.

        Raises:
            DesignError: ``gdb-refused`` with the debugger's own words, or ``gdb-ended``.
        """
        async with self._lock:
            return await self._send(command)

    async def go(self, command: str, seconds: float = RUN_SECONDS) -> Stop:
        """Carry out a command that sets the program going, and wait until it stops.

        Raises:
            DesignError: see :meth:`command`.
        """
        async with self._lock:
            while not self._stops.empty():
                self._stops.get_nowait()
            self._take_output()
            self._output.clear()
            await self._send(command)
            try:
                return await self._stopped(seconds)
            except TimeoutError:
                await self._send("-exec-interrupt --all")
                try:
                    stop = await self._stopped(_EXIT_SECONDS)
                except TimeoutError:
                    raise DesignError(
                        "still-running", "The program runs and cannot be interrupted.", "End the session with gdb_end."
                    ) from None
                return Stop(stop.record, stop.output, interrupted=True)

    async def close(self) -> None:
        """End the debugger and its program."""
        if self.alive:
            with suppress(DesignError, ConnectionError, TimeoutError):
                async with asyncio.timeout(_EXIT_SECONDS):
                    await self._send("-gdb-exit")
                    await self._process.wait()
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        self._reader.cancel()
        with suppress(asyncio.CancelledError):
            await self._reader
        for descriptor in (self._master, self._slave):
            with suppress(OSError):
                os.close(descriptor)

    async def _send(self, command: str) -> Record:
        if not self.alive:
            raise _ended()
        token = next(self._tokens)
        result: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        self._results[token] = result
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{token}{command}\n".encode())
            await self._process.stdin.drain()
            async with asyncio.timeout(COMMAND_SECONDS):
                record = await result
        except ConnectionError as error:
            raise _ended() from error
        except TimeoutError as error:
            raise DesignError(
                "gdb-busy", f"gdb did not answer within {COMMAND_SECONDS:g} s.", "End the session with gdb_end."
            ) from error
        finally:
            self._results.pop(token, None)
        if record.name == "error":
            raise DesignError("gdb-refused", str(record.data.get("msg", "gdb refused the command.")).strip())
        return record

    async def _stopped(self, seconds: float) -> Stop:
        async with asyncio.timeout(seconds):
            waiting = asyncio.ensure_future(self._stops.get())
            try:
                await asyncio.wait({waiting, self._reader}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not waiting.done():
                    waiting.cancel()
        if not waiting.done():
            raise _ended()
        self._take_output()
        text = self._output.decode("utf-8", "replace")
        self._output.clear()
        return Stop(waiting.result(), text)

    def _take_output(self) -> None:
        """Read what the program has written so far."""
        with suppress(OSError):  # nothing there, or the terminal is gone
            while chunk := os.read(self._master, 65536):
                self._output += chunk
                del self._output[:-MAX_OUTPUT]

    async def _read(self) -> None:
        assert self._process.stdout is not None
        loop = asyncio.get_running_loop()
        loop.add_reader(self._master, self._take_output)  # a full terminal would stop the program
        try:
            while line := await self._process.stdout.readline():
                self._take(line.decode("utf-8", "surrogateescape"))
        finally:
            loop.remove_reader(self._master)
            for result in self._results.values():
                if not result.done():
                    result.set_exception(_ended())

    def _take(self, line: str) -> None:
        try:
            record = parse_line(line)
        except MiError:
            return  # something that gdb printed past its own protocol
        if record is None:
            return
        if record.kind == "result" and record.token in self._results:
            waiting = self._results[record.token]
            if not waiting.done():
                waiting.set_result(record)
        elif record.kind == "exec" and record.name == "stopped":
            self._stops.put_nowait(record)


def _ended() -> DesignError:
    return DesignError(
        "gdb-ended", "gdb has ended, and the program with it.", "Start another session with gdb_start and load again."
    )
