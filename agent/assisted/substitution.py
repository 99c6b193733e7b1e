"""Puts names that a request says in the place of names in a plan that it does not say, where one stands for one.

A small model takes the wrong one of several components or ports that it has been shown, and leaves the right one out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.assisted.correction import find_component
from agent.assisted.mentions import VLNV, Mentions, name_in
from agent.assisted.order import FILLS, vlnv_made
from agent.assisted.purposes import purposes_of, purposes_said
from agent.assisted.surplus import CONNECTS, ends, is_spoken_of
from agent.models.base import ToolCall
from model.difference import elements_of
from model.library import Library


def with_said_names(calls: Sequence[ToolCall], mentions: Mentions, library: Library) -> tuple[ToolCall, ...]:
    """Return the calls with the components, the ends and the deleted component that the request speaks of."""
    said = [_in_the_said_component(call, calls, mentions, library) for call in calls]
    kept = [call for each in said if (call := _with_the_said_deletion(each, said, mentions, library)) is not None]
    meant = [_for_the_said_purpose(call, kept, mentions, library) for call in kept]
    joined = _with_said_ends(meant, mentions, library)
    return tuple(call for place, call in enumerate(joined) if call not in joined[:place])


def _named_beside(name: str, request: str) -> str:
    """The component of "dfi_s on VLNV"; "" where there is none or several."""
    found = (
        re.findall(rf"(?<![\w.:]){re.escape(name)}[`'\"”]?\s+(?:on|of|to|for)\s+({VLNV.pattern})", request)
        if name
        else []
    )
    return found[0].rstrip(".") if len(set(found)) == 1 else ""


def _in_the_said_component(call: ToolCall, plan: Sequence[ToolCall], mentions: Mentions, library: Library) -> ToolCall:
    """Fill the component that the request says beside the name, or the only one that it writes out."""
    component = str(call.arguments.get("component", ""))
    made = {vlnv_made(other) for other in plan if other.name == "create_component"}
    beside = _named_beside(str(call.arguments.get("name", "")), mentions.text) if call.name in FILLS else ""
    if beside and (beside in made or find_component(library, beside) is not None):
        return ToolCall(call.name, {**call.arguments, "component": beside})
    if call.name not in FILLS or len(mentions.vlnvs) != 1 or mentions.ask_for_the_like or component in made:
        return call
    if component in mentions.vlnvs or mentions.has(name_in(component)):
        return call
    return ToolCall(call.name, {**call.arguments, "component": mentions.vlnvs[0]})


def _with_the_said_deletion(
    call: ToolCall, plan: Sequence[ToolCall], mentions: Mentions, library: Library
) -> ToolCall | None:
    """Delete something else than a component that the same plan edits.

    That is the other component that the request writes out; or what stands in the way of an element of the same name,
    of which the request wants another kind ("MAX_OUT is to be a generator parameter"); or nothing: what is deleted
    as a whole needs no edits.
    """
    edits = [other for other in plan if other != call and _component(other) == _component(call)]
    component = find_component(library, _component(call))
    if call.name != "delete_component" or component is None or not edits:
        return call
    used = {str(value) for other in plan for value in other.arguments.values()}
    others = [text for text in mentions.vlnvs if text not in used and find_component(library, text) is not None]
    if len(others) == 1:
        return ToolCall(call.name, {**call.arguments, "component": others[0]})
    kinds = {element.name: element.kind for element, _value in elements_of(component) if not element.view}
    anew = {str(other.arguments["name"]): other.name.removeprefix("add_") for other in edits if other.name in FILLS}
    in_the_way = [name for name, kind in anew.items() if kinds.get(name, kind) != kind]
    if len(in_the_way) != 1:
        return None
    name = in_the_way[0]
    return ToolCall("delete_element", {"component": _component(call), "element_type": kinds[name], "name": name})


def _for_the_said_purpose(call: ToolCall, plan: Sequence[ToolCall], mentions: Mentions, library: Library) -> ToolCall:
    """Join the ports that the request speaks of by what they are for, not one of them to another that it does not.

    "Same thing with the reset", after the clock: a small model changes one end of the earlier connection only.
    """
    said = purposes_said(mentions)
    if call.name != CONNECTS or not said:
        return call
    arguments = dict(call.arguments)
    source, target = ends(call)
    for side, (instance, port), (_instance, other) in (("source", source, target), ("target", target, source)):
        wanted = said & purposes_of(other)
        theirs = purposes_of(port)
        if len(wanted) != 1 or not theirs or theirs & said or mentions.has(port):
            continue
        inside = find_component(library, _placed(instance, call, plan, library) if instance else _component(call))
        fitting = [name for name in inside.ports if wanted & purposes_of(name)] if inside is not None else []
        if len(fitting) == 1:
            arguments[f"{side}_port"] = fitting[0]
    return ToolCall(call.name, arguments)


def _placed(instance: str, call: ToolCall, plan: Sequence[ToolCall], library: Library) -> str:
    """The component of an instance in the component of a call, existing or placed by the plan."""
    parent = find_component(library, _component(call))
    if parent is not None and instance in parent.design.instances:
        return str(parent.design.instances[instance].component)
    placed = (other for other in plan if other.name == "add_subcomponent" and _component(other) == _component(call))
    return next((str(o.arguments["subcomponent"]) for o in placed if o.arguments["instance_name"] == instance), "")


def _with_said_ends(calls: Sequence[ToolCall], mentions: Mentions, library: Library) -> list[ToolCall]:
    """Let the one connection with an end that the request does not say lead to the one own port that it does say."""
    found = list(calls)
    for parent in dict.fromkeys(_component(call) for call in calls if call.name == CONNECTS):
        connections = [call for call in calls if call.name == CONNECTS and _component(call) == parent]
        used = {port for call in connections for instance, port in ends(call) if not instance}
        free = [
            port for port in _own_ports(parent, calls, library) if port not in used and _stands_alone(port, mentions)
        ]
        wrong = [call for call in connections if _wrong_side(call, mentions)]
        if len(free) == len(wrong) == 1:
            side = _wrong_side(wrong[0], mentions)
            kept = {name: value for name, value in wrong[0].arguments.items() if name != f"{side}_instance"}
            found[found.index(wrong[0])] = ToolCall(CONNECTS, {**kept, f"{side}_port": free[0]})
    return found


def _wrong_side(connection: ToolCall, mentions: Mentions) -> str:
    """The side of a connection that the request does not speak of, where it speaks of the other one; else ""."""
    source, target = ends(connection)
    if source == target:
        return "target"
    spoken = [is_spoken_of(port, mentions) for _instance, port in (source, target)]
    return {(True, False): "target", (False, True): "source"}.get((spoken[0], spoken[1]), "")


def _own_ports(parent: str, calls: Sequence[ToolCall], library: Library) -> list[str]:
    component = find_component(library, parent)
    there = list(component.ports) if component is not None else []
    made = [str(call.arguments["name"]) for call in calls if call.name.endswith("_port") and _component(call) == parent]
    return [*there, *made]


def _stands_alone(port: str, mentions: Mentions) -> bool:
    """Whether a request says a port's name as a word of its own, not behind an instance."""
    return re.search(rf"(?<![\w.:]){re.escape(port)}(?![\w:]|\.\w)", mentions.text) is not None


def _component(call: ToolCall) -> str:
    return str(call.arguments.get("component", ""))
