"""What the picture of a component shows: blocks with pins, and the nets that join them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from model.elements import BusInterface, Component, Instance, Port, SignalPort, StructuredPort, TransactionalPort
from model.library import Library
from model.nets import nets_of
from model.operations.roles import role_of
from model.widths import width_text

Side = Literal["left", "right"]
PinKey = tuple[str, str]
"""Instance ("" for the component itself) and port; an interface's name is preceded by ``=``."""

MAX_BLOCKS = 80
MAX_PINS = 24
"""How many pins a block shows on one side; those that are joined come first."""

_INITIATING = ("initiator", "mirroredTarget", "system")


@dataclass(slots=True)
class Pin:
    """A port on a block.

    Attributes:
        label: what is written beside it.
        y: from the top of the block.
        is_bus: more than one bit, or an interface.
    """

    key: PinKey
    label: str
    side: Side
    kind: Literal["signal", "transactional", "interface"] = "signal"
    is_bus: bool = False
    y: float = 0.0


@dataclass(slots=True)
class Block:
    """An instance, one of the component's own ports, or the component itself where it has no inside."""

    name: str
    subtitle: str = ""
    style: Literal["instance", "missing", "port", "self"] = "instance"
    pins: list[Pin] = field(default_factory=list)
    hidden: int = 0

    def on(self, side: Side) -> list[Pin]:
        """Its pins on one side, from above."""
        return [pin for pin in self.pins if pin.side == side]


@dataclass(slots=True)
class Net:
    """Pins that are joined.

    Attributes:
        driver: the pin that drives them, or the first.
        tied: the value that they are tied to, or "".
    """

    name: str
    pins: list[PinKey]
    driver: PinKey
    is_bus: bool = False
    is_interface: bool = False
    is_clock: bool = False
    tied: str = ""


@dataclass(slots=True)
class Picture:
    """Everything to be drawn.

    Attributes:
        left_out: how many instances are not in it.
    """

    blocks: list[Block]
    nets: list[Net]
    left_out: int = 0


def picture_of(library: Library, component: Component) -> Picture:
    """Return the inside of a component, or the component as one block where it has none."""
    design = component.design
    if not design.instances:
        return Picture([_self_block(component)], [])
    shown = design.instances.values()[:MAX_BLOCKS]
    names = {instance.name for instance in shown}
    nets = _nets(library, component, names)
    joined = {key for net in nets for key in net.pins}
    own = [("", name) for name in component.ports] + [("", f"={name}") for name in component.bus_interfaces]
    blocks = [_own_block(component, key) for key in own if key in joined]
    blocks += [_instance_block(library, instance, joined) for instance in shown]
    return Picture(blocks, nets, len(design.instances) - len(shown))


def _nets(library: Library, component: Component, shown: set[str]) -> list[Net]:
    nets: list[Net] = []
    tied = {name: wire.tied_value for name, wire in component.design.connections.items() if wire.tied_value}
    for net in nets_of(library, component):
        pins = list(dict.fromkeys((end.instance, end.port) for end in net.ends))
        pins = [pin for pin in pins if _exists(library, component, pin) and (not pin[0] or pin[0] in shown)]
        if not pins:
            continue
        drivers = [(end.instance, end.port) for end in net.drivers if (end.instance, end.port) in pins]
        values = [tied[name] for name in net.connections if name in tied]
        driver = (drivers or pins)[0]
        clock = any(role_of(port) == "clock" for pin in pins if (port := _port(library, component, pin)))
        is_bus = net.width is not None and net.width > 1
        nets.append(Net(net.name, pins, driver, is_bus, is_clock=clock, tied=values[0] if values else ""))
    for joint in component.design.interconnections.values():
        pins = [(end.instance, f"={end.interface}") for end in joint.ends if not end.instance or end.instance in shown]
        pins = [pin for pin in pins if _exists(library, component, pin)]
        if pins:
            first = next((pin for pin in pins if _side_of(library, component, pin) == "right"), pins[0])
            nets.append(Net(joint.name, pins, first, is_bus=True, is_interface=True))
    return nets


