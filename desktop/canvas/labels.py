"""Where the labels of nets stand: above a level stretch of a wire or beside an upright one, in the clear. No Qt."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from desktop.canvas.diagram import Diagram, Net
from desktop.canvas.layout import BlockLayout, Layout, Point
from desktop.canvas.occupied import Occupied

HEIGHT = 12.0
_LIFT = 3.0  # between the wire and its label
_ROOM = 6.0  # kept free beside the label


class LabelPlaces:
    """Finds a free place for each net's label and keeps those that are still good when wires or nodes move."""

    def __init__(self, character: float) -> None:
        """Give the advance of one character of the label's font."""
        self._character = character
        self._taken = Occupied()
        self._carriers: dict[str, str] = {}  # net → branch
        self.places: dict[str, BlockLayout] = {}

    def follow(
        self, layout: Layout, nodes: Iterable[str], wires: Iterable[str], nets: Iterable[Net], gone: Iterable[str]
    ) -> None:
        """Bring the places in line with a layout.

        Args:
            layout: nodes and routes as they are now.
            nodes: keys of those that came, went, moved or changed size.
            wires: keys of those that came, went or took another course.
            nets: those whose wires or texts differ.
            gone: keys of nets that no longer exist.

        A net whose wires have no free stretch that is long enough gets no label: its pins say the same.
        """
        homeless = {net.key: net for net in nets}
        for key in {*gone, *homeless}:
            self._drop(key)
        for key in nodes:
            self._taken.discard(f"node {key}")
            place = layout.nodes.get(key)
            if place is not None:
                self._take(f"node {key}", place)
        for key in wires:
            self._taken.discard(f"wire {key}")
            course = layout.edges.get(key)
            for start, end in pairwise(course.points if course is not None else ()):
                self._take(f"wire {key}", _box(start, end))
        for net in homeless.values():
            self._place(net, layout)

    def covered(self, layout: Layout, nodes: Iterable[str], wires: Iterable[str]) -> set[str]:
        """The nets whose labels stand where nodes or wires go now."""
        boxes = [layout.nodes[key] for key in nodes if key in layout.nodes]
        for key in wires:
            if key in layout.edges:
                boxes += [_box(start, end) for start, end in pairwise(layout.edges[key].points)]
        owners = {owner for box in boxes for owner in self._taken.owners_in(box)}
        return {owner.removeprefix("label ") for owner in owners if owner.startswith("label ")}

    def _take(self, owner: str, box: BlockLayout) -> None:
        self._taken.add(owner, box)

    def _drop(self, net: str) -> None:
        self._taken.discard(f"label {net}")
        carrier = self._carriers.pop(net, None)
        if carrier is not None:
            self.places.pop(carrier, None)

    def _place(self, net: Net, layout: Layout) -> None:
        if not net.label:
            return
        for key, rect in _candidates(net, layout, len(net.label) * self._character):
            if self._taken.is_free(rect):
                self._taken.add(f"label {net.key}", rect)
                self._carriers[net.key] = key
                self.places[key] = rect
                return


def place_labels(diagram: Diagram, layout: Layout, character: float) -> dict[str, BlockLayout]:
    """Return the rectangle of each net's label by the key of the branch that carries it."""
    labels = LabelPlaces(character)
    labels.follow(layout, layout.nodes, layout.edges, diagram.nets, ())
    return labels.places


def _candidates(net: Net, layout: Layout, width: float) -> Iterable[tuple[str, BlockLayout]]:
    for branch in net.branches:
        course = layout.edges.get(branch.key)
        if course is None:
            continue
        for start, end in pairwise(course.points):
            length = abs(start.x - end.x)
            if start.y != end.y or length < width + 2 * _ROOM:
                continue
            left = min(start.x, end.x)
            spare = length - width
            steps = [spare / 2] if spare < 60 else [14.0, spare / 4, spare / 2, spare * 3 / 4, spare - 14.0]
            if end.x < start.x:
                steps.reverse()
            for step in steps:
                yield branch.key, BlockLayout(left + step, start.y - _LIFT - HEIGHT, width, HEIGHT)
    for branch in net.branches:
        course = layout.edges.get(branch.key)
        for start, end in pairwise(course.points if course is not None else ()):
            length = abs(start.y - end.y)
            if start.x == end.x and length > 2 * HEIGHT:
                top = min(start.y, end.y)
                for part in (0.5, 0.3, 0.7):
                    y = top + length * part - HEIGHT / 2
                    yield branch.key, BlockLayout(start.x + _ROOM, y, width, HEIGHT)
                    yield branch.key, BlockLayout(start.x - _ROOM - width, y, width, HEIGHT)


def _box(start: Point, end: Point) -> BlockLayout:
    left, top = min(start.x, end.x) - 2, min(start.y, end.y) - 2
    return BlockLayout(left, top, abs(start.x - end.x) + 4, abs(start.y - end.y) + 4)
