"""Orthogonal wires between fixed blocks: direct ones while something moves, else around blocks. No Qt.

ELK routes whole layouts; this routes single wires where the blocks must stay where they are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from desktop.canvas.layout import GRID, BlockLayout, EdgeRoute, Point, PortAnchor

STUB = 20.0  # a wire leaves its pin straight for this long
CLEARANCE = 9.0  # to blocks
_REACH = 320.0  # how far around its ends a wire looks for a way
_BEND = 40.0
_CROSSING = 25.0
_SHARING = 400.0  # running on top of another net
_CLOSE = 6.0  # wires of other nets nearer than this count as on top
_CELLS = 60_000  # a search over more cells gives up in favour of the direct wire


def direct_route(source: PortAnchor, target: PortAnchor) -> tuple[Point, ...]:
    """Three segments where the target lies ahead, five where the wire has to turn back. Blocks are not avoided."""
    start, end = Point(source.x, source.y), Point(target.x, target.y)
    out = source.x + (STUB if source.side == "E" else -STUB)
    into = target.x + (STUB if target.side == "E" else -STUB)
    if source.side == target.side:
        x = max(out, into) if source.side == "E" else min(out, into)
        return tidied((start, Point(x, start.y), Point(x, end.y), end))
    ahead = into >= out if source.side == "E" else into <= out
    if ahead:
        x = (out + into) / 2
        return tidied((start, Point(x, start.y), Point(x, end.y), end))
    y = (start.y + end.y) / 2
    return tidied((start, Point(out, start.y), Point(out, y), Point(into, y), Point(into, end.y), end))


@dataclass(frozen=True, slots=True)
class Obstacles:
    """What a new wire must avoid: blocks, and the segments of other nets."""

    blocks: tuple[BlockLayout, ...]
    segments: tuple[tuple[Point, Point], ...] = ()


def route(
    source: PortAnchor, target: PortAnchor, obstacles: Obstacles, trunk: Sequence[tuple[Point, ...]] = ()
) -> EdgeRoute:
    """Return a wire of few bends and crossings that avoids blocks.

    Args:
        source: where the net starts.
        target: the pin to reach.
        obstacles: blocks and other nets.
        trunk: polylines of the same net; the wire may leave the net from any of them, at a junction.
    """
    search = _Search(source, target, obstacles, trunk)
    path = search.run()
    if path is None:
        return EdgeRoute(direct_route(source, target))
    points = tidied((*path, Point(target.x, target.y)))
    start = points[0]
    if start == (source.x, source.y):
        return EdgeRoute(points)
    return EdgeRoute(points, (start,))


def search_area(source: PortAnchor, target: PortAnchor) -> BlockLayout:
    """Where a wire between two pins may run: what is elsewhere does not matter to it."""
    left, right = sorted((source.x, target.x))
    top, bottom = sorted((source.y, target.y))
    return BlockLayout(left, top, right - left, bottom - top).grown(_REACH + STUB + CLEARANCE)


class _Search:
    """A* over the lines of a grid, to which the lines of the two pins are added."""

    def __init__(
        self, source: PortAnchor, target: PortAnchor, obstacles: Obstacles, trunk: Sequence[tuple[Point, ...]]
    ) -> None:
        self._source, self._target = source, target
        self._goal = Point(target.x + (STUB if target.side == "E" else -STUB), target.y)
        begin = Point(source.x + (STUB if source.side == "E" else -STUB), source.y)
        left, right = sorted((begin.x, self._goal.x))
        top, bottom = sorted((begin.y, self._goal.y))
        self._area = BlockLayout(left, top, right - left, bottom - top).grown(_REACH)
        # The net's own lines too: a branch runs on its trunk, not a hair's breadth beside it.
        own = [point for line in trunk for point in line]
        self._xs = self._lines(self._area.x, self._area.right, {begin.x, self._goal.x}, (point.x for point in own))
        self._ys = self._lines(self._area.y, self._area.bottom, {begin.y, self._goal.y}, (point.y for point in own))
        self._width, self._height = len(self._xs), len(self._ys)
        self._blocked = bytearray(self._width * self._height)
        self._lying = bytearray(self._width * self._height)  # another net runs horizontally here
        self._standing = bytearray(self._width * self._height)  # another net runs vertically here
        self._starts: dict[int, Point] = {self._cell(begin): Point(source.x, source.y)}
        if self._width * self._height <= _CELLS:
            self._block(obstacles.blocks)
            self._occupy(obstacles.segments)
            self._start_from(trunk)

    def _lines(self, low: float, high: float, ends: set[float], own: Iterable[float]) -> list[float]:
        first = -(-low // GRID) * GRID
        count = int((high - first) // GRID) + 1
        fixed = ends | {line for line in own if low <= line <= high}
        free = {first + index * GRID for index in range(count)}
        return sorted(fixed | {line for line in free if not any(abs(line - other) < _CLOSE for other in fixed)})

    def _cell(self, point: Point) -> int:
        return bisect_left(self._ys, point.y) * self._width + bisect_left(self._xs, point.x)

    def _block(self, blocks: Iterable[BlockLayout]) -> None:
        for block in blocks:
            grown = block.grown(CLEARANCE)
            columns = range(bisect_right(self._xs, grown.x), bisect_left(self._xs, grown.right))
            if not columns:
                continue
            for row in range(bisect_right(self._ys, grown.y), bisect_left(self._ys, grown.bottom)):
                start = row * self._width + columns.start
                self._blocked[start : start + len(columns)] = b"\x01" * len(columns)

    def _occupy(self, segments: Iterable[tuple[Point, Point]]) -> None:
        for start, end in segments:
            left, right = sorted((start.x, end.x))
            top, bottom = sorted((start.y, end.y))
            marks = self._lying if top == bottom else self._standing
            aside = (0.0, _CLOSE) if top == bottom else (_CLOSE, 0.0)
            columns = range(bisect_left(self._xs, left - aside[0]), bisect_right(self._xs, right + aside[0]))
            for row in range(bisect_left(self._ys, top - aside[1]), bisect_right(self._ys, bottom + aside[1])):
                for column in columns:
                    marks[row * self._width + column] = 1

    def _start_from(self, trunk: Sequence[tuple[Point, ...]]) -> None:
        for line in trunk:
            for start, end in pairwise(line):
                left, right = sorted((start.x, end.x))
                top, bottom = sorted((start.y, end.y))
                if top == bottom:
                    row = bisect_left(self._ys, top)
                    if row < self._height and self._ys[row] == top:
                        for column in range(bisect_left(self._xs, left), bisect_right(self._xs, right)):
                            self._offer(row * self._width + column, Point(self._xs[column], top))
                else:
                    column = bisect_left(self._xs, left)
                    if column < self._width and self._xs[column] == left:
                        for row in range(bisect_left(self._ys, top), bisect_right(self._ys, bottom)):
                            self._offer(row * self._width + column, Point(left, self._ys[row]))

    def _offer(self, cell: int, point: Point) -> None:
        if not self._blocked[cell]:
            self._starts.setdefault(cell, point)

    def run(self) -> list[Point] | None:
        """The corners from a start to the goal (just before the target pin), or None where there is no way."""
        if self._width * self._height > _CELLS:
            return None
        goal = self._cell(self._goal)
        self._blocked[goal] = 0
        queue: list[tuple[float, float, int]] = []
        best: dict[int, float] = {}
        came: dict[int, int] = {}
        closed: set[int] = set()
        for index, cell in enumerate(self._starts):
            self._blocked[cell] = 0
            # A state is a cell and the direction in which it was entered: 0 level, 1 upright.
            for direction in (0, 1):
                cost = _BEND if index == 0 and direction == 1 else 0.0  # the pin's own stub is level
                best[cell * 2 + direction] = cost
                heappush(queue, (cost + self._distance(cell), cost, cell * 2 + direction))
        while queue:
            _estimate, cost, state = heappop(queue)
            if state in closed:
                continue
            closed.add(state)
            cell, direction = state >> 1, state & 1
            if cell == goal:
                return self._unwound(state, came)
            for other, turn, length in self._moves(cell):
                new = cost + length + (_BEND if turn != direction else 0.0)
                if other == goal and turn == 1:
                    new += _BEND
                following = other * 2 + turn
                if following not in closed and new < best.get(following, float("inf")):
                    best[following] = new
                    came[following] = state
                    heappush(queue, (new + self._distance(other), new, following))
        return None

    def _distance(self, cell: int) -> float:
        row, column = divmod(cell, self._width)
        return abs(self._xs[column] - self._goal.x) + abs(self._ys[row] - self._goal.y)

    def _moves(self, cell: int) -> Iterable[tuple[int, int, float]]:
        """The neighbours of a cell, whether the way there is upright, and what it costs."""
        row, column = divmod(cell, self._width)
        for step in (-1, 1):
            if 0 <= column + step < self._width and not self._blocked[cell + step]:
                other = cell + step
                length = abs(self._xs[column + step] - self._xs[column])
                shared = _SHARING if self._lying[cell] and self._lying[other] else 0.0
                yield other, 0, length + shared + (_CROSSING if self._standing[other] else 0.0)
            if 0 <= row + step < self._height and not self._blocked[cell + step * self._width]:
                other = cell + step * self._width
                length = abs(self._ys[row + step] - self._ys[row])
                shared = _SHARING if self._standing[cell] and self._standing[other] else 0.0
                yield other, 1, length + shared + (_CROSSING if self._lying[other] else 0.0)

    def _unwound(self, state: int, came: dict[int, int]) -> list[Point]:
        cells = [state >> 1]
        while state in came:
            state = came[state]
            cells.append(state >> 1)
        cells.reverse()
        points = [Point(self._xs[cell % self._width], self._ys[cell // self._width]) for cell in cells]
        first = self._starts[cells[0]]
        return [first, *points] if first != points[0] else points


def tidied(points: Sequence[Point]) -> tuple[Point, ...]:
    """Drop repeated points and those in the middle of a straight stretch."""
    result: list[Point] = []
    for point in points:
        if result and point == result[-1]:
            continue
        if len(result) > 1 and (result[-2].x == result[-1].x == point.x or result[-2].y == result[-1].y == point.y):
            result[-1] = point
        else:
            result.append(point)
    return tuple(result) if len(result) > 1 else (points[0], points[-1])
