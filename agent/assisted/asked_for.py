"""Holds the optional arguments of a planned call against the words of a request; what it does not ask for goes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.assisted.mentions import VLNV, Mentions
from agent.assisted.related_widths import is_given_by_another, points_at_parameters
from agent.models.base import ToolSpec

_WIDTHS = ("width", "bus_width")
# Words that ask for what an optional flag does.
_FLAG_WORDS = {
    "cascade": r"cascad|connect|wire|uses|users|using|depend|everything|along|too\b|even if|anyway|forc",
    "force": r"forc|instan|everywhere|even if|anyway|regardless|everything|uses|used",
    "overwrite": r"overwrit|replac|over the|even if|anyway|forc|again|reload",
}
# Words that justify a value which the request gives in other terms.
_TYPE_WORDS = {
    "bit": r"(?<!\d)(?<!\d[ -])\bbit\b|bool|flag",
    "byte": r"\bbyte\b",
    "shortint": r"shortint|short int",
    "int": r"\bint\b|integer",
    "longint": r"longint|long int",
    "shortreal": r"shortreal|short real",
    "real": r"\breal\b|float|double",
    "string": r"string|text",
}
_BOUNDS = re.compile(
    r"\b(min|max|between|from|range|limit|allow|least|most|up to|down to|bound|below|above|under|over|exceed)|"
    r"\b(less|more|greater|smaller|higher|lower) than|"
    r"\d\s*(to+|\.\.+|[-–…:])\s*\d"
)


def with_the_named_type(arguments: dict[str, Any], request: str) -> dict[str, Any]:
    """Where the request names one type and the model took another, take the one that is named."""
    if "type" in arguments:
        named = [kind for kind, words in _TYPE_WORDS.items() if re.search(words, request.casefold())]
        if len(named) == 1:
            arguments["type"] = named[0]
    return arguments


def with_parameter_for_its_value(
    arguments: dict[str, Any], parameters: Mapping[str, str], mentions: Mentions
) -> dict[str, Any]:
    """Where the request names a parameter and the model put in its present value, put the name back.

    A width that should follow a parameter is otherwise frozen at what the parameter happens to be now.

    Args:
        parameters: of the component and those that the calls so far would make, with their values.
    """
    for argument in (*_WIDTHS, "left", "right"):
        value = str(arguments.get(argument, ""))
        values = list(parameters.values())
        is_ruled_out = re.search(rf"\bnot\s+{re.escape(value)}\b", mentions.text) is not None and value in values
        for name, present in parameters.items():
            if is_ruled_out and value == present and values.count(value) == 1:
                arguments[argument] = name  # "as wide as the parameter, not 18"
                break
            if value == present and values.count(value) == 1 and points_at_parameters(mentions.text):
                arguments[argument] = name
                break
            named = value != "" and value == present and mentions.has(name)
            if named and (not mentions.has(value) or _is_a_width(name, value, mentions.text)):
                arguments[argument] = name
    return arguments


def _is_a_width(name: str, value: str, request: str) -> bool:
    """Whether a request gives a parameter as a width ("WIDTH bits", "as wide as WIDTH") and never its value."""
    word = rf"\b{re.escape(name)}\b"
    said = rf"{word}[\s-]*(bits?\b|wide\b)|\b(wide|widths?)\b[^.,;\n]*{word}|\[\s*{word}"
    return re.search(said, request) is not None and not re.search(rf"\b{value}[\s-]*bits?\b", request, re.IGNORECASE)


def without_unasked(
    spec: ToolSpec, arguments: Mapping[str, Any], request: str, pattern: str = "", design: str = ""
) -> dict[str, Any]:
    """Drop optional arguments for which neither the request nor the pattern that it points at has the value.

    Args:
        design: a summary of the design, whose widths count where the request relates others to them.
    """
    required = set(spec.parameters.get("required", ()))
    properties = spec.parameters["properties"]
    kept = {
        name: value
        for name, value in arguments.items()
        if name in required
        or name in {"source_instance", "target_instance"}
        or _is_asked_for(name, value, properties[name], request)
        or (name not in _FLAG_WORDS and _is_in_pattern(name, value, pattern))
        or (name in _WIDTHS and value != "1" and is_given_by_another(str(value), request, design))
    }
    if "left" in kept and "right" in kept:
        kept.pop("width", None)
    elif "left" in kept or "right" in kept:
        kept.pop("left", None)
        kept.pop("right", None)
    return {name: value for name, value in kept.items() if value != ""}


def is_flagged(flag: str, request: str) -> bool:
    """Whether a request has a word for what an optional flag (``force``, ``cascade``, ``overwrite``) does."""
    return re.search(_FLAG_WORDS[flag], request.casefold()) is not None


def _is_asked_for(name: str, value: Any, declared: Mapping[str, Any], request: str) -> bool:
    text = request.casefold()
    if name in _FLAG_WORDS:
        return value is True and is_flagged(name, text)
    if name == "type":
        return re.search(_TYPE_WORDS[value], text) is not None
    if name in {"minimum", "maximum"} and not _BOUNDS.search(text):
        return False
    if "enum" in declared:
        words = str(value).replace("_", "[ _-]?")
        return value != declared.get("default") and re.search(words, text) is not None
    if value == declared.get("default"):
        return False
    return _stands_in(str(value), text)


def _is_in_pattern(name: str, value: Any, pattern: str) -> bool:
    """Whether what the request points at has this value: for this argument, or as the width of something."""
    if re.search(rf'"{name}":\s?"{re.escape(str(value))}"', pattern, re.IGNORECASE):
        return True
    if name == "type":
        return re.search(rf"\((?:user|generated|immediate), {value}[,)]", pattern) is not None
    return name in {"width", "bus_width", "protocol"} and value != "1" and _stands_in(str(value), pattern)


def _stands_in(value: str, text: str) -> bool:
    """Whether a value's own text is a word or phrase of ``text``, white space aside and VLNVs left out."""
    wanted = r"\s*".join(re.escape(letter) for letter in "".join(value.casefold().split()))
    return re.search(rf"(?<!\w)(?<!\w\.){wanted}(?!\w)(?!\.\w)", VLNV.sub(" ", text)) is not None
