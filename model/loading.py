"""Loads one component file into an open workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from model.change import Change
from model.collection import collection_paused
from model.confinement import place_inside, workspace_root
from model.difference import change_between
from model.elements import Component
from model.errors import DesignError, Warning
from model.files import Source
from model.findings import Finding
from model.frozen_map import FrozenMap
from model.ipxact.assemble import assemble
from model.ipxact.document import Document, parse_document, read_bytes
from model.ipxact.read_component import parameter_names, read_component
from model.ipxact.shelf import tidy, unresolved
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace


def load_component(
    workspace: Workspace, path: str, overwrite: bool = False, transaction: Transaction | None = None
) -> Change:
    """Load a component with its designs from a file in the workspace folder, as one step that undo takes back.

    Its designs are looked for beside it and among the documents of the folder. What breaks the schema, and instances
    whose component is missing, are warnings of the change.

    Raises:
        DesignError: the path is refused (see :func:`place_inside`), the file is no IP-XACT component, or
            ``already-loaded``: its VLNV is in the library from another file and ``overwrite`` is not given.
    """
    place = place_inside(workspace.folder, path)
    interrupted = tuple(tidy(place.parent.glob(".*"), workspace_root(workspace.folder)))
    document = parse_document(read_bytes(place), place)
    if document.kind != "component":
        raise DesignError(
            "not-a-component",
            f"{path} is an IP-XACT {document.kind} ({document.vlnv}), not a component.",
            "Load the component that uses it." if document.kind.startswith("design") else "",
        )
    with workspace.lock, collection_paused():
        warnings = list(_refuse_replacing(workspace, document, overwrite))
        source, findings = _read(workspace, document)
        told = (*interrupted, *(finding for finding in findings if finding.severity != "note"))
        warnings.extend(Warning(finding.code, finding.message) for finding in told)
        loaded: dict[Vlnv, Source | None] = {source.vlnv: source}
        names = parameter_names(document)
        for user in list(workspace.library):
            known = workspace.sources.get(user.vlnv)
            if known is not None and user.vlnv != source.vlnv:
                settled = with_parameter_names(known.component, source.vlnv, names)
                if settled is not known.component:
                    loaded[user.vlnv] = replace(known, component=settled)
        return workspace.apply(
            _put, transaction=transaction, loaded=loaded, source=source, names=names, warnings=tuple(warnings)
        )


def _refuse_replacing(workspace: Workspace, document: Document, overwrite: bool) -> list[Warning]:
    vlnv = document.vlnv
    present = workspace.library.find(vlnv)
    if present is None:
        return []
    known = workspace.sources.get(vlnv)
    if known is None or known.path != document.path:
        if not overwrite:
            origin = f"from {known.path}" if known is not None else "and was never saved"
            raise DesignError(
                "already-loaded",
                f"{vlnv} is in the library already, {origin}.",
                "Load it with overwrite to replace it, or delete it first.",
            )
        return []
    if known.component != present:
        return [Warning("edits-replaced", f"Unsaved edits of {vlnv} were replaced; undo brings them back.")]
    return []


def _read(workspace: Workspace, document: Document) -> tuple[Source, tuple[Finding, ...]]:
    root = workspace_root(workspace.folder)

    def find(vlnv: Vlnv) -> Document | None:
        beside = [path for path in sorted(document.path.parent.glob("*.xml")) if path != document.path]
        listed = [entry.path for entry in workspace.catalog if entry.vlnv == vlnv]
        for path in (*beside, *listed):
            found = _document_at(path, root)
            if found is not None and found.kind != "component" and found.vlnv == vlnv:
                return found
        return None

    @cache
    def names_of(vlnv: Vlnv) -> Mapping[str, str] | None:
        if vlnv == document.vlnv:
            return parameter_names(document)
        known = workspace.sources.get(vlnv)
        return None if known is None else parameter_names(parse_document(known.content, known.path))

    read = read_component(document)
    source, findings = assemble(document, read, find, names_of)
    library = workspace.library.put(source.component)
    return source, (*findings, *unresolved(source.component, library, source))


def _document_at(path: Path, root: Path) -> Document | None:
    """A document that is meant by a reference; a file that is no use is as good as missing."""
    if not path.resolve().is_relative_to(root):
        return None
    try:
        return parse_document(read_bytes(path), path)
    except DesignError:
        return None


def _put(
    current: Library, *, source: Source, names: Mapping[str, str], warnings: tuple[Warning, ...]
) -> tuple[Library, Change]:
    after = current.put(source.component)
    for user in current:
        if user.vlnv != source.vlnv:
            settled = with_parameter_names(user, source.vlnv, names)
            if settled is not user:
                after = after.put(settled)
    change = change_between(current, after, f"Loaded {source.vlnv} from {source.path.name}.")
    return after, replace(change, warnings=warnings)


def with_parameter_names(user: Component, vlnv: Vlnv, names: Mapping[str, str]) -> Component:
    """Give overrides that were read while their component was missing the names of its parameters."""
    designs = user.designs
    for view, design in user.designs.items():
        instances = design.instances
        for name, instance in design.instances.items():
            if instance.component == vlnv and any(key in names for key in instance.parameters):
                parameters = FrozenMap((names.get(key, key), value) for key, value in instance.parameters.items())
                instances = instances.set(name, instance.model_copy(update={"parameters": parameters}))
        if instances is not design.instances:
            designs = designs.set(view, design.model_copy(update={"instances": instances}))
    return user if designs is user.designs else user.model_copy(update={"designs": designs})
