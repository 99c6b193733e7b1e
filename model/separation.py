"""What falls apart when something that joined it is gone, found at the cost of the smaller pieces."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)


@dataclass
class _Search(Generic[N]):
    """What was reached from one place, and where to look next."""

    reached: list[N]
    ahead: list[Iterator[N]]


def separated(seeds: Sequence[N], beside: Callable[[N], Iterator[N]]) -> list[list[N]]:
    """The connected pieces that hold the seeds, all but one, which is (nearly always) the largest.

    The seeds are searched from in turn, a step each: searches that meet become one, and one that ends has found a
    whole piece. When a single one is left, the rest is its piece and need not be looked at.

    Args:
        seeds: different places.
        beside: the places that a place is joined with directly.
    """
    searches = {number: _Search([seed], [beside(seed)]) for number, seed in enumerate(seeds)}
    found_by = {seed: number for number, seed in enumerate(seeds)}
    merged_into = list(range(len(seeds)))
    pieces: list[list[N]] = []

    def finder(place: N) -> int | None:
        number = found_by.get(place)
        while number is not None and merged_into[number] != number:
            number = merged_into[number]
        return number

    while len(searches) > 1:
        for number in list(searches):
            search = searches.get(number)
            if search is None:
                continue
            if len(searches) == 1:
                break
            if not search.ahead:
                pieces.append(search.reached)
                del searches[number]
                continue
            place = next(search.ahead[-1], None)
            if place is None:
                search.ahead.pop()
                continue
            other = finder(place)
            if other is None:
                found_by[place] = number
                search.reached.append(place)
                search.ahead.append(beside(place))
            elif other != number:
                _merge(searches, number, other, merged_into)
    return pieces


def _merge(searches: dict[int, _Search[N]], one: int, other: int, merged_into: list[int]) -> None:
    """Let the search that has reached more take over the other."""
    if len(searches[one].reached) < len(searches[other].reached):
        one, other = other, one
    gone = searches.pop(other)
    searches[one].reached.extend(gone.reached)
    searches[one].ahead[:0] = gone.ahead
    merged_into[other] = one
