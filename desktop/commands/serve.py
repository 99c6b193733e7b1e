"""``blockwright serve``: the 14 tools for any MCP client, over standard input and output or over HTTP."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from types import FrameType
from typing import Annotated, Literal

import typer
from rich.console import Console

from model.errors import DesignError
from model.storage import open_workspace
from model.workspace import Workspace
from server.http import HttpService, serve_http
from server.stdio import serve_stdio

# Standard output belongs to the protocol.
_errors = Console(stderr=True, highlight=False, soft_wrap=True)

_BAD_USAGE = 2
_INTERRUPTED = 130


def serve(
    workspace: Annotated[
        Path, typer.Option("--workspace", "-w", help="Folder of IP-XACT files; nothing outside it is read or written.")
    ],
    http: Annotated[
        int | None,
        typer.Option("--http", metavar="PORT", min=0, max=65535, help="Serve HTTP on this port (0 = any free one)."),
    ] = None,
    descriptions: Annotated[
        Literal["comprehensive", "minimal"], typer.Option(help="How much the tools tell a model about themselves.")
    ] = "comprehensive",
) -> None:
    """Serve the design tools to an MCP client, over standard input and output unless --http is given."""
    opened = _open(workspace)
    try:
        if http is None:
            _end_at_once_on_interrupt(opened)
            asyncio.run(serve_stdio(opened, descriptions=descriptions))
        else:
            asyncio.run(serve_http(opened, http, descriptions=descriptions, announce=_announce))
    except KeyboardInterrupt:
        pass
    except OSError as error:
        _errors.print(f"Cannot serve: {error}", markup=False)
        raise typer.Exit(1) from error
    _warn_of_unsaved(opened)


def _open(folder: Path) -> Workspace:
    if not folder.exists():
        _errors.print(f"There is no folder {folder}. Give --workspace a folder of IP-XACT files.", markup=False)
        raise typer.Exit(_BAD_USAGE)
    try:
        opened = open_workspace(folder)
    except (DesignError, OSError) as error:
        _errors.print(f"Cannot open {folder}: {error}", markup=False)
        raise typer.Exit(_BAD_USAGE) from error
    count = len(opened.workspace.library)
    _errors.print(f"{count} components in {folder}; {len(opened.findings)} findings.", markup=False)
    return opened.workspace


def _end_at_once_on_interrupt(workspace: Workspace) -> None:
    def end(_number: int, _frame: FrameType | None) -> None:
        _warn_of_unsaved(workspace)
        os._exit(_INTERRUPTED)

    # The thread that waits for standard input cannot be woken, so an orderly end would hang. Files are written
    # atomically: nothing is left half done.
    signal.signal(signal.SIGINT, end)


def _announce(service: HttpService) -> None:
    if service.took_other_port:
        _errors.print(f"Port {service.wanted_port} is taken; the next free one is {service.port}.", markup=False)
    _errors.print(f"Serving MCP at {service.url}", markup=False)
    _errors.print(f"The token is in {service.token_file}; send it as 'Authorization: Bearer TOKEN'.", markup=False)
    _errors.print("Ctrl+C ends it.", markup=False)


def _warn_of_unsaved(workspace: Workspace) -> None:
    unsaved = workspace.unsaved()
    if unsaved:
        names = ", ".join(str(vlnv) for vlnv in unsaved[:5]) + (" …" if len(unsaved) > 5 else "")
        _errors.print(f"{len(unsaved)} changed components were not saved (save_component): {names}", markup=False)
