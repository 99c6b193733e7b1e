"""Checks of what connections of bus interfaces stand for: the ports that they join."""

from __future__ import annotations

from collections.abc import Iterator

from model.checks.declarations import finding
from model.elements import Component, Connection, Design
from model.ends import Ends
from model.findings import Finding
from model.frozen_map import FrozenMap
from model.interfaces import expand_interfaces
from model.joining import width_problem
from model.library import Library
from model.nets import contentions, end_of, netlist


def check_buses(library: Library, component: Component, design: Design) -> Iterator[Finding]:
    """Widths that differ, and several drivers, on what interconnections join port by port.

    Both are warnings: on a bus with several targets only one may drive at a time.
    """
    if design.interconnections:
        yield from check_bus_widths(library, component, design)
        yield from _several_drivers(library, component, design)


def check_bus_widths(library: Library, component: Component, design: Design) -> Iterator[Finding]:
    """Widths that differ on what interconnections join port by port."""
    ends = Ends(library, component, design)
    for each in _joined(library, component, design):
        found = [ends.resolve(end) for end in each.ends]
        for other in found[1:]:
            if problem := width_problem(ends, found[0], other):
                message = f"{_logical(design, each)} of {_bus(design, each)}: {problem.message}"
                yield finding("warning", problem.code, message, component, "interconnection", _bus(design, each))


def _joined(library: Library, component: Component, design: Design) -> list[Connection]:
    """The connections that interconnections stand for."""
    if not design.interconnections:
        return []
    expanded = expand_interfaces(library, component, design).connections
    return [each for each in expanded if each.name not in design.connections]


def _several_drivers(library: Library, component: Component, design: Design) -> Iterator[Finding]:
    joined = _joined(library, component, design)
    everything = FrozenMap((each.name, each) for each in (*design.connections.values(), *joined))
    whole = design.model_copy(update={"connections": everything})
    ends = Ends(library, component, whole)
    names = {each.name: each for each in joined}
    for wire in netlist(whole).wires():
        bus = next((names[name] for name in wire.connections if name in names), None)
        if bus is None:
            continue
        for group in contentions(ends, wire):
            message = (
                f"{_logical(design, bus)} of {_bus(design, bus)} ({end_of(wire.nodes[0])}) has more than one driver: "
            )
            yield finding(
                "warning",
                "several-drivers",
                f"{message}{' and '.join(group)}.",
                component,
                "interconnection",
                _bus(design, bus),
            )


def _bus(design: Design, connection: Connection) -> str:
    """The interconnection that a connection stands for a part of; both may hold dots in their names."""
    name = connection.name
    while name not in design.interconnections:
        name = name.rpartition(".")[0]
    return name


def _logical(design: Design, connection: Connection) -> str:
    return f"Logical port {connection.name.removeprefix(_bus(design, connection)).lstrip('.')}"
