"""Saves components into the workspace folder, and nothing outside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from model.confinement import check_inside, place_inside, workspace_root
from model.elements import Component
from model.errors import DesignError
from model.files import ConfigurationSource, DesignSource, Source
from model.ipxact.atomic import write_files
from model.ipxact.document import MAX_BYTES, parse_document, read_bytes
from model.ipxact.write import Written, parameter_names_of, write_component
from model.vlnv import Vlnv
from model.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Saved:
    """What saving one component did.

    Attributes:
        paths: its files: the component's and those of its designs.
        message: one sentence for people.
    """

    paths: tuple[Path, ...]
    message: str


class NotAllSavedError(DesignError):
    """Some of several components could not be saved; the others are.

    Attributes:
        refused: which, and why.
    """

    def __init__(self, refused: Mapping[Vlnv, DesignError], saved: int) -> None:
        self.refused = dict(refused)
        reasons = " ".join(f"{vlnv}: {error.message}" for vlnv, error in refused.items())
        super().__init__(
            "not-all-saved",
            f"{len(refused)} of {len(refused) + saved} components could not be saved. {reasons}",
            "Save them one by one under another path, or with overwrite.",
        )


def save_component(workspace: Workspace, component: str, path: str = "", overwrite: bool = False) -> Saved:
    """Save a component and its designs.

    Args:
        component: its VLNV.
        path: where to, relative to the workspace folder; by default where it was loaded from, else
            ``<vendor>/<library>/<name>/<version>/<name>.<version>.xml``. Designs go beside it.
        overwrite: replace files that hold something else than what was loaded.

    Raises:
        DesignError: the component does not exist, the path is refused (see :func:`place_inside`), ``file-exists``,
            ``holds-another-component``, ``changed-on-disk``, ``cannot-write``, or the files cannot hold the component
            (see :func:`write_component`). Nothing was written then.
    """
    with workspace.lock:
        value = workspace.library.get(Vlnv.parse(component))
        source = workspace.sources.get(value.vlnv)
        root = workspace_root(workspace.folder)
        place = _place(root, value, source, path)
        stays = source is not None and place == source.path
        if source is not None and stays and source.component == value and _on_disk(place) == source.content:
            return Saved(_paths(source), f"{value.vlnv} has no unsaved changes.")
        base = source or _twin(workspace, value)
        if base is not None and not stays and parse_document(base.content, base.path).is_spirit:
            base = None  # elsewhere it is written in the current version
        written = write_component(value, base, cache(partial(_names_of, workspace)))
        designs = _design_sources(value, place, written, source if stays else None)
        # A design that the component lost stays on disk, and stays known in case that the edit is undone.
        lost = source.designs if source is not None and stays else {}
        new = Source(place, written.content, value, {**lost, **designs})
        if not overwrite:
            _refuse_overwriting(new, source)
        # Designs first: a component must never lead to a design that is not there.
        files = [*_inner_files(designs.values()), (place, new.content)]
        changed = [(file, content) for file, content in files if _on_disk(file) != content]
        for file, content in changed:
            _check_place(root, file, content)
        write_files(changed)
        workspace.sources[value.vlnv] = new
        workspace.outdated.discard(value.vlnv)
        names = " and ".join(str(file.relative_to(root)) for file, _content in reversed(changed))
        message = f"Saved {value.vlnv} to {names or place.relative_to(root)}."
        if base is not None and base.vlnv not in workspace.library:
            message += f" {base.path} still holds it under its former name {base.vlnv}."
        return Saved(_paths(new), message)


def save_all(workspace: Workspace) -> list[Saved]:
    """Save every component that has unsaved changes.

    Raises:
        NotAllSavedError: names those that could not be saved, and why; the others are saved.
    """
    saved: list[Saved] = []
    refused: dict[Vlnv, DesignError] = {}
    for vlnv in workspace.unsaved():
        try:
            saved.append(save_component(workspace, str(vlnv)))
        except DesignError as error:
            refused[vlnv] = error
    if refused:
        raise NotAllSavedError(refused, len(saved))
    return saved


def _place(root: Path, component: Component, source: Source | None, path: str) -> Path:
    if path:
        return place_inside(root, path)
    if source is not None:
        place = source.path.resolve()
        check_inside(root, place, str(source.path))
        return place
    vlnv = component.vlnv
    return place_inside(root, f"{vlnv.vendor}/{vlnv.library}/{vlnv.name}/{vlnv.version}/{vlnv.name}.{vlnv.version}.xml")


def _design_sources(
    component: Component, place: Path, written: Written, source: Source | None
) -> dict[str, DesignSource]:
    """The files of the designs and of their configurations as they are to be written."""
    found: dict[str, DesignSource] = {}
    for view, content in written.designs.items():
        known = source.designs[view].configurations if source is not None and view in source.designs else {}
        configurations = {
            own: ConfigurationSource(
                known[own].path.resolve() if own in known else _configuration_place(component, place, own),
                written.configurations[own],
            )
            for own in component.designs[view].configurations
        }
        found[view] = DesignSource(_design_place(component, place, view, source), content, configurations)
    return found


def _configuration_place(component: Component, place: Path, view: str) -> Path:
    vlnv = component.vlnv
    return (place.parent / f"{vlnv.name}.{view}.designcfg.{vlnv.version}.xml").resolve()


def _inner_files(designs: Iterable[DesignSource]) -> Iterator[tuple[Path, bytes]]:
    """The files of designs and of their configurations."""
    for design in designs:
        yield design.path, design.content
        yield from ((each.path, each.content) for each in design.configurations.values())


def _design_place(component: Component, place: Path, view: str, source: Source | None) -> Path:
    """Where a design goes: where it was, or beside its component."""
    known = source.designs.get(view) if source is not None else None
    if known is not None:
        return known.path.resolve()
    vlnv = component.vlnv
    middle = "" if view == component.view else f".{view}"
    return (place.parent / f"{vlnv.name}{middle}.design.{vlnv.version}.xml").resolve()


def _twin(workspace: Workspace, component: Component) -> Source | None:
    """The file of a component that this one was copied from, or was before its VLNV changed.

    Values are never built twice: two components share a map of elements only where one came from the other.
    """
    for source in workspace.sources.values():
        if any(one is other and len(one) for one, other in zip(_maps(source.component), _maps(component), strict=True)):
            return source
    return None


def _maps(component: Component) -> tuple[Sized, ...]:
    """What a copy shares with its original as long as nobody edits it."""
    design = component.design
    inside = (design.instances, design.connections, design.interconnections)
    return (component.ports, component.parameters, component.bus_interfaces, *inside)


def _names_of(workspace: Workspace, vlnv: Vlnv) -> Mapping[str, str]:
    component = workspace.library.find(vlnv)
    source = workspace.sources.get(vlnv)
    if component is None:
        return parameter_names_of(source.component, source) if source is not None else {}
    return parameter_names_of(component, source or _twin(workspace, component))


def _refuse_overwriting(new: Source, old: Source | None) -> None:
    known = {old.path: old.content} if old is not None else {}
    known.update(_inner_files(old.designs.values()) if old is not None else ())
    wanted = {new.path: new.content, **dict(_inner_files(new.designs[view] for view in new.component.designs))}
    for path, content in wanted.items():
        present = _on_disk(path)
        if present is None or present == content or present == known.get(path):
            continue
        if path in known:
            raise DesignError(
                "changed-on-disk",
                f"{path} is newer than what was loaded: another program has changed it.",
                "Load it again with overwrite, save under another path, or save with overwrite.",
            )
        raise _occupied(path, present, new)


def _occupied(path: Path, present: bytes, new: Source) -> DesignError:
    hint = "Save under another path, or with overwrite."
    try:
        document = parse_document(present, path)
    except DesignError:
        return DesignError("file-exists", f"{path} exists and is no IP-XACT file.", hint)
    expected = "component" if path == new.path else "design"
    if document.kind == expected == "component" and document.vlnv == new.vlnv:
        return DesignError("file-exists", f"{path} exists and holds another state of {new.vlnv}.", hint)
    if document.kind == "component":
        return DesignError("holds-another-component", f"{path} holds another component, {document.vlnv}.", hint)
    return DesignError("file-exists", f"{path} exists and holds the {document.kind} {document.vlnv}.", hint)


def _on_disk(path: Path) -> bytes | None:
    try:
        return read_bytes(path)
    except DesignError as error:
        if error.code == "file-not-found":
            return None
        raise


def _check_place(root: Path, path: Path, content: bytes) -> None:
    """Make the folder, and look again where it really is: a link may have been made in between."""
    if len(content) > MAX_BYTES:
        raise DesignError("too-large", f"{path} would be larger than {MAX_BYTES // 2**20} MB.", "Split the component.")
    check_inside(root, path.parent.resolve(), str(path))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DesignError("cannot-write", f"{path.parent} cannot be made: {error.strerror or error}.") from error
    check_inside(root, path.parent.resolve(), str(path))


def _paths(source: Source) -> tuple[Path, ...]:
    designs = (source.designs[view] for view in source.component.designs if view in source.designs)
    return (source.path, *(path for path, _content in _inner_files(designs)))
