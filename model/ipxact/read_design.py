"""Reads a design document, the inside of a component, and finds the design that a configuration stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from lxml import etree

from model.elements import Connection, Design, Endpoint, Instance, Interconnection, InterfaceEnd
from model.findings import Finding
from model.frozen_map import FrozenMap
from model.ipxact.document import Document
from model.ipxact.nodes import (
    Node,
    attribute,
    attributes,
    child,
    children,
    content,
    is_spirit,
    local,
    parts,
    reference,
    text,
)
from model.ipxact.read_component import check_head, configured_nodes, name_of, parameter_id, parameter_nodes
from model.ipxact.references import inliner, mentioned
from model.ipxact.report import Report
from model.ipxact.scaled import expression, override
from model.vlnv import Vlnv

NamesOf = Callable[[Vlnv], Mapping[str, str] | None]
"""Parameter names by parameterId of a component, or None where the component is unknown."""

_LONGEST = 4096

V = TypeVar("V")


def ids_by_name(names_of: NamesOf, vlnv: Vlnv) -> dict[str, str]:
    """parameterIds by name of a component; empty where it is unknown."""
    found: dict[str, str] = {}
    for key, name in (names_of(vlnv) or {}).items():
        found.setdefault(name, key)
    return found


@dataclass(frozen=True, slots=True)
class ReadDesign:
    """What a design document says."""

    design: Design
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A design document that was read before, and what it said: its elements need not be read again where they recur.

    Attributes:
        values: as they were handed to :func:`read_design`.
    """

    document: Document
    design: Design
    values: Mapping[str, str]


def read_design(
    document: Document, values: Mapping[str, str], names_of: NamesOf, known: Known | None = None
) -> ReadDesign:
    """Read a design document.

    Args:
        values: what the enclosing component sets the design's parameters to, by their parameterId, over its own
            parameter names. Every expression of the result is over those names.
        names_of: for the overrides of instances.
        known: an earlier state of the document; the findings of elements that recur are not reported.
    """
    report = Report(document.path)
    check_head(document, report)
    root = document.root
    effective = design_parameter_values(root, values)
    translate = inliner(effective)
    before = _Before()
    if known is not None and design_parameter_values(known.document.root, known.values) == effective:
        before = _Before.of(known)
    interconnections = report.keyed(interconnection_nodes(root), interconnection_name, "interconnection")
    design = Design(
        vlnv=document.vlnv,
        instances=FrozenMap(_instances(root, translate, names_of, report, before)),
        connections=FrozenMap(
            (name, before.connection(name, node) or _connection(node, name, translate, report))
            for name, node in report.keyed(connection_nodes(root), name_of, "connection")
        ),
        interconnections=FrozenMap(
            (
                name,
                Interconnection(
                    name=name,
                    ends=tuple(interface_ends(node)),
                    description=text(node, "description"),
                    monitored=monitored_end(node),
                ),
            )
            for name, node in interconnections
        ),
        description=text(root, "description"),
    )
    return ReadDesign(design, tuple(report.findings))


@dataclass(frozen=True, slots=True)
class _Before:
    """The elements of a document that was read before, with their values."""

    connections: Mapping[str, tuple[Node, Connection]] = field(default_factory=dict)
    instances: Mapping[str, tuple[Node, Instance]] = field(default_factory=dict)

    @classmethod
    def of(cls, known: Known) -> _Before:
        root, design = known.document.root, known.design
        return cls(
            _paired(connection_nodes(root), name_of, design.connections),
            _paired(instance_nodes(root), instance_name, design.instances),
        )

    def connection(self, name: str, node: Node) -> Connection | None:
        """The connection that was read from the same text, if any."""
        before = self.connections.get(name)
        return before[1] if before is not None and _is_same_text(before[0], node) else None

    def instance(self, name: str, node: Node) -> Instance | None:
        """The instance that was read from the same text, if any; not with overrides, which hang on other files."""
        before = self.instances.get(name)
        if before is None or before[1].parameters or not _is_same_text(before[0], node):
            return None
        return before[1]


def _paired(
    nodes: Iterator[Node], name_in: Callable[[Node], str], values: Mapping[str, V]
) -> dict[str, tuple[Node, V]]:
    found: dict[str, tuple[Node, V]] = {}
    for node in nodes:
        name = name_in(node)
        if name not in found and (value := values.get(name)) is not None:
            found[name] = (node, value)
    return found


def _is_same_text(one: Node, other: Node) -> bool:
    return etree.tostring(one, with_tail=False) == etree.tostring(other, with_tail=False)


def design_parameter_values(root: Node, values: Mapping[str, str]) -> dict[str, str]:
    """What each parameter of a design stands for, by parameterId: set by the component, or its own value."""
    stated = {key: text(node, "value") for node in parameter_nodes(root) if (key := parameter_id(node))}
    known = {key: value for key, value in values.items() if key in stated}
    needs = {key: mentioned(value, stated) for key, value in stated.items() if key not in known}
    while ready := [key for key, others in needs.items() if others <= known.keys()]:
        translate = inliner(known)
        for key in ready:
            value = translate(stated[key])
            # Parameters that double one another would grow without end.
            known[key] = value if len(value) <= _LONGEST else key
            del needs[key]
    return known  # what is left goes round in a circle: such parameters stay the ids they are


def instance_nodes(root: Node) -> Iterator[Node]:
    """The component instances of a design."""
    return children(child(root, "componentInstances"), "componentInstance")


def instance_name(node: Node) -> str:
    """Name of an instance."""
    return text(node, "instanceName")


