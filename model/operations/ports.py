"""Adding ports."""

from __future__ import annotations

from typing import cast

from model.change import Change, ElementId
from model.difference import element_kind
from model.elements import Component, Direction, Initiative, Port, SignalPort, TransactionalKind, TransactionalPort
from model.errors import DesignError
from model.expressions import ExpressionError, evaluate, names_in
from model.library import Library
from model.operations.arguments import (
    DIRECTIONS,
    INITIATIVES,
    KINDS,
    Argument,
    choice,
    find,
    numeric,
    port_name,
    text,
)
from model.parameters import Values, unknown_parameter
from model.widths import bounds_of_width, is_plain, width_label


def add_signal_port(
    current: Library,
    /,
    component: str,
    name: str,
    direction: str,
    width: Argument = "1",
    left: Argument = "",
    right: Argument = "",
    default_value: Argument = "",
    description: Argument = "",
) -> tuple[Library, Change]:
    """Add a signal port; ``width``, ``left`` and ``right`` are numbers or expressions over the parameters.

    Raises:
        DesignError: ``component-not-found``, ``bad-name``, ``name-taken``, ``bad-choice``, ``bounds-incomplete``,
            ``width-and-bounds``, ``bad-width``, ``bad-bounds``, ``bad-expression``, ``unknown-parameter``,
            ``default-on-output``.
    """
    owner = find(current, component)
    new_name = _free_name(owner, name)
    way = cast(Direction, choice(direction, "direction", DIRECTIONS))
    bounds = bounds_from(owner, width, left, right)
    default = checked_default(owner, new_name, way, default_value)
    port = SignalPort(
        name=new_name,
        direction=way,
        left=bounds[0],
        right=bounds[1],
        default_value=default,
        description=text(description, "description"),
    )
    shape = ", ".join(part for part in (way, width_label(port)) if part)
    return _added(current, owner, port, f"Added signal port {new_name} ({shape}) to {owner.vlnv}.")


def add_transactional_port(
    current: Library,
    /,
    component: str,
    name: str,
    initiative: str,
    kind: Argument = "tlm_socket",
    protocol: Argument = "",
    bus_width: Argument = "",
    description: Argument = "",
) -> tuple[Library, Change]:
    """Add a transactional port.

    Raises:
        DesignError: ``component-not-found``, ``bad-name``, ``name-taken``, ``bad-choice``, ``bad-width``,
            ``bad-expression``, ``unknown-parameter``.
    """
    owner = find(current, component)
    new_name = _free_name(owner, name)
    port = TransactionalPort(
        name=new_name,
        initiative=cast(Initiative, choice(initiative, "initiative", INITIATIVES)),
        kind=cast(TransactionalKind, choice(kind, "kind", KINDS, "tlm_socket")),
        protocol=text(protocol, "protocol").strip(),
        bus_width=checked_width(owner, bus_width, "bus_width"),
        description=text(description, "description"),
    )
    shape = ", ".join(part for part in (port.initiative, port.kind, width_label(port)) if part)
    return _added(current, owner, port, f"Added transactional port {new_name} ({shape}) to {owner.vlnv}.")


def _added(current: Library, owner: Component, port: Port, summary: str) -> tuple[Library, Change]:
    changed = owner.model_copy(update={"ports": owner.ports.set(port.name, port)})
    return current.put(changed), Change(summary, added=(port_id(owner, port),))


def port_id(owner: Component, port: Port) -> ElementId:
    """The element id of a port."""
    return ElementId(owner.vlnv, element_kind(port, "signal_port"), port.name)


def _free_name(owner: Component, name: str) -> str:
    new_name = port_name(name)
    check_port_free(owner, new_name)
    return new_name


def check_port_free(owner: Component, name: str) -> None:
    """Refuse a name that a port has.

    Raises:
        DesignError: ``name-taken``.
    """
    taken = owner.ports.get(name)
    if taken is not None:
        kind = element_kind(taken, "signal_port").replace("_", " ")
        raise DesignError(
            "name-taken",
            f"{owner.vlnv} already has a {kind} {name}.",
            "Choose another name, or delete that port first.",
        )


