"""Small questions to an IP-XACT tree that every reader and writer asks, the same in all versions of the standard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import cast

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
        if node is None or not len(node):
            return None
        wanted = _qualified(node.tag, name)
        first = node[0]  # most that is asked for stands there, and this is the quickest way to it
        node = first if first.tag == wanted else next(node.iterchildren(wanted), None)
    return node


def children(node: Node | None, *names: str) -> Iterator[Node]:
    """Child elements of the node's own namespace with one of the names, in file order."""
    if node is None:
        return iter(())
    tag = node.tag
    return node.iterchildren(*[_qualified(tag, name) for name in names])


def text(node: Node | None, *path: str) -> str:
    """Text below a path without surrounding white space, comments left out; "" where there is none."""
    return content(child(node, *path))


def content(node: Node | None) -> str:
    """Text of an element itself, as :func:`text`."""
    if node is None:
        return ""
    # The text may stand in pieces around comments.
    return "".join(node.xpath("text()")).strip() if len(node) else (node.text or "").strip()  # type: ignore[arg-type]


def parts(node: Node) -> dict[str, Node]:
    """Child elements of the node's own namespace by local name, the first of each: for who asks for several."""
    space = node.tag[: node.tag.rfind("}") + 1]
    found: dict[str, Node] = {}
    for each in node.iterchildren("*"):
        tag = each.tag
        if tag.startswith(space):
            found.setdefault(tag[len(space) :], each)
    return found


def attribute(node: Node, name: str) -> str:
    """An attribute, plain (2014, 2022) or in the element's namespace (2009 and older); "" where absent."""
    value = node.get(name)
    if value is None and _is_spirit(node.tag):
        value = node.get(_qualified(node.tag, name))
    return "" if value is None else value.strip()


def attributes(node: Node) -> dict[str, str]:
    """All attributes as :func:`attribute` reads them, by name: for who asks for several."""
    tag = node.tag
    space = tag[: tag.rfind("}") + 1] if _is_spirit(tag) else ""
    found: dict[str, str] = {}
    for name, value in cast("list[tuple[str, str]]", node.items()):
        if not name.startswith("{"):
            found[name] = value.strip()
        elif space and name.startswith(space):
            found.setdefault(name[len(space) :], value.strip())
    return found


def reference(node: Node | None) -> Vlnv | None:
    """The VLNV in the attributes of a reference element, or None where it is incomplete."""
    if node is None:
        return None
    stated = attributes(node)
    fields = [stated.get(name, "") for name in ("vendor", "library", "name", "version")]
    return Vlnv(*fields) if all(fields) else None
