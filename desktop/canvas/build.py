"""From a library value to the diagram of one component. No Qt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from desktop.canvas.diagram import (
    Block,
    Branch,
    Diagram,
    Net,
    ParameterLine,
    Pin,
    PinRef,
    Side,
    Terminal,
    Tone,
    terminal_key,
)
from desktop.canvas.pins import component_pins, folded_rows, grouped_rows, interface_side, unknown_pins
from desktop.canvas.ranges import range_text
from model.change import ElementId
from model.difference import element_kind
from model.elements import (
    Component,
    Connection,
    Endpoint,
    Instance,
    Interconnection,
    Parameter,
    Port,
    TransactionalPort,
)
from model.frozen_map import FrozenMap
from model.library import Library
from model.parameters import NO_OVERRIDES, instance_overrides
from model.vlnv import Vlnv

_TONE_RANK: dict[Tone, int] = {"wire": 0, "bus": 1, "interface": 2, "clock": 3}


@dataclass
class _Wiring:
    """What the connections of a design say about pins."""

    connected: set[PinRef] = field(default_factory=set)
    ties: dict[PinRef, str] = field(default_factory=dict)

    def by_owner(self) -> dict[str, set[PinRef]]:
        owners: dict[str, set[PinRef]] = defaultdict(set)
        for ref in self.connected | self.ties.keys():
            owners[ref.instance].add(ref)
        return owners


@dataclass(frozen=True, slots=True)
class _Basis:
    """All that a block is made of."""

    instance: Instance
    component: Component | None
    parameters: FrozenMap[str, Parameter]
    used: frozenset[PinRef]
    ties: tuple[str, ...]
    sides: tuple[Side | None, ...]
    expanded: bool

    def is_as(self, other: _Basis | None) -> bool:
        """Whether the two give equal blocks; the model's values are compared by identity, which is enough and cheap."""
        return (
            other is not None
            and self.instance is other.instance
            and self.component is other.component
            and self.parameters is other.parameters
            and (self.used, self.ties, self.sides, self.expanded)
            == (other.used, other.ties, other.sides, other.expanded)
        )


class BlockCache:
    """The blocks of the last diagram and what they were made of: an edit makes only those anew that it is about."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Basis, Block]] = {}

    def block(self, basis: _Basis, make: Callable[[], Block]) -> Block:
        """The known block where it is still right, else a new one."""
        known, block = self._known.get(basis.instance.name, (None, None))
        if block is None or not basis.is_as(known):
            block = make()
            self._known[basis.instance.name] = (basis, block)
        return block


def build_diagram(
    library: Library, vlnv: Vlnv, expanded: Collection[str] = (), cache: BlockCache | None = None
) -> Diagram:
    """Return what the picture of a component shows.

    Args:
        library: where instances find their components; those it lacks are drawn as missing.
        vlnv: the component to look into.
        expanded: keys of the blocks that show all their pins.
        cache: that of the last diagram of the same component; equal blocks are the same objects in the result.

    Raises:
        DesignError: ``component-not-found``.
    """
    component = library.get(vlnv)
    if component.design.is_empty:
        return _symbol(component)
    design = component.design
    cache = cache if cache is not None else BlockCache()
    wiring = _wiring(component)
    owners = wiring.by_owner()
    sides = _sides(library, component, wiring.connected)
    blocks: dict[str, Block] = {}
    for instance in design.instances.values():
        used = owners.get(instance.name, set())
        ordered = sorted(used)
        basis = _Basis(
            instance,
            library.find(instance.component),
            component.parameters,
            frozenset(used),
            tuple(wiring.ties.get(ref, "") for ref in ordered),
            tuple(sides.get(ref) for ref in ordered),
            instance.name in expanded,
        )
        blocks[instance.name] = cache.block(basis, partial(_block, component, basis, wiring, sides))
    terminals = _terminals(component, owners.get("", set()), wiring, sides)
    pins = {pin.ref: pin for block in blocks.values() for pin in block.pins}
    pins.update((terminal.pin.ref, terminal.pin) for terminal in terminals.values())
    return Diagram(vlnv, blocks, terminals, tuple(_nets(component, pins)))


def endpoint_ref(end: Endpoint) -> PinRef:
    """The pin of a connection's end."""
    return PinRef(end.instance, end.port)


