"""Single bits of signals and constants, put together to the shortest text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from model.systemverilog.names import identifier


@dataclass(frozen=True, slots=True)
class Signal:
    """A wire or port of a module, with its bounds as numbers.

    Attributes:
        name: raw.
        is_scalar: declared without a range; both bounds are 0 then.
    """

    name: str
    left: int = 0
    right: int = 0
    is_scalar: bool = True

    @property
    def step(self) -> int:
        """From one index to the next one on its right."""
        return -1 if self.left >= self.right else 1


@dataclass(frozen=True, slots=True)
class Part:
    """Neighbouring bits of one signal."""

    signal: Signal
    first: int
    last: int

    def __str__(self) -> str:
        name = identifier(self.signal.name)
        if self.signal.is_scalar or (self.first, self.last) == (self.signal.left, self.signal.right):
            return name
        return f"{name}[{self.first}]" if self.first == self.last else f"{name}[{self.first}:{self.last}]"


Item = tuple[Signal, int] | int
"""A bit of a signal, or a constant 0 or 1."""


def concatenation(items: Sequence[Item]) -> str:
    """Return bits, the leftmost first, as an expression."""
    texts: list[str] = []
    constants = ""
    part: Part | None = None
    for item in items:
        if isinstance(item, int):
            texts.extend([str(part)] if part is not None else [])
            part = None
            constants += str(item)
            continue
        if constants:
            texts.append(f"{len(constants)}'b{constants}")
            constants = ""
        signal, index = item
        if part is not None and part.signal == signal and index == part.last + signal.step:
            part = Part(signal, part.first, index)
        else:
            texts.extend([str(part)] if part is not None else [])
            part = Part(signal, index, index)
    texts.extend([str(part)] if part is not None else [])
    texts.extend([f"{len(constants)}'b{constants}"] if constants else [])
    return texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"
