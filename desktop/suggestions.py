"""What to show and what to propose when nothing has been said yet, from the design itself."""

from __future__ import annotations

from desktop.call_text import short_name
from model.elements import Component
from model.library import Library
from model.vlnv import Vlnv


def first_component(library: Library) -> Vlnv | None:
    """The component to show first: of those that no other one uses, the one with the most inside."""
    used = {
        instance.component
        for component in library
        for design in component.designs.values()
        for instance in design.instances.values()
    }
    tops = [component for component in library if component.vlnv not in used] or list(library)
    best = max(tops, key=lambda each: (len(each.design.instances), len(each.ports)), default=None)
    return best.vlnv if best is not None else None


def component_for(text: str, library: Library) -> Vlnv | None:
    """The component that a text names; of several the one with most inside, where the edits are to be seen."""
    named = [each for each in library if str(each.vlnv) in text]
    best = max(named, key=lambda component: len(component.design.instances), default=None)
    return best.vlnv if best is not None else None


def suggest(library: Library, component: Component | None) -> list[str]:
    """Up to three requests that make sense for the shown component, with names that exist."""
    if component is None:
        return ["Create a component acme:periph:pwm:1.0 with a clock, a reset and an 8-bit output called duty"]
    vlnv = component.vlnv
    texts = [f"Add an 8-bit output port called debug_bus to {vlnv}"]
    instances = component.design.instances
    repeated = next((each for each in instances.values() if each.component in library), None)
    if repeated is not None:
        texts.append(f"Add another instance of {repeated.component} to {vlnv} and call it {repeated.name}_2")
        texts.append(f"Which components does {short_name(vlnv)} instantiate?")
    else:
        texts.append(f"Add a user parameter DATA_WIDTH of type int with value 32 to {vlnv}")
        texts.append(f"What ports does {vlnv} have?")
    return texts
