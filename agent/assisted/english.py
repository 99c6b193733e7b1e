"""How often English words are used: pyspellchecker's dictionary, read without making other threads wait."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

_PORTION = 50_000  # characters that are read at once: one reading of all would stop a window for a tenth of a second


@cache
def english() -> Mapping[str, int]:
    """The words, in lower case, each with how often the dictionary's corpus has it."""
    packed = (files("spellchecker") / "resources" / "en.json.gz").read_bytes()
    words: dict[str, int] = {}
    for portion in _portions(gzip.decompress(packed).decode("utf-8")):
        words.update(json.loads(portion))
    return words


def _portions(text: str) -> Iterator[str]:
    """Cut a JSON object of words and numbers into smaller ones."""
    start, end = text.index("{") + 1, text.rindex("}")
    while start < end:
        comma = text.find(",", start + _PORTION)
        stop = end if comma < 0 else comma
        yield f"{{{text[start:stop]}}}"
        start = stop + 1
