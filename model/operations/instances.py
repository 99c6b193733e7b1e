"""Adding subcomponents."""

from __future__ import annotations

from model.change import Change, ElementId
from model.elements import Component, Instance
from model.errors import DesignError
from model.graph import containment
from model.library import Library
from model.operations.arguments import Argument, find, text, xml_name


def add_subcomponent(
    current: Library, /, component: str, subcomponent: str, instance_name: str, description: Argument = ""
) -> tuple[Library, Change]:
    """Instantiate a component inside another.

    Raises:
        DesignError: ``component-not-found``, ``bad-name``, ``name-taken``, ``contains-itself``.
    """
    parent = find(current, component)
    used = find(current, subcomponent, "subcomponent")
    name = xml_name(instance_name, "instance_name")
    check_instance_free(parent, name)
    chain = containment(current, used.vlnv, parent.vlnv)
    if chain:
        raise DesignError(
            "contains-itself",
            f"{used.vlnv} cannot be inside {parent.vlnv}: a component would contain itself"
            f" ({' → '.join(str(vlnv) for vlnv in (parent.vlnv, *chain))}).",
            "Instantiate another component, or remove that one from the inside first.",
        )
    instance = Instance(name=name, component=used.vlnv, description=text(description, "description"))
    design = parent.design
    changed = parent.with_design(design.model_copy(update={"instances": design.instances.set(name, instance)}))
    summary = f"Added subcomponent {name} ({used.vlnv}) to {parent.vlnv}."
    return current.put(changed), Change(summary, added=(ElementId(parent.vlnv, "subcomponent", name),))


def check_instance_free(parent: Component, name: str) -> None:
    """Refuse a name that an instance has.

    Raises:
        DesignError: ``name-taken``.
    """
    taken = parent.design.instances.get(name)
    if taken is not None:
        raise DesignError(
            "name-taken",
            f"{parent.vlnv} already has a subcomponent {name} ({taken.component}).",
            "Choose another instance name, or delete that subcomponent first.",
        )
