"""The connections of a design by what they join: those that join the same ports of the same components are alike.

A rule about a pair of ports need be asked once for all connections that are alike, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import immutables

from model.elements import Connection, Design, Endpoint
from model.frozen_map import Difference, Fact, FrozenMap
from model.netlist import netlist
from model.wiring import Connections, Instances, Kind, Owner, Wiring, owner_of

EndShape = tuple[Owner, str, str, str, tuple[str, ...], FrozenMap[str, str] | None]
"""Whose port, which port, the bounds of the part, the way into the port, what the instance sets parameters to."""

Shape = tuple[Any, ...]
"""The shapes of the ends and the tied value; a connection of more than two ends is like no other."""

Places = Mapping[int, None]
"""Places of connections in the design, without order."""

_NONE: immutables.Map[Any, Any] = immutables.Map()


@dataclass(frozen=True, slots=True)
class Joints:
    """The connections of a design by shape.

    Attributes:
        instances: of the design, from which the shapes were taken.
        alike: places of the connections by shape.
        shapes: by component and port the shapes that join it.
    """

    instances: Instances
    alike: immutables.Map[Shape, immutables.Map[int, None]]
    shapes: immutables.Map[Owner, immutables.Map[str, immutables.Map[Shape, None]]]

    def all(self) -> Iterator[Places]:
        """The groups of connections that are alike."""
        return iter(self.alike.values())

    def at(self, owner: Owner, ports: Iterable[str] | None = None) -> list[Places]:
        """The groups that join some ports of a component, or any."""
        known = self.shapes.get(owner, _NONE)
        names = known if ports is None else [port for port in ports if port in known]
        found = dict.fromkeys(shape for port in names for shape in known[port])
        return [self.alike[shape] for shape in found]

    def followed(self, _connections: Connections, differences: Sequence[Difference[str, Connection]]) -> Joints:
        """The shapes of other connections, given where they differ from these."""
        editor = _Editor(self)
        for old, _new in differences:
            if old is not None:
                editor.take_out(old[0], old[2], self.instances)
        for _old, new in differences:
            if new is not None:
                editor.put_in(new[0], new[2], self.instances)
        return editor.finish(self.instances)

    def moved_to(self, instances: Instances, wiring: Wiring, connections: Connections) -> Joints:
        """The shapes of the same connections where the instances are others."""
        places: set[int] = set()
        for name in {entry[1] for pair in self.instances.differences(instances) for entry in pair if entry is not None}:
            for nodes in wiring.at.get(name, _NONE).values():
                places.update(place for node in nodes for place in wiring.uses[node])
        if not places:
            return replace(self, instances=instances)
        editor = _Editor(self)
        entries = [entry for place in places if (entry := connections.at(place)) is not None]
        for place, _name, connection in entries:
            editor.take_out(place, connection, self.instances)
        for place, _name, connection in entries:
            editor.put_in(place, connection, instances)
        return editor.finish(instances)


def _end_shape(end: Endpoint, instances: Instances) -> EndShape:
    owner = owner_of(instances, end.instance)
    instance = instances.get(end.instance) if end.instance else None
    overrides = instance.parameters if instance is not None and instance.parameters else None
    return owner, end.port, end.left, end.right, end.path, overrides


def _shape(place: int, connection: Connection, instances: Instances) -> Shape:
    if len(connection.ends) > 2:
        return (place,)
    return (*(_end_shape(end, instances) for end in connection.ends), connection.tied_value)


def _kinds(connection: Connection, instances: Instances) -> set[Kind]:
    return {(owner_of(instances, end.instance), end.port) for end in connection.ends}


class _Editor:
    """Edits joints in place, on private copies."""

    def __init__(self, joints: Joints) -> None:
        self._alike = joints.alike.mutate()
        self._shapes = joints.shapes.mutate()

    def take_out(self, place: int, connection: Connection, instances: Instances) -> None:
        shape = _shape(place, connection, instances)
        rest = self._alike[shape].delete(place)
        if rest:
            self._alike[shape] = rest
            return
        del self._alike[shape]
        for owner, port in _kinds(connection, instances):
            ports = self._shapes[owner]
            shapes = ports[port].delete(shape)
            ports = ports.set(port, shapes) if shapes else ports.delete(port)
            if ports:
                self._shapes[owner] = ports
            else:
                del self._shapes[owner]

    def put_in(self, place: int, connection: Connection, instances: Instances) -> None:
        shape = _shape(place, connection, instances)
        known = self._alike.get(shape, _NONE)
        self._alike[shape] = known.set(place, None)
        if known:
            return
        for owner, port in _kinds(connection, instances):
            ports = self._shapes.get(owner, _NONE)
            self._shapes[owner] = ports.set(port, ports.get(port, _NONE).set(shape, None))

    def finish(self, instances: Instances) -> Joints:
        return Joints(instances, self._alike.finish(), self._shapes.finish())


def _joints(connections: Connections, instances: Instances) -> Joints:
    """Made afresh, collected in plain dictionaries first."""
    alike: dict[Shape, dict[int, None]] = {}
    firsts: dict[Shape, Connection] = {}
    for place, _name, connection in connections.entries():
        shape = _shape(place, connection, instances)
        group = alike.get(shape)
        if group is None:
            alike[shape] = {place: None}
            firsts[shape] = connection
        else:
            group[place] = None
    shapes: dict[Owner, dict[str, dict[Shape, None]]] = {}
    for shape, connection in firsts.items():
        for owner, port in _kinds(connection, instances):
            shapes.setdefault(owner, {}).setdefault(port, {})[shape] = None
    return Joints(
        instances,
        immutables.Map({shape: immutables.Map(places) for shape, places in alike.items()}),
        immutables.Map(
            {
                owner: immutables.Map({port: immutables.Map(known) for port, known in ports.items()})
                for owner, ports in shapes.items()
            }
        ),
    )


_JOINTS: Fact[str, Connection, Joints] = Fact(Joints.followed)


def joints(design: Design) -> Joints:
    """The connections of a design by what they join."""
    connections, instances = design.connections, design.instances
    found = _JOINTS.of(connections, lambda: _joints(connections, instances))
    if found.instances is not instances:
        found = found.moved_to(instances, netlist(design).wiring, connections)
        _JOINTS.put(connections, found)
    return found
