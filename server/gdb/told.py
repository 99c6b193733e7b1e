"""What the debugger's records say, in words and as facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mcp.types import CallToolResult, TextContent

from server.gdb.process import Stop

MAX_VALUE = 1000
"""How much of one value is told, in characters."""


def told(message: str, lines: Iterable[str] = (), **facts: Any) -> CallToolResult:
    """A result: one sentence, then lines of detail in the text and ``facts`` in the structure."""
    text = "\n".join((message, *lines))
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content={"ok": True, "message": message} | facts
    )


def stopped(stop: Stop, session: str) -> CallToolResult:
    """Why the program stopped, where, and what it has written meanwhile."""
    data = stop.record.data
    frame: Mapping[str, Any] = data.get("frame", {})
    reason = str(data.get("reason", "interrupted" if stop.interrupted else "stopped"))
    message = _reason(stop, reason)
    lines: list[str] = []
    if frame:
        message += f" It is in {where(frame)}."
        if source := _source_line(frame):
            lines.append(f"{frame['line']}: {source}")
    if stop.output:
        lines += ["The program wrote:", *stop.output.splitlines()]
    facts: dict[str, Any] = {"session": session, "reason": reason, "running": "exited" not in reason}
    if frame:
        facts |= {"function": frame.get("func", ""), "file": frame.get("file", ""), "line": frame.get("line", "")}
    if "return-value" in data:
        facts["returned"] = data["return-value"]
    if reason.startswith("exited"):
        facts["exit_status"] = _exit_status(data)
    return told(message, lines, **facts, output=stop.output)


def _reason(stop: Stop, reason: str) -> str:
    data = stop.record.data
    if stop.interrupted:
        return "The program was still running and has been interrupted."
    if reason == "breakpoint-hit":
        return f"The program stopped at breakpoint {data.get('bkptno')}."
    if reason == "function-finished":
        returned = f" and returned {data['return-value']}" if "return-value" in data else ""
        return f"The function finished{returned}."
    if reason == "exited-signalled":
        return f"The program was ended by {_signal(data)}."
    if reason.startswith("exited"):
        return f"The program ended with exit status {_exit_status(data)}."
    if reason == "signal-received":
        return f"The program received {_signal(data)}."
    return "The program stopped."


def _signal(data: Mapping[str, Any]) -> str:
    return f"{data.get('signal-name', 'a signal')} ({data.get('signal-meaning', 'unknown')})"


def _exit_status(data: Mapping[str, Any]) -> int:
    return int(str(data.get("exit-code", "0")), 8)  # gdb tells it in octal


def where(frame: Mapping[str, Any], arguments: Iterable[Mapping[str, Any]] | None = None) -> str:
    """A frame as ``function (a=1) at file:line``."""
    given = frame.get("args", ()) if arguments is None else arguments
    values = ", ".join(f"{each['name']}={clipped(str(each.get('value', '…')), 80)}" for each in given)
    place = f"{frame['file']}:{frame['line']}" if "file" in frame and "line" in frame else frame.get("from", "")
    function = f"{frame.get('func', frame.get('addr', '??'))} ({values})"
    return f"{function} at {place}" if place else function


def clipped(text: str, limit: int = MAX_VALUE) -> str:
    """``text``, cut with a note of how much is missing."""
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text) - limit} more characters)"


def _source_line(frame: Mapping[str, Any]) -> str:
    try:
        lines = Path(str(frame["fullname"])).read_text("utf-8", "replace").splitlines()
        return lines[int(frame["line"]) - 1].strip()
    except (OSError, KeyError, ValueError, IndexError):
        return ""


def dump(start: int, content: bytes) -> list[str]:
    """Bytes as lines of sixteen, in hexadecimal and as characters."""
    lines: list[str] = []
    for offset in range(0, len(content), 16):
        row = content[offset : offset + 16]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{start + offset:#x}: {row.hex(' '):<47}  {shown}")
    return lines
