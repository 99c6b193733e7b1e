"""Components as their files can tell them apart: white space around texts and the order of ends carry no meaning."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar

from model.elements import Component, Connection, Design, Instance, Interconnection, Value
from model.frozen_map import FrozenMap

V = TypeVar("V", bound=Value)
Joined = TypeVar("Joined", Connection, Interconnection)


def canonical(component: Component) -> Component:
    """The component in the one form that all its files would read back as."""
    interfaces = (
        (name, value.model_copy(update={"port_maps": tuple(sorted(value.port_maps, key=repr))}))
        for name, value in _stripped(component.bus_interfaces).items()
    )
    return _strip(component).model_copy(
        update={
            "ports": _stripped(component.ports),
            "parameters": _stripped(component.parameters),
            "bus_interfaces": FrozenMap(interfaces),
            "designs": FrozenMap((view, _design(design)) for view, design in component.designs.items()),
        }
    )


def _design(design: Design) -> Design:
    return Design(
        description=design.description.strip(),
        instances=_each(design.instances, _instance),
        connections=_sorted_ends(design.connections),
        interconnections=_sorted_ends(design.interconnections),
        configurations=design.configurations,
    )


def _instance(instance: Instance) -> Instance:
    if not instance.parameters:
        return _strip(instance)
    parameters = sorted((name, value.strip()) for name, value in instance.parameters.items())
    return _strip(instance).model_copy(update={"parameters": FrozenMap(parameters)})


def _sorted_ends(group: FrozenMap[str, Joined]) -> FrozenMap[str, Joined]:
    return _each(group, lambda value: _with_sorted_ends(_strip(value)))


def _with_sorted_ends(value: Joined) -> Joined:
    keys = list(map(_fields, value.ends))
    if all(one <= other for one, other in pairwise(keys)):
        return value
    return value.model_copy(update={"ends": tuple(sorted(value.ends, key=_fields))})


def _fields(value: Value) -> tuple[Any, ...]:
    return tuple(value.__dict__.values())


def _stripped(group: FrozenMap[str, V]) -> FrozenMap[str, V]:
    return _each(group, _strip)


def _each(group: FrozenMap[str, V], change: Callable[[V], V]) -> FrozenMap[str, V]:
    """The group with each value changed; the group itself where none is, since a large one takes a while to make."""
    changed = [(name, value, change(value)) for name, value in group.items()]
    if all(before is after for _name, before, after in changed):
        return group
    return FrozenMap((name, after) for name, _before, after in changed)


def _strip(value: V) -> V:
    changed = {
        field: text.strip()
        for field, text in value.__dict__.items()  # quicker than to ask the class for its fields
        if isinstance(text, str) and text != text.strip()
    }
    return value.model_copy(update=changed) if changed else value
