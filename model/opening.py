"""Opens a folder or a single file as a workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from model.errors import DesignError
from model.files import Source
from model.findings import Finding
from model.ipxact.collection import collection_paused
from model.ipxact.document import Document, parse_document, read_bytes
from model.ipxact.shelf import Shelf, library_root, standard_place, unresolved, xml_files
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A workspace as it was opened.

    Attributes:
        active: the component to show first, where a file was opened.
    """

    workspace: Workspace
    findings: tuple[Finding, ...]
    active: Vlnv | None


def open_workspace(target: Path, progress: Progress | None = None) -> Opened:
    """Open a folder with everything in it, or one component with what it needs.

    For a single file the workspace folder is the file's own folder. What the component needs is looked for beside it
    and, where the file lies in a library laid out as vendor/library/name/version, at the usual places of that
    library; parts that lie outside the workspace folder can be seen but not saved.

    Args:
        progress: called with the number of files read and of all files.

    Raises:
        DesignError: ``file-not-found``, or the single file cannot be opened.
    """
    path = target.expanduser().resolve()
    with collection_paused():
        return _open_folder(path, progress) if path.is_dir() else _open_file(path)


def _open_folder(folder: Path, progress: Progress | None) -> Opened:
    shelf = Shelf()
    paths = list(xml_files(folder))
    for count, path in enumerate(paths, start=1):
        shelf.add(path)
        if progress is not None:
            progress(count, len(paths))
    return _opened(folder, shelf, shelf.components, shelf.findings, None)


def _open_file(path: Path) -> Opened:
    document = parse_document(read_bytes(path), path)
    shelf = Shelf()
    shelf.put(document)
    for sibling in sorted(path.parent.glob("*.xml")):
        if sibling != path:
            shelf.add(sibling)
    first = _component_of(document, shelf)
    needed = _gather(shelf, first)
    files = {each for source in needed for each in (source.path, *(design.path for design in source.designs.values()))}
    # Other files of the folder are not what was asked for: neither they nor their faults.
    findings = [finding for finding in shelf.findings if finding.path in files]
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
    root = library_root(shelf.components[first][0].path, first)
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
