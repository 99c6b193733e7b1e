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


def place_labels(diagram: Diagram, layout: Layout, character: float) -> dict[str, BlockLayout]:
    """Return the rectangle of each net's label by the key of the branch that carries it.

    Args:
        diagram: its nets have the texts.
        layout: the routes.
        character: advance of one character of the label's font.

    A net whose wires have no free stretch that is long enough gets no label: its pins say the same.
    """
    taken = Occupied(layout.nodes.values())
    for course in layout.edges.values():
        for start, end in pairwise(course.points):
            taken.add(_box(start, end))
    placed: dict[str, BlockLayout] = {}
    for net in diagram.nets:
        if not net.label:
            continue
        width = len(net.label) * character
        for key, rect in _candidates(net, layout, width):
            if taken.is_free(rect):
                taken.add(rect)
                placed[key] = rect
                break
    return placed


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
