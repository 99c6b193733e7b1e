"""Groups of what is joined, directly or through others (union-find). No Qt."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Joined(Generic[T]):
    """Members of groups; each is in a group of its own until it is joined to another."""

    def __init__(self) -> None:
        self._parent: dict[T, T] = {}

    def root(self, member: T) -> T:
        """The one member that stands for the group."""
        parent = self._parent.setdefault(member, member)
        while parent != self._parent[parent]:
            self._parent[member] = self._parent[parent]
            member, parent = parent, self._parent[parent]
        return parent

    def join(self, one: T, other: T) -> None:
        """Make one group of two."""
        first, second = self.root(one), self.root(other)
        if first != second:
            self._parent[second] = first
