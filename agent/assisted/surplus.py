"""Tells which calls of a plan may simply be left out when the dry run refuses them.

A small model that has planned what was asked likes to go on: the clock is connected, so it connects the interrupts too.
Asked to correct such a call, it corrects others.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.assisted.correction import find_component
from agent.assisted.evidence import asks_for, speaks_of_a_series
from agent.assisted.mentions import Mentions
from agent.assisted.order import FILLS
from agent.assisted.purposes import purposes_of, purposes_said
from agent.models.base import ToolCall
from model.elements import SignalPort
from model.library import Library

_SIDES = ("source", "target")
CONNECTS = "add_subcomponent_connection"


def is_surplus(call: ToolCall, plan: Sequence[ToolCall], mentions: Mentions) -> bool:
    """Whether nothing in the request speaks for a call of a plan that cannot be carried out.

    That is so

    - where it has a word for another call of the plan and none for this;
    - for a connection of ports that it does not name, beside one of ports that it does;
    - for a component put into itself, beside another addition, under that one's name or one that it does not say;
    - for what is added to a component that the plan only places, or under a name that it does not say.
    """
    if not asks_for(call.name, mentions.text) and any(asks_for(other.name, mentions.text) for other in plan):
        return True
    if call.name == CONNECTS:
        return joins_what_nobody_named(call, plan, mentions)
    if call.name == "add_subcomponent" and call.arguments["component"] == call.arguments["subcomponent"]:
        names = [name for other in plan if other != call for name in _added(other)]
        instance = str(call.arguments["instance_name"])
        return instance in names or (bool(names) and not mentions.has(instance))
    if call.name in FILLS:
        named = [mentions.has(str(other.arguments["name"])) for other in plan if other.name in FILLS]
        is_said = mentions.has(str(call.arguments["name"])) or mentions.ask_by_pattern or not any(named)
        return not is_said or any(other.arguments.get("subcomponent") == call.arguments["component"] for other in plan)
    return False


def is_there_already(call: ToolCall, plan: Sequence[ToolCall], library: Library) -> bool:
    """Whether a call makes what exists: an instance of that component, or a port that the plan is to connect."""
    component = find_component(library, str(call.arguments.get("component", "")))
    if call.name == "add_subcomponent" and component is not None:
        instance = component.design.instances.get(str(call.arguments["instance_name"]))
        return instance is not None and str(instance.component) == call.arguments["subcomponent"]
    port = component.ports.get(str(call.arguments.get("name", ""))) if component is not None else None
    if call.name != "add_signal_port" or not isinstance(port, SignalPort):
        return False
    connections = [
        other
        for other in plan
        if other.name == CONNECTS and other.arguments["component"] == call.arguments["component"]
    ]
    is_joined = any(("", call.arguments["name"]) in ends(other) for other in connections)
    return is_joined and port.direction == call.arguments["direction"]


def is_of_what_is_deleted(call: ToolCall, plan: Sequence[ToolCall]) -> bool:
    """Whether a call places a component that another call of the plan deletes."""
    deleted = {other.arguments["component"] for other in plan if other.name == "delete_component"}
    return call.name == "add_subcomponent" and call.arguments["subcomponent"] in deleted


def has_a_better_sibling(call: ToolCall, plan: Sequence[ToolCall], mentions: Mentions) -> bool:
    """Whether another connection of a plan leads to an end of this one, and the request speaks of that one only.

    "Bring the interrupt of the UART out on uart_irq": a small model tries the UART's clock and reset, too.
    """
    if call.name != CONNECTS:
        return False
    mine = set(ends(call))
    others = [set(ends(other)) for other in plan if other.name == CONNECTS and other != call]
    return any(
        mine & theirs
        and any(is_spoken_of(port, mentions) for _instance, port in theirs - mine)
        and not any(is_spoken_of(port, mentions) for _instance, port in mine - theirs)
        for theirs in others
    )


def additions_unsaid(calls: Sequence[ToolCall], mentions: Mentions) -> list[ToolCall]:
    """Additions under names that a request does not say, in a plan with some that it does say.

    "The top wants clk and rst_n as well": a small model goes on to fill it with instances.
    """
    names = {place: _added(call) for place, call in enumerate(calls) if call.name in (*FILLS, "add_subcomponent")}
    said = {place for place, words in names.items() if any(mentions.has(word) for word in words)}
    if not said or mentions.ask_for_the_like or speaks_of_a_series(mentions.text):
        return []
    return [calls[place] for place in names if place not in said]


def _added(call: ToolCall) -> list[str]:
    """The name of what a call adds, if anything; an instance may also be said by its component."""
    if call.name in FILLS:
        return [str(call.arguments["name"])]
    if call.name != "add_subcomponent":
        return []
    component = str(call.arguments["subcomponent"])
    return [str(call.arguments["instance_name"]), component, *component.split(":")[2:3]]


def is_spoken_of(port: str, mentions: Mentions) -> bool:
    """Whether a request names a port, or says what it is for."""
    return port.casefold() in _last_words(mentions) or _has_a_word_for(port, mentions)


def ends(connection: ToolCall) -> list[tuple[str, str]]:
    """Source and target of a connection: an instance, or "" for an own port, and a port."""
    arguments = connection.arguments
    return [(str(arguments.get(f"{side}_instance", "")), str(arguments.get(f"{side}_port", ""))) for side in _SIDES]


def in_words(call: ToolCall) -> str:
    """What a call is about, for the user."""
    arguments = call.arguments
    if call.name == CONNECTS:
        ends = [f"{arguments.get(f'{side}_instance', '')}.{arguments[f'{side}_port']}".lstrip(".") for side in _SIDES]
        return f"connection of {' and '.join(ends)}"
    name = next((arguments[key] for key in ("instance_name", "name", "path") if key in arguments), "")
    told = f"{call.name} '{name}'" if name else call.name
    return f"{told} in {arguments['component']}" if "component" in arguments else told


def joins_what_nobody_named(call: ToolCall, plan: Sequence[ToolCall], mentions: Mentions) -> bool:
    """Whether a request names neither port of a connection, and both of another in the same plan."""
    if call.name != CONNECTS:
        return False
    others = [other for other in plan if other.name == CONNECTS and other != call]
    is_spoken_of = any(_ports_named(other, mentions) == 2 for other in others)
    return is_spoken_of and not _ports_named(call, mentions) and not mentions.ask_by_pattern


def connections_unasked(calls: Sequence[ToolCall], mentions: Mentions) -> list[ToolCall]:
    """Connections in a plan for a request that has no word for connecting: those of which it names neither port.

    "Instantiate X in Y as u_x": a small model goes on to wire what it has placed.
    """
    if asks_for(CONNECTS, mentions.text) or mentions.ask_by_pattern:
        return []
    return [
        call
        for call in calls
        if call.name == CONNECTS and not _ports_named(call, mentions) and not is_meant_by_a_word(call, mentions)
    ]


def is_meant_by_a_word(connection: ToolCall, mentions: Mentions) -> bool:
    """Whether a request may mean a port of a connection by what such ports are for ("the reset")."""
    return any(_has_a_word_for(str(connection.arguments.get(f"{side}_port", "")), mentions) for side in _SIDES)


def _has_a_word_for(port: str, mentions: Mentions) -> bool:
    return bool(purposes_of(port) & purposes_said(mentions))


def _ports_named(connection: ToolCall, mentions: Mentions) -> int:
    """How many of a connection's ports stand in the request, alone or behind their instance."""
    words = _last_words(mentions)
    return sum(str(connection.arguments.get(f"{side}_port", "")).casefold() in words for side in _SIDES)


def _last_words(mentions: Mentions) -> set[str]:
    return {word.rpartition(".")[2].casefold() for word in mentions.words}
