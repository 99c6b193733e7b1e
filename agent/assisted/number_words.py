"""Numbers that a request gives in words."""

from __future__ import annotations

import re

_NUMBERS = {
    "zero": 0, "one": 1, "single": 1, "two": 2, "dual": 2, "three": 3, "four": 4, "quad": 4, "nibble": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "octal": 8, "byte": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "halfword": 16, "twenty": 20, "twenty-four": 24,
    "thirty": 30, "thirty-two": 32, "forty": 40, "forty-eight": 48, "fifty": 50, "sixty-four": 64, "hundred": 100,
}  # fmt: skip
_NUMBER_WORD = re.compile(r"\b(" + "|".join(sorted(_NUMBERS, key=len, reverse=True)) + r")\b", re.IGNORECASE)


def with_numbers_as_digits(text: str) -> str:
    """The text with its number words in digits as well ("four bits" also reads "4 bits")."""
    return _NUMBER_WORD.sub(lambda found: f"{found.group()} {_NUMBERS[found.group().casefold()]}", text)
