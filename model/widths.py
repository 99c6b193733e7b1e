"""Widths of ports: as numbers, as text for people, and as the two bounds that are stored."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from model.arithmetic import Number
from model.elements import Component, Endpoint, Port, SignalPort
from model.expression_syntax import SUBTRACTION, Binary, ExpressionError, Literal, parse
from model.expressions import evaluate
from model.parameters import NO_OVERRIDES, Values


def is_plain(text: str) -> bool:
    """Whether a text is nothing but decimal digits: the common case, which needs no parser."""
    return text.isdecimal() and text.isascii()


def bounds_of_width(width: str) -> tuple[str, str]:
    """Return the bounds that stand for a width: ``8`` is 7 and 0, ``W`` is ``W-1`` and 0, ``1`` is no vector at all."""
    if is_plain(width):
        return ("", "") if int(width) == 1 else (str(int(width) - 1), "0")
    return (f"{width}-1" if parse(width).precedence >= SUBTRACTION else f"({width})-1"), "0"


def width_text(port: Port) -> str:
    """Return a port's width for people: ``8``, ``DATA_WIDTH``, or its bounds (``7:4``) where it does not end at 0.

    For a transactional port its bus width, which may be "".
    """
    if not isinstance(port, SignalPort):
        return port.bus_width
    return vector_text(port.left, port.right)


@lru_cache(maxsize=4096)
def vector_text(left: str, right: str) -> str:
    """Return the width that two bounds stand for, as text; see :func:`width_text`."""
    if not left and not right:
        return "1"
    if right.strip() == "0":
        if is_plain(left.strip()):
            return str(int(left) + 1)
        width = _minus_one(left)
        if width:
            return width
    return f"{left}:{right}"


def _minus_one(text: str) -> str:
    """Return ``W`` for ``W-1``, or ""."""
    try:
        root = parse(text).root
    except ExpressionError:
        return ""
    match root:
        case Binary(operator="-", left=left, right=Literal(value=1) as one):
            before = text[root.start : one.start].rstrip().removesuffix("-").rstrip()
            plain = text[left.start : left.end]
            return plain if before == f"({plain})" else before
    return ""


def width_label(port: Port) -> str:
    """Return a port's width in words: ``1 bit``, ``8 bits``, ``DATA_WIDTH bits``, ``[4:7]``; "" when it has none."""
    text = width_text(port)
    if ":" in text and isinstance(port, SignalPort):
        return f"[{text}]"
    return "1 bit" if text == "1" else f"{text} bits" if text else ""


def port_width(component: Component, port: Port, overrides: Mapping[str, str] = NO_OVERRIDES) -> int | None:
    """Return the width of a port in bits, or None where it has none or it cannot be computed.

    Args:
        component: whose port it is.
        port: a signal port, or a transactional one (its bus width).
        overrides: expressions without names that replace parameter values
            (:func:`model.parameters.instance_overrides`).
    """
    if isinstance(port, SignalPort):
        return vector_width(port.left, port.right, component, overrides)
    if not port.bus_width:
        return None
    return _whole(port.bus_width, Values(component.parameters, overrides))


def vector_width(
    left: str, right: str, component: Component, overrides: Mapping[str, str] = NO_OVERRIDES
) -> int | None:
    """Return the number of bits between two bounds (both "" for one bit), or None where they have no value."""
    if not left and not right:
        return 1
    bounds = slice_bounds(left, right, component, overrides)
    return None if bounds is None else abs(bounds[0] - bounds[1]) + 1


def slice_bounds(
    left: str, right: str, component: Component, overrides: Mapping[str, str] = NO_OVERRIDES
) -> tuple[int, int] | None:
    """Return two bounds as numbers, or None where one has no value or is negative (``W-1`` where W is 0)."""
    if is_plain(left) and is_plain(right):
        return int(left), int(right)
    values = Values(component.parameters, overrides)
    first, last = _whole(left, values), _whole(right, values)
    return None if first is None or last is None or min(first, last) < 0 else (first, last)


def port_bounds(
    component: Component, port: SignalPort, overrides: Mapping[str, str] = NO_OVERRIDES
) -> tuple[int, int] | None:
    """Return a port's bounds as numbers, (0, 0) for a single bit, or None where one has no value."""
    return slice_bounds(port.left, port.right, component, overrides) if port.left else (0, 0)


def end_width(
    parent: Component, owner: Component, end: Endpoint, overrides: Mapping[str, str] = NO_OVERRIDES
) -> int | None:
    """Return how many bits one end of a connection joins, or None where that has no value.

    Args:
        parent: the component whose design holds the connection: slices are expressions over its parameters.
        owner: the component whose port it is: the instance's, or ``parent``.
        end: with its slice.
        overrides: what the instance sets the owner's parameters to.
    """
    if end.left:
        return vector_width(end.left, end.right or end.left, parent)
    port = owner.ports.get(end.port)
    return None if port is None else port_width(owner, port, overrides)


def _whole(text: str, values: Mapping[str, Number | str]) -> int | None:
    try:
        value = evaluate(text, values)
    except ExpressionError:
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None
