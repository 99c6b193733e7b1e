"""Which components were looked at, one after the other: back and forward, as in a browser. Without Qt."""

from __future__ import annotations

from collections.abc import Container

from model.vlnv import Vlnv

_MOST = 100

Station = tuple[Vlnv, ...]
"""The way through the hierarchy to a component, which is the last."""


class Trail:
    """The stations and where in them one is."""

    def __init__(self) -> None:
        self._stations: list[Station] = []
        self._at = -1

    def visit(self, path: Station) -> None:
        """Note that a component is shown; what lay ahead is forgotten."""
        if not path or (self._at >= 0 and self._stations[self._at][-1] == path[-1]):
            if path and self._at >= 0:
                self._stations[self._at] = path
            return
        self._stations = [*self._stations[: self._at + 1], path][-_MOST:]
        self._at = len(self._stations) - 1

    def clear(self) -> None:
        """Forget all."""
        self._stations, self._at = [], -1

    def look(self, by: int, known: Container[Vlnv]) -> Station | None:
        """The station before (-1) or after (1) the present one whose component still exists."""
        at = self._at + by
        while 0 <= at < len(self._stations):
            if self._stations[at][-1] in known:
                return self._stations[at]
            at += by
        return None

    def go(self, by: int, known: Container[Vlnv]) -> Station | None:
        """Go there."""
        station = self.look(by, known)
        if station is not None:
            indices = range(self._at + by, len(self._stations) if by > 0 else -1, by)
            self._at = next(at for at in indices if self._stations[at] == station)
        return station
