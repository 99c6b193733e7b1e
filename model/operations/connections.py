"""Joining ports."""

from __future__ import annotations

from model.change import Change, ElementId
from model.elements import Component, Connection, Design, Endpoint, Port, SignalPort, TransactionalPort
from model.ends import Ends, Resolved
from model.errors import DesignError, Warning, nearest
from model.library import Library
from model.nets import added_contention, netlist, with_connection
from model.operations.arguments import Argument, find, port_name, text
from model.widths import port_width


def add_subcomponent_connection(
    current: Library,
    /,
    component: str,
    source_port: str,
    target_port: str,
    source_instance: Argument = "",
    target_instance: Argument = "",
    name: Argument = "",
) -> tuple[Library, Change]:
    """Join two ports inside a component; an empty instance means the component's own port.

    Raises:
        DesignError: ``component-not-found``, ``instance-not-found``, ``component-missing``, ``port-not-found``,
            ``same-endpoint``, ``port-kinds-differ``, ``already-connected``, ``directions-clash``,
            ``initiatives-clash``, ``protocols-differ``, ``bus-widths-differ``, ``second-driver``, ``bad-name``,
            ``name-taken``.
    """
    parent = find(current, component)
    ends = Ends(current, parent, parent.design)
    source = _resolve(ends, source_instance, source_port, "source")
    target = _resolve(ends, target_instance, target_port, "target")
    _check_pair(ends, source, target)
    connection = Connection(name=_name(parent.design, source.end, target.end, name), ends=(source.end, target.end))
    _check_drivers(ends, connection)
    changed = parent.with_design(with_connection(parent.design, connection))
    summary = f"Connected {source.end} to {target.end} in {parent.vlnv} ({connection.name})."
    added = (ElementId(parent.vlnv, "connection", connection.name),)
    return current.put(changed), Change(summary, added=added, warnings=width_warnings(ends, source, target))


def _resolve(ends: Ends, instance: Argument, port: Argument, side: str) -> Resolved:
    where = text(instance, f"{side}_instance")
    name = text(port, f"{side}_port", required=True)
    parent = ends.component
    if where and where not in ends.design.instances:
        raise DesignError(
            "instance-not-found",
            f"{parent.vlnv} has no subcomponent {where}.",
            "Give the instance name, or leave it empty for the component's own port.",
            nearest(where, ends.design.instances),
        )
    found = ends.resolve(Endpoint(instance=where, port=name))
    if found.owner is None and found.instance is not None:
        raise DesignError(
            "component-missing",
            f"The component {found.instance.component} of {where} is not in the library, so its port {name} cannot be"
            " checked.",
            "Load it with load_component first.",
        )
    if found.owner is not None and found.port is None:
        owner = f"Subcomponent {where} ({found.owner.vlnv})" if where else str(parent.vlnv)
        raise DesignError(
            "port-not-found",
            f"{owner} has no port {name}.",
            _elsewhere(ends.design, where, name, found.owner, side),
            nearest(name, found.owner.ports),
        )
    return found


def _elsewhere(design: Design, where: str, name: str, owner: Component, side: str) -> str:
    instance, dot, port = name.partition(".")
    if not where and dot and instance in design.instances:
        return f"Give {side}_instance {instance} and {side}_port {port}."
    if not owner.ports:
        return "It has no ports at all; add the port first."
    return "Give one of its ports, or add the port first."


def _check_pair(ends: Ends, source: Resolved, target: Resolved) -> None:
    if source.end == target.end:
        raise DesignError(
            "same-endpoint", f"{source.end} cannot be connected with itself.", "Give two different ports."
        )
    match source.port, target.port:
        case SignalPort() as one, SignalPort() as other:
            _check_joined_already(ends, source, target)
            _check_directions(ends, source, target, one, other)
        case TransactionalPort() as one, TransactionalPort() as other:
            _check_joined_already(ends, source, target)
            _check_transactional(ends, source, target, one, other)
        case _:
            raise DesignError(
                "port-kinds-differ",
                f"{source.end} is a {_kind(source.port)} port and {target.end} a {_kind(target.port)} port.",
                "Connect two signal ports, or two transactional ports.",
            )


def _kind(port: Port | None) -> str:
    return "signal" if isinstance(port, SignalPort) else "transactional"


def _check_joined_already(ends: Ends, source: Resolved, target: Resolved) -> None:
    wires = netlist(ends.design)
    one, other = wires.wire_of(source.end), wires.wire_of(target.end)
    if one is None or one is not other:
        return
    for name in one.connections:
        joined = ends.design.connections[name].ends
        if source.end in joined and target.end in joined:
            raise DesignError(
                "already-connected",
                f"{source.end} and {target.end} are already connected, by {name}.",
                "Nothing needs to be done.",
            )


def _check_directions(ends: Ends, source: Resolved, target: Resolved, one: SignalPort, other: SignalPort) -> None:
    problem = direction_problem(one.direction, other.direction, source.end, target.end)
    if problem:
        raise DesignError(
            "directions-clash",
            f"{_described(source, one.direction)} and {_described(target, other.direction)} cannot be connected:"
            f" {problem}.",
            _direction_hint(ends, source, target),
        )


