"""Deleting several elements as one edit, and what that takes along. Without Qt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import get_args

from desktop.call_text import element_words, short_name
from model import operations
from model.change import Change, ElementId, ElementKind
from model.difference import change_between
from model.errors import DesignError
from model.library import Library

DELETABLE = frozenset(get_args(ElementKind)) - {"component"}
_WIRES = {"connection", "interconnection"}
_MOST_NAMED = 8


def delete_elements(current: Library, /, elements: Sequence[ElementId]) -> tuple[Library, Change]:
    """Delete elements with everything that cannot be without them.

    Raises:
        DesignError: one of them cannot be deleted.
    """
    after = current
    # Wires first: an instance takes its own along, and what is gone already need not be deleted.
    for element in sorted(elements, key=lambda each: each.kind not in _WIRES):
        remove = partial(
            operations.delete_element,
            after,
            component=str(element.component),
            element_type=element.kind,
            name=element.name,
            cascade=True,
        )
        try:
            after, _change = remove()
        except DesignError as error:
            if error.code != "element-not-found" or after is current:
                raise
    what = element_words(elements[0]) if len(elements) == 1 else f"{len(elements)} elements"
    return after, change_between(current, after, f"Deleted {what}.")


def goes_along(change: Change, elements: Collection[ElementId]) -> str:
    """Say what a deletion takes along or changes beside the elements that were chosen, or "" where it is nothing."""
    along = [element for element in change.removed if element not in elements]
    lines = []
    if along:
        lines.append(f"{_named(along, elements)} {'goes' if len(along) == 1 else 'go'} along.")
    if change.changed:
        lines.append(f"{_named(change.changed, elements)} will be changed.")
    return "\n".join(lines)


def _named(found: Sequence[ElementId], elements: Collection[ElementId]) -> str:
    here = {element.component for element in elements}
    words = [
        element_words(element) + ("" if element.component in here else f" of {short_name(element.component)}")
        for element in found[:_MOST_NAMED]
    ]
    more = len(found) - len(words)
    text = ", ".join(words) + (f" and {more} more" if more else "")
    return text[0].upper() + text[1:]
