"""Courses of wires that a design's own file keeps, fitted to the blocks as they stand here. No Qt.

Blocks here are larger than those of Kactus2 and have their pins in rows of their own, so a course keeps its corners
in between, brought to scale, and its first and last stretch go to the pins. One that would then run through a block,
leave a pin backwards or lie on another net does not fit: such wires are routed as all others are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from desktop.canvas.diagram import Branch, Diagram, node_of
from desktop.canvas.layout import GRID, BlockLayout, EdgeRoute, Layout, NodeShape, Point, PortAnchor, anchor_of
from desktop.canvas.routing import tidied
from desktop.canvas.seeding import Ruler, Scale
from desktop.canvas.seeds import Course, Seeds

_APART = 6.0  # wires of different nets nearer than this look like one
_CLEAR = 4.0  # kept free around blocks

Line = tuple[Point, ...]


def fitted_courses(
    seeds: Seeds, scale: Scale, reference: Layout, diagram: Diagram, known: Mapping[str, NodeShape], layout: Layout
) -> dict[str, EdgeRoute]:
    """The courses of those wires whose ends stand where the file has them, by branch key.

    Args:
        seeds: what the file keeps.
        scale: how the file's places were spread.
        reference: where nodes stand that nobody has moved since.
        diagram, known: what is shown, and the shapes of its nodes.
        layout: where nodes stand.
    """
    ruler = Ruler(seeds, scale, {key: reference.nodes[key] for key in diagram.blocks if key in reference.nodes})
    drawn: dict[str, list[Line]] = defaultdict(list)  # by net
    stretches = _Stretches()
    found: dict[str, EdgeRoute] = {}
    for branch in diagram.branches.values():
        course = seeds.courses.get(branch.element.name)
        ends = {node_of(branch.source), node_of(branch.target)}
        if course is None or any(layout.nodes.get(key) != reference.nodes.get(key) for key in ends):
            continue
        line = _fitted(course, branch, ruler, diagram, known, layout)
        if line is None or stretches.lie_under(line, branch.net):
            continue
        found[branch.key] = _branched(line, drawn[branch.net])
        drawn[branch.net].append(line)
        stretches.add(line, branch.net)
    return found


def _fitted(
    course: Course, branch: Branch, ruler: Ruler, diagram: Diagram, known: Mapping[str, NodeShape], layout: Layout
) -> Line | None:
    source = anchor_of(branch.source, diagram, layout, known)
    target = anchor_of(branch.target, diagram, layout, known)
    if source is None or target is None or {course.one, course.other} != {branch.source, branch.target}:
        return None
    corners = course.corners if course.one == branch.source else course.corners[::-1]
    inner = [[ruler.x(corner.x), ruler.y(corner.y)] for corner in corners[1:-1]]
    if inner:
        inner[0][1], inner[-1][1] = source.y, target.y
    line = tidied((Point(source.x, source.y), *(Point(x, y) for x, y in inner), Point(target.x, target.y)))
    if any(one.x != other.x and one.y != other.y for one, other in pairwise(line)):
        return None
    if not (_leaves(line, source) and _leaves(line[::-1], target)):
        return None
    own = {node_of(branch.source), node_of(branch.target)}
    around = _box(line)
    near = ((key, node) for key, node in layout.nodes.items() if node.overlaps(around))
    return None if any(_crosses(line, node.grown(-1.0 if key in own else _CLEAR)) for key, node in near) else line


class _Stretches:
    """The stretches of wires that are drawn already, found by where they run."""

    def __init__(self) -> None:
        self._rows: dict[tuple[bool, int], list[tuple[float, float, float, str]]] = defaultdict(list)

    def add(self, line: Line, net: str) -> None:
        """Note a wire."""
        for level, across, low, high in _stretches(line):
            self._rows[level, int(across // _APART)].append((across, low, high, net))

    def lie_under(self, line: Line, net: str) -> bool:
        """Whether a wire would lie on one of another net."""
        return any(
            other != net and abs(across - there) < _APART and low < last + _APART and first < high + _APART
            for level, across, low, high in _stretches(line)
            for row in range(int(across // _APART) - 1, int(across // _APART) + 2)
            for there, first, last, other in self._rows.get((level, row), ())
        )


def _stretches(line: Line) -> Iterator[tuple[bool, float, float, float]]:
    """Whether each stretch is level, its height (or how far to the right it is), its beginning and its end."""
    for one, other in pairwise(line):
        level = one.y == other.y
        low, high = sorted((one.x, other.x) if level else (one.y, other.y))
        yield level, one.y if level else one.x, low, high


def _box(line: Line) -> BlockLayout:
    left, top = min(point.x for point in line), min(point.y for point in line)
    right, bottom = max(point.x for point in line), max(point.y for point in line)
    return BlockLayout(left, top, right - left, bottom - top).grown(_CLEAR + 1.0)


def _leaves(line: Line, pin: PortAnchor) -> bool:
    """Whether a wire leaves its pin straight out of the block."""
    out = line[1].x - line[0].x
    return line[0].y == line[1].y and (out if pin.side == "E" else -out) >= GRID


def _crosses(line: Line, block: BlockLayout) -> bool:
    for one, other in pairwise(line):
        left, right = sorted((one.x, other.x))
        top, bottom = sorted((one.y, other.y))
        if left < block.right and block.x < right + 0.01 and top < block.bottom and block.y < bottom + 0.01:
            return True
    return False


def _branched(line: Line, others: Iterable[Line]) -> EdgeRoute:
    """A wire from where it leaves those of its net that are drawn already, with dots where it meets them."""
    joints = {False: line[:1], True: line[-1:]}  # what it shares with others from its source, and from its target
    for other in others:
        for from_target, mine in ((False, line), (True, line[::-1])):
            for theirs in (other, other[::-1]):
                joints[from_target] = max(joints[from_target], _common(mine, theirs), key=_length)
    lead, tail = joints[False], joints[True]
    if _length(lead) + _length(tail) >= _length(line):
        return EdgeRoute(line)
    rest = line if len(lead) < 2 else tidied((lead[-1], *line[len(lead) - 1 :]))
    return EdgeRoute(rest, tuple(shared[-1] for shared in (lead, tail) if len(shared) > 1))


def _common(line: Line, other: Line) -> Line:
    """The stretch from its beginning that a wire has in common with another."""
    if line[0] != other[0]:
        return ()
    common = [line[0]]
    for mine, theirs in zip(pairwise(line), pairwise(other), strict=False):
        if _direction(mine) != _direction(theirs):
            break
        nearer = min(mine[1], theirs[1], key=lambda point: _length((mine[0], point)))
        common.append(nearer)
        if mine[1] != theirs[1]:
            break
    return tuple(common)


def _direction(stretch: tuple[Point, Point]) -> tuple[int, int]:
    (x, y), (then_x, then_y) = stretch
    return (then_x > x) - (then_x < x), (then_y > y) - (then_y < y)


def _length(line: Line) -> float:
    return sum(abs(one.x - other.x) + abs(one.y - other.y) for one, other in pairwise(line))
