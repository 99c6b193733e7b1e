"""An MCP server that can be made to die, for tests: run it as a program."""

from __future__ import annotations

import os
import sys

from mcp.server import MCPServer
from mcp.shared.exceptions import MCPError
from mcp.types import ToolAnnotations

server = MCPServer("frail")
counted = 0


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def list_components(folder: str) -> str:
    """List the components of an electronics shop."""
    return f"resistors in {folder}"


@server.tool(annotations=ToolAnnotations(destructive_hint=False))
def count() -> str:
    """Count the calls of this tool."""
    global counted  # noqa: PLW0603
    counted += 1
    return str(counted)


@server.tool()
def die(word: str) -> str:
    """End the server in the middle of the call."""
    print(word, file=sys.stderr, flush=True)
    os._exit(3)


@server.tool()
def break_protocol() -> str:
    """Answer with an error of the protocol."""
    raise MCPError(code=-32000, message="the shop is closed")


if __name__ == "__main__":
    if "--broken" in sys.argv:
        print("no licence found", file=sys.stderr)
        sys.exit(1)
    if "--silent" in sys.argv:
        sys.stdin.read()
        sys.exit(0)
    server.run()
