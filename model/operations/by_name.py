"""Joining many ports at once by what their names tell: all clocks, all resets, every equal name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from model.change import Change
from model.elements import Component, Endpoint, SignalPort
from model.ends import Ends, Resolved
from model.errors import DesignError, Warning, nearest
from model.library import Library
from model.nets import netlist
from model.operations.arguments import Argument, choice, find, offer, text
from model.operations.cascade import listed
from model.operations.connections import join
from model.operations.roles import Role, is_active_low, role_of
from model.vlnv import Vlnv

WHAT = ("clocks", "resets", "equal_names")

_ROLES: dict[str, Role] = {"clocks": "clock", "resets": "reset"}


def connect_by_name(current: Library, /, component: str, what: str, port: Argument = "") -> tuple[Library, Change]:
    """Connect the ports inside a component that are not connected yet and whose names say that they belong together.

    Args:
        what: ``clocks`` or ``resets``: inputs of subcomponents that are clocks or resets by their names, from the own
            input of that kind; ``equal_names``: ports of equal names, an output with inputs, an own port with those
            of its direction.
        port: the own port that is connected, or "" for all that fit.

    Raises:
        DesignError: ``component-not-found``, ``bad-choice``, ``port-not-found``, ``no-source`` where the component has
            no such input, ``nothing-to-connect`` with what was passed over and why.
    """
    parent = find(current, component)
    kind = choice(what, "what", WHAT)
    wanted = text(port, "port")
    if wanted and wanted not in parent.ports:
        raise DesignError(
            "port-not-found", f"{parent.vlnv} has no port {wanted}.", offer(parent.ports), nearest(wanted, parent.ports)
        )
    run = _Run(current, parent.vlnv)
    if kind == "equal_names":
        _equal_names(run, wanted)
    else:
        _by_role(run, _ROLES[kind], wanted)
    if not run.changes:
        reasons = " ".join(warning.message for warning in run.passed_over[:5])
        raise DesignError(
            "nothing-to-connect",
            f"No {kind.replace('_', ' ')} of {parent.vlnv} are left to connect. {reasons}".rstrip(),
            "Connect single ports with add_subcomponent_connection.",
        )
    return run.library, run.change(kind)


@dataclass
class _Run:
    """The library as it becomes, and what was done and passed over on the way."""

    library: Library
    vlnv: Vlnv
    changes: list[Change] = field(default_factory=list)
    passed_over: list[Warning] = field(default_factory=list)

    @property
    def parent(self) -> Component:
        return self.library.get(self.vlnv)

    @property
    def ends(self) -> Ends:
        return Ends(self.library, self.parent, self.parent.design)

    def connect(self, source: Resolved, target: Resolved) -> None:
        """Join two ports, or note why the rules refuse it."""
        try:
            self.library, change = join(self.ends, source, target)
        except DesignError as problem:
            self.pass_over(f"{target.end}: {problem.message}")
        else:
            self.changes.append(change)

    def pass_over(self, why: str) -> None:
        self.passed_over.append(Warning("not-connected", why))

    def change(self, kind: str) -> Change:
        added = tuple(element for change in self.changes for element in change.added)
        done = listed([change.summary.removeprefix("Connected ").partition(" in ")[0] for change in self.changes])
        count = f"{len(added)} connection{'s' if len(added) > 1 else ''}"
        total = Change(f"Connected {kind.replace('_', ' ')} in {self.vlnv} with {count}: {done}.", added=added)
        warnings = tuple(warning for change in self.changes for warning in change.warnings)
        return replace(total, warnings=(*warnings, *self.passed_over))


def _free_ports(ends: Ends, fits: Callable[[SignalPort], bool]) -> Iterator[Resolved]:
    """The ports of instances that no connection ends at."""
    wires = netlist(ends.design)
    for instance in ends.design.instances.values():
        owner = ends.library.find(instance.component)
        for port in owner.ports.values() if owner else ():
            place = (instance.name, port.name)
            if isinstance(port, SignalPort) and fits(port) and not wires.is_joined(*place):
                yield ends.resolve(Endpoint(instance=instance.name, port=port.name))


def _unmapped_ports(ends: Ends, fits: Callable[[SignalPort], bool]) -> Iterator[Resolved]:
    """Those that no joined bus interface connects either; its clocks and resets are inputs on all its sides."""
    mapped = {
        (end.instance, row.physical)
        for interconnection in ends.design.interconnections.values()
        for end in interconnection.ends
        if (owner := ends.resolve(Endpoint(instance=end.instance, port="")).owner)
        and (interface := owner.bus_interfaces.get(end.interface))
        for row in interface.port_maps
    }
    return (found for found in _free_ports(ends, fits) if (found.end.instance, found.end.port) not in mapped)


def _by_role(run: _Run, role: Role, wanted: str) -> None:
    parent = run.parent
    sources = [
        port.name
        for port in parent.ports.values()
        if isinstance(port, SignalPort)
        and port.direction == "in"
        and (port.name == wanted if wanted else role_of(port) == role)
    ]
    if not sources:
        what = f"{wanted} of {parent.vlnv} is not an input" if wanted else f"{parent.vlnv} has no {role} input"
        raise DesignError(
            "no-source", f"{what}.", f"Name the own input that drives the {role}s in port, or add one first."
        )
    for target in list(_free_ports(run.ends, lambda port: port.direction == "in" and role_of(port) == role)):
        source = _source_for(run, sources, target.end)
        if source is not None:
            run.connect(run.ends.resolve(Endpoint(instance="", port=source)), target)


def _source_for(run: _Run, sources: list[str], target: Endpoint) -> str | None:
    """The input that drives a clock or reset: of the same name, or the only one there is."""
    same = [source for source in sources if source.casefold() == target.port.casefold()]
    if len(same or sources) > 1:
        run.pass_over(f"{target}: {' or '.join(sources)} could drive it.")
        return None
    (source,) = same or sources
    ends = run.ends
    one, other = ends.component.ports[source], ends.resolve(target).port
    if other is not None and role_of(other) == "reset" and is_active_low(one) is not is_active_low(other):
        run.pass_over(f"{target} and {source} are by their names active at different levels.")
        return None
    return source


def _equal_names(run: _Run, wanted: str) -> None:
    for name, own in run.parent.ports.items():
        if not isinstance(own, SignalPort) or (wanted and name != wanted):
            continue
        for other in list(_unmapped_ports(run.ends, lambda port, name=name: port.name == name)):  # type: ignore[misc]
            source = run.ends.resolve(Endpoint(instance="", port=name))
            # The driver goes first: an own input drives inside, an own output is driven.
            run.connect(*((other, source) if own.direction == "out" else (source, other)))
    if not wanted:
        _between_instances(run)


def _between_instances(run: _Run) -> None:
    free: dict[str, list[Resolved]] = {}
    for found in _unmapped_ports(run.ends, lambda _port: True):
        free.setdefault(found.end.port, []).append(found)
    for name, group in free.items():
        drivers = [found for found in group if isinstance(found.port, SignalPort) and found.port.direction == "out"]
        if len(group) < 2 or name in run.parent.ports:
            continue
        if len(drivers) > 1:
            run.pass_over(f"{' and '.join(str(found.end) for found in drivers)} are outputs of equal names.")
        elif drivers:
            for target in group:
                if target is not drivers[0]:
                    run.connect(drivers[0], target)
