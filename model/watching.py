"""Notices what other programs do to the files of an open workspace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from model.errors import DesignError
from model.ipxact.document import parse_document, read_bytes
from model.ipxact.shelf import xml_files
from model.vlnv import Vlnv
from model.workspace import Workspace

_Signature = tuple[int, int, int]
"""Time of the last change in nanoseconds, size in bytes, number of the file: the same while nobody writes to it."""


@dataclass(frozen=True, slots=True)
class DiskChanges:
    """How the files of a workspace differ from what it knows.

    Attributes:
        changed: files of components and their designs that hold something else now.
        removed: such files that are gone.
        added: IP-XACT files that are new in the folder.
    """

    changed: tuple[Path, ...] = ()
    removed: tuple[Path, ...] = ()
    added: tuple[Path, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changed or self.removed or self.added)

    @property
    def paths(self) -> frozenset[Path]:
        """All of them."""
        return frozenset((*self.changed, *self.removed, *self.added))


def components_of(workspace: Workspace, paths: frozenset[Path]) -> tuple[Vlnv, ...]:
    """The components of the library that stand in some of the files, themselves or with a design."""
    with workspace.lock:
        return tuple(vlnv for vlnv, files in _owned(workspace) if not paths.isdisjoint(files))


def _owned(workspace: Workspace) -> Iterator[tuple[Vlnv, dict[Path, bytes]]]:
    for vlnv in workspace.library.components:
        # One that nobody has read yet is as its file was: saving asks if it is not any more.
        source = None if workspace.library.is_unread(vlnv) else workspace.sources.get(vlnv)
        if source is not None:
            shown = {view: design for view, design in source.designs.items() if view in source.component.designs}
            yield vlnv, {source.path: source.content, **{each.path: each.content for each in shown.values()}}


class Watch:
    """Looks at the files of a workspace again and again; those that did not change cost one question to the system.

    Args:
        folder: whether new files in the workspace folder are of interest.
        unread: the files of components that nobody may have read yet.
    """

    def __init__(self, workspace: Workspace, folder: bool = True, unread: frozenset[Path] = frozenset()) -> None:
        self._workspace = workspace
        self._unread = unread
        # What a file was found to hold, at which signature: after an undo it is held against something else.
        self._same: dict[Path, tuple[_Signature, bytes]] = {}
        self._kept: dict[Path, _Signature | None] = {}
        self._folder = workspace.folder.resolve() if folder and workspace.folder is not None else None
        self._strange: dict[Path, _Signature | None] = dict.fromkeys(self._present())
        for path in self._strange:
            self._strange[path] = _signature(path)

    def _present(self) -> list[Path]:
        return list(xml_files(self._folder)) if self._folder is not None else []

    def look(self) -> DiskChanges:
        """Compare the files with what the workspace knows; reads those that were written to. From any thread."""
        workspace = self._workspace
        with workspace.lock:
            known: dict[Path, bytes] = {}
            for _vlnv, files in _owned(workspace):
                known.update(files)
            others = {entry.path for entry in workspace.catalog} | self._unread
            others |= {
                workspace.sources[vlnv].path for vlnv in workspace.sources if not workspace.library.is_unread(vlnv)
            }
        suspects = [path for path, content in known.items() if self._differs(path, content)]
        changed: list[Path] = []
        removed: list[Path] = []
        if suspects:
            with workspace.lock:  # a save of our own may have been under way
                known = {path: content for _vlnv, files in _owned(workspace) for path, content in files.items()}
                for path in suspects:
                    if path in known and self._differs(path, known[path]):
                        (changed if _signature(path) is not None else removed).append(path)
        added = [path for path in self._present() if path not in known and path not in others and self._is_new(path)]
        return DiskChanges(tuple(changed), tuple(removed), tuple(added))

    def _differs(self, path: Path, content: bytes) -> bool:
        signature = _signature(path)
        if path in self._kept and self._kept[path] == signature:
            return False
        same = self._same.get(path)
        if signature is None or (same is not None and same[0] == signature and same[1] is content):
            return signature is None
        try:
            found = read_bytes(path)
        except DesignError:
            return True
        if found == content:
            self._same[path] = (signature, content)
        return found != content

    def _is_new(self, path: Path) -> bool:
        """Whether a file that nobody knows is IP-XACT, and was not there, or was something else, when last seen."""
        signature = _signature(path)
        if path in self._strange and self._strange[path] == signature:
            return False
        try:
            parse_document(read_bytes(path), path)
        except DesignError:  # or it is not whole yet, and will be looked at again once it is
            self._strange[path] = signature
            return False
        return True

    def settle(self, changes: DiskChanges) -> None:
        """Say no more of new files: they were taken in as far as they are of use."""
        for path in changes.added:
            self._strange[path] = _signature(path)

    def keep(self, changes: DiskChanges) -> None:
        """Say no more of these files until they change again; saving their components asks nevertheless."""
        for path in changes.paths:
            self._kept[path] = self._strange[path] = _signature(path)
        with self._workspace.lock:
            self._workspace.outdated.update(components_of(self._workspace, changes.paths))


def _signature(path: Path) -> _Signature | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)
