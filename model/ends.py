"""What the end of a connection stands for: which component's port, and which part of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from model.elements import Component, Design, Direction, Endpoint, Instance, Port, SignalPort
from model.library import Library
from model.parameters import NO_OVERRIDES, instance_overrides
from model.vlnv import Vlnv
from model.widths import end_indices, end_part, end_width, port_at, port_bounds, port_shape, slice_bounds
from model.wiring import OWN, Kind, Owner, owner_of


@dataclass(frozen=True, slots=True)
class Resolved:
    """An end with what it refers to.

    Attributes:
        instance: None for the component's own port, and where the instance does not exist.
        owner: the component whose port it is; None where it is missing.
        port: None where it does not exist; where the end leads into a structured port, the port in there.
    """

    end: Endpoint
    instance: Instance | None
    owner: Component | None
    port: Port | None


@dataclass(slots=True)
class Ends:
    """Resolves ends of one design of a component against a library."""

    library: Library
    component: Component
    design: Design
    _directions: dict[Kind, Direction | None] = field(default_factory=dict)
    _widths: dict[Kind, int | None] = field(default_factory=dict)
    _overrides: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def resolve(self, end: Endpoint) -> Resolved:
        """Look an end up."""
        if not end.instance:
            return Resolved(end, None, self.component, port_at(self.component, end))
        instance = self.design.instances.get(end.instance)
        owner = self.library.find(instance.component) if instance else None
        return Resolved(end, instance, owner, port_at(owner, end) if owner else None)

    def direction(self, instance: str, port: str) -> Direction | None:
        """Direction of a signal port as its own component declares it; None for anything else."""
        return self.direction_of((owner_of(self.design.instances, instance), port))

    def direction_of(self, kind: Kind) -> Direction | None:
        """The same for every instance of a component."""
        if kind not in self._directions:
            owner = self._component(kind[0])
            self._directions[kind] = _direction(owner, kind[1]) if owner else None
        return self._directions[kind]

    def _component(self, owner: Owner) -> Component | None:
        if isinstance(owner, Vlnv):
            return self.library.find(owner)
        return self.component if owner == OWN else None

    def drives(self, instance: str, port: str) -> bool:
        """Whether a port drives its net: an instance's output, the component's own input."""
        return self.kind_drives((owner_of(self.design.instances, instance), port))

    def kind_drives(self, kind: Kind) -> bool:
        """The same for every instance of a component."""
        return self.direction_of(kind) == ("in" if kind[0] == OWN else "out")

    def overrides(self, instance: Instance | None) -> Mapping[str, str]:
        """What an instance sets the parameters of its component to."""
        if instance is None or not instance.parameters:
            return NO_OVERRIDES
        if instance.name not in self._overrides:
            self._overrides[instance.name] = instance_overrides(self.component, instance)
        return self._overrides[instance.name]

    def width(self, found: Resolved) -> int | None:
        """Number of bits that an end joins, or None where it has no value."""
        if found.owner is None:
            return None
        end, instance = found.end, found.instance
        if end.left or end.path or (instance is not None and instance.parameters):
            return end_width(self.component, found.owner, end, self.overrides(instance))
        kind: Kind = (OWN if instance is None else instance.component, end.port)
        if kind not in self._widths:
            self._widths[kind] = end_width(self.component, found.owner, end)
        return self._widths[kind]

    def bits(self, end: Endpoint) -> list[int] | None:
        """Indices of the bits that an end joins, the rightmost first, or None where they are not known.

        The bits of a port of several dimensions are counted from 0.
        """
        found = self.resolve(end)
        port = found.port
        if found.owner is not None and isinstance(port, SignalPort) and (end.path or port.vectors or port.arrays):
            part = end_part(self.component, found.owner, port, end, self.overrides(found.instance))
            return None if part is None else list(part)
        if end.left:
            bounds = slice_bounds(end.left, end.right or end.left, self.component)
        elif found.owner is not None and isinstance(found.port, SignalPort):
            bounds = port_bounds(found.owner, found.port, self.overrides(found.instance))
        else:
            bounds = None
        if bounds is None:
            return None
        left, right = bounds
        return list(range(right, left + 1)) if left >= right else list(range(right, left - 1, -1))

    def whole(self, found: Resolved) -> tuple[int, int] | None:
        """The bounds of the dimension that a slice of this end picks from: of a plain port all it has."""
        if found.owner is None or not isinstance(found.port, SignalPort):
            return None
        overrides = self.overrides(found.instance)
        if not (found.end.path or found.port.vectors or found.port.arrays):
            return port_bounds(found.owner, found.port, overrides)
        shape, depth = port_shape(found.owner, found.port, overrides), len(end_indices(found.end))
        return shape[depth] if shape is not None and depth < len(shape) else None

    def all(self) -> Iterator[tuple[str, Resolved]]:
        """Every end of every connection, with the connection's name."""
        for name, connection in self.design.connections.items():
            for end in connection.ends:
                yield name, self.resolve(end)


def _direction(component: Component, port: str) -> Direction | None:
    found = component.ports.get(port)
    return found.direction if isinstance(found, SignalPort) else None
