"""Values of parsed constant expressions, by the rules for sizes of IEEE 1800-2017, clause 11.

Where the widths of all operands are known, results wrap around as they do in every tool: ``4'hF + 4'h1`` is 0. Plain
numbers have no width here, and neither has what is calculated with them: ``8'hFF + 1`` is 256, ``2**40`` a number.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from model import arithmetic
from model.arithmetic import MOST_BITS, NoValueError, Number
from model.errors import nearest
from model.expression_tree import (
    Binary,
    Call,
    Concatenation,
    Conditional,
    Expression,
    ExpressionError,
    Fill,
    Literal,
    Name,
    Node,
    Pattern,
    Unary,
)
from model.sizes import BIT, INTEGER, Size, SizedValues

Result = Number | str | None
"""A value; None where it has ``x`` or ``z`` digits."""

_SIGN_CASTS = {"$signed": True, "$unsigned": False}
_INTEGER_FUNCTIONS = frozenset({"$bits", "$clog2"})  # an integer has 32 bits (clauses 6.11, 20.6.2 and 20.8.1)
_LOGICAL = frozenset({"&&", "||"})
_COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "===", "!=", "!=="})
_ALONE_ON_THE_RIGHT = frozenset({"<<", "<<<", ">>", ">>>", "**"})
_SAME_SIZE = frozenset("+-~")  # the unary operators whose result has the size of the operand


class Evaluator:
    """Evaluates one expression.

    Args:
        values: of the names in it.
    """

    def __init__(self, expression: Expression, values: Mapping[str, Number | str]) -> None:
        self._expression = expression
        self._values = values
        self._sized = values if isinstance(values, SizedValues) else None
        self._extents: dict[int, tuple[int, int]] = {}  # by node: counts may hold counts, and are asked for twice

    def context(self, width: int | None) -> Size:
        """The size in which the whole is evaluated; see :func:`model.expressions.evaluate`."""
        size = self._size(self._expression.root)
        if width is None:
            return size if size.width is None else Size(None, size.is_signed)
        return size.at_least(width) if width else size

    def _size(self, node: Node) -> Size:
        """The size that an expression has by itself (table 11-21)."""
        match node:
            case Literal(size=size):
                return size
            case Fill():
                return Size(0, False)
            case Name(name=name):
                return self._sized.size(name) if self._sized is not None else INTEGER
            case Unary(operator=operator, operand=operand):
                return self._size(operand) if operator in _SAME_SIZE else BIT
            case Binary(operator=operator, left=left, right=right):
                if operator in _LOGICAL or operator in _COMPARISONS:
                    return BIT
                return (
                    self._size(left) if operator in _ALONE_ON_THE_RIGHT else self._size(left).beside(self._size(right))
                )
            case Conditional(yes=yes, no=no):
                return self._size(yes).beside(self._size(no))
            case Call(function=function, arguments=(argument,)) if function in _SIGN_CASTS:
                return Size(self._size(argument).at_least(1).width, _SIGN_CASTS[function])
            case Call(function=function) if function in _INTEGER_FUNCTIONS:
                return Size(32, True)
            case Concatenation():
                width = math.prod(self._extent(node))
                if not width:
                    raise NoValueError("a concatenation of no bits is no number")
                return Size(width, False)
        return INTEGER

    def value(self, node: Node, context: Size) -> Result:
        """The value of an operand of a context: clauses 11.6.2 and 11.8.2.

        Raises:
            ExpressionError: ``unknown-parameter``, or what keeps a parameter from having a value.
            NoValueError: there is none.
        """
        match node:
            case Literal(value=value, size=size):
                return _extended(value, size, context)
            case Fill(digit=digit):
                return _filled(digit, context)
            case Name(name=name):
                try:
                    found = self._values[name]
                except KeyError:
                    raise self._unknown(name) from None
                # Between plain integers nothing is widened or cut.
                return found if context is INTEGER else _extended(found, self._size(node), context)
            case Unary(operator=operator, operand=operand):
                if operator in _SAME_SIZE:
                    return _fit(arithmetic.unary(operator, self.value(operand, context)), context)
                return self._reduced(operator, operand)
            case Binary():
                return self._binary(node, context)
            case Conditional(condition=condition, yes=yes, no=no):
                return self.value(yes if arithmetic.number(self._alone(condition)) else no, context)
            case Call():
                return self._called(node, context)
            case Concatenation():
                return self._joined(node)
        raise NoValueError("an array is not one number")

    def _alone(self, node: Node) -> Result:
        """The value of an expression that its surroundings do not widen."""
        return self.value(node, self._size(node).at_least(1))

    def _reduced(self, operator: str, operand: Node) -> Number:
        value, width = self._alone(operand), self._size(operand).at_least(1).width
        if operator == "!" or width is None or not isinstance(value, int):
            return arithmetic.unary(operator, value)
        return arithmetic.reduction(operator, Size(width, False).fit(value), width)

    def _binary(self, node: Binary, context: Size) -> Number:
        operator, left, right = node.operator, node.left, node.right
        if operator in _LOGICAL:
            return arithmetic.binary(operator, self._alone(left), self._alone(right))
        if operator in _COMPARISONS:
            common = self._size(left).beside(self._size(right)).at_least(1)
            return arithmetic.binary(operator, self.value(left, common), self.value(right, common))
        a = self.value(left, context)
        if operator in _ALONE_ON_THE_RIGHT:
            b = self._alone(right)
            if operator != "**":  # the right side of a shift counts as unsigned (clause 11.4.10)
                b = _extended(b, self._size(right), Size(None, False))
        else:
            b = self.value(right, context)
        if context.width is None or not isinstance(a, int) or not isinstance(b, int):
            return arithmetic.binary(operator, a, b)
        return context.fit(arithmetic.sized_binary(operator, a, b, context.width))

    def _called(self, node: Call, context: Size) -> Result:
        function, arguments = node.function, node.arguments
        if function == "$bits" and len(arguments) == 1:
            return _fit(self._known_width(arguments[0]), context)
        if function in _SIGN_CASTS and len(arguments) == 1:
            value, size = self._alone(arguments[0]), self._size(node)
            if isinstance(value, int) and size.width is None and not self._is_same_in_any_width(value, size):
                raise NoValueError(f"the width of {self._text(arguments[0])} is not known")
            return _extended(_fit(value, size), size, context)
        found = [self._alone(argument) for argument in arguments]
        if function == "$clog2":  # counts its argument as unsigned (clause 20.8.1)
            unsigned = Size(None, False)
            found = [_extended(each, self._size(node), unsigned) for each, node in zip(found, arguments, strict=True)]
        return _fit(arithmetic.call(function, found), context)

    def _is_same_in_any_width(self, value: int, size: Size) -> bool:
        """Whether a number stays what it is when its sign bit gets another meaning: one without a size has 32 bits."""
        return 0 <= value < 1 << 31 or (value < 0 and size.is_signed)

    def _joined(self, node: Concatenation) -> int | None:
        """The value of a concatenation (clause 11.4.12)."""
        count, width = self._extent(node)
        joined = 0
        for part in node.parts:
            bits = self._part_width(part)
            value = self._joined(part) if isinstance(part, Concatenation) else self._pattern(part, bits)
            if value is None:
                return None
            joined = joined << bits | value
        return sum(joined << place * width for place in range(count))

    def _extent(self, node: Concatenation) -> tuple[int, int]:
        """How often a concatenation is repeated, and how many bits are."""
        known = self._extents.get(id(node))
        if known is None:
            width = sum(map(self._part_width, node.parts))
            count = 1 if node.count is None else self._alone(node.count)
            if not isinstance(count, int) or count < 0:
                raise NoValueError("a concatenation is repeated a whole number of times")
            if count * width > MOST_BITS:
                raise NoValueError("the result is too large")
            known = self._extents[id(node)] = (count, width)
        return known

    def _part_width(self, part: Node) -> int:
        # Repeated 0 times, a part among others is nothing (clause 11.4.12.1).
        return (
            math.prod(self._extent(part))
            if isinstance(part, Concatenation)
            else self._known_width(part, " in a concatenation")
        )

    def _pattern(self, part: Node, bits: int) -> int | None:
        value = self._alone(part)
        if isinstance(value, str | float):
            raise NoValueError(f"{self._text(part)} in a concatenation is not a whole number")
        return None if value is None else Size(bits, False).fit(value)

    def _known_width(self, node: Node, where: str = "") -> int:
        width = self._size(node).width
        if isinstance(node, Pattern) or not width:
            raise NoValueError(f"the width of {self._text(node)}{where} is not known")
        return width

    def _text(self, node: Node) -> str:
        return self._expression.text[node.start : node.end]

    def _unknown(self, name: str) -> ExpressionError:
        return ExpressionError(
            "unknown-parameter",
            f"There is no parameter {name} that an expression could use.",
            "Add the parameter first, or use a number.",
            nearest(name, self._values),
        )


def _fit(value: Result, size: Size) -> Result:
    return value if size.width is None or not isinstance(value, int) else size.fit(value)


def _extended(value: Result, own: Size, context: Size) -> Result:
    """A value in its context: the sign counts only where all of the context is signed (clause 11.8.2)."""
    if own.width is None and context.width is None:  # plain numbers, most often
        return value
    if isinstance(value, int) and own.width is not None and not context.is_signed:
        value = Size(own.width, False).fit(value)
    return _fit(value, context)


def _filled(digit: str, context: Size) -> int | None:
    if digit == "0":
        return 0
    if not context.width:
        raise NoValueError(f"how many bits '{digit} fills is not known here; write a number such as 8'hFF")
    return Size(context.width, context.is_signed).fit(-1) if digit == "1" else None
