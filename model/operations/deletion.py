"""Deleting the elements of a component."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.change import Change, ElementId, ElementKind
from model.difference import element_kind
from model.elements import Component, Design, Parameter
from model.errors import DesignError, nearest
from model.expressions import ExpressionError, evaluate, literal, substitute
from model.library import Library
from model.nets import with_connections
from model.operations.arguments import (
    ELEMENT_TYPES,
    MORE_ELEMENT_TYPES,
    Argument,
    Flag,
    choice,
    find,
    flag,
    offer,
    text,
)
from model.operations.cascade import Edit, Use, drop_ends, drop_instances, drop_interface_ends, edit_uses, listed
from model.operations.consequences import check_consequences
from model.operations.expression_uses import rewrite_uses
from model.parameters import Values


def delete_element(
    current: Library, /, component: str, element_type: str, name: str, cascade: Flag = False
) -> tuple[Library, Change]:
    """Delete a port, parameter, subcomponent or connection.

    Args:
        cascade: delete the connections of a port too, and replace expressions that use a parameter by their present
            value.

    Raises:
        DesignError: ``component-not-found``, ``bad-choice``, ``element-not-found``, ``in-use`` with the users.
    """
    owner = find(current, component)
    element = find_element(owner, element_type, name)
    edit = Edit()
    match element.kind:
        case "signal_port" | "transactional_port" | "structured_port":
            result = _delete_port(current, owner, element, flag(cascade, "cascade"), edit)
        case "user_parameter" | "generator_parameter" | "immediate_parameter":
            result = _delete_parameter(current, owner, element, flag(cascade, "cascade"), edit)
        case "bus_interface":
            result = _delete_interface(current, owner, element, flag(cascade, "cascade"), edit)
        case "subcomponent":
            design = drop_instances(owner, owner.design, {element.name}, edit)
            result = current.put(owner.with_design(design))
        case _:
            result = current.put(_without_connection(owner, element))
    return result, edit.change(_summary(element, edit), removed=(element,))


def _summary(element: ElementId, edit: Edit) -> str:
    summary = f"Deleted {element.kind.replace('_', ' ')} {element.name} of {element.component}"
    others = [other for other in edit.removed if other != element]
    if others:
        summary += f", and with it {_described(others, element)}"
    if edit.changed:
        summary += f"; changed {_described(edit.changed, element)}"
    return f"{summary}."


def find_element(owner: Component, element_type: Argument, name: Argument) -> ElementId:
    """Return the id of an element that exists.

    A ``connection`` may also be an interconnection of bus interfaces.

    Raises:
        DesignError: ``bad-choice``, ``element-not-found``, with the kind that an element of this name has.
    """
    kind = text(element_type, "element_type")
    if kind not in MORE_ELEMENT_TYPES:
        kind = choice(kind, "element_type", ELEMENT_TYPES)
    wanted = text(name, "name", required=True)
    kinds = dict(_kinds_of(owner, wanted))
    if kind in kinds:
        return kinds[kind]
    if kind == "connection" and "interconnection" in kinds:
        return kinds["interconnection"]
    words = kind.replace("_", " ")
    if kinds:
        other = next(iter(kinds))
        raise DesignError(
            "element-not-found",
            f"{wanted} of {owner.vlnv} is a {other.replace('_', ' ')}, not a {words}.",
            _how_to_name(other),
        )
    raise DesignError(
        "element-not-found",
        f"{owner.vlnv} has no {words} {wanted}.",
        offer(names_of_kind(owner, kind)) or f"It has no {words} at all.",
        nearest(wanted, names_of_kind(owner, kind)),
    )


def _how_to_name(kind: str) -> str:
    """What to do about an element of another kind than was asked for; not every kind has a name in the 14 tools."""
    if kind == "interconnection":
        return "Repeat with element_type connection."
    if kind in ELEMENT_TYPES:
        return f"Repeat with element_type {kind}."
    return (
        "get_component_details shows it; it is changed in the desktop, or with rename_element and update_element where"
        " a server offers these."
    )


def _kinds_of(owner: Component, name: str) -> Iterator[tuple[str, ElementId]]:
    design = owner.design
    groups: tuple[tuple[ElementKind, Sequence[object]], ...] = (
        ("signal_port", _hit(owner.ports.get(name))),
        ("user_parameter", _hit(owner.parameters.get(name))),
        ("subcomponent", _hit(design.instances.get(name))),
        ("connection", _hit(design.connections.get(name))),
        ("interconnection", _hit(design.interconnections.get(name))),
        ("bus_interface", _hit(owner.bus_interfaces.get(name))),
    )
    for fallback, hits in groups:
        for hit in hits:
            kind = element_kind(hit, fallback)  # type: ignore[arg-type]
            yield kind, ElementId(owner.vlnv, kind, name)


def _hit(found: object) -> Sequence[object]:
    return () if found is None else (found,)


def names_of_kind(owner: Component, kind: str) -> list[str]:
    """The names of all elements of a kind."""
    design = owner.design
    match kind:
        case "subcomponent":
            return list(design.instances)
        case "connection":
            return [*design.connections, *design.interconnections]
        case "interconnection":
            return list(design.interconnections)
        case "bus_interface":
            return list(owner.bus_interfaces)
        case "signal_port" | "transactional_port" | "structured_port":
            return [name for name, port in owner.ports.items() if element_kind(port, "signal_port") == kind]
    return [name for name, value in owner.parameters.items() if element_kind(value, "user_parameter") == kind]


def _without_connection(owner: Component, element: ElementId) -> Component:
    design = owner.design
    if element.kind == "connection":
        rest = design.connections.without(element.name)
        return owner.with_design(with_connections(design, rest))
    others = design.interconnections.without(element.name)
    return owner.with_design(design.model_copy(update={"interconnections": others}))


def _delete_port(current: Library, owner: Component, element: ElementId, cascade: bool, edit: Edit) -> Library:
    name = element.name

    def drop(design: Design, use: Use) -> Design:
        at = [(place, name) for place in use.places]
        return drop_ends(
            use.parent, design, at, lambda end: end.port == name and end.instance in use.places, edit, use.view
        )

    result = edit_uses(current, owner, drop)
    holder = result.get(owner.vlnv)
    interfaces = holder.bus_interfaces
    for interface in interfaces.values():
        rows = tuple(row for row in interface.port_maps if row.physical != name)
        if len(rows) != len(interface.port_maps):
            interfaces = interfaces.set(interface.name, interface.model_copy(update={"port_maps": rows}))
            edit.change_of(owner, "bus_interface", interface.name)
    _refuse_if_used(element, edit, cascade, "remove these connections and port maps too")
    ports = holder.ports.without(name)
    return result.put(holder.model_copy(update={"ports": ports, "bus_interfaces": interfaces}))


def _delete_interface(current: Library, owner: Component, element: ElementId, cascade: bool, edit: Edit) -> Library:
    name = element.name

    def drop(design: Design, use: Use) -> Design:
        return drop_interface_ends(
            use.parent,
            design,
            lambda instance, interface: interface == name and instance in use.places,
            edit,
            use.view,
        )

    result = edit_uses(current, owner, drop)
    _refuse_if_used(element, edit, cascade, "remove these interconnections too")
    holder = result.get(owner.vlnv)
    return result.put(holder.model_copy(update={"bus_interfaces": holder.bus_interfaces.without(name)}))


def _delete_parameter(current: Library, owner: Component, element: ElementId, cascade: bool, edit: Edit) -> Library:
    name = element.name
    values = Values(owner.parameters)

    def present(text: str) -> str:
        return _present_value(text, owner.parameters[name], values)

    def drop(design: Design, use: Use) -> Design:
        instances = design.instances
        for place in sorted(use.places - {""}):
            instance = instances[place]
            if name in instance.parameters:
                rest = instance.parameters.without(name)
                instances = instances.set(place, instance.model_copy(update={"parameters": rest}))
                edit.change_of(use.parent, "subcomponent", place, use.view)
        return design if instances is design.instances else design.model_copy(update={"instances": instances})

    holder = rewrite_uses(owner, name, present, edit)
    holder = holder.model_copy(update={"parameters": holder.parameters.without(name)})
    result = edit_uses(current.put(holder), owner, drop)
    _refuse_if_used(element, edit, cascade, "replace these expressions by their present values")
    if any(other.component != owner.vlnv for other in edit.changed):
        edit.warnings.extend(check_consequences(current, result, owner.vlnv))
    return result


def _present_value(text: str, parameter: Parameter, values: Values) -> str:
    """An expression's value as text; where it has none, the expression with the parameter's own text in it."""
    try:
        value = evaluate(text, values)
    except ExpressionError:
        return substitute(text, {parameter.name: parameter.value})
    return value if isinstance(value, str) else literal(value)


def _refuse_if_used(element: ElementId, edit: Edit, cascade: bool, consequence: str) -> None:
    users = [*edit.removed, *edit.changed]
    if users and not cascade:
        kind = element.kind.replace("_", " ")
        raise DesignError(
            "in-use",
            f"The {kind} {element.name} of {element.component} is used by {_described(users, element)}.",
            f"Delete what uses it first, or repeat with cascade to {consequence}.",
        )


def _described(users: Sequence[ElementId], element: ElementId) -> str:
    return listed(
        [
            f"{user.kind.replace('_', ' ')} {user.name}"
            + ("" if user.component == element.component else f" of {user.component}")
            + (f" in view {user.view}" if user.view else "")
            for user in users
        ]
    )
