"""Elements for new values, in the shape that each version of the standard wants."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from model.elements import (
    BusInterface,
    Connection,
    Dimension,
    Endpoint,
    Instance,
    Interconnection,
    InterfaceEnd,
    Parameter,
    Payload,
    Port,
    PortMap,
    SignalPort,
    StructuredPort,
    TransactionalPort,
)
from model.errors import DesignError
from model.ipxact.document import Standard
from model.ipxact.markup import Element
from model.ipxact.scaled import is_scaled, scaled
from model.vlnv import Vlnv

Encode = Callable[[str], str]
"""Replaces parameter names in an expression by what the file calls them."""

_SPIRIT_FORMATS = {
    "bit": "bitString",
    "byte": "long",
    "shortint": "long",
    "int": "long",
    "longint": "long",
    "shortreal": "float",
    "real": "float",
    "string": "string",
}
_OLD_MODES = {
    "initiator": "master",
    "target": "slave",
    "mirroredInitiator": "mirroredMaster",
    "mirroredTarget": "mirroredSlave",
}
_SPIRIT: tuple[Standard, ...] = ("1.4", "1.5", "2009")


def is_spirit(standard: Standard) -> bool:
    """Whether the version is older than IEEE 1685-2014."""
    return standard in _SPIRIT


def named(name: str, description: str) -> tuple[Element, ...]:
    """The name and, where there is one, the description."""
    return (Element("name", name), *described(description))


def described(description: str) -> tuple[Element, ...]:
    """The description where there is one."""
    return (Element("description", description),) if description else ()


def vlnv_attributes(vlnv: Vlnv) -> tuple[tuple[str, str], ...]:
    """A reference's attributes."""
    return (("vendor", vlnv.vendor), ("library", vlnv.library), ("name", vlnv.name), ("version", vlnv.version))


def number(value: str, standard: Standard) -> str:
    """Let a bound pass that the version can hold: before 2014 bounds are numbers, not expressions.

    Raises:
        DesignError: ``version-cannot-hold``.
    """
    if is_spirit(standard) and not re.fullmatch(r"[+-]?\d+", value):
        raise cannot_hold(f"the expression {value}", standard)
    return value


def constant(value: str, standard: Standard) -> str:
    """A default or tied value as the version can hold it: before 2014 a number, written in its own way.

    Raises:
        DesignError: ``version-cannot-hold``.
    """
    if not is_spirit(standard):
        return value
    written = scaled(value)
    if not is_scaled(written):
        raise cannot_hold(f"the expression {value}", standard)
    return written


def cannot_hold(what: str, standard: Standard) -> DesignError:
    """The refusal to write something that a version of the standard has no place for."""
    return DesignError(
        "version-cannot-hold",
        f"The file is IP-XACT {standard}, which cannot hold {what}.",
        "Save under a new path: that writes IP-XACT 2022.",
    )


def bounds(left: str, right: str, standard: Standard, encode: Encode) -> tuple[Element, Element]:
    """Two bounds as elements."""
    return Element("left", encode(number(left, standard))), Element("right", encode(number(right, standard)))


def vectors(found: Sequence[Dimension], standard: Standard, encode: Encode) -> Element:
    """The vectors of a port, with the element around them.

    Raises:
        DesignError: ``version-cannot-hold``: several before 2014.
    """
    inner = tuple(Element("vector", bounds(each.left, each.right, standard, encode)) for each in found)
    if not is_spirit(standard):
        return Element("vectors", inner)
    if len(inner) > 1:
        raise cannot_hold("a port of several dimensions", standard)
    return inner[0]


def packed(value: SignalPort) -> tuple[Dimension, ...]:
    """All vectors of a signal port, the outermost first."""
    return (Dimension(left=value.left, right=value.right), *value.vectors) if value.left else ()


def arrays(found: Sequence[Dimension], standard: Standard, encode: Encode) -> tuple[Element, ...]:
    """The dimensions of an array, with the element around them; nothing where there are none.

    Raises:
        DesignError: ``version-cannot-hold``.
    """
    if not found:
        return ()
    if is_spirit(standard):
        raise cannot_hold("an array", standard)
    inner = tuple(Element("array", bounds(each.left, each.right, standard, encode)) for each in found)
    return (Element("arrays", inner),)


