"""Which names of a request its plan leaves untouched."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.assisted.mentions import Mentions, looks_like_a_name
from agent.models.base import ToolCall
from model.library import Library

_PARTS = re.compile(r"[\w\-]+")


def left_untouched(mentions: Mentions, library: Library, calls: Sequence[ToolCall]) -> list[str]:
    """The names in a request that no call uses, in their order.

    Only words that cannot be prose count (``tx_en``, ``DEPTH2``), and no names of components and instances, which a
    request also mentions to say where something is.
    """
    used: set[str] = set()
    for call in calls:
        for value in call.arguments.values():
            used.update(part.casefold() for part in (str(value), *_PARTS.findall(str(value))))
    places = {name.casefold() for component in library for name in (component.vlnv.name, *component.design.instances)}
    places |= {field.casefold() for component in library for field in (component.vlnv.vendor, component.vlnv.library)}
    return [
        word
        for word in mentions.words
        if looks_like_a_name(word)
        and not used.issuperset(part.casefold() for part in _PARTS.findall(word))
        and not any(part.casefold() in places for part in word.split("."))
    ]
