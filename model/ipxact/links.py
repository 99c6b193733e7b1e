"""The part of a component file that leads from its views to its designs."""

from __future__ import annotations

from collections.abc import Mapping

from model.errors import DesignError
from model.ipxact import build
from model.ipxact.identifiers import DesignEncoder
from model.ipxact.markup import Element
from model.ipxact.nodes import Node, child, local, reference, text
from model.ipxact.read_component import configured_nodes, instantiation, name_of, view_nodes
from model.ipxact.references import mentioned
from model.ipxact.splice import Splicer
from model.ipxact.splice_component import remove_rows, set_reference
from model.vlnv import Vlnv


def configuration_vlnv(component: Vlnv, view: str) -> Vlnv:
    """VLNV of the design configuration document for a view of a component."""
    return Vlnv(component.vendor, component.library, f"{component.name}.{view}.designcfg", component.version)


def view_element(view: str, instantiation_name: str, configuration: str = "") -> Element:
    """A view whose inside is a design, and which may configure it."""
    pointer = Element("designInstantiationRef", instantiation_name)
    configured = (Element("designConfigurationInstantiationRef", configuration),) if configuration else ()
    return Element("view", (Element("name", view), pointer, *configured))


def configuration_element(name: str, configuration: Vlnv) -> Element:
    """The instantiation of a design configuration."""
    pointer = Element("designConfigurationRef", (), build.vlnv_attributes(configuration))
    return Element("designConfigurationInstantiation", (Element("name", name), pointer))


def instantiation_element(name: str, design: Vlnv, encode: DesignEncoder, ids: dict[str, str]) -> Element:
    """The instantiation of a design, which sets the design's parameters to the component's."""
    values = tuple(build.configured(encode.id_of(own), ids[own]) for own in encode.added)
    content = (Element("configurableElementValues", values),) if values else ()
    pointer = Element("designRef", content, build.vlnv_attributes(design))
    return Element("designInstantiation", (Element("name", name), pointer))


def instantiation_name(view: str, taken: set[str]) -> str:
    """A name for the instantiation of a view's design."""
    name = f"{view}_design"
    while name in taken:
        name += "_"
    return name


def add_link(splicer: Splicer, view: str, design: Vlnv, encode: DesignEncoder, ids: dict[str, str]) -> None:
    """Let a view lead to a new design; the view appears where it does not exist.

    Raises:
        DesignError: ``version-cannot-hold``: the shape of views before 2014 does not allow it.
    """
    root = splicer.document.root
    if splicer.document.is_spirit:
        raise build.cannot_hold("a new design", splicer.document.standard)
    name = instantiation_name(view, {name_of(each) for each in _instantiations(root)})
    found = _view(root, view)
    if found is None:
        splicer.add(root, ("model", "views"), view_element(view, name))
    else:
        splicer.set_child_text(found, ("designInstantiationRef",), name)
    splicer.add(root, ("model", "instantiations"), instantiation_element(name, design, encode, ids))


def extend_link(splicer: Splicer, view: str, encode: DesignEncoder, ids: dict[str, str]) -> None:
    """Let the component set the parameters that a design of it was given.

    Raises:
        DesignError: ``design-not-configurable``: the view does not refer to the design itself.
    """
    if not encode.added:
        return
    found = _view(splicer.document.root, view)
    pointer = child(_design_instantiation(splicer.document.root, found), "designRef")
    if pointer is None:
        names = ", ".join(encode.added)
        raise DesignError(
            "design-not-configurable",
            f"The design of view {view} cannot refer to {names}: the view reaches it through a configuration only.",
            "Write the number instead of the parameter.",
        )
    for name in encode.added:
        splicer.add(pointer, ("configurableElementValues",), build.configured(encode.id_of(name), ids[name]))


def drop_values(splicer: Splicer, view: str, gone: Mapping[str, str]) -> None:
    """Let the component no longer set parameters of a design to parameters, by id, that it has lost."""
    pointer = child(_design_instantiation(splicer.document.root, _view(splicer.document.root, view)), "designRef")
    remove_rows(splicer, [node for node in configured_nodes(pointer) if mentioned(text(node), gone)])


def retarget(splicer: Splicer, copies: Mapping[Vlnv, Vlnv]) -> None:
    """Let the views of a copied component lead to the copy's own designs and design configurations."""
    for node in splicer.document.root.iter("*"):
        if local(node) in ("designRef", "designConfigurationRef", "hierarchyRef"):
            found = reference(node)
            if found is not None and found in copies:
                set_reference(splicer, node, copies[found])


def remove_link(splicer: Splicer, view: str) -> None:
    """Take the inside from a view, and the view itself where nothing else is in it."""
    root = splicer.document.root
    found = _view(root, view)
    if found is None:
        return
    unused = _design_instantiation(root, found)
    if unused is not None:
        splicer.remove_upwards(unused, root)
    names = ("hierarchyRef", "designInstantiationRef", "designConfigurationInstantiationRef")
    pointers = [each for name in names if (each := child(found, name)) is not None]
    if len(pointers) + 1 == len(found):
        splicer.remove_upwards(found, root)
    else:
        for pointer in pointers:
            splicer.remove(pointer)


def _view(root: Node, name: str) -> Node | None:
    return next((node for node in view_nodes(root) if name_of(node) == name), None)


def _instantiations(root: Node) -> list[Node]:
    container = child(root, "model", "instantiations")
    return list(container.iterchildren("*")) if container is not None else []


def _design_instantiation(root: Node, view: Node | None) -> Node | None:
    name = text(view, "designInstantiationRef")
    return instantiation(root, "designInstantiation", name) if name else None
