"""Joining ports."""

from __future__ import annotations

from model.change import Change, ElementId
from model.elements import Component, Connection, Design, Endpoint
from model.ends import Ends, Resolved
from model.errors import DesignError, Warning, nearest
from model.joining import pair_problem, width_problem
from model.library import Library
from model.nets import added_contention, netlist, with_connections
from model.operations.arguments import Argument, find, offer, port_name, text


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
    source = resolve_end(ends, source_instance, source_port, "source_")
    target = resolve_end(ends, target_instance, target_port, "target_")
    return join(ends, source, target, name)


def join(ends: Ends, source: Resolved, target: Resolved, name: Argument = "") -> tuple[Library, Change]:
    """Join two ends, which may be parts of ports, as :func:`add_subcomponent_connection` does.

    Raises:
        DesignError: see there.
    """
    parent = ends.component
    _check_pair(ends, source, target)
    given = connection_name(parent.design, name)
    connection = Connection(
        name=given or generated_name(parent.design, source.end, target.end), ends=(source.end, target.end)
    )
    check_drivers(ends, connection)
    design = parent.design
    changed = parent.with_design(with_connections(design, design.connections.set(connection.name, connection)))
    summary = f"Connected {source.end} to {target.end} in {parent.vlnv} ({connection.name})."
    added = (ElementId(parent.vlnv, "connection", connection.name),)
    return ends.library.put(changed), Change(summary, added=added, warnings=_warnings(ends, source, target))


def resolve_end(ends: Ends, instance: Argument, port: Argument, prefix: str = "") -> Resolved:
    """Look up a port that is to be joined; ``prefix`` makes the arguments' names (``source_port``).

    Raises:
        DesignError: ``instance-not-found``, ``component-missing``, ``port-not-found``.
    """
    where = text(instance, f"{prefix}instance")
    name = text(port, f"{prefix}port", required=True)
    parent = ends.component
    if where and where not in ends.design.instances:
        raise DesignError(
            "instance-not-found",
            f"{parent.vlnv} has no subcomponent {where}.",
            f"{offer(ends.design.instances)} Leave it empty for the component's own port.".strip(),
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
            _elsewhere(ends.design, where, name, found.owner, prefix),
            nearest(name, found.owner.ports),
        )
    return found


def _elsewhere(design: Design, where: str, name: str, owner: Component, prefix: str) -> str:
    instance, dot, port = name.partition(".")
    if not where and dot and instance in design.instances:
        return f"Give {prefix}instance {instance} and {prefix}port {port}."
    if not owner.ports:
        return "It has no ports at all; add the port first."
    return offer(owner.ports)


def _check_pair(ends: Ends, source: Resolved, target: Resolved) -> None:
    if source.end == target.end:
        raise DesignError(
            "same-endpoint", f"{source.end} cannot be connected with itself.", "Give two different ports."
        )
    _check_joined_already(ends, source, target)
    problem = pair_problem(ends, source, target)
    if problem:
        raise DesignError(problem.code, problem.message, problem.hint)


def _check_joined_already(ends: Ends, source: Resolved, target: Resolved) -> None:
    for connection in netlist(ends.design).connections_of(source.end, target.end):
        if source.end in connection.ends and target.end in connection.ends:
            raise DesignError(
                "already-connected",
                f"{source.end} and {target.end} are already connected, by {connection.name}.",
                "Nothing needs to be done.",
            )


def check_drivers(ends: Ends, connection: Connection) -> None:
    """Refuse a connection, or a tie-off, that gives a net one driver too many.

    Raises:
        DesignError: ``second-driver``.
    """
    found = added_contention(ends, connection)
    if found:
        drivers = " and ".join(found)
        ends_named = " with ".join(str(end) for end in connection.ends)
        what = f"Tying {ends_named} off" if connection.tied_value else f"Connecting {ends_named}"
        raise DesignError(
            "second-driver",
            f"{what} would give the net more than one driver: {drivers}.",
            "Delete the connection of the present driver first, or connect to another port.",
        )


def _warnings(ends: Ends, source: Resolved, target: Resolved) -> tuple[Warning, ...]:
    problem = width_problem(ends, source, target)
    return (Warning(problem.code, problem.message),) if problem else ()


def connection_name(design: Design, name: Argument) -> str:
    """Return a given name of a new connection, or "" where none is given.

    Raises:
        DesignError: ``bad-name``, ``name-taken``.
    """
    given = text(name, "name")
    if not given:
        return ""
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
    return free_name(
        design, "_to_".join(f"{end.instance}_{end.port}" if end.instance else end.port for end in (source, target))
    )


def free_name(design: Design, base: str) -> str:
    """``base``, with ``_2``, ``_3`` … when a connection has that name."""
    name, number = base, 1
    while name in design.connections or name in design.interconnections:
        number += 1
        name = f"{base}_{number}"
    return name