def bounds_from(owner: Component, width: Argument, left: Argument, right: Argument) -> tuple[str, str]:
    """Return the bounds to store for a width or for two bounds.

    Raises:
        DesignError: see :func:`add_signal_port`.
    """
    bits = numeric(width, "width")
    first, last = numeric(left, "left"), numeric(right, "right")
    if not first and not last:
        return bounds_of_width(checked_width(owner, bits or "1", "width"))
    if not first or not last:
        given, missing = ("left", "right") if first else ("right", "left")
        raise DesignError(
            "bounds-incomplete", f"{given} is given without {missing}.", "Give both bounds, or width instead."
        )
    if bits not in {"", "1"}:
        raise DesignError(
            "width-and-bounds",
            f"Both width ({bits}) and bounds ({first}:{last}) are given.",
            "Give either width, or left and right.",
        )
    return _checked_bound(owner, first, "left"), _checked_bound(owner, last, "right")


def checked_width(owner: Component, width: Argument, argument: str) -> str:
    """Return a width that is a positive whole number with the parameters' present values, or "".

    Raises:
        DesignError: ``bad-width``, ``bad-expression``, ``unknown-parameter``.
    """
    bits = numeric(width, argument)
    if not bits:
        return ""
    if is_plain(bits):
        bits = str(int(bits)) if len(bits) < 20 else bits
    value = _value(owner, bits, argument, "bad-width")
    if not isinstance(value, int) or value < 1:
        shown = f"'{bits}'" if str(value) == bits else f"'{bits}' (now {value})"
        raise DesignError(
            "bad-width",
            f"The {argument} {shown} is not a positive whole number.",
            "Give a number of bits such as 8, or an expression over the component's parameters.",
        )
    if value > MOST_BITS:
        raise DesignError("bad-width", f"The {argument} {bits} is more than {MOST_BITS} bits.", "Give a smaller one.")
    return bits


MOST_BITS = 1 << 24


def _checked_bound(owner: Component, bound: str, argument: str) -> str:
    value = _value(owner, bound, argument, "bad-bounds")
    if not isinstance(value, int) or not 0 <= value < MOST_BITS:
        shown = f"'{bound}'" if str(value) == bound else f"'{bound}' (now {value})"
        raise DesignError(
            "bad-bounds",
            f"The bound {argument}, {shown}, is not a whole number from 0 to {MOST_BITS - 1}.",
            "Give a bit number such as 7, or an expression over the component's parameters.",
        )
    return bound


def _value(owner: Component, expression: str, argument: str, code: str) -> object:
    check_names(owner, expression)
    try:
        return evaluate(expression, Values(owner.parameters))
    except ExpressionError as problem:
        if problem.code == "no-value":
            raise DesignError(
                code, f"The {argument} {problem.message}", "Check the values of the parameters in it."
            ) from None
        raise


def check_names(owner: Component, expression: str) -> None:
    """Refuse an expression that is none, or that names a parameter the component lacks.

    Raises:
        DesignError: ``bad-expression``, ``unknown-parameter``.
    """
    for name in sorted(names_in(expression)):
        if name not in owner.parameters:
            raise unknown_parameter(name, owner)


def checked_default(owner: Component, port: str, direction: str, default_value: Argument) -> str:
    """Return the default of an ``in`` or ``inout`` port, or "".

    Raises:
        DesignError: ``default-on-output``, ``bad-expression``, ``unknown-parameter``.
    """
    default = text(default_value, "default_value").strip()
    if not default:
        return ""
    if direction == "out":
        raise DesignError(
            "default-on-output",
            f"Port {port} is an output, and only in and inout ports have a default value (here '{default}').",
            "Leave default_value out.",
        )
    check_names(owner, default)
    return default
