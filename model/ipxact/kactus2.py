"""What Kactus2 keeps of a design's picture in the vendor extensions of its file: read here, written back elsewhere.

All lengths are its scene units: y grows downwards, its grid is 10. What is kept, and where (as its example library and
its sources at github.com/kactus2/kactus2dev have it):

* ``kactus2:position`` in a component instance: the middle of the block's upper edge.
* ``kactus2:portPositions`` and ``kactus2:adHocVisibilities`` in a component instance: where the block's interfaces and
  ports stand, from there; x is negative on its left side and positive on its right.
* ``kactus2:interfaceGraphics`` and ``kactus2:adHocVisibilities`` in the design: where the wires of the design's own
  interfaces and ports begin. Of several graphics of one name, which old files hold, Kactus2 takes the first.
* ``kactus2:routes`` in the design: the corners of each connection, ends included. One without corners is routed when
  Kactus2 opens it; one that is ``offPage`` is not drawn as a line, and its corners tell nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree

from model.errors import DesignError
from model.ipxact.document import parse_document
from model.ipxact.nodes import Node, child, local, namespace_of
from model.ipxact.read_design import instance_name, instance_nodes

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Places:
    """Places by name: of the instances in a design, of its own ports and of its own interfaces."""

    instances: Mapping[str, Place] = field(default_factory=dict)
    ports: Mapping[str, Place] = field(default_factory=dict)
    interfaces: Mapping[str, Place] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.instances or self.ports or self.interfaces)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The picture of a design as its file keeps it.

    Attributes:
        ports, interfaces: where those of the instances stand, by instance and name, from the place of their block.
        routes: the corners of connections and interconnections, by name.
    """

    places: Places = field(default_factory=Places)
    ports: Mapping[tuple[str, str], Place] = field(default_factory=dict)
    interfaces: Mapping[tuple[str, str], Place] = field(default_factory=dict)
    routes: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)


def read_drawing(content: bytes, path: Path) -> Drawing:
    """What a design document keeps of its picture; nothing where the document cannot be read."""
    if b"kactus2" not in content:
        return Drawing()
    try:
        root = parse_document(content, path).root
    except DesignError:
        return Drawing()
    instances: dict[str, Place] = {}
    ports: dict[tuple[str, str], Place] = {}
    interfaces: dict[tuple[str, str], Place] = {}
    for instance in instance_nodes(root):
        name = instance_name(instance)
        place = place_of(instance_node(instance))
        if place is None:
            continue
        instances[name] = place
        for node in _members(instance, "portPositions", "portPosition"):
            _keep(interfaces, (name, node.get("busRef", "")), node)
        for node in _members(instance, "adHocVisibilities", "adHocVisible"):
            _keep(ports, (name, node.get("portName", "")), node)
    own = Places(
        instances,
        {name: place for name, node in port_nodes(root).items() if (place := place_of(node)) is not None},
        {name: place for name, node in interface_nodes(root).items() if (place := place_of(node)) is not None},
    )
    return Drawing(own, ports, interfaces, _routes(root))


def instance_node(instance: Node) -> Node | None:
    """The element with the place of an instance."""
    return next(_extensions(instance, "position"), None)


def port_nodes(root: Node) -> dict[str, Node]:
    """The elements with the places of a design's own ports, by name."""
    found: dict[str, Node] = {}
    for node in _members(root, "adHocVisibilities", "adHocVisible"):
        found.setdefault(node.get("portName", ""), node)
    return found


def interface_nodes(root: Node) -> dict[str, Node]:
    """The elements with the places of a design's own interfaces, by name."""
    found: dict[str, Node] = {}
    for graphics in _extensions(root, "interfaceGraphics"):
        inside = {local(node): node for node in graphics.iterchildren("*")}
        if "name" in inside and "position" in inside:
            found.setdefault((inside["name"].text or "").strip(), inside["position"])
    return found


def route_nodes(root: Node) -> Iterator[tuple[str, Node]]:
    """The elements with corners of wires, with the names of their connections; without those that are not lines."""
    for node in _members(root, "routes", "route"):
        if _own_attribute(node, "offPage") != "true":
            yield _own_attribute(node, "connRef"), node


def corner_nodes(route: Node) -> list[Node]:
    """The elements of a route's corners."""
    return [node for node in route.iterchildren("*") if local(node) == "position"]


def place_of(node: Node | None) -> Place | None:
    """The place that an element states, or None where it states none that is of use."""
    if node is None:
        return None
    try:
        place = float(node.get("x", "")), float(node.get("y", ""))
    except ValueError:
        return None
    return place if all(map(math.isfinite, place)) else None


def _routes(root: Node) -> dict[str, tuple[Place, ...]]:
    found: dict[str, tuple[Place, ...]] = {}
    several: set[str] = set()  # a connection of many ends has a route to each, and nothing says which is which
    for name, node in route_nodes(root):
        corners = tuple(place for each in corner_nodes(node) if (place := place_of(each)) is not None)
        if name in found:
            several.add(name)
        if len(corners) > 1:
            found[name] = corners
    return {name: corners for name, corners in found.items() if name not in several}


def _keep(found: dict[tuple[str, str], Place], key: tuple[str, str], node: Node) -> None:
    place = place_of(node)
    if place is not None:
        found[key] = place


def _extensions(node: Node, name: str) -> Iterator[Node]:
    """The extensions of that name that Kactus2 keeps in an element."""
    extensions = child(node, "vendorExtensions")
    for each in extensions.iterchildren("*") if extensions is not None else ():
        if local(each) == name and "kactus2" in namespace_of(each):
            yield each


def _members(node: Node, group: str, name: str) -> Iterator[Node]:
    """The elements of that name in the extensions named ``group``."""
    for found in _extensions(node, group):
        yield from (each for each in found.iterchildren("*") if local(each) == name)


def _own_attribute(node: Node, name: str) -> str:
    """An attribute that Kactus2 writes with its own prefix."""
    return node.get(etree.QName(namespace_of(node), name), node.get(name, ""))
