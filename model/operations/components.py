"""Making and deleting components."""

from __future__ import annotations

from dataclasses import replace

from model.change import Change, ElementId
from model.difference import change_between, elements_of
from model.elements import Component, Design
from model.errors import DesignError, Warning
from model.library import Library
from model.operations.arguments import Argument, Flag, find, flag, text, vlnv
from model.operations.cascade import Edit, Use, drop_instances, edit_uses, listed, with_designs
from model.vlnv import Vlnv


def create_component(
    current: Library,
    /,
    vendor: str,
    library: str,
    name: str,
    version: str,
    description: Argument = "",
) -> tuple[Library, Change]:
    """Make an empty component.

    Raises:
        DesignError: ``bad-vlnv``, ``component-exists``.
    """
    new = Vlnv.checked(text(vendor, "vendor"), text(library, "library"), text(name, "name"), text(version, "version"))
    _check_free(current, new)
    component = Component(vlnv=new, description=text(description, "description"))
    added = (ElementId(new, "component"),)
    return current.put(component), Change(
        f"Created component {new}.", added=added, warnings=_case_warnings(current, new)
    )


def _check_free(current: Library, new: Vlnv) -> None:
    if new in current:
        raise DesignError(
            "component-exists",
            f"There is already a component {new}.",
            "Edit that one, or choose another name or version.",
        )


def _case_warnings(current: Library, new: Vlnv) -> tuple[Warning, ...]:
    folded = new.name.casefold()
    twins = [
        known
        for known in current.components
        if known.name.casefold() == folded and str(known).casefold() == str(new).casefold() and known != new
    ]
    return tuple(
        Warning("case-differs", f"{new} differs from {known} only in letter case; file systems may confuse them.")
        for known in twins
    )


def copy_component(current: Library, /, component: str, new_component: Argument) -> tuple[Library, Change]:
    """Make a component with the content of another; what instantiates the original keeps it.

    Args:
        new_component: VLNV of the copy.

    Raises:
        DesignError: ``component-not-found``, ``bad-vlnv``, ``component-exists``.
    """
    original = find(current, component)
    new = vlnv(new_component, "new_component", current)
    _check_free(current, new)
    copy = _under(new, original)
    added = (ElementId(new, "component"), *(element for element, _value in elements_of(copy)))
    change = Change(f"Copied component {original.vlnv} to {new}.", added=added, warnings=_case_warnings(current, new))
    return current.put(copy), change


def rename_component(current: Library, /, component: str, new_component: Argument) -> tuple[Library, Change]:
    """Give a component another VLNV; its instances follow.

    Args:
        new_component: the new VLNV.

    Raises:
        DesignError: ``component-not-found``, ``bad-vlnv``, ``component-exists``.
    """
    original = find(current, component)
    new = vlnv(new_component, "new_component", current)
    if new == original.vlnv:
        return current, Change(f"The component is called {new} already.")
    _check_free(current, new)
    renamed = Library(current.components.rename(original.vlnv, new, _under(new, original)))

    def follow(design: Design, use: Use) -> Design:
        instances = design.instances
        for place in sorted(use.places - {""}):
            instances = instances.set(place, instances[place].model_copy(update={"component": new}))
        return design if instances is design.instances else design.model_copy(update={"instances": instances})

    result = edit_uses(renamed, original, follow)
    change = change_between(current, result, f"Renamed component {original.vlnv} to {new}.")
    return result, replace(change, warnings=tuple(_case_warnings(current.without(original.vlnv), new)))


def _under(new: Vlnv, component: Component) -> Component:
    """The component under another VLNV; its designs become documents of their own when they are saved."""
    designs = component.designs
    for view, design in designs.items():
        designs = designs.set(view, design.model_copy(update={"vlnv": None}))
    return component.model_copy(update={"vlnv": new, "designs": designs})


def delete_component(current: Library, /, component: str, force: Flag = False) -> tuple[Library, Change]:
    """Delete a component from the library; its file stays.

    Args:
        force: delete its instances in other components, and their connections, too.

    Raises:
        DesignError: ``component-not-found``, ``in-use`` listing where it is instantiated.
    """
    target = find(current, component)
    users = [use for use in current.users_of(target.vlnv) if use[0].vlnv != target.vlnv]
    if users and not flag(force, "force"):
        places = listed([f"{instance.name} in {parent.vlnv}" for parent, _view, instance in users])
        raise DesignError(
            "in-use",
            f"{target.vlnv} is instantiated: {places}.",
            "Delete those subcomponents first, or repeat with force to delete them and their connections too.",
        )
    edit = Edit()
    result = current
    for parent in dict.fromkeys(parent.vlnv for parent, _view, _instance in users):
        result = result.put(_without_instances(result.get(parent), target.vlnv, edit))
    removed = (ElementId(target.vlnv, "component"), *(element for element, _value in elements_of(target)))
    summary = f"Deleted component {target.vlnv} from the library"
    if edit.removed:
        others = [f"{gone.kind.replace('_', ' ')} {gone.name} of {gone.component}" for gone in edit.removed]
        summary += f", and with it {listed(others)}"
    summary += "; a file of it on disk stays."
    return result.without(target.vlnv), edit.change(summary, removed=removed)


def _without_instances(parent: Component, target: Vlnv, edit: Edit) -> Component:
    def drop(design: Design, view: str) -> Design:
        names = [instance.name for instance in design.instances.values() if instance.component == target]
        return drop_instances(parent, design, names, edit, view)

    return with_designs(parent, drop)
