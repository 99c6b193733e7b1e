"""Adding subcomponents."""

from __future__ import annotations

from model.change import Change, ElementId
from model.elements import Component, Instance
from model.errors import DesignError, nearest
from model.library import Library
from model.operations.arguments import Argument, find, offer, text, xml_name
from model.operations.consequences import check_consequences
from model.operations.ports import check_names
from model.parameters import Values, check_value, instance_overrides, override_value
from model.usage import containment


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


def set_instance_parameter(
    current: Library, /, component: str, instance_name: str, parameter: str, value: Argument = ""
) -> tuple[Library, Change]:
    """Set a parameter of one instance; without a value the component's own applies again.

    Args:
        component: the component that holds the instance.
        value: a value, or an expression over the parameters of ``component``.

    Raises:
        DesignError: ``component-not-found``, ``instance-not-found``, ``component-missing``, ``parameter-not-found``,
            ``bad-value``, ``out-of-range``, ``bad-expression``, ``unknown-parameter``, and any rule that a connection
            would break.
    """
    parent = find(current, component)
    instance = find_instance(parent, text(instance_name, "instance_name", required=True))
    name = text(parameter, "parameter", required=True)
    new = text(value, "value")
    overrides = instance.parameters
    if new:
        _check_override(current, parent, instance, name, new)
        overrides = overrides.set(name, new)
    elif name in overrides:
        overrides = overrides.without(name)
    if overrides == instance.parameters:
        return current, Change(f"Nothing changed in subcomponent {instance.name} of {parent.vlnv}.")
    design = parent.design
    changed = instance.model_copy(update={"parameters": overrides})
    instances = design.instances.set(instance.name, changed)
    result = current.put(parent.with_design(design.model_copy(update={"instances": instances})))
    warnings = check_consequences(current, result, parent.vlnv)
    done = f"Set parameter {name} to {new}" if new else f"Gave parameter {name} its component's value again"
    element = ElementId(parent.vlnv, "subcomponent", instance.name)
    summary = f"{done} in subcomponent {instance.name} of {parent.vlnv}."
    return result, Change(summary, changed=(element,), warnings=warnings)


def find_instance(parent: Component, name: str) -> Instance:
    """Return an instance of a component's first design.

    Raises:
        DesignError: ``instance-not-found``, with the nearest names.
    """
    instance = parent.design.instances.get(name)
    if instance is None:
        raise DesignError(
            "instance-not-found",
            f"{parent.vlnv} has no subcomponent {name}.",
            offer(parent.design.instances) or "Add it with add_subcomponent first.",
            nearest(name, parent.design.instances),
        )
    return instance


def _check_override(current: Library, parent: Component, instance: Instance, name: str, value: str) -> None:
    owner = current.find(instance.component)
    if owner is None:
        raise DesignError(
            "component-missing",
            f"The component {instance.component} of {instance.name} is not in the library, so its parameter {name}"
            " cannot be checked.",
            "Load it with load_component first.",
        )
    parameter = owner.parameters.get(name)
    if parameter is None:
        raise DesignError(
            "parameter-not-found",
            f"Subcomponent {instance.name} ({owner.vlnv}) has no parameter {name}.",
            offer(owner.parameters),
            nearest(name, owner.parameters),
        )
    if parameter.type != "string":
        check_names(parent, value)
    own = override_value(value, Values(parent.parameters))
    overrides = {**instance_overrides(parent, instance), name: own}
    check_value(parameter.model_copy(update={"value": own}), Values(owner.parameters, overrides))
