"""Where the elements of a document lie in its bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.parsers import expat

from model.ipxact.document import Document
from model.ipxact.nodes import Node

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


def spans_of(document: Document) -> dict[Node, Span]:
    """The span of every element: the parser that gives offsets meets the elements in the order of the tree."""
    starts: list[int] = []
    open_elements: list[int] = []
    outer: dict[int, int] = {}
    parser = expat.ParserCreate("utf-8")

    def started(_name: str, _attributes: dict[str, str]) -> None:
        open_elements.append(len(starts))
        starts.append(parser.CurrentByteIndex)

    def ended(_name: str) -> None:
        outer[open_elements.pop()] = parser.CurrentByteIndex

    parser.StartElementHandler = started
    parser.EndElementHandler = ended
    text = document.utf8
    parser.Parse(text, True)
    found: dict[Node, Span] = {}
    for serial, node in enumerate(document.root.iter("*")):
        start = starts[serial]
        tag = START_TAG.match(text, start)
        if tag is None:
            raise ValueError(f"no start tag at byte {start} of {document.path}")
        inner = tag.end()
        if text[inner - 2 : inner] == b"/>":
            found[node] = Span(start, inner, inner, inner)
        else:
            found[node] = Span(start, inner, outer[serial], text.index(b">", outer[serial]) + 1)
    return found
