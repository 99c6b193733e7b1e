"""Edits of a document as replaced byte ranges: whatever is not touched stays as it was loaded, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from model.ipxact.document import Document, Standard
from model.ipxact.markup import Element, Style, escape, escape_attribute
from model.ipxact.nodes import Node, attribute, child, local, namespace_of, text
from model.ipxact.schema_order import child_order
from model.ipxact.spans import Spans

_ASIDE = re.compile(rb"(<!--.*?-->|<\?.*?\?>)", re.DOTALL)
_TRAILING = re.compile(rb"(?:[ \t]*<!--[^\r\n]*?-->)*[ \t]*(?=\r?\n)")
_LINE_END = re.compile(rb"[ \t]*(?:\r\n|\n|\r)")


@dataclass
class _Wanted:
    """Children that an element is to get, by name: given ones, or new ones around what is to go into them."""

    leaves: dict[str, list[Element]] = field(default_factory=dict)
    below: dict[str, _Wanted] = field(default_factory=dict)

    def elements(self, order: Iterable[str], standard: Standard) -> list[Element]:
        """The children as elements, in the order of the schema."""
        ranks = {name: rank for rank, name in enumerate(order)}
        names = sorted({**self.leaves, **self.below}, key=lambda name: ranks.get(name, len(ranks)))
        found: list[Element] = []
        for name in names:
            found.extend(self.leaves.get(name, ()))
            if name in self.below:
                inner = self.below[name].elements(child_order(name, standard), standard)
                found.append(Element(name, tuple(inner)))
        return found


class Splicer:
    """Collects edits of one document; :meth:`result` applies them."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._text = document.utf8
        self._spans = Spans(document)
        self._edits: list[tuple[int, int, int, bytes]] = []
        self._removed: set[Node] = set()
        self._edited: set[Node] = set()
        self._wanted: dict[Node, _Wanted] = {}
        self._newline = "\r\n" if b"\r\n" in self._text else "\n"
        self._unit = self._infer_unit()

    def result(self) -> bytes:
        """The text of the document as UTF-8 with all edits in it."""
        for node, wanted in self._wanted.items():
            self._add_wanted(node, wanted)
        self._wanted.clear()
        pieces: list[bytes] = []
        position = 0
        for start, end, _serial, replacement in sorted(self._edits):
            if start < position:
                raise RuntimeError(f"two edits of {self.document.path} overlap at byte {start}")
            pieces += (self._text[position:start], replacement)
            position = end
        return b"".join((*pieces, self._text[position:]))

    # Changing what is there

    def set_text(self, node: Node, value: str) -> None:
        """Make ``value`` the text of an element; comments inside it, and white space around the text, stay."""
        if text(node) == value:
            return
        self._edited.add(node)
        span = self._spans[node]
        written = escape(value).encode()
        if span.is_empty_tag:
            self._open_empty_tag(node, written)
            return
        parts = _ASIDE.split(self._text[span.inner : span.outer])
        place = next((at for at in range(0, len(parts), 2) if parts[at].strip()), 0)
        for at in range(0, len(parts), 2):
            if at == place:
                body = parts[at].strip()
                lead, tail = parts[at].split(body, 1) if body else (b"", parts[at])
                parts[at] = lead + written + tail
            elif parts[at].strip():
                parts[at] = b""
        self._edit(span.inner, span.outer, b"".join(parts))

    def set_attribute(self, node: Node, name: str, value: str) -> None:
        """Give an attribute a value, or remove it where ``value`` is empty."""
        if attribute(node, name) == value:
            return
        self._edited.add(node)
        span = self._spans[node]
        tag = self._text[span.start : span.inner]
        prefix = self._style(node, None).attribute_prefix
        found = re.search(rf"""\s+(?:{re.escape(prefix)})?{name}\s*=\s*("[^"]*"|'[^']*')""".encode(), tag)
        written = f'"{escape_attribute(value)}"'.encode()
        if found is not None and value:
            self._edit(span.start + found.start(1), span.start + found.end(1), written)
        elif found is not None:
            self._edit(span.start + found.start(), span.start + found.end(), b"")
        elif value:
            close = len(tag) - (2 if tag.endswith(b"/>") else 1)
            close = len(tag[:close].rstrip())
            self._edit(span.start + close, span.start + close, f" {prefix}{name}=".encode() + written)

    def set_child_text(self, node: Node, path: tuple[str, ...], value: str) -> None:
        """Set the text of a descendant, which appears or disappears with its value."""
        found = child(node, *path)
        if found is not None:
            if value:
                self.set_text(found, value)
            else:
                self.remove_upwards(found, node)
        elif value:
            self.add(node, path[:-1], Element(path[-1], value))

    def rename(self, node: Node, name: str) -> None:
        """Give an element another local name."""
        span = self._spans[node]
        old = local(node).encode()
        start = self._text.index(old, span.start)
        self._edit(start, start + len(old), name.encode())
        if not span.is_empty_tag:
            start = self._text.index(old, span.outer)
            self._edit(start, start + len(old), name.encode())

    def is_edited(self, node: Node) -> bool:
        """Whether the text or an attribute of an element has another value now."""
        return node in self._edited

    # Removing

    def is_removed(self, node: Node) -> bool:
        """Whether an element itself goes away; see its parents for the rest."""
        return node in self._removed

    def remove(self, node: Node) -> None:
        """Remove an element, with its lines where it has them for itself."""
        if node in self._removed:
            return
        self._removed.add(node)
        span = self._spans[node]
        start, end = span.start, span.end
        lead = self._lead(start)
        tail = _LINE_END.match(self._text, end)
        if lead is not None and tail is not None:
            start, end = start - len(lead), tail.end()
        self._edit(start, end, b"")

    def remove_upwards(self, node: Node, stop: Node) -> None:
        """Remove an element and those around it, below ``stop``, that would be left empty."""
        parent = node.getparent()
        while parent is not None and parent is not stop and len(parent) == 1:
            node, parent = parent, parent.getparent()
        self.remove(node)

    # Adding

    def add(self, node: Node, path: tuple[str, ...], element: Element) -> None:
        """Add a child in the order of the schema below ``path``, whose missing elements appear."""
        while path and (found := child(node, path[0])) is not None and found not in self._removed:
            node, path = found, path[1:]
        wanted = self._wanted.setdefault(node, _Wanted())
        for name in path:
            wanted = wanted.below.setdefault(name, _Wanted())
        wanted.leaves.setdefault(element.name, []).append(element)

    def insert(self, parent: Node, anchor: Node | None, elements: Sequence[Element]) -> None:
        """Add children behind ``anchor``, one that stays, or in front of all others where it is None."""
        if not elements:
            return
        sibling = anchor if anchor is not None else next(parent.iterchildren("*"), None)
        if sibling is None:
            self._fill(parent, elements)
            return
        span = self._spans[sibling]
        lead = self._lead(span.start)
        on_one_line = len(sibling) > 0 and b"\n" not in self._text[span.start : span.end]
        style = self._style(parent, None if lead is None or on_one_line else lead)
        gap = "" if lead is None else self._newline + lead.decode()
        place = self._spans[parent].inner
        if anchor is not None:
            # A comment that ends the anchor's line belongs to the anchor.
            trailing = _TRAILING.match(self._text, span.end) if lead is not None else None
            place = trailing.end() if trailing is not None else span.end
        self._edit(place, place, "".join(gap + style.render(element) for element in elements).encode())

    def append(self, parent: Node, elements: Sequence[Element]) -> None:
        """Add children behind the last one that stays."""
        staying = [node for node in parent.iterchildren("*") if node not in self._removed]
        self.insert(parent, staying[-1] if staying else None, elements)

    def _add_wanted(self, node: Node, wanted: _Wanted) -> None:
        order = child_order(local(node), self.document.standard)
        ranks = {name: rank for rank, name in enumerate(order)}
        staying = [each for each in node.iterchildren("*") if each not in self._removed]
        behind: dict[Node | None, list[Element]] = {}
        for element in wanted.elements(order, self.document.standard):
            rank = ranks.get(element.name, len(order))
            before = [each for each in staying if ranks.get(local(each), -1) <= rank]
            behind.setdefault(before[-1] if before else None, []).append(element)
        for anchor, elements in behind.items():
            self.insert(node, anchor, elements)

    def _fill(self, parent: Node, elements: Sequence[Element]) -> None:
        """Put the first children into an element that has none."""
        span = self._spans[parent]
        lead = self._lead(span.start)
        if lead is None or self._unit is None:
            style = self._style(parent, None)
            content, tail = "".join(map(style.render, elements)).encode(), b""
        else:
            indent = lead.decode() + self._unit
            style = self._style(parent, indent.encode())
            content = "".join(self._newline + indent + style.render(element) for element in elements).encode()
            tail = self._newline.encode() + lead
        if span.is_empty_tag:
            self._open_empty_tag(parent, content + tail)
            return
        kept = self._text[span.inner : span.outer].rstrip()
        self._edit(span.inner + len(kept), span.outer, content + tail)

    def _open_empty_tag(self, node: Node, content: bytes) -> None:
        span = self._spans[node]
        tag = self._text[span.start : span.inner]
        name = re.split(rb"[\s/]", tag[1:], maxsplit=1)[0]
        close = span.start + len(tag[:-2].rstrip())
        self._edit(close, span.inner, b">" + content + b"</" + name + b">")

    # How the file is written

    def _edit(self, start: int, end: int, replacement: bytes) -> None:
        self._edits.append((start, end, len(self._edits), replacement))

    def _lead(self, start: int) -> bytes | None:
        """White space in front of a place that is the first of its line, or None where it is not."""
        line = self._text.rfind(b"\n", 0, start) + 1
        lead = self._text[line:start]
        return lead if not lead.strip(b" \t") else None

    def _infer_unit(self) -> str | None:
        """White space that a level adds, or None where elements do not have lines of their own."""
        first = next(self.document.root.iterchildren("*"), None)
        lead = self._lead(self._spans[first].start) if first is not None else None
        outer = self._lead(self._spans[self.document.root].start) or b""
        return None if lead is None else lead.removeprefix(outer).decode()

    def _style(self, node: Node, lead: bytes | None) -> Style:
        """How children of ``node`` are written: with ``lead`` in front, or on one line where it is None."""
        space = namespace_of(node)
        prefix = f"{node.prefix}:" if node.prefix else ""
        qualified = next((name for name, uri in node.nsmap.items() if name and uri == space), None)
        attributes = f"{qualified}:" if qualified and self.document.is_spirit else ""
        if lead is None or self._unit is None:
            return Style(prefix, attributes, "", "", "")
        return Style(prefix, attributes, lead.decode(), self._unit, self._newline)
