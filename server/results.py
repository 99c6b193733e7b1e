"""What a tool answers: a text that a person and a small model can read, and the same facts as structured content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent

from model.change import Change
from model.errors import DesignError

MAX_LISTED = 200
"""How many elements a result names in each of ``added``, ``changed`` and ``removed``."""

_MAX_MESSAGE = 2000


def accepted(change: Change, **facts: Any) -> CallToolResult:
    """The result of an edit: what it did and what it warned of; ``facts`` are further structured content."""
    message = _clipped(change.summary)
    data = _data(message, change, facts)
    lines = [message]
    lines += [f"Warning ({warning.code}): {warning.message}" for warning in change.warnings]
    return _result("\n".join(lines), data)


def answered(message: str, lines: Iterable[str] = (), **facts: Any) -> CallToolResult:
    """The result of a read: one sentence, then lines of detail in the text and ``facts`` in the structure."""
    return _result("\n".join((message, *lines)), _data(message, Change(), facts))


def refused(error: DesignError) -> CallToolResult:
    """The result of a call that was refused; nothing has changed."""
    message = _clipped(error.message)
    data = {
        "ok": False,
        "code": error.code,
        "message": message,
        "hint": error.hint,
        "suggestions": list(error.suggestions),
    }
    text = DesignError(error.code, f"Refused ({error.code}): {message}", error.hint, error.suggestions)
    return CallToolResult(content=[TextContent(type="text", text=str(text))], structured_content=data, is_error=True)


def _result(text: str, data: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=data)


def _data(message: str, change: Change, facts: Mapping[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = {"ok": True, "message": message}
    left_out = 0
    for key, elements in (("added", change.added), ("changed", change.changed), ("removed", change.removed)):
        data[key] = [str(element) for element in elements[:MAX_LISTED]]
        left_out += max(0, len(elements) - MAX_LISTED)
    if left_out:
        data["elements_left_out"] = left_out
    data["warnings"] = [{"code": warning.code, "message": warning.message} for warning in change.warnings]
    return data | dict(facts)


def _clipped(text: str) -> str:
    return text if len(text) <= _MAX_MESSAGE else text[: _MAX_MESSAGE - 1] + "…"
