"""Reads a component document into its value. What the value does not hold stays in the file, untouched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import get_args

from model.arithmetic import MOST_BITS
from model.change import ElementId
from model.elements import Component, Dimension, Parameter, ParameterKind, ParameterType
from model.findings import Finding
from model.frozen_map import FrozenMap
from model.ipxact.document import Document
from model.ipxact.nodes import Node, attribute, child, children, reference, text
from model.ipxact.read_interface import read_bus_interfaces
from model.ipxact.read_port import read_dimensions, read_ports
from model.ipxact.references import new_parameter_id, translator
from model.ipxact.report import Report
from model.ipxact.scaled import expression, then, truth
from model.vlnv import Vlnv

TYPES: frozenset[str] = frozenset(get_args(ParameterType))
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
    numbers = then(to_names) if document.is_spirit else to_names
    component = Component(
        vlnv=vlnv,
        description=text(document.root, "description"),
        ports=FrozenMap(read_ports(document.root, vlnv, numbers, report)),
        parameters=FrozenMap(_parameters(document, to_names, report)),
        bus_interfaces=FrozenMap(read_bus_interfaces(document.root, vlnv, numbers, report)),
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


def name_of(node: Node) -> str:
    """Text of the ``name`` child."""
    return text(node, "name")


def _parameters(document: Document, to_names: Translate, report: Report) -> Iterator[tuple[str, Parameter]]:
    for name, node in report.keyed(parameter_nodes(document.root), name_of, "parameter"):
        parameter = _parameter(node, name, document.vlnv, to_names, report)
        yield name, _with_numbers(parameter, node) if document.is_spirit else parameter


def _with_numbers(parameter: Parameter, node: Node) -> Parameter:
    """A parameter of a file older than 2014, with the numbers that it states in their own way."""
    value = child(node, "value")
    format_name = attribute(value, "format") if value is not None else ""
    if value is None or format_name not in FORMATS or format_name == "string":
        return parameter
    fields: dict[str, object] = {
        name: expression(truth(found) if format_name == "bool" else found)
        for name in ("value", "minimum", "maximum")
        if (found := getattr(parameter, name))
    }
    length = attribute(value, "bitStringLength")
    if format_name == "bitString" and re.fullmatch("[0-9]{1,7}", length) and 1 < int(length) <= MOST_BITS:
        fields["vectors"] = (Dimension(left=str(int(length) - 1), right="0"),)
    return parameter.model_copy(update=fields)


def _parameter(node: Node, name: str, vlnv: Vlnv, to_names: Translate, report: Report) -> Parameter:
    # The attributes stand on the element (2014, 2022) or on its value (before).
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
        sign=sign if (sign := stated("sign")) in ("signed", "unsigned") else "",  # type: ignore[arg-type]
        vectors=read_dimensions(list(children(child(node, "vectors"), "vector")), to_names),
        arrays=read_dimensions(list(children(child(node, "arrays"), "array")), to_names),
    )


def kind_of(resolve: str) -> ParameterKind:
    """Kind of a parameter from its ``resolve`` attribute."""
    if resolve == "user":
        return "user"
    return "generated" if resolve == "generated" else "immediate"


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
