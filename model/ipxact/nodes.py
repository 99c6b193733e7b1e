"""Small questions to an IP-XACT tree that every reader and writer asks, the same in all versions of the standard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from lxml import etree

from model.vlnv import Vlnv

Node = etree._Element


def local(node: Node) -> str:
    """Local name of an element; "" for comments and processing instructions."""
    tag = node.tag
    return tag[tag.rfind("}") + 1 :] if isinstance(tag, str) else ""


def namespace_of(node: Node) -> str:
    """Namespace URI of an element."""
    tag = node.tag
    return tag[1 : tag.rfind("}")] if tag.startswith("{") else ""


def is_spirit(node: Node) -> bool:
    """Whether an element is of a version of the standard older than 2014."""
    return _is_spirit(node.tag)


@lru_cache(maxsize=4096)
def _is_spirit(tag: str) -> bool:
    return "SPIRIT" in tag[: tag.rfind("}") + 1]


@lru_cache(maxsize=4096)
def _qualified(tag: str, name: str) -> str:
    """A name in the namespace of an element: this is asked a hundred thousand times, about few."""
    return tag[: tag.rfind("}") + 1] + name


def child(node: Node | None, *path: str) -> Node | None:
    """Follow child elements of the node's own namespace; the first at each step."""
    for name in path:
        if node is None:
            return None
        node = next(node.iterchildren(_qualified(node.tag, name)), None)
    return node


def children(node: Node | None, *names: str) -> Iterator[Node]:
    """Child elements of the node's own namespace with one of the names, in file order."""
    if node is None:
        return iter(())
    tag = node.tag
    return node.iterchildren(*[_qualified(tag, name) for name in names])


def text(node: Node | None, *path: str) -> str:
    """Text below a path without surrounding white space, comments left out; "" where there is none."""
    found = child(node, *path)
    if found is None:
        return ""
    # The text may stand in pieces around comments.
    return "".join(found.xpath("text()")).strip() if len(found) else (found.text or "").strip()  # type: ignore[arg-type]


def attribute(node: Node, name: str) -> str:
    """An attribute, plain (2014, 2022) or in the element's namespace (2009 and older); "" where absent."""
    value = node.get(name)
    if value is None and _is_spirit(node.tag):
        value = node.get(_qualified(node.tag, name))
    return "" if value is None else value.strip()


def reference(node: Node | None) -> Vlnv | None:
    """The VLNV in the attributes of a reference element, or None where it is incomplete."""
    if node is None:
        return None
    fields = [attribute(node, name) for name in ("vendor", "library", "name", "version")]
    return Vlnv(*fields) if all(fields) else None
