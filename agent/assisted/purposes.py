"""What ports are for, by the usual abbreviations in their names: ``rst_n`` is meant by "the reset"."""

from __future__ import annotations

import re

from agent.assisted.mentions import Mentions

# Usual abbreviations in names of ports, and the beginnings of the words for them.
_PURPOSES = (
    *(("clk", "cl[oc]{1,2}k"), ("ck", "clock"), ("rst", "res+et"), ("por", "power"), ("irq", "interr")),
    *(("int", "interr"), ("tx", "trans"), ("rx", "rec"), ("en", "enabl"), ("addr", "address"), ("dat", "dat")),
    *(("req", "request"), ("ack", "acknowl"), ("val", "valid"), ("rd", "read"), ("we", "writ"), ("wr", "writ")),
    *(("lock", "lock"), ("scan", "scan"), ("test", "test"), ("dbg", "debug"), ("mem", "mem"), ("apb", "apb")),
    *(("axi", "axi"),),
)


def words_for(port: str) -> list[str]:
    """The beginnings of the words that may mean a port, as patterns."""
    return [word for short, word in _PURPOSES if short in port.casefold()]


def purposes_of(port: str) -> frozenset[str]:
    """What a port is for, by the usual abbreviations in its name."""
    return frozenset(short for short, _word in _PURPOSES if short in port.casefold())


def purposes_said(mentions: Mentions) -> frozenset[str]:
    """The abbreviations whose words a request has: ``rst`` for "the reset"."""
    text = mentions.text.casefold()
    return frozenset(short for short, word in _PURPOSES if re.search(rf"\b{word}", text))
