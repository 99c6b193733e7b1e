"""Expressions, constants, ranges and parameters of a component as SystemVerilog text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from model.elements import Component, Dimension, Parameter, ParameterType, SignalPort
from model.expression_tree import Concatenation, Fill, Literal, Node, Pattern
from model.expressions import ExpressionError, evaluate, names_in, parse, rename_names
from model.parameters import references, text_references
from model.systemverilog.names import Names, identifier, signal_ports

TYPES: dict[ParameterType, str] = {
    "bit": "bit",
    "byte": "byte",
    "shortint": "shortint",
    "int": "int",
    "longint": "longint",
    "shortreal": "real",  # Verilator and Icarus Verilog do not have shortreal
    "real": "real",
    # Type string is also IP-XACT's "no type": an untyped parameter takes the type of its value, and tools that do not
    # know string parameters take it too.
    "string": "",
}

_WHOLE: frozenset[ParameterType] = frozenset({"bit", "byte", "shortint", "int", "longint"})

# An unsized decimal constant has 32 bits at least, and tools refuse one that needs more (clause 5.7.1).
_DECIMAL = re.compile(r"(?<![\w'.$])[0-9][0-9_]*(?![\w'.])")
# Words behind // that tools take for orders to themselves.
_PRAGMA = re.compile(r"(verilator|synopsys|synthesis|pragma|cadence|ambit|xilinx|translate_o)", re.IGNORECASE)


def type_words(parameter: Parameter) -> str:
    """Return the type of a parameter, "" for an untyped one; only whole numbers have a sign."""
    words = TYPES[parameter.type]
    if parameter.arrays and not words:  # an array cannot take its type from its value
        return "string" if '"' in parameter.value else "int"
    return f"{words} {parameter.sign}".rstrip() if parameter.type in _WHOLE else words


def expression(text: str, written: Mapping[str, str]) -> str:
    """Return an expression as SystemVerilog.

    Args:
        written: parameter names that must be written otherwise.

    Raises:
        ExpressionError: ``bad-expression``.
    """
    parse(text)
    renamed = rename_names(text, written) if written else text
    return " ".join(_sized(renamed).split("\n"))


def _sized(text: str) -> str:
    if '"' in text:
        return text
    return _DECIMAL.sub(_with_size, text)


def _with_size(found: re.Match[str]) -> str:
    value = int(found.group())
    return f"{value.bit_length()}'d{value}" if value.bit_length() > 31 else found.group()


def all_dimensions(port: SignalPort) -> tuple[Dimension, ...]:
    """Return the dimensions of a port in a module: those of an array are packed, since nets know no others."""
    first = (Dimension(left=port.left, right=port.right),) if port.left else ()
    return (*port.arrays, *first, *port.vectors)


def vectors(dimensions: Iterable[Dimension], written: Mapping[str, str]) -> str:
    """Return ranges with a blank behind them, or "" where there are none.

    Raises:
        ExpressionError: ``bad-expression``.
    """
    ranges = "".join(f"[{expression(each.left, written)}:{expression(each.right, written)}]" for each in dimensions)
    return f"{ranges} " if ranges else ""


def constant(value: int, width: int) -> str:
    """Return a sized literal; bits above the width are cut off."""
    bits = value & ((1 << width) - 1)
    return f"{width}'b{bits:b}" if width <= 4 else f"{width}'h{bits:x}"


def quoted(text: str) -> str:
    """Return a string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def comment(text: str) -> str:
    """Return a description as a comment at the end of a line, with two blanks before it; "" where there is none."""
    line = " ".join(text.split())
    return f"  // {line}" if line and not is_pragma(line) else ""


def is_pragma(comment: str) -> bool:
    """Whether tools take a comment for an order to themselves."""
    return _PRAGMA.match(comment) is not None


