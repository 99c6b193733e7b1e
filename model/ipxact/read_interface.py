"""Reads the bus interfaces of a component document, with what their ports are mapped to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import get_args

from model.change import ElementId
from model.elements import BusInterface, InterfaceMode, PortMap
from model.ipxact.nodes import Node, child, children, local, reference, text
from model.ipxact.report import Report
from model.vlnv import Vlnv

MODES: dict[str, InterfaceMode] = {
    "master": "initiator",
    "slave": "target",
    "mirroredMaster": "mirroredInitiator",
    "mirroredSlave": "mirroredTarget",
    **{mode: mode for mode in get_args(InterfaceMode)},
}


def bus_interface_nodes(root: Node) -> Iterator[Node]:
    """The bus interface elements of a component."""
    return children(child(root, "busInterfaces"), "busInterface")


def read_bus_interfaces(
    root: Node, vlnv: Vlnv, to_names: Callable[[str], str], report: Report
) -> Iterator[tuple[str, BusInterface]]:
    """Read all bus interfaces of a component."""
    for name, node in report.keyed(bus_interface_nodes(root), lambda node: text(node, "name"), "bus interface"):
        where = ElementId(vlnv, "bus_interface", name)
        mode = mode_node(node)
        if mode is None:
            report.add("error", "mode-missing", f"Bus interface {name} has no mode; taken as system.", node, where)
        bus_type = reference(child(node, "busType"))
        if bus_type is None:
            report.add("error", "bad-reference", f"Bus interface {name} does not say its bus type.", node, where)
        yield (
            name,
            BusInterface(
                name=name,
                mode=MODES[local(mode)] if mode is not None else "system",
                bus_type=bus_type or Vlnv("", "", "", ""),
                port_maps=tuple(read_port_map(each, to_names) for each in port_map_nodes(node)),
                description=text(node, "description"),
            ),
        )


def mode_node(interface: Node) -> Node | None:
    """The element whose name is the mode of a bus interface."""
    return next(children(interface, *MODES), None)


def port_map_nodes(interface: Node) -> list[Node]:
    """The port maps of all abstractions of a bus interface that name a physical port or a value."""
    found = [*children(child(interface, "portMaps"), "portMap")]
    for abstraction in children(child(interface, "abstractionTypes"), "abstractionType"):
        found.extend(children(child(abstraction, "portMaps"), "portMap"))
    return [node for node in found if text(node, "physicalPort", "name") or text(node, "logicalTieOff")]


def read_port_map(node: Node, to_names: Callable[[str], str]) -> PortMap:
    """Read one row of a bus interface."""
    physical, logical = physical_bounds(node), logical_bounds(node)
    return PortMap(
        logical=text(node, "logicalPort", "name"),
        physical=text(node, "physicalPort", "name"),
        left=to_names(text(physical, "left")),
        right=to_names(text(physical, "right")),
        logical_left=to_names(text(logical, "left")),
        logical_right=to_names(text(logical, "right")),
        tie_off=to_names(text(node, "logicalTieOff")),
    )


def physical_bounds(node: Node) -> Node | None:
    """The element with the bounds of a row's part of the physical port."""
    bounds = child(node, "physicalPort", "partSelect", "range")
    return bounds if bounds is not None else child(node, "physicalPort", "vector")


def logical_bounds(node: Node) -> Node | None:
    """The element with the bounds of a row's part of the logical port."""
    bounds = child(node, "logicalPort", "range")
    return bounds if bounds is not None else child(node, "logicalPort", "vector")
