"""The pins of a block: which ports show, on which side, in which order, and what folds away. No Qt."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from desktop.canvas.diagram import Caption, More, Pin, PinRef, Row, Shape, Side, Stand, Tone
from model.change import ElementId
from model.elements import BusInterface, Component, Port, SignalPort, StructuredPort, TransactionalPort

FOLD_ABOVE = 24  # an instance with more pins than this shows the connected ones first
SHOWN_ON_A_SIDE = 6  # connected or not; of the connected ones more where there are more
_SIDES: tuple[Side, Side] = ("W", "E")

_CLOCK = re.compile(r"(^|[_.\-])([ans]?(clk|clock|rst|reset))\w{0,2}($|[_.\-])|(clk|clock|reset)(_?[nb])?$", re.I)
_EAST_MODES = {"initiator", "mirroredTarget"}
_NEUTRAL_MODES = {"system", "mirroredSystem", "monitor"}
_MODE_SHAPES: dict[str, Shape] = {
    "initiator": "initiator",
    "mirroredInitiator": "initiator",
    "target": "target",
    "mirroredTarget": "target",
    "monitor": "target",
    "system": "system",
    "mirroredSystem": "system",
}

WidthText = Callable[[SignalPort], str]


def is_clock_name(name: str) -> bool:
    """Whether a port or bus of this name is a clock or a reset by the field's habits."""
    return _CLOCK.search(name) is not None


def port_side(port: Port) -> Side:
    """Inputs left, outputs right; what goes both ways stands right and carries a mark of its own."""
    if isinstance(port, TransactionalPort):
        return "W" if port.initiative == "provides" else "E"
    return "W" if port.direction == "in" else "E"


@dataclass(frozen=True, slots=True)
class Faces:
    """What the pins of all uses of a component have in common; only its instance is left out of each pin.

    Attributes:
        interfaces, ports: pins by name, in file order, connected to nothing.
        mapped: the ports behind each bus interface.
    """

    interfaces: Mapping[str, Pin]
    ports: Mapping[str, Pin]
    mapped: Mapping[str, list[str]]

    @classmethod
    def of(cls, component: Component, width: WidthText) -> Faces:
        """The faces of a component whose ports have the given widths."""
        return cls(
            {interface.name: _interface_pin(component, interface) for interface in component.bus_interfaces.values()},
            {
                port.name: _port_pin(component, port, width(port) if isinstance(port, SignalPort) else "")
                for port in component.ports.values()
            },
            mapped_ports(component),
        )


def _port_pin(component: Component, port: Port, width: str) -> Pin:
    """The pin of a signal or transactional port."""
    ref = PinRef("", port.name)
    if isinstance(port, TransactionalPort):
        element = ElementId(component.vlnv, "transactional_port", port.name)
        tip = ", ".join(part for part in (port.initiative, port.kind, port.protocol) if part)
        return Pin(ref, port.name, port.initiative, port_side(port), "interface", "", element, tip=tip)
    if isinstance(port, StructuredPort):
        element = ElementId(component.vlnv, "structured_port", port.name)
        tip = " ".join(filter(None, (port.form, port.type_name)))
        return Pin(ref, port.name, port.direction, port_side(port), "interface", "", element, tip=tip)
    element = ElementId(component.vlnv, "signal_port", port.name)
    tone: Tone = "bus" if width else "clock" if is_clock_name(port.name) else "wire"
    tip = " ".join(part for part in (port.direction, width or "1 bit", port.description) if part)
    return Pin(ref, port.name, port.direction, port_side(port), tone, width, element, tip=tip)


def _interface_pin(component: Component, interface: BusInterface) -> Pin:
    """The pin of a bus interface: initiators right, targets left, mirrored ones the other way round."""
    clock = is_clock_name(interface.name) or is_clock_name(interface.bus_type.name)
    return Pin(
        ref=PinRef("", interface.name, True),
        label=interface.name,
        shape=_MODE_SHAPES[interface.mode],
        side=interface_side(component, interface),
        tone="clock" if clock else "interface",
        element=ElementId(component.vlnv, "bus_interface", interface.name),
        tip=f"{interface.mode}, {interface.bus_type}",
        bus=interface.bus_type.name,
    )


def interface_side(component: Component, interface: BusInterface) -> Side:
    """Initiators right, targets left, mirrored ones the other way round.

    The mode of a system interface does not tell: it stands right where most of its ports are outputs.
    """
    if interface.mode not in _NEUTRAL_MODES:
        return "E" if interface.mode in _EAST_MODES else "W"
    directions = [getattr(component.ports.get(row.physical), "direction", "") for row in interface.port_maps]
    return "E" if directions.count("out") > directions.count("in") else "W"


