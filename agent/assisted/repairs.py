"""Puts calls right that say where they belong by what else is in the plan, or by what the design holds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from agent.assisted.correction import find_component
from agent.assisted.evidence import asks_for, may_delete
from agent.assisted.inventions import PART, is_a_place
from agent.assisted.mentions import Mentions, is_named, mentioned_components, name_in
from agent.assisted.order import FILLS
from agent.assisted.surplus import CONNECTS, ends
from agent.models.base import ToolCall
from model.difference import elements_of
from model.elements import Component, SignalPort
from model.library import Library

_PORTS = ("add_signal_port", "add_transactional_port")
_LOOKS = re.compile(
    r"\b(?:show|look|tell|read|check|display|print|inspect|describe|what|which|how|pull\s+up|remind|forgot(?:ten)?|recall)\b",
    re.IGNORECASE,
)
# "Soil_probe and valve_drv both need …", "each of a and b gets …".
_EACH = re.compile(r"\b(?:both|each|all\s+(?:two|three|four|five))\b", re.IGNORECASE)
_COMES_OUT = re.compile(r"\b(?:comes?|goes|going|coming|sends?)\s+out\b|\b(?:outputs?|results?)\b", re.IGNORECASE)


def with_own_ports_where_they_are_joined(calls: Sequence[ToolCall], library: Library) -> list[ToolCall]:
    """Add a port to the component in which the plan connects it as an own port, and which has no port of that name.

    "Give the top inputs w0 and w1 and connect them to u_a and u_b": a small model adds them to the block inside.
    """
    wanted: dict[str, set[str]] = {}
    for call in calls:
        if call.name == CONNECTS:
            for instance, port in ends(call):
                if not instance:
                    wanted.setdefault(port, set()).add(str(call.arguments["component"]))
    made = {(str(call.arguments["component"]), str(call.arguments["name"])) for call in calls if call.name in _PORTS}

    def right(call: ToolCall) -> ToolCall:
        name = str(call.arguments.get("name", ""))
        parents = wanted.get(name, set())
        if call.name not in _PORTS or len(parents) != 1 or str(call.arguments["component"]) in parents:
            return call
        (vlnv,) = parents
        parent = find_component(library, vlnv)
        if parent is None or name in parent.ports or (vlnv, name) in made:
            return call
        return ToolCall(call.name, {**call.arguments, "component": vlnv})

    return [right(call) for call in calls]


def with_outputs_as_sources(
    call: ToolCall, library: Library, mentions: Mentions, placed: Mapping[str, str]
) -> ToolCall:
    """Join the one output of an instance that fits, where the request speaks of it as such and a call has its input.

    "What comes out of that one goes into din of u_b": a small model takes the port that it has used last.

    Args:
        placed: the instances that the plan places, each with its component.
    """
    parent = find_component(library, str(call.arguments.get("component", "")))
    if call.name != CONNECTS or parent is None or not _COMES_OUT.search(mentions.text):
        return call
    (source, source_port), (target, target_port) = ends(call)
    one, other = (_inside(name, parent, library, placed) for name in (source, target))
    if one is None or other is None or source == target:
        return call
    first, second = one.ports.get(source_port), other.ports.get(target_port)
    if not isinstance(first, SignalPort) or not isinstance(second, SignalPort):
        return call
    if (first.direction, second.direction) != ("in", "in"):
        return call
    outputs = [
        port.name
        for port in one.ports.values()
        if isinstance(port, SignalPort)
        and port.direction == "out"
        and (port.left, port.right) == (second.left, second.right)
    ]
    return ToolCall(call.name, {**call.arguments, "source_port": outputs[0]}) if len(outputs) == 1 else call


def _inside(instance: str, parent: Component, library: Library, placed: Mapping[str, str]) -> Component | None:
    if instance in placed:
        return find_component(library, placed[instance])
    there = parent.design.instances.get(instance)
    return library.find(there.component) if there is not None else None


def put_into_what_it_goes_into(call: ToolCall, mentions: Mentions) -> ToolCall:
    """Turn an instance round whose component is the one that the request says it goes into.

    "Drop a compressor into the hearing-aid top ha_top": a small model puts the top into the compressor.
    """
    if call.name != "add_subcomponent":
        return call
    outer, inner = str(call.arguments["component"]), str(call.arguments["subcomponent"])
    if not is_a_place(inner, mentions) or is_a_place(outer, mentions):
        return call
    return ToolCall(call.name, {**call.arguments, "component": inner, "subcomponent": outer})


def back_where_it_was(call: ToolCall, before: Sequence[ToolCall], mentions: Mentions) -> ToolCall:
    """Put an instance into the component from which the same plan takes one of its name, unless another is named."""
    if call.name != "add_subcomponent" or mentions.has(name_in(str(call.arguments["component"]))):
        return call
    parents = {
        str(other.arguments["component"])
        for other in before
        if other.name == "delete_element" and other.arguments["name"] == call.arguments["instance_name"]
    }
    return ToolCall(call.name, {**call.arguments, "component": parents.pop()}) if len(parents) == 1 else call


def delete_the_named_part(call: ToolCall, plan: Sequence[ToolCall], library: Library, mentions: Mentions) -> ToolCall:
    """Delete the one element that a request names, where a call deletes the whole component that has it.

    "The user parameter LEGACY_MODE can go from the core."
    """
    component = find_component(library, str(call.arguments.get("component", "")))
    if call.name != "delete_component" or component is None or not PART.search(mentions.text):
        return call
    kinds = {element.name: element.kind for element, _value in elements_of(component) if not element.view}
    used = {str(value) for other in plan if other != call for value in other.arguments.values()}
    named = [name for name in kinds if name in mentions.words and is_named(mentions, name) and name not in used]
    if len(named) != 1:
        return call
    arguments = {"component": str(component.vlnv), "element_type": kinds[named[0]], "name": named[0]}
    return ToolCall("delete_element", arguments)


def for_each_that_is_named(calls: Sequence[ToolCall], library: Library, mentions: Mentions) -> list[ToolCall]:
    """Make for every named component what the plan makes for one of them: "a and b both need EN and MODE"."""
    named = [str(component.vlnv) for component in mentioned_components(library, mentions)]
    wanted = [vlnv for vlnv in named if mentions.has(vlnv) or mentions.has(name_in(vlnv))]
    made = [call for call in calls if call.name in FILLS]
    if not _EACH.search(mentions.text) or len(wanted) < 2 or len(made) != len(calls):
        return list(calls)
    if {str(call.arguments["component"]) for call in made} - set(wanted):
        return list(calls)
    names = list(dict.fromkeys(str(call.arguments["name"]) for call in made))
    if sum(mentions.has(name) for name in names) < len(names):
        return list(calls)
    there = {(str(call.arguments["component"]), str(call.arguments["name"])) for call in made}
    first = {str(call.arguments["name"]): call for call in reversed(made)}
    more = [
        ToolCall(first[name].name, {**first[name].arguments, "component": vlnv})
        for vlnv in wanted
        for name in names
        if (vlnv, name) not in there
    ]
    return [*calls, *more]


def read_what_is_there(call: ToolCall, library: Library, request: str) -> ToolCall:
    """Look at an element that exists, where a call adds it once more and the request has no word for adding.

    "Pull up that parameter, I've forgotten its limits."
    """
    component = find_component(library, str(call.arguments.get("component", "")))
    if component is None or not call.name.startswith("add_") or "name" not in call.arguments:
        return call
    kinds = {element.name: element.kind for element, _value in elements_of(component) if not element.view}
    name = str(call.arguments["name"])
    if kinds.get(name) != call.name.removeprefix("add_") or not _LOOKS.search(request) or asks_for(call.name, request):
        return call
    if may_delete(request) or asks_for(CONNECTS, request):
        return call
    return ToolCall("get_element", {"component": str(component.vlnv), "element_type": kinds[name], "name": name})
