"""Tells which calls of a plan may simply be left out when the dry run refuses them.

A small model that has planned what was asked likes to go on: the clock is connected, so it connects the interrupts too.
Asked to correct such a call, it corrects others.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.assisted.mentions import Mentions
from agent.models.base import ToolCall

_CONNECTS = "add_subcomponent_connection"


def is_surplus(call: ToolCall, plan: Sequence[ToolCall], mentions: Mentions) -> bool:
    """Whether nothing in the request speaks for a call of a plan that cannot be carried out.

    That is so for a connection of ports that the request does not name, beside one of ports that it does; and for a
    component put into itself under a name that another call gives to a port or parameter.
    """
    if call.name == _CONNECTS:
        others = [other for other in plan if other.name == _CONNECTS and other != call]
        is_spoken_of = any(_ports_named(other, mentions) == 2 for other in others)
        return is_spoken_of and not _ports_named(call, mentions) and not mentions.ask_by_pattern
    if call.name == "add_subcomponent" and call.arguments["component"] == call.arguments["subcomponent"]:
        return any(other.arguments.get("name") == call.arguments["instance_name"] for other in plan)
    return False


def _ports_named(connection: ToolCall, mentions: Mentions) -> int:
    """How many of a connection's ports stand in the request, alone or behind their instance."""
    words = {word.rpartition(".")[2].casefold() for word in mentions.words}
    return sum(str(connection.arguments.get(f"{side}_port", "")).casefold() in words for side in ("source", "target"))
