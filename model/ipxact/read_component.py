"""Reads a component document into its value. What the value does not hold stays in the file, untouched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import get_args

from model.change import ElementId
from model.elements import (
    BusInterface,
    Component,
    Direction,
    Initiative,
    InterfaceMode,
    Parameter,
    ParameterKind,
    ParameterType,
    Port,
    PortMap,
    SignalPort,
    TransactionalKind,
    TransactionalPort,
)
from model.findings import Finding
from model.frozen_map import FrozenMap
from model.ipxact.document import Document
from model.ipxact.nodes import Node, attribute, child, children, local, reference, text
from model.ipxact.references import new_parameter_id, translator
from model.ipxact.report import Report
from model.vlnv import Vlnv

DIRECTIONS: frozenset[str] = frozenset(get_args(Direction))
INITIATIVES: frozenset[str] = frozenset(get_args(Initiative))
KINDS: frozenset[str] = frozenset(get_args(TransactionalKind))
TYPES: frozenset[str] = frozenset(get_args(ParameterType))
MODES: dict[str, InterfaceMode] = {
    "master": "initiator",
    "slave": "target",
    "mirroredMaster": "mirroredInitiator",
    "mirroredSlave": "mirroredTarget",
    **{mode: mode for mode in get_args(InterfaceMode)},
}
# 1685-2009 states a format where later versions state a SystemVerilog type.
FORMATS: dict[str, ParameterType] = {
    "bitString": "bit",
    "bool": "bit",
    "float": "real",
    "long": "longint",
    "string": "string",
}

Translate = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class DesignLink:
    """Where a view finds its inside.

    Attributes:
        targets: VLNVs of a design or a design configuration, the best first.
        values: what the component sets the design's parameters to, by the design's parameterId.
    """

    view: str
    targets: tuple[Vlnv, ...]
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class ReadComponent:
    """What a component document says.

    Attributes:
        component: the value, still without designs.
        names_by_id: parameter names by parameterId.
        links: where the designs are, in the order of the views.
    """

    component: Component
    names_by_id: dict[str, str]
    links: tuple[DesignLink, ...]
    findings: tuple[Finding, ...]


def read_component(document: Document) -> ReadComponent:
    """Read a component document; breaches of the schema become findings."""
    vlnv = document.vlnv
    report = Report(document.path)
    check_head(document, report)
    names_by_id = parameter_names(document)
    to_names = translator(names_by_id)
    component = Component(
        vlnv=vlnv,
        description=text(document.root, "description"),
        ports=FrozenMap(_ports(document.root, vlnv, to_names, report)),
        parameters=FrozenMap(_parameters(document.root, vlnv, to_names, report)),
        bus_interfaces=FrozenMap(_bus_interfaces(document.root, vlnv, to_names, report)),
    )
    links = tuple(_links(document.root, to_names, report))
    return ReadComponent(component, names_by_id, links, tuple(report.findings))


def check_head(document: Document, report: Report) -> None:
    """Note an identifier that is incomplete or illegal."""
    vlnv = document.vlnv
    if not all((vlnv.vendor, vlnv.library, vlnv.name, vlnv.version)):
        report.add("error", "bad-vlnv", f"The file's VLNV is incomplete: {vlnv}.", document.root)


def parameter_nodes(root: Node) -> Iterator[Node]:
    """The parameter elements of a component or design."""
    return children(child(root, "parameters"), "parameter")


def parameter_id(node: Node) -> str:
    """How expressions refer to a parameter: ``parameterId``, before 2014 the ``id`` of its value."""
    found = attribute(node, "parameterId")
    if found:
        return found
    value = child(node, "value")
    return attribute(value, "id") if value is not None else ""


def parameter_names(document: Document) -> dict[str, str]:
    """Parameter names of a component by parameterId; one without goes by the id that it would be given."""
    found: dict[str, str] = {}
    for node in parameter_nodes(document.root):
        name = text(node, "name")
        if name:
            found.setdefault(parameter_id(node) or new_parameter_id(document.vlnv, name), name)
    return found


def port_nodes(root: Node) -> Iterator[Node]:
    """The port elements of a component."""
    return children(child(root, "model", "ports"), "port")


def name_of(node: Node) -> str:
    """Text of the ``name`` child."""
    return text(node, "name")


def _ports(root: Node, vlnv: Vlnv, to_names: Translate, report: Report) -> Iterator[tuple[str, Port]]:
    for name, node in report.keyed(port_nodes(root), name_of, "port"):
        if child(node, "structured") is not None:
            report.add(
                "note",
                "structured-port",
                f"Port {name} is structured, which Blockwright does not show; it is kept in the file.",
                node,
            )
        elif child(node, "transactional") is not None:
            yield name, read_transactional(node, name, vlnv, to_names, report)
        else:
            yield name, read_signal(node, name, vlnv, to_names, report)


def read_signal(node: Node, name: str, vlnv: Vlnv, to_names: Translate, report: Report) -> SignalPort:
    """Read a wire port."""
    where = ElementId(vlnv, "signal_port", name)
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
    if len(vectors) > 1 or child(node, "arrays") is not None or child(wire, "arrays") is not None:
        report.add(
            "note", "more-dimensions", f"Port {name} has more dimensions than the one that is shown.", node, where
        )
    default = default_node(node)
    return SignalPort(
        name=name,
        direction=direction,  # type: ignore[arg-type]  # checked above
        left=to_names(left),
        right=to_names(right),
        default_value=to_names(text(default)) if default is not None else "",
        description=text(node, "description"),
    )


def vector_nodes(port: Node) -> list[Node]:
    """The ``vector`` elements of a wire port, in all versions of the standard."""
    wire = child(port, "wire")
    return [*children(child(wire, "vectors"), "vector"), *children(wire, "vector")]


def default_node(port: Node) -> Node | None:
    """The element with the default value of a wire port: of the first driver that drives all of it."""
    wire = child(port, "wire")
    drivers = [*children(child(wire, "drivers"), "driver"), *children(wire, "driver")]
    for driver in drivers:
        found = child(driver, "defaultValue")
        if found is not None and child(driver, "range") is None:
            return found
    return None


def read_transactional(node: Node, name: str, vlnv: Vlnv, to_names: Translate, report: Report) -> TransactionalPort:
    """Read a transactional port."""
    where = ElementId(vlnv, "transactional_port", name)
    body = child(node, "transactional")
    initiative = text(body, "initiative") or text(body, "service", "initiative")
    if initiative not in INITIATIVES:
        problem = f"the initiative '{initiative}', which does not exist" if initiative else "no initiative"
        report.add("error", "bad-initiative", f"Port {name} has {problem}; it is taken as phantom.", node, where)
        initiative = "phantom"
    kind = text(body, "kind")
    if kind and kind not in KINDS:
        report.add("error", "bad-kind", f"Port {name} has the kind '{kind}', which does not exist.", node, where)
        kind = "custom"
    return TransactionalPort(
        name=name,
        initiative=initiative,  # type: ignore[arg-type]  # checked above
        kind=kind,  # type: ignore[arg-type]
        protocol=_protocol(child(body, "protocol", "protocolType")),
        bus_width=to_names(text(body, "busWidth")),
        description=text(node, "description"),
    )


def _protocol(node: Node | None) -> str:
    if node is None:
        return ""
    name = text(node)
    return attribute(node, "custom") or name if name == "custom" else name


def _parameters(root: Node, vlnv: Vlnv, to_names: Translate, report: Report) -> Iterator[tuple[str, Parameter]]:
    for name, node in report.keyed(parameter_nodes(root), name_of, "parameter"):
        yield name, read_parameter(node, name, vlnv, to_names, report)


def read_parameter(node: Node, name: str, vlnv: Vlnv, to_names: Translate, report: Report) -> Parameter:
    """Read a parameter, with its attributes on the element (2014, 2022) or on its value (before)."""
    value = child(node, "value")

    def stated(attribute_name: str) -> str:
        return attribute(node, attribute_name) or (attribute(value, attribute_name) if value is not None else "")

    kind = kind_of(stated("resolve"))
    type_name = stated("type") or FORMATS.get(stated("format"), "string")
    if type_name not in TYPES:
        report.add("error", "bad-type", f"Parameter {name} has the type '{type_name}', which does not exist.", node)
        type_name = "string"
    if kind != "immediate" and not parameter_id(node):
        message = f"Parameter {name} has no parameterId, so no expression can refer to it."
        where = ElementId(vlnv, "user_parameter" if kind == "user" else "generator_parameter", name)
        report.add("warning", "parameter-id-missing", message, node, where)
    return Parameter(
        name=name,
        kind=kind,
        value=to_names(text(value)) if value is not None else "",
        type=type_name,  # type: ignore[arg-type]  # checked above
        minimum=to_names(stated("minimum")),
        maximum=to_names(stated("maximum")),
        description=text(node, "description"),
    )


def kind_of(resolve: str) -> ParameterKind:
    """Kind of a parameter from its ``resolve`` attribute."""
    if resolve == "user":
        return "user"
    return "generated" if resolve == "generated" else "immediate"


def bus_interface_nodes(root: Node) -> Iterator[Node]:
    """The bus interface elements of a component."""
    return children(child(root, "busInterfaces"), "busInterface")


def _bus_interfaces(root: Node, vlnv: Vlnv, to_names: Translate, report: Report) -> Iterator[tuple[str, BusInterface]]:
    for name, node in report.keyed(bus_interface_nodes(root), name_of, "bus interface"):
        where = ElementId(vlnv, "bus_interface", name)
        mode = mode_node(node)
        if mode is None:
            report.add("error", "mode-missing", f"Bus interface {name} has no mode; taken as system.", node, where)
        bus_type = reference(child(node, "busType"))
        if bus_type is None:
            report.add("error", "bad-reference", f"Bus interface {name} does not say its bus type.", node, where)
        yield (
            name,
            BusInterface(
                name=name,
                mode=MODES[local(mode)] if mode is not None else "system",
                bus_type=bus_type or Vlnv("", "", "", ""),
                port_maps=tuple(read_port_map(each, to_names) for each in port_map_nodes(node)),
                description=text(node, "description"),
            ),
        )


def mode_node(interface: Node) -> Node | None:
    """The element whose name is the mode of a bus interface."""
    return next(children(interface, *MODES), None)


def port_map_nodes(interface: Node) -> list[Node]:
    """The port maps that name a physical port, of all abstractions of a bus interface."""
    found = [*children(child(interface, "portMaps"), "portMap")]
    for abstraction in children(child(interface, "abstractionTypes"), "abstractionType"):
        found.extend(children(child(abstraction, "portMaps"), "portMap"))
    return [node for node in found if text(node, "physicalPort", "name")]


def read_port_map(node: Node, to_names: Translate) -> PortMap:
    """Read one row of a bus interface."""
    physical = child(node, "physicalPort")
    bounds = child(physical, "partSelect", "range")
    if bounds is None:
        bounds = child(physical, "vector")
    return PortMap(
        logical=text(node, "logicalPort", "name"),
        physical=text(physical, "name"),
        left=to_names(text(bounds, "left")),
        right=to_names(text(bounds, "right")),
    )


def view_nodes(root: Node) -> Iterator[Node]:
    """The views of a component."""
    return children(child(root, "model", "views"), "view")


def instantiation(root: Node, kind: str, name: str) -> Node | None:
    """A ``designInstantiation`` or ``designConfigurationInstantiation`` by its name."""
    nodes = children(child(root, "model", "instantiations"), kind)
    return next((node for node in nodes if text(node, "name") == name), None)


def _links(root: Node, to_names: Translate, report: Report) -> Iterator[DesignLink]:
    for name, view in report.keyed(view_nodes(root), name_of, "view"):
        targets: list[Vlnv] = []
        values: dict[str, str] = {}
        for kind, pointer in (("design", "designRef"), ("designConfiguration", "designConfigurationRef")):
            stated = text(view, f"{kind}InstantiationRef")
            if not stated:
                continue
            found = child(instantiation(root, f"{kind}Instantiation", stated), pointer)
            target = reference(found)
            if target is None:
                message = f"View {name} refers to the {kind} instantiation {stated}, which is missing or incomplete."
                report.add("error", "bad-reference", message, view)
                continue
            targets.append(target)
            if kind == "design":
                values.update((key, to_names(value)) for key, value in configured(found))
        hierarchy = child(view, "hierarchyRef")
        target = reference(hierarchy)
        if target is not None:
            targets.append(target)
        elif hierarchy is not None:
            report.add("error", "bad-reference", f"View {name} refers to no complete VLNV.", view)
        if targets:
            yield DesignLink(name, tuple(targets), values)


def configured(node: Node | None) -> Iterator[tuple[str, str]]:
    """The ``configurableElementValue``s below a reference element: referenceId and value."""
    for value in configured_nodes(node):
        yield attribute(value, "referenceId"), text(value)


def configured_nodes(node: Node | None) -> Iterator[Node]:
    """The ``configurableElementValue`` elements below a reference element."""
    return children(child(node, "configurableElementValues"), "configurableElementValue")
