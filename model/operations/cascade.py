"""Removing what goes along with a deleted element, and keeping account of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from model.change import Change, ElementId, ElementKind
from model.difference import view_label
from model.elements import Component, Configuration, Design, Endpoint
from model.errors import Warning
from model.frozen_map import FrozenMap
from model.library import Library
from model.nets import netlist, with_connections
from model.usage import instances_of, users_of


@dataclass
class Edit:
    """The elements that an edit has touched so far, each once."""

    _changed: dict[ElementId, None] = field(default_factory=dict)
    _removed: dict[ElementId, None] = field(default_factory=dict)
    warnings: list[Warning] = field(default_factory=list)

    @property
    def changed(self) -> list[ElementId]:
        """What was changed and not removed."""
        return [element for element in self._changed if element not in self._removed]

    @property
    def removed(self) -> list[ElementId]:
        """What was removed."""
        return list(self._removed)

    def change_of(self, component: Component, kind: ElementKind, name: str, view: str = "") -> None:
        """Note a changed element; ``view`` names a design that is not the component's first."""
        self._changed[ElementId(component.vlnv, kind, name, view)] = None

    def remove(self, component: Component, kind: ElementKind, name: str, view: str = "") -> None:
        """Note a removed element; see :meth:`change_of`."""
        self._removed[ElementId(component.vlnv, kind, name, view)] = None

    def change(self, summary: str, removed: tuple[ElementId, ...] = ()) -> Change:
        """Return the change; ``removed`` goes before what else was removed."""
        return Change(
            summary,
            (),
            tuple(self.changed),
            tuple(dict.fromkeys((*removed, *self._removed))),
            tuple(self.warnings),
        )


def listed(things: Sequence[object], most: int = 12) -> str:
    """Write things as a list for people, cut at a limit that is said."""
    words = [str(thing) for thing in things[:most]]
    if len(things) > most:
        words.append(f"{len(things) - most} more")
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def with_designs(component: Component, edit: Callable[[Design, str], Design]) -> Component:
    """Return the component with each of its designs edited; itself where none changes.

    Args:
        edit: called with a design and what element ids call its view (:func:`model.difference.view_label`).
    """
    designs = component.designs
    for view, design in designs.items():
        changed = edit(design, view_label(component, view))
        if changed is not design:
            designs = designs.set(view, changed)
    return component if designs is component.designs else component.model_copy(update={"designs": designs})


def drop_instances(component: Component, design: Design, names: Collection[str], edit: Edit, view: str = "") -> Design:
    """Remove instances with the connections and interconnections that would be left with fewer than two ends."""
    instances = design.instances
    for name in names:
        if name in instances:
            instances = instances.without(name)
            edit.remove(component, "subcomponent", name, view)
    if instances is design.instances:
        return design
    at = [(name, None) for name in names]
    rest = drop_ends(component, design, at, lambda end: end.instance in names, edit, view)
    rest = drop_interface_ends(component, rest, lambda instance, _interface: instance in names, edit, view)
    return rest.model_copy(update={"instances": instances, "configurations": _without(design.configurations, names)})


def _without(
    configurations: FrozenMap[str, Configuration], instances: Collection[str]
) -> FrozenMap[str, Configuration]:
    """The configurations without what they say about some instances."""
    for view, chosen in configurations.items():
        views = chosen.views
        for name in instances:
            if name in views:
                views = views.without(name)
        if views is not chosen.views:
            configurations = configurations.set(view, chosen.model_copy(update={"views": views}))
    return configurations


def drop_ends(
    component: Component,
    design: Design,
    places: Iterable[tuple[str, str | None]],
    is_gone: Callable[[Endpoint], bool],
    edit: Edit,
    view: str = "",
) -> Design:
    """Remove ends of connections, and the connections that then join nothing.

    Args:
        places: instances and ports, None for any port, where all these ends are.
    """
    connections = design.connections
    for connection in netlist(design).connections_at(places):
        name = connection.name
        ends = tuple(end for end in connection.ends if not is_gone(end))
        if len(ends) > 1 or (ends and connection.tied_value):
            connections = connections.set(name, connection.model_copy(update={"ends": ends}))
            edit.change_of(component, "connection", name, view)
        else:
            connections = connections.without(name)
            edit.remove(component, "connection", name, view)
    return with_connections(design, connections)


def drop_interface_ends(
    component: Component, design: Design, is_gone: Callable[[str, str], bool], edit: Edit, view: str = ""
) -> Design:
    """Remove ends of interconnections, and the interconnections that then join nothing."""
    interconnections = design.interconnections
    for name, interconnection in design.interconnections.items():
        watched = interconnection.monitored
        is_lost = watched is not None and is_gone(watched.instance, watched.interface)
        ends = tuple(end for end in interconnection.ends if not is_gone(end.instance, end.interface))
        if len(ends) == len(interconnection.ends) and not is_lost:
            continue
        # The standard has no interconnection of the component's own interfaces alone.
        if len(ends) > (watched is None) and any(end.instance for end in ends) and not is_lost:
            interconnections = interconnections.set(name, interconnection.model_copy(update={"ends": ends}))
            edit.change_of(component, "interconnection", name, view)
        else:
            interconnections = interconnections.without(name)
            edit.remove(component, "interconnection", name, view)
    if interconnections is design.interconnections:
        return design
    return design.model_copy(update={"interconnections": interconnections})


@dataclass(frozen=True, slots=True)
class Use:
    """A design in which the ports of a component are.

    Attributes:
        parent: the component that holds the design.
        view: what element ids call the design's view.
        places: where the ports are: names of the component's instances, and "" inside the component itself.
    """

    parent: Component
    view: str
    places: frozenset[str]


def edit_uses(current: Library, owner: Component, edit: Callable[[Design, Use], Design]) -> Library:
    """Edit every design inside the component or with an instance of it."""
    result = current
    concerned = {vlnv for vlnv in (owner.vlnv, *users_of(current, owner.vlnv)) if vlnv in current}
    for vlnv in sorted(concerned, key=current.components.place):
        parent = current.get(vlnv)
        own = frozenset({""} if vlnv == owner.vlnv else ())

        def edit_design(design: Design, view: str, parent: Component = parent, own: frozenset[str] = own) -> Design:
            return edit(design, Use(parent, view, own.union(instances_of(design, owner.vlnv))))

        changed = with_designs(parent, edit_design)
        if changed is not parent:
            result = result.put(changed)
    return result
