"""Puts in front of a plan what its calls need and the request introduces: a component, an instance."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.assisted.ends import placed_instances
from agent.assisted.mentions import Mentions
from agent.models.base import ToolCall
from model.library import Library

_FILLS = ("add_signal_port", "add_transactional_port", "add_user_parameter", "add_generator_parameter")
_FIELDS = ("vendor", "library", "name", "version")
# "a small test chip, VLNV", "another block called VLNV", "new: VLNV", but not "an output to VLNV".
_NO_PLACE = r"(?!(?:to|in|into|on|onto|of|from|inside|within|for|at)\b)"
_INTRODUCED = rf"\b(?:an?|another|new)\b[\s:,(]*(?:{_NO_PLACE}[\w\-/]+[\s:,(]+){{0,6}}[`'\"“]?"


def with_creation(calls: Sequence[ToolCall], mentions: Mentions, library: Library) -> tuple[ToolCall, ...]:
    """Return the calls, led by ``create_component`` for a component that they fill and that the request introduces.

    A small model likes to begin with the ports. "A test chip, VLNV" introduces what is to be made; "an input on VLNV"
    takes it for something that exists.
    """
    made = {":".join(str(call.arguments.get(field)) for field in _FIELDS) for call in calls}
    known = {str(component.vlnv) for component in library}
    filled = [str(call.arguments.get("component")) for call in calls if call.name in _FILLS]
    missing = [text for text in mentions.vlnvs if text in filled and text not in known | made]
    creations = [
        ToolCall("create_component", dict(zip(_FIELDS, text.split(":"), strict=True)))
        for text in missing
        if re.search(_INTRODUCED + re.escape(text), mentions.text, re.IGNORECASE)
    ]
    return (*creations, *_placements(calls, mentions, library), *calls)


def _placements(calls: Sequence[ToolCall], mentions: Mentions, library: Library) -> list[ToolCall]:
    """The instances that calls connect, that the request places, and that no call makes."""
    placed = dict(placed_instances(mentions.text, library))
    there = {(str(component.vlnv), name) for component in library for name in component.design.instances}
    there |= {(str(call.arguments.get("component")), str(call.arguments.get("instance_name"))) for call in calls}
    found: dict[tuple[str, str], ToolCall] = {}
    for call in calls:
        for side in ("source_instance", "target_instance"):
            parent, name = str(call.arguments.get("component", "")), str(call.arguments.get(side, ""))
            if name in placed and (parent, name) not in there:
                found[parent, name] = ToolCall(
                    "add_subcomponent",
                    {"component": parent, "subcomponent": str(placed[name].vlnv), "instance_name": name},
                )
    return list(found.values())
