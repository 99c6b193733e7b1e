"""Which components a design instantiates where, and which components instantiate one, found again as edits go on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import immutables

from model.elements import Component, Design, Instance
from model.frozen_map import Difference, Fact, FrozenMap
from model.library import Library
from model.vlnv import Vlnv

Overrides = FrozenMap[str, str]
Names = Mapping[str, None]
"""Names without order."""

K = TypeVar("K")
M = TypeVar("M")

_NONE: immutables.Map[Any, Any] = immutables.Map()


@dataclass(frozen=True, slots=True)
class Usage:
    """The instances of a design by what they instantiate.

    Attributes:
        instances: names of the instances by component.
        overridden: those with parameters of their own by component and by these.
    """

    instances: immutables.Map[Vlnv, immutables.Map[str, None]] = _NONE
    overridden: immutables.Map[Vlnv, immutables.Map[Overrides, immutables.Map[str, None]]] = _NONE

    @classmethod
    def of(cls, instances: FrozenMap[str, Instance]) -> Usage:
        """The usage of all instances, made afresh."""
        names: dict[Vlnv, dict[str, None]] = {}
        for name, instance in instances.items():
            names.setdefault(instance.component, {})[name] = None
        overridden: immutables.Map[Any, Any] = _NONE
        for name, instance in instances.items():
            if instance.parameters:
                overridden = _with_overrides(overridden, name, instance)
        return cls(immutables.Map({vlnv: immutables.Map(each) for vlnv, each in names.items()}), overridden)

    def followed(self, _instances: FrozenMap[str, Instance], differences: Sequence[Difference[str, Instance]]) -> Usage:
        """The usage of other instances, given where they differ from these."""
        names, overridden = self.instances, self.overridden
        for old, _new in differences:
            if old is not None:
                names = _out(names, old[2].component, old[1])
                if old[2].parameters:
                    groups = _out(overridden[old[2].component], old[2].parameters, old[1])
                    overridden = _put(overridden, old[2].component, groups)
        for _old, new in differences:
            if new is not None:
                names = _in(names, new[2].component, new[1])
                if new[2].parameters:
                    overridden = _with_overrides(overridden, new[1], new[2])
        return Usage(names, overridden)


def _with_overrides(overridden: immutables.Map[Any, Any], name: str, instance: Instance) -> immutables.Map[Any, Any]:
    groups = overridden.get(instance.component, _NONE)
    return overridden.set(instance.component, _in(groups, instance.parameters, name))


def _in(groups: immutables.Map[K, Any], key: K, member: Any) -> immutables.Map[K, Any]:
    return groups.set(key, groups.get(key, _NONE).set(member, None))


def _out(groups: immutables.Map[K, Any], key: K, member: Any) -> immutables.Map[K, Any]:
    return _put(groups, key, groups[key].delete(member))


def _put(groups: immutables.Map[K, Any], key: K, members: immutables.Map[Any, Any]) -> immutables.Map[K, Any]:
    return groups.set(key, members) if members else groups.delete(key)


_USAGE: Fact[str, Instance, Usage] = Fact(Usage.followed)


def usage(design: Design) -> Usage:
    """What a design instantiates where."""
    return _USAGE.of(design.instances, lambda: Usage.of(design.instances))


def instances_of(design: Design, vlnv: Vlnv) -> Names:
    """Names of the instances of a component in a design."""
    return usage(design).instances.get(vlnv, _NONE)


def used_by(component: Component) -> frozenset[Vlnv]:
    """The components that are instantiated in any design of a component."""
    return frozenset(vlnv for design in component.designs.values() for vlnv in usage(design).instances)


Users = immutables.Map[Vlnv, immutables.Map[Vlnv, None]]
"""By component the components that instantiate it."""


def _users_followed(
    users: Users, _components: FrozenMap[Vlnv, Component], differences: Sequence[Difference[Vlnv, Component]]
) -> Users:
    before = {(vlnv, old[1]) for old, _new in differences if old is not None for vlnv in used_by(old[2])}
    after = {(vlnv, new[1]) for _old, new in differences if new is not None for vlnv in used_by(new[2])}
    for vlnv, user in before - after:
        users = _out(users, vlnv, user)
    for vlnv, user in after - before:
        users = _in(users, vlnv, user)
    return users


def _users(library: Library) -> Users:
    found: Users = _NONE
    for component in library:
        for vlnv in used_by(component):
            found = _in(found, vlnv, component.vlnv)
    return found


_USERS: Fact[Vlnv, Component, Users] = Fact(_users_followed)


def users_of(library: Library, vlnv: Vlnv) -> Collection[Vlnv]:
    """The components that instantiate one, in any of their designs, in the order of the library."""
    found = _USERS.of(library.components, lambda: _users(library)).get(vlnv, _NONE)
    return sorted(found, key=library.components.place)


def containment(library: Library, outer: Vlnv, inner: Vlnv) -> list[Vlnv]:
    """How ``outer`` contains ``inner``: the VLNVs from one to the other, both included; empty where it does not.

    A component counts as containing itself.
    """
    came_from: dict[Vlnv, Vlnv | None] = {outer: None}
    waiting = [outer]
    while waiting and inner not in came_from:
        vlnv = waiting.pop()
        component = library.find(vlnv)
        for used in sorted(used_by(component)) if component and component.designs else ():
            if used not in came_from:
                came_from[used] = vlnv
                waiting.append(used)
    if inner not in came_from:
        return []
    chain: list[Vlnv] = []
    place: Vlnv | None = inner
    while place is not None:
        chain.append(place)
        place = came_from[place]
    return chain[::-1]
