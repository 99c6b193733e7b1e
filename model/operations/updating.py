"""Changing the properties of what exists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from model.change import Change, ElementId
from model.elements import (
    BusInterface,
    Component,
    Connection,
    Instance,
    Interconnection,
    Parameter,
    Port,
    SignalPort,
    StructuredPort,
    TransactionalPort,
)
from model.errors import DesignError, nearest
from model.library import Library
from model.nets import with_connections
from model.operations.arguments import (
    DIRECTIONS,
    INITIATIVES,
    KINDS,
    TYPES,
    Argument,
    choice,
    find,
    numeric,
    text,
)
from model.operations.consequences import check_consequences
from model.operations.deletion import find_element
from model.operations.parameters import check_parameter
from model.operations.ports import bounds_from, checked_default, checked_width
from model.widths import width_text

Described = TypeVar("Described", BusInterface, Instance, Connection, Interconnection)

_PROPERTIES: dict[str, tuple[str, ...]] = {
    "signal_port": ("direction", "width", "left", "right", "default_value", "description"),
    "transactional_port": ("initiative", "kind", "protocol", "bus_width", "description"),
    "parameter": ("value", "type", "minimum", "maximum", "description"),
    "other": ("description",),
}


def update_element(
    current: Library, /, component: str, element_type: str, name: Argument = "", **properties: Argument
) -> tuple[Library, Change]:
    """Change properties of an element; those not given, or None, stay.

    Args:
        element_type: as for delete_element, or ``component`` (whose description can be changed).
        properties: named as the arguments of the tool that adds such an element; "" clears an optional one.

    Raises:
        DesignError: ``element-not-found``, ``unknown-property``, whatever the tool that adds such an element refuses,
            and any rule that a connection or expression would break.
    """
    owner = find(current, component)
    given = {key: value for key, value in properties.items() if value is not None}
    if element_type == "component":
        element = ElementId(owner.vlnv, "component")
        _check_properties(element, given)
        changed = owner.model_copy(update={"description": text(given.get("description"), "description")})
    else:
        element = find_element(owner, element_type, name)
        _check_properties(element, given)
        changed = _updated(owner, element, given)
    if not given or changed == owner:
        return current, Change(f"Nothing changed in {_words(element)}.")
    result = current.put(changed)
    warnings = check_consequences(current, result, owner.vlnv) if set(given) - {"description"} else ()
    listed = ", ".join(f"{key} = {text(value, key) or 'none'}" for key, value in given.items())
    return result, Change(f"Changed {_words(element)}: {listed}.", changed=(element,), warnings=warnings)


def _words(element: ElementId) -> str:
    return f"{element.kind.replace('_', ' ')} {element.name} of {element.component}" if element.name else str(element)


def _check_properties(element: ElementId, given: Mapping[str, Argument]) -> None:
    kind = "parameter" if element.kind.endswith("_parameter") else element.kind
    legal = _PROPERTIES.get(kind, _PROPERTIES["other"])
    for key in given:
        if key not in legal:
            raise DesignError(
                "unknown-property",
                f"A {element.kind.replace('_', ' ')} has no property {key} that can be changed.",
                f"Use {', '.join(legal)}.",
                nearest(key, legal),
            )


def _updated(owner: Component, element: ElementId, given: Mapping[str, Argument]) -> Component:
    name, design = element.name, owner.design
    match element.kind:
        case "signal_port" | "transactional_port" | "structured_port":
            port = _updated_port(owner, owner.ports[name], given)
            return owner.model_copy(update={"ports": owner.ports.set(name, port)})
        case "bus_interface":
            interface = _described(owner.bus_interfaces[name], given)
            return owner.model_copy(update={"bus_interfaces": owner.bus_interfaces.set(name, interface)})
        case "subcomponent":
            instances = design.instances.set(name, _described(design.instances[name], given))
            return owner.with_design(design.model_copy(update={"instances": instances}))
        case "connection":
            connection = _described(design.connections[name], given)
            connections = design.connections.set(name, connection)
            return owner.with_design(with_connections(design, connections))
        case "interconnection":
            interconnections = design.interconnections.set(name, _described(design.interconnections[name], given))
            return owner.with_design(design.model_copy(update={"interconnections": interconnections}))
    parameter = _updated_parameter(owner.parameters[name], given)
    changed = owner.model_copy(update={"parameters": owner.parameters.set(name, parameter)})
    check_parameter(changed, parameter)
    return changed


def _described(value: Described, given: Mapping[str, Argument]) -> Described:
    return value.model_copy(update={"description": text(given.get("description"), "description")})


def _updated_port(owner: Component, port: Port, given: Mapping[str, Argument]) -> Port:
    new: dict[str, object] = {}
    if "description" in given:
        new["description"] = text(given["description"], "description")
    if isinstance(port, TransactionalPort):
        if "initiative" in given:
            new["initiative"] = choice(given["initiative"], "initiative", INITIATIVES)
        if "kind" in given:
            new["kind"] = choice(given["kind"], "kind", KINDS, "tlm_socket")
            new["custom_kind"] = port.custom_kind if new["kind"] == "custom" else ""
        if "protocol" in given:
            new["protocol"] = text(given["protocol"], "protocol").strip()
        if "bus_width" in given:
            new["bus_width"] = checked_width(owner, given["bus_width"], "bus_width")
        return port.model_copy(update=new)
    if isinstance(port, StructuredPort):
        return port.model_copy(update=new)
    if "direction" in given:
        new["direction"] = choice(given["direction"], "direction", DIRECTIONS)
    if given.keys() & {"width", "left", "right"}:
        new["left"], new["right"] = _updated_bounds(owner, port, given)
    if given.keys() & {"direction", "default_value"}:
        direction = str(new.get("direction", port.direction))
        default = given.get("default_value", port.default_value)
        new["default_value"] = checked_default(owner, port.name, direction, default)
    return port.model_copy(update=new)


def _updated_bounds(owner: Component, port: SignalPort, given: Mapping[str, Argument]) -> tuple[str, str]:
    if port.vectors and not (text(given.get("left"), "left") and text(given.get("right"), "right")):
        raise DesignError(
            "more-dimensions",
            f"Port {port.name} has the dimensions {width_text(port)}, so one width does not say what it is.",
            "Give left and right: those of the outermost vector.",
        )
    if not (text(given.get("left"), "left") or text(given.get("right"), "right")):
        return bounds_from(owner, given.get("width", ""), "", "")
    return bounds_from(owner, given.get("width", ""), given.get("left", port.left), given.get("right", port.right))


def _updated_parameter(parameter: Parameter, given: Mapping[str, Argument]) -> Parameter:
    new: dict[str, object] = {}
    if "value" in given:
        new["value"] = text(given["value"], "value", required=True)
    if "type" in given:
        new["type"] = choice(given["type"], "type", TYPES, "string")
    for bound in ("minimum", "maximum"):
        if bound in given:
            new[bound] = numeric(given[bound], bound)
    if "description" in given:
        new["description"] = text(given["description"], "description")
    return parameter.model_copy(update=new)
