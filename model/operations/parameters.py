"""Adding parameters."""

from __future__ import annotations

from typing import cast

from model.change import Change, ElementId
from model.difference import element_kind
from model.elements import Component, Parameter, ParameterKind, ParameterType
from model.errors import DesignError
from model.expressions import ExpressionError, names_in
from model.library import Library
from model.operations.arguments import TYPES, Argument, choice, find, numeric, text, xml_name
from model.parameters import Values, check_value, references, unknown_parameter


def add_user_parameter(
    current: Library,
    /,
    component: str,
    name: str,
    value: Argument,
    type: Argument = "string",
    minimum: Argument = "",
    maximum: Argument = "",
    description: Argument = "",
) -> tuple[Library, Change]:
    """Add a parameter that the user sets.

    Raises:
        DesignError: ``component-not-found``, ``bad-name``, ``name-taken``, ``bad-choice``, ``missing-argument``,
            ``bad-value``, ``out-of-range``, ``bad-expression``, ``unknown-parameter``, ``circular-expression``.
    """
    return _add(current, "user", component, name, value, type, minimum, maximum, description)


def add_generator_parameter(
    current: Library,
    /,
    component: str,
    name: str,
    value: Argument,
    type: Argument = "string",
    minimum: Argument = "",
    maximum: Argument = "",
    description: Argument = "",
) -> tuple[Library, Change]:
    """Add a parameter that a generator sets; see :func:`add_user_parameter`."""
    return _add(current, "generated", component, name, value, type, minimum, maximum, description)


def _add(
    current: Library,
    kind: ParameterKind,
    component: str,
    name: str,
    value: Argument,
    type_name: Argument,
    minimum: Argument,
    maximum: Argument,
    description: Argument,
) -> tuple[Library, Change]:
    owner = find(current, component)
    parameter = Parameter(
        name=xml_name(name),
        kind=kind,
        value=text(value, "value", required=True),
        type=cast(ParameterType, choice(type_name, "type", TYPES, "string")),
        minimum=numeric(minimum, "minimum"),
        maximum=numeric(maximum, "maximum"),
        description=text(description, "description"),
    )
    check_parameter_free(owner, parameter.name)
    changed = owner.model_copy(update={"parameters": owner.parameters.set(parameter.name, parameter)})
    check_parameter(changed, parameter)
    check_captured(changed, parameter.name)
    element = ElementId(owner.vlnv, element_kind(parameter, "user_parameter"), parameter.name)
    words = element.kind.replace("_", " ")
    summary = f"Added {words} {parameter.name} = {parameter.value} to {owner.vlnv}."
    return current.put(changed), Change(summary, added=(element,))


def check_parameter_free(owner: Component, name: str) -> None:
    """Refuse a name that a parameter has.

    Raises:
        DesignError: ``name-taken``.
    """
    taken = owner.parameters.get(name)
    if taken is not None:
        raise DesignError(
            "name-taken",
            f"{owner.vlnv} already has a {taken.kind} parameter {name} (value {taken.value}).",
            "Choose another name, or delete that parameter first.",
        )


def check_captured(owner: Component, name: str) -> None:
    """Refuse a new parameter name that turns the text of another into a reference, and so closes a circle.

    Raises:
        DesignError: ``circular-expression``.
    """
    values = Values(owner.parameters)
    for parameter in owner.parameters.values():
        if parameter.type == "string" and name in parameter.value:
            try:
                values[parameter.name]
            except ExpressionError as problem:
                if problem.code == "circular-expression" and name in references(parameter, owner.parameters):
                    raise


def check_parameter(owner: Component, parameter: Parameter) -> None:
    """Check a parameter that ``owner`` already holds: its names, its value, its bounds.

    Raises:
        DesignError: see :func:`add_user_parameter`.
    """
    texts = [parameter.minimum, parameter.maximum]
    if parameter.type != "string":
        texts.append(parameter.value)
    for expression in filter(None, texts):
        for name in sorted(names_in(expression)):
            if name not in owner.parameters:
                raise unknown_parameter(name, owner)
    for bound in filter(None, texts[:2]):
        if parameter.name in names_in(bound):
            raise DesignError(
                "circular-expression",
                f"The bound '{bound}' of parameter {parameter.name} refers to the parameter itself.",
                "Give a number.",
            )
    values = Values(owner.parameters)
    if parameter.type == "string" and not (parameter.minimum or parameter.maximum or parameter.arrays):
        if references(parameter, owner.parameters):
            values[parameter.name]
        return
    check_value(parameter, values)
