"""A server in a process of its own: started when it is needed, and again when it has died."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TextIO

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.message import SessionMessage
from mcp_types import CallToolResult, TextContent, Tool

from agent.servers import ServerCommand, ServerError

START_SECONDS = 60.0
"""How long a server may take to start; some fetch themselves first."""
CALL_SECONDS = 120.0
"""How long one call may take."""

_MOST_TOLD = 600  # characters of a server's last words


@dataclass(frozen=True)
class _Connection:
    """A running server, served by a task of its own: the SDK's connections end in the task that began them."""

    client: Client
    tools: tuple[Tool, ...]
    ended: asyncio.Event
    errors: TextIO


class ServerProcess:
    """An MCP server over standard input and output, as an :class:`agent.toolbox.Endpoint`.

    Attributes:
        tools: what it offers; empty before it was first started.
    """

    def __init__(self, command: ServerCommand) -> None:
        self.command = command
        self.tools: Sequence[Tool] = ()
        self._connection: _Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._ending = asyncio.Event()
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        """Start the server and ask for its tools; nothing to do where it runs.

        Raises:
            ServerError: it does not start, or does not speak MCP.
        """
        async with self._starting:
            if self._connection is not None and not self._connection.ended.is_set():
                return
            await self._end()
            self._ending = asyncio.Event()
            ready: asyncio.Future[_Connection] = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._serve(ready, self._ending))
            try:
                async with asyncio.timeout(START_SECONDS):
                    self._connection = await ready
            except TimeoutError:
                await self._end()
                raise ServerError(
                    f"The server {self.command.name} did not answer within {START_SECONDS:g} s: is "
                    f"{self.command.command} a server that speaks MCP over standard input and output?"
                ) from None
            self.tools = self._connection.tools

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """Make one call. Whatever goes wrong with the server becomes a refusal that says what is known of the call."""
        began = self._connection
        try:
            await self.start()
        except ServerError as error:
            return _failed("server-unavailable", f"{tool} was not called. {error}")
        connection = self._connection
        assert connection is not None
        result = await self._made(connection, tool, arguments)
        if began is not None and began is not connection:
            note = f"The server {self.command.name} had ended and was started again; what it held in memory is gone."
            return result.model_copy(update={"content": [TextContent(type="text", text=note), *result.content]})
        return result

    async def _made(self, connection: _Connection, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        name = self.command.name
        try:
            return await connection.client.call_tool(tool, dict(arguments))
        except Exception as error:  # an error of the protocol, an answer that breaks the tool's own schema, a lost pipe
            if not connection.ended.is_set():
                return _failed("server-error", f"The server {name} did not answer {tool} properly: {error}")
        last = _last_words(connection.errors)
        text = (
            f"The server {name} ended while it worked on {tool}, so it is not known whether that was done."
            f"{f' Its last words: {last}.' if last else ''}"
        )
        try:
            await self.start()
        except ServerError as error:
            return _failed("server-ended", f"{text} It could not be started again: {error}")
        return _failed("server-ended", f"{text} It has been started again: look first, then repeat what is missing.")

    async def aclose(self) -> None:
        """End the server."""
        async with self._starting:
            await self._end()

    async def _end(self) -> None:
        self._ending.set()
        if self._task is not None:
            if self._connection is None:
                self._task.cancel()  # it is still being started
            await asyncio.wait([self._task])
        self._task = self._connection = None

    async def _serve(self, ready: asyncio.Future[_Connection], ending: asyncio.Event) -> None:
        """Keep one connection open until it is to end; every failure goes to whoever waits for ``ready``."""
        ended = asyncio.Event()
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
            try:
                async with Client(_watched(self._parameters(), errors, ended), read_timeout_seconds=CALL_SECONDS) as it:
                    tools = await _all_tools(it)
                    if not ready.done():
                        ready.set_result(_Connection(it, tools, ended, errors))
                    await ending.wait()
            except Exception as error:  # transports raise whatever they meet, in groups
                if not ready.done():
                    ready.set_exception(self._not_started(error, _last_words(errors)))
            finally:
                ended.set()

    def _parameters(self) -> StdioServerParameters:
        return StdioServerParameters(
            command=self.command.command,
            args=list(self.command.args),
            env=dict(self.command.env),
            cwd=self.command.cwd,
            encoding_error_handler="replace",
        )

    def _not_started(self, error: BaseException, last: str) -> ServerError:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        name, command = self.command.name, self.command.command
        if isinstance(error, FileNotFoundError):
            return ServerError(f"The server {name} cannot be started: there is no command '{command}'. Install it.")
        if isinstance(error, OSError):
            return ServerError(f"The server {name} cannot be started: {error}.")
        said = f" It said: {last}" if last else ""
        return ServerError(f"The server {name} ended before it could be used, or does not speak MCP.{said}")


@asynccontextmanager
async def _watched(parameters: StdioServerParameters, errors: TextIO, ended: asyncio.Event) -> AsyncIterator[Any]:
    """The transport to a process, which sets ``ended`` when the process has closed its end."""
    async with stdio_client(parameters, errlog=errors) as (from_server, to_server), anyio.create_task_group() as group:
        send, receive = anyio.create_memory_object_stream[SessionMessage | Exception](0)

        async def pass_on() -> None:
            async with send:
                try:
                    async for message in from_server:
                        await send.send(message)
                except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                    pass  # this side is being closed
                finally:
                    ended.set()

        group.start_soon(pass_on)
        async with receive:
            yield receive, to_server
        group.cancel_scope.cancel()


async def _all_tools(client: Client) -> tuple[Tool, ...]:
    tools: list[Tool] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if not cursor:
            return tuple(tools)


def _failed(code: str, text: str) -> CallToolResult:
    facts = {"ok": False, "code": code, "message": text}
    shown = f"Refused ({code}): {text}"
    return CallToolResult(content=[TextContent(type="text", text=shown)], structured_content=facts, is_error=True)


def _last_words(errors: TextIO) -> str:
    """The end of what a server wrote to its standard error."""
    try:
        errors.flush()
        errors.seek(0)
        lines = [line for line in errors.read().splitlines() if line.strip()]
    except (OSError, ValueError):
        return ""
    return " ".join(lines[-3:])[-_MOST_TOLD:]
