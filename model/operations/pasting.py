"""Copies of instances with what joins them, into the same design or another."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeVar

from model.change import Change
from model.difference import change_between
from model.elements import Component, Connection, Design, Endpoint, Instance, Interconnection, InterfaceEnd
from model.errors import DesignError
from model.library import Library
from model.operations.arguments import find
from model.operations.connections import free_name
from model.usage import containment
from model.vlnv import Vlnv

_End = TypeVar("_End", Endpoint, InterfaceEnd)


@dataclass(frozen=True, slots=True)
class Clip:
    """Instances and what joins them among each other, as they were when they were copied."""

    instances: tuple[Instance, ...]
    connections: tuple[Connection, ...] = ()
    interconnections: tuple[Interconnection, ...] = ()


def copy_instances(design: Design, names: Collection[str]) -> Clip:
    """Take copies of instances, of the connections that end at nothing else, and of their tie-offs."""
    wanted = set(names)
    return Clip(
        tuple(instance for name, instance in design.instances.items() if name in wanted),
        tuple(each for each in design.connections.values() if {end.instance for end in each.ends} <= wanted),
        tuple(each for each in design.interconnections.values() if {end.instance for end in each.all_ends} <= wanted),
    )


def pasted_names(design: Design, clip: Clip) -> dict[str, str]:
    """What each instance of a clip is called in a design: its own name where that is free, else the next number."""
    taken = set(design.instances)
    names: dict[str, str] = {}
    for instance in clip.instances:
        names[instance.name] = name = _next_name(instance.name, taken)
        taken.add(name)
    return names


def paste(current: Library, /, component: str, clip: Clip) -> tuple[Library, Change]:
    """Put copies of instances and of what joins them into a component.

    Raises:
        DesignError: ``component-not-found``; ``nothing-to-paste``; ``contains-itself``: an instance would put the
            component into itself.
    """
    parent = find(current, component)
    if not clip.instances:
        raise DesignError("nothing-to-paste", "No instance was copied.", "Select one or more blocks and copy them.")
    for used in dict.fromkeys(instance.component for instance in clip.instances):
        _check(current, parent, used)
    names = pasted_names(parent.design, clip)
    design = parent.design
    instances = design.instances
    for instance in clip.instances:
        new = names[instance.name]
        instances = instances.set(new, instance.model_copy(update={"name": new}))
    design = design.model_copy(update={"instances": instances})
    for each in clip.connections:
        name = free_name(design, _renamed(each.name, names))
        ends = tuple(_moved(end, names) for end in each.ends)
        copy = each.model_copy(update={"name": name, "ends": ends})
        design = design.model_copy(update={"connections": design.connections.set(name, copy)})
    for joined in clip.interconnections:
        name = free_name(design, _renamed(joined.name, names))
        update = {
            "name": name,
            "ends": tuple(_moved(end, names) for end in joined.ends),
            "monitored": _moved(joined.monitored, names) if joined.monitored is not None else None,
        }
        again = joined.model_copy(update=update)
        design = design.model_copy(update={"interconnections": design.interconnections.set(name, again)})
    after = current.put(parent.with_design(design))
    count = len(clip.instances)
    what = names[clip.instances[0].name] if count == 1 else f"{count} instances"
    return after, change_between(current, after, f"Pasted {what} into {parent.vlnv}.")


def _check(current: Library, parent: Component, used: Vlnv) -> None:
    if used not in current:
        raise DesignError(
            "component-not-found",
            f"There is no component {used} in the library, so no more instances of it can be made.",
            "Load its file first.",
        )
    chain = containment(current, used, parent.vlnv)
    if chain:
        raise DesignError(
            "contains-itself",
            f"{used} cannot be inside {parent.vlnv}: a component would contain itself"
            f" ({' → '.join(str(vlnv) for vlnv in (parent.vlnv, *chain))}).",
            "Paste into another component.",
        )


def _next_name(name: str, taken: Collection[str]) -> str:
    if name not in taken:
        return name
    found = re.fullmatch(r"(.*?)(_?)(\d+)", name)
    stem, gap, number = (found[1], found[2], int(found[3])) if found is not None and found[1] else (name, "_", 1)
    while (candidate := f"{stem}{gap}{number + 1}") in taken:
        number += 1
    return candidate


def _moved(end: _End, names: dict[str, str]) -> _End:
    return end.model_copy(update={"instance": names[end.instance]})


def _renamed(connection: str, names: dict[str, str]) -> str:
    """A connection that is called after its ends is called after the copies of its ends."""
    for old, new in sorted(names.items(), key=lambda pair: -len(pair[0])):
        connection = re.sub(rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])", new, connection)
    return connection
