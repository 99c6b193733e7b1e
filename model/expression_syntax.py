"""Parses constant expressions: constants, names and operators of SystemVerilog (IEEE 1800-2017, clause 11)."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from model.arithmetic import MOST_BITS
from model.expression_tree import (
    PRECEDENCE,
    UNARY_PRECEDENCE,
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
from model.sizes import INTEGER, Size

LONGEST = 4096
DEEPEST = 60
MOST_PARTS = 400  # a chain of operators is a tree as deep as the chain is long

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_TOKENS = re.compile(
    r"""(?P<space>\s+)
    |(?P<c_style>0[xXbBoO][0-9a-fA-F_]+)
    |(?P<based>(?:[0-9][0-9_]*\s*)?'[sS]?(?:[bB]\s*[01xXzZ?_]+|[oO]\s*[0-7xXzZ?_]+|[dD]\s*[0-9xXzZ?_]+
        |[hH]\s*[0-9a-fA-FxXzZ?_]+))
    |(?P<filled>'[01xXzZ])
    |(?P<real>[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+))
    |(?P<integer>[0-9][0-9_]*)
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<name>[A-Za-z_][A-Za-z0-9_$]*)
    |(?P<function>\$[A-Za-z_][A-Za-z0-9_$]*)
    |(?P<operator>\*\*|<<<|>>>|<<|>>|<=|>=|===|!==|==|!=|&&|\|\||~\^|\^~|~&|~\||'\{|[-+*/%<>!~&|^?:(){},])
    """,
    re.VERBOSE,
)
_UNSIZED_BITS = 32  # what a literal without a size has at least (clause 5.7.1)
_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}

_UNARY = frozenset("+-!~&|^") | {"~&", "~|", "~^", "^~"}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def is_identifier(text: str) -> bool:
    """Whether an expression can refer to a parameter of this name."""
    return _IDENTIFIER.fullmatch(text) is not None


@lru_cache(maxsize=8192)
def parse(text: str) -> Expression:
    """Parse an expression.

    Raises:
        ExpressionError: ``bad-expression``, saying where and why.
    """
    if len(text) > LONGEST:
        raise _bad(text, f"it is longer than {LONGEST} characters")
    return Expression(text, _Parser(text).expression())


_HINT = "Write a number such as 8 or 'h1F, or an expression over parameter names such as DATA_WIDTH/8."


def _bad(text: str, why: str, hint: str = _HINT) -> ExpressionError:
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    return ExpressionError("bad-expression", f"'{shown}' is not an expression: {why}.", hint)


class _Parser:
    """A precedence-climbing parser over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = self._tokenize()
        self._place = 0
        self._depth = 0

    def expression(self) -> Node:
        node = self._operand_and_rest(1)
        if self._peek().kind != "end":
            raise self._unexpected()
        return node

    def _tokenize(self) -> list[_Token]:
        tokens: list[_Token] = []
        place = 0
        while place < len(self._text):
            match = _TOKENS.match(self._text, place)
            if match is None:
                raise _bad(self._text, f"'{self._text[place]}' at character {place + 1} has no meaning here")
            kind = str(match.lastgroup)
            if kind == "c_style":
                raise self._c_style(match.group())
            if kind != "space":
                tokens.append(_Token(kind, match.group(), place, match.end()))
            place = match.end()
        if len(tokens) > MOST_PARTS:
            raise _bad(self._text, f"it has more than {MOST_PARTS} parts")
        tokens.append(_Token("end", "", place, place))
        return tokens

    def _c_style(self, number: str) -> ExpressionError:
        base = {"x": "h", "b": "b", "o": "o"}[number[1].lower()]
        return _bad(self._text, f"'{number}' is not a SystemVerilog number", f"Write '{base}{number[2:]} instead.")

    def _peek(self) -> _Token:
        return self._tokens[self._place]

    def _next(self) -> _Token:
        token = self._tokens[self._place]
        if token.kind != "end":
            self._place += 1
        return token

    def _accept(self, operator: str) -> bool:
        token = self._peek()
        if token.kind == "operator" and token.text == operator:
            self._place += 1
            return True
        return False

    def _expect(self, operator: str) -> _Token:
        token = self._peek()
        if not self._accept(operator):
            raise self._unexpected(f"'{operator}' is missing")
        return token

    def _unexpected(self, missing: str = "") -> ExpressionError:
        token = self._peek()
        where = f"'{token.text}' at character {token.start + 1} is unexpected" if token.text else "it ends too early"
        if not self._text.strip():
            where = "it is empty"
        return _bad(self._text, f"{missing}; {where}" if missing else where)

    def _operand_and_rest(self, lowest: int) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise _bad(self._text, f"it is nested more than {DEEPEST} levels deep")
        start = self._peek().start
        node = self._unary()
        while True:
            token = self._peek()
            precedence = PRECEDENCE.get(token.text, 0) if token.kind == "operator" else 0
            if precedence < lowest or not precedence:
                self._depth -= 1
                return node
            self._next()
            if token.text == "?":
                yes = self._operand_and_rest(1)
                self._expect(":")
                no = self._operand_and_rest(1)
                node = Conditional(start, self._last_end(), node, yes, no)
            else:
                right = self._operand_and_rest(precedence + 1)
                node = Binary(start, self._last_end(), token.text, node, right)

    def _last_end(self) -> int:
        return self._tokens[self._place - 1].end

    def _unary(self) -> Node:
        token = self._peek()
        if token.kind == "operator" and token.text in _UNARY:
            self._next()
            operand = self._operand_and_rest(UNARY_PRECEDENCE)
            return Unary(token.start, self._last_end(), token.text, operand)
        return self._primary()

    def _primary(self) -> Node:
        token = self._peek()
        if token.kind == "operator" and token.text == "(":
            self._next()
            node = self._operand_and_rest(1)
            self._expect(")")
            return node
        if token.kind == "operator" and token.text in {"{", "'{"}:
            return self._braces(self._next())
        read = _PRIMARIES.get(token.kind)
        if read is None:
            raise self._unexpected()
        self._next()
        if token.kind == "function":
            self._expect("(")
            end, arguments = self._list(")")
            return Call(token.start, end, token.text, arguments)
        return read(token)

    def _braces(self, opening: _Token) -> Node:
        """A concatenation or the elements of an array, both perhaps repeated: ``{2{a, b}}``."""
        kind = Concatenation if opening.text == "{" else Pattern
        first = self._operand_and_rest(1)
        if self._accept("{"):
            _end, parts = self._list("}")
            return kind(opening.start, self._expect("}").end, parts, first)
        end, parts = self._list("}", first)
        return kind(opening.start, end, parts)

    def _list(self, closing: str, first: Node | None = None) -> tuple[int, tuple[Node, ...]]:
        nodes = [first or self._operand_and_rest(1)]
        while self._accept(","):
            nodes.append(self._operand_and_rest(1))
        return self._expect(closing).end, tuple(nodes)


def _based(token: _Token) -> Node:
    digits_of_size, _quote, rest = token.text.replace("_", "").partition("'")
    is_signed = rest[0] in "sS"
    rest = rest.lstrip("sS")
    digits = rest[1:].strip()
    width = min(int(digits_of_size), MOST_BITS) if digits_of_size.strip() else None
    if width == 0 or not digits:
        raise _bad(token.text, "it has no bits" if digits else "it has no digits")
    size = Size(width, is_signed)
    if set(digits) & set("xXzZ?"):
        return Literal(token.start, token.end, None, size)
    value = int(digits, _BASES[rest[0].lower()])
    own = size if width is not None else Size(max(_UNSIZED_BITS, value.bit_length()), is_signed)
    return Literal(token.start, token.end, own.fit(value), size)


def _string(token: _Token) -> Node:
    return Literal(token.start, token.end, re.sub(r"\\(.)", r"\1", token.text[1:-1]), INTEGER)


def _real(token: _Token) -> Node:
    return Literal(token.start, token.end, min(float(token.text.replace("_", "")), sys.float_info.max), INTEGER)


_PRIMARIES: dict[str, Callable[[_Token], Node]] = {
    "based": _based,
    "filled": lambda token: Fill(token.start, token.end, token.text[1].lower()),
    "real": _real,
    "integer": lambda token: Literal(token.start, token.end, int(token.text.replace("_", "")), INTEGER),
    "string": _string,
    "name": lambda token: Name(token.start, token.end, token.text),
    "function": lambda token: Name(token.start, token.end, token.text),
}
