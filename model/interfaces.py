"""Connections of bus interfaces as the connections of ports that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from model.change import ElementId
from model.elements import (
    BusInterface,
    Component,
    Connection,
    Design,
    Endpoint,
    Instance,
    Interconnection,
    InterfaceEnd,
    PortMap,
)
from model.ends import Ends
from model.findings import Finding
from model.library import Library
from model.scopes import in_parent_terms
from model.widths import slice_bounds

_Report = Callable[[str, str], None]


@dataclass
class Expansion:
    """All connections of a design, those of interfaces written out port by port.

    Attributes:
        findings: what could not be written out.
    """

    connections: list[Connection] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def expand_interfaces(library: Library, component: Component, design: Design) -> Expansion:
    """Write out the interconnections of a design: ports that map the same logical port are joined.

    Interconnections that share an interface are one bus, on which a logical port is one net, whether the shared
    interface maps it or not. A connection that comes from a bus is called after its first interconnection and the
    logical port: ``bus.HADDR``, with a number behind where the port is mapped in parts. Monitors only watch: their
    ports take part like those of the interface that they watch.
    """
    expansion = Expansion(list(design.connections.values()))
    for bus in _buses(design):
        _expand(library, component, design, bus, expansion)
    return expansion


def _buses(design: Design) -> list[Interconnection]:
    """The interconnections, those that share an interface put together."""
    members: dict[str, dict[InterfaceEnd, None]] = {}
    bus_of: dict[InterfaceEnd, str] = {}
    for interconnection in design.interconnections.values():
        known = dict.fromkeys(bus_of[end] for end in interconnection.all_ends if end in bus_of)
        first, *others = [*known] or [interconnection.name]
        ends = members.setdefault(first, {})
        for other in others:
            ends.update(members.pop(other))
        ends.update(dict.fromkeys(interconnection.all_ends))
        bus_of.update(dict.fromkeys(ends if others else interconnection.all_ends, first))
    return [Interconnection(name=name, ends=tuple(ends)) for name, ends in members.items()]


@dataclass(frozen=True)
class _End:
    instance: Instance | None
    owner: Component
    interface: BusInterface


def _expand(library: Library, component: Component, design: Design, bus: Interconnection, expansion: Expansion) -> None:
    def report(code: str, message: str) -> None:
        where = ElementId(component.vlnv, "interconnection", bus.name)
        expansion.findings.append(Finding("warning", code, f"Interconnection {bus.name}: {message}", where))

    ends: list[_End] = []
    for end in bus.ends:
        instance = design.instances.get(end.instance) if end.instance else None
        owner = component if not end.instance else library.find(instance.component) if instance is not None else None
        interface = owner.bus_interfaces.get(end.interface) if owner is not None else None
        if owner is None or interface is None:
            report("interface-not-joined", f"the ports of {end} are not joined, because it is not known.")
        else:
            ends.append(_End(instance, owner, interface))
    for logical in dict.fromkeys(row.logical for end in ends for row in _mapped(end.interface)):
        maps = [(end, [row for row in _mapped(end.interface) if row.logical == logical]) for end in ends]
        maps = [(end, rows) for end, rows in maps if rows]
        if len(maps) < 2:
            continue
        if all(len(rows) == 1 and not rows[0].logical_left for _end, rows in maps):
            _join_whole(bus, logical, [(end, rows[0]) for end, rows in maps], expansion, report)
        else:
            _join_parts(library, component, design, bus, logical, maps, expansion, report)


def _join_whole(
    bus: Interconnection, logical: str, maps: list[tuple[_End, PortMap]], expansion: Expansion, report: _Report
) -> None:
    """Join the ports that each side maps the whole logical port to: widths may still be expressions."""
    endpoints = [_endpoint(end, row) for end, row in maps]
    known = tuple(endpoint for endpoint in endpoints if endpoint is not None)
    if len(known) < len(endpoints):
        report("bad-slice", f"a slice that {logical} is mapped to has no value, so it is not joined.")
    else:
        expansion.connections.append(Connection(name=f"{bus.name}.{logical}", ends=known))


@dataclass(frozen=True)
class _Piece:
    """A part of a port for a part of a logical port: the lowest bits of both, and how many bits they are."""

    end: Endpoint
    lowest: int
    logical: int
    width: int
    is_whole: bool

    def part(self, first: int, last: int) -> Endpoint:
        """What stands for these bits of the logical port."""
        if self.is_whole and (first, last) == (self.logical, self.logical + self.width - 1):
            return self.end.model_copy(update={"left": "", "right": ""})
        low, high = (self.lowest + bit - self.logical for bit in (first, last))
        return self.end.model_copy(update={"left": str(high), "right": str(low)})


def _join_parts(
    library: Library,
    component: Component,
    design: Design,
    bus: Interconnection,
    logical: str,
    maps: list[tuple[_End, list[PortMap]]],
    expansion: Expansion,
    report: _Report,
) -> None:
    """Join ports that are mapped to parts of a logical port, part by part, with present values of all parameters."""
    resolver = Ends(library, component, design)
    sides: list[list[_Piece]] = []
    for end, rows in maps:
        pieces = [_piece(resolver, end, row) for row in rows]
        if None in pieces:
            report("logical-port-split", f"the parts that {logical} is mapped to have no value, so it is not joined.")
            return
        sides.append([piece for piece in pieces if piece is not None])
    marks = sorted(
        {mark for pieces in sides for piece in pieces for mark in (piece.logical, piece.logical + piece.width)}
    )
    for number, (first, after) in enumerate(pairwise(marks)):
        joined = tuple(
            piece.part(first, after - 1)
            for pieces in sides
            for piece in pieces
            if piece.logical <= first and after <= piece.logical + piece.width
        )
        if len(joined) > 1:
            name = f"{bus.name}.{logical}.{number}" if len(marks) > 2 else f"{bus.name}.{logical}"
            expansion.connections.append(Connection(name=name, ends=joined))


def _piece(resolver: Ends, end: _End, row: PortMap) -> _Piece | None:
    endpoint = _endpoint(end, row)
    bits = resolver.bits(endpoint) if endpoint is not None else None
    if endpoint is None or not bits:
        return None
    overrides = resolver.overrides(end.instance)
    known = slice_bounds(row.logical_left, row.logical_right or row.logical_left, end.owner, overrides)
    logical = known if row.logical_left else (len(bits) - 1, 0)
    if logical is None or abs(logical[0] - logical[1]) + 1 != len(bits) or bits != list(range(bits[0], bits[-1] + 1)):
        return None
    return _Piece(endpoint, bits[0], min(logical), len(bits), not row.left)


def _mapped(interface: BusInterface) -> Iterator[PortMap]:
    return (row for row in interface.port_maps if row.physical)


def _endpoint(end: _End, row: PortMap) -> Endpoint | None:
    left = in_parent_terms(row.left, end.owner, end.instance)
    right = in_parent_terms(row.right, end.owner, end.instance)
    if left is None or right is None:
        return None
    name = end.instance.name if end.instance is not None else ""
    return Endpoint(instance=name, port=row.physical, left=left, right=right)
