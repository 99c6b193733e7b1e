"""A cache for facts derived from immutable values, kept as long as the value itself lives."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class IdentityCache(Generic[K, V]):
    """Remembers one fact for each object, by identity.

    ``WeakKeyDictionary`` would hash and compare the whole content of a design at each look-up.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[K], V]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing is remembered."""
        return not self._entries

    def get(self, key: K, compute: Callable[[K], V]) -> V:
        """Return what is known about ``key``, computing it the first time."""
        entry = self._entries.get(id(key))
        if entry is not None:
            return entry[1]
        value = compute(key)
        self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        """Remember what is already known about ``key``."""
        place = id(key)
        entries = self._entries
        entries[place] = (weakref.ref(key, lambda _gone: entries.pop(place, None)), value)
