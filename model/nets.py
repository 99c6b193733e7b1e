"""Nets: wires with what the library says about them, who drives each, and where several do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.elements import Component, Connection, Design, Endpoint
from model.ends import Ends
from model.library import Library
from model.netlist import Netlist, Node, Wire, bit_port, end_of, is_tied, netlist, node_of, with_connections

__all__ = [
    "Net",
    "Netlist",
    "Node",
    "Wire",
    "added_contention",
    "contentions",
    "drivers_of",
    "end_of",
    "is_tied",
    "netlist",
    "nets_at",
    "nets_of",
    "node_of",
    "with_connections",
]

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
    made_by = wire.made_by()
    found: dict[Node, Endpoint] = {}
    for connection in made_by:
        for end in connection.ends:
            found.setdefault(node_of(end), end if end.right or not end.left else end_of(node_of(end)))
    joined = tuple(found.values())
    drivers = tuple(end for end in joined if ends.drives(end.instance, end.port))
    own = next((end.port for end in joined if not end.instance), None)
    name = own or (f"{drivers[0].instance}_{drivers[0].port}" if drivers else made_by[0].name)
    widths = [ends.width(ends.resolve(end)) for end in drivers[:1] or joined]
    known = [width for width in widths if width is not None]
    names = tuple(connection.name for connection in made_by)
    return Net(name, joined, drivers, names, wire.tied, max(known, default=None))


def drivers_of(ends: Ends, wire: Wire) -> tuple[Node, ...]:
    """The nodes that drive a wire of ``ends.design``."""
    if not _driver_count(ends, wire):
        return ()
    return tuple(node for node in wire.nodes if ends.drives(node[0], node[1]))


def _driver_count(ends: Ends, wire: Wire) -> int:
    """How many nodes drive a wire, at the cost of the different ports on it, not of their number."""
    return sum(count for kind, count in wire.kinds if ends.kind_drives(kind))


def contentions(ends: Ends, wire: Wire, *, by_bit: bool | None = None) -> list[tuple[str, ...]]:
    """The groups of drivers that drive the same bits of a wire; empty where all is well.

    A driver is an end, or a tie-off in the form ``the value of NAME``.

    Args:
        ends: resolves the wire's ends.
        wire: of ``ends.design``.
        by_bit: whether to judge each bit for itself; by default only where a port is sliced.
    """
    if _driver_count(ends, wire) + wire.tie_count < 2:
        return []
    sources = _sources(ends, wire)
    if len(sources) < 2:
        return []
    if wire.is_sliced if by_bit is None else by_bit:
        groups = _bit_groups(ends, wire)
        if groups is not None:
            return list(dict.fromkeys(tuple(sorted(group)) for group in groups if len(group) > 1))
    return [tuple(sources)]


def _sources(ends: Ends, wire: Wire) -> list[str]:
    ports = dict.fromkeys(_port_text(node[0], node[1]) for node in drivers_of(ends, wire))
    return [*ports, *map(_tie_text, wire.tied)]


def _port_text(instance: str, port: str) -> str:
    return f"{instance}.{port}" if instance else port


def _tie_text(connection: str) -> str:
    return f"the value of {connection}"


_Bit = tuple[str, str, int]


def _bit_groups(ends: Ends, wire: Wire) -> Iterator[list[str]] | None:
    """The drivers of each bit of a wire, or None where its bits are not known."""
    parent: dict[_Bit, _Bit] = {}
    values: dict[_Bit, list[str]] = {}

    def find(bit: _Bit) -> _Bit:
        parent.setdefault(bit, bit)
        while parent[bit] != bit:
            parent[bit] = parent[parent[bit]]
            bit = parent[bit]
        return bit

    for connection in wire.made_by():
        columns = []
        for end in connection.ends:
            indices = ends.bits(end)
            if indices is None or len(parent) + len(indices) > MOST_BITS:
                return None
            port = bit_port(end)
            columns.append([(end.instance, port, index) for index in indices])
        widest = max(columns, key=len)
        for column in columns:
            for bit, other in zip(column, widest, strict=False):
                parent[find(bit)] = find(other)
        if is_tied(connection):
            for bit in widest:
                values.setdefault(bit, []).append(_tie_text(connection.name))
    groups: dict[_Bit, dict[str, None]] = {}
    for bit in list(parent):
        group = groups.setdefault(find(bit), {})
        if ends.drives(bit[0], bit[1]):
            group[_port_text(bit[0], bit[1])] = None
        group.update(dict.fromkeys(values.get(bit, ())))
    return (list(group) for group in groups.values())


def added_contention(ends: Ends, connection: Connection) -> tuple[str, ...]:
    """The drivers of bits to which a further connection gives one driver too many; empty where it is harmless.

    Nets that have several drivers already may be joined with ends that do not drive.

    Args:
        ends: of the design as it is, without the connection.
        connection: the one to add.
    """
    design = ends.design
    joined = with_connections(design, design.connections.set(connection.name, connection))
    before, after = netlist(design), netlist(joined)
    wire = after.wire_of(connection.ends[0])
    later = Ends(ends.library, ends.component, joined)
    if wire is None or _driver_count(later, wire) + wire.tie_count < 2:
        return ()
    near = dict.fromkeys(part for end in connection.ends for part in before.wires_at(end.instance, end.port))
    parts = [part for part in near if part.any_node in wire]
    if len(_sources(later, wire)) < 2:
        return ()
    known = [set(group) for part in parts for group in contentions(ends, part, by_bit=wire.is_sliced)]
    worse = contentions(later, wire, by_bit=wire.is_sliced)
    return next((group for group in worse if not any(set(group) <= old for old in known)), ())
