"""Widths of ports: as numbers, as text for people, and as the two bounds that are stored."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from model.arithmetic import Number
from model.elements import Component, Endpoint, Port, SignalPort, StructuredPort, TransactionalPort
from model.expression_syntax import parse
from model.expression_tree import SUBTRACTION, Binary, ExpressionError, Literal
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

    A port of several dimensions has them all in brackets, those of an array behind a cross: ``[3:0][7:0] × [0:1]``.
    For a transactional port it is the bus width, which may be ""; a structured one has none.
    """
    if isinstance(port, TransactionalPort):
        return port.bus_width
    if isinstance(port, StructuredPort):
        return ""
    if not port.vectors and not port.arrays:
        return vector_text(port.left, port.right)
    packed = f"[{port.left}:{port.right}]{''.join(map(str, port.vectors))}" if port.left else "1"
    return f"{packed} × {''.join(map(str, port.arrays))}" if port.arrays else packed


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
    if isinstance(port, SignalPort) and (port.vectors or port.arrays):
        return text if port.left else f"1 bit{text[1:]}"
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
        if port.vectors or port.arrays:
            shape = port_shape(component, port, overrides)
            return None if shape is None else size_of(shape)
        return vector_width(port.left, port.right, component, overrides)
    if isinstance(port, StructuredPort) or not port.bus_width:
        return None
    return _whole(port.bus_width, Values(component.parameters, overrides))


Shape = tuple[tuple[int, int], ...]
"""The bounds of all dimensions of a port, the outermost first: those of arrays, then those of vectors."""


def port_shape(component: Component, port: SignalPort, overrides: Mapping[str, str] = NO_OVERRIDES) -> Shape | None:
    """Return the dimensions of a port as numbers, none for a single bit, or None where one has no value."""
    bounds = [(each.left, each.right) for each in port.arrays]
    if port.left:
        bounds += [(port.left, port.right), *((each.left, each.right) for each in port.vectors)]
    shape: list[tuple[int, int]] = []
    for left, right in bounds:
        found = slice_bounds(left, right, component, overrides)
        if found is None:
            return None
        shape.append(found)
    return tuple(shape)


def size_of(shape: Shape) -> int:
    """Return how many bits a port of these dimensions has."""
    return math.prod(abs(left - right) + 1 for left, right in shape)


def part_of_shape(shape: Shape, indices: Sequence[int], bounds: tuple[int, int] | None) -> range | None:
    """Return the bits of a port of several dimensions that indices and a range behind them pick, or None.

    The bits are counted from 0, the rightmost of the innermost dimension first.
    """
    if len(indices) + (bounds is not None) > len(shape):
        return None
    picks = [(index, index) for index in indices] + ([bounds] if bounds is not None else [])
    start, count = 0, size_of(shape)
    for (left, right), (first, last) in zip(shape, picks, strict=False):
        if not min(left, right) <= min(first, last) <= max(first, last) <= max(left, right):
            return None
        count //= abs(left - right) + 1  # bits of one element of this dimension
        start += min(abs(first - right), abs(last - right)) * count
        if first != last:
            return range(start, start + (abs(first - last) + 1) * count)
    return range(start, start + count)


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
    port = port_at(owner, end)
    if isinstance(port, SignalPort) and (end.path or port.vectors or port.arrays):
        part = end_part(parent, owner, port, end, overrides)
        return None if part is None else len(part)
    if end.left:
        return vector_width(end.left, end.right or end.left, parent)
    return None if port is None else port_width(owner, port, overrides)


def port_at(owner: Component, end: Endpoint) -> Port | None:
    """Return the port that an end names, inside a structured one that which its path leads to."""
    port = owner.ports.get(end.port)
    for step in end.path:
        if step.startswith("."):
            port = port.sub_ports.get(step[1:]) if isinstance(port, StructuredPort) else None
    return port


def end_indices(end: Endpoint) -> tuple[str, ...]:
    """Return the indices of an end that pick from the dimensions of the port that :func:`port_at` finds."""
    subs = [at for at, step in enumerate(end.path) if step.startswith(".")]
    return end.path[subs[-1] + 1 :] if subs else end.path


def end_part(
    parent: Component, owner: Component, port: SignalPort, end: Endpoint, overrides: Mapping[str, str] = NO_OVERRIDES
) -> range | None:
    """Return which bits of a port of several dimensions an end means, counted from 0, or None."""
    shape = port_shape(owner, port, overrides)
    picks = [slice_bounds(step, step, parent) for step in end_indices(end)]
    bounds = slice_bounds(end.left, end.right or end.left, parent) if end.left else None
    if shape is None or (end.left and bounds is None):
        return None
    indices = [pick[0] for pick in picks if pick is not None]
    return part_of_shape(shape, indices, bounds) if len(indices) == len(picks) else None


def _whole(text: str, values: Mapping[str, Number | str]) -> int | None:
    try:
        value = evaluate(text, values)
    except ExpressionError:
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else None
