"""Writes whole documents for components and designs that have no file yet."""

from __future__ import annotations

from collections.abc import Mapping

from model.elements import Component, Design
from model.ipxact import build
from model.ipxact.document import NAMESPACE_2022, STANDARDS, Standard
from model.ipxact.identifiers import DesignEncoder, Encoder
from model.ipxact.links import (
    configuration_element,
    configuration_vlnv,
    instantiation_element,
    instantiation_name,
    view_element,
)
from model.ipxact.markup import Element, Style
from model.ipxact.read_design import NamesOf, ids_by_name
from model.vlnv import Vlnv

_STYLE = Style("ipxact:", "", "", "  ", "\n")
_LEAF_VIEW = "flat"


def compose_component(
    component: Component, designs: Mapping[str, tuple[Vlnv, DesignEncoder]], ids: dict[str, str]
) -> bytes:
    """A component document of IEEE 1685-2022.

    Args:
        designs: VLNV of the design document, and what writes its expressions, by view.
        ids: parameterIds by name.

    Raises:
        DesignError: ``unwritable-character``.
    """
    encode = Encoder(ids)
    interfaces = tuple(build.bus_interface(value, "2022", encode) for value in component.bus_interfaces.values())
    parameters = tuple(
        build.parameter(value, ids[value.name], "2022", encode) for value in component.parameters.values()
    )
    children = (
        *_head(component.vlnv, component.description),
        *_container("busInterfaces", interfaces),
        Element("model", _model(component, designs, ids, encode)),
        *_container("parameters", parameters),
    )
    return render_document("component", children, "2022")


def _model(
    component: Component,
    designs: Mapping[str, tuple[Vlnv, DesignEncoder]],
    ids: dict[str, str],
    encode: Encoder,
) -> tuple[Element, ...]:
    views: list[Element] = []
    instantiations: list[Element] = []
    taken: set[str] = set()
    for view, (design, design_encode) in designs.items():
        name = instantiation_name(view, taken)
        taken.add(name)
        instantiations.append(instantiation_element(name, design, design_encode, ids))
        configured = component.designs[view].configurations
        for own in dict.fromkeys((view, *configured)):
            chosen = f"{own}_configuration" if own in configured else ""
            views.append(view_element(own, name, chosen))
            if chosen:
                instantiations.append(configuration_element(chosen, configuration_vlnv(component.vlnv, own)))
    if not designs:
        # A component without a view may hold only phantom ports.
        name = f"{_LEAF_VIEW}_implementation"
        views.append(Element("view", (Element("name", _LEAF_VIEW), Element("componentInstantiationRef", name))))
        instantiations.append(Element("componentInstantiation", (Element("name", name),)))
    ports = tuple(build.port(value, "2022", encode) for value in component.ports.values())
    return (
        Element("views", tuple(views)),
        Element("instantiations", tuple(instantiations)),
        *_container("ports", ports),
    )


def compose_design(design: Design, vlnv: Vlnv, standard: Standard, encode: DesignEncoder, names_of: NamesOf) -> bytes:
    """A design document of IEEE 1685-2014 or -2022.

    Raises:
        DesignError: ``unwritable-character``.
    """
    instances = tuple(
        build.instance(value, ids_by_name(names_of, value.component), standard, encode)
        for value in design.instances.values()
    )
    interconnections = tuple(build.interconnection(value, standard) for value in design.interconnections.values())
    connections = tuple(build.connection(value, standard, encode) for value in design.connections.values())
    # The expressions above decide which parameters the design needs.
    parameters = tuple(
        build.parameter(value, encode.id_of(name), standard, str) for name, value in encode.added.items()
    )
    described = build.described(design.description)
    children = (
        *_head(vlnv, design.description if standard == "2022" else ""),
        *_container("componentInstances", instances),
        *_container("interconnections", interconnections),
        *_container("adHocConnections", connections),
        *(() if standard == "2022" else described),
        *_container("parameters", parameters),
    )
    return render_document("design", children, standard)


def _head(vlnv: Vlnv, description: str) -> tuple[Element, ...]:
    fields = tuple(Element(name, value) for name, value in build.vlnv_attributes(vlnv))
    return (*fields, *build.described(description))


def _container(name: str, content: tuple[Element, ...]) -> tuple[Element, ...]:
    return (Element(name, content),) if content else ()


def render_document(kind: str, children: tuple[Element, ...], standard: Standard) -> bytes:
    """A whole document with its declaration and namespaces.

    Raises:
        DesignError: ``unwritable-character``.
    """
    space = next((uri for uri, known in STANDARDS.items() if known == standard), NAMESPACE_2022)
    attributes = (
        ("xmlns:ipxact", space),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
        ("xsi:schemaLocation", f"{space} {space}/index.xsd"),
    )
    text = _STYLE.render(Element(kind, children, attributes))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()
