"""Whether a name is a misspelling of another."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz.distance import OSA

SHORTEST = 4  # letters: shorter parts (rx and tx, in and out) differ on purpose
_DIGITS = re.compile(r"\d+")
_PARTS = re.compile(r"[_:.\-]")


def closest(text: str, candidates: Iterable[str]) -> str | None:
    """Return the one candidate that ``text`` misspells without doubt, or None.

    Digits are never a misspelling (``uart2`` is not ``uart1``, version 1.1 is not 1.0), and neither is a short part
    (``uart_rx`` is not ``uart_tx``), unless it is the same letters in another order (``dgb`` is ``dbg``) or abbreviates
    less (``ctrl`` is ``ctl``). A longer part may have one slip, and one more for every six letters.
    """
    near = sorted(
        (slips, candidate)
        for candidate in candidates
        if (slips := _slips(text.casefold(), candidate.casefold())) is not None
    )
    if not near or (len(near) > 1 and near[0][0] == near[1][0]):
        return None
    return near[0][1]


def _slips(text: str, candidate: str) -> int | None:
    """How many slips of the pen turn ``candidate`` into ``text``, or None where it is another name."""
    if _DIGITS.findall(text) != _DIGITS.findall(candidate):
        return None
    written, meant = _PARTS.split(text), _PARTS.split(candidate)
    if len(written) != len(meant):
        slips = OSA.distance(text, candidate)
        return slips if slips <= 1 and len(candidate) > SHORTEST else None
    total = 0
    for one, other in zip(written, meant, strict=True):
        slips = OSA.distance(one, other)
        same_letters = sorted(one) == sorted(other) or len(one) == len(other) + 1
        is_no_other = len(other) > 2 and slips == 1 and same_letters
        if slips and not is_no_other and (len(other) < SHORTEST or slips > 1 + len(other) // 6):
            return None
        total += slips
    return total
