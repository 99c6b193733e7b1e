"""Expressions in files refer to parameters by ``parameterId``, people by name: translation both ways."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping

from model.vlnv import Vlnv

_ATOM = re.compile(r"[\w$.']+")
# Strings first, so that nothing inside them is taken for a name; then words, but not the digits of 8'hFF or $clog2.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w$\'.])[A-Za-z_][\w$]*')
_SPACE = uuid.UUID("6f1f1c86-53e0-5d0e-9f2e-0c6f3b1a7d55")


def new_parameter_id(owner: Vlnv, name: str) -> str:
    """The ``parameterId`` for a parameter that has none yet: the same for the same owner and name."""
    return "uuid_" + str(uuid.uuid5(_SPACE, f"{owner}\n{name}")).replace("-", "_")


def translator(words: Mapping[str, str]) -> Callable[[str], str]:
    """Return a function that replaces whole words of an expression: ids by names, or names by ids.

    A word that is no SystemVerilog identifier (ids may hold ``-`` and ``.``) is replaced where it stands alone.
    """
    if not words:
        return str
    token = _pattern(words)

    def translate(expression: str) -> str:
        return token.sub(lambda match: words.get(match.group(), match.group()), expression)

    return translate


def mentioned(expression: str, words: Mapping[str, str]) -> set[str]:
    """Those of ``words`` that the expression refers to."""
    if not words:
        return set()
    return {match.group() for match in _pattern(words).finditer(expression)} & words.keys()


def _pattern(words: Mapping[str, str]) -> re.Pattern[str]:
    odd = sorted((word for word in words if not re.fullmatch(r"[A-Za-z_][\w$]*", word)), key=len, reverse=True)
    if not odd:
        return _TOKEN
    # Such words go before plain ones, or "a-b" would be read as a minus b.
    special = "|".join(re.escape(word) for word in odd)
    return re.compile(rf'"(?:[^"\\]|\\.)*"|(?<![\w$\'.])(?:{special})(?![\w$])|{_TOKEN.pattern}')


def inliner(values: Mapping[str, str]) -> Callable[[str], str]:
    """Like :func:`translator`, for whole expressions in place of words: in parentheses where they need them."""
    translate = translator({word: value if _ATOM.fullmatch(value) else f"({value})" for word, value in values.items()})
    return lambda expression: values[expression] if expression in values else translate(expression)
