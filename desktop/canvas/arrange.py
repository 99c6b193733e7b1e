"""Keeping a layout while the design changes: what stood stays, what is new finds a place, wires follow. No Qt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from desktop.canvas.diagram import Branch, Diagram, node_of
from desktop.canvas.layout import (
    GAP,
    GRID,
    ROW,
    BlockLayout,
    EdgeRoute,
    Layout,
    NodeShape,
    Point,
    PortAnchor,
    anchor_of,
)
from desktop.canvas.placing import MARGIN, Everywhere, Nearby, Placer
from desktop.canvas.routing import Obstacles, direct_route, route, search_area


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A layout that was carried over to another diagram.

    Attributes:
        placed: keys of the nodes that had no place before.
        stale: keys of the branches whose course is only provisional.
        resized: keys of the nodes that have another size.
        nodes, edges: keys of what stands otherwise, came or went.
    """

    layout: Layout
    placed: tuple[str, ...]
    stale: frozenset[str]
    resized: frozenset[str]
    nodes: frozenset[str]
    edges: frozenset[str]


def carry_over(
    old: Layout,
    diagram: Diagram,
    known: Mapping[str, NodeShape],
    loose: Collection[str] = (),
    before: Diagram | None = None,
    nearby: Nearby | None = None,
) -> Arrangement:
    """Give every node and wire of ``diagram`` a place, moving nothing that has one.

    Args:
        old: the places so far.
        diagram: what is to be shown.
        known: the shapes of its nodes.
        loose: nodes that may be placed anew (they were placed before their connections were known).
        before: the diagram of ``old``; wires that are as they were need not be looked at.
        nearby: finds nodes and wires of ``old``.
    """
    nearby = nearby if nearby is not None else Everywhere(old)
    nodes = dict(old.nodes)
    # Where the diagram is known from which this one was made, only what differs has to be looked at.
    difference = diagram.difference_from(before) if before is not None else None
    keys: Collection[str] = {**old.nodes, **known}
    if difference is not None:
        keys = {*difference.nodes, *diagram.terminals, *loose}
    leaving = {key: nodes.pop(key) for key in keys if key in nodes and key not in known}
    for key in loose:
        nodes.pop(key, None)
    resized = _resize(nodes, keys, diagram, known)
    affected = resized | _make_room(nodes, old, resized)
    missing = [key for key in keys if key in known and key not in nodes]
    order = {key: index for index, key in enumerate(known)} if len(missing) > 1 else {}
    placed = tuple(sorted(missing, key=lambda key: order.get(key, 0)))
    if placed:
        placer = Placer(nodes, diagram, known, nearby, leaving)
        for key in sorted(placed, key=lambda key: (key in diagram.terminals, order.get(key, 0))):
            placer.place(key)
    affected.update(placed)
    layout = Layout(nodes)
    edges = dict(old.edges)
    doubtful = edges.keys() | diagram.branches.keys() if difference is None else difference.branches
    gone = [key for key in doubtful if key in edges and key not in diagram.branches]
    for key in gone:
        del edges[key]
    suspects = {key: diagram.branches[key] for key in doubtful if key in diagram.branches}
    # A pin may stand elsewhere in a block of the same size.
    redrawn = affected.union(difference.nodes if difference is not None else ())
    suspects |= {branch.key: branch for key in redrawn for branch in diagram.at_node(key)}
    for key in placed:
        suspects |= {
            wire: diagram.branches[wire]
            for wire in nearby.wires_in(nodes[key])
            if wire in edges and _runs_through(edges[wire], nodes[key])
        }
    stale: set[str] = set()
    for key, branch in suspects.items():
        source, target = _anchors(branch, diagram, layout, known)
        course = edges.get(key)
        if source is None or target is None:
            if edges.pop(key, None) is not None:
                gone.append(key)
        elif course is None or not _still_fits(course, source, target) or _hits(course, nodes, placed):
            edges[key] = EdgeRoute(direct_route(source, target))
            stale.add(key)
    return Arrangement(
        Layout(nodes, edges),
        placed,
        frozenset(stale),
        frozenset(resized),
        frozenset(affected.union(leaving)),
        frozenset(stale.union(gone)),
    )


