"""Values that are worked out when they are first asked for, and frozen maps that hold some."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from typing import Any, Generic, TypeVar, cast, overload

from model.frozen_map import Entry, FrozenMap

K = TypeVar("K")
V = TypeVar("V")
W = TypeVar("W")
T = TypeVar("T")


class Unread(Generic[V]):
    """A value that is worked out once, by the first thread that asks; the others wait for it."""

    __slots__ = ("_lock", "_read", "_value")

    def __init__(self, read: Callable[[], V]) -> None:
        self._lock = threading.Lock()
        self._read: Callable[[], V] | None = read
        self._value: V | None = None

    @property
    def is_read(self) -> bool:
        """Whether somebody has asked already."""
        return self._read is None

    def value(self) -> V:
        """The value."""
        if self._read is not None:
            with self._lock:
                if self._read is not None:
                    self._value = self._read()
                    self._read = None  # and what it needed with it
        return cast("V", self._value)


class Part(Generic[V]):
    """One part of a value that may be unread still."""

    __slots__ = ("_part", "_whole")

    def __init__(self, whole: Unread[Any], part: Callable[[Any], V]) -> None:
        self._whole = whole
        self._part = part

    @property
    def is_read(self) -> bool:
        """Whether the whole was read already."""
        return self._whole.is_read

    def value(self) -> V:
        """The part."""
        return self._part(self._whole.value())


class LazyMap(FrozenMap[K, V]):
    """A :class:`FrozenMap` whose values may be :class:`Part`\\ s; whoever asks for one gets what it stands for.

    A changed copy shares what is unread, and what has been read since.
    """

    __slots__ = ()

    @classmethod
    def of(cls, parts: Iterable[tuple[K, Part[V]]]) -> LazyMap[K, V]:
        """Build a map of parts."""
        return cls(cast("Iterable[tuple[K, V]]", parts))

    def is_unread(self, key: K) -> bool:
        """Whether nobody has asked for the value of ``key`` yet."""
        entry = self._entries.get(key)
        return entry is not None and isinstance(entry[2], Part) and not entry[2].is_read

    def __getitem__(self, key: K) -> V:
        return _settled(self._entries[key][2])

    @overload
    def get(self, key: K, /) -> V | None: ...

    @overload
    def get(self, key: K, /, default: V | T) -> V | T: ...

    def get(self, key: K, /, default: T | None = None) -> V | T | None:
        """The value of ``key``, or ``default``."""
        entry = self._entries.get(key)
        return default if entry is None else _settled(entry[2])

    def items(self) -> list[tuple[K, V]]:  # type: ignore[override]
        """The pairs in order, as a list; reads all."""
        return [(key, _settled(value)) for key, value in super().items()]

    def values(self) -> list[V]:  # type: ignore[override]
        """The values in order, as a list; reads all."""
        return [_settled(value) for value in super().values()]

    def entries(self) -> list[Entry[K, V]]:
        """Places, keys and values in order, as a list; reads all."""
        return [(place, key, _settled(value)) for place, key, value in super().entries()]

    def at(self, place: int) -> Entry[K, V] | None:
        """What stands at a place."""
        return self._shown(super().at(place))

    def _shown(self, entry: Entry[K, V] | None) -> Entry[K, V] | None:
        return None if entry is None else (entry[0], entry[1], _settled(entry[2]))


def _settled(value: V) -> V:
    return cast("V", value.value()) if isinstance(value, Part) else value


class LazyDict(MutableMapping[K, V]):
    """A dictionary whose values may be :class:`Part`\\ s; whoever asks for one gets what it stands for."""

    def __init__(self, entries: dict[K, Part[V]]) -> None:
        self._entries: dict[K, Any] = dict(entries)

    def __getitem__(self, key: K) -> V:
        return cast("V", _settled(self._entries[key]))

    def __setitem__(self, key: K, value: V) -> None:
        self._entries[key] = value

    def __delitem__(self, key: K) -> None:
        del self._entries[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __copy__(self) -> LazyDict[K, V]:
        return LazyDict(self._entries)
