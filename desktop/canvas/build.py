"""From a library value to the diagram of one component. No Qt."""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from desktop.canvas.diagram import (
    Block,
    Diagram,
    Difference,
    ParameterLine,
    Pin,
    PinRef,
    Side,
    Since,
    Stand,
    Terminal,
    Wiring,
    terminal_key,
)
from desktop.canvas.netting import Netting, differing
from desktop.canvas.pins import (
    Faces,
    component_pins,
    folded_rows,
    grouped_rows,
    interface_side,
    standing,
    unknown_pins,
)
from desktop.canvas.ranges import range_text
from model.change import ElementId
from model.difference import element_kind
from model.elements import (
    Component,
    Instance,
    Parameter,
    Port,
    TransactionalPort,
)
from model.frozen_map import FrozenMap
from model.identity_cache import IdentityCache
from model.library import Library
from model.parameters import NO_OVERRIDES, instance_overrides
from model.vlnv import Vlnv

_FACES: IdentityCache[Component, Faces] = IdentityCache()
NO_STANDS: Mapping[PinRef, Stand] = {}


@dataclass(frozen=True, slots=True)
class _Basis:
    """All that a block is made of."""

    instance: Instance
    component: Component | None
    parameters: FrozenMap[str, Parameter]
    used: frozenset[PinRef]
    ties: tuple[tuple[PinRef, str], ...]
    sides: tuple[tuple[PinRef, Side], ...]
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
    """The last diagram and what it was made of: an edit makes only those parts anew that it is about."""

    def __init__(self, stands: Mapping[PinRef, Stand] = NO_STANDS) -> None:
        """Give where the design's own file has pins, if anywhere."""
        self.diagram: Diagram | None = None
        self._stands = stands
        self._bases: dict[str, _Basis] = {}
        self._netting = Netting()
        self._component: Component | None = None
        self._expanded: frozenset[str] = frozenset()
        self._instances: FrozenMap[str, Instance] = FrozenMap()
        self._users: dict[Vlnv, dict[str, None]] = defaultdict(dict)
        self._found: dict[Vlnv, Component | None] = {}
        self._odd: set[str] = set()  # blocks with pins that nobody declares: their sides depend on others
        self._pins: dict[PinRef, Pin] = {}

    def build(self, library: Library, component: Component, expanded: frozenset[str]) -> Diagram:
        """The diagram of ``component`` as it is now."""
        old = self.diagram
        before, self._component = self._component, component
        wires, owners = self._netting.follow(component.design)
        dirty = self._dirty(library, component, before, expanded) | owners
        blocks = dict(old.blocks) if old is not None else {}
        redrawn: list[PinRef] = []
        nodes: set[str] = set()  # those that came, went or are drawn anew
        differs = old is None or bool(wires)
        for name in [name for name in dirty if name not in self._instances]:
            self._bases.pop(name, None)
            self._odd.discard(name)
            if name in blocks:
                differs = True
                nodes.add(name)
                redrawn += self._swap_pins(blocks.pop(name).pins, ())
        present = [name for name in dirty if name in self._instances]
        for name in sorted(present, key=component.design.instances.place):
            known, made = blocks.get(name), self._made(library, component, name, blocks.get(name))
            if made is not known:
                differs = True
                nodes.add(name)
                blocks[name] = made
                redrawn += self._swap_pins(known.pins if known is not None else (), made.pins)
        terminals: Mapping[str, Terminal] = old.terminals if old is not None else {}
        if before is None or "" in owners or self._odd or _border(before) != _border(component):
            earlier = terminals
            terminals = self._terminals(library, component, earlier)
            nodes.update(key for key in {**earlier, **terminals} if earlier.get(key) is not terminals.get(key))
            shown = [terminal.pin for terminal in earlier.values()]
            redrawn += self._swap_pins(shown, [terminal.pin for terminal in terminals.values()])
        if old is not None and not differs and not redrawn:
            return old
        gone, added = self._netting.regroup(component.vlnv, wires, redrawn, self._pins)
        wiring = (old.wiring if old is not None else Wiring({}, {})).changed(gone, added)
        self.diagram = Diagram(
            component.vlnv,
            blocks,
            terminals,
            tuple(self._netting.nets.values()),
            known_wiring=wiring,
            known_nets=dict(self._netting.nets),
            since=Since(weakref.ref(old), Difference.of(nodes, (*gone, *added))) if old is not None else None,
        )
        return self.diagram

    def _dirty(
        self, library: Library, component: Component, before: Component | None, expanded: frozenset[str]
    ) -> set[str]:
        """The instances that may have to be drawn anew, for other reasons than their wires."""
        dirty = set(self._expanded ^ expanded) | self._odd
        self._expanded = expanded
        if before is None or component.design.instances is not before.design.instances:
            instances = component.design.instances
            for name in differing(self._instances, instances):
                dirty.add(name)
                if name in self._instances:
                    del self._users[self._instances[name].component][name]
                if name in instances:
                    self._users[instances[name].component][name] = None
            self._instances = instances
        for vlnv, users in self._users.items():
            found = library.find(vlnv)
            if found is not self._found.get(vlnv):
                dirty.update(users)
            self._found[vlnv] = found
        if before is not None and component.parameters is not before.parameters:
            dirty.update(name for name, instance in self._instances.items() if instance.parameters)
        return dirty

    def _made(self, library: Library, component: Component, name: str, known: Block | None) -> Block:
        instance = self._instances[name]
        found = self._found[instance.component]
        used, tied = self._netting.used(name), sorted(self._netting.tied(name))
        unknown = sorted(ref for ref in {*used, *tied} if not _declares(found, ref))
        (self._odd.add if unknown else self._odd.discard)(name)
        basis = _Basis(
            instance,
            found,
            component.parameters,
            frozenset(used),
            tuple((ref, self._netting.tie(ref)) for ref in tied),
            tuple((ref, self._side(library, component, ref)) for ref in unknown),
            name in self._expanded,
        )
        if known is not None and basis.is_as(self._bases.get(name)):
            return known
        self._bases[name] = basis
        return _block(component, basis, self._stands)

    def _terminals(self, library: Library, component: Component, known: Mapping[str, Terminal]) -> dict[str, Terminal]:
        used, tied = self._netting.used(""), self._netting.tied("")
        ties = {ref: self._netting.tie(ref) for ref in tied}
        pins = component_pins(_faces(component), "", used, ties)
        unknown = sorted({*used, *tied} - {pin.ref for pin in pins})
        pins += unknown_pins(unknown, {ref: self._side(library, component, ref) for ref in unknown})
        pins = standing(pins, self._stands)
        made = {terminal_key(pin.ref): Terminal(terminal_key(pin.ref), pin) for pin in pins}
        return {key: known[key] if known.get(key) == item else item for key, item in made.items()}

    def _swap_pins(self, old: Iterable[Pin], new: Iterable[Pin]) -> list[PinRef]:
        """Note other pins; return those that came, went or are drawn differently."""
        before, after = {pin.ref: pin for pin in old}, {pin.ref: pin for pin in new}
        for ref in before.keys() - after.keys():
            del self._pins[ref]
        self._pins.update(after)
        return [ref for ref in {**before, **after} if before.get(ref) != after.get(ref)]

    def _side(self, library: Library, component: Component, ref: PinRef) -> Side:
        """For a pin that nobody declares: the side that faces what it is connected to."""
        side: Side = "W"
        for ends in self._netting.wires_at(ref):
            driven = any(_drives(library, component, other) for other, _slice in ends)
            side = ("W" if driven else "E") if ref.instance else ("E" if driven else "W")
        return side


