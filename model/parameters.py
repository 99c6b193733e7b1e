"""The values of a component's parameters, and which parameters an expression of a component refers to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from model.arithmetic import MOST_BITS, Number
from model.elements import Component, Dimension, Instance, Parameter
from model.errors import DesignError, nearest
from model.expression_tree import Concatenation, Node, Pattern
from model.expressions import ExpressionError, evaluate, literal, names_in, parse
from model.sizes import INTEGER, Size, SizedValues

NO_OVERRIDES: Mapping[str, str] = {}
_NO_VALUES: Mapping[str, Number | str] = {}

_SIGNED_BITS = {"byte": 8, "shortint": 16, "int": 32, "longint": 64}


def references(parameter: Parameter, known: Mapping[str, object]) -> frozenset[str]:
    """The parameters that a parameter's value refers to.

    Text is text: the value of a ``string`` refers to others only if it is an expression all of whose names are known
    ones, and not merely its own name.
    """
    if parameter.type != "string":
        return _names(parameter.value)
    if parameter.value == parameter.name:
        return frozenset()
    return text_references(parameter.value, known)


def text_references(text: str, known: Mapping[str, object]) -> frozenset[str]:
    """The parameters that a text refers to if it is an expression over ``known`` ones; none if it is plain text."""
    names = _names(text)
    return names if all(name in known for name in names) else frozenset()


def _names(text: str) -> frozenset[str]:
    try:
        return names_in(text)
    except ExpressionError:
        return frozenset()


class Values(SizedValues):
    """The values of a component's parameters, computed when asked for.

    Those of type ``bit`` have the width that their vectors state. The other whole numbers are taken as unbounded ones:
    most components that say ``int`` mean a number, not 32 bits.

    Args:
        parameters: the component's.
        overrides: expressions without names that take the place of a parameter's own value (an instance's).
    """

    def __init__(self, parameters: Mapping[str, Parameter], overrides: Mapping[str, str] = NO_OVERRIDES) -> None:
        self._parameters = parameters
        self._overrides = overrides
        self._known: dict[str, Number | str] = {}
        self._sizes: dict[str, Size] = {}
        self._measured: list[str] = []  # whose size is being worked out
        self._open: list[str] = []

    def __getitem__(self, name: str) -> Number | str:
        """The value; text stays text, numeric text counts as its number.

        Raises:
            KeyError: there is no such parameter.
            ExpressionError: ``circular-expression``, or whatever keeps it from having a value.
        """
        if name in self._known:
            return self._known[name]
        parameter = self._parameters[name]
        if name in self._open:
            circle = [*self._open[self._open.index(name) :], name]
            raise ExpressionError(
                "circular-expression",
                f"The value of parameter {name} depends on itself: {' → '.join(circle)}.",
                "Give one of them a value of its own.",
            )
        self._open.append(name)
        try:
            value = self._evaluate(parameter)
        finally:
            self._open.pop()
        self._known[name] = value
        return value

    def size(self, name: str) -> Size:
        """The size of a parameter of type ``bit``; :data:`INTEGER` of the others, and where its vectors have no value.

        Raises:
            ExpressionError: ``circular-expression``.
        """
        parameter = self._parameters.get(name)
        if parameter is None or parameter.type != "bit" or parameter.arrays:
            return INTEGER
        if name in self._measured:
            raise ExpressionError(
                "circular-expression",
                f"The width of parameter {name} depends on itself: {' → '.join([*self._measured, name])}.",
                "Give one of them a width of its own.",
            )
        if name not in self._sizes:
            self._measured.append(name)
            try:
                self._sizes[name] = Size(bit_count(parameter, self), parameter.sign == "signed")
            except DesignError as problem:
                if problem.code == "circular-expression":
                    raise
                self._sizes[name] = INTEGER
            finally:
                self._measured.pop()
        return self._sizes[name]

    def _evaluate(self, parameter: Parameter) -> Number | str:
        override = self._overrides.get(parameter.name)
        if parameter.type == "string":
            return self._text_value(parameter) if override is None else _text_value(override)
        size = self.size(parameter.name)
        text, values = (parameter.value, self) if override is None else (override, _NO_VALUES)
        value = evaluate(text, values, _room(parameter, size))
        if size.is_signed and size.width is not None and isinstance(value, int) and 0 <= value < 1 << size.width:
            return size.fit(value)
        return value

    def _text_value(self, parameter: Parameter) -> Number | str:
        if not references(parameter, self._parameters):
            return _text_value(parameter.value)
        try:
            return evaluate(parameter.value, self)
        except ExpressionError as problem:
            if problem.code == "circular-expression":
                raise
            return parameter.value

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __len__(self) -> int:
        return len(self._parameters)


def _room(parameter: Parameter, size: Size) -> int | None:
    """The width that a value is widened to; None for signed types other than ``bit``, see :class:`Values`."""
    if parameter.type == "bit":
        return size.width or 0
    return _SIGNED_BITS.get(parameter.type) if parameter.sign == "unsigned" else None


def _text_value(text: str) -> Number | str:
    try:
        return evaluate(text, {})
    except ExpressionError:
        return text


def instance_overrides(parent: Component, instance: Instance) -> dict[str, str]:
    """What an instance sets its component's parameters to, without names of the parent's parameters.

    An override that cannot be evaluated is left as it is.
    """
    if not instance.parameters:
        return {}
    values = Values(parent.parameters)
    return {name: override_value(text, values) for name, text in instance.parameters.items()}


def override_value(text: str, parent_values: Values) -> str:
    """Return an override as an expression without names."""
    if not text_references(text, parent_values):
        return text
    try:
        return literal(evaluate(text, parent_values))
    except ExpressionError:
        return text


def check_value(parameter: Parameter, values: Values) -> None:
    """Check a parameter's value against its type and its bounds.

    Args:
        parameter: what to check; ``values`` knows it by its name.
        values: of the component.

    Raises:
        DesignError: ``bad-value``, ``out-of-range``, ``bad-expression``, ``unknown-parameter``,
            ``circular-expression``.
    """
    if parameter.arrays:
        _check_array(parameter, values)  # a list has no single value that could be compared with bounds
        return
    value = values[parameter.name]
    _check_type(parameter, value, values)
    lowest, highest = _bound(parameter, "minimum", values), _bound(parameter, "maximum", values)
    if lowest is None and highest is None:
        return
    if lowest is not None and highest is not None and lowest > highest:
        raise DesignError(
            "out-of-range",
            f"The minimum {parameter.minimum} of parameter {parameter.name} is above its maximum {parameter.maximum}.",
            "Swap them, or leave one out.",
        )
    if isinstance(value, str):
        raise DesignError(
            "bad-value",
            f"Parameter {parameter.name} has a minimum or maximum, but its value '{value}' is not a number.",
            "Give a number, or leave minimum and maximum out.",
        )
    if (lowest is not None and value < lowest) or (highest is not None and value > highest):
        limits = f"{parameter.minimum or 'anything'} to {parameter.maximum or 'anything'}"
        raise DesignError(
            "out-of-range",
            f"The value {parameter.value} of parameter {parameter.name} lies outside {limits}.",
            "Give a value within the bounds.",
        )


def _check_array(parameter: Parameter, values: Values) -> None:
    """Check the elements of an array, in which lists may stand with or without an apostrophe."""
    bits = bit_count(parameter, values)
    counts = [element_count(parameter, (each,), values) for each in parameter.arrays]
    if parameter.type == "string":
        return  # text is text
    for text in _elements(parameter, parse(parameter.value).root, counts, values):
        element = parameter.model_copy(update={"value": text, "arrays": ()})
        size = Size(bits, parameter.sign == "signed")
        _check_type(element, evaluate(text, values, _room(element, size)), values)


def _elements(parameter: Parameter, node: Node, counts: Sequence[int], values: Values) -> Iterator[str]:
    text = parameter.value[node.start : node.end]
    if not counts:
        yield text
    elif isinstance(node, Concatenation | Pattern):
        times = 1 if node.count is None else evaluate(parameter.value[node.count.start : node.count.end], values)
        if times * len(node.parts) != counts[0]:
            raise _wrong_type(parameter, f"{text} should have {counts[0]} elements", "Give one for each place.")
        for part in node.parts:
            yield from _elements(parameter, part, counts[1:], values)


def _bound(parameter: Parameter, which: str, values: Values) -> Number | None:
    text = parameter.minimum if which == "minimum" else parameter.maximum
    if not text:
        return None
    value = evaluate(text, values)
    if isinstance(value, str):
        raise DesignError("bad-value", f"The {which} '{text}' of parameter {parameter.name} is not a number.")
    return value


def _check_type(parameter: Parameter, value: Number | str, values: Values) -> None:
    kind = parameter.type
    if kind == "string":
        return
    if isinstance(value, str):
        raise _wrong_type(parameter, f"it is text, and {kind} is a number", "Use type string for text.")
    if kind in {"real", "shortreal"}:
        if kind == "shortreal" and abs(value) > 3.4028235e38:
            raise _wrong_type(parameter, "a shortreal goes up to 3.4028235e38")
        return
    if isinstance(value, float):
        raise _wrong_type(parameter, f"{kind} is a whole number", "Use type real for a fraction.")
    lowest, highest = _bit_range(parameter, values) if kind == "bit" else _range(parameter)
    if not lowest <= value <= highest:
        raise _wrong_type(parameter, f"{kind} goes from {lowest} to {highest}")


def _range(parameter: Parameter) -> tuple[int, int]:
    """The range of an integer type; a based literal such as 'hFFFF_0000 is a bit pattern and may fill the type."""
    bits = _SIGNED_BITS[parameter.type]
    lowest, highest = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    if parameter.sign == "unsigned":
        return 0, 2 * highest + 1
    return (lowest, 2 * highest + 1) if "'" in parameter.value else (lowest, highest)


