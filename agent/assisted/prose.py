"""Puts slips of the pen in a request's prose right, and leaves names alone.

A small model reads "provieds" and "requirs" as it likes. Only words that cannot be names are touched: lower-case words
that are not quoted, not in the design, no English words, and a slip away from exactly one word of the vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from rapidfuzz.distance import OSA

from agent.assisted.english import english
from agent.assisted.mentions import VLNV

# What is passed over whole: VLNVs, quoted text, and anything with a digit, an underscore, a dot or a slash in it.
_KEPT = re.compile(VLNV.pattern + r"|`[^`]*`|\"[^\"]*\"|“[^”]*”|\S*\w[./:\\=\[\]]\w\S*|\S*[\d_/\\]\S*")
_WORD = re.compile(r"(?<![\w'’-])[A-Z]?[a-z]+(?![\w'’-])")
_NAMING = re.compile(r"(?:\b(?:call|name)d?|\b(?:it|as|be|named|called|name|parameter|port|pin))\s+$", re.IGNORECASE)
_SOUNDS = (("ph", "f"), ("ck", "k"), ("z", "s"), ("x", "ks"), ("q", "k"), ("c", "k"), ("oo", "u"), ("ee", "i"))

COMMON = 100_000  # occurrences in the dictionary's corpus from which an English word counts as common
LONG = 5  # letters: shorter words that the field does not know may be names (``dout``, one slip from "doubt")
MOST_LETTERS = 3  # by which a slip makes a word longer or shorter


def load() -> None:
    """Load the dictionary, which takes a fifth of a second that would otherwise be the first request's."""
    _vocabulary()


def put_right(request: str, names: Collection[str] = ()) -> str:
    """Return the request with its misspelled prose spelled out.

    Args:
        names: of the design; they are never touched.
    """
    known = {name.casefold() for name in names}
    parts: list[str] = []
    end = 0
    for kept in _KEPT.finditer(request):
        parts += [_put_right(request[end : kept.start()], request[:end], known), kept.group()]
        end = kept.end()
    parts.append(_put_right(request[end:], request[:end], known))
    return "".join(parts)


def _put_right(text: str, before: str, known: Collection[str]) -> str:
    def meant(match: re.Match[str]) -> str:
        word = match.group()
        if word.casefold() in known or _NAMING.search(before + text[: match.start()]):
            return word
        other = _meant(word.casefold())
        return word if other is None else other.capitalize() if word[0].isupper() else other

    return _WORD.sub(meant, text)


@cache
def _vocabulary() -> dict[str, float]:
    """The words that may be meant, each with how far it stands back: those of the field first, then common prose."""
    common = {word: 0.25 for word, count in english().items() if count >= COMMON}
    text = (files("resources") / "prompts" / "vocabulary.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return common | {word: 0.0 for line in lines for word in line.split()}


@cache
def _meant(word: str) -> str | None:
    """The one word of the vocabulary that a word misspells, or None."""
    vocabulary = _vocabulary()
    if len(word) < 2 or word in vocabulary or word in english():
        return None
    sound = _sound(word)
    near: list[tuple[float, str]] = []
    for other, back in vocabulary.items():
        if abs(len(word) - len(other)) > MOST_LETTERS:
            continue
        slips = min(OSA.distance(word, other), OSA.distance(sound, _sound(other)) + 0.5)
        if slips > 0.75 and sorted(word) == sorted(other):
            slips = 0.75  # the right letters in another order
        most = _most_slips(word, other) if not back else 1 if len(word) > LONG else 0.5
        if slips <= most and not _is_name_beside(word, other):
            # Slips are rarer at the ends of a word.
            near.append((slips + back + 0.1 * (word[0] != other[0]) + 0.1 * (word[-1] != other[-1]), other))
    near.sort()
    if not near or (len(near) > 1 and near[0][0] == near[1][0]):
        return None
    return near[0][1]


def _most_slips(word: str, other: str) -> float:
    """How many slips are no accident: a short word must be the same letters in another order, or sound the same."""
    shortest = min(len(word), len(other))
    if shortest <= 2:
        return 0.5 if _sound(word) == _sound(other) else 0
    if shortest <= 3 or (shortest == 4 and len(word) == len(other)):
        return 1 if sorted(word) == sorted(other) or _sound(word) == _sound(other) else 0
    return 1.5 if shortest <= 5 else 2.5 if shortest <= 9 else 3.5


def _is_name_beside(word: str, other: str) -> bool:
    """Whether a word is another with something before, after or in place of its end, which names like to be.

    ``rdata`` and ``porta`` are; ``inputt`` is not.
    """
    if len(word) == len(other):
        return word[:-1] == other[:-1]
    if len(word) < len(other) or not (word.startswith(other) or word.endswith(other)):
        return False
    doubled = word[-1] == word[-2] and word[:-1] == other
    return not doubled


@cache
def _sound(word: str) -> str:
    for letters, sound in _SOUNDS:
        word = word.replace(letters, sound)
    return re.sub(r"(.)\1", r"\1", word)
