"""The parts of a parsed constant expression, and how tightly operators bind (IEEE 1800-2017, clause 11.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.arithmetic import Number
from model.errors import DesignError
from model.sizes import Size

# Table 11-2; all associate to the left except ?:.
PRECEDENCE = {
    "**": 12,
    **dict.fromkeys(("*", "/", "%"), 11),
    **dict.fromkeys(("+", "-"), 10),
    **dict.fromkeys(("<<", ">>", "<<<", ">>>"), 9),
    **dict.fromkeys(("<", "<=", ">", ">="), 8),
    **dict.fromkeys(("==", "!=", "===", "!=="), 7),
    "&": 6,
    **dict.fromkeys(("^", "~^", "^~"), 5),
    "|": 4,
    "&&": 3,
    "||": 2,
    "?": 1,
}
UNARY_PRECEDENCE = 13
SUBTRACTION = PRECEDENCE["-"]


class ExpressionError(DesignError):
    """A text that is not an expression, or one that has no value; its code says which."""


@dataclass(frozen=True, slots=True)
class Node:
    """Base of the parts of an expression; ``start`` and ``end`` are offsets into its text, brackets left out."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """A number or quoted text; ``value`` is None where digits are ``x`` or ``z``."""

    value: Number | str | None
    size: Size


@dataclass(frozen=True, slots=True)
class Fill(Node):
    """``'0``, ``'1``, ``'x`` or ``'z``: as many equal bits as its context has (clause 5.7.1)."""

    digit: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A reference to a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """An operator before its operand."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """An operator between two operands."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """``condition ? yes : no``."""

    condition: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A system function such as ``$clog2``."""

    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Concatenation(Node):
    """``{a, b}``, or ``{count{a, b}}`` (clause 11.4.12)."""

    parts: tuple[Node, ...]
    count: Node | None = None


@dataclass(frozen=True, slots=True)
class Pattern(Node):
    """``'{a, b}`` or ``'{count{a, b}}``: the elements of an array, which has no single value (clause 10.9.1)."""

    parts: tuple[Node, ...]
    count: Node | None = None


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression and the text it came from."""

    text: str
    root: Node

    @property
    def names(self) -> frozenset[str]:
        """The parameters it refers to."""
        return frozenset(node.name for node in walk(self.root) if isinstance(node, Name))

    @property
    def precedence(self) -> int:
        """How tightly its outermost operator binds; higher than any operator's for one that is a unit."""
        if self.text.lstrip().startswith("(") and self.text.rstrip().endswith(")") and self._is_bracketed():
            return UNARY_PRECEDENCE + 1
        match self.root:
            case Binary(operator=operator):
                return PRECEDENCE[operator]
            case Conditional():
                return PRECEDENCE["?"]
            case Unary():
                return UNARY_PRECEDENCE
        return UNARY_PRECEDENCE + 1

    def _is_bracketed(self) -> bool:
        return "(" in self.text[: self.root.start] and ")" in self.text[self.root.end :]


def walk(node: Node) -> Iterator[Node]:
    """The node and everything under it."""
    yield node
    for child in _children(node):
        yield from walk(child)


def _children(node: Node) -> tuple[Node, ...]:
    match node:
        case Unary(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Conditional(condition=condition, yes=yes, no=no):
            return (condition, yes, no)
        case Call(arguments=arguments):
            return arguments
        case Concatenation(parts=parts, count=count) | Pattern(parts=parts, count=count):
            return parts if count is None else (count, *parts)
    return ()
