"""Requests for another server's tools: planned with constrained decoding, made, and planned again where refused."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from agent.assisted.answers import parsed
from agent.assisted.number_words import with_numbers_as_digits
from agent.host import Answer, Host
from agent.models.base import ChatOptions, LanguageModel, Message, ToolCall, ToolSpec, Usage
from agent.react import last_turn
from agent.toolbox import ToolResult

MOST_CALLS = 8
MOST_TOLD = 1500  # characters of results in the answer and in a prompt; whoever watches sees all of them
ROUNDS = 3  # plans for one request: a refused call is planned again, and so is all that comes after it

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ForeignExchange:
    """An earlier request for a server, and the calls that it accepted."""

    request: str
    calls: tuple[ToolCall, ...]

    @property
    def answer(self) -> str:
        """The calls as the model would have written them."""
        return json.dumps({"calls": [{"tool": call.name, **call.arguments} for call in self.calls]})

    @classmethod
    def of(cls, request: str, answer: str) -> ForeignExchange:
        """Read an exchange back from its request and its :attr:`answer`."""
        calls = json.loads(answer)["calls"]
        return cls(request, tuple(_call(written) for written in calls))


def opening(tools: Sequence[ToolSpec]) -> Message:
    """The system prompt for a server's tools: the same for every request."""
    return Message("system", _instructions() + "\n".join(_line(tool) for tool in tools))


async def carry_out(
    request: str,
    earlier: Sequence[ForeignExchange],
    tools: Sequence[ToolSpec],
    model: LanguageModel,
    options: ChatOptions,
    host: Host,
) -> tuple[Answer, tuple[ToolCall, ...]]:
    """Plan calls and make them; where one is refused, plan again with the server's reason.

    Returns:
        The answer, and the calls that were accepted.
    """
    messages = [opening(tools)]
    for exchange in earlier:
        messages += [Message("user", f"Request: {exchange.request}"), Message("assistant", exchange.answer)]
    messages.append(Message("user", f"Request: {request}"))
    usage = Usage()
    done: list[tuple[ToolCall, ToolResult]] = []
    refused = ""
    for number in range(ROUNDS):
        asked = replace(options, response_schema=_answer_schema(tools, may_be_empty=number == 0 or bool(done)))
        turn = await last_turn(model.chat(messages, (), asked), host, as_thinking=True)
        usage += turn.usage
        plan = parsed(turn.text)
        messages.append(Message("assistant", turn.text))
        calls = [_without_unasked(_call(written), tools, request) for written in plan["calls"]]
        if not calls and not done:
            return Answer(str(plan.get("refusal") or "None of its tools does this."), "refused", usage), ()
        refused, made = await _made(calls, host)
        done += made
        if not refused:
            break
        messages.append(Message("user", _objection(made, refused)))
    accepted = tuple(call for call, _result in done)
    if refused:
        return Answer(refused, "refused", usage), accepted
    told = "\n\n".join(result.text for _call, result in done)
    return Answer(told if len(told) <= MOST_TOLD else f"{told[:MOST_TOLD]} …", "done", usage), accepted


async def _made(calls: Sequence[ToolCall], host: Host) -> tuple[str, list[tuple[ToolCall, ToolResult]]]:
    """Make calls up to the first that is refused; return why it was, and those before it."""
    made: list[tuple[ToolCall, ToolResult]] = []
    for call in calls:
        result = await host.call(call)
        if not result.ok:
            return result.text, made
        made.append((call, result))
    return "", made


def _objection(made: Sequence[tuple[ToolCall, ToolResult]], refused: str) -> str:
    lines = [f"{call.name} is done: {result.text[: MOST_TOLD // 4]}" for call, result in made]
    lines.append(f"The next call was refused: {refused[:MOST_TOLD]}")
    return "\n".join([*lines, "Give the calls that are still to be made, corrected; none if that cannot be done."])


def _without_unasked(call: ToolCall, tools: Sequence[ToolSpec], request: str) -> ToolCall:
    """Drop optional arguments whose value does not stand in the request: a small model fills in what it can."""
    spec = next(tool for tool in tools if tool.name == call.name)
    required = set(spec.parameters.get("required", ()))
    text = with_numbers_as_digits(request).casefold()
    kept = {
        name: value
        for name, value in call.arguments.items()
        if name in required
        or all(_stands_in(str(each), text) for each in (value if isinstance(value, list) else [value]))
    }
    return ToolCall(call.name, kept)


def _stands_in(value: str, text: str) -> bool:
    return bool(value) and re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", text) is not None


def _answer_schema(tools: Sequence[ToolSpec], *, may_be_empty: bool) -> Schema:
    calls: Schema = {"type": "array", "items": {"anyOf": [_branch(tool) for tool in tools]}, "maxItems": MOST_CALLS}
    properties = {"calls": calls}
    if may_be_empty:
        properties["refusal"] = {"type": "string", "maxLength": 160}
    else:
        calls["minItems"] = 1
    return {"type": "object", "properties": properties, "required": ["calls"], "additionalProperties": False}


def _branch(tool: ToolSpec) -> Schema:
    properties: Schema = {"tool": {"const": tool.name}}
    for name, declared in tool.parameters.get("properties", {}).items():
        properties[name] = _value_schema(declared)
    required = ["tool", *tool.parameters.get("required", ())]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _value_schema(declared: Mapping[str, Any]) -> Schema:
    """What decoding understands of an argument's schema: its type, its choices, and those of a list's items."""
    for choice in declared.get("anyOf", ()):
        if choice.get("type") != "null":
            return _value_schema(choice)
    if "enum" in declared:
        return {"enum": [value for value in declared["enum"] if value != ""]}
    kind = declared.get("type", "string")
    if kind == "array":
        return {"type": "array", "items": _value_schema(declared.get("items", {})), "minItems": 1, "maxItems": 32}
    if kind in {"integer", "number", "boolean"}:
        return {"type": kind}
    return {"type": "string", "minLength": 1, "maxLength": 200}


def _line(tool: ToolSpec) -> str:
    required = set(tool.parameters.get("required", ()))
    names = ", ".join(name if name in required else f"{name}?" for name in tool.parameters.get("properties", {}))
    return f"{tool.name}({names}) - {' '.join(tool.description.split())}"


def _call(written: Mapping[str, Any]) -> ToolCall:
    return ToolCall(str(written["tool"]), {name: value for name, value in written.items() if name != "tool"})


@cache
def _instructions() -> str:
    return (files("resources") / "prompts" / "other-server.md").read_text("utf-8")
