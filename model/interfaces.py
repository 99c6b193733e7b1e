"""Connections of bus interfaces as the connections of ports that they stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from model.change import ElementId
from model.elements import BusInterface, Component, Connection, Design, Endpoint, Instance, Interconnection, PortMap
from model.findings import Finding
from model.library import Library
from model.scopes import in_parent_terms


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
    logical port: ``bus.HADDR``.
    """
    expansion = Expansion(list(design.connections.values()))
    for bus in _buses(design):
        _expand(library, component, design, bus, expansion)
    return expansion


def _buses(design: Design) -> list[Interconnection]:
    """The interconnections, those that share an interface put together."""
    buses: list[Interconnection] = []
    for interconnection in design.interconnections.values():
        shared = [bus for bus in buses if set(bus.ends) & set(interconnection.ends)]
        ends = dict.fromkeys(end for each in (*shared, interconnection) for end in each.ends)
        joined = (shared[0] if shared else interconnection).model_copy(update={"ends": tuple(ends)})
        if shared:
            buses[buses.index(shared[0])] = joined
            buses = [bus for bus in buses if bus not in shared[1:]]
        else:
            buses.append(joined)
    return buses


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
    rows = [_rows(end.interface) for end in ends]
    for logical in dict.fromkeys(name for each in rows for name in each):
        found = [(end, each[logical]) for end, each in zip(ends, rows, strict=True) if logical in each]
        if len(found) < 2:
            continue
        if any(len(maps) > 1 for _end, maps in found):
            report("logical-port-split", f"{logical} is mapped in several pieces and is not joined.")
            continue
        endpoints = [_endpoint(end, maps[0]) for end, maps in found]
        known = tuple(endpoint for endpoint in endpoints if endpoint is not None)
        if len(known) < len(endpoints):
            report("bad-slice", f"a slice that {logical} is mapped to has no value, so it is not joined.")
        else:
            expansion.connections.append(Connection(name=f"{bus.name}.{logical}", ends=known))


def _rows(interface: BusInterface) -> dict[str, list[PortMap]]:
    found: dict[str, list[PortMap]] = {}
    for row in _mapped(interface):
        found.setdefault(row.logical, []).append(row)
    return found


def _mapped(interface: BusInterface) -> Iterator[PortMap]:
    return (row for row in interface.port_maps if row.physical)


def _endpoint(end: _End, row: PortMap) -> Endpoint | None:
    left = in_parent_terms(row.left, end.owner, end.instance)
    right = in_parent_terms(row.right, end.owner, end.instance)
    if left is None or right is None:
        return None
    name = end.instance.name if end.instance is not None else ""
    return Endpoint(instance=name, port=row.physical, left=left, right=right)