def _owner(library: Library, component: Component, instance: str) -> Component | None:
    if not instance:
        return component
    used = component.design.instances.get(instance)
    return library.find(used.component) if used else None


def _port(library: Library, component: Component, key: PinKey) -> Port | None:
    owner = _owner(library, component, key[0])
    return owner.ports.get(key[1]) if owner else None


def _exists(library: Library, component: Component, key: PinKey) -> bool:
    """Whether there is such a pin; what a missing component has is not known, so it is taken to be there."""
    owner = _owner(library, component, key[0])
    if owner is None:
        return key[0] in component.design.instances
    return key[1][1:] in owner.bus_interfaces if key[1].startswith("=") else key[1] in owner.ports


def _side_of(library: Library, component: Component, key: PinKey) -> Side:
    owner = _owner(library, component, key[0])
    if owner is None:
        return "left"
    value = owner.bus_interfaces.get(key[1][1:]) if key[1].startswith("=") else owner.ports.get(key[1])
    return _side(value) if value is not None else "left"


def _side(value: Port | BusInterface) -> Side:
    """Seen on an instance: what starts something is on its right."""
    if isinstance(value, SignalPort | StructuredPort):
        return "right" if value.direction == "out" else "left"
    if isinstance(value, TransactionalPort):
        return "right" if value.initiative == "requires" else "left"
    return "right" if value.mode in _INITIATING else "left"


def _pin(key: PinKey, value: Port | BusInterface) -> Pin:
    if isinstance(value, BusInterface):
        return Pin(key, value.name, _side(value), "interface", is_bus=True)
    width = width_text(value)
    if isinstance(value, TransactionalPort | StructuredPort):
        return Pin(key, value.name, _side(value), "transactional", is_bus=True)
    return Pin(key, value.name if width == "1" else f"{value.name} [{width}]", _side(value), "signal", width != "1")


def _pins(owner: Component, instance: str) -> list[Pin]:
    pins = [_pin((instance, name), port) for name, port in owner.ports.items()]
    return pins + [_pin((instance, f"={name}"), bus) for name, bus in owner.bus_interfaces.items()]


def _placed(pins: Iterable[Pin], joined: set[PinKey]) -> tuple[list[Pin], int]:
    """The pins that are shown, those that are joined first, and how many are not."""
    kept: list[Pin] = []
    hidden = 0
    everything = list(pins)
    for side in ("left", "right"):
        here = [pin for pin in everything if pin.side == side]
        chosen = sorted(here, key=lambda pin: pin.key not in joined)[:MAX_PINS]
        keys = {pin.key for pin in chosen}
        kept += [pin for pin in here if pin.key in keys]
        hidden += len(here) - len(chosen)
    return kept, hidden


def _self_block(component: Component) -> Block:
    pins, hidden = _placed(_pins(component, ""), set())
    return Block(component.vlnv.name, str(component.vlnv), "self", pins, hidden)


def _own_block(component: Component, key: PinKey) -> Block:
    """An own port is a block of its own; seen from inside it faces the other way."""
    value: Port | BusInterface = (
        component.bus_interfaces[key[1][1:]] if key[1].startswith("=") else component.ports[key[1]]
    )
    pin = _pin(key, value)
    pin.side = "right" if pin.side == "left" else "left"
    return Block(pin.label, style="port", pins=[pin])


def _instance_block(library: Library, instance: Instance, joined: set[PinKey]) -> Block:
    owner = library.find(instance.component)
    if owner is None:
        pins = [Pin(key, key[1].removeprefix("="), "left") for key in sorted(joined) if key[0] == instance.name]
        return Block(instance.name, f"{instance.component} (missing)", "missing", pins[:MAX_PINS], len(pins[MAX_PINS:]))
    pins, hidden = _placed(_pins(owner, instance.name), joined)
    return Block(instance.name, str(instance.component), "instance", pins, hidden)
