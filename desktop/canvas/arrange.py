"""Keeping a layout while the design changes: what stood stays, what is new finds a place, wires follow. No Qt."""

from __future__ import annotations

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
    snapped,
)
from desktop.canvas.occupied import Occupied
from desktop.canvas.routing import Obstacles, direct_route, route

_MARGIN = 30.0
_COLUMNS, _ROWS = 8, 60  # how many places are tried, nearest first


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A layout that was carried over to another diagram.

    Attributes:
        placed: keys of the nodes that had no place before.
        stale: keys of the branches whose course is only provisional.
    """

    layout: Layout
    placed: tuple[str, ...]
    stale: frozenset[str]


def carry_over(
    old: Layout, diagram: Diagram, known: Mapping[str, NodeShape], loose: Collection[str] = ()
) -> Arrangement:
    """Give every node and wire of ``diagram`` a place, moving nothing that has one.

    Args:
        old: the places so far.
        diagram: what is to be shown.
        known: the shapes of its nodes.
        loose: nodes that may be placed anew (they were placed before their connections were known).
    """
    nodes: dict[str, BlockLayout] = {}
    for key, shape in known.items():
        place = old.nodes.get(key)
        if place is not None and key not in loose:
            x = place.x
            terminal = diagram.terminals.get(key)
            if terminal is not None and terminal.pin.side == "W":
                x = place.right - shape.width  # its wire leaves on the right
            nodes[key] = BlockLayout(x, place.y, shape.width, shape.height)
    _make_room(nodes, old)
    placed = tuple(key for key in known if key not in nodes)
    for key in sorted(placed, key=lambda key: (key in diagram.terminals, placed.index(key))):
        nodes[key] = _place(key, diagram, known, Layout(nodes))
    layout = Layout(nodes)
    edges: dict[str, EdgeRoute] = {}
    stale: set[str] = set()
    for branch in diagram.branches.values():
        source, target = _anchors(branch, diagram, layout, known)
        if source is None or target is None:
            continue
        course = old.edges.get(branch.key)
        if course is not None and _still_fits(course, source, target) and not _hits(course, nodes, placed):
            edges[branch.key] = course
        else:
            edges[branch.key] = EdgeRoute(direct_route(source, target))
            stale.add(branch.key)
    return Arrangement(Layout(nodes, edges), placed, frozenset(stale))


def reroute(layout: Layout, diagram: Diagram, known: Mapping[str, NodeShape], keys: Collection[str]) -> Layout:
    """Return the layout with the named wires routed around blocks; nothing else changes."""
    edges = {key: course for key, course in layout.edges.items() if key not in keys}
    blocks = tuple(layout.nodes.values())
    for net in diagram.nets:
        wanted = [branch for branch in net.branches if branch.key in keys]
        if not wanted:
            continue
        mine = {branch.key for branch in net.branches}
        others = tuple(
            segment for key, course in edges.items() if key not in mine for segment in _segments(course.points)
        )
        for branch in sorted(wanted, key=lambda branch: _length(branch, diagram, layout, known)):
            source, target = _anchors(branch, diagram, layout, known)
            if source is None or target is None:
                continue
            trunk = [
                edges[other.key].points
                for other in net.branches
                if other.key in edges and other.source == branch.source and other.key != branch.key
            ]
            edges[branch.key] = route(source, target, Obstacles(blocks, others), trunk)
    return Layout(layout.nodes, {key: edges[key] for key in layout.edges if key in edges})


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
        side, shape = terminal.pin.side, known[key]
        x = -shape.width - 2 * GAP if side == "W" else right + 2 * GAP
        nodes[key] = BlockLayout(x, heights[side], shape.width, shape.height)
        heights[side] += shape.height + GRID
    return carry_over(Layout(nodes), diagram, known).layout


def touching(diagram: Diagram, nodes: Collection[str]) -> frozenset[str]:
    """The branches that end at one of the nodes."""
    return frozenset(
        branch.key
        for branch in diagram.branches.values()
        if node_of(branch.source) in nodes or node_of(branch.target) in nodes
    )


def crossing(layout: Layout, nodes: Iterable[str]) -> frozenset[str]:
    """The wires that run through one of the nodes."""
    places = [layout.nodes[key] for key in nodes if key in layout.nodes]
    if not places:
        return frozenset()
    return frozenset(key for key, course in layout.edges.items() if any(_runs_through(course, it) for it in places))


def _make_room(nodes: dict[str, BlockLayout], old: Layout) -> None:
    """Push down what a node that has grown would cover."""
    grown = [key for key, place in nodes.items() if place.height > old.nodes[key].height]
    while grown:
        place = nodes[grown.pop()]
        for key, other in nodes.items():
            if other is not place and other.y > place.y and other.overlaps(place.grown(GRID)):
                nodes[key] = replace(other, y=place.bottom + 2 * _MARGIN)
                grown.append(key)


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
    for start, end in _segments(course.points):
        left, right = sorted((start.x, end.x))
        top, bottom = sorted((start.y, end.y))
        if left < inner.right and inner.x < right + 0.01 and top < inner.bottom and inner.y < bottom + 0.01:
            return True
    return False


def _segments(points: tuple[Point, ...]) -> Iterable[tuple[Point, Point]]:
    return pairwise(points)


def _length(branch: Branch, diagram: Diagram, layout: Layout, known: Mapping[str, NodeShape]) -> float:
    source, target = _anchors(branch, diagram, layout, known)
    return abs(source.x - target.x) + abs(source.y - target.y) if source is not None and target is not None else 0.0


def _place(key: str, diagram: Diagram, known: Mapping[str, NodeShape], layout: Layout) -> BlockLayout:
    """A free place near what the node is connected to, in a column that exists where possible."""
    shape = known[key]
    if not layout.nodes:
        return BlockLayout(0.0, 0.0, shape.width, shape.height)
    partners = _partners(key, diagram, layout, known)
    if key in diagram.terminals:
        return _place_terminal(key, diagram, shape, layout, partners)
    blocks = {name: layout.nodes[name] for name in diagram.blocks if name in layout.nodes}
    bounds = layout.bounds()
    columns = {place.x for place in blocks.values()} or {bounds.x}
    if partners:
        beside = {t.x + 2 * GAP if m.side == "W" else t.x - 2 * GAP - shape.width for m, t in partners}
        middle = sum(beside) / len(beside)
        columns = set(sorted(columns, key=lambda x: abs(x - middle))[:_COLUMNS]) | beside
        height = sum(theirs.y - mine.y for mine, theirs in partners) / len(partners)
    else:
        same = [place for name, place in blocks.items() if diagram.blocks[name].vlnv == diagram.blocks[key].vlnv]
        columns = {same[-1].x if same else max(columns)}
        height = same[-1].bottom if same else bounds.bottom
    taken = Occupied(place.grown(_MARGIN) for place in layout.nodes.values())
    rows = {place.bottom + 2 * _MARGIN for place in blocks.values()}
    rows |= {place.y - shape.height - 2 * _MARGIN for place in blocks.values()}
    rows = set(sorted(rows, key=lambda y: abs(y - height))[:_ROWS]) | {bounds.bottom + 2 * _MARGIN}
    rows |= {snapped(theirs.y - mine.y) for mine, theirs in partners}
    candidates = [BlockLayout(x, y, shape.width, shape.height) for x in columns for y in rows]
    candidates.sort(key=lambda place: _cost(place, partners, bounds) if partners else abs(place.y - height))
    lowest = BlockLayout(max(columns), bounds.bottom + 2 * _MARGIN, shape.width, shape.height)
    return next((place for place in candidates if taken.is_free(place)), lowest)


def _partners(
    key: str, diagram: Diagram, layout: Layout, known: Mapping[str, NodeShape]
) -> list[tuple[PortAnchor, PortAnchor]]:
    """Pairs of an own pin (relative to the node) and the pin it is connected to (in the scene)."""
    found: list[tuple[PortAnchor, PortAnchor]] = []
    for branch in diagram.branches.values():
        for mine, theirs in ((branch.source, branch.target), (branch.target, branch.source)):
            if node_of(mine) == key and node_of(theirs) != key:
                own = known[key].anchors.get(mine)
                other = anchor_of(theirs, diagram, layout, known)
                if own is not None and other is not None:
                    found.append((own, other))
    return found


def _cost(place: BlockLayout, partners: list[tuple[PortAnchor, PortAnchor]], bounds: BlockLayout) -> float:
    cost = 0.0
    for mine, theirs in partners:
        x, y = place.x + mine.x, place.y + mine.y
        forward = x - theirs.x if mine.side == "W" else theirs.x - x
        cost += abs(x - theirs.x) + abs(y - theirs.y) + (0.0 if forward >= GAP else 3 * GAP)
    middle = Point(place.x + place.width / 2, place.y + place.height / 2)
    outside = max(bounds.x - middle.x, middle.x - bounds.right, bounds.y - middle.y, middle.y - bounds.bottom, 0.0)
    return cost + outside


def _place_terminal(
    key: str,
    diagram: Diagram,
    shape: NodeShape,
    layout: Layout,
    partners: list[tuple[PortAnchor, PortAnchor]],
) -> BlockLayout:
    west = diagram.terminals[key].pin.side == "W"
    peers = [
        layout.nodes[name]
        for name, terminal in diagram.terminals.items()
        if name in layout.nodes and (terminal.pin.side == "W") == west
    ]
    bounds = layout.bounds()
    if west:
        x = max(peer.right for peer in peers) - shape.width if peers else bounds.x - 2 * GAP - shape.width
    else:
        x = min(peer.x for peer in peers) if peers else bounds.right + 2 * GAP
    lowest = max((peer.bottom for peer in peers), default=bounds.y) + GRID
    y = partners[0][1].y - shape.height / 2 if partners else lowest
    taken = [place.grown(GRID / 2) for place in layout.nodes.values()]
    offset = 0.0
    while True:
        for candidate_y in (y + offset, y - offset):
            candidate = BlockLayout(x, candidate_y, shape.width, shape.height)
            if not any(candidate.overlaps(other) for other in taken):
                return candidate
        offset += GRID
