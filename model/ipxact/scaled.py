"""Numbers as files older than IEEE 1685-2014 write them, and as expressions.

``scaledInteger`` and ``bitString`` of the 1685-2009 schemas (simpleTypes.xsd, autoConfigure.xsd): ``0x1F``, ``#1F``,
``-0x10``, ``64K`` (65,536), ``0x1M``, ``"0101"``; bool is ``true`` or ``false``. Later versions, and Blockwright's
values, have SystemVerilog expressions in their place: ``'h1F``, ``65536``, ``4'b0101``, ``1``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_SCALED = re.compile(r"([+-]?)(0[xX]|#)?([0-9a-fA-F]{1,1000})([kmgtKMGT]?)")
_HEX = re.compile(r"[+-]?0[xX]")
_BITS = re.compile(r'"([01]+)"')
_LITERAL = re.compile(r"(-?)(\d*)'([hb])([0-9a-fA-F]+)")
_SCALES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_TRUTH = {"true": "1", "false": "0"}


def expression(text: str) -> str:
    """The expression that a number stands for; anything else as it is."""
    bits = _BITS.fullmatch(text)
    if bits:
        return f"{len(bits.group(1))}'b{bits.group(1)}"
    match = _SCALED.fullmatch(text)
    if match is None:
        return text
    sign, prefix, digits, suffix = match.groups()
    if not prefix and (not suffix or not digits.isdecimal()):
        return text
    sign = sign.replace("+", "")
    if prefix and not suffix:
        return f"{sign}'h{digits}"
    value = int(digits, 16 if prefix else 10) * _SCALES[suffix.lower()]
    return f"{sign}'h{value:X}" if prefix else f"{sign}{value}"


def override(text: str) -> str:
    """The expression that the override of a parameter stands for, whose format its own file states elsewhere.

    ``64K`` may be text, then; ``0x40`` hardly is.
    """
    return expression(text) if _HEX.match(text) else text


def truth(text: str) -> str:
    """The expression that the value of a parameter of the format ``bool`` stands for."""
    return _TRUTH.get(text.lower(), text)


def scaled(text: str, bits: bool = False) -> str:
    """How a number is written in such a file, so that it is read as it was; where it cannot be, as it is.

    Args:
        bits: whether a binary number may be a quoted string of its bits.
    """
    match = _LITERAL.fullmatch(text)
    if match is None:
        return text
    sign, _size, base, digits = match.groups()
    written = f'"{digits}"' if base == "b" and bits else f"{sign}0x{digits}"
    return written if expression(written) == text else text


def is_scaled(text: str) -> bool:
    """Whether a text is such a number."""
    match = _SCALED.fullmatch(text)
    return match is not None and (bool(match.group(2)) or match.group(3).isdecimal())


def then(translate: Callable[[str], str]) -> Callable[[str], str]:
    """Read numbers as expressions before ``translate`` sees them."""
    return lambda text: translate(expression(text))
