"""An immutable mapping that keeps its order and shares structure between versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar, overload

import immutables
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class FrozenMap(Mapping[K, V]):
    """An ordered, persistent mapping: a changed copy costs O(log n) and shares the rest.

    A plain dict copy would make one undo step of a design with 20,000 connections cost about a megabyte.
    Order is that of insertion; replacing a value keeps its place.
    """

    __slots__ = ("__weakref__", "_entries", "_hash", "_next")

    def __init__(self, items: Iterable[tuple[K, V]] | Mapping[K, V] = ()) -> None:
        pairs = items.items() if isinstance(items, Mapping) else items
        entries: dict[K, tuple[int, V]] = {}
        for key, value in pairs:
            serial = entries[key][0] if key in entries else len(entries)
            entries[key] = (serial, value)
        self._entries: immutables.Map[K, tuple[int, V]] = immutables.Map(entries)
        self._next = len(entries)
        self._hash: int | None = None

    def __getitem__(self, key: K) -> V:
        return self._entries[key][1]

    @overload
    def get(self, key: K, /) -> V | None: ...

    @overload
    def get(self, key: K, /, default: V | T) -> V | T: ...

    def get(self, key: K, /, default: T | None = None) -> V | T | None:
        """The value of ``key``, or ``default``; several times faster than through the mix-in method."""
        entry = self._entries.get(key)
        return default if entry is None else entry[1]

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[K]:
        ordered = sorted(self._entries.items(), key=_serial)
        return (key for key, _entry in ordered)

    def items(self) -> list[tuple[K, V]]:  # type: ignore[override]
        """The pairs in order, as a list: one sort instead of a look-up for each key."""
        return [(key, entry[1]) for key, entry in sorted(self._entries.items(), key=_serial)]

    def values(self) -> list[V]:  # type: ignore[override]
        """The values in order, as a list."""
        return [entry[1] for _key, entry in sorted(self._entries.items(), key=_serial)]

    def place(self, key: K) -> int:
        """The place that orders ``key``: an entry keeps it for life, also when it is renamed; none is given twice.

        Raises:
            KeyError: ``key`` is not there.
        """
        return self._entries[key][0]

    def set(self, key: K, value: V) -> FrozenMap[K, V]:
        """Return a copy in which ``key`` has ``value``: in its old place, or at the end."""
        known = self._entries.get(key)
        if known is not None:
            return self._with(self._entries.set(key, (known[0], value)), self._next)
        return self._with(self._entries.set(key, (self._next, value)), self._next + 1)

    def without(self, key: K) -> FrozenMap[K, V]:
        """Return a copy without ``key``.

        Raises:
            KeyError: ``key`` is not there.
        """
        return self._with(self._entries.delete(key), self._next)

    def rename(self, old: K, new: K, value: V) -> FrozenMap[K, V]:
        """Return a copy in which ``new`` with ``value`` stands in the place of ``old``.

        Raises:
            KeyError: ``old`` is not there.
        """
        place = self._entries[old][0]
        return self._with(self._entries.delete(old).set(new, (place, value)), self._next)

    def _with(self, entries: Any, following: int) -> FrozenMap[K, V]:
        copy: FrozenMap[K, V] = FrozenMap.__new__(FrozenMap)
        copy._entries = entries
        copy._next = following
        copy._hash = None
        return copy

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, FrozenMap):
            return len(self) == len(other) and self.items() == other.items()
        return NotImplemented

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


def _serial(item: tuple[Any, tuple[int, Any]]) -> int:
    return item[1][0]