def driver(value: str, standard: Standard, encode: Encode) -> Element:
    """The default value of a wire port, with the elements around it."""
    inner = Element("driver", (Element("defaultValue", encode(constant(value, standard))),))
    return inner if is_spirit(standard) else Element("drivers", (inner,))


def port(value: Port, standard: Standard, encode: Encode) -> Element:
    """A port."""
    return Element("port", (*named(value.name, value.description), *_port_body(value, standard, encode)))


def _port_body(value: Port, standard: Standard, encode: Encode) -> tuple[Element, ...]:
    if isinstance(value, SignalPort):
        body = wire(value, standard, encode)
    elif isinstance(value, TransactionalPort):
        body = transactional(value, standard, encode)
    else:
        body = structured(value, standard, encode)
    return (body, *arrays(value.arrays, standard, encode))


def structured(value: StructuredPort, standard: Standard, encode: Encode) -> Element:
    """The part of a structured port that says what it is.

    Raises:
        DesignError: ``version-cannot-hold`` before 2022.
    """
    if standard != "2022":
        raise cannot_hold("a structured port", standard)
    direction = (("direction", value.direction),) if value.form != "interface" else ()
    parts = [Element(value.form, (), direction)]
    if value.vectors:
        parts.append(vectors(value.vectors, standard, encode))
    if value.sub_ports:
        parts.append(
            Element(
                "subPorts",
                tuple(
                    Element("subPort", (*named(each.name, each.description), *_port_body(each, standard, encode)))
                    for each in value.sub_ports.values()
                ),
            )
        )
    type_name = value.type_name or f"{value.name}_t"  # the schema wants one
    parts.append(Element("structPortTypeDefs", (Element("structPortTypeDef", (Element("typeName", type_name),)),)))
    return Element("structured", tuple(parts))


def wire(value: SignalPort, standard: Standard, encode: Encode) -> Element:
    """The part of a wire port that says what it is."""
    parts = [Element("direction", value.direction)]
    if value.left:
        parts.append(vectors(packed(value), standard, encode))
    if value.default_value:
        parts.append(driver(value.default_value, standard, encode))
    return Element("wire", tuple(parts))


def transactional(value: TransactionalPort, standard: Standard, encode: Encode) -> Element:
    """The part of a transactional port that says what it is."""
    if is_spirit(standard):
        raise cannot_hold("the kind and protocol of a transactional port", standard)
    parts = [Element("initiative", value.initiative)]
    if value.kind:
        custom = (("custom", value.custom_kind),) if value.kind == "custom" and value.custom_kind else ()
        parts.append(Element("kind", value.kind, custom))
    if value.bus_width:
        parts.append(Element("busWidth", encode(value.bus_width)))
    if value.protocol:
        parts.append(Element("protocol", (protocol_type(value.protocol), *_payload(value.payload))))
    limits = (("maxConnections", value.most), ("minConnections", value.least))
    stated = tuple(Element(name, encode(text)) for name, text in limits if text)
    if stated:
        parts.append(Element("connection", stated))
    return Element("transactional", tuple(parts))


def _payload(value: Payload | None) -> tuple[Element, ...]:
    if value is None:
        return ()
    fields = (("name", value.name), ("type", value.type), ("extension", value.extension))
    return (Element("payload", tuple(Element(name, text) for name, text in fields if text)),)


def protocol_type(protocol: str) -> Element:
    """The protocol of a transactional port: tlm, or another by its name."""
    if protocol == "tlm":
        return Element("protocolType", "tlm")
    return Element("protocolType", "custom", (("custom", protocol),) if protocol != "custom" else ())


def parameter(value: Parameter, parameter_id: str, standard: Standard, encode: Encode) -> Element:
    """A parameter; before 2014 its attributes stand on the value."""
    spirit = is_spirit(standard)
    attributes = [("id" if spirit else "parameterId", parameter_id)] if parameter_id else []
    if value.kind != "immediate":
        attributes.append(("resolve", value.kind))
    if value.type != "string":
        attributes.append(("format", _SPIRIT_FORMATS[value.type]) if spirit else ("type", value.type))
    if spirit and value.type == "bit":
        attributes.append(("bitStringLength", _bit_length(value, standard)))
    for name in ("minimum", "maximum"):
        bound = getattr(value, name)
        if bound:
            attributes.append((name, parameter_text(value, bound, standard, encode)))
    if value.sign and not spirit:
        attributes.append(("sign", value.sign))
    text = parameter_text(value, value.value, standard, encode)
    inner = Element("value", text, tuple(attributes) if spirit else ())
    shape = (
        *((vectors(value.vectors, standard, encode),) if value.vectors and not spirit else ()),
        *arrays(value.arrays, standard, encode),
    )
    content = (*named(value.name, value.description), *shape, inner)
    return Element("parameter", content, () if spirit else tuple(attributes))


