"""Nets: which ends of a design's connections are one wire, and who drives it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import immutables

from model.elements import Component, Connection, Design, Endpoint
from model.ends import Ends
from model.frozen_map import FrozenMap
from model.identity_cache import IdentityCache
from model.library import Library
from model.widths import is_plain

Node = tuple[str, str, str, str]
"""Instance ("" for the component itself), port, left and right bound of the slice ("" for all of the port)."""

MOST_BITS = 1 << 18
"""Nets of sliced ports with more bits are judged as a whole."""


@dataclass(frozen=True, slots=True)
class Net:
    """Ends that are joined, directly or through others.

    Attributes:
        name: the component's own port on it, else its driver, else its first connection.
        drivers: the ends that drive it: outputs of instances, the component's own inputs.
        connections: names of the connections that make it.
        tied: those of them that tie it to a value.
        width: in bits: that of the driver, else of the widest end; None where it has no value.
    """

    name: str
    ends: tuple[Endpoint, ...]
    drivers: tuple[Endpoint, ...]
    connections: tuple[str, ...]
    tied: tuple[str, ...]
    width: int | None


@dataclass(frozen=True, slots=True)
class Wire:
    """The bare structure of a net, without what the library says about its ends."""

    nodes: tuple[Node, ...] = ()
    connections: tuple[str, ...] = ()

    @property
    def is_sliced(self) -> bool:
        """Whether an end of it is only a part of its port."""
        return any(node[2] for node in self.nodes)


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

    def connections_at(self, instance: str, port: str, connections: FrozenMap[str, Connection]) -> list[str]:
        """Names of the connections that end at a port."""
        return [
            name
            for wire in self.wires_at(instance, port)
            for name in wire.connections
            if any(end.port == port and end.instance == instance for end in connections[name].ends)
        ]

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

    def wire_of(self, end: Endpoint) -> Wire | None:
        """The wire that an end of a connection is on."""
        number = self._wire_of.get(node_of(end))
        return None if number is None else self._wires[number]


class _Editor:
    """Adds connections to a netlist in place, on private copies that cost nothing to make."""

    def __init__(self, netlist: Netlist) -> None:
        self._wire_of = netlist._wire_of.mutate()
        self._at = netlist._at.mutate()
        self._wires = netlist._wires.mutate()
        self._next = netlist._next

    def add(self, connection: Connection) -> None:
        joined: int | None = None
        for end in connection.ends:
            number = self._number(node_of(end))
            joined = number if joined is None else self._merge(joined, number)
        if joined is not None:
            wire = self._wires[joined]
            self._wires[joined] = Wire(wire.nodes, (*wire.connections, connection.name))

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
        return Netlist(self._wire_of.finish(), self._at.finish(), self._wires.finish(), self._next)

    def _number(self, node: Node) -> int:
        known = self._wire_of.get(node)
        if known is not None:
            return known
        number = self._next
        self._next += 1
        self._wire_of[node] = number
        self._wires[number] = Wire((node,))
        place = node[:2]
        others = self._at.get(place, ())
        self._at[place] = (*others, node)
        for other in others:
            if overlap(node, other):
                number = self._merge(number, self._wire_of[other])
        return number

    def _merge(self, one: int, other: int) -> int:
        """Join two wires; the smaller moves into the larger."""
        if one == other:
            return one
        a, b = self._wires[one], self._wires[other]
        if len(a.nodes) < len(b.nodes):
            one, other, a, b = other, one, b, a
        for node in b.nodes:
            self._wire_of[node] = one
        self._wires[one] = Wire(a.nodes + b.nodes, a.connections + b.connections)
        del self._wires[other]
        return one


_NETLISTS: IdentityCache[FrozenMap[str, Connection], Netlist] = IdentityCache()


def netlist(design: Design) -> Netlist:
    """The wires of a design; computed once for each state of its connections."""
    return _NETLISTS.get(design.connections, lambda connections: Netlist().updated({}, (), connections.values()))


def with_connection(design: Design, connection: Connection) -> Design:
    """Return the design with a further connection, and its netlist at the cost of that connection alone."""
    longer = design.connections.set(connection.name, connection)
    _NETLISTS.put(longer, netlist(design).updated({}, (), (connection,)))
    return design.model_copy(update={"connections": longer})


def with_connections(design: Design, connections: FrozenMap[str, Connection]) -> Design:
    """Return the design with other connections, most of which are the same, and its netlist at the cost of the rest."""
    before = design.connections
    old, new = dict(before.items()), dict(connections.items())
    removed = [name for name, connection in old.items() if new.get(name) is not connection]
    added = [connection for name, connection in new.items() if old.get(name) is not connection]
    if len(removed) + len(added) < len(new):
        _NETLISTS.put(connections, netlist(design).updated(old, removed, added))
    return design.model_copy(update={"connections": connections})


def node_of(end: Endpoint) -> Node:
    """The place of an end in a netlist."""
    return (end.instance, end.port, end.left, (end.right or end.left) if end.left else "")


def end_of(node: Node) -> Endpoint:
    """The end that a node stands for."""
    return Endpoint(instance=node[0], port=node[1], left=node[2], right=node[3])


def overlap(one: Node, other: Node) -> bool:
    """Whether two parts of one port share bits; parts whose bounds are not numbers are taken to."""
    bounds = (*one[2:], *other[2:])
    if not all(is_plain(bound) for bound in bounds):
        return True
    a, b, c, d = (int(bound) for bound in bounds)
    return max(a, b) >= min(c, d) and max(c, d) >= min(a, b)


def nets_of(library: Library, component: Component, design: Design | None = None) -> tuple[Net, ...]:
    """The nets of a component's design (by default its first)."""
    inside = component.design if design is None else design
    ends = Ends(library, component, inside)
    return tuple(_net(ends, wire) for wire in netlist(inside).wires())


