"""What the header of a module says, as values: names, texts of expressions, lines, comments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Range = tuple[str, str]
"""Left and right bound, texts."""

Sign = Literal["signed", "unsigned", ""]
RtlDirection = Literal["in", "out", "inout", "ref", ""]


@dataclass(frozen=True, slots=True)
class RtlType:
    """The type of a port or parameter as it is written.

    Attributes:
        name: keyword (``logic``, ``int``), the text of a user's type, or "" where none is given.
        is_builtin: whether the name is a keyword of the language, or "".
        sign: ``signed`` or ``unsigned`` where that is written, else "".
        packed: dimensions before the name.
    """

    name: str = ""
    is_builtin: bool = True
    sign: Sign = ""
    packed: tuple[Range, ...] = ()

    def __str__(self) -> str:
        ranges = "".join(f"[{left}:{right}]" for left, right in self.packed)
        return " ".join(filter(None, (self.name, self.sign, ranges)))


@dataclass(frozen=True, slots=True)
class RtlParameter:
    """A parameter.

    Attributes:
        is_local: a ``localparam``, or one that no instance can set.
        unpacked: dimensions behind the name; a size ``[4]`` is 0 to 3.
        value: its default, or "".
        comment: on its line.
    """

    name: str
    type: RtlType
    is_local: bool
    unpacked: tuple[Range, ...]
    value: str
    comment: str
    line: int


@dataclass(frozen=True, slots=True)
class RtlPort:
    """A port.

    Attributes:
        direction: "" where none can be found.
        interface: interface and modport (``axi.master``) of an interface port, or "".
        default: the value behind ``=``, or "".
    """

    name: str
    direction: RtlDirection
    type: RtlType
    unpacked: tuple[Range, ...] = ()
    interface: str = ""
    default: str = ""
    comment: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class RtlModule:
    """A module.

    Attributes:
        locals: parameters of the body by name, for ports that refer to them.
        problems: lines and texts of what is in the header but in none of these values.
    """

    name: str
    parameters: tuple[RtlParameter, ...]
    locals: tuple[RtlParameter, ...]
    ports: tuple[RtlPort, ...]
    problems: tuple[tuple[int, str], ...]
    line: int