def mapped_ports(component: Component) -> dict[str, list[str]]:
    """The physical ports of each bus interface, each port under the first interface that maps it."""
    seen: set[str] = set()
    mapped: dict[str, list[str]] = {}
    for interface in component.bus_interfaces.values():
        own = [row.physical for row in interface.port_maps if row.physical not in seen]
        mapped[interface.name] = list(dict.fromkeys(own))
        seen.update(own)
    return mapped


def component_pins(
    faces: Faces,
    instance: str,
    connected: Collection[PinRef],
    ties: Mapping[PinRef, str],
    *,
    fold_mapped: bool = True,
) -> list[Pin]:
    """All pins of one use of a component: interfaces first, then ports, each in file order.

    Ports that an interface maps are left out where nothing is connected to them one by one: the interface stands for
    them.
    """
    pins: list[Pin] = []
    folded_names: set[str] = set()
    for name, face in faces.interfaces.items():
        ref = PinRef(instance, name, True)
        folded = [
            port for port in faces.mapped[name] if port in faces.ports and PinRef(instance, port) not in connected
        ]
        pins.append(face._replace(ref=ref, connected=ref in connected, folded=len(folded)))
        if fold_mapped:
            folded_names.update(folded)
    for name, face in faces.ports.items():
        if name not in folded_names:
            ref = PinRef(instance, name)
            # Field by field: a large design has a hundred thousand pins, and `_replace` takes twice the time.
            pins.append(Pin(ref, *face[1:7], ref in connected, 0, ties.get(ref, ""), face.tip))
    return pins


def unknown_pins(refs: Iterable[PinRef], sides: Mapping[PinRef, Side]) -> list[Pin]:
    """Pins that a connection names and the component lacks (or that is missing as a whole)."""
    return [
        Pin(ref, ref.name, "target" if ref.interface else "phantom", sides.get(ref, "W"), connected=True, tip="missing")
        for ref in refs
    ]


def standing(pins: list[Pin], stands: Mapping[PinRef, Stand]) -> list[Pin]:
    """The pins as the design's own file has them: at its sides and in its order, those that it does not have last."""
    if not any(pin.ref in stands for pin in pins):
        return pins
    placed = [pin._replace(turned=pin.ref in stands and stands[pin.ref].side != pin.side) for pin in pins]
    return sorted(placed, key=lambda pin: stands[pin.ref].y if pin.ref in stands else math.inf)


def folded_rows(pins: list[Pin], *, expanded: bool) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Split pins by side; with very many, the connected ones first and the rest behind a "more" row."""
    if len(pins) <= FOLD_ABOVE:
        return _side(pins, "W"), _side(pins, "E")
    if expanded:
        west, east = _side(pins, "W"), _side(pins, "E")
        return ((*west, More(0)), east) if len(west) >= len(east) else (west, (*east, More(0)))
    used = [pin for pin in pins if pin.connected or pin.ref.interface or pin.tie]
    spare = [pin for pin in pins if not (pin.connected or pin.ref.interface or pin.tie)]
    west, east = (_folded_side(used, spare, side) for side in _SIDES)
    return west, east


def grouped_rows(component: Component, pins: list[Pin]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Split the pins of a symbol by side, the ports of each bus interface under a heading."""
    group_of = {port: interface for interface, ports in mapped_ports(component).items() for port in ports}
    sides: dict[Side, tuple[Row, ...]] = {}
    for side in _SIDES:
        rows: list[Row] = [pin for pin in pins if pin.side == side and pin.ref.interface]
        mine = [pin for pin in pins if pin.side == side and not pin.ref.interface]
        rows.extend(pin for pin in mine if pin.ref.name not in group_of)
        for interface in component.bus_interfaces:
            members = [pin for pin in mine if group_of.get(pin.ref.name) == interface]
            if members:
                rows.extend((Caption(interface), *members))
        sides[side] = tuple(rows)
    return sides["W"], sides["E"]


def _folded_side(used: list[Pin], spare: list[Pin], side: Side) -> tuple[Row, ...]:
    shown, rest = _side(used, side), _side(spare, side)
    room = max(SHOWN_ON_A_SIDE - len(shown), 0)
    if len(rest) <= room + 1:  # a row that stands for one pin saves nothing
        return shown + rest
    return (*shown, *rest[:room], More(len(rest) - room))


def _side(pins: list[Pin], side: Side) -> tuple[Row, ...]:
    return tuple(pin for pin in pins if pin.stands == side)
