"""The tools that read and write files inside the workspace folder."""

from __future__ import annotations

from pathlib import Path

from mcp.types import CallToolResult

from model import storage
from model.change import Change
from model.workspace import Transaction, Workspace
from server.results import accepted


def save_component(workspace: Workspace, *, component: str, path: str, overwrite: bool) -> CallToolResult:
    """Write a component, and its design where it has one, to disk.

    Raises:
        DesignError: the path or what lies there is refused; no file has changed.
    """
    saved = storage.save_component(workspace, component, path, overwrite)
    return accepted(Change(saved.message), paths=[_shown(workspace, path) for path in saved.paths])


def load_component(
    workspace: Workspace, transaction: Transaction | None, *, path: str, overwrite: bool
) -> CallToolResult:
    """Read a component from disk into the library.

    Raises:
        DesignError: the path or the file is refused; the library has not changed.
    """
    return accepted(storage.load_component(workspace, path, overwrite, transaction))


def _shown(workspace: Workspace, path: Path) -> str:
    """The path as save_component and load_component take it: relative to the workspace folder."""
    folder = workspace.folder
    if folder is not None and path.is_relative_to(folder.resolve()):
        return path.relative_to(folder.resolve()).as_posix()
    return str(path)
