"""The breaches that an edit of a component adds, found without judging what the edit cannot reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from model.alike_wires import alike_wires
from model.change import ElementId
from model.checks.buses import check_bus_widths
from model.checks.declarations import check_parameter, check_port
from model.checks.inside import Inside
from model.difference import touched_names
from model.elements import EMPTY_DESIGN, Component, Connection, Design, Instance, Port, SignalPort, TransactionalPort
from model.findings import Finding
from model.frozen_map import FrozenMap
from model.joints import joints
from model.library import Library
from model.netlist import Wire, netlist
from model.parameters import Values
from model.usage import usage
from model.vlnv import Vlnv
from model.wiring import OWN, Owner

V = TypeVar("V")

Judge = Callable[[int], Iterable[Finding]]


@dataclass(frozen=True)
class Added:
    """What is wrong since an edit.

    Attributes:
        breach: the first error, or port that an instance's parameters leave without a width, in the order of the
            check; the other findings are not looked for then.
        widths: pairs of ends whose widths now differ and did not, or differ otherwise than before.
    """

    breach: Finding | None = None
    widths: tuple[Finding, ...] = ()


def added_findings(before: Library, after: Library, parent: Vlnv, edited: Vlnv) -> Added:
    """Compare the findings about one component before and after an edit.

    Args:
        parent: the component, in ``after``: the edited one, or one that instantiates it.
        edited: the component of which ports, parameters or instances' parameters were changed or removed.
    """
    old, new = before.find(parent) or Component(vlnv=parent), after.get(parent)
    reach = _Reach.of(before.find(edited), after.get(edited))
    widths: list[Finding] = []
    for stage in _stages(before, after, old, new, edited, reach):
        added = stage.added()
        if added.breach is not None:
            return added
        widths.extend(added.widths)
    return Added(widths=tuple(widths))


@dataclass(frozen=True)
class _Reach:
    """What of a component its users may depend on and was changed.

    Attributes:
        ports: names of changed ports.
        parameters: whether parameters were changed, on which anything about any port may depend but its direction.
    """

    ports: Collection[str]
    parameters: bool

    @classmethod
    def of(cls, old: Component | None, new: Component) -> _Reach:
        if old is None:
            return cls(list(new.ports), True)
        ports = [name for name in touched_names(old.ports, new.ports)[0] if old.ports.get(name) != new.ports[name]]
        return cls(ports, old.parameters != new.parameters)

    @property
    def joined(self) -> Collection[str] | None:
        """Names of the ports whose connections may not fit any more; None for all."""
        return None if self.parameters else self.ports


@dataclass
class _Stage:
    """Elements of one kind that an edit may have made wrong.

    Attributes:
        old: the findings about an element before the edit; elements are whole numbers.
        new: those after it.
        singles: elements that are judged each for itself.
        groups: elements for all of which the findings are alike but for their names.
        rank: the order of the elements.
    """

    old: Judge
    new: Judge
    singles: set[int] = field(default_factory=set)
    groups: Sequence[Collection[int]] = ()
    rank: Callable[[int], int] = int

    def added(self) -> Added:
        breaches: list[int] = []
        warned: list[int] = []
        for element in self.singles:
            self._sort(element, (element,), breaches, warned)
        for group in self.groups:
            members = [each for each in group if each not in self.singles] if self.singles else group
            first = next(iter(members), None)
            if first is not None:
                self._sort(first, members, breaches, warned)
        if breaches:
            return _compared(self.old, self.new, min(breaches, key=self.rank))
        found = [_compared(self.old, self.new, element).widths for element in sorted(set(warned), key=self.rank)]
        return Added(widths=tuple(each for some in found for each in some))

    def _sort(self, element: int, members: Collection[int], breaches: list[int], warned: list[int]) -> None:
        added = _compared(self.old, self.new, element)
        if added.breach is not None:
            breaches.append(min(members, key=self.rank))
        elif added.widths:
            warned.extend(members)


def _compared(old: Judge, new: Judge, element: int) -> Added:
    now = list(new(element))
    if not any(_is_breach(finding) or finding.code == "widths-differ" for finding in now):
        return Added()
    was = list(old(element))
    counts: Counter[tuple[str, ElementId | None]] = Counter(_key(found) for found in was if _is_breach(found))
    for found in now:
        if _is_breach(found):
            counts[_key(found)] -= 1
            if counts[_key(found)] < 0:
                return Added(found)
    known = {finding.message for finding in was}
    return Added(None, tuple(each for each in now if each.code == "widths-differ" and each.message not in known))


def _is_breach(finding: Finding) -> bool:
    """An error, or a port that an instance's parameters leave without a width."""
    return finding.severity == "error" or finding.code == "bad-width"


def _key(finding: Finding) -> tuple[str, ElementId | None]:
    return finding.code, finding.where


def _stages(
    before: Library, after: Library, old: Component, new: Component, edited: Vlnv, reach: _Reach
) -> Iterator[_Stage]:
    """What is to be judged anew in a component, in the order of the check."""
    if new.vlnv == edited:
        if reach.parameters:
            yield _parameters(old, new)
        yield _ports(old, new, reach)
    owners: list[Owner] = [OWN] if new.vlnv == edited else []
    for view, design in new.designs.items():
        was = old.designs.get(view, EMPTY_DESIGN)
        used = [*owners, *([edited] if edited in usage(design).instances else [])]
        inside = _View(Inside(before, old, was), Inside(after, new, design), was, design, used, reach)
        yield inside.instances()
        yield inside.connections()
        yield inside.wires()
        if design.interconnections:
            yield _buses((before, old, was), (after, new, design))