def _resize(
    nodes: dict[str, BlockLayout], keys: Iterable[str], diagram: Diagram, known: Mapping[str, NodeShape]
) -> set[str]:
    """Give those nodes that have another size now that size, and return which."""
    resized: set[str] = set()
    for key in keys:
        place, shape = nodes.get(key), known.get(key)
        if place is None or shape is None or (place.width, place.height) == (shape.width, shape.height):
            continue
        resized.add(key)
        terminal = diagram.terminals.get(key)
        # The wire of an input leaves on the right.
        x = place.right - shape.width if terminal is not None and terminal.pin.stands == "W" else place.x
        nodes[key] = BlockLayout(x, place.y, shape.width, shape.height)
    return resized


def reroute(
    layout: Layout, diagram: Diagram, known: Mapping[str, NodeShape], keys: Collection[str]
) -> dict[str, EdgeRoute]:
    """Route the named wires around blocks and return their courses; nothing else changes."""
    edges = {key: course for key, course in layout.edges.items() if key not in keys}
    boxes = {key: _box_of(course) for key, course in edges.items()}
    result: dict[str, EdgeRoute] = {}
    by_net: dict[str, list[Branch]] = defaultdict(list)
    for key in layout.edges:
        if key in keys:
            branch = diagram.branches[key]
            by_net[branch.net].append(branch)
    for net, wanted in by_net.items():
        for branch in sorted(wanted, key=lambda branch: _length(branch, diagram, layout, known)):
            source, target = _anchors(branch, diagram, layout, known)
            if source is None or target is None:
                continue
            area = search_area(source, target)
            blocks = tuple(node for node in layout.nodes.values() if node.overlaps(area))
            near = [key for key, box in boxes.items() if box.overlaps(area)]
            others = tuple(
                segment for key in near if diagram.branches[key].net != net for segment in pairwise(edges[key].points)
            )
            trunk = [
                edges[other.key].points
                for other in diagram.at_node(node_of(branch.source))
                if other.net == net and other.key in edges and other.source == branch.source
            ]
            course = route(source, target, Obstacles(blocks, others), trunk)
            edges[branch.key] = result[branch.key] = course
            boxes[branch.key] = _box_of(course)
    return result


def around(
    layout: Layout, diagram: Diagram, known: Mapping[str, NodeShape], keys: Collection[str], nearby: Nearby
) -> Layout:
    """The part of a layout that matters to the courses of the named wires."""
    nodes: dict[str, BlockLayout] = {}
    edges: dict[str, EdgeRoute] = {key: layout.edges[key] for key in keys if key in layout.edges}
    for key in edges.keys() & diagram.branches.keys():
        branch = diagram.branches[key]
        source, target = _anchors(branch, diagram, layout, known)
        if source is None or target is None:
            continue
        area = search_area(source, target)
        trunk = [other.key for other in diagram.at_node(node_of(branch.source)) if other.source == branch.source]
        wires = (*nearby.wires_in(area), *trunk)
        edges |= {wire: layout.edges[wire] for wire in wires if wire in layout.edges and wire in diagram.branches}
        near = (*nearby.nodes_in(area), node_of(branch.source), node_of(branch.target))
        nodes |= {node: layout.nodes[node] for node in near if node in layout.nodes}
    return Layout(nodes, edges)


