"""Views of a library and of its designs as networkx graphs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import networkx as nx

from model.elements import Component, Design
from model.errors import DesignError, nearest
from model.frozen_map import FrozenMap
from model.interfaces import expand_interfaces
from model.library import Library
from model.nets import netlist
from model.usage import used_by
from model.vlnv import Vlnv


def hierarchy(library: Library) -> nx.MultiDiGraph[Vlnv]:
    """Who instantiates whom: an edge from parent to child for each instance, with ``view`` and ``instance``.

    Children that are missing from the library are nodes too, with ``missing`` set.
    """
    graph: nx.MultiDiGraph[Vlnv] = nx.MultiDiGraph()
    graph.add_nodes_from((component.vlnv, {"missing": False}) for component in library)
    for parent in library:
        for view, design in parent.designs.items():
            for instance in design.instances.values():
                if instance.component not in graph:
                    graph.add_node(instance.component, missing=True)
                graph.add_edge(parent.vlnv, instance.component, view=view, instance=instance.name)
    return graph


def tops(library: Library) -> list[Vlnv]:
    """The components that none instantiates, hierarchical ones first: where a reader begins."""
    used = frozenset[Vlnv]().union(*(used_by(component) for component in library))
    free = [component for component in library if component.vlnv not in used]
    return [component.vlnv for component in sorted(free, key=lambda component: component.design.is_empty)]


def connectivity(design: Design) -> nx.MultiGraph[str]:
    """Which instances are joined: an edge for each pair of ends on a wire, with its ``connections``.

    The component itself is the node "".
    """
    graph: nx.MultiGraph[str] = nx.MultiGraph()
    graph.add_nodes_from(["", *design.instances])
    for wire in netlist(design).wires():
        blocks = list(dict.fromkeys(node[0] for node in wire.nodes))
        for block in blocks[1:]:
            graph.add_edge(blocks[0], block, connections=wire.connections)
    for interconnection in design.interconnections.values():
        blocks = list(dict.fromkeys(end.instance for end in interconnection.all_ends))
        for block in blocks[1:]:
            graph.add_edge(blocks[0], block, connections=(interconnection.name,))
    return graph


PortNode = tuple[Literal["port", "net", "block"], str, str]
"""What it is, then instance and port; a net goes by its first connection, a block by its instance."""


def port_graph(library: Library, component: Component, design: Design | None = None) -> nx.Graph[PortNode]:
    """The ports of a design, the nets that join them and the blocks that they belong to.

    Interconnections count port by port. The component's own ports (instance "") belong to no block: nothing leads from
    one to another but the inside.
    """
    inside = component.design if design is None else design
    graph: nx.Graph[PortNode] = nx.Graph()
    graph.add_nodes_from(("port", "", port) for port in component.ports)
    for instance in inside.instances.values():
        owner = library.find(instance.component)
        block: PortNode = ("block", instance.name, "")
        graph.add_node(block)
        graph.add_edges_from((block, ("port", instance.name, port)) for port in (owner.ports if owner else ()))
    connections = FrozenMap((each.name, each) for each in expand_interfaces(library, component, inside).connections)
    for wire in netlist(inside.model_copy(update={"connections": connections})).wires():
        net: PortNode = ("net", "", wire.connections[0])
        graph.add_edges_from((net, ("port", node[0], node[1])) for node in wire.nodes)
    return graph


@dataclass(frozen=True, slots=True)
class Route:
    """A shortest way from one port to another.

    Attributes:
        ports: those on the way as instance and port, both ends included.
        nets: the nets on the way, each by its first connection.
    """

    ports: tuple[tuple[str, str], ...]
    nets: tuple[str, ...]

    @property
    def distance(self) -> int:
        """How many nets lie between the two ends."""
        return len(self.nets)


def route(
    library: Library,
    component: Component,
    source: tuple[str, str],
    target: tuple[str, str],
    design: Design | None = None,
) -> Route | None:
    """Return a way with the fewest nets from one port to another, through blocks, or None where there is none.

    Directions do not count: what is asked is how near two ports are.

    Args:
        source: instance ("" for the component itself) and port.

    Raises:
        DesignError: ``port-not-found``.
    """
    graph = port_graph(library, component, design)
    start: PortNode = ("port", *source)
    end: PortNode = ("port", *target)
    for port in (start, end):
        if port not in graph:
            known = [_dotted(node) for node in graph if node[0] == "port"]
            message = f"{component.vlnv} has no port {_dotted(port)} in it."
            raise DesignError("port-not-found", message, "Write instance.port, or port.", nearest(_dotted(port), known))
    try:
        # The way onto a net and the way off it cost something, those into and out of blocks nothing.
        way: list[PortNode] = nx.dijkstra_path(
            graph, start, end, weight=lambda one, other, _data: int("net" in {one[0], other[0]})
        )
    except nx.NetworkXNoPath:
        return None
    ports = tuple(node[1:] for node in way if node[0] == "port")
    return Route(ports, tuple(node[2] for node in way if node[0] == "net"))


def _dotted(node: PortNode) -> str:
    return f"{node[1]}.{node[2]}" if node[1] else node[2]
