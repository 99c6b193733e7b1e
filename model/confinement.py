"""Keeps every file that is read or written by name inside the workspace folder."""

from __future__ import annotations

from pathlib import Path

from model.errors import DesignError


def place_inside(folder: Path | None, path: str) -> Path:
    """Resolve a path that a user or a model gave, relative to the workspace folder.

    Raises:
        DesignError: ``no-folder``, ``bad-path`` (not an ``.xml`` file), ``outside-workspace`` after resolving symbolic
            links and ``..``.
    """
    root = workspace_root(folder)
    if "\0" in path or not path.strip():
        raise DesignError("bad-path", "The path is empty or holds a NUL.", "Name an .xml file in the workspace folder.")
    try:
        place = (root / path).resolve()
    except (OSError, RuntimeError) as error:
        raise DesignError("bad-path", f"'{path}' cannot be followed: {error}.") from None
    check_inside(root, place, path)
    if place.suffix != ".xml":
        raise DesignError("bad-path", f"'{path}' does not end in .xml.", "IP-XACT files are .xml files.")
    return place


def workspace_root(folder: Path | None) -> Path:
    """The workspace folder, resolved.

    Raises:
        DesignError: ``no-folder``.
    """
    if folder is None:
        raise DesignError("no-folder", "This workspace has no folder, so no file can be read or written.")
    return folder.resolve()


def check_inside(root: Path, place: Path, shown: str) -> None:
    """Refuse a resolved place outside ``root``.

    Raises:
        DesignError: ``outside-workspace``.
    """
    if not place.is_relative_to(root):
        raise DesignError(
            "outside-workspace",
            f"'{shown}' lies outside the workspace folder {root}.",
            "Choose a path inside the workspace folder.",
        )
