"""How many bits a number has, and whether these are signed (IEEE 1800-2017, clauses 11.6 and 11.8)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from model.arithmetic import Number


@dataclass(frozen=True, slots=True)
class Size:
    """The size of an expression.

    Attributes:
        width: bits; None where none are stated: a plain ``8`` has as many as its context needs, 32 at least (clause
            5.7.1). 0 for ``'0`` and ``'1``, which fill whatever stands beside them.
    """

    width: int | None
    is_signed: bool

    def beside(self, other: Size) -> Size:
        """The size that two operands of one operator share (clauses 11.6.1 and 11.8.1)."""
        if self is other:  # most often both are plain integers
            return self
        width = None if self.width is None or other.width is None else max(self.width, other.width)
        return Size(width, self.is_signed and other.is_signed)

    def at_least(self, width: int) -> Size:
        """This size, or that many bits where they are more."""
        return self if self.width is None or self.width >= width else Size(width, self.is_signed)

    def fit(self, value: int) -> int:
        """The number that the low bits of a value stand for; the value itself where no width is stated."""
        if self.width is None:
            return value
        value &= (1 << self.width) - 1
        return value - (1 << self.width) if self.is_signed and self.width and value >> (self.width - 1) else value


INTEGER = Size(None, True)
"""Of plain numbers, and of names of which nothing is known."""

BIT = Size(1, False)
"""Of what is true or false."""


class SizedValues(Mapping[str, Number | str]):
    """The values of names, some of which have a stated size."""

    @abstractmethod
    def size(self, name: str) -> Size:
        """The size of a name, :data:`INTEGER` where none is stated."""
