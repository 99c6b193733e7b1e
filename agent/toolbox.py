"""The tools that an agent may use: MCP servers behind one list of names."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from agent.models.base import ToolCall, ToolSpec
from model.errors import DesignError, nearest

if TYPE_CHECKING:  # the SDK takes a second to load: that is left until tools are used
    from mcp import Client
    from mcp.server import MCPServer
    from mcp_types import CallToolResult, Tool


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


class Endpoint(Protocol):
    """A server that somebody else starts and ends, such as an :class:`agent.server_process.ServerProcess`."""

    @property
    def tools(self) -> Sequence[Tool]:
        """What it offers."""
        ...

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """Make one call; what goes wrong is an error result."""
        ...


@dataclass(frozen=True, slots=True)
class _InProcess:
    """A server in this process."""

    client: Client
    tools: Sequence[Tool]

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        return await self.client.call_tool(tool, dict(arguments))


@dataclass(frozen=True, slots=True)
class _Known:
    """A tool and where it lives; ``tool.name`` is what its own server calls it."""

    server: str
    tool: Tool


class Toolbox:
    """The tools of one or more MCP servers, called by name.

    Tools keep their names. Where a name is taken already, by a server that was named before, the later tool is called
    ``SERVER_name``; so every tool can be reached, and the first server's tools are called what they always are. A name
    that no server knows is refused with the nearest ones.
    """

    def __init__(self, endpoints: Mapping[str, Endpoint]) -> None:
        self._endpoints = endpoints
        self._tools: dict[str, _Known] = {}
        for server, endpoint in endpoints.items():
            for tool in endpoint.tools:
                self._tools[self._free_name(server, tool.name)] = _Known(server, tool)
        self.specs = tuple(
            ToolSpec(name, known.tool.description or "", known.tool.input_schema, known.server)
            for name, known in self._tools.items()
        )

    def _free_name(self, server: str, name: str) -> str:
        while name in self._tools:
            name = f"{server}_{name}"
        return name

    @classmethod
    @asynccontextmanager
    async def connected(cls, servers: Mapping[str, MCPServer | Endpoint]) -> AsyncIterator[Toolbox]:
        """Connect to servers in this process, whose connections end with the context, and to endpoints that run."""
        from mcp import Client  # noqa: PLC0415
        from mcp.server import MCPServer  # noqa: PLC0415

        try:
            async with AsyncExitStack() as stack:
                endpoints: dict[str, Endpoint] = {}
                for name, server in servers.items():
                    if isinstance(server, MCPServer):
                        client = await stack.enter_async_context(Client(server))
                        endpoints[name] = _InProcess(client, (await client.list_tools()).tools)
                    else:
                        endpoints[name] = server
                yield cls(endpoints)
        except BaseExceptionGroup as group:
            # The clients' task groups wrap what was raised inside the context.
            raise alone(group) from None

    def server_of(self, tool: str) -> str:
        """Name of the server that answers calls of ``tool``; the first one's where none knows it."""
        known = self._tools.get(tool)
        return known.server if known else next(iter(self._endpoints))

    def is_read_only(self, tool: str) -> bool:
        """Whether the server declares that the tool changes nothing."""
        known = self._tools.get(tool)
        annotations = known.tool.annotations if known else None
        return bool(annotations and annotations.read_only_hint)

    def is_destructive(self, tool: str) -> bool:
        """Whether the tool may take something away: the protocol takes it for so where its server does not say."""
        known = self._tools.get(tool)
        if known is None or self.is_read_only(tool):
            return False
        annotations = known.tool.annotations
        return annotations is None or annotations.destructive_hint is not False

    async def call(self, call: ToolCall) -> ToolResult:
        """Make one call. A refusal is a result whose ``ok`` is false, never an exception."""
        started = time.perf_counter()
        known = self._tools.get(call.name)
        if known is None and len(self._endpoints) > 1:
            return self._unknown(call.name)
        # A server that is alone refuses an unknown name better than this could.
        server, name = (known.server, known.tool.name) if known else (self.server_of(call.name), call.name)
        answer = await self._endpoints[server].call(name, call.arguments)
        text = "\n".join(block.text for block in answer.content if block.type == "text")
        data = answer.structured_content if isinstance(answer.structured_content, dict) else {}
        return ToolResult(not answer.is_error, text, data, time.perf_counter() - started)

    def _unknown(self, name: str) -> ToolResult:
        error = DesignError(
            "unknown-tool",
            f"Refused (unknown-tool): There is no tool '{name[:60]}'.",
            f"The tools are {', '.join(self._tools)}.",
            nearest(name[:200], self._tools),
        )
        return ToolResult(False, str(error), {"ok": False, "code": error.code, "message": error.message})


def alone(error: BaseException) -> BaseException:
    """The one exception of a group that holds just one: what was raised, as its caller expects it."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error
