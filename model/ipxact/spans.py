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


class Spans:
    """The spans of all elements of a document, each made up when it is asked for.

    The parser that gives offsets meets the elements in the order of the tree.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._text = document.utf8
        self._starts: list[int] = []
        self._outer: dict[int, int] = {}
        self._read()
        self._serials = {node: serial for serial, node in enumerate(document.root.iter("*"))}

    def _read(self) -> None:
        starts, outer = self._starts, self._outer
        open_elements: list[int] = []
        parser = expat.ParserCreate("utf-8")

        def started(_name: str, _attributes: list[str]) -> None:
            open_elements.append(len(starts))
            starts.append(parser.CurrentByteIndex)

        def ended(_name: str) -> None:
            outer[open_elements.pop()] = parser.CurrentByteIndex

        parser.ordered_attributes = True
        parser.StartElementHandler = started
        parser.EndElementHandler = ended
        parser.Parse(self._text, True)

    def __getitem__(self, node: Node) -> Span:
        """The span of an element.

        Raises:
            KeyError: the element is not of the document.
        """
        serial = self._serials[node]
        start, text = self._starts[serial], self._text
        tag = START_TAG.match(text, start)
        if tag is None:
            raise ValueError(f"no start tag at byte {start} of {self._document.path}")
        inner = tag.end()
        if text[inner - 2 : inner] == b"/>":
            return Span(start, inner, inner, inner)
        outer = self._outer[serial]
        return Span(start, inner, outer, text.index(b">", outer) + 1)
