"""Free places for what is new in a picture, near what it is connected to. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from desktop.canvas.diagram import Diagram, node_of
from desktop.canvas.layout import GAP, GRID, BlockLayout, Layout, NodeShape, Point, PortAnchor, anchor_of, snapped

MARGIN = 30.0
_COLUMNS, _ROWS = 8, 60  # how many places are tried, nearest first


class Nearby(Protocol):
    """Tells what may be in an area; more than is there does no harm."""

    def nodes_in(self, area: BlockLayout) -> Iterable[str]:
        """Keys of nodes."""

    def wires_in(self, area: BlockLayout) -> Iterable[str]:
        """Keys of branches."""


class Everywhere:
    """Knows no better than that anything may be anywhere."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def nodes_in(self, area: BlockLayout) -> Iterable[str]:
        """All nodes."""
        return self._layout.nodes

    def wires_in(self, area: BlockLayout) -> Iterable[str]:
        """All wires."""
        return self._layout.edges


class Placer:
    """Places nodes one after another into :attr:`nodes`."""

    def __init__(
        self,
        nodes: dict[str, BlockLayout],
        diagram: Diagram,
        known: Mapping[str, NodeShape],
        nearby: Nearby,
        leaving: Mapping[str, BlockLayout],
    ) -> None:
        """Give the places so far, and in ``leaving`` those of nodes that went: they stay in sight for a while."""
        self.nodes = nodes
        self._leaving = leaving
        self._diagram, self._known, self._nearby = diagram, known, nearby
        self._layout = Layout(nodes)
        self._bounds = self._layout.bounds()
        self._placed: list[str] = []
        blocks = [nodes[name] for name in diagram.blocks if name in nodes]
        self._columns = {place.x for place in blocks}
        self._tops = {place.y for place in blocks}
        self._bottoms = {place.y + place.height for place in blocks}

    def place(self, key: str) -> None:
        """Find a place for a node, in a column that exists where possible."""
        shape = self._known[key]
        if not self.nodes:
            place = BlockLayout(0.0, 0.0, shape.width, shape.height)
        else:
            partners = self._partners(key)
            terminal = key in self._diagram.terminals
            place = self._at_border(key, shape, partners) if terminal else self._inside(key, shape, partners)
        self.nodes[key] = place
        self._placed.append(key)
        self._bounds = _united(self._bounds, place) if len(self.nodes) > 1 else place
        if key in self._diagram.blocks:
            self._columns.add(place.x)
            self._tops.add(place.y)
            self._bottoms.add(place.bottom)

    def _inside(self, key: str, shape: NodeShape, partners: list[tuple[PortAnchor, PortAnchor]]) -> BlockLayout:
        bounds = self._bounds
        columns = self._columns or {bounds.x}
        if partners:
            beside = {t.x + 2 * GAP if m.side == "W" else t.x - 2 * GAP - shape.width for m, t in partners}
            middle = sum(beside) / len(beside)
            columns = set(sorted(columns, key=lambda x: abs(x - middle))[:_COLUMNS]) | beside
            height = sum(theirs.y - mine.y for mine, theirs in partners) / len(partners)
        else:
            blocks = self._diagram.blocks
            wanted = blocks[key].vlnv
            same = next((n for n in reversed(self.nodes) if n in blocks and blocks[n].vlnv == wanted), None)
            columns = {self.nodes[same].x if same is not None else max(columns)}
            height = self.nodes[same].bottom if same is not None else bounds.bottom
        rows = {bottom + 2 * MARGIN for bottom in self._bottoms}
        rows |= {top - shape.height - 2 * MARGIN for top in self._tops}
        rows = set(sorted(rows, key=lambda y: abs(y - height))[:_ROWS]) | {bounds.bottom + 2 * MARGIN}
        rows |= {snapped(theirs.y - mine.y) for mine, theirs in partners}
        candidates = [BlockLayout(x, y, shape.width, shape.height) for x in columns for y in rows]
        candidates.sort(key=lambda place: _cost(place, partners, bounds) if partners else abs(place.y - height))
        lowest = BlockLayout(max(columns), bounds.bottom + 2 * MARGIN, shape.width, shape.height)
        return next((place for place in candidates if self._is_free(place, MARGIN)), lowest)

    def _at_border(self, key: str, shape: NodeShape, partners: list[tuple[PortAnchor, PortAnchor]]) -> BlockLayout:
        west = self._diagram.terminals[key].pin.stands == "W"
        peers = [
            self.nodes[name]
            for name, terminal in self._diagram.terminals.items()
            if name in self.nodes and (terminal.pin.stands == "W") == west
        ]
        bounds = self._bounds
        if west:
            x = max(peer.right for peer in peers) - shape.width if peers else bounds.x - 2 * GAP - shape.width
        else:
            x = min(peer.x for peer in peers) if peers else bounds.right + 2 * GAP
        lowest = max((peer.bottom for peer in peers), default=bounds.y) + GRID
        y = partners[0][1].y - shape.height / 2 if partners else lowest
        offset = 0.0
        while True:
            for candidate_y in (y + offset, y - offset):
                candidate = BlockLayout(x, candidate_y, shape.width, shape.height)
                if self._is_free(candidate, GRID / 2):
                    return candidate
            offset += GRID

    def _is_free(self, place: BlockLayout, margin: float) -> bool:
        wide = place.grown(margin)
        near = (*self._nearby.nodes_in(wide), *self._placed)
        taken = (self.nodes.get(key) or self._leaving.get(key) for key in near)
        return not any(other is not None and wide.overlaps(other) for other in taken)

    def _partners(self, key: str) -> list[tuple[PortAnchor, PortAnchor]]:
        """Pairs of an own pin (relative to the node) and the pin it is connected to (in the scene)."""
        found: list[tuple[PortAnchor, PortAnchor]] = []
        for branch in self._diagram.at_node(key):
            for mine, theirs in ((branch.source, branch.target), (branch.target, branch.source)):
                if node_of(mine) == key and node_of(theirs) != key:
                    own = self._known[key].anchors.get(mine)
                    other = anchor_of(theirs, self._diagram, self._layout, self._known)
                    if own is not None and other is not None:
                        found.append((own, other))
        return found


def _united(one: BlockLayout, other: BlockLayout) -> BlockLayout:
    x, y = min(one.x, other.x), min(one.y, other.y)
    return BlockLayout(x, y, max(one.right, other.right) - x, max(one.bottom, other.bottom) - y)


def _cost(place: BlockLayout, partners: list[tuple[PortAnchor, PortAnchor]], bounds: BlockLayout) -> float:
    cost = 0.0
    for mine, theirs in partners:
        x, y = place.x + mine.x, place.y + mine.y
        forward = x - theirs.x if mine.side == "W" else theirs.x - x
        cost += abs(x - theirs.x) + abs(y - theirs.y) + (0.0 if forward >= GAP else 3 * GAP)
    middle = Point(place.x + place.width / 2, place.y + place.height / 2)
    outside = max(bounds.x - middle.x, middle.x - bounds.right, bounds.y - middle.y, middle.y - bounds.bottom, 0.0)
    return cost + outside
