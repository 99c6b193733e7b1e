"""An immutable mapping that keeps its order and shares structure between versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

import immutables
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from model.radix import Row

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")
R = TypeVar("R")

Entry = tuple[int, K, V]
"""Place, key and value."""

Difference = tuple[Entry[K, V] | None, Entry[K, V] | None]
"""What stands at one place before and after."""


class FrozenMap(Mapping[K, V]):
    """An ordered, persistent mapping: a changed copy costs O(log n) and shares the rest.

    A plain dict copy would make one undo step of a design with 20,000 connections cost about a megabyte.
    Order is that of insertion; replacing a value keeps its place.
    """

    __slots__ = ("__weakref__", "_earlier", "_entries", "_facts", "_hash", "_next", "_origin", "_row")

    def __init__(self, items: Iterable[tuple[K, V]] | Mapping[K, V] = ()) -> None:
        pairs = items.items() if isinstance(items, Mapping) else items
        entries: dict[K, Entry[K, V]] = {}
        for key, value in pairs:
            place = entries[key][0] if key in entries else len(entries)
            entries[key] = (place, key, value)
        self._entries: immutables.Map[K, Entry[K, V]] = immutables.Map(entries) if entries else _NO_ENTRIES
        self._row: Row[Entry[K, V]] = Row.of(tuple(entries.values())) if entries else _NO_ROW
        self._next = len(entries)
        self._origin = object()
        self._hash: int | None = None
        self._facts: dict[Fact[K, V, Any], Any] = _NO_FACTS
        self._earlier: dict[Fact[K, V, Any], tuple[FrozenMap[K, V], Any]] = _NO_FACTS

    def __reduce__(self) -> tuple[Any, ...]:
        # Hashes of texts differ between processes, and facts are found again.
        return _restored, (self.entries(), self._next)

    def __getitem__(self, key: K) -> V:
        return self._entries[key][2]

    @overload
    def get(self, key: K, /) -> V | None: ...

    @overload
    def get(self, key: K, /, default: V | T) -> V | T: ...

    def get(self, key: K, /, default: T | None = None) -> V | T | None:
        """The value of ``key``, or ``default``; several times faster than through the mix-in method."""
        entry = self._entries.get(key)
        return default if entry is None else entry[2]

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[K]:
        return iter([entry[1] for entry in self._row.all()])

    def items(self) -> list[tuple[K, V]]:  # type: ignore[override]
        """The pairs in order, as a list."""
        return [entry[1:] for entry in self._row.all()]

    def values(self) -> list[V]:  # type: ignore[override]
        """The values in order, as a list."""
        return [entry[2] for entry in self._row.all()]

    def entries(self) -> list[Entry[K, V]]:
        """Places, keys and values in order, as a list."""
        return self._row.all()

    def place(self, key: K) -> int:
        """The place that orders ``key``: an entry keeps it for life, also when it is renamed; none is given twice.

        Raises:
            KeyError: ``key`` is not there.
        """
        return self._entries[key][0]

    def at(self, place: int) -> Entry[K, V] | None:
        """What stands at a place."""
        return self._row.at(place)

    def set(self, key: K, value: V) -> FrozenMap[K, V]:
        """Return a copy in which ``key`` has ``value``: in its old place, or at the end."""
        known = self._entries.get(key)
        if known is not None:
            return self._with(key, (known[0], key, value), self._next)
        return self._with(key, (self._next, key, value), self._next + 1)

    def without(self, key: K) -> FrozenMap[K, V]:
        """Return a copy without ``key``.

        Raises:
            KeyError: ``key`` is not there.
        """
        place = self._entries[key][0]
        return self._copy(self._entries.delete(key), self._row.put(place, None), self._next)

    def rename(self, old: K, new: K, value: V) -> FrozenMap[K, V]:
        """Return a copy in which ``new`` with ``value`` stands in the place of ``old``.

        Raises:
            KeyError: ``old`` is not there.
        """
        place = self._entries[old][0]
        shorter = self._copy(self._entries.delete(old), self._row, self._next)
        return shorter._with(new, (place, new, value), self._next)

    def is_akin(self, other: FrozenMap[K, V]) -> bool:
        """Whether both come from one map by edits, so that what stands at one place in both is the same element."""
        return self._origin is other._origin

    def differences(self, later: FrozenMap[K, V]) -> list[Difference[K, V]]:
        """What stands in this map and in ``later`` at each place where they differ, at the cost of what differs.

        Places that hold the same object are left out; the others may hold equal ones.
        """
        if self is later:
            return []
        return [(self._shown(old), later._shown(new)) for old, new in self._row.differences(later._row)]

    def _shown(self, entry: Entry[K, V] | None) -> Entry[K, V] | None:
        """What others see of an entry: for a map whose values are not what it holds."""
        return entry

    def _with(self, key: K, entry: Entry[K, V], following: int) -> FrozenMap[K, V]:
        return self._copy(self._entries.set(key, entry), self._row.put(entry[0], entry), following)

    def _copy(self, entries: Any, row: Row[Entry[K, V]], following: int) -> FrozenMap[K, V]:
        copy: FrozenMap[K, V] = type(self).__new__(type(self))
        copy._entries = entries
        copy._row = row
        copy._next = following
        copy._origin = self._origin
        copy._hash = None
        copy._facts = _NO_FACTS
        copy._earlier = self._earlier
        if self._facts:
            copy._earlier = self._earlier | {fact: (self, value) for fact, value in self._facts.items()}
        return copy

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, FrozenMap):
            return NotImplemented
        if len(self) != len(other):
            return False
        for one, another in self.differences(other):
            if one is None or another is None:  # the same pairs may stand at other places
                return self.items() == other.items()
            if one[1] != another[1] or (one[2] is not another[2] and one[2] != another[2]):
                return False
        return True

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"FrozenMap({dict(self.items())!r})"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.is_instance_schema(
            cls,
            serialization=core_schema.plain_serializer_function_ser_schema(lambda value: dict(value.items())),
        )


_NO_ENTRIES: immutables.Map[Any, Any] = immutables.Map()
_NO_ROW: Row[Any] = Row()
_NO_FACTS: dict[Any, Any] = {}
"""Shared, and never written to."""


def _restored(entries: list[Entry[Any, Any]], following: int) -> FrozenMap[Any, Any]:
    """The map with these entries at their places."""
    known: FrozenMap[Any, Any] = FrozenMap()
    row: Row[Any] = Row()
    for entry in entries:
        row = row.put(entry[0], entry)
    return known._copy(immutables.Map((entry[1], entry) for entry in entries), row, following)


@dataclass(frozen=True, eq=False)
class Fact(Generic[K, V, R]):
    """Something that is derived from a map, kept with the map, and found again at the cost of what an edit changes.

    A map remembers of each fact the last state, among those that it came from, for which it was asked.

    Attributes:
        follow: what becomes of the fact when the map changes so.
    """

    follow: Callable[[R, FrozenMap[K, V], list[Difference[K, V]]], R]

    def of(self, of: FrozenMap[K, V], make: Callable[[], R]) -> R:
        """The fact about a map: known, or brought up to date from an earlier state, or made afresh."""
        known = of._facts.get(self, _UNKNOWN)
        if known is not _UNKNOWN:
            return known  # type: ignore[no-any-return]
        found = self._brought_along(of, make)
        self.put(of, found)
        return found

    def _brought_along(self, of: FrozenMap[K, V], make: Callable[[], R]) -> R:
        earlier = of._earlier.get(self)
        if earlier is not None:
            base, known = earlier
            differences = base.differences(of)
            if len(differences) * 4 <= len(of) + _FEW:
                return self.follow(known, of, differences)
        return make()

    def put(self, of: FrozenMap[K, V], fact: R) -> None:
        """Keep a fact with a map."""
        of._facts = {**of._facts, self: fact}
        if self in of._earlier:
            of._earlier = {other: known for other, known in of._earlier.items() if other is not self}


_UNKNOWN = object()
_FEW = 64
"""Up to so many differences a fact is brought along, however small the map."""