def build_diagram(
    library: Library, vlnv: Vlnv, expanded: Collection[str] = (), cache: BlockCache | None = None
) -> Diagram:
    """Return what the picture of a component shows.

    Args:
        library: where instances find their components; those it lacks are drawn as missing.
        vlnv: the component to look into.
        expanded: keys of the blocks that show all their pins.
        cache: that of the last diagram of the same component; equal parts are the same objects in the result.

    Raises:
        DesignError: ``component-not-found``.
    """
    component = library.get(vlnv)
    if component.design.is_empty:
        return _symbol(component)
    return (cache or BlockCache()).build(library, component, frozenset(expanded))


def _faces(component: Component, overrides: Mapping[str, str] = NO_OVERRIDES) -> Faces:
    """The faces of a component, kept for all its uses that set none of its parameters."""
    if overrides:
        return Faces.of(component, lambda port: range_text(component, port, overrides))
    return _FACES.get(component, lambda each: Faces.of(each, lambda port: range_text(each, port, NO_OVERRIDES)))


def _border(component: Component) -> tuple[object, ...]:
    return component.ports, component.bus_interfaces, component.parameters


def _declares(component: Component | None, ref: PinRef) -> bool:
    if component is None:
        return False
    return ref.name in (component.bus_interfaces if ref.interface else component.ports)


def _block(parent: Component, basis: _Basis, stands: Mapping[PinRef, Stand]) -> Block:
    instance, component, used = basis.instance, basis.component, basis.used
    element = ElementId(parent.vlnv, "subcomponent", instance.name)
    pins: list[Pin] = []
    if component is not None:
        faces = _faces(component, instance_overrides(parent, instance))
        pins = component_pins(faces, instance.name, used, dict(basis.ties))
    pins.extend(unknown_pins([ref for ref, _side in basis.sides], dict(basis.sides)))
    west, east = folded_rows(standing(pins, stands), expanded=basis.expanded)
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
    pins = component_pins(_faces(component), "", (), {}, fold_mapped=False)
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
