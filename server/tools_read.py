"""The tools that read the design. They work on the library of one moment and never wait for an edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mcp.types import CallToolResult

from model.change import ElementId
from model.elements import Component, Parameter, Port, SignalPort, StructuredPort, TransactionalPort
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

MAX_CHARACTERS = 12_000
"""How long the descriptions of one kind may be together; what does not fit is left out like what is too much."""

MAX_VALUE = 4000
"""How many characters of one text, like a description from a file, are given."""

_MAX_NAMES = 3000


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

    def port(value: Port) -> Described:
        return _describe_port(component, value)

    def instance(value: Any) -> Described:
        return describe_instance(library, value)

    def of_kind(kind: str) -> list[Parameter]:
        return [parameter for parameter in parameters if parameter.kind == kind]

    return [
        _Section("signal_port", "Signal ports", [each for each in ports if isinstance(each, SignalPort)], port),
        _Section(
            "transactional_port",
            "Transactional ports",
            [each for each in ports if isinstance(each, TransactionalPort)],
            port,
        ),
        _Section(
            "structured_port",
            "Structured ports",
            [each for each in ports if isinstance(each, StructuredPort)],
            port,
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


def _describe_port(component: Component, port: Port) -> Described:
    if isinstance(port, SignalPort):
        return describe_signal_port(component, port)
    if isinstance(port, TransactionalPort):
        return describe_transactional_port(port)
    return describe_structured_port(port)


def get_component_details(library: Library, /, *, component: str) -> CallToolResult:
    """Describe a component: its ports, parameters, bus interfaces and what is inside.

    Raises:
        DesignError: ``bad-vlnv`` or ``component-not-found``.
    """
    found = find(library, component)
    sections = [section for section in _sections(library, found) if section.elements]
    counts = ", ".join(section.count for section in sections)
    message = f"{found.vlnv} has {counts}." if counts else f"{found.vlnv} is empty: no ports, parameters or inside."
    description = _cut(found.description)
    lines = [f"Description: {description}"] if description else []
    facts: dict[str, Any] = {"component": str(found.vlnv), "description": description}
    left_out: dict[str, Any] = {}
    for section in sections:
        shown = _that_fit(section)
        facts[section.title.lower().replace(" ", "_")] = [element.facts for element in shown]
        lines.append(f"{section.title}:")
        lines += [f"  {element.line}" for element in shown]
        rest = section.elements[len(shown) :]
        if rest:
            names = _named(rest)
            left_out[section.kind] = {"count": len(rest), "names": names}
            lines.append(f"  {_left_out(section, len(rest), names)}")
    if left_out:
        facts["left_out"] = left_out
    if len(found.designs) > 1:
        views = list(found.designs)
        facts["other_views"] = views[1:]
        lines.append(f"What is inside is that of view {views[0]}; other views: {', '.join(views[1:])}.")
    return answered(message, lines, **facts)


def _that_fit(section: _Section) -> list[Described]:
    """The first elements of a section, as many as the limits let in."""
    shown: list[Described] = []
    room = MAX_CHARACTERS
    for element in section.elements[: MAX_DETAILED if section.readable_as else 2 * MAX_DETAILED]:
        described = section.describe(element)
        room -= max(len(described.line), len(str(described.facts)))
        if room < 0:
            break
        shown.append(described)
    return shown


def _named(elements: list[Any]) -> list[str]:
    names: list[str] = []
    room = _MAX_NAMES
    for element in elements[:MAX_NAMED]:
        room -= len(element.name)
        if room < 0:
            break
        names.append(element.name)
    return names


def _left_out(section: _Section, count: int, names: list[str]) -> str:
    said = ", ".join(names) + (f" and {count - len(names)} more" if count > len(names) else "")
    ask = f' Read one with get_element (element_type "{section.readable_as}").' if section.readable_as else ""
    return f"… {count} left out here: {said}.{ask}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_VALUE else f"{text[:MAX_VALUE]}… ({len(text) - MAX_VALUE} more characters)"


def get_element(library: Library, /, *, component: str, element_type: str, name: str) -> CallToolResult:
    """Describe one element and what is attached to it.

    Raises:
        DesignError: ``bad-vlnv``, ``component-not-found`` or ``element-not-found``.
    """
    found = find(library, component)
    wanted = find_element(found, element_type, name)
    described = _describe(library, found, wanted)
    attached = _attached(found, wanted)
    title = wanted.kind.replace("_", " ").capitalize()
    return answered(
        f"{title} {_cut(described.line)}",
        [f"Connections: {', '.join(attached)}"] if attached else (),
        component=str(found.vlnv),
        element_type=wanted.kind,
        element={key: _cut(value) if isinstance(value, str) else value for key, value in described.facts.items()},
        connections=attached,
    )


def _describe(library: Library, component: Component, element: ElementId) -> Described:
    """Describe one element without a look at the others: a design may have ten thousand."""
    kind, name, design = element.kind, element.name, component.design
    if kind.endswith("_port"):
        return _describe_port(component, component.ports[name])
    if kind.endswith("_parameter"):
        return describe_parameter(component.parameters[name])
    if kind == "bus_interface":
        return describe_bus_interface(component.bus_interfaces[name])
    if kind == "subcomponent":
        return describe_instance(library, design.instances[name])
    if kind == "connection":
        return describe_connection(design.connections[name])
    return describe_interconnection(design.interconnections[name])


def _attached(component: Component, element: ElementId) -> list[str]:
    """The connections at one of the component's own ports or at an instance, the first 60."""
    if not element.kind.endswith("_port") and element.kind != "subcomponent":
        return []
    own_port = element.kind != "subcomponent"
    instance, port = ("", element.name) if own_port else (element.name, None)
    found: list[str] = []
    more = 0
    for connection in component.design.connections.values():
        for end in connection.ends:
            if end.instance == instance and port in (None, end.port):
                if len(found) < MAX_NAMED:
                    found.append(_cut(describe_connection(connection).line))
                else:
                    more += 1
                break
    for interconnection in component.design.interconnections.values() if not own_port else ():
        if any(end.instance == instance for end in interconnection.all_ends):
            if len(found) < MAX_NAMED:
                found.append(_cut(describe_interconnection(interconnection).line))
            else:
                more += 1
    return [*found, f"and {more} more"] if more else found


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
