"""Takes over what other programs did to the files of an open workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from model.change import Change
from model.collection import collection_paused
from model.difference import change_between
from model.elements import Component
from model.errors import DesignError, Warning
from model.files import Source
from model.findings import Finding
from model.ipxact.shelf import Shelf, unresolved
from model.library import Library
from model.loading import with_parameter_names
from model.vlnv import Vlnv
from model.watching import DiskChanges, components_of
from model.workspace import Transaction, Workspace

_TWICE = "duplicate-vlnv"


def reload_files(workspace: Workspace, changes: DiskChanges, transaction: Transaction | None = None) -> Change:
    """Read the components again whose files changed, drop those whose files are gone, take in new ones: in one step.

    Unsaved edits of such a component are replaced; undo brings them back, and the change warns of it. A file that
    cannot be read leaves its component as it is, with a warning.

    Raises:
        DesignError: none of the files can be read; the first one's reason.
    """
    with workspace.lock, collection_paused():
        shelf, broken = _shelf(workspace, changes)
        faulty = frozenset(finding.path for finding in broken if finding.path is not None)
        touched = changes.paths - faulty
        before = components_of(workspace, touched)
        spared = components_of(workspace, faulty)
        sources: dict[Vlnv, Source | None] = {}
        findings: list[Finding] = []
        for vlnv in _candidates(shelf, changes, before):
            source, found = shelf.source(vlnv)
            if vlnv not in spared and (vlnv in before or not touched.isdisjoint(_files(source))):
                sources[vlnv] = source
                findings.extend(found)
        for vlnv in before:
            if vlnv not in shelf.components and vlnv not in spared and workspace.sources[vlnv].path in touched:
                sources[vlnv] = None
        if broken and not sources:
            raise DesignError(
                broken[0].code, broken[0].message, "The design keeps what was loaded; repair the file and reload."
            )
        after = _library(workspace.library, sources)
        for source in filter(None, sources.values()):
            findings.extend(unresolved(source.component, after, source))
        told = [*broken, *(finding for finding in findings if finding.severity != "note")]
        told += [finding for finding in shelf.findings if finding.path in touched and finding.code == _TWICE]
        warnings = [Warning(finding.code, finding.message) for finding in told]
        edited = [str(vlnv) for vlnv in workspace.unsaved() if vlnv in sources and vlnv not in workspace.outdated]
        if edited:
            text = f"Unsaved edits of {' and '.join(edited)} were replaced; undo brings them back."
            warnings.append(Warning("edits-replaced", text))
        names = {vlnv: shelf.names_of(vlnv) or {} for vlnv, source in sources.items() if source is not None}
        loaded = {**_settled_users(workspace, names, sources), **sources}
        workspace.catalog = shelf.catalog()
        return workspace.apply(
            _replace,
            transaction=transaction,
            loaded=loaded,
            sources=sources,
            names=names,
            summary=_summary(touched),
            warnings=tuple(warnings),
        )


def _summary(paths: frozenset[Path]) -> str:
    names = sorted(path.name for path in paths)
    return f"Reloaded {' and '.join(names)}." if len(names) < 4 else f"Reloaded {len(names)} files."


def _shelf(workspace: Workspace, changes: DiskChanges) -> tuple[Shelf, list[Finding]]:
    """All documents of the workspace as they are on disk, and what is wrong with those that changed.

    The known files go first: of two files with one VLNV the one that counted goes on counting.
    """
    paths = {entry.path: None for entry in workspace.catalog}
    for vlnv in workspace.library.components:
        source = workspace.sources.get(vlnv)
        if source is not None:
            paths.update(dict.fromkeys(_files(source)))
    shelf = Shelf()
    for path in (*(path for path in paths if path not in changes.removed), *changes.added):
        shelf.add(path)
    touched = changes.paths
    return shelf, [
        finding for finding in shelf.findings if finding.path in touched and finding.code != "duplicate-vlnv"
    ]


def _files(source: Source) -> frozenset[Path]:
    return frozenset((source.path, *(design.path for design in source.designs.values())))


def _candidates(shelf: Shelf, changes: DiskChanges, before: tuple[Vlnv, ...]) -> list[Vlnv]:
    """The components that may be concerned: reading all of a large library again takes too long."""
    heads = [document.vlnv for document in shelf.others.values() if document.path in changes.paths]
    found: list[Vlnv] = []
    for vlnv, document in shelf.components.items():
        mentions = any(head.name.encode() in document.utf8 for head in heads)  # it may have missed that design
        if vlnv in before or document.path in changes.paths or mentions:
            found.append(vlnv)
    return found


def _library(current: Library, sources: Mapping[Vlnv, Source | None]) -> Library:
    after = current
    for vlnv, source in sources.items():
        if source is not None:
            after = after.put(source.component)
        elif vlnv in after:
            after = after.without(vlnv)
    return after


def _settled_users(
    workspace: Workspace, names: Mapping[Vlnv, Mapping[str, str]], sources: Mapping[Vlnv, Source | None]
) -> dict[Vlnv, Source | None]:
    """The files of components whose overrides get the names of parameters that were not known before."""
    settled: dict[Vlnv, Source | None] = {}
    for vlnv in workspace.library.components:
        known = workspace.sources.get(vlnv)
        if known is not None and vlnv not in sources:
            component = _settled(known.component, names)
            if component is not known.component:
                settled[vlnv] = replace(known, component=component)
    return settled


def _settled(user: Component, names: Mapping[Vlnv, Mapping[str, str]]) -> Component:
    for vlnv, table in names.items():
        user = with_parameter_names(user, vlnv, table)
    return user


def _replace(
    current: Library,
    *,
    sources: Mapping[Vlnv, Source | None],
    names: Mapping[Vlnv, Mapping[str, str]],
    summary: str,
    warnings: tuple[Warning, ...],
) -> tuple[Library, Change]:
    after = _library(current, sources)
    for user in after:
        if user.vlnv not in sources:
            settled = _settled(user, names)
            if settled is not user:
                after = after.put(settled)
    return after, replace(change_between(current, after, summary), warnings=warnings)
