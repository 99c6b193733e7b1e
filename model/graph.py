"""Views of a library and of its designs as networkx graphs."""

from __future__ import annotations

import networkx as nx

from model.elements import Component, Design
from model.identity_cache import IdentityCache
from model.library import Library
from model.nets import netlist
from model.vlnv import Vlnv

_USED: IdentityCache[Design, frozenset[Vlnv]] = IdentityCache()


def used_by(component: Component) -> frozenset[Vlnv]:
    """The components that are instantiated in any design of a component."""
    return frozenset[Vlnv]().union(*(_USED.get(design, _instantiated) for design in component.designs.values()))


def _instantiated(design: Design) -> frozenset[Vlnv]:
    return frozenset(instance.component for instance in design.instances.values())


def containment(library: Library, outer: Vlnv, inner: Vlnv) -> list[Vlnv]:
    """How ``outer`` contains ``inner``: the VLNVs from one to the other, both included; empty where it does not.

    A component counts as containing itself.
    """
    came_from: dict[Vlnv, Vlnv | None] = {outer: None}
    waiting = [outer]
    while waiting and inner not in came_from:
        vlnv = waiting.pop()
        component = library.find(vlnv)
        for used in sorted(used_by(component)) if component and component.designs else ():
            if used not in came_from:
                came_from[used] = vlnv
                waiting.append(used)
    if inner not in came_from:
        return []
    chain: list[Vlnv] = []
    place: Vlnv | None = inner
    while place is not None:
        chain.append(place)
        place = came_from[place]
    return chain[::-1]


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
        blocks = list(dict.fromkeys(end.instance for end in interconnection.ends))
        for block in blocks[1:]:
            graph.add_edge(blocks[0], block, connections=(interconnection.name,))
    return graph
