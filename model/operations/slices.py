"""Joining parts of ports, and tying ports to a value."""

from __future__ import annotations

from model.change import Change, ElementId
from model.elements import Component, Connection, Design, Endpoint, SignalPort
from model.ends import Ends, Resolved
from model.errors import DesignError, Warning
from model.expressions import ExpressionError, evaluate
from model.library import Library
from model.nets import netlist, with_connections
from model.operations.arguments import Argument, find, numeric
from model.operations.connections import check_drivers, connection_name, free_name, join, resolve_end
from model.operations.ports import check_names
from model.parameters import Values
from model.widths import slice_bounds

OPEN, DEFAULT = "open", "default"
"""The two words that a tie-off may have in place of a value (IEEE 1685-2022, clause 7.5)."""


def connect_slice(
    current: Library,
    /,
    component: str,
    source_port: str,
    target_port: str,
    source_instance: Argument = "",
    source_left: Argument = "",
    source_right: Argument = "",
    target_instance: Argument = "",
    target_left: Argument = "",
    target_right: Argument = "",
    name: Argument = "",
) -> tuple[Library, Change]:
    """Join a part of a port with another port or a part of it; bounds without the right one mean a single bit.

    Raises:
        DesignError: ``slice-missing`` without any bound, ``bounds-incomplete``, ``bad-slice`` for bits that a port
            does not have, and whatever :func:`add_subcomponent_connection` refuses.
    """
    parent = find(current, component)
    ends = Ends(current, parent, parent.design)
    source = _part(
        ends, resolve_end(ends, source_instance, source_port, "source_"), source_left, source_right, "source_"
    )
    target = _part(
        ends, resolve_end(ends, target_instance, target_port, "target_"), target_left, target_right, "target_"
    )
    if not source.end.left and not target.end.left:
        raise DesignError(
            "slice-missing",
            "No bits are given, neither of the source nor of the target.",
            "Give source_left, target_left or both, or use add_subcomponent_connection for whole ports.",
        )
    return join(ends, source, target, name)


def tie_off(
    current: Library,
    /,
    component: str,
    port: str,
    value: Argument,
    instance: Argument = "",
    left: Argument = "",
    right: Argument = "",
    name: Argument = "",
) -> tuple[Library, Change]:
    """Tie a port, or a part of it, to a value; an empty instance means the component's own port.

    Args:
        value: an expression over the component's parameters, ``default`` for the port's own default value, or
            ``open`` to leave it unconnected on purpose.

    Raises:
        DesignError: ``component-not-found``, ``instance-not-found``, ``component-missing``, ``port-not-found``,
            ``not-a-signal``, ``bad-slice``, ``bad-value``, ``bad-expression``, ``unknown-parameter``, ``no-default``,
            ``ties-a-driver``, ``already-connected``, ``second-driver``, ``bad-name``, ``name-taken``.
    """
    parent = find(current, component)
    ends = Ends(current, parent, parent.design)
    found = _part(ends, resolve_end(ends, instance, port), left, right)
    tied = numeric(value, "value")
    if not isinstance(found.port, SignalPort):
        raise DesignError("not-a-signal", f"{found.end} is no signal port.", "Only signal ports can be tied off.")
    warnings = _check_tie(ends, found, found.port, tied)
    given = connection_name(parent.design, name)
    connection = Connection(name=given or _generated(parent.design, found.end), ends=(found.end,), tied_value=tied)
    _check_untied(ends, connection)
    check_drivers(ends, connection)
    design = parent.design
    changed = parent.with_design(with_connections(design, design.connections.set(connection.name, connection)))
    value_said = "its default" if tied == DEFAULT else tied
    done = f"Left {found.end} open" if tied == OPEN else f"Tied {found.end} to {value_said}"
    summary = f"{done} in {parent.vlnv} ({connection.name})."
    added = (ElementId(parent.vlnv, "connection", connection.name),)
    return current.put(changed), Change(summary, added=added, warnings=warnings)


