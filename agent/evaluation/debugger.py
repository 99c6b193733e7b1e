"""The GDB server of a session, whose state can be brought back: a debugger's state is what has been done in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client
from mcp_types import CallToolResult, Tool

from agent.evaluation.matching import CanonicalCall, canonical_call
from agent.servers import ServerError
from agent.toolbox import alone
from server.gdb.gdb_server import GdbServer, build_gdb_server


@dataclass(frozen=True, slots=True)
class Step:
    """A call that may have changed a session; equal where it says the same."""

    call: CanonicalCall
    arguments: Mapping[str, Any]
    ok: bool

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and (self.call, self.ok) == (other.call, other.ok)

    __hash__ = None  # type: ignore[assignment]  # its mappings have none


class Debugger:
    """The bundled GDB server as an :class:`agent.toolbox.Endpoint` that remembers its course."""

    def __init__(self, server: GdbServer, client: Client, tools: Sequence[Tool]) -> None:
        self._server = server
        self._client = client
        self.tools = tools
        self._reads = {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint}
        self._steps: list[Step] = []

    @classmethod
    @asynccontextmanager
    async def opened(cls, folder: Path) -> AsyncIterator[Debugger]:
        """Serve debuggers that work in ``folder``; they end with the context."""
        server = build_gdb_server(folder)
        try:
            async with Client(server) as client:
                yield cls(server, client, (await client.list_tools()).tools)
        except BaseExceptionGroup as group:
            raise alone(group) from None

    @property
    def steps(self) -> tuple[Step, ...]:
        """What has been done so far."""
        return tuple(self._steps)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """Make one call; see :class:`agent.toolbox.Endpoint`."""
        result = await self._client.call_tool(tool, dict(arguments))
        if tool not in self._reads:
            self._steps.append(Step(canonical_call(tool, arguments), dict(arguments), not result.is_error))
        return result

    async def restore(self, steps: Sequence[Step]) -> None:
        """Bring the sessions back to where they were after ``steps``: go on if they are on the way, else start again.

        Raises:
            ServerError: the same calls no longer do the same.
        """
        if self._steps != list(steps[: len(self._steps)]):
            await self._server.sessions.close()
            self._steps.clear()
        for step in steps[len(self._steps) :]:
            result = await self.call(step.call.tool, step.arguments)
            if result.is_error == step.ok:
                raise ServerError(f"The debugger cannot be brought back: {step.call.tool} no longer does what it did.")