def _wiring(component: Component) -> _Wiring:
    wiring = _Wiring()
    for connection in component.design.connections.values():
        for end in connection.ends:
            if connection.tied_value:
                wiring.ties[endpoint_ref(end)] = connection.tied_value
            if len(connection.ends) > 1:
                wiring.connected.add(endpoint_ref(end))
    for interconnection in component.design.interconnections.values():
        wiring.connected.update(PinRef(end.instance, end.interface, True) for end in interconnection.ends)
    return wiring


def _block(parent: Component, basis: _Basis, wiring: _Wiring, sides: Mapping[PinRef, Side]) -> Block:
    instance, component, used = basis.instance, basis.component, basis.used
    element = ElementId(parent.vlnv, "subcomponent", instance.name)
    pins: list[Pin] = []
    if component is not None:
        overrides = instance_overrides(parent, instance)
        pins = component_pins(
            component, instance.name, used, wiring.ties, lambda port: range_text(component, port, overrides)
        )
    known = {pin.ref for pin in pins}
    pins.extend(unknown_pins(sorted(used - known), sides))
    west, east = folded_rows(pins, expanded=basis.expanded)
    return Block(
        key=instance.name,
        title=instance.name,
        subtitle=str(instance.component),
        vlnv=instance.component,
        element=element,
        west=west,
        east=east,
        missing=component is None,
        tip=instance.description or (component.description if component is not None else ""),
    )


def _symbol(component: Component) -> Diagram:
    pins = component_pins(
        component, "", (), {}, lambda port: range_text(component, port, NO_OVERRIDES), fold_mapped=False
    )
    west, east = grouped_rows(component, pins)
    block = Block(
        key="",
        title=component.vlnv.name,
        subtitle=str(component.vlnv),
        vlnv=component.vlnv,
        element=ElementId(component.vlnv, "component"),
        west=west,
        east=east,
        parameters=tuple(
            ParameterLine(
                parameter.name,
                parameter.value,
                ElementId(component.vlnv, element_kind(parameter, "user_parameter"), parameter.name),
            )
            for parameter in component.parameters.values()
        ),
        tip=component.description,
    )
    return Diagram(component.vlnv, {"": block}, is_symbol=True)


def _terminals(
    component: Component, used: set[PinRef], wiring: _Wiring, sides: Mapping[PinRef, Side]
) -> dict[str, Terminal]:
    pins = component_pins(component, "", used, wiring.ties, lambda port: range_text(component, port, NO_OVERRIDES))
    known = {pin.ref for pin in pins}
    pins.extend(unknown_pins(sorted(used - known), sides))
    return {terminal_key(pin.ref): Terminal(terminal_key(pin.ref), pin) for pin in pins}


def _sides(library: Library, component: Component, connected: Collection[PinRef]) -> dict[PinRef, Side]:
    """For pins that nobody declares: the side that faces what they are connected to."""
    drives = {ref for ref in connected if _drives(library, component, ref)}
    sides: dict[PinRef, Side] = {}
    for ends in _ends(component):
        driven = any(ref in drives for ref, _slice in ends)
        for ref, _slice in ends:
            if ref.instance:
                sides[ref] = "W" if driven else "E"
            else:
                sides[ref] = "E" if driven else "W"
    return sides


def _drives(library: Library, component: Component, ref: PinRef) -> bool:
    """Whether a declared pin is where a signal or a transaction starts, seen from inside the component."""
    design = component.design
    owner: Component | None = component
    if ref.instance:
        instance = design.instances.get(ref.instance)
        owner = library.find(instance.component) if instance is not None else None
    if owner is None:
        return False
    if ref.interface:
        interface = owner.bus_interfaces.get(ref.name)
        return interface is not None and (interface_side(owner, interface) == "E") == bool(ref.instance)
    port: Port | None = owner.ports.get(ref.name)
    if port is None:
        return False
    if isinstance(port, TransactionalPort):
        return (port.initiative == "requires") == bool(ref.instance)
    return port.direction == ("out" if ref.instance else "in")


