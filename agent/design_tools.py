"""The design's own tools, for agents. The MCP SDK behind them takes a second to load: not before they are used."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Any

from model.workspace import Workspace
from server.editor import Editor

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from server.descriptions import DescriptionSet


def design_tools(
    workspace: Workspace, editor: Editor | None = None, descriptions: DescriptionSet = "comprehensive"
) -> MCPServer[Any]:
    """A server of the 14 tools over a workspace; see :func:`server.design_server.build_server`."""
    from server.design_server import build_server  # noqa: PLC0415

    return build_server(workspace, editor=editor, descriptions=descriptions)


async def load() -> None:
    """Load what the tools and their scores need, in a thread of its own, before anybody waits for it."""
    for module in ("server.design_server", "networkx.algorithms.bipartite"):
        await asyncio.to_thread(importlib.import_module, module)
