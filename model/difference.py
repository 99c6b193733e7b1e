"""Structural difference of two libraries: for undo, proposals, the state score and saving."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from model.change import Change, ElementId, ElementKind
from model.elements import Component, Parameter, StructuredPort, TransactionalPort, Value
from model.frozen_map import FrozenMap
from model.library import Library

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
    """Every element of a component (of its first design only), the component itself left out."""
    groups: tuple[tuple[ElementKind, FrozenMap[str, Value]], ...] = _groups(component)
    for fallback, group in groups:
        for name, value in group.items():
            yield ElementId(component.vlnv, element_kind(value, fallback), name), value


def _groups(component: Component) -> tuple[tuple[ElementKind, FrozenMap[str, Value]], ...]:
    design = component.design
    return (
        ("signal_port", component.ports),  # type: ignore[return-value]  # FrozenMap is covariant in use, not in type
        ("user_parameter", component.parameters),
        ("bus_interface", component.bus_interfaces),
        ("subcomponent", design.instances),
        ("connection", design.connections),
        ("interconnection", design.interconnections),
    )


@dataclass
class _Tally:
    """What differs so far."""

    added: list[ElementId] = field(default_factory=list)
    changed: list[ElementId] = field(default_factory=list)
    removed: list[ElementId] = field(default_factory=list)


def change_between(before: Library, after: Library, summary: str = "") -> Change:
    """Return what turns ``before`` into ``after``; cheap where the two share most of their structure."""
    tally = _Tally()
    for vlnv, component in after.components.items():
        old = before.find(vlnv)
        if old is component:
            continue
        if old is None:
            tally.added.append(ElementId(vlnv, "component"))
            tally.added.extend(element for element, _value in elements_of(component))
        else:
            _compare(old, component, tally)
    for vlnv, component in before.components.items():
        if vlnv not in after:
            tally.removed.append(ElementId(vlnv, "component"))
            tally.removed.extend(element for element, _value in elements_of(component))
    return Change(summary, tuple(tally.added), tuple(tally.changed), tuple(tally.removed))


def _compare(old: Component, new: Component, tally: _Tally) -> None:
    vlnv = new.vlnv
    if old.description != new.description:
        tally.changed.append(ElementId(vlnv, "component"))
    for (fallback, before), (_same, after) in zip(_groups(old), _groups(new), strict=True):
        if before is after:
            continue
        for name, value in after.items():
            known = before.get(name)
            element = ElementId(vlnv, element_kind(value, fallback), name)
            if known is None:
                tally.added.append(element)
            elif known is not value and known != value:
                was = ElementId(vlnv, element_kind(known, fallback), name)
                if was == element:
                    tally.changed.append(element)
                else:
                    tally.removed.append(was)
                    tally.added.append(element)
        tally.removed.extend(
            ElementId(vlnv, element_kind(value, fallback), name) for name, value in before.items() if name not in after
        )
