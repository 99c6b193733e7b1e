"""The names of a request that mean nothing: neither in the design nor about to be made.

Decoding that is held to existing names would turn a request about an unknown thing into a valid edit of something else;
so the request's own names are checked first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.assisted.evidence import asks_for, gives_fields_apart
from agent.assisted.mentions import Mentions
from agent.assisted.order import vlnv_made
from agent.assisted.spelling import closest
from agent.assisted.state import names_of
from agent.models.base import ToolCall
from model.elements import Component
from model.errors import nearest
from model.library import Library

MOST_NAMED = 12
_IN_A_SERIES = re.compile(r"(\w*[a-z]_?)(?:\d+|(?<=_)[a-z])")
_NAME = re.compile(r"[A-Za-z_]\w*")
FILE_ENDINGS = {"xml", "sv", "v", "vhd"}


def unknown_names(
    mentions: Mentions, library: Library, about: Sequence[Component], calls: Sequence[ToolCall]
) -> list[str]:
    """Say, a sentence each, which components and instances the request names without anybody knowing them."""
    return [
        *_unknown_components(mentions, library, calls),
        *_unknown_instances(mentions, library, about, calls),
        *_unknown_siblings(mentions, library, about, calls),
        *_unasked_creations(mentions, library, calls),
    ]


def _unknown_components(mentions: Mentions, library: Library, calls: Sequence[ToolCall]) -> list[str]:
    if any(call.name == "load_component" for call in calls):
        return []  # the file may bring them; the dry run loads it
    known = [str(component.vlnv) for component in library]
    made = {vlnv_made(call) for call in calls if call.name == "create_component"}
    return [
        f"There is no component {text}." + _did_you_mean(text, known)
        for text in mentions.vlnvs
        if text not in known and text not in made and closest(text, known) is None
    ]


def _unknown_instances(
    mentions: Mentions, library: Library, about: Sequence[Component], calls: Sequence[ToolCall]
) -> list[str]:
    parents = [component for component in about if component.design.instances]
    if not parents:
        return []
    instances = {name for parent in parents for name in parent.design.instances}
    made = {str(call.arguments["instance_name"]) for call in calls if call.name == "add_subcomponent"}
    # A dotted word may be a vendor, a library or a file as well.
    others = {field for component in library for field in (component.vlnv.vendor, component.vlnv.library)}
    unknown: dict[str, None] = {}
    for word in mentions.words:
        instance, dot, port = word.partition(".")
        is_end = dot and _NAME.fullmatch(port) and len(instance) > 1 and not others & {word, port}  # v0.4 is none
        is_known = instance in instances | made or closest(instance, instances) is not None
        if is_end and not is_known and port.casefold() not in FILE_ENDINGS:
            unknown[instance] = None
    where = ", ".join(str(parent.vlnv) for parent in parents)
    there = f" It has {', '.join(sorted(instances)[:MOST_NAMED])}."
    return [f"There is no instance {name} in {where}." + (_did_you_mean(name, instances) or there) for name in unknown]


def _unknown_siblings(
    mentions: Mentions, library: Library, about: Sequence[Component], calls: Sequence[ToolCall]
) -> list[str]:
    """Words such as ``chan_d`` where there are components ``chan_a`` to ``chan_c``, and no call makes or uses one."""
    elements = {name for component in about for name in names_of(component)}
    used = " ".join(str(value) for call in calls for value in call.arguments.values()).casefold()
    kinds = {
        "component": {component.vlnv.name for component in library},
        "instance": {name for component in about for name in component.design.instances},
    }
    found: list[str] = []
    for word in mentions.words:
        if word in elements | kinds["component"] or word.casefold() in used:
            continue
        for kind, names in kinds.items():
            if (stem := _series(word)) and any(_series(name) == stem for name in names):
                found.append(f"There is no {kind} {word}." + _did_you_mean(word, names))
                break
    return found


def _unasked_creations(mentions: Mentions, library: Library, calls: Sequence[ToolCall]) -> list[str]:
    """New components of calls where the request takes them for existing ones ("chan_d needs an output")."""
    is_asked = asks_for("create_component", mentions.text) or gives_fields_apart(mentions.text)
    if mentions.ask_by_pattern or is_asked:
        return []
    names = [str(call.arguments.get("name", "")) for call in calls if call.name == "create_component"]
    written_out = {text.split(":")[2] for text in mentions.vlnvs}
    known = {component.vlnv.name for component in library}
    return [f"There is no component {name}." + _did_you_mean(name, known) for name in names if name not in written_out]


def _series(name: str) -> str:
    """What the names of a numbered or lettered series share: ``chan_`` of ``chan_a``; "" for any other name."""
    match = _IN_A_SERIES.fullmatch(name.casefold())
    return match[1] if match else ""


def _did_you_mean(name: str, candidates: Sequence[str] | set[str]) -> str:
    near = nearest(name, sorted(candidates))
    return f" Did you mean {' or '.join(near)}?" if near else ""
