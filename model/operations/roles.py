"""What the names of ports tell: which are clocks and which are resets, and of which polarity."""

from __future__ import annotations

import re
from typing import Literal

from model.elements import Port, SignalPort

Role = Literal["clock", "reset"]

_CLOCK = re.compile(r"[a-z]{0,4}(?:clk|clock)(?:in|i|p)?\d*")
_RESET = re.compile(
    r"(?!(?:first|burst|worst|preset)$)(?:[a-z]{0,4})(?:rst|reset)(?:in|i|n|b|ni|an)?\d*|n[a-z]?(?:rst|reset)|por"
)
_ACTIVE_LOW = re.compile(r"(?:[a-z]{0,4})(?:rst|reset)(?:n|b|ni|an)\d*|n[a-z]?(?:rst|reset)")
_LOW_MARKS = frozenset({"n", "ni", "b", "l", "an"})
# clk_en enables a clock, rst_req asks for a reset: neither is one.
_OTHER = re.compile(
    "en|ena|enable|sel|select|gated?|req|request|ack|div|count|cnt|val|value|cause|status|done|valid|mode|cfg"
    "|lock|locked|detect|ratio|period"
)


def role_of(port: Port) -> Role | None:
    """Whether a port is by its name a clock or a reset: one bit wide, a word such as ``clk``, ``PCLK``, ``rst_n``."""
    if not isinstance(port, SignalPort) or port.left:
        return None
    words = _words(port.name)
    if any(_OTHER.fullmatch(word) for word in words):
        return None
    for word in words:
        if _CLOCK.fullmatch(word):
            return "clock"
        if _RESET.fullmatch(word):
            return "reset"
    return None


def is_active_low(port: Port) -> bool:
    """Whether a reset is by its name active when 0 (``rst_n``, ``resetn``, ``nRST``)."""
    words = _words(port.name)
    return any(_ACTIVE_LOW.fullmatch(word) for word in words) or bool(words and words[-1] in _LOW_MARKS)


def _words(name: str) -> list[str]:
    """The words of a name, split at marks and where camelCase turns: ``sysClk`` is sys and clk, ``PCLK`` one word."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", "_", name)
    return [word for word in re.split(r"[^a-z0-9]+", parted.lower()) if word]
