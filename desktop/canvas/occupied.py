"""Which area is taken: rectangles in the cells of a coarse grid, so that asking is cheap in large designs. No Qt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from desktop.canvas.layout import BlockLayout

_CELL = 256.0


class Occupied:
    """Rectangles under the keys of what takes the area; an owner may have several."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], dict[str, list[BlockLayout]]] = defaultdict(dict)
        self._owned: dict[str, list[BlockLayout]] = {}

    def add(self, owner: str, rectangle: BlockLayout) -> None:
        """Take an area."""
        self._owned.setdefault(owner, []).append(rectangle)
        for cell in _cells(rectangle):
            self._cells[cell].setdefault(owner, []).append(rectangle)

    def discard(self, owner: str) -> None:
        """Free what an owner takes, if anything."""
        for rectangle in self._owned.pop(owner, ()):
            for cell in _cells(rectangle):
                self._cells[cell].pop(owner, None)

    def owners_in(self, rectangle: BlockLayout) -> Iterable[str]:
        """Who takes some of the area; an owner may come several times."""
        for cell in _cells(rectangle):
            for owner, taken in self._cells.get(cell, {}).items():
                if any(rectangle.overlaps(other) for other in taken):
                    yield owner

    def is_free(self, rectangle: BlockLayout) -> bool:
        """Whether nothing overlaps the area."""
        return next(iter(self.owners_in(rectangle)), None) is None


def _cells(rectangle: BlockLayout) -> Iterable[tuple[int, int]]:
    for column in range(int(rectangle.x // _CELL), int(rectangle.right // _CELL) + 1):
        for row in range(int(rectangle.y // _CELL), int(rectangle.bottom // _CELL) + 1):
            yield column, row
