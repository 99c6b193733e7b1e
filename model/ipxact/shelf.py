"""The IP-XACT documents that were found on disk, by VLNV, and the components that they amount to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from model.change import ElementId
from model.elements import Component
from model.errors import DesignError
from model.files import CatalogEntry, Source
from model.findings import Finding
from model.ipxact.assemble import assemble
from model.ipxact.atomic import finish_save, is_save_record
from model.ipxact.document import Document, NotIpxactError, parse_document, read_bytes
from model.ipxact.read_component import parameter_names, read_component
from model.library import Library
from model.vlnv import Vlnv


@dataclass
class Shelf:
    """Documents by VLNV; of two with the same one the first that was added counts.

    Adding reads a file's head and makes sure that the rest can be read; :meth:`source` reads the rest, in any thread.

    Attributes:
        components: component documents.
        others: designs, bus definitions and all other kinds.
        findings: files that could not be read, and repetitions.
    """

    components: dict[Vlnv, Document] = field(default_factory=dict)
    others: dict[Vlnv, Document] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def add(self, path: Path) -> Document | None:
        """Read one file; what is wrong with it becomes a finding. Returns None where it is no use."""
        try:
            document = parse_document(read_bytes(path), path)
        except NotIpxactError as error:
            self.findings.append(Finding("note", error.code, error.message, path=path))
        except DesignError as error:
            self.findings.append(Finding("error", error.code, error.message, path=path))
        else:
            self.put(document)
            return document
        return None

    def put(self, document: Document) -> None:
        """Add a document that was read."""
        vlnv = document.vlnv
        first = (self.components if document.kind == "component" else self.others).setdefault(vlnv, document)
        if first is not document and first.path != document.path:
            message = f"{vlnv} is also in {first.path}, which counts; {document.path} is not shown."
            where = ElementId(vlnv, "component") if document.kind == "component" else None
            line = cast("int | None", document.root.sourceline) or 1
            self.findings.append(Finding("warning", "duplicate-vlnv", message, where, document.path, line))

    def names_of(self, vlnv: Vlnv) -> Mapping[str, str] | None:
        """Parameter names by parameterId of a component on the shelf."""
        found = self.components.get(vlnv)
        return parameter_names(found) if found is not None else None

    def source(self, vlnv: Vlnv) -> tuple[Source, tuple[Finding, ...]]:
        """Put one component together with its designs."""
        document = self.components[vlnv]
        return assemble(document, read_component(document), self.others.get, cache(self.names_of))

    def catalog(self) -> tuple[CatalogEntry, ...]:
        """What there is beside components."""
        return tuple(CatalogEntry(document.kind, vlnv, document.path) for vlnv, document in self.others.items())


def xml_files(folder: Path) -> Iterator[Path]:
    """Every ``.xml`` file below a folder in a stable order; hidden ones and links that lead outside left out."""
    return (path for path in files_below(folder) if is_xml(path))


def is_xml(path: Path) -> bool:
    """Whether a file may be IP-XACT, by its name."""
    return path.suffix.lower() == ".xml" and not path.name.startswith(".")


def files_below(folder: Path) -> Iterator[Path]:
    """Every file below a folder in a stable order; hidden folders and links that lead outside left out."""
    for directory, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(directory, name)
            if _is_file_below(path, folder):
                yield path


def _is_file_below(path: Path, folder: Path) -> bool:
    """Whether a path leads to a file there: no pipe, on which reading would wait, no link to outside or to itself."""
    try:
        return path.is_file() and (not path.is_symlink() or path.resolve().is_relative_to(folder))
    except (OSError, RuntimeError):  # a loop of links: pathlib raises one or the other
        return False


def tidy(files: Iterable[Path], folder: Path) -> Iterator[Finding]:
    """End the saves that a process did not live to end; says which.

    Args:
        files: those below ``folder``, a resolved path, that may be records of saves.
    """
    for record in [path for path in files if is_save_record(path.name)]:
        try:
            done = finish_save(record, folder)
        except OSError as error:
            yield Finding(
                "warning",
                "save-interrupted",
                f"A save was interrupted, and cannot be completed: {error.strerror or error}. Until it is, a component "
                "and its design may not belong together.",
                path=record,
            )
            continue
        if done is not None:
            names = " and ".join(path.name for path in done.files)
            what = "has been completed" if done.finished else "left nothing behind: the files are as before"
            yield Finding(
                "note", "save-interrupted", f"Saving {names} was interrupted; it {what}.", path=done.files[-1]
            )


def library_root(path: Path, vlnv: Vlnv) -> Path | None:
    """The folder of a library laid out as vendor/library/name/version, or None where it is not."""
    parts = (vlnv.vendor, vlnv.library, vlnv.name, vlnv.version)
    return path.parents[4] if len(path.parents) > 4 and path.parts[-5:-1] == parts else None


def standard_place(root: Path, vlnv: Vlnv) -> Path:
    """Where a library laid out in the usual way keeps a component."""
    return root / vlnv.vendor / vlnv.library / vlnv.name / vlnv.version


def unresolved(component: Component, library: Library, source: Source) -> Iterator[Finding]:
    """The instances whose component is missing; they are kept and shown as missing."""
    for view, design in component.designs.items():
        for instance in design.instances.values():
            if instance.component not in library:
                yield Finding(
                    "warning",
                    "component-missing",
                    f"Instance {instance.name} of {component.vlnv} is a {instance.component}, which was not found.",
                    ElementId(component.vlnv, "subcomponent", instance.name),
                    source.designs[view].path if view in source.designs else source.path,
                )