def _part(ends: Ends, found: Resolved, left: Argument, right: Argument, prefix: str = "") -> Resolved:
    """The part of a port that bounds name."""
    first, last = numeric(left, f"{prefix}left"), numeric(right, f"{prefix}right")
    if not first and not last:
        return found
    if not first:
        raise DesignError(
            "bounds-incomplete",
            f"{prefix}right is given without {prefix}left.",
            f"Give {prefix}left too, or only {prefix}left for a single bit.",
        )
    last = last or first
    if not isinstance(found.port, SignalPort):
        raise DesignError(
            "not-a-signal", f"{found.end} is no signal port, so it has no bits.", "Connect the whole port."
        )
    bounds = _bounds(ends.component, found.end, first, last)
    whole = ends.whole(found)
    if whole and not min(whole) <= min(bounds) <= max(bounds) <= max(whole):
        raise DesignError(
            "bad-slice",
            f"{found.end} has no bits {bounds[0]}:{bounds[1]}; it has {whole[0]}:{whole[1]}.",
            "Give bounds inside the port.",
        )
    end = found.end.model_copy(update={"left": first, "right": last})
    return Resolved(end, found.instance, found.owner, found.port)


def _bounds(parent: Component, end: Endpoint, left: str, right: str) -> tuple[int, int]:
    for bound in (left, right):
        check_names(parent, bound)
    bounds = slice_bounds(left, right, parent)
    if bounds is None:
        raise DesignError(
            "bad-slice",
            f"The bits {left}:{right} of {end} are not two whole numbers from 0 up.",
            f"Give bit numbers such as 7 and 0, or expressions over the parameters of {parent.vlnv}.",
        )
    return bounds


def _check_tie(ends: Ends, found: Resolved, port: SignalPort, tied: str) -> tuple[Warning, ...]:
    drives = ends.drives(found.end.instance, found.end.port)
    if drives and tied != OPEN:
        raise DesignError(
            "ties-a-driver",
            f"{found.end} drives its net, so it cannot be tied to {tied or 'nothing'}.",
            "Tie inputs of subcomponents or the component's own outputs; value open leaves an output unconnected.",
        )
    if tied == OPEN:
        return ()
    if tied == DEFAULT:
        if not port.default_value:
            raise DesignError("no-default", f"{found.end} has no default value.", "Give a value.")
        return ()
    return _check_value(ends, found, tied)


def _check_value(ends: Ends, found: Resolved, tied: str) -> tuple[Warning, ...]:
    if not tied:
        raise DesignError("missing-argument", "value is empty.", "Give a value such as 0, or default, or open.")
    parent = ends.component
    check_names(parent, tied)
    width = ends.width(found)
    try:
        value = evaluate(tied, Values(parent.parameters), width or 0)
    except ExpressionError as problem:
        if problem.code != "no-value":
            raise
        raise DesignError("bad-value", f"The value {problem.message}", "Give a value such as 0.") from None
    if not isinstance(value, int) or value < 0:
        raise DesignError(
            "bad-value", f"The value '{tied}' is not a whole number from 0 up.", "Give a value such as 0, or open."
        )
    if width is not None and value.bit_length() > width:
        message = f"The value {tied} needs {value.bit_length()} bits, and {found.end} has {width}."
        return (Warning("value-too-wide", message),)
    return ()


def _check_untied(ends: Ends, connection: Connection) -> None:
    """Whatever is joined already is not tied again, and not left open."""
    (end,) = connection.ends
    for known in netlist(ends.design).connections_of(end):
        if end in known.ends and (known.tied_value or connection.tied_value == OPEN):
            how = f"tied to {known.tied_value}" if known.tied_value else "connected"
            raise DesignError(
                "already-connected",
                f"{end} is already {how}, by {known.name}.",
                f"Delete the connection {known.name} first.",
            )


def _generated(design: Design, end: Endpoint) -> str:
    return free_name(design, f"{end.instance}_{end.port}_tied" if end.instance else f"{end.port}_tied")
