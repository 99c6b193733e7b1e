"""Where the elements of a design stand in the files of a workspace: path and line, for findings and editors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from model.change import ElementId, ElementKind
from model.errors import DesignError
from model.files import Source
from model.ipxact.document import parse_document
from model.ipxact.nodes import Node, attribute, local, text
from model.workspace import Workspace

_TAGS: dict[ElementKind, frozenset[str]] = {
    "signal_port": frozenset({"port"}),
    "transactional_port": frozenset({"port"}),
    "user_parameter": frozenset({"parameter"}),
    "generator_parameter": frozenset({"parameter"}),
    "immediate_parameter": frozenset({"parameter"}),
    "bus_interface": frozenset({"busInterface"}),
    "subcomponent": frozenset({"componentInstance"}),
    "connection": frozenset({"adHocConnection"}),
    "interconnection": frozenset({"interconnection", "hierConnection"}),
}
_IN_DESIGN = frozenset({"subcomponent", "connection", "interconnection"})


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file.

    Attributes:
        line: from 1, or 0 where the element stands in no line of it yet.
    """

    path: Path
    line: int


@dataclass
class Locator:
    """Finds elements in the files as they were read or last saved; each file is parsed at most once."""

    workspace: Workspace
    _lines: dict[Path, dict[tuple[str, str], int]] = field(default_factory=dict)

    def locate(self, element: ElementId, view: str = "") -> Location | None:
        """Return where an element stands, or None where its component has no file.

        Args:
            view: whose design is meant; by default the first that has the element.
        """
        source = self.workspace.sources.get(element.component)
        if source is None:
            return None
        fallback: Location | None = None
        for path, content in _files(source, element.kind, view):
            lines = self._lines_of(path, content)
            found = [lines[tag, element.name] for tag in _TAGS.get(element.kind, ()) if (tag, element.name) in lines]
            if found:
                return Location(path, found[0])
            fallback = fallback or Location(path, lines["", ""] if not element.name else 0)
        return fallback

    def _lines_of(self, path: Path, content: bytes) -> dict[tuple[str, str], int]:
        if path not in self._lines:
            self._lines[path] = _index(path, content)
        return self._lines[path]


def _files(source: Source, kind: ElementKind, view: str) -> Iterator[tuple[Path, bytes]]:
    if kind in _IN_DESIGN:
        designs = [source.designs[view]] if view in source.designs else source.designs.values()
        yield from ((design.path, design.content) for design in designs)
    yield source.path, source.content


def _index(path: Path, content: bytes) -> dict[tuple[str, str], int]:
    """The line of each named element by tag and name, and of the document element under two empty texts."""
    try:
        root = parse_document(content, path).root
    except DesignError:
        return {("", ""): 0}
    tags = frozenset[str]().union(*_TAGS.values())
    depths: dict[tuple[str, str], int] = {}
    lines = {("", ""): _line(root)}
    waiting: list[tuple[Node, int]] = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        if local(node) in tags:
            key = (local(node), _name(node))
            # A component's own parameter stands higher than one of a register or an interface with the same name.
            if depth < depths.get(key, depth + 1):
                depths[key], lines[key] = depth, _line(node)
        waiting.extend((each, depth + 1) for each in node.iterchildren("*", reversed=True))
    return lines


def _name(node: Node) -> str:
    return text(node, "name") or text(node, "instanceName") or attribute(node, "interfaceRef")


def _line(node: Node) -> int:
    return cast("int | None", node.sourceline) or 0
