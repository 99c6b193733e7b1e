"""The tools over standard input and output, for clients that start a server as their child process."""

from __future__ import annotations

from model.workspace import Workspace
from server.descriptions import DescriptionSet
from server.design_server import build_server


async def serve_stdio(
    workspace: Workspace, *, descriptions: DescriptionSet = "comprehensive", extended: bool = False
) -> None:
    """Serve one client until it closes the connection.

    Only protocol messages reach standard output: while this runs, anything else that is printed goes to standard error.
    """
    await build_server(workspace, descriptions=descriptions, extended=extended).run_stdio_async()
