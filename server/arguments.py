"""From what a client sent to the arguments of a tool: generous where the meaning is clear, strict about names."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from model.errors import DesignError, nearest
from server.contract import Argument, ToolContract

MAX_TEXT = 4000
"""Longest text argument in characters; Python reads no number of more than 4,300 digits."""

_MAX_BITS = 10_000  # about 3,000 digits
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SYNONYMS = {"input": "in", "output": "out", "bidirectional": "inout", "initiator": "requires", "target": "provides"}


def shown(value: object, limit: int = 60) -> str:
    """Quote what a client sent: cut, on one line, and free of characters that break a terminal or an encoding."""
    text = value if isinstance(value, str) else str(type(value).__name__)
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return "'" + "".join(char if char.isprintable() else ascii(char)[1:-1] for char in cut) + "'"


def contract_of(tool: str, tools: Mapping[str, ToolContract]) -> ToolContract:
    """Return the contract of one of a server's tools.

    Raises:
        DesignError: ``unknown-tool``, with the nearest names.
    """
    contract = tools.get(tool)
    if contract is None:
        raise DesignError(
            "unknown-tool",
            f"There is no tool {shown(tool)}.",
            f"The tools are {', '.join(tools)}.",
            nearest(tool[:200], tools),
        )
    return contract


def read_arguments(contract: ToolContract, raw: Mapping[str, Any]) -> dict[str, str | bool]:
    """Check a call's arguments and fill in the defaults.

    A number is taken for the text it is written as; ``null`` means not given, and so does ``""`` for an optional
    argument.

    Raises:
        DesignError: ``unknown-argument``, ``missing-argument``, ``bad-argument``, ``bad-choice``,
            ``argument-too-long`` or ``illegal-character``.
    """
    missing = [argument for argument in contract.arguments if argument.required and raw.get(argument.name) is None]
    unknown = [name for name in raw if name not in contract.argument_names]
    if unknown:
        raise _unknown_arguments(contract, unknown, missing, raw)
    if missing:
        raise DesignError(
            "missing-argument",
            f"{contract.name} needs {_listed(missing)}.",
            "Call it again with every required argument.",
        )
    return {argument.name: _read(contract, argument, raw.get(argument.name)) for argument in contract.arguments}


def _listed(arguments: list[Argument]) -> str:
    return " and ".join(f"{argument.name} ({argument.form})" for argument in arguments)


def _unknown_arguments(
    contract: ToolContract, unknown: list[str], missing: list[Argument], raw: Mapping[str, Any]
) -> DesignError:
    free = [name for name in contract.argument_names if name not in raw]
    suggestions = dict.fromkeys(name for wrong in unknown for name in nearest(wrong[:200], free, limit=1))
    names = ", ".join(shown(name) for name in unknown[:5])
    message = f"{contract.name} has no argument {names}."
    if missing:
        message += f" It still needs {_listed(missing)}."
    legal = ", ".join(argument.name + ("" if argument.required else "?") for argument in contract.arguments)
    hint = f"Its arguments are {legal} (? = optional)."
    return DesignError("unknown-argument", message, hint, tuple(suggestions))


def _read(contract: ToolContract, argument: Argument, value: Any) -> str | bool:
    if value is None or (value == "" and not argument.required):
        assert argument.default is not None
        return argument.default
    if isinstance(argument.default, bool):
        return _flag(contract, argument, value)
    text = _text(contract, argument, value)
    if argument.choices and text not in argument.choices:
        raise _bad_choice(argument, text)
    return text


def _flag(contract: ToolContract, argument: Argument, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    raise _bad_argument(contract, argument, value, "true or false")


def _text(contract: ToolContract, argument: Argument, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _bad_argument(contract, argument, value, f"text ({argument.form})")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise _bad_argument(contract, argument, value, f"text or a finite number ({argument.form})")
        value = int(value) if argument.counts and value.is_integer() else value
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        raise _too_long(argument, "a number of thousands of digits")
    text = str(value)
    if len(text) > MAX_TEXT:
        raise _too_long(argument, f"{len(text)} characters long")
    if bad := _NOT_IN_XML.search(text):
        raise DesignError(
            "illegal-character",
            f"{argument.name} holds the character U+{ord(bad.group()):04X}, which no IP-XACT file can hold.",
            "Write it without control characters.",
        )
    return text


def _too_long(argument: Argument, size: str) -> DesignError:
    return DesignError(
        "argument-too-long", f"{argument.name} is {size}; at most {MAX_TEXT} characters are taken.", "Shorten it."
    )


def _bad_argument(contract: ToolContract, argument: Argument, value: Any, wanted: str) -> DesignError:
    given = {bool: "true or false", dict: "an object", list: "a list", str: shown(value)}.get(type(value), "a number")
    return DesignError(
        "bad-argument",
        f"{argument.name} of {contract.name} must be {wanted}, not {given}.",
        "Give one plain value for each argument.",
    )


def _bad_choice(argument: Argument, text: str) -> DesignError:
    synonym = _SYNONYMS.get(text.strip().lower())
    likely = (synonym,) if synonym in argument.choices else nearest(text[:200], argument.choices, limit=1)
    return DesignError(
        "bad-choice",
        f"{argument.name} cannot be {shown(text)}.",
        f"It is one of {', '.join(argument.choices)}.",
        tuple(choice for choice in likely if choice is not None),
    )
