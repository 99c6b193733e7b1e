"""Finds names in the library: every component and everything in it that has a name. Without Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from desktop.call_text import KIND_WORDS, short_name
from model.change import ElementId
from model.difference import elements_of
from model.elements import Component
from model.library import Library
from model.vlnv import Vlnv

MOST_FOUND = 5000


@dataclass(frozen=True, slots=True)
class Match:
    """Something that was found.

    Attributes:
        words: what it is and where ("instance u_uart in top 1.0").
    """

    element: ElementId
    words: str


def search(library: Library, shown: Vlnv | None, text: str) -> list[Match]:
    """Everything whose name, or whose component's VLNV, contains all words; the shown component comes first.

    Letter case does not matter. In components that have not been read yet only their VLNVs are found.
    """
    words = text.casefold().split()
    if not words:
        return []
    found: list[Match] = []
    for component in _in_order(library, shown):
        for match in _matches(component, words):
            found.append(match)
            if len(found) == MOST_FOUND:
                return found
    at_hand = {component.vlnv for component in library.at_hand()}
    for vlnv in sorted(set(library.components) - at_hand):
        if _contains(str(vlnv), words):
            found.append(Match(ElementId(vlnv, "component"), f"component {vlnv}"))
    return found[:MOST_FOUND]


def _in_order(library: Library, shown: Vlnv | None) -> Iterator[Component]:
    components = sorted(library.at_hand(), key=lambda component: (component.vlnv != shown, component.vlnv))
    return iter(components)


def _matches(component: Component, words: list[str]) -> Iterator[Match]:
    if _contains(str(component.vlnv), words):
        yield Match(ElementId(component.vlnv, "component"), f"component {component.vlnv}")
    for element, value in elements_of(component):
        if element.view:
            continue
        used = getattr(value, "component", "")
        if _contains(f"{element.name} {used}", words):
            yield Match(element, f"{KIND_WORDS[element.kind]} {element.name} in {short_name(component.vlnv)}")


def _contains(text: str, words: list[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)
