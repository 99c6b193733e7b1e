"""When a made call is the one that was expected: both are brought to a canonical form and compared.

The rules are those of ``tests/contract/scoring.yaml``: notation does not matter (a number or its text, a default
spelled out or left out, a width or its bounds, which end of a connection comes first), content does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from agent.evaluation.contract import ToolContract, tools_contract

NUMBERS = frozenset({"width", "left", "right", "bus_width", "minimum", "maximum"})
"""The arguments whose values compare as numbers; a version "1.0" or a value "010" stays the text it is."""

_EXPRESSIONS = NUMBERS | {"default_value"}
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TEXT_OR_SPACE = re.compile(r'("(?:[^"\\]|\\.)*")|\s+')
_BELOW_ADDITION = re.compile(r"[<>?:&|^=!]")  # operators that bind more loosely than a trailing "-1"

Canonical = str | Decimal | bool | tuple["Canonical", ...]


@dataclass(frozen=True, slots=True)
class CanonicalCall:
    """A call apart from notation.

    Attributes:
        arguments: what the call says, defaults left out.
        neutral: arguments that count only where the expected call gives them.
    """

    tool: str
    arguments: Mapping[str, Canonical]
    neutral: Mapping[str, Canonical]

    def answers(self, expected: CanonicalCall) -> bool:
        """Whether this made call is what ``expected`` asks for."""
        return (
            self.tool == expected.tool
            and self.arguments == expected.arguments
            and all(self.neutral.get(name) == value for name, value in expected.neutral.items())
        )


def canonical_call(tool: str, args: Mapping[str, Any]) -> CanonicalCall:
    """Bring a call to its canonical form. A tool outside the contract (another server's) has no defaults."""
    contract = tools_contract().get(tool)
    if contract is None:
        given = {name: _text(value) for name, value in args.items() if value not in ("", None)}
        return CanonicalCall(tool, given, {})
    neutral_names = {"description", "name"} if tool == "add_subcomponent_connection" else {"description"}
    values: dict[str, Canonical] = {}
    neutral: dict[str, Canonical] = {}
    for name, raw in args.items():
        if name not in contract.required and raw in ("", None):
            continue
        value = _value(contract, name, raw, args)
        if name in neutral_names:
            neutral[name] = value
        elif name not in contract.defaults or value != _value(contract, name, contract.defaults[name], args):
            values[name] = value
    if tool == "add_signal_port":
        _join_bounds(values)
    elif tool == "add_subcomponent_connection":
        _join_ends(values)
    return CanonicalCall(tool, values, neutral)


def _value(contract: ToolContract, name: str, raw: Any, args: Mapping[str, Any]) -> Canonical:
    if name in contract.flags:
        return _flag(raw)
    text = _text(raw)
    if name in NUMBERS and _NUMBER.fullmatch(text.strip()):
        return Decimal(text.strip())
    # A parameter's value is an expression unless its type is string, where white space is content.
    if name in _EXPRESSIONS or (name == "value" and args.get("type") not in (None, "", "string")):
        return _TEXT_OR_SPACE.sub(lambda found: found.group(1) or "", text)
    return text


def _flag(raw: Any) -> Canonical:
    """Models write flags as text, too; the server reads both."""
    text = _text(raw).strip().lower()
    return text == "true" if text in ("true", "false") else text


def _text(raw: Any) -> str:
    if isinstance(raw, str):
        return raw
    # json writes 8 as "8", true as "true", and a list that another server's tool takes as one line.
    return json.dumps(raw, ensure_ascii=False, sort_keys=True, default=str)


def _join_bounds(values: dict[str, Canonical]) -> None:
    """Put a width in the place of bounds that say the same: N-1 down to 0."""
    given = values.get("width")
    if isinstance(given, str):
        given = values["width"] = _without_parentheses(given)
    if "left" not in values or "right" not in values:
        return
    width = _width_of(values["left"], values["right"])
    if width is None or (given is not None and given != width):
        return
    del values["left"], values["right"]
    values.pop("width", None)
    if width != 1:
        values["width"] = width


def _width_of(left: Canonical, right: Canonical) -> Canonical | None:
    if right != 0:
        return None
    if isinstance(left, Decimal):
        return left + 1 if left >= 0 else None
    if not isinstance(left, str) or not left.endswith("-1"):
        return None
    rest = left.removesuffix("-1")
    bare = _without_parentheses(rest)
    # "a<<b-1" shifts by b-1: only what binds at least as tightly as the minus may lose it.
    return bare if bare != rest or (rest and not _BELOW_ADDITION.search(rest)) else None


def _without_parentheses(expression: str) -> str:
    """Strip parentheses that enclose the whole expression."""
    while expression.startswith("(") and expression.endswith(")"):
        depth = 0
        for index, character in enumerate(expression):
            depth += (character == "(") - (character == ")")
            if depth == 0 and index < len(expression) - 1:
                return expression
        expression = expression[1:-1]
    return expression


def _join_ends(values: dict[str, Canonical]) -> None:
    """Order the two ends of a connection: which one is called the source does not matter."""
    ends = sorted(
        (str(values.pop(f"{end}_instance", "")), str(values.pop(f"{end}_port", ""))) for end in ("source", "target")
    )
    values["ends"] = tuple(ends)
