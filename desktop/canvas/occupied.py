"""Which area is taken: rectangles in the cells of a coarse grid, so that asking is cheap in large designs. No Qt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from desktop.canvas.layout import BlockLayout

_CELL = 256.0


class Occupied:
    """A growing set of rectangles."""

    def __init__(self, rectangles: Iterable[BlockLayout] = ()) -> None:
        self._cells: dict[tuple[int, int], list[BlockLayout]] = defaultdict(list)
        for rectangle in rectangles:
            self.add(rectangle)

    def add(self, rectangle: BlockLayout) -> None:
        """Take an area."""
        for cell in _cells(rectangle):
            self._cells[cell].append(rectangle)

    def is_free(self, rectangle: BlockLayout) -> bool:
        """Whether nothing overlaps the area."""
        return not any(
            rectangle.overlaps(other)
            for cell in _cells(rectangle)
            if cell in self._cells
            for other in self._cells[cell]
        )


def _cells(rectangle: BlockLayout) -> Iterable[tuple[int, int]]:
    for column in range(int(rectangle.x // _CELL), int(rectangle.right // _CELL) + 1):
        for row in range(int(rectangle.y // _CELL), int(rectangle.bottom // _CELL) + 1):
            yield column, row
