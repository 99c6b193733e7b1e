"""``blockwright serve``: the design tools for any MCP client, over standard input and output or over HTTP."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Annotated, Literal

import typer
from rich.console import Console

from desktop.commands.opening import open_with_progress, tell_of_lost_work
from model.errors import DesignError
from model.workspace import Workspace
from server.attach import attach as attach_to
from server.desktop_service import NoDesktopError, find_desktop
from server.http import HttpService, serve_http
from server.stdio import serve_stdio

# Standard output belongs to the protocol.
_errors = Console(stderr=True, highlight=False, soft_wrap=True)

_BAD_USAGE = 2
_INTERRUPTED = 130


def serve(
    workspace: Annotated[
        Path | None,
        typer.Option("--workspace", "-w", help="Folder of IP-XACT files; nothing outside it is read or written."),
    ] = None,
    attach: Annotated[
        bool, typer.Option("--attach", help="Work on the design that is open in the running desktop.")
    ] = False,
    http: Annotated[
        int | None,
        typer.Option("--http", metavar="PORT", min=0, max=65535, help="Serve HTTP on this port (0 = any free one)."),
    ] = None,
    descriptions: Annotated[
        Literal["comprehensive", "minimal"], typer.Option(help="How much the tools tell a model about themselves.")
    ] = "comprehensive",
    extended: Annotated[
        bool, typer.Option("--extended", help="Offer nine more tools: rename, update, slices, tie-offs, checks …")
    ] = False,
) -> None:
    """Serve the design tools to an MCP client, over standard input and output unless --http is given."""
    if attach:
        if workspace is not None or http is not None or extended or descriptions != "comprehensive":
            _errors.print("--attach takes no other option: what is served is what the desktop serves.", markup=False)
            raise typer.Exit(_BAD_USAGE)
        _attach()
        return
    if workspace is None:
        _errors.print("Give --workspace a folder of IP-XACT files, or --attach to the running desktop.", markup=False)
        raise typer.Exit(_BAD_USAGE)
    opened = _open(workspace)
    try:
        if http is None:
            _end_at_once_on_interrupt(lambda: _warn_of_unsaved(opened))
            asyncio.run(serve_stdio(opened, descriptions=descriptions, extended=extended))
        else:
            asyncio.run(serve_http(opened, http, descriptions=descriptions, extended=extended, announce=_announce))
    except KeyboardInterrupt:
        pass
    except OSError as error:
        _errors.print(f"Cannot serve: {error}", markup=False)
        raise typer.Exit(1) from error
    _warn_of_unsaved(opened)


def _attach() -> None:
    _end_at_once_on_interrupt(lambda: None)

    def lost(error: NoDesktopError) -> None:
        _errors.print(str(error), markup=False)
        # The thread that waits for standard input cannot be woken: an orderly end would wait for the client.
        os._exit(1)

    try:
        asyncio.run(attach_to(find_desktop(), lost))
    except NoDesktopError as error:
        _errors.print(str(error), markup=False)
        raise typer.Exit(1) from error


def _open(folder: Path) -> Workspace:
    if not folder.exists():
        _errors.print(f"There is no folder {folder}. Give --workspace a folder of IP-XACT files.", markup=False)
        raise typer.Exit(_BAD_USAGE)
    try:
        opened = open_with_progress(folder)
    except (DesignError, OSError) as error:
        _errors.print(f"Cannot open {folder}: {error}", markup=False)
        raise typer.Exit(_BAD_USAGE) from error
    count = len(opened.workspace.library)
    _errors.print(f"{count} components in {folder}; {len(opened.findings)} findings.", markup=False)
    tell_of_lost_work(opened.workspace)
    return opened.workspace


def _end_at_once_on_interrupt(last: Callable[[], None]) -> None:
    def end(_number: int, _frame: FrameType | None) -> None:
        last()
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
