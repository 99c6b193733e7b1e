"""The model's own notation of calls, and the way between it and the tools' contract.

Three things differ from the contract, because a small model gets them right far more often so: an end of a connection
is written ``instance.port``, a new component is written as one VLNV like every other, and an argument without a value
is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.models.base import ToolCall

_FIELDS = ("vendor", "library", "name", "version")
_SIDES = ("source", "target")


def contract_call(planned: Mapping[str, Any]) -> ToolCall:
    """Turn a planned call into one with the contract's arguments."""
    arguments = {name: value for name, value in planned.items() if name != "tool"}
    tool = str(planned["tool"])
    if tool == "create_component" and "component" in arguments:
        fields = str(arguments.pop("component")).split(":")
        arguments = dict(zip(_FIELDS, fields, strict=False)) | arguments
    for side in _SIDES:
        end = arguments.pop(side, None)
        if end is not None:
            instance, dot, port = str(end).partition(".")
            arguments[f"{side}_instance"] = instance if dot else ""
            arguments[f"{side}_port"] = port if dot else instance
    return ToolCall(tool, arguments)


def noted(call: ToolCall) -> dict[str, Any]:
    """Write a call of the contract down in the model's notation; the inverse of :func:`contract_call`."""
    arguments = {name: value for name, value in call.arguments.items() if value not in ("", False)}
    written: dict[str, Any] = {"tool": call.name}
    if call.name == "create_component":
        written["component"] = ":".join(str(arguments.pop(field, "")) for field in _FIELDS)
    elif call.name == "add_subcomponent_connection":
        written["component"] = arguments.pop("component", "")
        for side in _SIDES:
            ends = (arguments.pop(f"{side}_instance", ""), arguments.pop(f"{side}_port", ""))
            written[side] = ".".join(str(end) for end in ends if end)
    return written | arguments
