"""Puts a component together from its own document and the designs that its views lead to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from model.elements import Design
from model.files import ConfigurationSource, DesignSource, Source
from model.findings import Finding
from model.frozen_map import FrozenMap
from model.ipxact.configurations import configured_design, read_configuration
from model.ipxact.document import Document
from model.ipxact.read_component import DesignLink, ReadComponent
from model.ipxact.read_design import NamesOf, read_design
from model.vlnv import Vlnv

FindDocument = Callable[[Vlnv], Document | None]
"""A design or design configuration by its VLNV, or None where it is missing."""


def assemble(
    document: Document, read: ReadComponent, find: FindDocument, names_of: NamesOf
) -> tuple[Source, tuple[Finding, ...]]:
    """Add the designs of its views to a component that was read.

    Of several views with the same design only the first shows it, with the configurations of all of them: there is
    one inside to edit.
    """
    findings = list(read.findings)
    designs: dict[str, Design] = {}
    sources: dict[str, DesignSource] = {}
    shown_in: dict[Vlnv, str] = {}
    for link in read.links:
        found, configuration = _documents(link, find)
        if found is None:
            message = f"View {link.view} of {read.component.vlnv} leads to {link.targets[0]}, which was not found."
            findings.append(Finding("warning", "design-not-found", message, path=document.path))
            continue
        view = shown_in.setdefault(found.vlnv, link.view)
        if view == link.view:
            inside = read_design(found, link.values, names_of)
            designs[link.view] = inside.design
            sources[link.view] = DesignSource(found.path, found.content)
            findings.extend(inside.findings)
        if configuration is not None:
            _configure(designs, sources, view, link.view, configuration)
    component = read.component.model_copy(update={"designs": FrozenMap(designs)})
    return Source(document.path, document.content, component, sources), tuple(findings)


def _configure(
    designs: dict[str, Design], sources: dict[str, DesignSource], view: str, own: str, document: Document
) -> None:
    """Add the configuration that view ``own`` leads to, to the design that ``view`` shows."""
    design, source = designs[view], sources[view]
    configured = design.configurations.set(own, read_configuration(document))
    designs[view] = design.model_copy(update={"configurations": configured})
    known = {**source.configurations, own: ConfigurationSource(document.path, document.content)}
    sources[view] = replace(source, configurations=known)


def _documents(link: DesignLink, find: FindDocument) -> tuple[Document | None, Document | None]:
    """The design that a view leads to, and the design configuration, where it leads to one."""
    design: Document | None = None
    configuration: Document | None = None
    for target in link.targets:
        document = find(target)
        if document is not None and document.kind == "designConfiguration":
            configuration = configuration or document
            configured = configured_design(document)
            document = find(configured) if configured is not None else None
        if document is not None and document.kind == "design":
            design = design or document
    return design, configuration
