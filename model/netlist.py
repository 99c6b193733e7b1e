"""The wires of a design: which ends of its connections are one, found again at the cost of what an edit changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import immutables

from model.elements import Connection, Design, Endpoint
from model.frozen_map import FrozenMap
from model.identity_cache import IdentityCache
from model.widths import is_plain

Node = tuple[str, str, str, str, tuple[str, ...]]
"""Instance ("" for the component itself), port, left and right bound of the slice ("" for all of the port), path."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Wire:
    """The bare structure of a net, without what the library says about its ends. Compared by identity.

    Attributes:
        tied: those of its connections that tie it to a value.
    """

    nodes: tuple[Node, ...] = ()
    connections: tuple[str, ...] = ()
    tied: tuple[str, ...] = ()
    is_sliced: bool = False


@dataclass(frozen=True, slots=True)
class Netlist:
    """The wires of a design; a changed copy shares the rest, as the design itself does.

    Two parts of one port are on the same wire only if they overlap; bounds that are not numbers count as overlapping.
    """

    _wire_of: immutables.Map[Node, int] = immutables.Map()
    _at: immutables.Map[tuple[str, str], tuple[Node, ...]] = immutables.Map()
    _wires: immutables.Map[int, Wire] = immutables.Map()
    _next: int = 0

    def wires(self) -> list[Wire]:
        """All wires, in the order in which they came to be."""
        return [wire for _number, wire in sorted(self._wires.items())]

    def wires_at(self, instance: str, port: str) -> list[Wire]:
        """The wires on a port: none, one, or several where the port is sliced."""
        numbers = dict.fromkeys(self._wire_of[node] for node in self._at.get((instance, port), ()))
        return [self._wires[number] for number in numbers]

    def wire_at(self, node: Node) -> Wire | None:
        """The wire that a node is on."""
        number = self._wire_of.get(node)
        return None if number is None else self._wires[number]

    def wire_of(self, end: Endpoint) -> Wire | None:
        """The wire that an end of a connection is on."""
        return self.wire_at(node_of(end))

    def updated(self, before: Mapping[str, Connection], removed: Iterable[str], added: Iterable[Connection]) -> Netlist:
        """Return a netlist without some connections and with others.

        Args:
            before: the connections that this netlist is of.
            removed: names in ``before``.
            added: in the order in which they are added.
        """
        editor = _Editor(self)
        gone = frozenset(removed)
        for name in editor.take_out(node_of(end) for old in gone for end in before[old].ends):
            if name not in gone:
                editor.add(before[name])
        for connection in added:
            editor.add(connection)
        return editor.finish()


def is_tied(connection: Connection) -> bool:
    """Whether a connection drives its ends with a value of its own."""
    return connection.tied_value not in {"", "open"}


@dataclass(slots=True)
class _OpenWire:
    """A wire that is being edited."""

    nodes: list[Node]
    connections: list[str]
    tied: list[str]
    is_sliced: bool

    def absorb(self, other: _OpenWire) -> None:
        self.nodes.extend(other.nodes)
        self.connections.extend(other.connections)
        self.tied.extend(other.tied)
        self.is_sliced = self.is_sliced or other.is_sliced

    def closed(self) -> Wire:
        return Wire(tuple(self.nodes), tuple(self.connections), tuple(self.tied), self.is_sliced)