def grid_layout(diagram: Diagram, known: Mapping[str, NodeShape]) -> Layout:
    """Blocks in rows, own ports at the borders: where ELK cannot be used. Wires run straight to their pins."""
    blocks = list(diagram.blocks)
    columns = max(1, round((len(blocks) * 1.4) ** 0.5))
    cell = max((known[key].width for key in blocks), default=0.0) + 2 * GAP
    nodes: dict[str, BlockLayout] = {}
    y = 0.0
    for start in range(0, len(blocks), columns):
        row = blocks[start : start + columns]
        for index, key in enumerate(row):
            nodes[key] = BlockLayout(index * cell, y, known[key].width, known[key].height)
        y += max(known[key].height for key in row) + GAP
    right = max((node.right for node in nodes.values()), default=0.0)
    heights = {"W": 0.0, "E": 0.0}
    for key, terminal in diagram.terminals.items():
        side, shape = terminal.pin.stands, known[key]
        x = -shape.width - 2 * GAP if side == "W" else right + 2 * GAP
        nodes[key] = BlockLayout(x, heights[side], shape.width, shape.height)
        heights[side] += shape.height + GRID
    return carry_over(Layout(nodes), diagram, known).layout


def touching(diagram: Diagram, nodes: Collection[str]) -> frozenset[str]:
    """The branches that end at one of the nodes."""
    return frozenset(branch.key for key in nodes for branch in diagram.at_node(key))


def crossing(layout: Layout, nodes: Iterable[str], nearby: Nearby | None = None) -> frozenset[str]:
    """The wires that run through one of the nodes."""
    nearby = nearby if nearby is not None else Everywhere(layout)
    places = [layout.nodes[key] for key in nodes if key in layout.nodes]
    return frozenset(
        key
        for place in places
        for key in nearby.wires_in(place)
        if key in layout.edges and _runs_through(layout.edges[key], place)
    )


def _make_room(nodes: dict[str, BlockLayout], old: Layout, resized: Collection[str]) -> set[str]:
    """Push down what a node that has grown would cover; return what was pushed."""
    grown = [key for key in nodes if key in resized and nodes[key].height > old.nodes[key].height]
    pushed: set[str] = set()
    while grown:
        place = nodes[grown.pop()]
        for key, other in nodes.items():
            if other.y > place.y and other is not place and other.overlaps(place.grown(GRID)):
                nodes[key] = replace(other, y=place.bottom + 2 * MARGIN)
                grown.append(key)
                pushed.add(key)
    return pushed


def _box_of(course: EdgeRoute) -> BlockLayout:
    xs, ys = [point[0] for point in course.points], [point[1] for point in course.points]
    left, top = min(xs), min(ys)
    return BlockLayout(left - 1, top - 1, max(xs) - left + 2, max(ys) - top + 2)


def _anchors(
    branch: Branch, diagram: Diagram, layout: Layout, known: Mapping[str, NodeShape]
) -> tuple[PortAnchor | None, PortAnchor | None]:
    return anchor_of(branch.source, diagram, layout, known), anchor_of(branch.target, diagram, layout, known)


def _still_fits(course: EdgeRoute, source: PortAnchor, target: PortAnchor) -> bool:
    first, last = course.points[0], course.points[-1]
    starts = bool(course.junctions and course.junctions[0] == first) or _meets(first, source)
    return starts and _meets(last, target)


def _meets(point: Point, pin: PortAnchor) -> bool:
    """Whether a wire's end is at a pin; where several nets meet at one they start a little apart."""
    return abs(point.x - pin.x) < 0.01 and abs(point.y - pin.y) < ROW / 2


def _hits(course: EdgeRoute, nodes: Mapping[str, BlockLayout], keys: Iterable[str]) -> bool:
    return any(_runs_through(course, nodes[key]) for key in keys)


def _runs_through(course: EdgeRoute, node: BlockLayout) -> bool:
    inner = node.grown(-1.0)
    for start, end in pairwise(course.points):
        left, right = sorted((start.x, end.x))
        top, bottom = sorted((start.y, end.y))
        if left < inner.right and inner.x < right + 0.01 and top < inner.bottom and inner.y < bottom + 0.01:
            return True
    return False


def _length(branch: Branch, diagram: Diagram, layout: Layout, known: Mapping[str, NodeShape]) -> float:
    source, target = _anchors(branch, diagram, layout, known)
    return abs(source.x - target.x) + abs(source.y - target.y) if source is not None and target is not None else 0.0
