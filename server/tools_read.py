"""The tools that read the design. They work on the library of one moment and never wait for an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mcp.types import CallToolResult

from model.elements import Component, Parameter, SignalPort, StructuredPort, TransactionalPort
from model.errors import nearest
from model.library import Library
from model.operations.arguments import ELEMENT_TYPES, find
from model.operations.deletion import find_element
from server.describe import (
    Described,
    describe_bus_interface,
    describe_connection,
    describe_instance,
    describe_interconnection,
    describe_parameter,
    describe_signal_port,
    describe_structured_port,
    describe_transactional_port,
)
from server.results import answered

MAX_COMPONENTS = 100
"""How many components list_components names."""

MAX_DETAILED = 40
"""How many elements of a kind get_component_details describes; get_element gives the others."""

MAX_NAMED = 60
"""How many of those left out are still named."""


@dataclass(frozen=True, slots=True)
class _Section:
    """The elements of one kind, under a title; ``describe`` is called only for those that are shown."""

    kind: str
    title: str
    elements: list[Any]
    describe: Callable[[Any], Described]

    @property
    def count(self) -> str:
        """How many there are, in words."""
        title = self.title.lower()
        return f"{len(self.elements)} {title.removesuffix('s') if len(self.elements) == 1 else title}"

    @property
    def readable_as(self) -> str:
        """The element_type with which get_element gives an element of this kind, or ""."""
        if self.kind == "interconnection":
            return "connection"
        return self.kind if self.kind in ELEMENT_TYPES else ""


def _sections(library: Library, component: Component) -> list[_Section]:
    ports, parameters, design = component.ports.values(), component.parameters.values(), component.design

    def signal(port: SignalPort) -> Described:
        return describe_signal_port(component, port)

    def instance(value: Any) -> Described:
        return describe_instance(library, value)

    def of_kind(kind: str) -> list[Parameter]:
        return [parameter for parameter in parameters if parameter.kind == kind]

    return [
        _Section("signal_port", "Signal ports", [port for port in ports if isinstance(port, SignalPort)], signal),
        _Section(
            "transactional_port",
            "Transactional ports",
            [port for port in ports if isinstance(port, TransactionalPort)],
            describe_transactional_port,
        ),
        _Section(
            "structured_port",
            "Structured ports",
            [port for port in ports if isinstance(port, StructuredPort)],
            describe_structured_port,
        ),
        _Section("user_parameter", "User parameters", of_kind("user"), describe_parameter),
        _Section("generator_parameter", "Generator parameters", of_kind("generated"), describe_parameter),
        _Section("immediate_parameter", "Immediate parameters", of_kind("immediate"), describe_parameter),
        _Section("bus_interface", "Bus interfaces", component.bus_interfaces.values(), describe_bus_interface),
        _Section("subcomponent", "Subcomponents", design.instances.values(), instance),
        _Section("connection", "Connections", design.connections.values(), describe_connection),
        _Section(
            "interconnection",
            "Interface connections",
            design.interconnections.values(),
            describe_interconnection,
        ),
    ]


def get_component_details(library: Library, /, *, component: str) -> CallToolResult:
    """Describe a component: its ports, parameters, bus interfaces and what is inside.

    Raises:
        DesignError: ``bad-vlnv`` or ``component-not-found``.
    """
    found = find(library, component)
    sections = [section for section in _sections(library, found) if section.elements]
    counts = ", ".join(section.count for section in sections)
    message = f"{found.vlnv} has {counts}." if counts else f"{found.vlnv} is empty: no ports, parameters or inside."
    lines = [f"Description: {found.description}"] if found.description else []
    facts: dict[str, Any] = {"component": str(found.vlnv), "description": found.description}
    left_out: dict[str, Any] = {}
    for section in sections:
        shown = [section.describe(element) for element in section.elements[: _limit(section)]]
        facts[section.title.lower().replace(" ", "_")] = [element.facts for element in shown]
        lines.append(f"{section.title}:")
        lines += [f"  {element.line}" for element in shown]
        rest = [element.name for element in section.elements[_limit(section) :]]
        if rest:
            left_out[section.kind] = {"count": len(rest), "names": rest[:MAX_NAMED]}
            lines.append(f"  {_left_out(section, rest)}")
    if left_out:
        facts["left_out"] = left_out
    if len(found.designs) > 1:
        views = list(found.designs)
        facts["other_views"] = views[1:]
        lines.append(f"What is inside is that of view {views[0]}; other views: {', '.join(views[1:])}.")
    return answered(message, lines, **facts)


def _limit(section: _Section) -> int:
    return MAX_DETAILED if section.readable_as else 2 * MAX_DETAILED


def _left_out(section: _Section, rest: list[str]) -> str:
    more = len(rest) - MAX_NAMED
    names = ", ".join(rest[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
    ask = f' Read one with get_element (element_type "{section.readable_as}").' if section.readable_as else ""
    return f"… {len(rest)} left out here: {names}.{ask}"


def get_element(library: Library, /, *, component: str, element_type: str, name: str) -> CallToolResult:
    """Describe one element and what is attached to it.

    Raises:
        DesignError: ``bad-vlnv``, ``component-not-found`` or ``element-not-found``.
    """
    found = find(library, component)
    wanted = find_element(found, element_type, name)
    section = next(section for section in _sections(library, found) if section.kind == wanted.kind)
    described = section.describe(next(element for element in section.elements if element.name == name))
    attached = _attached(found, element_type, name)
    title = wanted.kind.replace("_", " ").capitalize()
    return answered(
        f"{title} {described.line}",
        [f"Connections: {', '.join(attached)}"] if attached else (),
        component=str(found.vlnv),
        element_type=wanted.kind,
        element=described.facts,
        connections=attached,
    )


def _attached(component: Component, element_type: str, name: str) -> list[str]:
    """The connections at one of the component's own ports or at an instance."""
    if element_type not in ("signal_port", "transactional_port", "subcomponent"):
        return []
    own_port = element_type != "subcomponent"
    lines = [
        describe_connection(connection).line
        for connection in component.design.connections.values()
        if any((not end.instance and end.port == name) if own_port else end.instance == name for end in connection.ends)
    ]
    lines += [
        describe_interconnection(interconnection).line
        for interconnection in component.design.interconnections.values()
        if not own_port and any(end.instance == name for end in interconnection.all_ends)
    ]
    more = len(lines) - MAX_NAMED
    return [*lines[:MAX_NAMED], f"and {more} more"] if more > 0 else lines


