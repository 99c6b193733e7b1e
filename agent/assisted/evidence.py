"""What the words of a request give evidence of: which tools can be meant, and which numbers.

The words are terms of the field (IEEE 1685 and common usage), matched with their misspellings; a tool is withheld only
where the request speaks of something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from rapidfuzz.distance import OSA

from agent.models.base import ToolSpec

_PORT = (
    "port",
    "input",
    "output",
    "inout",
    "pin",
    "signal",
    "bidirectional",
    "wire",
    "strobe",
    "line",
    "clock",
    "reset",
)
_PARAMETER = ("parameter", "param", "generic", "constant", "knob", "setting", "attribute", "localparam", "property")
_TRANSACTIONAL = ("tlm", "transactional", "transaction", "socket", "initiative", "initiator", "requires", "provides")
_GENERATOR = ("generator", "generated", "generation", "gen")
_NUMBERS = {
    "zero": 0, "one": 1, "single": 1, "two": 2, "dual": 2, "three": 3, "four": 4, "quad": 4, "nibble": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "octal": 8, "byte": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "halfword": 16, "twenty": 20, "twenty-four": 24,
    "thirty": 30, "thirty-two": 32, "forty": 40, "forty-eight": 48, "fifty": 50, "sixty-four": 64, "hundred": 100,
}  # fmt: skip
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_NUMBER_WORD = re.compile(r"\b(" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")\b", re.IGNORECASE)


def possible_tools(request: str, tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The tools that a request can mean: kinds of ports and parameters that it does not speak of are withheld."""
    words = tuple(_WORD.findall(request.casefold()))
    withheld: set[str] = set()
    if not _speaks_of(_TRANSACTIONAL, words):
        withheld.add("add_transactional_port")
    if not _speaks_of(_GENERATOR, words):
        withheld.add("add_generator_parameter")
    if _speaks_of(_PORT, words) and not _speaks_of(_PARAMETER, words):
        withheld |= {"add_user_parameter", "add_generator_parameter"}
    return [tool for tool in tools if tool.name not in withheld]


def with_numbers_as_digits(text: str) -> str:
    """The text with its number words in digits as well ("four bits" also reads "4 bits")."""
    return _NUMBER_WORD.sub(lambda found: f"{found.group()} {_NUMBERS[found.group().casefold()]}", text)


@cache
def _speaks_of(terms: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return any(_means(word, term) for word in words for term in terms)


def _means(word: str, term: str) -> bool:
    """Whether a word is the term, its plural, or a slip of the pen for a longer one."""
    singular = word.removesuffix("s") if len(word) > len(term) else word
    if singular == term:
        return True
    return len(term) > 4 and OSA.distance(singular, term) <= len(term) // 4
