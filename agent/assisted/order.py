"""Brings calls into an order in which they can be carried out: what makes something before what uses it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.models.base import ToolCall

FIELDS = ("vendor", "library", "name", "version")
FILLS = ("add_signal_port", "add_transactional_port", "add_user_parameter", "add_generator_parameter")


def makers_first(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return the calls in their order, but each behind those that make what it refers to."""
    makers = {made: call for call in reversed(calls) if (made := _made(call)) is not None}
    ordered: list[ToolCall] = []
    waiting: list[ToolCall] = []

    def place(call: ToolCall) -> None:
        if call in ordered or call in waiting:
            return
        waiting.append(call)
        for need in _needs(call):
            if need in makers and makers[need] is not call:
                place(makers[need])
        waiting.remove(call)
        ordered.append(call)

    for call in calls:
        place(call)
    return tuple(ordered)


def vlnv_made(creation: ToolCall) -> str:
    """The VLNV of the component that a call of ``create_component`` makes."""
    return ":".join(str(creation.arguments.get(field)) for field in FIELDS)


def _made(call: ToolCall) -> tuple[str, str, str] | None:
    """What a call makes: its component, and the kind and name of what is in it."""
    component = str(call.arguments.get("component", ""))
    if call.name == "create_component":
        return vlnv_made(call), "", ""
    if call.name == "add_subcomponent":
        return component, "instance", str(call.arguments.get("instance_name"))
    if call.name in FILLS:
        kind = "port" if call.name.endswith("port") else "parameter"
        return component, kind, str(call.arguments.get("name"))
    return None


def _needs(call: ToolCall) -> list[tuple[str, str, str]]:
    """What a call refers to, in the terms of :func:`_made`."""
    arguments = {name: str(value) for name, value in call.arguments.items()}
    component = arguments.get("component", "")
    found = [(component, "", ""), (arguments.get("subcomponent", ""), "", "")]
    if call.name == "add_subcomponent_connection":
        for side in ("source", "target"):
            instance, port = arguments.get(f"{side}_instance", ""), arguments.get(f"{side}_port", "")
            found.append((component, "instance", instance) if instance else (component, "port", port))
    elif call.name in FILLS:
        texts = " ".join(arguments.get(name, "") for name in ("width", "left", "right", "bus_width", "value"))
        found += [(component, "parameter", name) for name in re.findall(r"[A-Za-z_]\w*", texts)]
    return found