_End = tuple[PinRef, str]


def _slice(end: Endpoint) -> str:
    if not end.left:
        return ""
    return f"[{end.left}]" if end.left == end.right else f"[{end.left}:{end.right}]"


def _connection_ends(connection: Connection) -> list[_End]:
    return [(endpoint_ref(end), _slice(end)) for end in connection.ends]


def _interconnection_ends(interconnection: Interconnection) -> list[_End]:
    return [(PinRef(end.instance, end.interface, True), "") for end in interconnection.ends]


def _ends(component: Component) -> Iterable[list[_End]]:
    for connection in component.design.connections.values():
        yield _connection_ends(connection)
    for interconnection in component.design.interconnections.values():
        yield _interconnection_ends(interconnection)


def _nets(component: Component, pins: Mapping[PinRef, Pin]) -> Iterable[Net]:
    """Group the wires into nets: those that share an end (the same slice of the same pin) are one."""
    joined = _Joined()
    wires: list[tuple[ElementId, list[_End]]] = []
    for connection in component.design.connections.values():
        wires.append((ElementId(component.vlnv, "connection", connection.name), _connection_ends(connection)))
    for interconnection in component.design.interconnections.values():
        element = ElementId(component.vlnv, "interconnection", interconnection.name)
        wires.append((element, _interconnection_ends(interconnection)))
    for _element, ends in wires:
        for end in ends[1:]:
            joined.join(ends[0], end)
    grouped: dict[_End, list[tuple[ElementId, list[_End]]]] = defaultdict(list)
    for element, ends in wires:
        if len(ends) > 1:
            grouped[joined.root(ends[0])].append((element, ends))
    for root, members in grouped.items():
        key = f"{root[0].instance}.{root[0].name}{root[1]}{'*' if root[0].interface else ''}"
        branches = tuple(branch for element, ends in members for branch in _branches(key, element, ends, pins))
        yield Net(key, _tone(members, pins), _label(members, pins), branches)


def _branches(net: str, element: ElementId, ends: list[_End], pins: Mapping[PinRef, Pin]) -> list[Branch]:
    refs = list(dict.fromkeys(ref for ref, _slice in ends))
    source = next((ref for ref in refs if ref in pins and _is_source(pins[ref])), refs[0])
    return [
        Branch(f"{element.kind}:{element.name}:{index}", net, source, target, element)
        for index, target in enumerate(ref for ref in refs if ref != source)
        if source in pins and target in pins
    ]


def _is_source(pin: Pin) -> bool:
    if pin.shape in ("inout", "phantom", "both"):
        return False
    return (pin.side == "E") == bool(pin.ref.instance)


def _tone(members: list[tuple[ElementId, list[_End]]], pins: Mapping[PinRef, Pin]) -> Tone:
    tones: list[Tone] = [pins[ref].tone for _element, ends in members for ref, _slice in ends if ref in pins]
    if any(slice_ for _element, ends in members for _ref, slice_ in ends):
        tones = [tone for tone in tones if tone != "clock"]
    return max(tones, key=_TONE_RANK.__getitem__, default="wire")


def _label(members: list[tuple[ElementId, list[_End]]], pins: Mapping[PinRef, Pin]) -> str:
    ends = [end for _element, ends in members for end in ends]
    for ref, _slice in ends:
        pin = pins.get(ref)
        if pin is not None and pin.bus:
            return pin.bus
    slices = [slice_ for _ref, slice_ in ends if slice_]
    if slices:
        return slices[0]
    return next((pins[ref].width for ref, _slice in ends if ref in pins and pins[ref].width), "")


class _Joined:
    """Union-find over ends."""

    def __init__(self) -> None:
        self._parent: dict[_End, _End] = {}

    def root(self, end: _End) -> _End:
        parent = self._parent.setdefault(end, end)
        while parent != self._parent[parent]:
            self._parent[end] = self._parent[parent]
            end, parent = parent, self._parent[parent]
        return parent

    def join(self, one: _End, other: _End) -> None:
        first, second = self.root(one), self.root(other)
        if first != second:
            self._parent[second] = first
