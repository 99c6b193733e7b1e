"""Which names of a request its plan leaves untouched."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.assisted.mentions import VLNV, Mentions, is_named
from agent.assisted.spelling import closest
from agent.assisted.state import names_of
from agent.models.base import ToolCall
from model.library import Library

_PARTS = re.compile(r"[\w\-]+")
_LETTERS = re.compile(r"[A-Z]+")
# As an order: behind the beginning of a sentence or of another order.
_ORDER = r"(?:^|[.;:!?]\s+|,\s+|\b(?:and|then|that|please)\s+){verb}\s+(?!for\b|me\b)\w"
_ORDERS = {
    "save": frozenset({"save_component"}),
    "load": frozenset({"load_component"}),
    "delete": frozenset({"delete_element", "delete_component"}),
}
_PATH = re.compile(r"[\w.\-/\\]*\w\.xml\b", re.IGNORECASE)


def left_untouched(mentions: Mentions, library: Library, calls: Sequence[ToolCall]) -> list[str]:
    """The names in a request that no call uses, in their order.

    Only names count (``tx_en``, ``DEPTH2``, the word after "port"), and no names of components and instances, which a
    request also mentions to say where something is. Paths of files count as well, and so do the ends
    that it writes out where calls connect.
    """
    used: set[str] = set()
    acronyms: set[str] = set()  # "the ECC" speaks of ``ecc_bch``
    for call in calls:
        for argument, value in call.arguments.items():
            used.update(part.casefold() for part in (str(value), *_PARTS.findall(str(value))))
            if argument in {"component", "subcomponent"}:
                acronyms.update(_LETTERS.findall(str(value).upper()))
    places = {name.casefold() for component in library for name in (component.vlnv.name, *component.design.instances)}
    places |= {field.casefold() for component in library for field in (component.vlnv.vendor, component.vlnv.library)}
    joined = _ends(calls)
    there = places | {
        str(value).casefold() for call in calls for name, value in call.arguments.items() if not _is_new(call, name)
    }

    def is_left(word: str) -> bool:
        if joined and _is_end(word, library, calls):
            return word.casefold() not in joined
        parts = [part.casefold() for part in _PARTS.findall(word)]
        if not is_named(mentions, word) or used.issuperset(parts) or word in acronyms:
            return False
        # A misspelled name of what is there is one as well: which is meant, the calls say.
        return not any(part.casefold() in places or closest(part, there) for part in word.split("."))

    paths = [path for path in named_paths(mentions.text) if path.casefold() not in used]
    return [*(word for word in mentions.words if is_left(word)), *paths]


def unheard_orders(request: str, calls: Sequence[ToolCall]) -> list[tuple[str, frozenset[str]]]:
    """The verbs in a request that just these tools carry out, with the tools, where a plan calls none of them."""
    text = VLNV.sub(" ", request)
    made = {call.name for call in calls}
    return [
        (verb, tools)
        for verb, tools in _ORDERS.items()
        if not made & tools and re.search(_ORDER.format(verb=verb), text, re.IGNORECASE)
    ]


def _is_new(call: ToolCall, argument: str) -> bool:
    """Whether an argument names what the call makes."""
    return argument in {"name", "instance_name"} and call.name.startswith(("add_", "create_"))


def named_paths(request: str) -> list[str]:
    """The files that a request names."""
    return _PATH.findall(request)


def is_path(name: str) -> bool:
    """Whether a name is that of a file."""
    return _PATH.fullmatch(name) is not None


def _ends(calls: Sequence[ToolCall]) -> set[str]:
    """The ends that calls connect, as a request writes them: ``instance.port``."""
    connections = [call.arguments for call in calls if call.name == "add_subcomponent_connection"]
    return {
        f"{connection.get(f'{side}_instance', '')}.{connection.get(f'{side}_port', '')}".casefold()
        for connection in connections
        for side in ("source", "target")
    }


def _is_end(word: str, library: Library, calls: Sequence[ToolCall]) -> bool:
    """Whether a word is ``instance.port`` of an instance that exists or is being made."""
    instance, dot, port = word.partition(".")
    made = any(call.arguments.get("instance_name") == instance for call in calls)
    return bool(dot and port) and (made or any(instance in component.design.instances for component in library))


def nowhere(names: Sequence[str], library: Library, calls: Sequence[ToolCall]) -> list[str]:
    """Which untouched names mean nothing: no element bears them, and no call makes anything that could."""
    if any(call.name.startswith(("add_", "create_", "load_")) for call in calls if not _joins(call)):
        return []
    known = {name.casefold() for component in library for name in names_of(component)}
    known |= {part.casefold() for component in library for part in _LETTERS.findall(component.vlnv.name.upper())}
    return [name for name in names if not any(part.casefold() in known for part in _PARTS.findall(name))]


def _joins(call: ToolCall) -> bool:
    return call.name in {"add_subcomponent_connection", "add_subcomponent"}
