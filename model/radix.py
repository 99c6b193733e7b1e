"""A persistent row of objects at whole-number places, as nested tuples: changed copies share what did not change.

That two rows differ is therefore found at the cost of what differs, and reading one in order takes no sorting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Generic, TypeVar

T = TypeVar("T")

_BITS = 5
_WIDTH = 1 << _BITS

Branch = tuple[Any, ...]
"""Up to 32 branches, or at the lowest level objects; None where there is nothing."""


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """Objects by place.

    Attributes:
        root: the topmost branch.
        level: how many levels of branches lie below it.
    """

    root: Branch = ()
    level: int = 0

    @classmethod
    def of(cls, objects: Sequence[T]) -> Row[T]:
        """The row with ``objects`` at the places 0, 1, 2, …"""
        branches: list[Any] = [tuple(objects[at : at + _WIDTH]) for at in range(0, len(objects), _WIDTH)] or [()]
        level = 0
        while len(branches) > 1:
            branches = [tuple(branches[at : at + _WIDTH]) for at in range(0, len(branches), _WIDTH)]
            level += 1
        return cls(branches[0], level)

    def at(self, place: int) -> T | None:
        """The object at a place, or None."""
        branch: Any = self.root
        for level in range(self.level, -1, -1):
            index = place >> level * _BITS
            # Above the topmost branch there is nothing; below it only the lowest five bits count.
            index = index if level == self.level else index & _WIDTH - 1
            if branch is None or index >= len(branch):
                return None
            branch = branch[index]
        found: T | None = branch
        return found

    def put(self, place: int, thing: T | None) -> Row[T]:
        """A copy with another object at a place, or none."""
        root, level = self.root, self.level
        while place >> (level + 1) * _BITS:
            root, level = ((root,) if root else ()), level + 1
        return Row(_put(root, level, place, thing), level)

    def all(self) -> list[T]:
        """The objects in order."""
        branches = [self.root]
        for _level in range(self.level):
            branches = [below for branch in branches for below in branch if below is not None]
        return [thing for branch in branches for thing in branch if thing is not None]

    def differences(self, later: Row[T]) -> list[tuple[T | None, T | None]]:
        """What stands here and in ``later`` at each place where that is not the same object, in order."""
        one, other = self.root, later.root
        for _level in range(self.level, later.level):
            one = (one,) if one else ()
        for _level in range(later.level, self.level):
            other = (other,) if other else ()
        found: list[tuple[T | None, T | None]] = []
        _compare(one, other, max(self.level, later.level), found)
        return found


def _put(branch: Branch, level: int, place: int, thing: Any) -> Branch:
    index = place >> level * _BITS & _WIDTH - 1
    if level:
        below = branch[index] if index < len(branch) else None
        thing = _put(() if below is None else below, level - 1, place, thing) or None
    if thing is None and index >= len(branch) - 1:
        end = index
        while end and branch[end - 1] is None:
            end -= 1
        return branch[:end]
    if index < len(branch):
        return (*branch[:index], thing, *branch[index + 1 :])
    return (*branch, *(None,) * (index - len(branch)), thing)


def _compare(one: Branch, other: Branch, level: int, found: list[tuple[Any, Any]]) -> None:
    for a, b in zip_longest(one, other):
        if a is not b:
            if level:
                _compare(a or (), b or (), level - 1, found)
            else:
                found.append((a, b))
