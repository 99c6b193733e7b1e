"""Places of blocks and ports, written back into the vendor extensions in which Kactus2 keeps them.

Only what has a place there gets another. The routes of wires whose ends have moved go with them where both ends moved
alike; else they lose their corners, since Kactus2 draws a route as it stands, whether or not it still meets its ends,
and makes a new one where there are none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from model.errors import DesignError
from model.files import Source
from model.ipxact.atomic import write_files
from model.ipxact.document import parse_document, read_bytes
from model.ipxact.kactus2 import (
    Place,
    Places,
    corner_nodes,
    instance_node,
    interface_nodes,
    place_of,
    port_nodes,
    route_nodes,
)
from model.ipxact.nodes import Node, attribute
from model.ipxact.read_component import name_of
from model.ipxact.read_design import (
    connection_nodes,
    end_nodes,
    instance_name,
    instance_nodes,
    instance_reference,
    interconnection_name,
    interconnection_nodes,
    interface_ends,
)
from model.ipxact.splice import Splicer
from model.vlnv import Vlnv
from model.workspace import Workspace

_End = tuple[str, str]
"""What an end of a wire moves with: an instance and "", or "" and the design's own port or interface (with ``*``)."""


def with_places(content: bytes, path: Path, places: Places) -> bytes:
    """The document with other places for what has one, and without the corners of wires that no longer fit.

    Nothing else differs.

    Raises:
        DesignError: the document cannot be read.
    """
    document = parse_document(content, path)
    root, splicer = document.root, Splicer(document)
    moved: dict[_End, Place] = {}

    def move(end: _End, node: Node | None, place: Place | None) -> None:
        before = place_of(node)
        if node is not None and before is not None and place is not None and before != place:
            _set_place(splicer, node, place)
            moved[end] = place[0] - before[0], place[1] - before[1]

    for instance in instance_nodes(root):
        name = instance_name(instance)
        move((name, ""), instance_node(instance), places.instances.get(name))
    for name, node in port_nodes(root).items():
        move(("", name), node, places.ports.get(name))
    for name, node in interface_nodes(root).items():
        move(("", f"{name}*"), node, places.interfaces.get(name))
    if moved:
        ends_of = _ends_by_connection(root)
        for name, route in route_nodes(root):
            shifts = {moved.get(end) for end in ends_of.get(name, ())}
            if shifts - {None}:
                _shift(splicer, route, shifts.pop() if len(shifts) == 1 else None)
    return document.encode(splicer.result())


def save_places(workspace: Workspace, vlnv: Vlnv, places: Places) -> Path | None:
    """Write the places into the design file of a component's first view; return its path, or None without one.

    Raises:
        DesignError: ``changed-on-disk``: another program has changed the file; ``cannot-write``.
    """
    with workspace.lock:
        source = workspace.sources.get(vlnv)
        view = source.component.view if source is not None else ""
        design = source.designs.get(view) if source is not None else None
        if source is None or design is None:
            return None
        content = with_places(design.content, design.path, places)
        if content == design.content:
            return design.path
        if read_bytes(design.path) != design.content:
            raise DesignError(
                "changed-on-disk",
                f"The places of the blocks were not written to {design.path}: another program has changed it.",
                "Load it again, then move the blocks.",
            )
        write_files([(design.path, content)])
        designs = {**source.designs, view: replace(design, content=content)}
        workspace.sources[vlnv] = Source(source.path, source.content, source.component, designs)
        return design.path


def _set_place(splicer: Splicer, node: Node, place: Place) -> None:
    splicer.set_attribute(node, "x", _number(place[0]))
    splicer.set_attribute(node, "y", _number(place[1]))


def _number(value: float) -> str:
    """A length as Kactus2 reads it: whole numbers without a point, and never an exponent."""
    return f"{value + 0.0:.3f}".rstrip("0").rstrip(".")


def _shift(splicer: Splicer, route: Node, by: Place | None) -> None:
    """Move the corners of a route, or take them away where ``by`` is None."""
    for node in corner_nodes(route):
        place = place_of(node)
        if by is None or place is None:
            splicer.remove(node)
        else:
            _set_place(splicer, node, (place[0] + by[0], place[1] + by[1]))


def _ends_by_connection(root: Node) -> Mapping[str, list[_End]]:
    found: dict[str, list[_End]] = {}
    for link in interconnection_nodes(root):
        ends = found.setdefault(interconnection_name(link), [])
        ends.extend(
            (each.instance, "") if each.instance else ("", f"{each.interface}*") for each in interface_ends(link)
        )
    for wire in connection_nodes(root):
        ends = found.setdefault(name_of(wire), [])
        for node in end_nodes(wire):
            instance = instance_reference(node)
            ends.append((instance, "") if instance else ("", attribute(node, "portRef")))
    return found
