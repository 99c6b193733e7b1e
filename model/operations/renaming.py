"""Renaming: every reference follows, or the whole edit is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from model.change import Change, ElementId
from model.difference import change_between
from model.elements import Component, Design, Endpoint, InterfaceEnd
from model.errors import DesignError
from model.expressions import is_identifier, rename_names
from model.frozen_map import FrozenMap
from model.library import Library
from model.nets import netlist, with_connections
from model.operations.arguments import Argument, find, port_name, xml_name
from model.operations.cascade import Edit, Use, edit_uses
from model.operations.deletion import find_element
from model.operations.expression_uses import rewrite_uses
from model.operations.instances import check_instance_free
from model.operations.parameters import check_captured, check_parameter_free
from model.operations.ports import check_port_free


def rename_element(
    current: Library, /, component: str, element_type: str, name: str, new_name: Argument
) -> tuple[Library, Change]:
    """Rename an element; connections, expressions, port maps and instance parameters follow, in every component.

    Raises:
        DesignError: ``component-not-found``, ``element-not-found``, ``bad-name``, ``name-taken``.
    """
    owner = find(current, component)
    element = find_element(owner, element_type, name)
    if new_name == element.name:
        return current, Change(f"The {element.kind.replace('_', ' ')} is called {element.name} already.")
    match element.kind:
        case "signal_port" | "transactional_port" | "structured_port":
            result = _rename_port(current, owner, element, port_name(new_name, "new_name"))
        case "subcomponent":
            result = _rename_instance(current, owner, element, xml_name(new_name, "new_name"))
        case "connection" | "interconnection":
            result = _rename_connection(current, owner, element, port_name(new_name, "new_name"))
        case "bus_interface":
            result = _rename_interface(current, owner, element, xml_name(new_name, "new_name"))
        case _:
            result = _rename_parameter(current, owner, element, xml_name(new_name, "new_name"))
    words = element.kind.replace("_", " ")
    return result, change_between(current, result, f"Renamed {words} {element.name} of {owner.vlnv} to {new_name}.")


def _rename_port(current: Library, owner: Component, element: ElementId, new: str) -> Library:
    old = element.name
    check_port_free(owner, new)
    port = owner.ports[old].model_copy(update={"name": new})
    interfaces = owner.bus_interfaces
    for interface in interfaces.values():
        if any(row.physical == old for row in interface.port_maps):
            rows = tuple(
                row.model_copy(update={"physical": new}) if row.physical == old else row for row in interface.port_maps
            )
            interfaces = interfaces.set(interface.name, interface.model_copy(update={"port_maps": rows}))
    changed = owner.model_copy(update={"ports": owner.ports.rename(old, new, port), "bus_interfaces": interfaces})

    def follow(design: Design, use: Use) -> Design:
        return _with_ends(
            design,
            [(place, old) for place in use.places],
            lambda end: end.model_copy(update={"port": new}) if end.port == old and end.instance in use.places else end,
        )

    return edit_uses(current.put(changed), owner, follow)


def _with_ends(
    design: Design, places: Iterable[tuple[str, str | None]], edit: Callable[[Endpoint], Endpoint]
) -> Design:
    """Return the design with the ends of its connections at some places edited."""
    connections = design.connections
    for connection in netlist(design).connections_at(places):
        ends = tuple(map(edit, connection.ends))
        connections = connections.set(connection.name, connection.model_copy(update={"ends": ends}))
    return with_connections(design, connections)


def _with_interface_ends(design: Design, update: dict[str, str], concerns: Callable[[str, str], bool]) -> Design:
    """Return the design with those ends of interconnections updated that ``concerns`` (instance, interface) picks."""
    interconnections = design.interconnections
    for name, interconnection in interconnections.items():
        if any(concerns(end.instance, end.interface) for end in interconnection.all_ends):

            def follow(end: InterfaceEnd) -> InterfaceEnd:
                return end.model_copy(update=update) if concerns(end.instance, end.interface) else end

            watched = interconnection.monitored
            new = {
                "ends": tuple(map(follow, interconnection.ends)),
                "monitored": None if watched is None else follow(watched),
            }
            interconnections = interconnections.set(name, interconnection.model_copy(update=new))
    if interconnections is design.interconnections:
        return design
    return design.model_copy(update={"interconnections": interconnections})


def _rename_instance(current: Library, owner: Component, element: ElementId, new: str) -> Library:
    old = element.name
    check_instance_free(owner, new)
    design = owner.design
    instances = design.instances.rename(old, new, design.instances[old].model_copy(update={"name": new}))
    places = [(old, None)]
    design = _with_ends(
        design, places, lambda end: end.model_copy(update={"instance": new}) if end.instance == old else end
    )
    design = _with_interface_ends(design, {"instance": new}, lambda instance, _interface: instance == old)
    configurations = design.configurations
    for view, chosen in configurations.items():
        if old in chosen.views:
            views = chosen.views.rename(old, new, chosen.views[old])
            configurations = configurations.set(view, chosen.model_copy(update={"views": views}))
    design = design.model_copy(update={"instances": instances, "configurations": configurations})
    return current.put(owner.with_design(design))


def _rename_connection(current: Library, owner: Component, element: ElementId, new: str) -> Library:
    old, design = element.name, owner.design
    if new in design.connections or new in design.interconnections:
        raise DesignError("name-taken", f"{owner.vlnv} already has a connection {new}.", "Choose another name.")
    if element.kind == "connection":
        connection = design.connections[old].model_copy(update={"name": new})
        renamed = with_connections(design, design.connections.rename(old, new, connection))
    else:
        interconnection = design.interconnections[old].model_copy(update={"name": new})
        rest = design.interconnections.rename(old, new, interconnection)
        renamed = design.model_copy(update={"interconnections": rest})
    return current.put(owner.with_design(renamed))


def _rename_interface(current: Library, owner: Component, element: ElementId, new: str) -> Library:
    old = element.name
    if new in owner.bus_interfaces:
        raise DesignError("name-taken", f"{owner.vlnv} already has a bus interface {new}.", "Choose another name.")
    interface = owner.bus_interfaces[old].model_copy(update={"name": new})
    changed = owner.model_copy(update={"bus_interfaces": owner.bus_interfaces.rename(old, new, interface)})

    def follow(design: Design, use: Use) -> Design:
        return _with_interface_ends(
            design, {"interface": new}, lambda instance, interface: interface == old and instance in use.places
        )

    return edit_uses(current.put(changed), owner, follow)


def _rename_parameter(current: Library, owner: Component, element: ElementId, new: str) -> Library:
    old = element.name
    check_parameter_free(owner, new)
    edit = Edit()
    changed = rewrite_uses(owner, old, lambda text: rename_names(text, {old: new}), edit)
    if edit.changed and not is_identifier(new):
        raise DesignError(
            "bad-name",
            f"Expressions refer to parameter {old}, and '{new}' cannot be written in an expression.",
            "Use letters, digits and '_' only; begin with a letter or '_'.",
        )
    parameter = changed.parameters[old].model_copy(update={"name": new})
    changed = changed.model_copy(update={"parameters": changed.parameters.rename(old, new, parameter)})
    check_captured(changed, new)

    def follow(design: Design, use: Use) -> Design:
        instances = design.instances
        for place in sorted(use.places - {""}):
            instance = instances[place]
            if old in instance.parameters:
                instances = instances.set(
                    place, instance.model_copy(update={"parameters": _renamed(instance.parameters, old, new)})
                )
        return design if instances is design.instances else design.model_copy(update={"instances": instances})

    return edit_uses(current.put(changed), owner, follow)


def _renamed(overrides: FrozenMap[str, str], old: str, new: str) -> FrozenMap[str, str]:
    return overrides.rename(old, new, overrides[old])