def parameter_text(value: Parameter, text: str, standard: Standard, encode: Encode) -> str:
    """The value or a bound of a parameter; before 2014 numbers are written in their own way."""
    if is_spirit(standard) and value.type != "string":
        text = scaled(text, bits=value.type == "bit")
    return encode(text)


def _bit_length(value: Parameter, standard: Standard) -> str:
    if not value.vectors:
        return "1"
    if len(value.vectors) == 1 and value.vectors[0].left.isdecimal() and value.vectors[0].right.isdecimal():
        return str(abs(int(value.vectors[0].left) - int(value.vectors[0].right)) + 1)
    raise cannot_hold(f"the dimensions of the parameter {value.name}", standard)


def parameter_format(type_name: str, standard: Standard) -> tuple[str, str]:
    """The attribute that states a parameter's type, and its value."""
    return ("format", _SPIRIT_FORMATS[type_name]) if is_spirit(standard) else ("type", type_name)


def mode(value: str, standard: Standard) -> str:
    """What the version calls the mode of a bus interface."""
    return value if standard == "2022" else _OLD_MODES.get(value, value)


def bus_interface(value: BusInterface, standard: Standard, encode: Encode) -> Element:
    """A bus interface."""
    old = standard != "2022"
    monitored = (("interfaceMode", "master" if old else "initiator"),) if value.mode == "monitor" else ()
    # The value does not hold the group of a system interface, which the schema wants.
    group = (Element("group", "system"),) if value.mode in ("system", "mirroredSystem") else ()
    mode_element = Element(mode(value.mode, standard), group, monitored)
    maps = port_maps(value, value.port_maps, standard, encode)
    body = (mode_element, *maps) if is_spirit(standard) else (*maps, mode_element)
    bus_type = Element("busType", (), vlnv_attributes(value.bus_type))
    return Element("busInterface", (*named(value.name, value.description), bus_type, *body))


def port_maps(
    interface: BusInterface, rows: tuple[PortMap, ...], standard: Standard, encode: Encode
) -> tuple[Element, ...]:
    """The port maps of a bus interface that has none yet, with the elements around them."""
    if not rows:
        return ()
    maps = Element("portMaps", tuple(port_map(row, standard, encode) for row in rows))
    if is_spirit(standard):
        return (maps,)
    # The value holds no abstraction; most libraries name the signal-level one so.
    bus = interface.bus_type
    abstraction = Vlnv(bus.vendor, bus.library, f"{bus.name}_rtl", bus.version)
    reference = Element("abstractionRef", (), vlnv_attributes(abstraction))
    return (Element("abstractionTypes", (Element("abstractionType", (reference, maps)),)),)


def port_map(row: PortMap, standard: Standard, encode: Encode) -> Element:
    """One row of a bus interface.

    Raises:
        DesignError: ``version-cannot-hold``: a tied off logical port before 2014.
    """
    spirit = is_spirit(standard)
    logical, physical = [Element("name", row.logical)], [Element("name", row.physical)]
    if row.logical_left:
        pair = bounds(row.logical_left, row.logical_right, standard, encode)
        logical.append(Element("vector" if spirit else "range", pair))
    if row.left:
        pair = bounds(row.left, row.right, standard, encode)
        physical.append(Element("vector", pair) if spirit else Element("partSelect", (Element("range", pair),)))
    other = Element("physicalPort", tuple(physical))
    if not row.physical:
        if spirit:
            raise cannot_hold("a logical port that is tied off", standard)
        other = Element("logicalTieOff", encode(row.tie_off))
    return Element("portMap", (Element("logicalPort", tuple(logical)), other))


