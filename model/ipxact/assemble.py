"""Puts a component together from its own document and the designs that its views lead to."""

from __future__ import annotations

from collections.abc import Callable

from model.elements import Design
from model.files import DesignSource, Source
from model.findings import Finding
from model.frozen_map import FrozenMap
from model.ipxact.document import Document
from model.ipxact.read_component import DesignLink, ReadComponent
from model.ipxact.read_design import NamesOf, configured_design, read_design
from model.vlnv import Vlnv

FindDocument = Callable[[Vlnv], Document | None]
"""A design or design configuration by its VLNV, or None where it is missing."""


def assemble(
    document: Document, read: ReadComponent, find: FindDocument, names_of: NamesOf
) -> tuple[Source, tuple[Finding, ...]]:
    """Add the designs of its views to a component that was read.

    Of several views with the same design only the first shows it: there is one inside to edit.
    """
    findings = list(read.findings)
    designs: dict[str, Design] = {}
    sources: dict[str, DesignSource] = {}
    seen: set[Vlnv] = set()
    for link in read.links:
        found = _design_document(link, find)
        if found is None:
            message = f"View {link.view} of {read.component.vlnv} leads to {link.targets[0]}, which was not found."
            findings.append(Finding("warning", "design-not-found", message, path=document.path))
        elif found.vlnv not in seen:
            seen.add(found.vlnv)
            inside = read_design(found, link.values, names_of)
            designs[link.view] = inside.design
            sources[link.view] = DesignSource(found.path, found.content)
            findings.extend(inside.findings)
    component = read.component.model_copy(update={"designs": FrozenMap(designs)})
    return Source(document.path, document.content, component, sources), tuple(findings)


def _design_document(link: DesignLink, find: FindDocument) -> Document | None:
    for target in link.targets:
        document = find(target)
        if document is not None and document.kind == "designConfiguration":
            configured = configured_design(document)
            document = find(configured) if configured is not None else None
        if document is not None and document.kind == "design":
            return document
    return None
