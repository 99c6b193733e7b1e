"""Where the elements of a document lie in its bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from model.ipxact.document import Document
from model.ipxact.nodes import Node

# What may hold a "<" that is no tag: comments, CDATA, processing instructions. Attribute values may not.
_PASSED_OVER = rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
_STARTS = re.compile(_PASSED_OVER + rb"|<(?![/!?])", re.DOTALL)
_END_TAG = re.compile(_PASSED_OVER + rb"|</", re.DOTALL)
START_TAG = re.compile(rb"""<[^\s/>]+(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")


@dataclass(frozen=True, slots=True)
class Span:
    """Byte offsets of an element in ``Document.utf8``.

    Attributes:
        start: of the start tag.
        inner: behind the start tag.
        outer: of the end tag.
        end: behind the end tag. A tag that closes itself has ``inner == outer == end``.
    """

    start: int
    inner: int
    outer: int
    end: int

    @property
    def is_empty_tag(self) -> bool:
        """Whether the element is written ``<name/>``."""
        return self.inner == self.end


class Spans:
    """The spans of all elements of a document, each found when it is asked for.

    Start tags stand in the file in the order in which the tree has the elements.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._text = document.utf8
        found = (match.start() for match in _STARTS.finditer(self._text))
        self._starts = [start for start in found if self._text[start + 1] not in b"!?"]
        self._serials = {node: serial for serial, node in enumerate(document.root.iter("*"))}
        self._found: dict[Node, Span] = {}

    def __getitem__(self, node: Node) -> Span:
        """The span of an element.

        Raises:
            KeyError: the element is not of the document.
        """
        chain: list[Node] = []  # from the element to the last child of its last child and so on, which ends it
        each: Node | None = node
        while each is not None and each not in self._found:
            chain.append(each)
            each = next(each.iterchildren("*", reversed=True), None)
        inside = self._found[each] if each is not None else None
        for each in reversed(chain):
            inside = self._found[each] = self._find(each, inside)
        return self._found[node]

    def _find(self, node: Node, last: Span | None) -> Span:
        """The span of an element whose last child element, if any, spans ``last``."""
        start, text = self._starts[self._serials[node]], self._text
        tag = START_TAG.match(text, start)
        if tag is None:
            raise ValueError(f"no start tag at byte {start} of {self._document.path}")
        inner = tag.end()
        if text[inner - 2 : inner] == b"/>":
            return Span(start, inner, inner, inner)
        outer = self._end_tag(inner if last is None else last.end)
        return Span(start, inner, outer, text.index(b">", outer) + 1)

    def _end_tag(self, place: int) -> int:
        """Where the next end tag begins, behind the last element before it."""
        for match in _END_TAG.finditer(self._text, place):
            if match.group() == b"</":
                return match.start()
        raise ValueError(f"no end tag behind byte {place} of {self._document.path}")
