"""Where elements lie in a file, against a parser that counts bytes."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ipxact_files import shared_files

from model.ipxact.document import Document, parse_document
from model.ipxact.spans import Spans

NAMESPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2022"
PIECES = st.sampled_from(
    [
        "text é",
        "<!-- <a></b> -->",
        "<![CDATA[<a></a>]]>",
        "<?pi <a> </a>?>",
        "<i:e/>",
        "&lt;/a&gt;",
        "\n  ",
        "<i:e a='>'/>",
    ]
)
ELEMENTS = st.recursive(
    PIECES,
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: f'<i:n b="/>">{"".join(parts)}</i:n >'),
    max_leaves=20,
)


def by_the_parser(content: bytes) -> list[tuple[int, int]]:
    """Start of the start tag and of the end tag of each element, in the order of the start tags."""
    found: list[tuple[int, int]] = []
    open_elements: list[int] = []
    parser = expat.ParserCreate("utf-8")

    def started(_name: str, _attributes: dict[str, str]) -> None:
        open_elements.append(len(found))
        found.append((parser.CurrentByteIndex, -1))

    def ended(_name: str) -> None:
        at = open_elements.pop()
        found[at] = (found[at][0], parser.CurrentByteIndex)

    parser.StartElementHandler = started
    parser.EndElementHandler = ended
    parser.Parse(content, True)
    return found


def assert_same(document: Document) -> None:
    spans = Spans(document)
    wanted = by_the_parser(document.utf8)
    for node, (start, outer) in zip(document.root.iter("*"), wanted, strict=True):
        span = spans[node]
        assert span.start == start
        assert span.is_empty_tag or span.outer == outer
        assert document.utf8[span.start : span.start + 1] == b"<"
        assert document.utf8[span.end - 1 : span.end] == b">"


@given(st.lists(ELEMENTS, max_size=5))
def test_elements_lie_where_a_parser_sees_them(parts: list[str]) -> None:
    text = f'<?xml version="1.0"?><!-- <x> --><i:component xmlns:i="{NAMESPACE}">{"".join(parts)}</i:component>'
    assert_same(parse_document(text.encode(), Path("any.xml")))


@pytest.mark.parametrize("path", list(shared_files())[::9], ids=lambda path: path.name)
def test_elements_of_public_files(path: Path) -> None:
    assert_same(parse_document(path.read_bytes(), path))
