"""Design configurations: documents that say which view of each instance counts, and refer to a design by its names."""

from __future__ import annotations

from collections.abc import Mapping

from model.elements import Configuration, Design, InterfaceEnd
from model.frozen_map import FrozenMap
from model.ipxact import build
from model.ipxact.compose import render_document
from model.ipxact.document import Document
from model.ipxact.markup import Element
from model.ipxact.nodes import Node, attribute, child, children, local, reference, text
from model.ipxact.pairing import pairs
from model.ipxact.splice import Splicer
from model.ipxact.splice_component import set_reference, splice_head
from model.vlnv import Vlnv


def configured_design(document: Document) -> Vlnv | None:
    """The VLNV of the design that a design configuration document is about."""
    return reference(child(document.root, "designRef"))


def read_configuration(document: Document) -> Configuration:
    """Read which views the instances of a design show."""
    found = ((text(node, "instanceName"), _view_of(node)) for node in _view_nodes(document.root))
    return Configuration(views=FrozenMap((name, view) for name, view in found if name))


def _view_nodes(root: Node) -> list[Node]:
    return list(children(root, "viewConfiguration"))


def _view_of(node: Node) -> str:
    """The view that is chosen: an attribute since 2014, a text before."""
    view = child(node, "view")
    return attribute(view, "viewRef") if view is not None else text(node, "viewName")


def splice_configuration(
    document: Document, old: Design, new: Design, views: Configuration, design: Vlnv | None, vlnv: Vlnv | None
) -> bytes:
    """Let a design configuration follow the names of a design.

    Args:
        views: what the configuration is to say.
        design: VLNV of the design where the configuration is to refer to another; likewise ``vlnv`` for its own.
    """
    splicer = Splicer(document)
    root = document.root
    if vlnv is not None:
        splice_head(splicer, root, vlnv)
    pointer = child(root, "designRef")
    if design is not None and pointer is not None:
        set_reference(splicer, pointer, design)
    _follow_instances(splicer, root, old, new, views)
    _follow_interconnections(splicer, root, old, new)
    return document.encode(splicer.result())


def _follow_instances(splicer: Splicer, root: Node, old: Design, new: Design, views: Configuration) -> None:
    names = {before: name for name, before in pairs(old.instances, new.instances).items()}
    seen: set[str] = set()
    for node in _view_nodes(root):
        instance = text(node, "instanceName")
        name = names.get(instance, "" if instance in old.instances else instance)
        seen.add(name)
        if name not in views.views:
            splicer.remove(node)
            continue
        splicer.set_child_text(node, ("instanceName",), name)
        view = child(node, "view")
        if view is not None:
            splicer.set_attribute(view, "viewRef", views.views[name])
        else:
            splicer.set_child_text(node, ("viewName",), views.views[name])
    for name, chosen in views.views.items():
        if name not in seen:
            splicer.add(root, (), _view_element(name, chosen, is_spirit=splicer.document.is_spirit))


def _view_element(instance: str, view: str, *, is_spirit: bool) -> Element:
    chosen = Element("viewName", view) if is_spirit else Element("view", (), (("viewRef", view),))
    return Element("viewConfiguration", (Element("instanceName", instance), chosen))


def _follow_interconnections(splicer: Splicer, root: Node, old: Design, new: Design) -> None:
    names = {before: name for name, before in pairs(old.interconnections, new.interconnections).items()}
    ends = _renamed_ends(old, new, names)
    for node in children(root, "interconnectionConfiguration"):
        known = text(node, "interconnectionRef")
        if known in old.interconnections and known not in names:
            splicer.remove(node)
            continue
        splicer.set_child_text(node, ("interconnectionRef",), names.get(known, known))
        for place in node.iter("*"):
            if local(place) == "interfaceRef":
                end = InterfaceEnd(instance=attribute(place, "componentRef"), interface=attribute(place, "busRef"))
                now = ends.get(end, end)
                splicer.set_attribute(place, "componentRef", now.instance)
                splicer.set_attribute(place, "busRef", now.interface)


def _renamed_ends(old: Design, new: Design, names: Mapping[str, str]) -> dict[InterfaceEnd, InterfaceEnd]:
    """What has become of the ends of interconnections; an edit of names leaves their order."""
    found: dict[InterfaceEnd, InterfaceEnd] = {}
    for before, name in names.items():
        one, other = old.interconnections[before].all_ends, new.interconnections[name].all_ends
        if len(one) == len(other):
            found.update(zip(one, other, strict=True))
    return found


def compose_configuration(views: Configuration, vlnv: Vlnv, design: Vlnv) -> bytes:
    """A design configuration document of IEEE 1685-2022."""
    head = tuple(Element(name, value) for name, value in build.vlnv_attributes(vlnv))
    pointer = Element("designRef", (), build.vlnv_attributes(design))
    chosen = (_view_element(name, view, is_spirit=False) for name, view in views.views.items())
    return render_document("designConfiguration", (*head, pointer, *chosen), "2022")
