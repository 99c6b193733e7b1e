"""A folder as a value: everything in it at one moment, and the way back to that."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_TICK = 50_000_000
"""Nanoseconds within which two writes may leave the same time on a file."""


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


@dataclass(frozen=True, slots=True)
class _Seen:
    """A file as it was read; it need not be read again while its facts stay the same."""

    facts: tuple[int, ...]
    read_at: int
    stored: StoredFile

    def holds(self, facts: tuple[int, ...]) -> bool:
        return self.facts == facts and facts[0] + _TICK < self.read_at


class KeptFolder:
    """A folder whose state is taken down and brought back again and again; links count as what they point to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: dict[str, _Seen] = {}

    def capture(self) -> FolderState:
        """Return everything in the folder.

        Raises:
            OSError: something cannot be read.
        """
        seen: dict[str, _Seen] = {}
        folders: set[str] = set()
        pending = [""]
        while pending:
            within = pending.pop()
            with os.scandir(self.path / within) as entries:
                for entry in entries:
                    name = f"{within}{entry.name}"
                    if entry.is_dir():
                        folders.add(name)
                        pending.append(f"{name}/")
                    else:
                        seen[name] = self._read(name, entry.stat())
        self._seen = seen
        return FolderState({name: file.stored for name, file in seen.items()}, frozenset(folders))

    def _read(self, name: str, now: os.stat_result) -> _Seen:
        facts = (max(now.st_mtime_ns, now.st_ctime_ns), now.st_mtime_ns, now.st_ino, now.st_size, now.st_mode)
        known = self._seen.get(name)
        if known is not None and known.holds(facts):
            return known
        read_at = time.time_ns()
        return _Seen(facts, read_at, StoredFile((self.path / name).read_bytes(), now.st_mode & 0o777))

    def restore(self, state: FolderState) -> None:
        """Bring the folder back to what it was; what is right already is not touched.

        Raises:
            OSError: something cannot be written or removed.
        """
        present = self.capture()
        for name in present.files.keys() - state.files.keys():
            (self.path / name).unlink()
        for name in sorted(present.folders - state.folders, reverse=True):  # the inner ones first
            (self.path / name).rmdir()
        for name in sorted(state.folders - present.folders):
            (self.path / name).mkdir()
        for name, stored in state.files.items():
            if present.files.get(name) != stored:
                path = self.path / name
                path.unlink(missing_ok=True)  # Git's objects may not be written to, only replaced
                path.write_bytes(stored.content)
                path.chmod(stored.mode)
