"""Expressions of an instantiated component in terms of the component that instantiates it."""

from __future__ import annotations

from model.elements import Component, Instance
from model.expressions import ExpressionError, evaluate, names_in, substitute

_DEEPEST = 40


def in_parent_terms(text: str, owner: Component, instance: Instance | None) -> str | None:
    """Return an expression over a component's parameters as one over those of its user, or None where that fails.

    Args:
        owner: over whose parameters ``text`` is.
        instance: the use of ``owner`` whose overrides count; None leaves the text as it is.
    """
    if instance is None or not text:
        return text
    try:
        return _plain(_expand(text, owner, instance, 0))
    except (ExpressionError, KeyError):
        return None


def _expand(text: str, owner: Component, instance: Instance, depth: int) -> str:
    names = names_in(text)
    if not names:
        return text
    if depth > _DEEPEST:
        raise KeyError(text)
    values = {
        name: instance.parameters[name]
        if name in instance.parameters
        else _expand(owner.parameters[name].value, owner, instance, depth + 1)
        for name in names
    }
    return substitute(text, values)


def _plain(text: str) -> str:
    """A number where no name is left in it."""
    if names_in(text):
        return text
    value = evaluate(text, {})
    return str(value) if isinstance(value, int) else text