def _bit_range(parameter: Parameter, values: Values) -> tuple[int, int]:
    """The range of bits: of one, or of as many as the parameter's vectors state."""
    full = (1 << bit_count(parameter, values)) - 1
    return (-(full + 1) // 2, full) if parameter.sign == "signed" else (0, full)


def bit_count(parameter: Parameter, values: Values) -> int:
    """How many bits the vectors of a parameter state.

    Raises:
        DesignError: ``bad-bounds``, or whatever keeps a bound from having a value.
    """
    bits = element_count(parameter, parameter.vectors, values)
    if bits > MOST_BITS:
        raise DesignError("bad-bounds", f"Parameter {parameter.name} has more than {MOST_BITS} bits.")
    return bits


def element_count(parameter: Parameter, dimensions: Iterable[Dimension], values: Values) -> int:
    """How many elements dimensions of a parameter have together.

    Raises:
        DesignError: see :func:`bit_count`.
    """
    count = 1
    for each in dimensions:
        left, right = evaluate(each.left, values), evaluate(each.right, values)
        if not isinstance(left, int) or not isinstance(right, int):
            raise DesignError("bad-bounds", f"The bounds {each} of parameter {parameter.name} are not whole numbers.")
        count *= abs(left - right) + 1
    return count


def _wrong_type(parameter: Parameter, why: str, hint: str = "") -> DesignError:
    return DesignError(
        "bad-value",
        f"'{parameter.value}' is not a value of type {parameter.type} for parameter {parameter.name}: {why}.",
        hint or "Give a value of that type, or another type.",
    )


def unknown_parameter(name: str, component: Component) -> DesignError:
    """The refusal of an expression that names a parameter the component lacks."""
    return DesignError(
        "unknown-parameter",
        f"{component.vlnv} has no parameter {name}.",
        "Add it with add_user_parameter first, or use a number.",
        nearest(name, component.parameters),
    )
