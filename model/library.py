"""The library: every component that is open, as one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from model.elements import Component, Instance
from model.errors import DesignError, nearest
from model.frozen_map import FrozenMap
from model.unread import LazyMap
from model.vlnv import Vlnv


@dataclass(frozen=True, slots=True)
class Library:
    """All components by VLNV, in the order in which they came.

    Those of a folder that was just opened are read when they are asked for; nobody can tell, except by the time.
    """

    components: FrozenMap[Vlnv, Component] = FrozenMap()

    @classmethod
    def of(cls, components: Iterable[Component]) -> Library:
        """Build a library from components; of two with one VLNV the later wins."""
        return cls(FrozenMap((component.vlnv, component) for component in components))

    def is_unread(self, vlnv: Vlnv) -> bool:
        """Whether the component is as its file has it, because nobody has asked for it yet."""
        return isinstance(self.components, LazyMap) and self.components.is_unread(vlnv)

    def at_hand(self) -> Iterator[Component]:
        """The components that have been read: for what must not wait for the others."""
        return (self.components[vlnv] for vlnv in self.components if not self.is_unread(vlnv))

    def __contains__(self, vlnv: object) -> bool:
        return vlnv in self.components

    def __len__(self) -> int:
        return len(self.components)

    def __iter__(self) -> Iterator[Component]:
        return iter(self.components.values())

    def find(self, vlnv: Vlnv) -> Component | None:
        """Return the component, or None where it is missing."""
        return self.components.get(vlnv)

    def get(self, vlnv: Vlnv) -> Component:
        """Return the component.

        Raises:
            DesignError: ``component-not-found``, with the nearest VLNVs.
        """
        component = self.components.get(vlnv)
        if component is None:
            raise DesignError(
                "component-not-found",
                f"There is no component {vlnv}.",
                "Use list_components to see what exists, or create_component to make it.",
                nearest(str(vlnv), (str(known) for known in self.components)),
            )
        return component

    def put(self, component: Component) -> Library:
        """Return a library that holds ``component``, in place of one with the same VLNV."""
        return Library(self.components.set(component.vlnv, component))

    def without(self, vlnv: Vlnv) -> Library:
        """Return a library without the component.

        Raises:
            KeyError: it is not there.
        """
        return Library(self.components.without(vlnv))

    def users_of(self, vlnv: Vlnv) -> list[tuple[Component, str, Instance]]:
        """Every place where the component is instantiated: the parent, the view, the instance."""
        return [
            (parent, view, instance)
            for parent in self.components.values()
            for view, design in parent.designs.items()
            for instance in design.instances.values()
            if instance.component == vlnv
        ]
