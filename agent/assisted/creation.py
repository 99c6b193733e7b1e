"""Puts in front of a plan what its calls need and the request introduces: a component, an instance."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.assisted.ends import placed_instances
from agent.assisted.mentions import Mentions
from agent.assisted.order import FIELDS, FILLS, makers_first, vlnv_made
from agent.models.base import ToolCall
from model.library import Library

_HOLDS = ("add_subcomponent", "add_subcomponent_connection")
# "a small test chip, VLNV", "another block called VLNV", "new: VLNV", but not "an output to VLNV".
_NO_PLACE = r"(?!(?:to|in|into|on|onto|of|from|inside|within|for|at)\b)"
_INTRODUCED = rf"\b(?:an?|another|new|next)\b[\s:,(]*(?:{_NO_PLACE}[\w\-/]+[\s:,(]+){{0,6}}[`'\"“]?"
_OPENED = (
    r"\b(?:create|make|open|start|define|set\s+up|build|introduce|begin)\s+(?:(?:with|the|component|block)\s+)*[`'\"“]?"
)
_WIDTH_BEFORE = re.compile(r"\b(?P<width>\w+)[\s-]bits?(?:\s+wide)?\s+$", re.IGNORECASE)
_WIDTH_BEHIND = re.compile(r"[`'\"”]?\s*(?:,|\(|of|with|is)?\s*(?P<width>\w+)[\s-]bits?\b", re.IGNORECASE)
_DIRECTION = r"\b(?P<direction>input|output|inout)\s+(?:(?:port|pin|signal)\s+)?(?:(?:called|named)\s+)?[`'\"“]?"


def with_creation(calls: Sequence[ToolCall], mentions: Mentions, library: Library) -> tuple[ToolCall, ...]:
    """Return the calls behind those that make what they need and the request introduces.

    A small model likes to begin with the ports. "A test chip, VLNV" and "open VLNV" introduce what is to be made; "an
    input on VLNV" takes it for something that exists. So do "instance u_x of VLNV" and "input scan_en" for what calls
    connect.
    """
    made = {vlnv_made(call) for call in calls if call.name == "create_component"}
    known = {str(component.vlnv) for component in library}
    filled = [str(call.arguments.get("component")) for call in calls if call.name in (*FILLS, *_HOLDS)]
    missing = [text for text in mentions.vlnvs if text in filled and text not in known | made]
    creations = [
        ToolCall("create_component", dict(zip(FIELDS, text.split(":"), strict=True)))
        for text in missing
        if is_introduced(text, mentions)
    ]
    needed = (*_placements(calls, mentions, library), *_own_ports(calls, mentions, library))
    return makers_first((*creations, *needed, *calls))


def is_introduced(vlnv: str, mentions: Mentions) -> bool:
    """Whether a request speaks of a component as of something that is to be made."""
    return re.search(rf"(?:{_INTRODUCED}|{_OPENED}){re.escape(vlnv)}", mentions.text, re.IGNORECASE) is not None


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


def _width(request: str, start: int, end: int) -> dict[str, str]:
    """The width that a request gives right before or behind a port: "a 32-bit input d", "input d of 32 bits"."""
    said = _WIDTH_BEFORE.search(request[:start]) or _WIDTH_BEHIND.match(request, end)
    return {"width": said["width"]} if said is not None and said["width"] != "1" else {}


def _own_ports(calls: Sequence[ToolCall], mentions: Mentions, library: Library) -> list[ToolCall]:
    """The ports of the enclosing component that calls connect, that the request introduces, and that no call makes."""
    there = {(str(component.vlnv), name) for component in library for name in component.ports}
    there |= {
        (str(call.arguments.get("component")), str(call.arguments.get("name"))) for call in calls if call.name in FILLS
    }
    found: dict[tuple[str, str], ToolCall] = {}
    for call in calls:
        for side in ("source", "target"):
            parent, name = str(call.arguments.get("component", "")), str(call.arguments.get(f"{side}_port", ""))
            said = (
                re.search(rf"{_DIRECTION}{re.escape(name)}\b(?![.:]\w)", mentions.text, re.IGNORECASE) if name else None
            )
            if said and not call.arguments.get(f"{side}_instance") and (parent, name) not in there:
                direction = said["direction"].casefold().removesuffix("put")
                port = {"component": parent, "name": name, "direction": direction}
                found[parent, name] = ToolCall("add_signal_port", port | _width(mentions.text, *said.span()))
    return list(found.values())