def nets_at(library: Library, component: Component, instance: str, port: str) -> tuple[Net, ...]:
    """The nets on a port of a component's first design: none, one, or several where the port is sliced."""
    ends = Ends(library, component, component.design)
    return tuple(_net(ends, wire) for wire in netlist(component.design).wires_at(instance, port))


def _net(ends: Ends, wire: Wire) -> Net:
    joined = tuple(end_of(node) for node in wire.nodes)
    drivers = tuple(end for end in joined if ends.drives(end.instance, end.port))
    connections = ends.design.connections
    tied = tuple(name for name in wire.connections if is_tied(connections[name]))
    own = next((end.port for end in joined if not end.instance), None)
    name = own or (f"{drivers[0].instance}_{drivers[0].port}" if drivers else wire.connections[0])
    widths = [ends.width(ends.resolve(end)) for end in drivers[:1] or joined]
    known = [width for width in widths if width is not None]
    return Net(name, joined, drivers, wire.connections, tied, max(known, default=None))


def is_tied(connection: Connection) -> bool:
    """Whether a connection drives its ends with a value of its own."""
    return connection.tied_value not in {"", "open"}


def contentions(ends: Ends, wire: Wire, *, by_bit: bool | None = None) -> list[tuple[str, ...]]:
    """The groups of drivers that drive the same bits of a wire; empty where all is well.

    A driver is an end, or a tie-off in the form ``the value of NAME``.

    Args:
        ends: resolves the wire's ends.
        wire: of ``ends.design``.
        by_bit: whether to judge each bit for itself; by default only where a port is sliced.
    """
    sources = _sources(ends, wire)
    if len(sources) < 2:
        return []
    if wire.is_sliced if by_bit is None else by_bit:
        groups = _bit_groups(ends, wire)
        if groups is not None:
            return list(dict.fromkeys(tuple(sorted(group)) for group in groups if len(group) > 1))
    return [tuple(sources)]


def _sources(ends: Ends, wire: Wire) -> list[str]:
    found = dict.fromkeys(_port_text(node) for node in wire.nodes if ends.drives(node[0], node[1]))
    found.update(dict.fromkeys(_tie_text(name) for name in wire.connections if is_tied(ends.design.connections[name])))
    return list(found)


def _port_text(node: Node) -> str:
    return f"{node[0]}.{node[1]}" if node[0] else node[1]


def _tie_text(connection: str) -> str:
    return f"the value of {connection}"


def _bit_groups(ends: Ends, wire: Wire) -> Iterator[list[str]] | None:
    """The drivers of each bit of a wire, or None where its bits are not known."""
    parent: dict[tuple[str, str, int], tuple[str, str, int]] = {}
    values: dict[tuple[str, str, int], list[str]] = {}

    def find(bit: tuple[str, str, int]) -> tuple[str, str, int]:
        parent.setdefault(bit, bit)
        while parent[bit] != bit:
            parent[bit] = parent[parent[bit]]
            bit = parent[bit]
        return bit

    for name in wire.connections:
        connection = ends.design.connections[name]
        columns = []
        for end in connection.ends:
            indices = ends.bits(end)
            if indices is None or len(parent) + len(indices) > MOST_BITS:
                return None
            columns.append([(end.instance, end.port, index) for index in indices])
        for column in columns:
            for bit, first in zip(column, columns[0], strict=False):
                parent[find(bit)] = find(first)
        if is_tied(connection):
            for bit in columns[0]:
                values.setdefault(bit, []).append(_tie_text(name))
    groups: dict[tuple[str, str, int], dict[str, None]] = {}
    for bit in list(parent):
        group = groups.setdefault(find(bit), {})
        if ends.drives(bit[0], bit[1]):
            group[f"{bit[0]}.{bit[1]}" if bit[0] else bit[1]] = None
        group.update(dict.fromkeys(values.get(bit, ())))
    return (list(group) for group in groups.values())


def added_contention(ends: Ends, connection: Connection) -> tuple[str, ...]:
    """The drivers of bits that a further connection would give one driver too many; empty where it is harmless.

    Nets that have several drivers already may be joined with ends that do not drive.

    Args:
        ends: of the design as it is, without the connection.
        connection: the one to add.
    """
    joined = with_connection(ends.design, connection)
    after = netlist(joined).wire_of(connection.ends[0])
    if after is None or len(_sources(Ends(ends.library, ends.component, joined), after)) < 2:
        return ()
    by_bit = after.is_sliced
    known: list[set[str]] = []
    for wire in _wires_under(netlist(ends.design), after):
        known.extend(set(group) for group in contentions(ends, wire, by_bit=by_bit))
    worse = contentions(Ends(ends.library, ends.component, joined), after, by_bit=by_bit)
    return next((group for group in worse if not any(set(group) <= old for old in known)), ())


def _wires_under(before: Netlist, after: Wire) -> list[Wire]:
    """The wires that became one."""
    found = {id(wire): wire for node in after.nodes for wire in before.wires_at(node[0], node[1])}
    return list(found.values())
