"""A folder as a value: everything in it at one moment, and the way back to that."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file's content and permissions."""

    content: bytes
    mode: int


@dataclass(frozen=True, slots=True)
class FolderState:
    """What lies in a folder, by path relative to it."""

    files: Mapping[str, StoredFile]
    folders: frozenset[str]


def capture_folder(folder: Path) -> FolderState:
    """Return everything in a folder, links as what they point to.

    Raises:
        OSError: something cannot be read.
    """
    files: dict[str, StoredFile] = {}
    folders: set[str] = set()
    for place, inner, names in os.walk(folder):
        for name in inner:
            folders.add(os.path.relpath(os.path.join(place, name), folder))  # noqa: PTH118  # six times as fast
        for name in names:
            path = os.path.join(place, name)  # noqa: PTH118
            with open(path, "rb") as file:  # noqa: PTH123
                files[os.path.relpath(path, folder)] = StoredFile(file.read(), os.fstat(file.fileno()).st_mode & 0o777)
    return FolderState(files, frozenset(folders))


def restore_folder(folder: Path, state: FolderState) -> None:
    """Bring a folder back to what it was; what is right already is not touched.

    Raises:
        OSError: something cannot be written or removed.
    """
    present = capture_folder(folder)
    for name in present.files.keys() - state.files.keys():
        (folder / name).unlink()
    for name in sorted(present.folders - state.folders, reverse=True):  # the inner ones first
        (folder / name).rmdir()
    for name in sorted(state.folders - present.folders):
        (folder / name).mkdir()
    for name, stored in state.files.items():
        if present.files.get(name) != stored:
            path = folder / name
            path.unlink(missing_ok=True)  # Git's objects may not be written to, only replaced
            path.write_bytes(stored.content)
            path.chmod(stored.mode)
