"""Elements of a design as facts for programs and as single lines for people and small models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from model.elements import (
    BusInterface,
    Component,
    Connection,
    Instance,
    Interconnection,
    Parameter,
    SignalPort,
    StructuredPort,
    TransactionalPort,
)
from model.library import Library
from model.widths import port_width, width_label, width_text

_MAX_MAPS = 60


@dataclass(frozen=True, slots=True)
class Described:
    """One element: its facts, empty ones left out, and the same as a line."""

    name: str
    facts: dict[str, Any]
    line: str


def _described(name: str, line: str, **facts: Any) -> Described:
    return Described(
        name, {"name": name} | {key: value for key, value in facts.items() if value not in ("", None)}, line
    )


def _remark(description: str) -> str:
    one_line = " ".join(description.split())
    if not one_line:
        return ""
    return f' "{one_line if len(one_line) <= 80 else one_line[:79] + "…"}"'


def describe_signal_port(component: Component, port: SignalPort) -> Described:
    """A signal port with its direction and width; an expression is followed by its present value."""
    width, bits = width_text(port), port_width(component, port)
    size = width_label(port)
    if bits is not None and not width.isdecimal():
        size = f"{size.removesuffix(' bits')} = {bits} bits"
    default = f", default {port.default_value}" if port.default_value else ""
    return _described(
        port.name,
        f"{port.name}: {port.direction}, {size}{default}{_remark(port.description)}",
        direction=port.direction,
        width=width,
        bits=bits,
        left=port.left,
        right=port.right,
        default_value=port.default_value,
        description=port.description,
    )


def describe_transactional_port(port: TransactionalPort) -> Described:
    """A transactional port with its initiative and kind."""
    parts: list[str] = [port.initiative, f"{port.kind} {port.custom_kind}".strip()]
    parts += [f"protocol {port.protocol}"] if port.protocol else []
    parts += [f"{port.bus_width} bits"] if port.bus_width else []
    parts += [f"payload {port.payload}"] if port.payload else []
    parts += [f"{port.least or '1'} to {port.most or 'any number of'} connections"] if port.least or port.most else []
    parts += [f"array {''.join(map(str, port.arrays))}"] if port.arrays else []
    return _described(
        port.name,
        f"{port.name}: {', '.join(part for part in parts if part)}{_remark(port.description)}",
        initiative=port.initiative,
        kind=port.kind,
        custom_kind=port.custom_kind,
        payload=str(port.payload or ""),
        min_connections=port.least,
        max_connections=port.most,
        dimensions="".join(map(str, port.arrays)),
        protocol=port.protocol,
        bus_width=port.bus_width,
        description=port.description,
    )


def describe_structured_port(port: StructuredPort) -> Described:
    """A structured port with its form and the ports inside."""
    inside = [
        f"{each.name}: {each.direction}, {width_label(each)}"
        if isinstance(each, SignalPort)
        else f"{each.name}: {each.form}"
        for each in port.sub_ports.values()
    ]
    what = " ".join(filter(None, (port.form, port.type_name)))
    direction = port.direction if port.form != "interface" else ""
    listed = f" ({'; '.join(inside[:_MAX_MAPS])})" if inside else ""
    return _described(
        port.name,
        f"{port.name}: {', '.join(filter(None, (direction, what)))}{listed}{_remark(port.description)}",
        form=port.form,
        direction=direction,
        type_name=port.type_name,
        sub_ports=inside or None,
        description=port.description,
    )


def describe_parameter(parameter: Parameter) -> Described:
    """A parameter with its value, type and range."""
    bounds = ""
    if parameter.minimum or parameter.maximum:
        bounds = f", {parameter.minimum or '…'} to {parameter.maximum or '…'}"
    return _described(
        parameter.name,
        f"{parameter.name} = {parameter.value} ({parameter.type}{bounds}){_remark(parameter.description)}",
        value=parameter.value,
        type=parameter.type,
        minimum=parameter.minimum,
        maximum=parameter.maximum,
        description=parameter.description,
    )


def describe_bus_interface(interface: BusInterface) -> Described:
    """A bus interface with its mode, its bus and the ports that it maps (the first 60)."""
    maps = [str(row) for row in interface.port_maps[:_MAX_MAPS]]
    more = len(interface.port_maps) - len(maps)
    listed = ", ".join(maps) + (f" and {more} more" if more else "")
    return _described(
        interface.name,
        f"{interface.name}: {interface.mode} of {interface.bus_type}" + (f" ({listed})" if listed else ""),
        mode=interface.mode,
        bus_type=str(interface.bus_type),
        port_maps=maps,
        port_maps_left_out=more or None,
        description=interface.description,
    )


def describe_instance(library: Library, instance: Instance) -> Described:
    """A subcomponent with what it instantiates, its parameter overrides and whether that is missing."""
    missing = instance.component not in library
    overrides = dict(instance.parameters.items())
    values = ", ".join(f"{name}={value}" for name, value in overrides.items())
    return _described(
        instance.name,
        f"{instance.name}: {instance.component}"
        + (f" ({values})" if values else "")
        + (" MISSING from the library" if missing else "")
        + _remark(instance.description),
        component=str(instance.component),
        parameters=overrides or None,
        missing=missing or None,
        description=instance.description,
    )


def describe_connection(connection: Connection) -> Described:
    """An ad-hoc connection with its ends, source first, or its tie-off."""
    ends = [str(end) for end in connection.ends]
    joined = " -> ".join(ends) if len(ends) == 2 else " - ".join(ends)
    tied = f" tied to {connection.tied_value}" if connection.tied_value else ""
    return _described(
        connection.name,
        f"{connection.name}: {joined}{tied}{_remark(connection.description)}",
        ends=ends,
        tied_value=connection.tied_value,
        description=connection.description,
    )


def describe_interconnection(interconnection: Interconnection) -> Described:
    """A connection of bus interfaces with its ends."""
    ends = [str(end) for end in interconnection.ends]
    watched = "" if interconnection.monitored is None else str(interconnection.monitored)
    joined = f"{', '.join(ends)} monitor {watched}" if watched else " - ".join(ends)
    return _described(
        interconnection.name,
        f"{interconnection.name}: {joined}{_remark(interconnection.description)}",
        ends=ends,
        monitored=watched,
        description=interconnection.description,
    )
