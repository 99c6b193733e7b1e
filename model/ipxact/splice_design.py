"""Brings the bytes of a design document up to date with a newer value."""

from __future__ import annotations

from dataclasses import replace
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
    index_nodes,
    instance_name,
    instance_nodes,
    interconnection_name,
    interconnection_nodes,
    interface_ends,
    monitored_end,
    override_nodes,
    range_node,
    read_end,
    read_override,
)
from model.ipxact.scaled import scaled
from model.ipxact.splice import Splicer
from model.ipxact.splice_component import remove_rows, set_bounds, set_reference, update_named


def splice_design(splicer: Splicer, old: Design, new: Design, encode: DesignEncoder, names_of: NamesOf) -> None:
    """Splice the differences of a design.

    Raises:
        DesignError: ``version-cannot-hold``, ``unwritable-character``.
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
    if (old.parameters, old.component) == (new.parameters, new.component):
        return
    ids = ids_by_name(names_of, new.component)
    wanted = {ids.get(name, name): value for name, value in new.parameters.items()}
    found = dict(override_nodes(node))

    def written(value: str) -> str:
        return encode(scaled(value) if splicer.document.is_spirit else value)

    remove_rows(splicer, [each for key, each in override_nodes(node) if key not in wanted])
    for key, value in wanted.items():
        if key not in found:
            place = node if splicer.document.is_spirit else target
            splicer.add(place, ("configurableElementValues",), build.configured(key, written(value)))
        elif read_override(found[key], encode.decode) != value:
            splicer.set_text(found[key], written(value))


def _update_connection(splicer: Splicer, encode: DesignEncoder, node: Node, old: Connection, new: Connection) -> None:
    update_named(splicer, node, old, new)
    standard = splicer.document.standard
    if old.tied_value != new.tied_value:
        if splicer.document.is_spirit:
            tied = build.constant(new.tied_value, standard) if new.tied_value else ""
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
    if (old.left, old.right, old.path) == (new.left, new.right, new.path):
        return
    if splicer.document.is_spirit:
        build.end(new, splicer.document.standard, encode)  # refuses what it cannot hold
        for name in ("left", "right"):
            value = getattr(new, name)
            splicer.set_attribute(node, name, build.number(value, splicer.document.standard) if value else "")
        return
    _update_way(splicer, encode, node, old, new)


def _update_way(splicer: Splicer, encode: DesignEncoder, node: Node, old: Endpoint, new: Endpoint) -> None:
    """Splice what stands in a port reference: indices, sub-ports, the range of a slice."""
    bounds = range_node(node)
    if _shape(old) != _shape(new) or (bounds is None and bool(new.left)):
        for each in children(node, "subPortReference", "partSelect"):
            splicer.remove(each)
        for element in build.way(new, splicer.document.standard, encode):
            splicer.add(node, (), element)
    else:
        wanted = [step for step in new.path if not step.startswith(".")]
        for index, step in zip(index_nodes(node), wanted, strict=True):
            if encode.decode(text(index)) != step:
                splicer.set_text(index, encode(step))
        if bounds is not None and new.left:
            set_bounds(splicer, encode, bounds, old, new)
        elif bounds is not None:
            splicer.remove_upwards(bounds, node)


def _shape(end: Endpoint) -> tuple[str, ...]:
    """The way into a port without the expressions in it."""
    return tuple(step if step.startswith(".") else "" for step in end.path)


def _instance_attribute(node: Node) -> str:
    """What a reference calls its instance: files of 2022 that still say it the old way keep to it."""
    return "componentInstanceRef" if node.get("componentInstanceRef") is not None else "componentRef"


def _update_interconnection(splicer: Splicer, node: Node, old: Interconnection, new: Interconnection) -> None:
    standard = splicer.document.standard
    if local(node) == "hierConnection":
        raise build.cannot_hold(f"another form of the exported interface {old.name}", standard)
    if (old.monitored is None) is not (new.monitored is None):
        raise build.cannot_hold(f"interconnection {old.name} and monitors in one element", standard)
    update_named(splicer, node, old, new)
    monitored = next(children(node, "monitoredActiveInterface"), None)
    if monitored is not None and new.monitored is not None and monitored_end(node) != new.monitored:
        _update_interface_end(splicer, monitored, new.monitored)
    nodes = list(children(node, "activeInterface", "hierInterface", "monitorInterface"))
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
            made = build.interface_end(wanted, standard)
            splicer.add(node, (), made if monitored is None else replace(made, name="monitorInterface"))


def _update_interface_end(splicer: Splicer, node: Node, new: InterfaceEnd) -> None:
    if new.instance:
        splicer.set_attribute(node, _instance_attribute(node), new.instance)
    splicer.set_attribute(node, "busRef", new.interface)
