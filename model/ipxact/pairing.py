"""Which elements of a file stand for which elements of a newer value, and how a list of them is brought up to date."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TypeVar

from model.elements import Value
from model.frozen_map import FrozenMap
from model.ipxact.markup import Element
from model.ipxact.nodes import Node, child
from model.ipxact.splice import Splicer

V = TypeVar("V", bound=Value)


def pairs(old: FrozenMap[str, V], new: FrozenMap[str, V]) -> dict[str, str]:
    """Old names by new ones.

    Where ``new`` was edited out of ``old``, an element is what stands at the same place, whatever it is called now: a
    name that became free may have been given to another. Otherwise it is the one of the same name, or else one that is
    alike apart from the name.
    """
    if old.is_akin(new):
        changed = old.differences(new)
        moved = {after[1] for _before, after in changed if after is not None}
        found = {name: name for name in new if name in old and name not in moved}
        found |= {
            after[1]: before[1]
            for before, after in changed
            if before is not None and after is not None and type(before[2]) is type(after[2])
        }
    else:
        found = {name: name for name in new if name in old}
    taken = set(found.values())
    # Made again after it was deleted: what the file says about it beside the value still holds.
    found |= {name: name for name in new if name not in found and name in old and name not in taken}
    taken.update(found)
    gone = [name for name in old if name not in taken and name not in new]
    for name, value in new.items() if gone else ():
        if name in found:
            continue
        for other in gone:
            before = old[other]
            if type(before) is type(value) and before.model_copy(update={"name": name}) == value:
                found[name] = other
                gone.remove(other)
                break
    return found


def longest_rise(numbers: Sequence[int]) -> set[int]:
    """The members of a longest increasing subsequence."""
    tails: list[int] = []
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        at = bisect_left(tails, number)
        before[number] = ends[at - 1] if at else None
        tails[at:] = [number, *tails[at + 1 :]]
        ends[at:] = [number, *ends[at + 1 :]]
    found: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        found.add(last)
        last = before[last]
    return found


def update_list(
    splicer: Splicer,
    root: Node,
    path: tuple[str, ...],
    nodes: Sequence[tuple[str, Node]],
    old: FrozenMap[str, V],
    new: FrozenMap[str, V],
    update: Callable[[Node, V, V], None],
    build: Callable[[V], Element],
) -> None:
    """Bring the elements below ``path`` from ``old`` to ``new``: change, remove, and add in the order of the value.

    Args:
        nodes: names and elements in file order, also those that the value does not hold.
    """
    if old is new:
        return
    first: dict[str, Node] = {}
    for name, node in nodes:
        first.setdefault(name, node)
    kept = _kept(first, nodes, old, new)
    staying = {before for before, _node in kept.values()}
    leaving = [node for name, node in nodes if name in old and name not in staying]
    container = child(root, *path)
    if container is None:
        for value in new.values():
            splicer.add(root, path, build(value))
        return
    if not new and len(leaving) == len(container):
        splicer.remove(container)
        return
    for node in leaving:
        splicer.remove(node)
    anchor: Node | None = None
    waiting: list[Element] = []
    for name, value in new.items():
        if name not in kept:
            waiting.append(build(value))
            continue
        before, node = kept[name]
        if node.getparent() is container:
            splicer.insert(container, anchor, waiting)
            anchor, waiting = node, []
        was = old[before]
        if was is not value and was != value:
            update(node, was, value)
    splicer.append(container, waiting)


def _kept(
    first: dict[str, Node], nodes: Sequence[tuple[str, Node]], old: FrozenMap[str, V], new: FrozenMap[str, V]
) -> dict[str, tuple[str, Node]]:
    """Old name and element of what stays where it is, by new name; what moved is written anew."""
    serial = {node: at for at, (_name, node) in enumerate(nodes)}
    before = pairs(old, new)
    candidates = {
        name: (before[name], first[before[name]])
        for name, value in new.items()
        if name in before and before[name] in first and type(old[before[name]]) is type(value)
    }
    in_order = longest_rise([serial[node] for _name, node in candidates.values()])
    return {name: pair for name, pair in candidates.items() if serial[pair[1]] in in_order}


def match_rows(old: Sequence[V], new: Sequence[V], alike: Callable[[V, V], bool]) -> dict[int, int]:
    """Positions in ``old`` by positions in ``new`` of rows without names: equal ones first, then similar ones."""
    found: dict[int, int] = {}
    free = list(range(len(old)))
    for same in (lambda one, other: one == other, alike):
        for at, row in enumerate(new):
            if at not in found:
                match = next((other for other in free if same(old[other], row)), None)
                if match is not None:
                    found[at] = match
                    free.remove(match)
    return found
