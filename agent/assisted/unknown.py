"""The names of a request that mean nothing: neither in the design nor about to be made.

Decoding that is held to existing names would turn a request about an unknown thing into a valid edit of something else;
so the request's own names are checked first.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.assisted.mentions import Mentions
from agent.assisted.spelling import closest
from agent.models.base import ToolCall
from model.elements import Component
from model.errors import nearest
from model.library import Library

MOST_NAMED = 12
FILE_ENDINGS = {"xml", "sv", "v", "vhd"}


def unknown_names(
    mentions: Mentions, library: Library, about: Sequence[Component], calls: Sequence[ToolCall]
) -> list[str]:
    """Say, a sentence each, which VLNVs and instances the request names without anybody knowing them."""
    return [*_unknown_components(mentions, library, calls), *_unknown_instances(mentions, library, about, calls)]


def _unknown_components(mentions: Mentions, library: Library, calls: Sequence[ToolCall]) -> list[str]:
    known = [str(component.vlnv) for component in library]
    made = {
        ":".join(str(call.arguments.get(part, "")) for part in ("vendor", "library", "name", "version"))
        for call in calls
        if call.name == "create_component"
    }
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
        is_end = dot and port and "." not in port and len(instance) > 1 and not others & {word, port}
        is_known = instance in instances | made or closest(instance, instances) is not None
        if is_end and not is_known and port.casefold() not in FILE_ENDINGS:
            unknown[instance] = None
    where = ", ".join(str(parent.vlnv) for parent in parents)
    there = f" It has {', '.join(sorted(instances)[:MOST_NAMED])}."
    return [f"There is no instance {name} in {where}." + (_did_you_mean(name, instances) or there) for name in unknown]


def _did_you_mean(name: str, candidates: Sequence[str] | set[str]) -> str:
    near = nearest(name, sorted(candidates))
    return f" Did you mean {' or '.join(near)}?" if near else ""
