"""The tools that an agent may use: MCP clients behind one list of names."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp import Client
from mcp.server import MCPServer
from mcp_types import TextContent, Tool

from agent.models.base import ToolCall, ToolSpec


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a server answered.

    Attributes:
        ok: the call was accepted.
        text: the answer as a model reads it.
        data: the structured answer, empty when the server gave none.
        seconds: from the call to its answer.
    """

    ok: bool
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0


class Toolbox:
    """The tools of one or more MCP servers, called by name.

    A tool name that two servers share belongs to the server that was named first, so that no call is lost between
    them. A name that no server knows goes to the first server, whose refusal names the nearest tools.
    """

    def __init__(self, clients: Mapping[str, Client], tools: Mapping[str, tuple[str, Tool]]) -> None:
        self._clients = clients
        self._tools = tools
        self.specs = tuple(
            ToolSpec(name, tool.description or "", tool.input_schema) for name, (_server, tool) in tools.items()
        )

    @classmethod
    @asynccontextmanager
    async def connected(cls, servers: Mapping[str, MCPServer]) -> AsyncIterator[Toolbox]:
        """Connect to servers in this process; the connections end with the context."""
        try:
            async with AsyncExitStack() as stack:
                clients: dict[str, Client] = {}
                tools: dict[str, tuple[str, Tool]] = {}
                for name, server in servers.items():
                    clients[name] = await stack.enter_async_context(Client(server))
                    for tool in (await clients[name].list_tools()).tools:
                        tools.setdefault(tool.name, (name, tool))
                yield cls(clients, tools)
        except BaseExceptionGroup as group:
            # The clients' task groups wrap what was raised inside the context; its caller expects it as it was.
            raise _alone(group) from None

    def server_of(self, tool: str) -> str:
        """Name of the server that answers calls of ``tool``."""
        known = self._tools.get(tool)
        return known[0] if known else next(iter(self._clients))

    def is_read_only(self, tool: str) -> bool:
        """Whether the server declares that the tool changes nothing."""
        known = self._tools.get(tool)
        annotations = known[1].annotations if known else None
        return bool(annotations and annotations.read_only_hint)

    async def call(self, call: ToolCall) -> ToolResult:
        """Make one call. A refusal is a result whose ``ok`` is false, never an exception."""
        started = time.perf_counter()
        answer = await self._clients[self.server_of(call.name)].call_tool(call.name, dict(call.arguments))
        text = "\n".join(block.text for block in answer.content if isinstance(block, TextContent))
        data = answer.structured_content if isinstance(answer.structured_content, dict) else {}
        return ToolResult(not answer.is_error, text, data, time.perf_counter() - started)


def _alone(error: BaseException) -> BaseException:
    """The one exception of a group that holds just one."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
