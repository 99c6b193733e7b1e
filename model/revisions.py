"""The difference of two revisions of a component or of a library: element by element and field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from model.change import ElementId, ElementKind
from model.difference import element_kind, touched_names
from model.elements import (
    EMPTY_DESIGN,
    BusInterface,
    Component,
    Connection,
    Design,
    Instance,
    Interconnection,
    Parameter,
    PortMap,
    SignalPort,
    StructuredPort,
    TransactionalPort,
    Value,
)
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv
from model.widths import width_text

How = Literal["added", "removed", "changed", "reordered"]


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """One property of an element in both revisions, as people write it; "" where it is absent."""

    field: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.field} {_quoted(self.before)} → {_quoted(self.after)}"


@dataclass(frozen=True, slots=True)
class Difference:
    """What happened to one element between two revisions.

    Attributes:
        how: ``reordered`` says that elements of this kind stand in another order; ``element`` has no name then.
        element: named as in the later revision, or as in the earlier one where it was removed.
        view: of the design that it belongs to, or "".
        fields: what changed in it; the whole of it where it was added or removed.
    """

    how: How
    element: ElementId
    view: str = ""
    fields: tuple[FieldDifference, ...] = ()

    @property
    def text(self) -> str:
        """One line for people, without the component: ``changed signal port clk: width 1 → 8``."""
        what = f"{self.element.kind.replace('_', ' ')} {self.element.name}".rstrip()
        if self.how == "reordered":
            return f"reordered {what}s{self._where}"
        if self.how == "changed":
            return f"changed {what}{self._where}: {', '.join(str(each) for each in self.fields)}"
        facts = ", ".join(f"{each.field} {_quoted(each.before or each.after)}" for each in self.fields)
        return f"{self.how} {what}{self._where}{f': {facts}' if facts else ''}"

    @property
    def _where(self) -> str:
        return f" in view {self.view}" if self.view else ""

    def data(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "change": self.how,
            "component": str(self.element.component),
            "element_type": self.element.kind,
            "name": self.element.name,
            "view": self.view,
            "fields": [
                {
                    "field": each.field,
                    "before": None if self.how == "added" else each.before,
                    "after": None if self.how == "removed" else each.after,
                }
                for each in self.fields
            ],
        }


def compare_libraries(before: Library, after: Library) -> tuple[Difference, ...]:
    """Return what differs between two libraries, component by component in the order of ``after``."""
    found: list[Difference] = []
    for component in after:
        old = before.find(component.vlnv)
        if old is None:
            found.append(_whole("added", component))
        elif old is not component:
            found.extend(compare_components(old, component))
    found.extend(_whole("removed", component) for component in before if component.vlnv not in after)
    return tuple(found)


def compare_components(before: Component, after: Component) -> tuple[Difference, ...]:
    """Return what differs between two revisions of a component, which may have different VLNVs.

    The order of ports and parameters counts, since files and generated code follow it; that of the elements of a
    design does not.
    """
    vlnv = after.vlnv
    found: list[Difference] = []
    own = tuple(_fields(_component_facts(before), _component_facts(after)))
    if own:
        found.append(Difference("changed", ElementId(vlnv, "component"), "", own))
    found.extend(_compare(vlnv, "signal_port", before.ports, after.ports, ordered=True))
    found.extend(_compare(vlnv, "user_parameter", before.parameters, after.parameters, ordered=True))
    found.extend(_compare(vlnv, "bus_interface", before.bus_interfaces, after.bus_interfaces))
    several = max(len(before.designs), len(after.designs)) > 1
    for view in dict.fromkeys((*before.designs, *after.designs)):
        one, other = before.designs.get(view, EMPTY_DESIGN), after.designs.get(view, EMPTY_DESIGN)
        found.extend(_compare_designs(vlnv, view if several else "", one, other))
    return tuple(found)


def _compare_designs(vlnv: Vlnv, view: str, before: Design, after: Design) -> Iterator[Difference]:
    if before.description != after.description:
        field = FieldDifference("description of the design", before.description, after.description)
        yield Difference("changed", ElementId(vlnv, "component"), view, (field,))
    chosen = tuple(_fields(_choices(before), _choices(after)))
    if chosen:
        yield Difference("changed", ElementId(vlnv, "component"), view, chosen)
    yield from _compare(vlnv, "subcomponent", before.instances, after.instances, view)
    yield from _compare(vlnv, "connection", before.connections, after.connections, view)
    yield from _compare(vlnv, "interconnection", before.interconnections, after.interconnections, view)


def _choices(design: Design) -> dict[str, str]:
    """Which view of each instance the design configurations choose."""
    return {
        f"view of {instance} in configuration {own}": view
        for own, configuration in design.configurations.items()
        for instance, view in configuration.views.items()
    }


def _compare(
    vlnv: Vlnv,
    fallback: ElementKind,
    before: FrozenMap[str, Any],
    after: FrozenMap[str, Any],
    view: str = "",
    *,
    ordered: bool = False,
) -> Iterator[Difference]:
    if before is after:
        return
    present, gone = touched_names(before, after)
    for name in present:
        value, old = after[name], before.get(name)
        element = ElementId(vlnv, element_kind(value, fallback), name)
        if old is None:
            yield Difference("added", element, view, tuple(_fields({}, _facts(value))))
        elif old != value:
            fields = tuple(_fields(_facts(old), _facts(value))) or tuple(_fields(_raw(old), _raw(value)))
            yield Difference("changed", element, view, fields)
    for name in gone:
        element = ElementId(vlnv, element_kind(before[name], fallback), name)
        yield Difference("removed", element, view, tuple(_fields(_facts(before[name]), {})))
    if ordered and _common(before, after) != _common(after, before):
        yield Difference("reordered", ElementId(vlnv, fallback), view)


def _common(names: Iterable[str], other: FrozenMap[str, Any]) -> list[str]:
    return [name for name in names if name in other]


def _whole(how: How, component: Component) -> Difference:
    designs = component.designs.values()
    counts = (
        ("ports", len(component.ports)),
        ("parameters", len(component.parameters)),
        ("bus interfaces", len(component.bus_interfaces)),
        ("subcomponents", sum(len(design.instances) for design in designs)),
        ("connections", sum(len(design.connections) + len(design.interconnections) for design in designs)),
    )
    facts = {name: str(number) for name, number in counts if number}
    fields = _fields({}, facts) if how == "added" else _fields(facts, {})
    return Difference(how, ElementId(component.vlnv, "component"), "", tuple(fields))


def _component_facts(component: Component) -> dict[str, str]:
    views = list(component.designs)
    return {
        "VLNV": str(component.vlnv),
        "description": component.description,
        "views with a design": ", ".join(views) if len(views) > 1 else "",
    }


def _fields(before: dict[str, str], after: dict[str, str]) -> Iterator[FieldDifference]:
    for name in dict.fromkeys((*before, *after)):
        one, other = before.get(name, ""), after.get(name, "")
        if one != other:
            yield FieldDifference(name, one, other)


def _facts(value: Value) -> dict[str, str]:
    """What people call the properties of an element, in a fixed order."""
    match value:
        case SignalPort():
            facts = {
                "kind": "signal",
                "direction": value.direction,
                "width": width_text(value),
                "bounds": _bounds(value),
                "default value": value.default_value,
            }
        case TransactionalPort():
            facts = {
                "kind": f"{value.kind} {value.custom_kind}".strip() or "transactional",
                "initiative": value.initiative,
                "protocol": value.protocol,
                "payload": str(value.payload or ""),
                "bus width": value.bus_width,
                "fewest connections": value.least,
                "most connections": value.most,
                "array": "".join(map(str, value.arrays)),
            }
        case StructuredPort():
            facts = {
                "kind": value.form,
                "direction": value.direction if value.form != "interface" else "",
                "structure": value.type_name,
                "dimensions": "".join(map(str, (*value.vectors, *value.arrays))),
            }
            for name, port in value.sub_ports.items():
                inside = (f"{label} {text}" for label, text in _facts(port).items() if text)
                facts[f"sub-port {name}"] = ", ".join(inside)
        case Parameter():
            facts = {
                "set by": value.kind,
                "type": " ".join(filter(None, (value.type, value.sign, "".join(map(str, value.vectors))))),
                "array": "".join(map(str, value.arrays)),
                "value": value.value,
                "minimum": value.minimum,
                "maximum": value.maximum,
            }
        case BusInterface():
            facts = {"mode": value.mode, "bus type": str(value.bus_type)}
            facts.update((f"map of {logical}", text) for logical, text in _maps(value.port_maps))
        case Instance():
            facts = {"component": str(value.component)}
            facts.update((f"parameter {name}", text) for name, text in value.parameters.items())
        case Connection():
            facts = {"ends": ", ".join(map(str, value.ends)), "tied value": value.tied_value}
        case Interconnection():
            facts = {"monitored": str(value.monitored or ""), "ends": ", ".join(map(str, value.ends))}
        case _:
            raise TypeError(f"{type(value).__name__} is not an element of a component")
    return facts | {"description": value.description}


def _raw(value: Value) -> dict[str, str]:
    """Everything as it is stored, for differences of mere spelling or order."""
    return {name: str(content) for name, content in value.model_dump().items()}


def _bounds(port: SignalPort) -> str:
    """The bounds where the width alone does not say them."""
    plain = port.left and not port.vectors and not port.arrays
    return f"{port.left}:{port.right}" if plain and port.right != "0" else ""


def _maps(rows: Iterable[PortMap]) -> Iterator[tuple[str, str]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        logical, _equals, rest = str(row).partition("=")
        found.setdefault(logical, []).append(rest)
    return ((logical, ", ".join(texts)) for logical, texts in found.items())


def _quoted(text: str) -> str:
    if not text:
        return "nothing"
    return f"'{text}'" if any(mark in text for mark in " ,→") else text
