"""Constant expressions of IP-XACT, which takes them from SystemVerilog (IEEE 1685-2022, annex C.3)."""

from __future__ import annotations

from collections.abc import Mapping

from model.arithmetic import NoValueError, Number
from model.evaluation import Evaluator
from model.expression_syntax import is_identifier, parse
from model.expression_tree import UNARY_PRECEDENCE, Expression, ExpressionError, Name, walk

__all__ = [
    "Expression",
    "ExpressionError",
    "evaluate",
    "is_identifier",
    "literal",
    "names_in",
    "parse",
    "rename_names",
    "substitute",
]


def evaluate(expression: str | Expression, values: Mapping[str, Number | str], width: int | None = 0) -> Number | str:
    """Return the value of an expression, given those of the parameters.

    Args:
        values: a :class:`model.sizes.SizedValues` also says how many bits the parameters have.
        width: bits of what the value is for: operands are widened to it (IEEE 1800-2017, clause 11.6). 0 where the
            expression stands alone, as the bound of a range does; None where any number has its place.

    Raises:
        ExpressionError: ``bad-expression``, ``unknown-parameter``, ``no-value`` (a division by zero, text or ``x``
            where a number is needed, a width that is needed and not known, a result beyond all bounds).
    """
    parsed = parse(expression) if isinstance(expression, str) else expression
    try:
        evaluator = Evaluator(parsed, values)
        value = evaluator.value(parsed.root, evaluator.context(width))
    except NoValueError as problem:
        raise ExpressionError("no-value", f"'{parsed.text}' has no value: {problem}.") from None
    if value is None:
        raise ExpressionError("no-value", f"'{parsed.text}' has no numeric value: it holds x or z digits.")
    return value


def names_in(text: str) -> frozenset[str]:
    """Return the names of the parameters that an expression refers to.

    Raises:
        ExpressionError: ``bad-expression``.
    """
    return parse(text).names


def rename_names(text: str, new_names: Mapping[str, str]) -> str:
    """Return the text with parameters renamed and everything else, white space too, as it is.

    Raises:
        ExpressionError: ``bad-expression``.
    """
    return _replace(text, new_names)


def substitute(text: str, texts: Mapping[str, str]) -> str:
    """Return the text with each named parameter replaced by an expression, in brackets where that needs them.

    Raises:
        ExpressionError: ``bad-expression``.
    """
    whole = isinstance(parse(text).root, Name)
    return _replace(
        text,
        {
            name: other if whole or parse(other).precedence > UNARY_PRECEDENCE else f"({other})"
            for name, other in texts.items()
        },
    )


def literal(value: Number | str) -> str:
    """Write a value as an expression."""
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return repr(value) if isinstance(value, float) else str(value)


def _replace(text: str, texts: Mapping[str, str]) -> str:
    found = [node for node in walk(parse(text).root) if isinstance(node, Name) and node.name in texts]
    for node in sorted(found, key=lambda node: node.start, reverse=True):
        text = text[: node.start] + texts[node.name] + text[node.end :]
    return text
