"""Reads the ports of a component document: wires, transactional and structured ones, with all their dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import get_args

from model.change import ElementId
from model.elements import (
    Dimension,
    Direction,
    Initiative,
    Payload,
    Port,
    SignalPort,
    StructForm,
    StructuredPort,
    TransactionalKind,
    TransactionalPort,
)
from model.frozen_map import FrozenMap
from model.ipxact.nodes import Node, attribute, child, children, local, text
from model.ipxact.report import Report
from model.vlnv import Vlnv

DIRECTIONS: frozenset[str] = frozenset(get_args(Direction))
INITIATIVES: frozenset[str] = frozenset(get_args(Initiative))
KINDS: frozenset[str] = frozenset(get_args(TransactionalKind))
FORMS: tuple[StructForm, ...] = get_args(StructForm)

Translate = Callable[[str], str]


def port_nodes(root: Node) -> Iterator[Node]:
    """The port elements of a component."""
    return children(child(root, "model", "ports"), "port")


def read_ports(root: Node, vlnv: Vlnv, to_names: Translate, report: Report) -> Iterator[tuple[str, Port]]:
    """Read all ports of a component."""
    for name, node in report.keyed(port_nodes(root), lambda node: text(node, "name"), "port"):
        if child(node, "structured") is not None:
            yield name, _read_structured(node, name, vlnv, to_names, report)
        elif child(node, "transactional") is not None:
            yield name, _read_transactional(node, name, vlnv, to_names, report)
        else:
            yield name, _read_signal(node, name, ElementId(vlnv, "signal_port", name), to_names, report)


def _read_signal(node: Node, name: str, where: ElementId, to_names: Translate, report: Report) -> SignalPort:
    wire = child(node, "wire")
    direction = text(wire, "direction")
    if direction not in DIRECTIONS:
        problem = f"the direction '{direction}', which does not exist" if direction else "no direction"
        report.add("error", "bad-direction", f"Port {name} has {problem}; it is taken as phantom.", node, where)
        direction = "phantom"
    vectors = vector_nodes(node)
    left, right = (text(vectors[0], "left"), text(vectors[0], "right")) if vectors else ("", "")
    if (left == "") != (right == ""):
        report.add("error", "half-vector", f"Port {name} has only one bound; it is taken as one bit.", node, where)
        left = right = ""
    default = default_node(node)
    return SignalPort(
        name=name,
        direction=direction,  # type: ignore[arg-type]  # checked above
        left=to_names(left),
        right=to_names(right),
        default_value=to_names(text(default)) if default is not None else "",
        description=text(node, "description"),
        vectors=read_dimensions(vectors[1:], to_names),
        arrays=read_dimensions(array_nodes(node), to_names),
    )


def read_dimensions(nodes: list[Node], to_names: Translate) -> tuple[Dimension, ...]:
    """Read elements with two bounds each."""
    if not nodes:
        return ()
    return tuple(Dimension(left=to_names(text(node, "left")), right=to_names(text(node, "right"))) for node in nodes)


def vector_nodes(port: Node) -> list[Node]:
    """The ``vector`` elements of a wire or structured port, in all versions of the standard."""
    body = child(port, "wire")
    if body is None:
        body = child(port, "structured")
    return [*children(child(body, "vectors"), "vector"), *children(body, "vector")]


def array_nodes(port: Node) -> list[Node]:
    """The ``array`` elements of a port; some tools put them into the wire."""
    return [*children(child(port, "arrays"), "array"), *children(child(port, "wire", "arrays"), "array")]


def default_node(port: Node) -> Node | None:
    """The element with the default value of a wire port: of the first driver that drives all of it."""
    wire = child(port, "wire")
    drivers = [*children(child(wire, "drivers"), "driver"), *children(wire, "driver")]
    for driver in drivers:
        found = child(driver, "defaultValue")
        if found is not None and child(driver, "range") is None:
            return found
    return None


def _read_transactional(node: Node, name: str, vlnv: Vlnv, to_names: Translate, report: Report) -> TransactionalPort:
    where = ElementId(vlnv, "transactional_port", name)
    body = child(node, "transactional")
    initiative = text(body, "initiative") or text(body, "service", "initiative")
    if initiative not in INITIATIVES:
        problem = f"the initiative '{initiative}', which does not exist" if initiative else "no initiative"
        report.add("error", "bad-initiative", f"Port {name} has {problem}; it is taken as phantom.", node, where)
        initiative = "phantom"
    kind, custom = text(body, "kind"), child(body, "kind")
    if kind and kind not in KINDS:
        report.add("error", "bad-kind", f"Port {name} has the kind '{kind}', which does not exist.", node, where)
        kind = "custom"
    connection = child(body, "connection")
    return TransactionalPort(
        name=name,
        initiative=initiative,  # type: ignore[arg-type]  # checked above
        kind=kind,  # type: ignore[arg-type]
        protocol=_protocol(child(body, "protocol", "protocolType")),
        bus_width=to_names(text(body, "busWidth")),
        description=text(node, "description"),
        custom_kind=attribute(custom, "custom") if custom is not None else "",
        payload=_payload(child(body, "protocol", "payload")),
        least=to_names(text(connection, "minConnections")),
        most=to_names(text(connection, "maxConnections")),
        arrays=read_dimensions(array_nodes(node), to_names),
    )


def _protocol(node: Node | None) -> str:
    if node is None:
        return ""
    name = text(node)
    return attribute(node, "custom") or name if name == "custom" else name


def _payload(node: Node | None) -> Payload | None:
    if node is None:
        return None
    return Payload(name=text(node, "name"), type=text(node, "type"), extension=text(node, "extension"))


def _read_structured(node: Node, name: str, vlnv: Vlnv, to_names: Translate, report: Report) -> StructuredPort:
    where = ElementId(vlnv, "structured_port", name)
    body = child(node, "structured")
    form = next(children(body, *FORMS), None)
    if form is None:
        message = f"Structured port {name} is neither a struct, a union nor an interface; it is taken as a struct."
        report.add("error", "bad-structure", message, node, where)
    direction = attribute(form, "direction") if form is not None else ""
    nodes = report.keyed(children(child(body, "subPorts"), "subPort"), lambda each: text(each, "name"), "sub-port")
    return StructuredPort(
        name=name,
        form=local(form) if form is not None else "struct",  # type: ignore[arg-type]  # one of FORMS
        direction=direction if direction in DIRECTIONS else "phantom",  # type: ignore[arg-type]
        type_name=text(body, "structPortTypeDefs", "structPortTypeDef", "typeName"),
        sub_ports=FrozenMap(
            (
                each,
                _read_structured(found, each, vlnv, to_names, report)
                if child(found, "structured") is not None
                else _read_signal(found, each, where, to_names, report),
            )
            for each, found in nodes
        ),
        vectors=read_dimensions(vector_nodes(node), to_names),
        arrays=read_dimensions(array_nodes(node), to_names),
        description=text(node, "description"),
    )
