"""Writes out what a request means by its place in the conversation: "the first block", "the latter", "the new one"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.assisted.mentions import VLNV
from agent.assisted.order import vlnv_made
from agent.assisted.prompts import Exchange

_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_NOUN = r"(?:block|component|module|core|cell|ip|one)"
_ORDINAL = re.compile(rf"\bthe\s+(?P<ordinal>{'|'.join(_ORDINALS)})\s+{_NOUN}\b(?!\s+(?:of|in|on)\b)", re.IGNORECASE)
_LATTER = re.compile(rf"\bthe\s+latter(?:\s+{_NOUN})?\b", re.IGNORECASE)
_NEW = re.compile(rf"\bthe\s+new(?:est)?\s+{_NOUN}\b", re.IGNORECASE)


def with_references_written_out(request: str, earlier: Sequence[Exchange]) -> str:
    """Return the request with the VLNV behind each reference whose component the conversation leaves no doubt about.

    Ordinals count components in the order in which the conversation first edited them; "the latter" is the one named or
    edited last, "the new one" the one made last. A request that names a component itself may count those, and stays.
    """
    if VLNV.search(request):
        return request
    order = list(dict.fromkeys(vlnv for exchange in earlier for vlnv in exchange.components))

    def ordinal(match: re.Match[str]) -> str:
        place = _ORDINALS.index(match["ordinal"].casefold())
        return f"{match.group()} ({order[place]})" if place < len(order) else match.group()

    read = _ORDINAL.sub(ordinal, request)
    for pattern, meant in ((_LATTER, _named_last(earlier)), (_NEW, _made_last(earlier))):
        if meant:
            read = pattern.sub(lambda match, meant=meant: f"{match.group()} ({meant})", read)  # type: ignore[misc]
    return read


def _named_last(earlier: Sequence[Exchange]) -> str:
    for exchange in reversed(earlier):
        named = VLNV.findall(exchange.request)
        if named or exchange.components:
            return str(named[-1].rstrip(".") if named else exchange.components[-1])
    return ""


def _made_last(earlier: Sequence[Exchange]) -> str:
    made = (
        vlnv_made(call)
        for exchange in reversed(earlier)
        for call in reversed(exchange.calls)
        if call.name == "create_component"
    )
    return next(made, "")