def _instances(
    root: Node, translate: Callable[[str], str], names_of: NamesOf, report: Report, before: _Before
) -> Iterator[tuple[str, Instance]]:
    for name, node in report.keyed(instance_nodes(root), instance_name, "instance"):
        if (known := before.instance(name, node)) is not None:
            yield name, known
            continue
        target = child(node, "componentRef")
        component = reference(target)
        if component is None:
            report.add("error", "bad-reference", f"Instance {name} does not say which component it is.", node)
            component = Vlnv("", "", "", "")
        names = names_of(component) or {}
        overrides = {names.get(key, key): read_override(value, translate) for key, value in override_nodes(node)}
        yield (
            name,
            Instance(
                name=name, component=component, parameters=FrozenMap(overrides), description=text(node, "description")
            ),
        )


def override_nodes(instance: Node) -> Iterator[tuple[str, Node]]:
    """The overrides of an instance by referenceId: inside its reference since 2014, beside it before."""
    for place in (child(instance, "componentRef"), instance):
        for node in configured_nodes(place):
            yield attribute(node, "referenceId"), node


def read_override(node: Node, translate: Callable[[str], str]) -> str:
    """Read what an instance sets a parameter to."""
    stated = text(node)
    return translate(override(stated) if is_spirit(node) else stated)


def connection_nodes(root: Node) -> Iterator[Node]:
    """The ad-hoc connections of a design."""
    return children(child(root, "adHocConnections"), "adHocConnection")


def _connection(node: Node, name: str, translate: Callable[[str], str], report: Report) -> Connection:
    inside = parts(node)
    tied = expression(attribute(node, "tiedValue")) if is_spirit(node) else content(inside.get("tiedValue"))
    ends = tuple(read_end(each, translate) for each in _end_nodes(node, inside.get("portReferences")))
    if len(ends) + bool(tied) < 2:
        report.add("warning", "connection-incomplete", f"Connection {name} joins nothing: it has one end.", node)
    return Connection(name=name, ends=ends, tied_value=translate(tied), description=content(inside.get("description")))


def end_nodes(connection: Node) -> list[Node]:
    """The port references of an ad-hoc connection."""
    return _end_nodes(connection, child(connection, "portReferences"))


def _end_nodes(connection: Node, references: Node | None) -> list[Node]:
    names = ("internalPortReference", "externalPortReference")
    found = [*children(references, *names), *children(connection, *names)]
    return [node for node in found if attribute(node, "portRef")]


def read_end(node: Node, translate: Callable[[str], str]) -> Endpoint:
    """Read one end of an ad-hoc connection, with the way into the port and its slice."""
    stated = attributes(node)
    bounds = range_node(node) if len(node) else None
    left, right = (
        (text(bounds, "left"), text(bounds, "right"))
        if bounds is not None
        else (stated.get("left", ""), stated.get("right", ""))
    )
    if is_spirit(node):
        left, right = expression(left), expression(right)
    return Endpoint(
        instance=_instance_in(stated) if local(node) == "internalPortReference" else "",
        port=stated.get("portRef", ""),
        left=translate(left),
        right=translate(right),
        path=tuple(_path(node, translate)) if len(node) else (),
    )


def range_node(node: Node) -> Node | None:
    """The element with the bounds of an end's slice: of the innermost sub-port where there are some."""
    inner = [*children(node, "subPortReference")][-1:] or [node]
    return child(inner[0], "partSelect", "range")


def index_nodes(node: Node) -> list[Node]:
    """The elements with the indices of an end, those of the port first, then those of its sub-ports."""
    places = [node, *children(node, "subPortReference")]
    return [index for place in places for index in children(child(place, "partSelect", "indices"), "index")]


def _path(node: Node, translate: Callable[[str], str]) -> Iterator[str]:
    for place in (node, *children(node, "subPortReference")):
        if place is not node:
            yield f".{attribute(place, 'subPortRef')}"
        yield from (translate(text(index)) for index in children(child(place, "partSelect", "indices"), "index"))


def instance_reference(node: Node) -> str:
    """Name of the instance that a reference names: the attribute changed its name in 2022."""
    return _instance_in(attributes(node))


def _instance_in(stated: Mapping[str, str]) -> str:
    return stated.get("componentInstanceRef") or stated.get("componentRef", "")


def interconnection_nodes(root: Node) -> Iterator[Node]:
    """The interconnections of a design, and the exported interfaces that 1685-2009 keeps apart from them."""
    yield from children(child(root, "interconnections"), "interconnection", "monitorInterconnection")
    yield from children(child(root, "hierConnections"), "hierConnection")


def interconnection_name(node: Node) -> str:
    """Name of an interconnection; an exported interface of 1685-2009 goes by the interface."""
    return name_of(node) or attribute(node, "interfaceRef")


def interface_ends(node: Node) -> Iterator[InterfaceEnd]:
    """The ends of an interconnection; of one of monitors the interfaces that watch."""
    if local(node) == "monitorInterconnection":
        yield from (_active(each) for each in children(node, "monitorInterface"))
        return
    if local(node) == "hierConnection":
        yield InterfaceEnd(instance="", interface=attribute(node, "interfaceRef"))
        yield from (_active(each) for each in children(node, "interface", "activeInterface"))
        return
    for each in children(node, "activeInterface", "hierInterface"):
        if local(each) == "activeInterface":
            yield _active(each)
        else:
            yield InterfaceEnd(instance="", interface=attribute(each, "busRef"))


def monitored_end(node: Node) -> InterfaceEnd | None:
    """The interface that monitors watch, or None in any other interconnection."""
    found = next(children(node, "monitoredActiveInterface"), None)
    return _active(found) if found is not None and local(node) == "monitorInterconnection" else None


def _active(node: Node) -> InterfaceEnd:
    return InterfaceEnd(instance=instance_reference(node), interface=attribute(node, "busRef"))
