"""The bytes of a component's files: spliced into what was loaded, or written anew; read back before they count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from model.collection import collection_paused
from model.difference import change_between
from model.elements import Component, Configuration, Design
from model.errors import DesignError
from model.files import Source
from model.frozen_map import FrozenMap
from model.ipxact.canonical import canonical
from model.ipxact.compose import compose_component, compose_design
from model.ipxact.configurations import (
    compose_configuration,
    read_configuration,
    splice_configuration,
)
from model.ipxact.document import Standard, parse_document
from model.ipxact.identifiers import DesignEncoder, parameter_ids
from model.ipxact.links import add_link, configuration_vlnv, drop_values, extend_link, remove_link, retarget
from model.ipxact.mentions import follow_names
from model.ipxact.nodes import text
from model.ipxact.pairing import pairs
from model.ipxact.read_component import parameter_names, parameter_nodes, read_component
from model.ipxact.read_design import Known, NamesOf, design_parameter_values, read_design
from model.ipxact.references import translator
from model.ipxact.splice import Splicer
from model.ipxact.splice_component import splice_component, splice_head
from model.ipxact.splice_design import splice_design
from model.library import Library
from model.vlnv import Vlnv


@dataclass(frozen=True, slots=True)
class Written:
    """Contents for the files of a component; designs by view, design configurations by the view that leads to them."""

    content: bytes
    designs: dict[str, bytes]
    configurations: dict[str, bytes] = field(default_factory=dict)


def design_vlnv(component: Vlnv, view: str, first: bool) -> Vlnv:
    """VLNV of the design document for a view of a component."""
    middle = "" if first else f".{view}"
    return Vlnv(component.vendor, component.library, f"{component.name}{middle}.design", component.version)


def write_component(component: Component, source: Source | None, names_of: NamesOf) -> Written:
    """Contents for a component's files: the source's with the difference spliced in, or new ones of IEEE 1685-2022.

    Args:
        source: what was loaded; it may be that of another component, of which this one is a copy.
        names_of: parameter names by parameterId of the components that are instantiated.

    Raises:
        DesignError: ``version-cannot-hold``, ``unwritable-character``, ``design-not-configurable``,
            ``still-referenced``, or ``cannot-be-written``: the contents would not read back as the component.
    """
    with collection_paused():
        known: dict[str, Known] = {}
        written = _compose(component, names_of) if source is None else _splice(component, source, names_of, known)
        _read_back(component, written, names_of, known)
    return written


def parameter_names_of(component: Component, source: Source | None) -> dict[str, str]:
    """Parameter names by parameterId, as the component's file has them or will have them."""
    if source is None:
        return {
            key: name for name, key in parameter_ids(component.vlnv, None, FrozenMap(), component.parameters).items()
        }
    document = parse_document(source.content, source.path)
    old, new = source.component.parameters, component.parameters
    now = {before: name for name, before in pairs(old, new).items()}
    found = {key: now[name] for key, name in parameter_names(document).items() if name in now}
    return found | {key: name for name, key in parameter_ids(component.vlnv, document, old, new).items()}


def _compose(component: Component, names_of: NamesOf) -> Written:
    ids = parameter_ids(component.vlnv, None, FrozenMap(), component.parameters)
    links: dict[str, tuple[Vlnv, DesignEncoder]] = {}
    designs: dict[str, bytes] = {}
    configurations: dict[str, bytes] = {}
    for at, (view, design) in enumerate(component.designs.items()):
        vlnv = design_vlnv(component.vlnv, view, at == 0)
        designs[view], encode = _new_design(component, design, vlnv, "2022", names_of)
        links[view] = (vlnv, encode)
        for own, chosen in design.configurations.items():
            configurations[own] = compose_configuration(chosen, configuration_vlnv(component.vlnv, own), vlnv)
    return Written(compose_component(component, links, ids), designs, configurations)


def _new_design(
    component: Component, design: Design, vlnv: Vlnv, standard: Standard, names_of: NamesOf
) -> tuple[bytes, DesignEncoder]:
    encode = DesignEncoder(vlnv, component, {}, ())
    return compose_design(design, vlnv, standard, encode, names_of), encode


