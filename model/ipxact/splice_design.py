"""Brings the bytes of a design document up to date with a newer value."""

from __future__ import annotations

from functools import partial

from model.elements import Connection, Design, Endpoint, Instance, Interconnection, InterfaceEnd
from model.ipxact import build
from model.ipxact.identifiers import DesignEncoder
from model.ipxact.nodes import Node, child, children, local, text
from model.ipxact.pairing import match_rows, update_list
from model.ipxact.read_component import name_of
from model.ipxact.read_design import (
    NamesOf,
    connection_nodes,
    end_nodes,
    ids_by_name,
    instance_name,
    instance_nodes,
    interconnection_name,
    interconnection_nodes,
    interface_ends,
    override_nodes,
    read_end,
)
from model.ipxact.splice import Splicer
from model.ipxact.splice_component import remove_rows, set_bounds, set_reference, update_named


def splice_design(splicer: Splicer, old: Design, new: Design, encode: DesignEncoder, names_of: NamesOf) -> None:
    """Splice the differences of a design.

    Raises:
        DesignError: ``version-cannot-hold``, ``name-taken``, ``unwritable-character``.
    """
    root = splicer.document.root
    standard = splicer.document.standard
    if old.description != new.description:
        splicer.set_child_text(root, ("description",), new.description)
    update_list(
        splicer,
        root,
        ("componentInstances",),
        [(instance_name(node), node) for node in instance_nodes(root)],
        old.instances,
        new.instances,
        partial(_update_instance, splicer, encode, names_of),
        lambda value: build.instance(value, ids_by_name(names_of, value.component), standard, encode),
    )
    update_list(
        splicer,
        root,
        ("adHocConnections",),
        [(name_of(node), node) for node in connection_nodes(root)],
        old.connections,
        new.connections,
        partial(_update_connection, splicer, encode),
        lambda value: build.connection(value, standard, encode),
    )
    update_list(
        splicer,
        root,
        ("interconnections",),
        [(interconnection_name(node), node) for node in interconnection_nodes(root)],
        old.interconnections,
        new.interconnections,
        partial(_update_interconnection, splicer),
        lambda value: build.interconnection(value, standard),
    )
    for parameter in encode.added.values():
        key = encode.id_of(next(name for name, added in encode.added.items() if added is parameter))
        splicer.add(root, ("parameters",), build.parameter(parameter, key, standard, str))


def _update_instance(
    splicer: Splicer, encode: DesignEncoder, names_of: NamesOf, node: Node, old: Instance, new: Instance
) -> None:
    if old.name != new.name:
        splicer.set_child_text(node, ("instanceName",), new.name)
    if old.description != new.description:
        splicer.set_child_text(node, ("description",), new.description)
    target = child(node, "componentRef")
    if target is None:
        target = node
    elif old.component != new.component:
        set_reference(splicer, target, new.component)
    if old.parameters == new.parameters:
        return
    ids = ids_by_name(names_of, new.component)
    wanted = {ids.get(name, name): value for name, value in new.parameters.items()}
    found = dict(override_nodes(node))
    remove_rows(splicer, [each for key, each in override_nodes(node) if key not in wanted])
    for key, value in wanted.items():
        if key not in found:
            place = node if splicer.document.is_spirit else target
            splicer.add(place, ("configurableElementValues",), build.configured(key, encode(value)))
        elif encode.decode(text(found[key])) != value:
            splicer.set_text(found[key], encode(value))


def _update_connection(splicer: Splicer, encode: DesignEncoder, node: Node, old: Connection, new: Connection) -> None:
    update_named(splicer, node, old, new)
    standard = splicer.document.standard
    if old.tied_value != new.tied_value:
        if splicer.document.is_spirit:
            tied = build.number(new.tied_value, standard) if new.tied_value else ""
            splicer.set_attribute(node, "tiedValue", tied)
        else:
            splicer.set_child_text(node, ("tiedValue",), encode(new.tied_value))
    nodes = end_nodes(node)
    ends = [read_end(each, encode.decode) for each in nodes]
    matched = match_rows(ends, new.ends, lambda one, other: bool(one.instance) == bool(other.instance))
    staying = set(matched.values())
    for at, each in enumerate(nodes):
        if at not in staying:
            splicer.remove(each)
    path = () if splicer.document.is_spirit else ("portReferences",)
    for at, wanted in enumerate(new.ends):
        if at in matched:
            _update_end(splicer, encode, nodes[matched[at]], ends[matched[at]], wanted)
        else:
            splicer.add(node, path, build.end(wanted, standard, encode))


def _update_end(splicer: Splicer, encode: DesignEncoder, node: Node, old: Endpoint, new: Endpoint) -> None:
    if old == new:
        return
    if old.instance != new.instance:
        splicer.set_attribute(node, _instance_attribute(node), new.instance)
    splicer.set_attribute(node, "portRef", new.port)
    if (old.left, old.right) == (new.left, new.right):
        return
    bounds = child(node, "partSelect", "range")
    if splicer.document.is_spirit:
        for name in ("left", "right"):
            value = getattr(new, name)
            splicer.set_attribute(node, name, build.number(value, splicer.document.standard) if value else "")
    elif bounds is None:
        part = build.end(new, splicer.document.standard, encode).content
        if isinstance(part, tuple):
            splicer.add(node, (), part[0])
    elif new.left:
        set_bounds(splicer, encode, bounds, old, new)
    else:
        splicer.remove_upwards(bounds, node)


def _instance_attribute(node: Node) -> str:
    """What a reference calls its instance: files of 2022 that still say it the old way keep to it."""
    return "componentInstanceRef" if node.get("componentInstanceRef") is not None else "componentRef"


def _update_interconnection(splicer: Splicer, node: Node, old: Interconnection, new: Interconnection) -> None:
    standard = splicer.document.standard
    if local(node) == "hierConnection":
        raise build.cannot_hold(f"another form of the exported interface {old.name}", standard)
    update_named(splicer, node, old, new)
    nodes = list(children(node, "activeInterface", "hierInterface"))
    ends = list(interface_ends(node))
    matched = match_rows(ends, new.ends, lambda one, other: bool(one.instance) == bool(other.instance))
    staying = set(matched.values())
    for at, each in enumerate(nodes):
        if at not in staying:
            splicer.remove(each)
    for at, wanted in enumerate(new.ends):
        if at in matched:
            _update_interface_end(splicer, nodes[matched[at]], wanted)
        else:
            splicer.add(node, (), build.interface_end(wanted, standard))


def _update_interface_end(splicer: Splicer, node: Node, new: InterfaceEnd) -> None:
    if new.instance:
        splicer.set_attribute(node, _instance_attribute(node), new.instance)
    splicer.set_attribute(node, "busRef", new.interface)
