"""The forms that add things by hand: their fields, and the operations that they call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from desktop.document import Document
from desktop.panels.forms import FormField
from model import operations
from model.elements import ParameterType
from model.vlnv import Vlnv

_SIGNALS = ("in", "out", "inout")
_TRANSACTIONAL = ("requires", "provides", "both")


def new_component_fields(document: Document) -> list[FormField]:
    """Fields of a new component; vendor and library as in the shown one."""
    shown = document.component
    return [
        FormField("vendor", "Vendor", shown.vendor if shown else "", hint="acme"),
        FormField("library", "Library", shown.library if shown else "", hint="periph"),
        FormField("name", "Name", hint="uart"),
        FormField("version", "Version", "1.0"),
        FormField("description", "Description", mono=False, hint="optional"),
    ]


def submit_new_component(document: Document, values: Mapping[str, str]) -> Vlnv:
    """Create the component and return what it is called.

    Raises:
        DesignError: the rules refuse it.
    """
    change = document.apply(operations.create_component, **values)
    return change.added[0].component


def port_fields() -> list[FormField]:
    """Fields of a new port."""
    return [
        FormField("name", "Name", hint="irq"),
        FormField("direction", "Direction", "in", (*_SIGNALS, *_TRANSACTIONAL)),
        FormField("width", "Width", hint="1, 32, DATA_WIDTH…"),
        FormField("default_value", "Default", hint="optional, inputs only"),
        FormField("description", "Description", mono=False, hint="optional"),
    ]


def submit_port(document: Document, values: Mapping[str, str]) -> None:
    """Add a signal port, or a transactional one where an initiative was chosen.

    Raises:
        DesignError: the rules refuse it.
    """
    component, direction = str(document.component), values["direction"]
    if direction in _SIGNALS:
        document.apply(
            operations.add_signal_port,
            component=component,
            name=values["name"],
            direction=direction,
            width=values["width"] or "1",
            default_value=values["default_value"],
            description=values["description"],
        )
    else:
        document.apply(
            operations.add_transactional_port,
            component=component,
            name=values["name"],
            initiative=direction,
            bus_width=values["width"],
            description=values["description"],
        )


def parameter_fields() -> list[FormField]:
    """Fields of a new parameter."""
    return [
        FormField("name", "Name", hint="DATA_WIDTH"),
        FormField("value", "Value", hint="32"),
        FormField("type", "Type", "int", get_args(ParameterType)),
        FormField("set_by", "Set by", "user", ("user", "generator")),
        FormField("minimum", "Minimum", hint="optional"),
        FormField("maximum", "Maximum", hint="optional"),
        FormField("description", "Description", mono=False, hint="optional"),
    ]


def submit_parameter(document: Document, values: Mapping[str, str]) -> None:
    """Add a parameter.

    Raises:
        DesignError: the rules refuse it.
    """
    arguments = dict(values)
    user = arguments.pop("set_by") == "user"
    add = operations.add_user_parameter if user else operations.add_generator_parameter
    document.apply(add, component=str(document.component), **arguments)


def instance_fields(document: Document) -> list[FormField]:
    """Fields of a new instance."""
    known = sorted(str(vlnv) for vlnv in document.library.components if vlnv != document.component)
    return [
        FormField("subcomponent", "Component", choices=known, free=True, hint="vendor:library:name:version"),
        FormField("instance_name", "Instance name", hint="u_uart"),
        FormField("description", "Description", mono=False, hint="optional"),
    ]


def submit_instance(document: Document, values: Mapping[str, str]) -> None:
    """Add an instance.

    Raises:
        DesignError: the rules refuse it.
    """
    document.apply(operations.add_subcomponent, component=str(document.component), **values)


def connection_fields(document: Document) -> list[FormField]:
    """Fields of a new connection: every port that there is to join."""
    ends = _ends(document)
    return [
        FormField("source", "From", choices=ends, free=True, hint="u_cpu.irq_ack, or clk"),
        FormField("target", "To", choices=ends, free=True, hint="u_intc.ack"),
        FormField("name", "Name", hint="made from the ends"),
    ]


def _ends(document: Document) -> list[str]:
    component = document.library.find(document.component) if document.component is not None else None
    if component is None:
        return []
    ends = list(component.ports)
    for instance in component.design.instances.values():
        definition = document.library.find(instance.component)
        ends += [f"{instance.name}.{port}" for port in definition.ports] if definition is not None else []
    return ends


def submit_connection(document: Document, values: Mapping[str, str]) -> None:
    """Add a connection.

    Raises:
        DesignError: the rules refuse it.
    """
    source, target = _split(document, values["source"]), _split(document, values["target"])
    document.apply(
        operations.add_subcomponent_connection,
        component=str(document.component),
        source_instance=source[0],
        source_port=source[1],
        target_instance=target[0],
        target_port=target[1],
        name=values["name"],
    )


def _split(document: Document, end: str) -> tuple[str, str]:
    """Instance and port of an end; port names may hold dots, so the instances that exist decide."""
    component = document.library.find(document.component) if document.component is not None else None
    instances = component.design.instances if component is not None else {}
    if component is not None and end in component.ports:
        return "", end
    instance, dot, port = end.partition(".")
    while dot and instance not in instances and "." in port:
        more, dot, port = port.partition(".")
        instance = f"{instance}.{more}"
    return (instance, port) if dot else ("", end)