def _splice(component: Component, source: Source, names_of: NamesOf, read: dict[str, Known]) -> Written:
    """The contents; what was read of the designs that they are made from goes into ``read``, by view."""
    document = parse_document(source.content, source.path)
    old = source.component
    copied = component.vlnv != old.vlnv
    ids = parameter_ids(component.vlnv, document, old.parameters, component.parameters)
    splicer = Splicer(document)
    splice_component(splicer, old, component, ids)
    stated = {link.view: link.values for link in read_component(document).links}
    values = _design_values(stated, old, component)
    gone = {key: name for key, name in parameter_names(document).items() if key not in ids.values()}
    designs: dict[str, bytes] = {}
    configurations: dict[str, bytes] = {}
    copies: dict[Vlnv, Vlnv] = {}
    for at, (view, design) in enumerate(component.designs.items()):
        own = design_vlnv(component.vlnv, view, at == 0)
        known = source.designs.get(view) if view in old.designs else None
        if known is None:
            if document.is_spirit:
                # The links would refuse, too: this says so before a design of another version is made.
                add_link(splicer, view, own, DesignEncoder(own, component, {}, ()), ids)
            designs[view], encode = _new_design(component, design, own, document.standard, names_of)
            add_link(splicer, view, own, encode, ids)
            continue
        inside = parse_document(known.content, known.path)
        read[view] = Known(inside, old.designs[view], stated.get(view, {}))
        effective = design_parameter_values(inside.root, values.get(view, {}))
        taken = {text(node, "name") for node in parameter_nodes(inside.root)}
        encode = DesignEncoder(inside.vlnv, component, effective, taken)
        inner = Splicer(inside)
        if copied:
            splice_head(inner, inside.root, own)
            copies[inside.vlnv] = own
        splice_design(inner, old.designs[view], design, encode, names_of)
        designs[view] = inside.encode(inner.result())
        drop_values(splicer, view, gone)
        extend_link(splicer, view, encode, ids)
        for name, file in known.configurations.items():
            configuration = parse_document(file.content, file.path)
            vlnv = configuration_vlnv(component.vlnv, name) if copied else None
            if vlnv is not None:
                copies[configuration.vlnv] = vlnv
            configurations[name] = splice_configuration(
                configuration,
                old.designs[view],
                design,
                design.configurations.get(name, Configuration()),
                own if copied else None,
                vlnv,
            )
    retarget(splicer, copies)
    follow_names(splicer, old, component, ids)
    for view in old.designs:
        if view not in component.designs:
            remove_link(splicer, view)
    return Written(document.encode(splicer.result()), designs, configurations)


def _design_values(
    stated: Mapping[str, Mapping[str, str]], old: Component, new: Component
) -> dict[str, dict[str, str]]:
    """What the component's file sets the designs' parameters to, over the names that its parameters have now."""
    to_new = translator({before: name for name, before in pairs(old.parameters, new.parameters).items()})
    return {view: {key: to_new(value) for key, value in values.items()} for view, values in stated.items()}


def _read_back(component: Component, written: Written, names_of: NamesOf, known: Mapping[str, Known]) -> None:
    path = Path(f"{component.vlnv}")
    read = read_component(parse_document(written.content, path))
    values = {link.view: link.values for link in read.links}
    designs = {
        view: read_design(parse_document(written.designs[view], path), values[view], names_of, known.get(view)).design
        for view in values
        if view in written.designs
    }
    configured = {
        view: read_configuration(parse_document(content, path)) for view, content in written.configurations.items()
    }
    for view, design in designs.items():
        own = component.designs[view].configurations if view in component.designs else FrozenMap()
        chosen = FrozenMap((name, configured[name]) for name in own if name in configured)
        designs[view] = design.model_copy(update={"configurations": chosen})
    found = read.component.model_copy(update={"designs": FrozenMap(designs)})
    if found == component:  # the usual case for what was loaded, and quicker than the next
        return
    found, wanted = canonical(found), canonical(component)
    if found == wanted:
        return
    change = change_between(Library.of([wanted]), Library.of([found]))
    touched = ", ".join(str(element) for element in change.touched[:3]) or str(component.vlnv)
    raise DesignError(
        "cannot-be-written",
        f"{component.vlnv} was not saved: its file would read back differently ({touched}).",
        "The file is unchanged. Save under a new path, which writes it anew.",
    )