def instance(value: Instance, ids: Mapping[str, str], standard: Standard, encode: Encode) -> Element:
    """A component instance with its overrides; ``ids`` are the parameterIds of its component by name."""
    overrides = tuple(configured(ids.get(name, name), encode(text)) for name, text in value.parameters.items())
    container = (Element("configurableElementValues", overrides),) if overrides else ()
    attributes = vlnv_attributes(value.component)
    if is_spirit(standard):
        target = (Element("componentRef", (), attributes), *container)
    else:
        target = (Element("componentRef", container, attributes),)
    return Element("componentInstance", (Element("instanceName", value.name), *described(value.description), *target))


def configured(reference_id: str, value: str) -> Element:
    """An override of a parameter."""
    return Element("configurableElementValue", value, (("referenceId", reference_id),))


def connection(value: Connection, standard: Standard, encode: Encode) -> Element:
    """An ad-hoc connection; the schema wants the ends at instances first."""
    ends = tuple(end(each, standard, encode) for each in sorted(value.ends, key=lambda each: not each.instance))
    head = named(value.name, value.description)
    if is_spirit(standard):
        tied = (("tiedValue", constant(value.tied_value, standard)),) if value.tied_value else ()
        return Element("adHocConnection", (*head, *ends), tied)
    tie = (Element("tiedValue", encode(value.tied_value)),) if value.tied_value else ()
    return Element("adHocConnection", (*head, *tie, Element("portReferences", ends)))


def end(value: Endpoint, standard: Standard, encode: Encode) -> Element:
    """One end of an ad-hoc connection."""
    attributes = [(instance_attribute(standard), value.instance)] if value.instance else []
    attributes.append(("portRef", value.port))
    name = "internalPortReference" if value.instance else "externalPortReference"
    if is_spirit(standard):
        if value.path:
            raise cannot_hold("a way into a port of several dimensions", standard)
        if value.left:
            attributes += [("left", number(value.left, standard)), ("right", number(value.right, standard))]
        return Element(name, (), tuple(attributes))
    return Element(name, way(value, standard, encode), tuple(attributes))


def way(value: Endpoint, standard: Standard, encode: Encode) -> tuple[Element, ...]:
    """What stands in a port reference: sub-ports, indices, the range of a slice.

    Raises:
        DesignError: ``version-cannot-hold``: sub-ports before 2022.
    """
    places: list[tuple[str, list[str]]] = [("", [])]
    for step in value.path:
        if step.startswith("."):
            places.append((step[1:], []))
        else:
            places[-1][1].append(step)
    if len(places) > 1 and standard != "2022":
        raise cannot_hold("a way into a structured port", standard)
    selects: list[tuple[Element, ...]] = []
    for at, (_name, indices) in enumerate(places):
        parts = [Element("indices", tuple(Element("index", encode(each)) for each in indices))] if indices else []
        if value.left and at == len(places) - 1:
            parts.append(Element("range", bounds(value.left, value.right or value.left, standard, encode)))
        selects.append((Element("partSelect", tuple(parts)),) if parts else ())
    subs = (
        Element("subPortReference", select, (("subPortRef", name),))
        for (name, _indices), select in zip(places[1:], selects[1:], strict=True)
    )
    return (*subs, *selects[0])


def instance_attribute(standard: Standard) -> str:
    """How a reference names its instance."""
    return "componentInstanceRef" if standard == "2022" else "componentRef"


def interconnection(value: Interconnection, standard: Standard) -> Element:
    """A connection of bus interfaces; the schema wants the ends at instances first."""
    if value.monitored is not None:
        active = _monitor_end("monitoredActiveInterface", value.monitored, standard)
        watching = tuple(_monitor_end("monitorInterface", each, standard) for each in value.ends)
        return Element("monitorInterconnection", (*named(value.name, value.description), active, *watching))
    if is_spirit(standard) and any(not each.instance for each in value.ends):
        raise cannot_hold("an interconnection that leads to the component's own interface", standard)
    ends = tuple(interface_end(each, standard) for each in sorted(value.ends, key=lambda each: not each.instance))
    return Element("interconnection", (*named(value.name, value.description), *ends))


def _monitor_end(name: str, value: InterfaceEnd, standard: Standard) -> Element:
    return Element(name, (), ((instance_attribute(standard), value.instance), ("busRef", value.interface)))


def interface_end(value: InterfaceEnd, standard: Standard) -> Element:
    """One end of an interconnection."""
    if not value.instance:
        return Element("hierInterface", (), (("busRef", value.interface),))
    return Element("activeInterface", (), ((instance_attribute(standard), value.instance), ("busRef", value.interface)))