def parameter_value(parameter: Parameter, component: Component, names: Names) -> str:
    """Return the default value of a parameter.

    Raises:
        ExpressionError: ``bad-expression``.
    """
    if parameter.arrays:
        return array_value(parameter.value, len(parameter.arrays), names.written())
    if parameter.type != "string":
        return expression(parameter.value, names.written())
    is_reference = bool(references(parameter, component.parameters))
    return text_value(parameter.value, is_reference, names.written(), is_used=_is_used(parameter.name, component))


def _is_used(name: str, component: Component) -> bool:
    """Whether an expression of the component refers to a parameter."""
    if any(name in references(other, component.parameters) for other in component.parameters.values()):
        return True
    dimensions = [each for port in signal_ports(component) for each in all_dimensions(port)]
    bounds = (text for each in dimensions for text in (each.left, each.right))
    return any(name in _names(text) for text in bounds)


def _names(text: str) -> frozenset[str]:
    try:
        return names_in(text)
    except ExpressionError:
        return frozenset()


def override(text: str, parameter: Parameter, parent: Component, names: Names) -> str:
    """Return what an instance sets a parameter to, over the parameters of its parent.

    Args:
        parameter: the instantiated component's.
        names: of ``parent``.

    Raises:
        ExpressionError: ``bad-expression``.
    """
    if parameter.arrays:
        return array_value(text, len(parameter.arrays), names.written())
    if parameter.type != "string":
        return expression(text, names.written())
    return text_value(text, bool(text_references(text, parent.parameters)), names.written())


def array_value(text: str, depth: int, written: Mapping[str, str]) -> str:
    """Return the value of an array, whose lists IP-XACT lets stand without an apostrophe (clause 10.9.1).

    Args:
        depth: the number of its dimensions.

    Raises:
        ExpressionError: ``bad-expression``.
    """
    places = _bare_lists(parse(text).root, depth)
    for place in sorted(places, reverse=True):
        text = f"{text[:place]}'{text[place:]}"
    return expression(text, written)


def _bare_lists(node: Node, depth: int) -> Iterator[int]:
    """Where the lists of an array begin that are written as concatenations."""
    if depth and isinstance(node, Concatenation | Pattern):
        if isinstance(node, Concatenation):
            yield node.start
        for part in node.parts:
            yield from _bare_lists(part, depth - 1)


def text_value(text: str, is_reference: bool, written: Mapping[str, str], *, is_used: bool = False) -> str:
    """Return a value of type string: an expression, a number, or text in quotes.

    Args:
        is_used: whether it is calculated with; a text such as ``1.0`` may be a version otherwise.
    """
    if is_reference:
        return expression(text, written)
    try:
        value = evaluate(text, {}) if not names_in(text) else None
    except ExpressionError:
        value = None
    if isinstance(value, str):
        return quoted(value)
    is_number = isinstance(value, int) or (is_used and value is not None) or is_literal_without_value(text)
    return expression(text, {}) if is_number else quoted(text)


def is_literal_without_value(text: str) -> bool:
    """Whether a text is a literal that is no number: one with x or z digits, or one that fills its context."""
    try:
        root = parse(text).root
    except ExpressionError:
        return False
    return isinstance(root, Fill) or (isinstance(root, Literal) and root.value is None)


def parameter_order(component: Component) -> list[Parameter]:
    """Return the parameters in an order in which each stands behind those that it refers to, else in their own."""
    ordered: dict[str, Parameter] = {}
    waiting: set[str] = set()

    def place(parameter: Parameter) -> None:
        if parameter.name in ordered or parameter.name in waiting:
            return
        waiting.add(parameter.name)
        bounds = (text for each in (*parameter.vectors, *parameter.arrays) for text in (each.left, each.right))
        for name in sorted(references(parameter, component.parameters).union(*map(_names, bounds))):
            if name in component.parameters:
                place(component.parameters[name])
        ordered[parameter.name] = parameter

    for parameter in component.parameters.values():
        place(parameter)
    return list(ordered.values())


def reference(name: str, left: int | None = None, right: int | None = None) -> str:
    """Return a signal, or a part of it."""
    if left is None:
        return identifier(name)
    return f"{identifier(name)}[{left}]" if right is None or left == right else f"{identifier(name)}[{left}:{right}]"
