"""Opens a folder or a single file as a workspace: heads first, bodies when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Literal

from model.collection import collection_paused
from model.errors import DesignError
from model.files import Source
from model.findings import Finding
from model.ipxact.document import Document, parse_document, read_bytes
from model.ipxact.shelf import Shelf, files_below, is_xml, library_root, standard_place, tidy, unresolved
from model.library import Library
from model.unread import LazyDict, LazyMap, Part, Unread
from model.vlnv import Vlnv
from model.workspace import Workspace

Stage = Literal["files", "components"]
Progress = Callable[[Stage, int, int], None]
"""Told how many files have been looked at, then how many components have been read, and of how many.

An exception that it raises ends the opening, and reaches the caller.
"""

_Assembled = tuple[Source, tuple[Finding, ...]]


@dataclass(frozen=True, slots=True)
class Bodies:
    """What stands in the components of a workspace, read in advance.

    Attributes:
        library: as it was opened.
        paths: the files of its components.
    """

    library: Library
    paths: frozenset[Path]
    pending: tuple[Unread[_Assembled], ...]

    def read(self, progress: Progress | None = None) -> tuple[Finding, ...]:
        """Read every component that nobody has asked for yet, and return what was found in all of them.

        May run in any thread while the workspace is used. Ended by ``progress``, it leaves the rest to be read on use.
        """
        findings: list[Finding] = []
        with collection_paused():
            for count, pending in enumerate(self.pending, start=1):
                source, found = pending.value()
                findings.extend(found)
                findings.extend(unresolved(source.component, self.library, source))
                if progress is not None:
                    progress("components", count, len(self.pending))
        return tuple(findings)


@dataclass(frozen=True, slots=True)
class Opened:
    """A workspace as it was opened.

    Attributes:
        active: the component to show first, where a file was opened.
        bodies: what has not been read yet; None where everything has, and ``findings`` are complete.
    """

    workspace: Workspace
    findings: tuple[Finding, ...]
    active: Vlnv | None
    bodies: Bodies | None = None


def open_workspace(target: Path, progress: Progress | None = None) -> Opened:
    """Open a folder with everything in it, or one component with what it needs.

    For a single file the workspace folder is the file's own folder. What the component needs is looked for beside it
    and, where the file lies in a library laid out as vendor/library/name/version, at the usual places of that
    library; parts that lie outside the workspace folder can be seen but not saved.

    A save that a process did not live to end is ended first.

    Args:
        progress: told of the files and components of a folder.

    Raises:
        DesignError: ``file-not-found``, or the single file cannot be opened.
    """
    opened = open_heads(target, progress)
    if opened.bodies is None:
        return opened
    found = opened.bodies.read(progress)
    return replace(opened, findings=(*opened.findings, *found), bodies=None)


def open_heads(target: Path, progress: Progress | None = None) -> Opened:
    """Like :func:`open_workspace`, but of a folder's components read just which they are.

    Every file was looked at, so that the rest can be read; a component is read when somebody asks for it, and
    whatever needs all components reads all. :meth:`Bodies.read` does so in advance.
    """
    path = target.expanduser().resolve()
    with collection_paused():
        return _open_folder(path, progress) if path.is_dir() else _open_file(path)


def _open_folder(folder: Path, progress: Progress | None) -> Opened:
    files = list(files_below(folder))
    interrupted = list(tidy(files, folder))
    paths = [path for path in (files_below(folder) if interrupted else files) if is_xml(path)]
    shelf = Shelf()
    for count, path in enumerate(paths, start=1):
        shelf.add(path)
        if progress is not None:
            progress("files", count, len(paths))
    pending = {vlnv: Unread(lambda vlnv=vlnv: shelf.source(vlnv)) for vlnv in shelf.components}  # type: ignore[misc]
    sources = {vlnv: Part[Source](unread, itemgetter(0)) for vlnv, unread in pending.items()}
    component = attrgetter("component")
    library = Library(
        LazyMap.of((vlnv, Part(unread, lambda read: component(read[0]))) for vlnv, unread in pending.items())
    )
    workspace = Workspace(folder, library, LazyDict(sources), shelf.catalog())
    read_from = frozenset(document.path for document in shelf.components.values())
    bodies = Bodies(library, read_from, tuple(pending.values()))
    return Opened(workspace, (*interrupted, *shelf.findings), None, bodies)


def _open_file(path: Path) -> Opened:
    interrupted = list(tidy(path.parent.glob(".*"), path.parent))
    document = parse_document(read_bytes(path), path)
    shelf = Shelf()
    shelf.put(document)
    for sibling in sorted(path.parent.glob("*.xml")):
        if sibling != path and not sibling.name.startswith("."):
            shelf.add(sibling)
    first = _component_of(document, shelf)
    needed = _gather(shelf, first)
    files = {each for source in needed for each in (source.path, *(design.path for design in source.designs.values()))}
    # Other files of the folder are not what was asked for: neither they nor their faults.
    findings = [*interrupted, *(finding for finding in shelf.findings if finding.path in files)]
    return _opened(path.parent, shelf, [source.vlnv for source in needed], findings, first)


def _component_of(document: Document, shelf: Shelf) -> Vlnv:
    """The component that a file is, or whose design it is."""
    if document.kind == "component":
        return document.vlnv
    for vlnv in shelf.components:
        source, _findings = shelf.source(vlnv)
        if any(design.path == document.path for design in source.designs.values()):
            return vlnv
    raise DesignError(
        "not-a-component",
        f"{document.path} is an IP-XACT {document.kind} ({document.vlnv}), not a component.",
        "Open the component that uses it, or the folder that holds both.",
    )


def _gather(shelf: Shelf, first: Vlnv) -> list[Source]:
    """The component and everything below it, read from the usual places of its library where not there yet."""
    root = library_root(shelf.components[first].path, first)
    found: dict[Vlnv, Source] = {}
    waiting = [first]
    while waiting:
        vlnv = waiting.pop()
        if vlnv in found:
            continue
        if vlnv not in shelf.components and root is not None:
            place = standard_place(root, vlnv)
            for path in sorted(place.glob("*.xml")) if place.resolve().is_relative_to(root) else ():
                shelf.add(path)
        if vlnv in shelf.components:
            found[vlnv], _findings = shelf.source(vlnv)
            designs = found[vlnv].component.designs.values()
            waiting.extend(instance.component for design in designs for instance in design.instances.values())
    return list(found.values())


def _opened(
    folder: Path, shelf: Shelf, vlnvs: Iterable[Vlnv], findings: Iterable[Finding], active: Vlnv | None
) -> Opened:
    collected = list(findings)
    sources: dict[Vlnv, Source] = {}
    for vlnv in vlnvs:
        sources[vlnv], found = shelf.source(vlnv)
        collected.extend(found)
    library = Library.of(source.component for source in sources.values())
    for source in sources.values():
        collected.extend(unresolved(source.component, library, source))
    workspace = Workspace(folder, library, sources, shelf.catalog())
    return Opened(workspace, tuple(collected), active)
