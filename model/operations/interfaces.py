"""Joining bus interfaces."""

from __future__ import annotations

from dataclasses import dataclass

from model.change import Change, ElementId
from model.elements import BusInterface, Component, Instance, Interconnection, InterfaceEnd
from model.errors import DesignError, nearest
from model.library import Library
from model.operations.arguments import Argument, find, offer, text
from model.operations.connections import connection_name, free_name
from model.operations.instances import find_instance

_PARTNERS = {
    "initiator": ("target", "mirroredInitiator"),
    "target": ("initiator", "mirroredTarget"),
    "system": ("mirroredSystem",),
    "mirroredInitiator": ("initiator", "mirroredTarget"),
    "mirroredTarget": ("target", "mirroredInitiator"),
    "mirroredSystem": ("system",),
    "monitor": (),
}
"""Which modes go together between instances (IEEE 1685-2022, clauses 6.7 and 7.4)."""


@dataclass(frozen=True, slots=True)
class _Found:
    """An end with the interface it names."""

    end: InterfaceEnd
    owner: Component
    interface: BusInterface


def connect_interface(
    current: Library,
    /,
    component: str,
    source_interface: str,
    target_interface: str,
    source_instance: Argument = "",
    target_instance: Argument = "",
    name: Argument = "",
) -> tuple[Library, Change]:
    """Join two bus interfaces inside a component; an empty instance means the component's own interface.

    Raises:
        DesignError: ``component-not-found``, ``instance-not-found``, ``component-missing``, ``interface-not-found``,
            ``same-endpoint``, ``no-instance``, ``already-connected``, ``bus-types-differ``, ``modes-clash``,
            ``bad-name``, ``name-taken``.
    """
    parent = find(current, component)
    source = _find(current, parent, source_instance, source_interface, "source")
    target = _find(current, parent, target_instance, target_interface, "target")
    if source.end == target.end:
        raise DesignError(
            "same-endpoint", f"{source.end} cannot be connected with itself.", "Give two different interfaces."
        )
    if not source.end.instance and not target.end.instance:
        raise DesignError(
            "no-instance",
            f"{source.end} and {target.end} are both interfaces of {parent.vlnv} itself; an interconnection leads to a"
            " subcomponent.",
            "Give source_instance or target_instance, or connect the ports one by one.",
        )
    for found in (source, target):
        _check_free(parent, found)
    _check_pair(source, target)
    design = parent.design
    given = connection_name(design, name)
    base = "_to_".join("_".join(filter(None, (end.instance, end.interface))) for end in (source.end, target.end))
    joined = Interconnection(name=given or free_name(design, base), ends=(source.end, target.end))
    longer = design.interconnections.set(joined.name, joined)
    changed = parent.with_design(design.model_copy(update={"interconnections": longer}))
    summary = f"Connected interface {source.end} to {target.end} in {parent.vlnv} ({joined.name})."
    return current.put(changed), Change(summary, added=(ElementId(parent.vlnv, "interconnection", joined.name),))


def _find(current: Library, parent: Component, instance: Argument, interface: Argument, side: str) -> _Found:
    where = text(instance, f"{side}_instance")
    name = text(interface, f"{side}_interface", required=True)
    owner = _component_of(current, find_instance(parent, where)) if where else parent
    known = owner.bus_interfaces.get(name)
    if known is None:
        whose = f"Subcomponent {where} ({owner.vlnv})" if where else str(owner.vlnv)
        raise DesignError(
            "interface-not-found",
            f"{whose} has no bus interface {name}.",
            offer(owner.bus_interfaces) or "It has no bus interfaces at all; connect its ports instead.",
            nearest(name, owner.bus_interfaces),
        )
    return _Found(InterfaceEnd(instance=where, interface=name), owner, known)


def _component_of(current: Library, instance: Instance) -> Component:
    owner = current.find(instance.component)
    if owner is None:
        raise DesignError(
            "component-missing",
            f"The component {instance.component} of {instance.name} is not in the library, so its interfaces cannot be"
            " checked.",
            "Load it with load_component first.",
        )
    return owner


def _check_free(parent: Component, found: _Found) -> None:
    """An interface of an instance takes part in one interconnection only."""
    for known in parent.design.interconnections.values():
        if found.end in known.ends:
            others = " and ".join(str(end) for end in known.ends if end != found.end)
            raise DesignError(
                "already-connected",
                f"{found.end} is already connected to {others}, by {known.name}.",
                f"Delete the connection {known.name} first, or choose another interface.",
            )


def _check_pair(source: _Found, target: _Found) -> None:
    one, other = source.interface, target.interface
    if one.bus_type != other.bus_type:
        raise DesignError(
            "bus-types-differ",
            f"{source.end} is a {one.bus_type} interface and {target.end} a {other.bus_type} one.",
            "Connect interfaces of one bus type.",
        )
    if bool(source.end.instance) != bool(target.end.instance):
        fits, rule = one.mode == other.mode, "an instance's interface and an own one are joined with equal modes"
    else:
        fits, rule = other.mode in _PARTNERS[one.mode], "an initiator is joined with a target, or with its mirror"
    if not fits:
        raise DesignError(
            "modes-clash",
            f"{source.end} ({one.mode}) and {target.end} ({other.mode}) cannot be connected: {rule}.",
            _fitting(source, target),
        )


def _fitting(source: _Found, target: _Found) -> str:
    equal = bool(source.end.instance) != bool(target.end.instance)
    legal = [
        interface.name
        for interface in target.owner.bus_interfaces.values()
        if interface.bus_type == source.interface.bus_type
        and (interface.mode == source.interface.mode if equal else interface.mode in _PARTNERS[source.interface.mode])
    ]
    whose = target.end.instance or str(target.owner.vlnv)
    if legal:
        return f"{source.end} can be joined with these interfaces of {whose}: {', '.join(legal[:8])}."
    return f"{whose} has no interface that fits {source.end}."