def _direction_hint(ends: Ends, source: Resolved, target: Resolved) -> str:
    for near, far in ((source, target), (target, source)):
        if far.owner is None or not isinstance(near.port, SignalPort):
            continue
        legal = [
            port.name
            for port in far.owner.ports.values()
            if isinstance(port, SignalPort)
            and not direction_problem(near.port.direction, port.direction, near.end, far.end)
        ]
        if legal:
            shown = ", ".join(legal[:5]) + (", …" if len(legal) > 5 else "")
            return f"{near.end} can be joined with these ports of {far.end.instance or ends.component.vlnv}: {shown}."
    return "Choose ports whose directions fit."


def _described(found: Resolved, direction: str) -> str:
    return f"{found.end} ({direction}{'' if found.end.instance else ', own port'})"


def direction_problem(one: str, other: str, source: Endpoint, target: Endpoint) -> str:
    """Why two directions do not go together, or ""; ``inout`` and ``phantom`` go with anything."""
    if {one, other} & {"inout", "phantom"}:
        return ""
    return _clash(one == other, source, target, ("an output with an input", "equal directions", "an in with an out"))


def _clash(equal: bool, source: Endpoint, target: Endpoint, rules: tuple[str, str, str]) -> str:
    if source.instance and target.instance:
        return f"instances are joined {rules[0]}" if equal else ""
    if source.instance or target.instance:
        return "" if equal else f"an instance's port and an own port are joined with {rules[1]}"
    return f"own ports are joined {rules[2]}" if equal else ""


def _check_transactional(
    ends: Ends, source: Resolved, target: Resolved, one: TransactionalPort, other: TransactionalPort
) -> None:
    problem = initiative_problem(one.initiative, other.initiative, source.end, target.end)
    if problem:
        raise DesignError(
            "initiatives-clash",
            f"{_described(source, one.initiative)} and {_described(target, other.initiative)} cannot be connected:"
            f" {problem}.",
            "Choose ports whose initiatives fit.",
        )
    if one.protocol and other.protocol and one.protocol != other.protocol:
        raise DesignError(
            "protocols-differ",
            f"{source.end} speaks {one.protocol} and {target.end} {other.protocol}.",
            "Connect ports of one protocol.",
        )
    if one.bus_width and other.bus_width:
        widths = [_bus_width(ends, source), _bus_width(ends, target)]
        if widths[0] != widths[1]:
            raise DesignError(
                "bus-widths-differ",
                f"The bus of {source.end} is {widths[0]} bits wide and that of {target.end} {widths[1]}.",
                "Connect ports of one bus width.",
            )


def _bus_width(ends: Ends, found: Resolved) -> int | str:
    if found.owner is None or not isinstance(found.port, TransactionalPort):
        return ""
    width = port_width(found.owner, found.port, ends.overrides(found.instance))
    return "".join(found.port.bus_width.split()) if width is None else width


def initiative_problem(one: str, other: str, source: Endpoint, target: Endpoint) -> str:
    """Why two initiatives do not go together, or ""; ``both`` and ``phantom`` go with anything."""
    if {one, other} & {"both", "phantom"}:
        return ""
    rules = ("requires with provides", "equal initiatives", "requires with provides")
    return _clash(one == other, source, target, rules)


def _check_drivers(ends: Ends, connection: Connection) -> None:
    found = added_contention(ends, connection)
    if found:
        drivers = " and ".join(found)
        one, other = connection.ends
        raise DesignError(
            "second-driver",
            f"Connecting {one} with {other} would give the net more than one driver: {drivers}.",
            "Delete the connection of the present driver first, or connect to another port.",
        )


def width_warnings(ends: Ends, source: Resolved, target: Resolved) -> tuple[Warning, ...]:
    """The warning that two signal ends have different widths, with both."""
    if not isinstance(source.port, SignalPort) or not isinstance(target.port, SignalPort):
        return ()
    one, other = ends.width(source), ends.width(target)
    if one is None or other is None or one == other:
        return ()
    message = f"The widths differ: {source.end} has {_bits(one)}, {target.end} has {_bits(other)}."
    return (Warning("widths-differ", message),)


def _bits(width: int) -> str:
    return "1 bit" if width == 1 else f"{width} bits"


def _name(design: Design, source: Endpoint, target: Endpoint, name: Argument) -> str:
    given = text(name, "name")
    if not given:
        return generated_name(design, source, target)
    if taken := design.connections.get(port_name(given)) or design.interconnections.get(given):
        joined = " and ".join(str(end) for end in taken.ends)
        raise DesignError(
            "name-taken",
            f"There is already a connection {given} ({joined}).",
            "Choose another name, or leave it out to have one generated.",
        )
    return given


def generated_name(design: Design, source: Endpoint, target: Endpoint) -> str:
    """``<source>_to_<target>``, with ``_2``, ``_3`` … when taken."""
    base = "_to_".join(f"{end.instance}_{end.port}" if end.instance else end.port for end in (source, target))
    name, number = base, 1
    while name in design.connections or name in design.interconnections:
        number += 1
        name = f"{base}_{number}"
    return name
