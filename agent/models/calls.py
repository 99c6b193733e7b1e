"""Tool calls that a model wrote as text, in its own format and no other.

Source: evaluation protocol, "faithful mode": ``<tool_call>`` blocks, or a message that is nothing but one JSON call,
fenced or not. Anything more lenient belongs to the assisted mode.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from agent.models.base import ToolCall

_BLOCK = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)


def find_calls(text: str) -> tuple[ToolCall, ...]:
    """The calls that ``text`` makes, in order; empty if it makes none or one of its blocks cannot be read."""
    blocks = _BLOCK.findall(text)
    if not blocks:
        fenced = _FENCED.fullmatch(text.strip())
        blocks = [fenced.group(1) if fenced else text]
    calls = [_read_call(block) for block in blocks]
    found = tuple(call for call in calls if call is not None)
    return found if len(found) == len(calls) else ()


def without_calls(text: str) -> str:
    """``text`` without the calls that it makes: what belongs beside them in a conversation."""
    if not find_calls(text):
        return text
    return _BLOCK.sub("", text).strip() if _BLOCK.search(text) else ""


def looks_like_call(text: str) -> bool:
    """Whether ``text`` was meant as a tool call, well-formed or not."""
    return "<tool_call>" in text or ('"name"' in text and ('"arguments"' in text or '"parameters"' in text))


def call_was_lost(text: str, calls: tuple[ToolCall, ...], completion_tokens: int) -> bool:
    """Whether an answer to a prompt with tools lost a call: tokens were written, but neither a call nor plain text."""
    return not calls and completion_tokens > 0 and (not text.strip() or looks_like_call(text))


def _read_call(text: str) -> ToolCall | None:
    try:
        value: Any = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or set(value) != {"name", "arguments"}:
        return None
    name, arguments = value["name"], value["arguments"]
    if not isinstance(name, str) or not name or not isinstance(arguments, dict):
        return None
    return ToolCall(name, arguments)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
