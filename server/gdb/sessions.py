"""What the debugger's tools do, over named sessions."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from mcp.types import CallToolResult

from model.errors import DesignError, nearest
from server.arguments import shown
from server.gdb.mi import quoted
from server.gdb.process import Gdb
from server.gdb.told import clipped, dump, stopped, told, where

MOST_SESSIONS = 4
MOST_FRAMES = 50
MOST_BYTES = 1024
MOST_STEPS = 10_000

# What helps where gdb's own words do not say what to do next.
_HINTS: tuple[tuple[str, str, str], ...] = (
    (r"not being run|No stack|No registers|No frame|not running", "not-running", "Start the program with gdb_run."),
    (
        r"No executable|No symbol table|no debugging symbols",
        "no-program",
        "Load a program that was compiled with -g, with gdb_load.",
    ),
    (r"No symbol ", "no-such-name", "gdb_locals tells the variables of this function."),
    (r"not defined|No line |No source file", "no-such-place", "Give a function of the program, or file:line."),
    (r"breakpoint number|No breakpoint", "no-such-breakpoint", ""),
    (
        r"[Oo]peration not permitted|[Dd]uring startup program exited|ptrace",
        "cannot-trace",
        "This machine may not let gdb trace programs; a container needs the capability SYS_PTRACE.",
    ),
    (r"while target is running|thread is running", "still-running", "Wait for the program, or end it with gdb_end."),
)
_SHELL = re.compile(r"\$_shell\b")


class Sessions:
    """The debuggers of one server.

    Sessions are called gdb1, gdb2 …, the lowest free number first, so that the same calls give the same names.
    """

    def __init__(self, folder: Path) -> None:
        """``folder``: where the debuggers work, and which the programs must lie in."""
        self._folder = folder
        self._open: dict[str, Gdb] = {}
        self._opening = asyncio.Lock()
        self._tools: Mapping[str, Callable[..., Awaitable[CallToolResult]]] = {
            "gdb_start": self._start,
            "gdb_load": self._load,
            "gdb_break": self._break,
            "gdb_delete_breakpoint": self._delete_breakpoint,
            "gdb_run": self._run,
            "gdb_continue": self._continue,
            "gdb_step": self._step,
            "gdb_next": self._next,
            "gdb_finish": self._finish,
            "gdb_backtrace": self._backtrace,
            "gdb_locals": self._locals,
            "gdb_print": self._print,
            "gdb_memory": self._memory,
            "gdb_end": self._end,
        }

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """Do what a tool does.

        Raises:
            DesignError: it is refused, by the rules here or by gdb.
        """
        try:
            return await self._tools[tool](**arguments)
        except DesignError as error:
            await self._drop_ended()
            raise _explained(error) from error

    async def _drop_ended(self) -> None:
        """Free the names of sessions whose debugger has ended by itself."""
        for name, gdb in list(self._open.items()):
            if not gdb.alive:
                del self._open[name]
                await gdb.close()

    async def close(self) -> None:
        """End every session."""
        while self._open:
            _name, gdb = self._open.popitem()
            await gdb.close()

    def _session(self, name: str) -> Gdb:
        found = self._open.get(name)
        if found is None:
            hint = f"Open sessions: {', '.join(self._open)}." if self._open else "Start one with gdb_start."
            raise DesignError(
                "no-such-session", f"There is no session {shown(name)}.", hint, nearest(name[:200], self._open)
            )
        return found

    async def _start(self) -> CallToolResult:
        async with self._opening:
            free = [f"gdb{number}" for number in range(1, MOST_SESSIONS + 1)]
            names = [name for name in free if name not in self._open]
            if not names:
                raise DesignError(
                    "too-many-sessions", f"{MOST_SESSIONS} sessions are open already.", "End one with gdb_end."
                )
            self._open[names[0]] = await Gdb.start(self._folder)
        return told(f"Started session {names[0]}. Load a program with gdb_load.", session=names[0])

    async def _load(self, session: str, program: str, arguments: str) -> CallToolResult:
        gdb = self._session(session)
        path = self._program(program)
        with suppress(DesignError):
            await gdb.command('-interpreter-exec console "kill"')
        await gdb.command("-break-delete")
        await gdb.command(f"-file-exec-and-symbols {quoted(str(path))}")
        await gdb.command(f"-exec-arguments {arguments}" if arguments else "-exec-arguments")
        message = f"Loaded {program} into {session}"
        message += f" with the arguments {arguments}." if arguments else "."
        try:
            await gdb.command("-file-list-exec-source-file")
        except DesignError:
            return told(f"{message} It has no debugging symbols: compile it with -g to see names and lines.")
        return told(message, session=session, program=program)

    def _program(self, program: str) -> Path:
        folder = self._folder.resolve()
        path = (folder / program).resolve()
        if not path.is_relative_to(folder):
            raise DesignError("outside-folder", f"{shown(program)} lies outside {folder}.", "Name a program inside it.")
        if not path.is_file():
            raise DesignError(
                "no-such-file", f"There is no file {shown(program)} in {folder}.", "Build the program first."
            )
        return path

    async def _break(self, session: str, location: str, condition: str) -> CallToolResult:
        _check_text(location, condition)
        extra = f"-c {quoted(condition)} " if condition else ""
        record = await self._session(session).command(f"-break-insert {extra}{quoted(location)}")
        point = record.data["bkpt"]
        place = point if "file" in point else next(iter(point.get("locations", ())), point)
        at = f"{place['file']}:{place['line']}" if "file" in place else str(place.get("addr", ""))
        within = f"{place['func']}, " if "func" in place else ""
        when = f", when {condition}" if condition else ""
        return told(
            f"Breakpoint {point['number']} is set in {within}{at}{when}.",
            session=session,
            number=point["number"],
            function=place.get("func", ""),
            file=place.get("file", ""),
            line=place.get("line", ""),
        )

    async def _delete_breakpoint(self, session: str, number: str) -> CallToolResult:
        gdb = self._session(session)
        _count(number, "number", 1_000_000)
        table = (await gdb.command("-break-list")).data.get("BreakpointTable", {}).get("body", [])
        known = [str(point["number"]) for point in table if isinstance(point, Mapping)]
        if number not in known:
            there = f"There are {', '.join(known)}." if known else "None is set."
            raise DesignError("no-such-breakpoint", f"There is no breakpoint {number}. {there}")
        await gdb.command(f"-break-delete {number}")
        return told(f"Deleted breakpoint {number}.", session=session, number=number)

    async def _run(self, session: str) -> CallToolResult:
        return await self._go(session, "-exec-run")

    async def _continue(self, session: str) -> CallToolResult:
        return await self._go(session, "-exec-continue")

    async def _step(self, session: str, count: str) -> CallToolResult:
        return await self._go(session, f"-exec-step {_count(count, 'count', MOST_STEPS)}")

    async def _next(self, session: str, count: str) -> CallToolResult:
        return await self._go(session, f"-exec-next {_count(count, 'count', MOST_STEPS)}")

    async def _finish(self, session: str) -> CallToolResult:
        return await self._go(session, "-exec-finish")

    async def _go(self, session: str, command: str) -> CallToolResult:
        return stopped(await self._session(session).go(command), session)

    async def _backtrace(self, session: str) -> CallToolResult:
        gdb = self._session(session)
        depth = int((await gdb.command("-stack-info-depth")).data["depth"])
        last = min(depth, MOST_FRAMES) - 1
        frames = (await gdb.command(f"-stack-list-frames 0 {last}")).data["stack"]
        given = (await gdb.command(f"-stack-list-arguments --simple-values 0 {last}")).data["stack-args"]
        lines = [
            f"#{frame['level']} {where(frame, arguments.get('args', ()))}"
            for frame, arguments in zip(frames, given, strict=True)
        ]
        cut = f", the {MOST_FRAMES} innermost of which follow" if depth > MOST_FRAMES else ""
        facts = [
            {"function": frame.get("func", ""), "file": frame.get("file", ""), "line": frame.get("line", "")}
            for frame in frames
        ]
        return told(f"{depth} frames{cut}.", lines, session=session, frames=facts)

    async def _locals(self, session: str) -> CallToolResult:
        record = await self._session(session).command("-stack-list-variables --all-values")
        variables = record.data["variables"]
        lines = [
            f"{each['name']} = {clipped(str(each.get('value', '…')))}" + (" (argument)" if "arg" in each else "")
            for each in variables
        ]
        facts = {str(each["name"]): clipped(str(each.get("value", ""))) for each in variables}
        return told(f"{len(variables)} variables.", lines, session=session, variables=facts)

    async def _print(self, session: str, expression: str) -> CallToolResult:
        _check_text(expression)
        record = await self._session(session).command(f"-data-evaluate-expression {quoted(expression)}")
        value = clipped(str(record.data["value"]))
        return told(f"{expression} = {value}", session=session, value=value)

    async def _memory(self, session: str, address: str, count: str) -> CallToolResult:
        _check_text(address)
        gdb = self._session(session)
        wanted = _count(count, "count", MOST_BYTES)
        blocks = (await gdb.command(f"-data-read-memory-bytes {quoted(address)} {wanted}")).data["memory"]
        lines: list[str] = []
        content = b""
        for block in blocks:
            part = bytes.fromhex(block["contents"])
            content += part
            lines += dump(int(block["begin"], 16), part)
        return told(f"{len(content)} bytes at {address}.", lines, session=session, bytes=content.hex())

    async def _end(self, session: str) -> CallToolResult:
        gdb = self._session(session)
        del self._open[session]
        await gdb.close()
        return told(f"Ended session {session}.", session=session)


def _check_text(*texts: str) -> None:
    """Refuse expressions that reach beyond the program.

    Raises:
        DesignError: one does.
    """
    for text in texts:
        if _SHELL.search(text):
            raise DesignError(
                "not-allowed", "Expressions may not start shell commands.", "Use the program's own names and values."
            )


def _count(text: str, name: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or not 1 <= int(text) <= most:
        raise DesignError("bad-argument", f"{name} must be a whole number from 1 to {most}, not {shown(text)}.")
    return int(text)


def _explained(error: DesignError) -> DesignError:
    """gdb's refusal with a code of its own and what to do next, where its words are known."""
    if error.code != "gdb-refused":
        return error
    for pattern, code, hint in _HINTS:
        if re.search(pattern, error.message):
            return DesignError(code, f"gdb says: {error.message}", hint)
    return DesignError(error.code, f"gdb says: {error.message}")
