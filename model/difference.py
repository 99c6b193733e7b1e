"""Structural difference of two libraries: for undo, proposals, the state score and saving."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from model.change import Change, ElementId, ElementKind
from model.elements import Component, Parameter, StructuredPort, TransactionalPort, Value
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv

K = TypeVar("K")
V = TypeVar("V")

_PARAMETER_KINDS: dict[str, ElementKind] = {
    "user": "user_parameter",
    "generated": "generator_parameter",
    "immediate": "immediate_parameter",
}


def element_kind(value: Value, fallback: ElementKind) -> ElementKind:
    """The element kind of a port or parameter; ``fallback`` for anything else."""
    if isinstance(value, TransactionalPort):
        return "transactional_port"
    if isinstance(value, StructuredPort):
        return "structured_port"
    if isinstance(value, Parameter):
        return _PARAMETER_KINDS[value.kind]
    return fallback


def elements_of(component: Component) -> Iterator[tuple[ElementId, Value]]:
    """Every element of a component, also those of designs behind its first one; the component itself left out."""
    for (fallback, view), group in _groups(component).items():
        for name, value in group.items():
            yield ElementId(component.vlnv, element_kind(value, fallback), name, view), value


def view_label(component: Component, view: str) -> str:
    """What an element id calls a view: nothing where it is the component's first, the one that is shown and edited."""
    return "" if view == component.view else view


_Place = tuple[ElementKind, str]
"""A kind of elements, and the view that they are in; see :func:`view_label`."""


def _groups(component: Component) -> dict[_Place, FrozenMap[str, Value]]:
    groups: dict[_Place, FrozenMap[str, Value]] = {
        ("signal_port", ""): component.ports,  # type: ignore[dict-item]  # FrozenMap is covariant in use, not in type
        ("user_parameter", ""): component.parameters,  # type: ignore[dict-item]
        ("bus_interface", ""): component.bus_interfaces,  # type: ignore[dict-item]
    }
    for view, design in component.designs.items():
        label = view_label(component, view)
        groups[("subcomponent", label)] = design.instances  # type: ignore[assignment]
        groups[("connection", label)] = design.connections  # type: ignore[assignment]
        groups[("interconnection", label)] = design.interconnections  # type: ignore[assignment]
    return groups


def touched_names(before: FrozenMap[K, V], after: FrozenMap[K, V]) -> tuple[list[K], list[K]]:
    """The keys of ``after`` that are new or may have another value than in ``before``, and those that are gone.

    Both in order, and found at the cost of what differs where one map was made from the other.
    """
    differences = before.differences(after)
    present = [entry[1] for _old, entry in differences if entry is not None]
    gone = [entry[1] for entry, _new in differences if entry is not None and entry[1] not in after]
    return present, gone


@dataclass
class _Tally:
    """What differs so far."""

    added: list[ElementId] = field(default_factory=list)
    changed: list[ElementId] = field(default_factory=list)
    removed: list[ElementId] = field(default_factory=list)


def change_between(before: Library, after: Library, summary: str = "") -> Change:
    """Return what turns ``before`` into ``after``; cheap where the two share most of their structure."""
    tally = _Tally()
    present, gone = touched_names(before.components, after.components)
    for vlnv in present:
        old, component = before.find(vlnv), after.components[vlnv]
        if old is None:
            tally.added.append(ElementId(vlnv, "component"))
            tally.added.extend(element for element, _value in elements_of(component))
        elif old is not component:
            _compare(old, component, tally)
    for vlnv in gone:
        tally.removed.append(ElementId(vlnv, "component"))
        tally.removed.extend(element for element, _value in elements_of(before.components[vlnv]))
    return Change(summary, tuple(tally.added), tuple(tally.changed), tuple(tally.removed))


_NOTHING: FrozenMap[str, Value] = FrozenMap()


def _compare(old: Component, new: Component, tally: _Tally) -> None:
    vlnv = new.vlnv
    if (old.description, _descriptions(old)) != (new.description, _descriptions(new)):
        tally.changed.append(ElementId(vlnv, "component"))
    before, after = _groups(old), _groups(new)
    for place in dict.fromkeys((*before, *after)):
        _compare_group(vlnv, place, before.get(place, _NOTHING), after.get(place, _NOTHING), tally)


def _descriptions(component: Component) -> dict[str, str]:
    """What is said about the designs."""
    return {view: design.description for view, design in component.designs.items() if design.description}


def _compare_group(
    vlnv: Vlnv, place: _Place, before: FrozenMap[str, Value], after: FrozenMap[str, Value], tally: _Tally
) -> None:
    if before is after:
        return
    fallback, view = place
    present, gone = touched_names(before, after)
    for name in present:
        value, known = after[name], before.get(name)
        element = ElementId(vlnv, element_kind(value, fallback), name, view)
        if known is None:
            tally.added.append(element)
        elif known is not value and known != value:
            was = ElementId(vlnv, element_kind(known, fallback), name, view)
            if was == element:
                tally.changed.append(element)
            else:
                tally.removed.append(was)
                tally.added.append(element)
    tally.removed.extend(ElementId(vlnv, element_kind(before[name], fallback), name, view) for name in gone)
