"""The places that Kactus2 keeps in the vendor extensions of a design: read, and spliced back one by one.

Kactus2 stores, in every component instance, ``<kactus2:position x= y=>``: the middle of the block's upper edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from model.errors import DesignError
from model.files import DesignSource, Source
from model.ipxact.atomic import write_files
from model.ipxact.document import parse_document, read_bytes
from model.ipxact.nodes import Node, child, local, namespace_of
from model.ipxact.read_design import instance_name, instance_nodes
from model.ipxact.splice import Splicer
from model.vlnv import Vlnv
from model.workspace import Workspace

Place = tuple[float, float]


def read_places(content: bytes, path: Path) -> dict[str, Place]:
    """The place of every instance of a design document that has one; none where the document cannot be read."""
    places: dict[str, Place] = {}
    if b"kactus2" not in content:
        return places
    try:
        root = parse_document(content, path).root
    except DesignError:
        return places
    for instance in instance_nodes(root):
        node = _position(instance)
        if node is not None:
            try:
                places[instance_name(instance)] = (float(node.get("x", "")), float(node.get("y", "")))
            except ValueError:
                continue
    return places


def with_places(content: bytes, path: Path, places: Mapping[str, Place]) -> bytes:
    """The document with other places for instances that have one; nothing else differs.

    Raises:
        DesignError: the document cannot be read.
    """
    document = parse_document(content, path)
    splicer = Splicer(document)
    for instance in instance_nodes(document.root):
        node, place = _position(instance), places.get(instance_name(instance))
        if node is not None and place is not None:
            splicer.set_attribute(node, "x", f"{place[0]:g}")
            splicer.set_attribute(node, "y", f"{place[1]:g}")
    return document.encode(splicer.result())


def save_places(workspace: Workspace, vlnv: Vlnv, places: Mapping[str, Place]) -> Path | None:
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
        designs = {**source.designs, view: DesignSource(design.path, content)}
        workspace.sources[vlnv] = Source(source.path, source.content, source.component, designs)
        return design.path


def _position(instance: Node) -> Node | None:
    extensions = child(instance, "vendorExtensions")
    if extensions is None:
        return None
    return next(
        (
            node
            for node in extensions.iterchildren("*")
            if local(node) == "position" and "kactus2" in namespace_of(node)
        ),
        None,
    )
