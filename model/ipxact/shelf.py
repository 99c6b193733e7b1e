"""The IP-XACT documents that were found on disk, by VLNV, and the components that they amount to."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from model.change import ElementId
from model.elements import Component
from model.errors import DesignError
from model.files import CatalogEntry, Source
from model.findings import Finding
from model.ipxact.assemble import assemble
from model.ipxact.document import Document, NotIpxactError, parse_document, read_bytes
from model.ipxact.read_component import ReadComponent, read_component
from model.library import Library
from model.vlnv import Vlnv


@dataclass
class Shelf:
    """Documents by VLNV; of two with the same one the first that was added counts.

    Attributes:
        components: component documents and what they say.
        others: designs, bus definitions and all other kinds.
        findings: files that could not be read, and repetitions.
    """

    components: dict[Vlnv, tuple[Document, ReadComponent]] = field(default_factory=dict)
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
        if document.kind == "component":
            first = self.components[vlnv][0] if vlnv in self.components else None
            if first is None:
                self.components[vlnv] = (document, read_component(document))
        else:
            first = self.others.get(vlnv)
            if first is None:
                self.others[vlnv] = document
        if first is not None and first.path != document.path:
            message = f"{vlnv} is also in {first.path}, which counts; {document.path} is not shown."
            self.findings.append(Finding("warning", "duplicate-vlnv", message, path=document.path))

    def names_of(self, vlnv: Vlnv) -> Mapping[str, str] | None:
        """Parameter names by parameterId of a component on the shelf."""
        found = self.components.get(vlnv)
        return found[1].names_by_id if found else None

    def source(self, vlnv: Vlnv) -> tuple[Source, tuple[Finding, ...]]:
        """Put one component together with its designs."""
        document, read = self.components[vlnv]
        return assemble(document, read, self.others.get, self.names_of)

    def catalog(self) -> tuple[CatalogEntry, ...]:
        """What there is beside components."""
        return tuple(CatalogEntry(document.kind, vlnv, document.path) for vlnv, document in self.others.items())


def xml_files(folder: Path) -> Iterator[Path]:
    """Every ``.xml`` file below a folder in a stable order; hidden folders and links that lead outside left out."""
    for directory, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(directory, name)
            if name.lower().endswith(".xml") and (not path.is_symlink() or path.resolve().is_relative_to(folder)):
                yield path


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
