"""GDB/MI, the debugger's line protocol, as values (Debugging with GDB, section 27.2.2, "GDB/MI Output Syntax")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["result", "exec", "notify", "status", "console", "target", "log"]

_KINDS: Mapping[str, Kind] = {
    "^": "result",
    "*": "exec",
    "=": "notify",
    "+": "status",
    "~": "console",
    "@": "target",
    "&": "log",
}
_HEAD = re.compile(r"(\d*)([\^*=+~@&])")
_NAME = re.compile(r"[^\s=,{}\[\]\"]+")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}
_OCTAL = re.compile(r"[0-7]{1,3}")


class MiError(ValueError):
    """A line that is not GDB/MI."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the debugger's output.

    Attributes:
        name: class of a result (``done``, ``running``, ``error``) or of an event (``stopped``); "" for streams.
        data: what comes with it; the values are text, lists and mappings.
        text: of a stream.
        token: number of the command that a result answers.
    """

    kind: Kind
    name: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    token: int | None = None


def parse_line(line: str) -> Record | None:
    """Read a line; None for the prompt and for empty lines.

    Raises:
        MiError: it is not GDB/MI.
    """
    line = line.rstrip("\r\n")
    if not line.strip() or line.strip() == "(gdb)":
        return None
    head = _HEAD.match(line)
    if head is None:
        raise MiError(f"not GDB/MI: {line[:80]}")
    kind = _KINDS[head[2]]
    reader = _Reader(line, head.end())
    if kind in {"console", "target", "log"}:
        return Record(kind, text=reader.string())
    return Record(kind, reader.name(), reader.rest(), token=int(head[1]) if head[1] else None)


def quoted(text: str) -> str:
    """``text`` as a C string, the form in which GDB/MI takes an argument that holds spaces."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


class _Reader:
    """Reads one line from left to right."""

    def __init__(self, line: str, position: int) -> None:
        self._line = line
        self._position = position

    def name(self) -> str:
        found = _NAME.match(self._line, self._position)
        if found is None:
            raise self._fault("a name")
        self._position = found.end()
        return found[0]

    def rest(self) -> dict[str, Any]:
        values: dict[str, Any] = {}
        while self._take(","):
            name, value = self._pair()
            values[name] = value
        if self._position != len(self._line):
            raise self._fault("a comma")
        return values

    def string(self) -> str:
        self._expect('"')
        # An octal escape is a byte of a character in UTF-8, so the text is put together as bytes.
        content = bytearray()
        while (char := self._next()) != '"':
            content += self._escaped() if char == "\\" else char.encode("utf-8", "surrogateescape")
        return content.decode("utf-8", "replace")

    def _escaped(self) -> bytes:
        if octal := _OCTAL.match(self._line, self._position):
            self._position = octal.end()
            return bytes([int(octal[0], 8) & 0xFF])
        char = self._next()
        return _ESCAPES.get(char, char).encode()

    def _pair(self) -> tuple[str, Any]:
        name = self.name()
        self._expect("=")
        return name, self._value()

    def _value(self) -> Any:
        if self._peek() == '"':
            return self.string()
        if self._take("{"):
            pairs: dict[str, Any] = {}
            while not self._take("}"):
                name, value = self._pair()
                pairs[name] = value
                self._take(",")
            return pairs
        self._expect("[")
        items: list[Any] = []
        while not self._take("]"):
            # A list holds values, or pairs whose names are all the same and say nothing.
            items.append(self._value() if self._peek() in '"{[' else self._pair()[1])
            self._take(",")
        return items

    def _peek(self) -> str:
        return self._line[self._position : self._position + 1]

    def _next(self) -> str:
        char = self._peek()
        if not char:
            raise self._fault("more")
        self._position += 1
        return char

    def _take(self, char: str) -> bool:
        if self._peek() != char:
            return False
        self._position += 1
        return True

    def _expect(self, char: str) -> None:
        if not self._take(char):
            raise self._fault(char)

    def _fault(self, wanted: str) -> MiError:
        return MiError(f"expected {wanted} at column {self._position + 1} of: {self._line[:200]}")
