"""The wires of a design: which ends of its connections are one, found again at the cost of what an edit changes."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from model.elements import Connection, Design, Endpoint
from model.frozen_map import Fact, FrozenMap
from model.wiring import (
    Connections,
    Kind,
    Node,
    Strand,
    Wiring,
    bit_port,
    end_of,
    is_tied,
    node_of,
    overlap,
    wired,
)

__all__ = [
    "Netlist",
    "Node",
    "Wire",
    "bit_port",
    "end_of",
    "is_tied",
    "netlist",
    "node_of",
    "overlap",
    "with_connections",
]


class Wire:
    """The bare structure of a net, without what the library says about its ends."""

    __slots__ = ("_connections", "_nodes", "_strand")

    def __init__(self, strand: Strand, connections: Connections) -> None:
        self._strand = strand
        self._connections = connections
        self._nodes: tuple[Node, ...] | None = None

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Its nodes, in the order in which its connections name them."""
        if self._nodes is None:
            ends = (end for connection in self.made_by() for end in connection.ends)
            self._nodes = tuple(dict.fromkeys(map(node_of, ends)))
        return self._nodes

    @property
    def first(self) -> Connection:
        """The first of its connections in the design."""
        return self._connection(min(self._strand.connections))

    def made_by(self) -> list[Connection]:
        """The connections that make it, in the order of the design."""
        return [self._connection(place) for place in sorted(self._strand.connections)]

    @property
    def any_node(self) -> Node:
        """One of its nodes, whichever is quickest."""
        return next(iter(self._strand.nodes))

    @property
    def tie_count(self) -> int:
        """How many of its connections tie it to a value."""
        return len(self._strand.tied)

    @property
    def connections(self) -> tuple[str, ...]:
        """Names of the connections that make it, in the order of the design."""
        return tuple(connection.name for connection in self.made_by())

    @property
    def tied(self) -> tuple[str, ...]:
        """Those of its connections that tie it to a value."""
        return tuple(self._connection(place).name for place in sorted(self._strand.tied))

    @property
    def is_sliced(self) -> bool:
        """Whether a part of a port is on it."""
        return self._strand.sliced > 0

    @property
    def kinds(self) -> Iterable[tuple[Kind, int]]:
        """How many of its nodes are which port of which component, at the cost of those."""
        return self._strand.kinds.items()

    def __len__(self) -> int:
        return len(self._strand.nodes)

    def __contains__(self, node: object) -> bool:
        return node in self._strand.nodes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wire) and self._strand is other._strand

    def __hash__(self) -> int:
        return id(self._strand)

    def _connection(self, place: int) -> Connection:
        entry = self._connections.at(place)
        if entry is None:
            raise KeyError(place)
        return entry[2]


class Netlist:
    """The wires of a design.

    Two parts of one port are on the same wire only if they overlap; bounds that are not numbers count as overlapping.
    """

    __slots__ = ("_connections", "wiring")

    def __init__(self, wiring: Wiring, connections: Connections) -> None:
        self.wiring = wiring
        self._connections = connections

    def __len__(self) -> int:
        return len(self.wiring.strands)

    def wires(self) -> list[Wire]:
        """All wires, in the order in which the connections name them."""
        strands = sorted(self.wiring.strands.values(), key=lambda strand: min(strand.connections))
        return [Wire(strand, self._connections) for strand in strands]

    def wires_at(self, instance: str, port: str) -> list[Wire]:
        """The wires on a port: none, one, or several where the port is sliced."""
        wiring = self.wiring
        ports = wiring.at.get(instance)
        nodes = ports.get(port, ()) if ports is not None else ()
        return [self.wire(number) for number in dict.fromkeys(wiring.wire_of[node] for node in nodes)]

    def is_joined(self, instance: str, port: str) -> bool:
        """Whether a connection ends at a port or at a part of it."""
        ports = self.wiring.at.get(instance)
        return ports is not None and port in ports

    def wire_at(self, node: Node) -> Wire | None:
        """The wire that a node is on."""
        number = self.wiring.wire_of.get(node)
        return None if number is None else self.wire(number)

    def wire_of(self, end: Endpoint) -> Wire | None:
        """The wire that an end of a connection is on."""
        return self.wire_at(node_of(end))

    def connections_at(self, places: Iterable[tuple[str, str | None]]) -> list[Connection]:
        """The connections that end at some ports, or with None for the port anywhere at an instance, in order."""
        wiring = self.wiring
        found: set[int] = set()
        for instance, port in places:
            ports = wiring.at.get(instance)
            if ports is None:
                continue
            for nodes in ports.values() if port is None else (ports.get(port, ()),):
                for node in nodes:
                    found.update(wiring.uses[node])
        return self._placed(found)

    def connections_of(self, end: Endpoint, other: Endpoint | None = None) -> list[Connection]:
        """The connections that end at an end, and where it is given at another one, too, in order."""
        places: Collection[int] = self.wiring.uses.get(node_of(end), ())
        if other is not None:
            few, many = sorted((places, self.wiring.uses.get(node_of(other), ())), key=len)
            places = [place for place in few if place in many]
        return self._placed(places)

    def _placed(self, places: Iterable[int]) -> list[Connection]:
        entries = (self._connections.at(place) for place in sorted(places))
        return [entry[2] for entry in entries if entry is not None]

    def number_of(self, end: Endpoint) -> int:
        """The number of the wire that an end of one of the connections is on."""
        return self.wiring.wire_of[node_of(end)]

    def wire(self, number: int) -> Wire:
        """The wire of a number in the wiring."""
        return Wire(self.wiring.strands[number], self._connections)


_WIRINGS: Fact[str, Connection, Wiring] = Fact(Wiring.followed)


def netlist(design: Design) -> Netlist:
    """The wires of a design; what is known of an earlier state of it is brought up to date."""
    connections, instances = design.connections, design.instances
    found = _WIRINGS.of(connections, lambda: wired(connections, instances))
    if found.instances is not instances:
        found = found.moved_to(instances)
        _WIRINGS.put(connections, found)
    return Netlist(found, connections)


def with_connections(design: Design, connections: FrozenMap[str, Connection]) -> Design:
    """Return the design with other connections; itself where they are its own."""
    return design if connections is design.connections else design.model_copy(update={"connections": connections})