def list_components(library: Library, /, **filters: str) -> CallToolResult:
    """List the components whose VLNV fields equal every filter that is not empty."""
    given = {field: value for field, value in filters.items() if value}
    vlnvs = [
        component.vlnv
        for component in library
        if all(getattr(component.vlnv, field) == value for field, value in given.items())
    ]
    wanted = " with " + " and ".join(f"{field} {value}" for field, value in given.items()) if given else ""
    plural = "component" if len(vlnvs) == 1 else "components"
    message = f"{len(vlnvs)} {plural}{wanted}."
    facts: dict[str, Any] = {"count": len(vlnvs), "components": [str(vlnv) for vlnv in vlnvs[:MAX_COMPONENTS]]}
    lines = [str(vlnv) for vlnv in vlnvs[:MAX_COMPONENTS]]
    if len(vlnvs) > MAX_COMPONENTS:
        facts["left_out"] = len(vlnvs) - MAX_COMPONENTS
        lines.append(f"… {len(vlnvs) - MAX_COMPONENTS} left out: filter by vendor, library, name or version.")
    if not vlnvs and given:
        suggestions = _near_values(library, given)
        facts["suggestions"] = suggestions
        lines += [f"Did you mean {' or '.join(suggestions)}?"] if suggestions else []
    return answered(message, lines, **facts)


def _near_values(library: Library, given: dict[str, str]) -> list[str]:
    values: Iterable[str] = (
        near
        for field, value in given.items()
        for near in nearest(value, dict.fromkeys(getattr(component.vlnv, field) for component in library), limit=2)
    )
    return list(dict.fromkeys(values))