def _buses(before: tuple[Library, Component, Design], after: tuple[Library, Component, Design]) -> _Stage:
    """All that interconnections join, as one: there are few of them, and they may share interfaces."""
    return _Stage(lambda _all: check_bus_widths(*before), lambda _all: check_bus_widths(*after), {0})


def _parameters(old: Component, new: Component) -> _Stage:
    before, after = Values(old.parameters), Values(new.parameters)

    def judge(component: Component, values: Values) -> Judge:
        return lambda place: (
            found
            for parameter in _same(component.parameters, new.parameters, place)
            for found in check_parameter(component, parameter, values)
        )

    places = {place for place, _name, _parameter in new.parameters.entries()}
    return _Stage(judge(old, before), judge(new, after), places)


def _ports(old: Component, new: Component, reach: _Reach) -> _Stage:
    before, after = Values(old.parameters), Values(new.parameters)

    def judge(component: Component, values: Values) -> Judge:
        return lambda place: (
            found for port in _same(component.ports, new.ports, place) for found in check_port(component, port, values)
        )

    changed = touched_names(old.ports, new.ports)[0]
    alike: dict[tuple[Any, ...], list[int]] = {}
    if reach.parameters:
        for place, _name, port in new.ports.entries():
            alike.setdefault(_port_shape(port), []).append(place)
    places = {new.ports.place(name) for name in changed}
    return _Stage(judge(old, before), judge(new, after), places, list(alike.values()))


def _port_shape(port: Port) -> tuple[Any, ...]:
    if isinstance(port, SignalPort):
        return port.direction, port.left, port.right, port.default_value, port.vectors, port.arrays
    if isinstance(port, TransactionalPort):
        return "transactional", port.bus_width, port.arrays
    return "structured", port.vectors, port.arrays


def _same(group: FrozenMap[str, V], named: FrozenMap[str, V], place: int) -> Iterator[V]:
    """The element that is called what the one at a place of ``named`` is called."""
    entry = named.at(place)
    if entry is not None and entry[1] in group:
        yield group[entry[1]]


@dataclass(frozen=True)
class _View:
    """One design before and after.

    Attributes:
        owners: whose ports count: the edited component's instances, its own where it holds the design.
    """

    before: Inside
    after: Inside
    old: Design
    new: Design
    owners: list[Owner]
    reach: _Reach

    @property
    def _is_own(self) -> bool:
        return OWN in self.owners

    @cached_property
    def _instances(self) -> list[str]:
        """The instances that were changed themselves."""
        return touched_names(self.old.instances, self.new.instances)[0]

    @cached_property
    def _connections(self) -> set[int]:
        """Places of the connections that were changed themselves, or lead to such instances."""
        names = touched_names(self.old.connections, self.new.connections)[0]
        at = netlist(self.new).connections_at((name, None) for name in self._instances)
        return {self.new.connections.place(name) for name in (*names, *(connection.name for connection in at))}

    def instances(self) -> _Stage:
        """The instances whose parameters may not fit any more."""
        place = self.new.instances.place
        overridden = usage(self.new).overridden
        # Its own parameters may stand in what it sets those of any instance to.
        owners = overridden if self._is_own and self.reach.parameters else self.owners
        groups = [
            [place(name) for name in names]
            for owner in owners
            if isinstance(owner, Vlnv)
            for names in overridden.get(owner, {}).values()
        ]

        def judge(inside: Inside, instances: FrozenMap[str, Instance]) -> Judge:
            return lambda at: (
                found for each in _same(instances, self.new.instances, at) for found in inside.overrides(each)
            )

        return _Stage(
            judge(self.before, self.old.instances),
            judge(self.after, self.new.instances),
            {place(name) for name in self._instances},
            groups,
        )

    def connections(self) -> _Stage:
        """The connections whose ends may not fit any more."""
        known = joints(self.new)
        if self._is_own and self.reach.parameters:
            groups = list(known.all())
        else:
            groups = [group for owner in self.owners for group in known.at(owner, self.reach.joined)]

        def judge(inside: Inside, connections: FrozenMap[str, Connection]) -> Judge:
            return lambda at: (
                found for each in _same(connections, self.new.connections, at) for found in inside.connection(each)
            )

        return _Stage(
            judge(self.before, self.old.connections),
            judge(self.after, self.new.connections),
            self._connections,
            groups,
        )

    def wires(self) -> _Stage:
        """The wires that may have several drivers now: by other directions, or where parts of ports meet otherwise."""
        wires, known = netlist(self.new), alike_wires(self.new)
        groups = [group for owner in self.owners for group in known.on(owner, self.reach.ports)]
        if self.reach.parameters:
            groups += known.sliced() if self._is_own else [each for own in self.owners for each in known.sliced(own)]
        places = (self.new.connections.at(place) for place in self._connections)
        changed = (wires.number_of(end) for entry in places if entry is not None for end in entry[2].ends)
        return _Stage(
            lambda number: self._contentions_before(wires.wire(number)),
            lambda number: self.after.contentions(wires.wire(number)),
            {number for number in changed if wires.wire(number).is_sliced},
            groups,
            lambda number: self.new.connections.place(wires.wire(number).first.name),
        )

    def _contentions_before(self, wire: Wire) -> Iterable[Finding]:
        """Those of the wire that was called after the same connection."""
        first = self.old.connections.get(wire.first.name)
        was = netlist(self.old).wire_of(first.ends[0]) if first is not None and first.ends else None
        return () if was is None or was.first is not first else self.before.contentions(was)
