"""Arithmetic of SystemVerilog constant expressions (IEEE 1800-2017, clauses 11.4 and 20.8), on unbounded integers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

Number = int | float

MOST_BITS = 4096
"""Results with more bits are refused: a short text such as ``9**9**9`` must not occupy the machine."""


class NoValueError(Exception):
    """An operation without a result; the text says why."""


def number(value: Number | str | None) -> Number:
    """Return a value that must be a number.

    Raises:
        NoValueError: it is text, or has unknown digits.
    """
    if isinstance(value, str):
        raise NoValueError(f"'{value}' is not a number")
    if value is None:
        raise NoValueError("it holds x or z digits")
    return value


def unary(operator: str, operand: Number | str | None) -> Number:
    """Apply a unary operator.

    Raises:
        NoValueError: the operand does not fit the operator.
    """
    value = number(operand)
    match operator:
        case "+":
            return value
        case "-":
            return -value
        case "!":
            return int(not value)
        case "~":
            return ~_integer(value, operator)
    bits = _integer(value, operator)
    # Of a value without a width only the sign and the set bits are known.
    if operator in {"|", "~|"}:
        return int((bits != 0) is (operator == "|"))
    if operator in {"&", "~&"} or bits < 0:
        raise NoValueError(f"{operator} of a value whose width is not known")
    return reduction(operator, bits, 0)


def reduction(operator: str, bits: int, width: int) -> int:
    """Join the bits of a value into one (clause 11.4.9).

    Args:
        bits: the value as a bit pattern.
        width: how many bits there are; only ``&`` and ``~&`` depend on it.
    """
    match operator.strip("~"):
        case "&":
            joined = bits == (1 << width) - 1
        case "|":
            joined = bits != 0
        case _:
            joined = bits.bit_count() % 2 == 1
    return int(joined is not ("~" in operator))


def binary(operator: str, left: Number | str | None, right: Number | str | None) -> Number:
    """Apply a binary operator.

    Raises:
        NoValueError: the operands do not fit the operator, a division by zero, a result beyond all bounds.
    """
    if operator in {"==", "===", "!=", "!=="}:
        if left is None or right is None:
            raise NoValueError("it holds x or z digits")
        return int((left == right) is (operator[0] == "="))
    a, b = number(left), number(right)
    if operator in _INTEGER_ONLY:
        return _bounded(_INTEGER_ONLY[operator](_integer(a, operator), _integer(b, operator)))
    try:
        return _bounded(_ANY_NUMBER[operator](a, b))
    except OverflowError:
        raise NoValueError("the result is too large") from None


def sized_binary(operator: str, left: int, right: int, width: int) -> int:
    """Apply an arithmetic or bitwise operator or a shift to numbers that have a width; the result is not cut to it.

    Raises:
        NoValueError: a division by zero.
    """
    match operator:
        case "<<" | "<<<" if right >= 0:
            return left << right if right < width else 0
        case ">>" if right >= 0:
            return (left & (1 << width) - 1) >> right
        case "**" if right >= 0:
            return pow(left, right, 1 << width)
    return int(binary(operator, left, right))


def call(function: str, arguments: Sequence[Number | str | None]) -> Number:
    """Call a system function of clause 20.8.

    Raises:
        NoValueError: an unknown function, the wrong number of arguments, or arguments out of its domain.
    """
    known = _FUNCTIONS.get(function)
    if known is None:
        raise NoValueError(f"{function} is not one of {', '.join(_FUNCTIONS)}")
    count, apply = known
    if len(arguments) != count:
        raise NoValueError(f"{function} takes {count} argument{'s' if count > 1 else ''}, not {len(arguments)}")
    try:
        return _bounded(apply(*(number(argument) for argument in arguments)))
    except (ValueError, OverflowError):
        raise NoValueError(f"{function} is not defined there") from None


def _integer(value: Number, operator: str) -> int:
    if isinstance(value, float):
        raise NoValueError(f"{operator} needs whole numbers, not {value}")
    return value


def _bounded(value: Number) -> Number:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NoValueError("the result is too large")
    elif value.bit_length() > MOST_BITS:
        raise NoValueError("the result is too large")
    return value


def _divide(a: Number, b: Number) -> Number:
    """Integers truncate towards zero (clause 11.4.3)."""
    if b == 0:
        raise NoValueError("it divides by zero")
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _remainder(a: int, b: int) -> int:
    """The result takes the sign of the first operand (clause 11.4.3)."""
    if b == 0:
        raise NoValueError("it divides by zero")
    remainder = abs(a) % abs(b)
    return -remainder if a < 0 else remainder


def _power(a: Number, b: Number) -> Number:
    """Clause 11.4.3.1, table 11-4."""
    if isinstance(a, float) or isinstance(b, float):
        if a == 0 and b < 0:
            raise NoValueError("it divides by zero")
        if a < 0 and b != int(b):
            raise NoValueError("a root of a negative number")
        return math.pow(a, b)
    if b < 0:
        if a == 0:
            raise NoValueError("it divides by zero")
        if a in {1, -1}:
            return a if b % 2 else 1
        return 0
    if abs(a) > 1 and b * abs(a).bit_length() > 2 * MOST_BITS:
        raise NoValueError("the result is too large")
    return int(a**b)


def _shift_left(a: int, b: int) -> int:
    if b < 0:
        raise NoValueError("it shifts by a negative number")
    if b > MOST_BITS and a:
        raise NoValueError("the result is too large")
    return a << b if a else 0


def _shift_right(a: int, b: int) -> int:
    if b < 0:
        raise NoValueError("it shifts by a negative number")
    return a >> b


def _clog2(value: Number) -> int:
    """Ceiling of the base-2 logarithm; 0 for 0 (clause 20.8.1)."""
    whole = _integer(value, "$clog2")
    if whole < 0:
        raise NoValueError("$clog2 of a negative number")
    return max(whole - 1, 0).bit_length()


_INTEGER_ONLY: dict[str, Callable[[int, int], int]] = {
    "%": _remainder,
    "<<": _shift_left,
    "<<<": _shift_left,
    ">>": _shift_right,
    ">>>": _shift_right,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "~^": lambda a, b: ~(a ^ b),
    "^~": lambda a, b: ~(a ^ b),
}
_ANY_NUMBER: dict[str, Callable[[Number, Number], Number]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "**": _power,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}
_FUNCTIONS: dict[str, tuple[int, Callable[..., Number]]] = {
    "$clog2": (1, _clog2),
    "$pow": (2, lambda a, b: _power(float(a), float(b))),
    "$sqrt": (1, math.sqrt),
    "$exp": (1, math.exp),
    "$ln": (1, math.log),
    "$log10": (1, math.log10),
    "$floor": (1, lambda value: float(math.floor(value))),
    "$ceil": (1, lambda value: float(math.ceil(value))),
}
