"""The rules for a pair of ports that a connection joins: kinds, directions, initiatives, protocols, widths."""

from __future__ import annotations

from dataclasses import dataclass

from model.elements import Endpoint, Port, SignalPort, StructuredPort, TransactionalPort
from model.ends import Ends, Resolved
from model.widths import port_width

_SIGNAL_RULES = ("an output with an input", "equal directions", "an in with an out")
_TRANSACTIONAL_RULES = ("requires with provides", "equal initiatives", "requires with provides")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why two ports do not go together; the same code, message and hint whether it is refused or found."""

    code: str
    message: str
    hint: str


def pair_problem(ends: Ends, source: Resolved, target: Resolved) -> Problem | None:
    """Why two existing ports must not be joined, or None."""
    match source.port, target.port:
        case SignalPort() as one, SignalPort() as other:
            return _direction_problem(ends, source, target, one, other)
        case TransactionalPort() as one, TransactionalPort() as other:
            return _transactional_problem(ends, source, target, one, other)
        case StructuredPort() as one, StructuredPort() as other:
            return _structured_problem(ends, source, target, one, other)
    return Problem(
        "port-kinds-differ",
        f"{source.end} is a {_kind(source.port)} port and {target.end} a {_kind(target.port)} port.",
        "Connect two ports of one kind.",
    )


def _structured_problem(
    ends: Ends, source: Resolved, target: Resolved, one: StructuredPort, other: StructuredPort
) -> Problem | None:
    if one.form != other.form or (one.type_name and other.type_name and one.type_name != other.type_name):
        return Problem(
            "structures-differ",
            f"{source.end} is {_structure(one)} and {target.end} {_structure(other)}.",
            "Connect structured ports of one type.",
        )
    if _directions_clash(one.direction, other.direction, source.end, target.end):
        return Problem(
            "directions-clash",
            f"{_described(source, one.direction)} and {_described(target, other.direction)} cannot be connected: "
            f"{_rule(source.end, target.end, _SIGNAL_RULES)}.",
            "Choose ports whose directions fit.",
        )
    return None


def _structure(port: StructuredPort) -> str:
    return f"{'an' if port.form == 'interface' else 'a'} {port.form} {port.type_name}".rstrip()


def width_problem(ends: Ends, source: Resolved, target: Resolved) -> Problem | None:
    """That two signal ends have different widths, with both; None where they are equal or not known."""
    if not isinstance(source.port, SignalPort) or not isinstance(target.port, SignalPort):
        return None
    one, other = ends.width(source), ends.width(target)
    if one is None or other is None or one == other:
        return None
    message = f"The widths differ: {source.end} has {_bits(one)}, {target.end} has {_bits(other)}."
    return Problem("widths-differ", message, "Change the width of one of them.")


def _bits(width: int) -> str:
    return "1 bit" if width == 1 else f"{width} bits"


def _kind(port: Port | None) -> str:
    if isinstance(port, StructuredPort):
        return "structured"
    return "signal" if isinstance(port, SignalPort) else "transactional"


def _direction_problem(
    ends: Ends, source: Resolved, target: Resolved, one: SignalPort, other: SignalPort
) -> Problem | None:
    if not _directions_clash(one.direction, other.direction, source.end, target.end):
        return None
    return Problem(
        "directions-clash",
        f"{_described(source, one.direction)} and {_described(target, other.direction)} cannot be connected: "
        f"{_rule(source.end, target.end, _SIGNAL_RULES)}.",
        _direction_hint(ends, source, target),
    )


def _directions_clash(one: str, other: str, source: Endpoint, target: Endpoint) -> bool:
    return not {one, other} & {"inout", "phantom"} and (one == other) is not _joins_equal(source, target)


def _joins_equal(source: Endpoint, target: Endpoint) -> bool:
    """Whether equal directions go together: where exactly one end is the component's own port."""
    return bool(source.instance) != bool(target.instance)


def _rule(source: Endpoint, target: Endpoint, rules: tuple[str, str, str]) -> str:
    if source.instance and target.instance:
        return f"instances are joined {rules[0]}"
    if source.instance or target.instance:
        return f"an instance's port and an own port are joined with {rules[1]}"
    return f"own ports are joined {rules[2]}"


def _described(found: Resolved, direction: str) -> str:
    return f"{found.end} ({direction}{'' if found.end.instance else ', own port'})"


def _direction_hint(ends: Ends, source: Resolved, target: Resolved) -> str:
    for near, far in ((source, target), (target, source)):
        if far.owner is None or not isinstance(near.port, SignalPort):
            continue
        legal = [
            port.name
            for port in far.owner.ports.values()
            if isinstance(port, SignalPort)
            and not _directions_clash(near.port.direction, port.direction, near.end, far.end)
        ]
        if legal:
            shown = ", ".join(legal[:5]) + (", …" if len(legal) > 5 else "")
            return f"{near.end} can be joined with these ports of {far.end.instance or ends.component.vlnv}: {shown}."
    return "Choose ports whose directions fit."


def _transactional_problem(
    ends: Ends, source: Resolved, target: Resolved, one: TransactionalPort, other: TransactionalPort
) -> Problem | None:
    initiatives = {one.initiative, other.initiative}
    equal = len(initiatives) == 1
    if not initiatives & {"both", "phantom"} and equal is not _joins_equal(source.end, target.end):
        return Problem(
            "initiatives-clash",
            f"{_described(source, one.initiative)} and {_described(target, other.initiative)} cannot be connected: "
            f"{_rule(source.end, target.end, _TRANSACTIONAL_RULES)}.",
            "Choose ports whose initiatives fit.",
        )
    if one.protocol and other.protocol and one.protocol != other.protocol:
        return Problem(
            "protocols-differ",
            f"{source.end} speaks {one.protocol} and {target.end} {other.protocol}.",
            "Connect ports of one protocol.",
        )
    if one.bus_width and other.bus_width:
        widths = [_bus_width(ends, source), _bus_width(ends, target)]
        if widths[0] != widths[1]:
            return Problem(
                "bus-widths-differ",
                f"The bus of {source.end} is {widths[0]} bits wide and that of {target.end} {widths[1]}.",
                "Connect ports of one bus width.",
            )
    return None


def _bus_width(ends: Ends, found: Resolved) -> int | str:
    if found.owner is None or not isinstance(found.port, TransactionalPort):
        return ""
    width = port_width(found.owner, found.port, ends.overrides(found.instance))
    return "".join(found.port.bus_width.split()) if width is None else width
