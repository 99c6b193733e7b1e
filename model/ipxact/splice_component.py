"""Brings the bytes of a component document up to date with a newer value."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from model.elements import (
    BusInterface,
    Component,
    Dimension,
    Parameter,
    Port,
    PortMap,
    SignalPort,
    StructuredPort,
    TransactionalPort,
)
from model.ipxact import build
from model.ipxact.build import Encode
from model.ipxact.identifiers import Encoder
from model.ipxact.markup import Element
from model.ipxact.nodes import Node, attribute, child, children
from model.ipxact.pairing import match_rows, pairs, update_list
from model.ipxact.read_component import name_of, parameter_id, parameter_nodes
from model.ipxact.read_interface import (
    bus_interface_nodes,
    logical_bounds,
    mode_node,
    physical_bounds,
    port_map_nodes,
    read_port_map,
)
from model.ipxact.read_port import array_nodes, default_node, port_nodes, vector_nodes
from model.ipxact.splice import Splicer
from model.vlnv import Vlnv


def splice_head(splicer: Splicer, root: Node, vlnv: Vlnv) -> None:
    """Write another VLNV into the head of a document."""
    for name in ("vendor", "library", "name", "version"):
        found = child(root, name)
        if found is None:
            splicer.add(root, (), Element(name, getattr(vlnv, name)))
        else:
            splicer.set_text(found, getattr(vlnv, name))


def splice_component(splicer: Splicer, old: Component, new: Component, ids: dict[str, str]) -> None:
    """Splice everything but the designs.

    Raises:
        DesignError: ``version-cannot-hold``, ``unwritable-character``.
    """
    document = splicer.document
    root = document.root
    encode = Encoder(ids, plain=document.is_spirit)
    if old.vlnv != new.vlnv:
        splice_head(splicer, root, new.vlnv)
    if old.description != new.description:
        splicer.set_child_text(root, ("description",), new.description)
    update_list(
        splicer,
        root,
        ("model", "ports"),
        [(name_of(node), node) for node in port_nodes(root)],
        old.ports,
        new.ports,
        partial(_update_port, splicer, encode),
        lambda value: build.port(value, document.standard, encode),
    )
    update_list(
        splicer,
        root,
        ("parameters",),
        [(name_of(node), node) for node in parameter_nodes(root)],
        old.parameters,
        new.parameters,
        partial(_update_parameter, splicer, encode, ids),
        lambda value: build.parameter(value, ids[value.name], document.standard, encode),
    )
    update_list(
        splicer,
        root,
        ("busInterfaces",),
        [(name_of(node), node) for node in bus_interface_nodes(root)],
        old.bus_interfaces,
        new.bus_interfaces,
        partial(_update_interface, splicer, encode),
        lambda value: build.bus_interface(value, document.standard, encode),
    )
    give_ids(splicer, old, new, encode.used, ids)


def give_ids(splicer: Splicer, old: Component, new: Component, names: set[str], ids: dict[str, str]) -> None:
    """Give a parameterId to parameters of the file that an expression newly refers to and that have none."""
    in_file = {name_of(node): node for node in reversed(list(parameter_nodes(splicer.document.root)))}
    before = pairs(old.parameters, new.parameters)
    for name in sorted(names):
        node = in_file.get(before.get(name, ""))
        if node is not None and not parameter_id(node):
            splicer.set_attribute(node, "parameterId", ids[name])


def update_named(splicer: Splicer, node: Node, old: object, new: object) -> None:
    """Splice name and description, which most elements have."""
    if old.name != new.name:  # type: ignore[attr-defined]
        splicer.set_child_text(node, ("name",), new.name)  # type: ignore[attr-defined]
    if old.description != new.description:  # type: ignore[attr-defined]
        splicer.set_child_text(node, ("description",), new.description)  # type: ignore[attr-defined]


def _update_port(splicer: Splicer, encode: Encode, node: Node, old: Port, new: Port) -> None:
    update_named(splicer, node, old, new)
    if isinstance(old, SignalPort) and isinstance(new, SignalPort):
        _update_signal(splicer, encode, node, old, new)
    elif isinstance(old, TransactionalPort) and isinstance(new, TransactionalPort):
        _update_transactional(splicer, encode, node, old, new)
    elif isinstance(old, StructuredPort) and isinstance(new, StructuredPort):
        _update_structured(splicer, encode, node, old, new)
    if old.arrays != new.arrays:
        _update_dimensions(splicer, encode, array_nodes(node), old.arrays, new.arrays, node, "arrays")


def _update_structured(splicer: Splicer, encode: Encode, node: Node, old: StructuredPort, new: StructuredPort) -> None:
    """Splice the expressions of a structured port; what it consists of is not edited."""
    body = child(node, "structured")
    if body is None:
        return
    if old.vectors != new.vectors:
        _update_dimensions(splicer, encode, vector_nodes(node), old.vectors, new.vectors, body, "vectors")
    for each in children(child(body, "subPorts"), "subPort"):
        before, after = old.sub_ports.get(name_of(each)), new.sub_ports.get(name_of(each))
        if before is not None and after is not None and before != after:
            _update_port(splicer, encode, each, before, after)


def _update_dimensions(
    splicer: Splicer,
    encode: Encode,
    nodes: Sequence[Node],
    old: Sequence[Dimension],
    new: Sequence[Dimension],
    parent: Node,
    name: str,
) -> None:
    """Splice the vectors or arrays of an element."""
    remove_rows(splicer, list(nodes[len(new) :]))
    none = Dimension(left="", right="")
    for at, (node, wanted) in enumerate(zip(nodes, new, strict=False)):
        set_bounds(splicer, encode, node, old[at] if at < len(old) else none, wanted)
    added = new[len(nodes) :]
    if not added:
        return
    standard = splicer.document.standard
    if name == "vectors":
        container: Element = build.vectors(new if build.is_spirit(standard) else added, standard, encode)
    else:
        (container,) = build.arrays(added, standard, encode)
    around = nodes[-1].getparent() if nodes else None
    if around is not None and isinstance(container.content, tuple):
        splicer.append(around, container.content)
    else:
        splicer.add(parent, (), container)


def _update_signal(splicer: Splicer, encode: Encode, node: Node, old: SignalPort, new: SignalPort) -> None:
    standard = splicer.document.standard
    wire = child(node, "wire")
    if wire is None:
        splicer.add(node, (), build.wire(new, standard, encode))
        return
    if old.direction != new.direction:
        splicer.set_child_text(wire, ("direction",), new.direction)
    before, after = build.packed(old), build.packed(new)
    if before != after:
        _update_dimensions(splicer, encode, vector_nodes(node), before, after, wire, "vectors")
    if old.default_value != new.default_value:
        found = default_node(node)
        if found is None:
            _add_default(splicer, encode, wire, new.default_value)
        elif new.default_value:
            splicer.set_text(found, encode(build.constant(new.default_value, standard)))
        else:
            splicer.remove_upwards(found, wire)


def _add_default(splicer: Splicer, encode: Encode, wire: Node, value: str) -> None:
    added = build.driver(value, splicer.document.standard, encode)
    if child(wire, "drivers") is not None and isinstance(added.content, tuple):
        splicer.add(wire, ("drivers",), added.content[0])
    else:
        splicer.add(wire, (), added)


def set_bounds(splicer: Splicer, encode: Encode, node: Node, old: object, new: object) -> None:
    """Splice the bounds of a vector or range that stands in the file."""
    for name in ("left", "right"):
        before, after = getattr(old, name), getattr(new, name)
        found = child(node, name)
        if before == after and found is not None:
            continue
        written = encode(build.number(after, splicer.document.standard))
        splicer.set_child_text(node, (name,), written)
        if found is not None and attribute(found, "dependency"):
            # Before 2014 a formula stands beside the number, which it would overrule.
            splicer.set_attribute(found, "dependency", "")
            splicer.set_attribute(found, "resolve", "")


def _update_transactional(
    splicer: Splicer, encode: Encode, node: Node, old: TransactionalPort, new: TransactionalPort
) -> None:
    body = child(node, "transactional")
    if body is None:
        return
    if (
        splicer.document.is_spirit
        and old.model_copy(update={"name": new.name, "description": new.description, "initiative": new.initiative})
        != new
    ):
        raise build.cannot_hold("the kind and protocol of a transactional port", splicer.document.standard)
    if old.initiative != new.initiative:
        path = ("service", "initiative") if splicer.document.is_spirit else ("initiative",)
        splicer.set_child_text(body, path, new.initiative)
    if old.kind != new.kind:
        splicer.set_child_text(body, ("kind",), new.kind)
    kind = child(body, "kind")
    if kind is not None and new.kind:
        splicer.set_attribute(kind, "custom", new.custom_kind)
    for name, before, after in (("maxConnections", old.most, new.most), ("minConnections", old.least, new.least)):
        if before != after:
            splicer.set_child_text(body, ("connection", name), encode(after))
    if old.bus_width != new.bus_width:
        splicer.set_child_text(body, ("busWidth",), encode(new.bus_width))
    if old.protocol != new.protocol:
        _update_protocol(splicer, body, new.protocol)


def _update_protocol(splicer: Splicer, body: Node, protocol: str) -> None:
    found = child(body, "protocol", "protocolType")
    if found is None:
        splicer.add(body, ("protocol",), build.protocol_type(protocol))
    elif not protocol:
        container = child(body, "protocol")
        splicer.remove(container if container is not None else found)
    else:
        wanted = build.protocol_type(protocol)
        splicer.set_text(found, str(wanted.content))
        splicer.set_attribute(found, "custom", dict(wanted.attributes).get("custom", ""))


def _update_parameter(
    splicer: Splicer, encode: Encode, ids: dict[str, str], node: Node, old: Parameter, new: Parameter
) -> None:
    standard = splicer.document.standard
    update_named(splicer, node, old, new)
    value = child(node, "value")
    if value is None:
        splicer.add(node, (), Element("value", build.parameter_text(new, new.value, standard, encode)))
        value = node
    elif old.value != new.value:
        splicer.set_text(value, build.parameter_text(new, new.value, standard, encode))
    stated = value if splicer.document.is_spirit else node
    if old.kind != new.kind:
        splicer.set_attribute(stated, "resolve", new.kind)
        if not parameter_id(node):
            splicer.set_attribute(stated, "id" if splicer.document.is_spirit else "parameterId", ids[new.name])
    if old.type != new.type:
        splicer.set_attribute(stated, *build.parameter_format(new.type, standard))
    if old.minimum != new.minimum:
        splicer.set_attribute(stated, "minimum", build.parameter_text(new, new.minimum, standard, encode))
    if old.maximum != new.maximum:
        splicer.set_attribute(stated, "maximum", build.parameter_text(new, new.maximum, standard, encode))
    for name, tag in (("vectors", "vector"), ("arrays", "array")):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            nodes = list(children(child(node, name), tag))
            _update_dimensions(splicer, encode, nodes, before, after, node, name)


def _update_interface(splicer: Splicer, encode: Encoder, node: Node, old: BusInterface, new: BusInterface) -> None:
    standard = splicer.document.standard
    update_named(splicer, node, old, new)
    mode = mode_node(node)
    if mode is None:
        splicer.add(node, (), Element(build.mode(new.mode, standard)))
    elif old.mode != new.mode:
        splicer.rename(mode, build.mode(new.mode, standard))
    if old.bus_type != new.bus_type:
        bus_type = child(node, "busType")
        if bus_type is None:
            splicer.add(node, (), Element("busType", (), build.vlnv_attributes(new.bus_type)))
        else:
            set_reference(splicer, bus_type, new.bus_type)
    if old.port_maps != new.port_maps:
        _update_port_maps(splicer, encode, node, new)


def set_reference(splicer: Splicer, node: Node, vlnv: Vlnv) -> None:
    """Make an element refer to another document."""
    for name, value in build.vlnv_attributes(vlnv):
        splicer.set_attribute(node, name, value)


def _update_port_maps(splicer: Splicer, encode: Encoder, node: Node, new: BusInterface) -> None:
    standard = splicer.document.standard
    nodes = port_map_nodes(node)
    old = [read_port_map(each, encode.decode) for each in nodes]
    matched = match_rows(old, new.port_maps, lambda one, other: one.logical == other.logical)
    remove_rows(splicer, [each for at, each in enumerate(nodes) if at not in set(matched.values())])
    added: list[Element] = []
    for at, wanted in enumerate(new.port_maps):
        if at in matched:
            _update_row(splicer, encode, nodes[matched[at]], old[matched[at]], wanted)
        else:
            added.append(build.port_map(wanted, standard, encode))
    if not added:
        return
    container = nodes[-1].getparent() if nodes else None
    if container is not None:
        splicer.append(container, added)
    else:
        for element in build.port_maps(new, new.port_maps, standard, encode):
            splicer.add(node, (), element)


def remove_rows(splicer: Splicer, nodes: list[Node]) -> None:
    """Remove elements, or what is around them where nothing else is in it."""
    for container in dict.fromkeys(node.getparent() for node in nodes):
        rows = [node for node in nodes if node.getparent() is container]
        if container is not None and len(rows) == len(container):
            splicer.remove(container)
        else:
            for node in rows:
                splicer.remove(node)


def _update_row(splicer: Splicer, encode: Encode, node: Node, old: PortMap, new: PortMap) -> None:
    if old == new:
        return
    if old.tie_off != new.tie_off:
        splicer.set_child_text(node, ("logicalTieOff",), encode(new.tie_off))
    wanted = build.port_map(new, splicer.document.standard, encode).content
    sides = (
        ("logicalPort", logical_bounds(node), _part(old, "logical_"), _part(new, "logical_")),
        ("physicalPort", physical_bounds(node), _part(old, ""), _part(new, "")),
    )
    for at, (name, bounds, before, after) in enumerate(sides):
        port, element = child(node, name), wanted[at]
        if port is None:
            continue
        if name == "physicalPort" and old.physical != new.physical:
            splicer.set_child_text(port, ("name",), new.physical)
        if before == after:
            continue
        if bounds is not None and after.left:
            set_bounds(splicer, encode, bounds, before, after)
        elif bounds is not None:
            splicer.remove_upwards(bounds, port)
        elif isinstance(element, Element) and isinstance(element.content, tuple):
            splicer.add(port, (), element.content[1])


def _part(row: PortMap, side: str) -> Dimension:
    return Dimension(left=getattr(row, f"{side}left"), right=getattr(row, f"{side}right"))