class _Editor:
    """Edits a netlist in place, on private copies that cost nothing to make; wires are open lists meanwhile."""

    def __init__(self, netlist: Netlist) -> None:
        self._wire_of = netlist._wire_of.mutate()
        self._at = netlist._at.mutate()
        self._wires = netlist._wires.mutate()
        self._next = netlist._next
        self._open: dict[int, _OpenWire] = {}

    def add(self, connection: Connection) -> None:
        nodes = [node_of(end) for end in connection.ends]
        for node in nodes:
            self._place(node)
        for node in nodes[1:]:
            self._merge(self._wire_of[nodes[0]], self._wire_of[node])
        if nodes:
            wire = self._opened(self._wire_of[nodes[0]])
            wire.connections.append(connection.name)
            if is_tied(connection):
                wire.tied.append(connection.name)

    def take_out(self, nodes: Iterable[Node]) -> list[str]:
        """Remove the wires on some nodes, and return the names of their connections."""
        names: dict[str, None] = {}
        for number in {self._wire_of[node] for node in nodes}:
            wire = self._wires.pop(number)
            names.update(dict.fromkeys(wire.connections))
            for node in wire.nodes:
                del self._wire_of[node]
                place = node[:2]
                rest = tuple(other for other in self._at[place] if other != node)
                if rest:
                    self._at[place] = rest
                else:
                    del self._at[place]
        return list(names)

    def finish(self) -> Netlist:
        for number, wire in self._open.items():
            self._wires[number] = wire.closed()
        return Netlist(self._wire_of.finish(), self._at.finish(), self._wires.finish(), self._next)

    def _opened(self, number: int) -> _OpenWire:
        if number not in self._open:
            wire = self._wires[number]
            self._open[number] = _OpenWire(list(wire.nodes), list(wire.connections), list(wire.tied), wire.is_sliced)
        return self._open[number]

    def _place(self, node: Node) -> None:
        """Put a node on a wire of its own, or on that of the parts of its port that it overlaps."""
        if node in self._wire_of:
            return
        number = self._next
        self._next += 1
        self._wire_of[node] = number
        self._open[number] = _OpenWire([node], [], [], bool(node[2] or node[4]))
        place = node[:2]
        others = self._at.get(place, ())
        self._at[place] = (*others, node)
        for other in others:
            if overlap(node, other):
                self._merge(self._wire_of[node], self._wire_of[other])

    def _merge(self, one: int, other: int) -> None:
        """Join two wires; the smaller moves into the larger."""
        if one == other:
            return
        a, b = self._opened(one), self._opened(other)
        if len(a.nodes) < len(b.nodes):
            one, other, a, b = other, one, b, a
        for node in b.nodes:
            self._wire_of[node] = one
        a.absorb(b)
        del self._open[other]
        self._wires.pop(other, None)


_NETLISTS: IdentityCache[FrozenMap[str, Connection], Netlist] = IdentityCache()


def netlist(design: Design) -> Netlist:
    """The wires of a design; computed once for each state of its connections."""
    return _NETLISTS.get(design.connections, lambda connections: Netlist().updated({}, (), connections.values()))


_latest: list[tuple[Design, Connection, Design]] = []
"""The last design that :func:`with_connection` made: an edit first asks what a connection would do, then makes it."""


def with_connection(design: Design, connection: Connection) -> Design:
    """Return the design with a further connection, and its netlist at the cost of that connection alone."""
    for before, added, after in _latest:
        if before is design and added is connection:
            return after
    longer = design.connections.set(connection.name, connection)
    result = with_connections(design, longer, added=(connection,))
    _latest[:] = [(design, connection, result)]
    return result


def with_connections(
    design: Design,
    connections: FrozenMap[str, Connection],
    removed: Collection[str] = (),
    added: Collection[Connection] = (),
) -> Design:
    """Return the design with other connections, and its netlist at the cost of the nets that differ.

    Args:
        connections: the new ones.
        removed: names of those of the design that are not among them, or not as they were.
        added: those among them that the design does not hold, or not so.
    """
    if connections is design.connections:
        return design
    _NETLISTS.put(connections, netlist(design).updated(design.connections, removed, added))
    return design.model_copy(update={"connections": connections})


def node_of(end: Endpoint) -> Node:
    """The place of an end in a netlist."""
    return (end.instance, end.port, end.left, (end.right or end.left) if end.left else "", end.path)


def bit_port(end: Endpoint) -> str:
    """What the bits of an end are called: by the port, and in a structured one by the way to the port inside."""
    return end.port + "".join(step for step in end.path if step.startswith(".")) if end.path else end.port


def end_of(node: Node) -> Endpoint:
    """The end that a node stands for."""
    return Endpoint(instance=node[0], port=node[1], left=node[2], right=node[3], path=node[4])


def overlap(one: Node, other: Node) -> bool:
    """Whether two parts of one port share bits; parts whose bounds are not numbers are taken to."""
    if one[4] != other[4]:
        return not any(_apart(a, b) for a, b in zip(one[4], other[4], strict=False))
    bounds = (*one[2:4], *other[2:4])
    if not all(is_plain(bound) for bound in bounds):
        return True
    a, b, c, d = (int(bound) for bound in bounds)
    return max(a, b) >= min(c, d) and max(c, d) >= min(a, b)


def _apart(one: str, other: str) -> bool:
    """Whether two steps into a port surely lead to different places."""
    return one != other and (one.startswith(".") or (is_plain(one) and is_plain(other)))
