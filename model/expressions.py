"""Constant expressions of IP-XACT, which takes them from SystemVerilog (IEEE 1685-2022, annex C.3).

Integers here have no width: ``8'hFF + 1`` is 256.
"""

from __future__ import annotations

from collections.abc import Mapping

from model import arithmetic
from model.arithmetic import Number
from model.errors import nearest
from model.expression_syntax import (
    UNARY_PRECEDENCE,
    Binary,
    Call,
    Conditional,
    Expression,
    ExpressionError,
    Literal,
    Name,
    Node,
    Unary,
    is_identifier,
    parse,
    walk,
)

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


def evaluate(expression: str | Expression, values: Mapping[str, Number | str]) -> Number | str:
    """Return the value of an expression, given those of the parameters.

    Raises:
        ExpressionError: ``bad-expression``, ``unknown-parameter``, ``no-value`` (a division by zero, text or ``x``
            where a number is needed, a result beyond all bounds).
    """
    parsed = parse(expression) if isinstance(expression, str) else expression
    try:
        value = _value(parsed.root, values)
    except arithmetic.NoValueError as problem:
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


def _value(node: Node, values: Mapping[str, Number | str]) -> Number | str | None:
    match node:
        case Literal(value=value):
            return value
        case Name(name=name):
            return _lookup(name, values)
        case Unary(operator=operator, operand=operand):
            return arithmetic.unary(operator, _value(operand, values))
        case Binary(operator=operator, left=left, right=right):
            return arithmetic.binary(operator, _value(left, values), _value(right, values))
        case Conditional(condition=condition, yes=yes, no=no):
            return _value(yes if arithmetic.number(_value(condition, values)) else no, values)
        case Call(function=function, arguments=arguments):
            return arithmetic.call(function, [_value(argument, values) for argument in arguments])
    raise arithmetic.NoValueError("a concatenation or an array is not one number")


def _lookup(name: str, values: Mapping[str, Number | str]) -> Number | str:
    try:
        return values[name]
    except KeyError:
        raise ExpressionError(
            "unknown-parameter",
            f"There is no parameter {name} that an expression could use.",
            "Add the parameter first, or use a number.",
            nearest(name, values),
        ) from None
