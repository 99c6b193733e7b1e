"""Widths of ports: as numbers, as text for people, and as the two bounds that are stored."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from model.arithmetic import Number
from model.elements import Component, Endpoint, Instance, Port, SignalPort
from model.expressions import SUBTRACTION, Binary, ExpressionError, Literal, evaluate, parse
from model.parameters import NO_OVERRIDES, Values, instance_overrides


def bounds_of_width(width: str) -> tuple[str, str]:
    """Return the bounds that stand for a width: ``8`` is 7 and 0, ``W`` is ``W-1`` and 0, ``1`` is no vector at all."""
    if width.isdecimal():
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
        if left.strip().isdecimal():
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
        overrides: expressions without names that replace parameter values; see :func:`instance_overrides`.
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
    if left.isdecimal() and right.isdecimal():
        return abs(int(left) - int(right)) + 1
    values = Values(component.parameters, overrides)
    first, last = _whole(left, values), _whole(right, values)
    return None if first is None or last is None else abs(first - last) + 1


def slice_bounds(
    left: str, right: str, component: Component, overrides: Mapping[str, str] = NO_OVERRIDES
) -> tuple[int, int] | None:
    """Return two bounds as numbers, or None where one has no value."""
    if left.isdecimal() and right.isdecimal():
        return int(left), int(right)
    values = Values(component.parameters, overrides)
    first, last = _whole(left, values), _whole(right, values)
    return None if first is None or last is None else (first, last)


def end_width(parent: Component, instance: Instance | None, owner: Component, end: Endpoint) -> int | None:
    """Return how many bits one end of a connection joins, the instance's parameter overrides considered.

    Args:
        parent: the component whose design holds the connection: slices are expressions over its parameters.
        instance: where the port is, or None for the parent's own.
        owner: the instance's component, or ``parent``.
        end: with its slice.
    """
    if end.left:
        return vector_width(end.left, end.right or end.left, parent)
    port = owner.ports.get(end.port)
    if port is None:
        return None
    if isinstance(port, SignalPort) and (not port.left or (port.left.isdecimal() and port.right.isdecimal())):
        return vector_width(port.left, port.right, owner)
    return port_width(owner, port, instance_overrides(parent, instance) if instance else NO_OVERRIDES)


def _whole(text: str, values: Mapping[str, Number | str]) -> int | None:
    try:
        value = evaluate(text, values)
    except ExpressionError:
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None
