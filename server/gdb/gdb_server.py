"""The MCP server over the debugger: publishes its tools, checks every call and answers it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.types import CallToolResult, Tool, ToolAnnotations

from model.errors import DesignError
from server.arguments import contract_of, read_arguments
from server.descriptions import read_descriptions
from server.gdb.contract import GDB_TOOLS
from server.gdb.sessions import Sessions
from server.results import refused

_log = logging.getLogger(__name__)

_INSTRUCTIONS = (
    "Debugs programs with the GNU debugger: start a session, load a program, set breakpoints, run it, look at "
    "variables and memory. A refused call says what was wrong and what to do next."
)


class GdbServer(MCPServer[Any]):
    """An MCP server whose tools, schemas and refusals are those of :mod:`server.gdb.contract`."""

    def __init__(self, folder: Path) -> None:
        self.sessions = Sessions(folder)
        super().__init__(
            "blockwright-gdb",
            title="GNU debugger",
            version=_version(),
            instructions=_INSTRUCTIONS,
            log_level="WARNING",
            lifespan=self._ending_sessions,
        )

    @asynccontextmanager
    async def _ending_sessions(self, _server: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await self.sessions.close()

    async def list_tools(self) -> list[Tool]:
        """List the debugger's tools."""
        return _tools()

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult:
        """Call a tool; every failure comes back as an error result that says what to do next."""
        try:
            contract = contract_of(name, GDB_TOOLS)
            return await self.sessions.call(contract.name, read_arguments(contract, arguments))
        except DesignError as error:
            return refused(error)
        except Exception:
            _log.exception("%s failed", name)
            return refused(
                DesignError(
                    "internal-error",
                    f"{name} failed inside the server.",
                    "This is a fault of the program, not of the call: its log has the details.",
                )
            )


@cache
def _tools() -> list[Tool]:
    described = read_descriptions("gdb.yaml", GDB_TOOLS)
    return [
        Tool(
            name=name,
            title=contract.title,
            description=described[name].text,
            input_schema=contract.input_schema(described[name].arguments),
            annotations=ToolAnnotations(
                title=contract.title,
                read_only_hint=contract.effect == "read",
                destructive_hint=contract.destructive,
                idempotent_hint=contract.idempotent,
                open_world_hint=False,
            ),
        )
        for name, contract in GDB_TOOLS.items()
    ]


def _version() -> str:
    try:
        return version("blockwright")
    except PackageNotFoundError:
        return "0"


def build_gdb_server(folder: Path) -> GdbServer:
    """Return a server whose debuggers work in ``folder``; the programs to debug must lie in it."""
    return GdbServer(folder)
