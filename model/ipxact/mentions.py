"""References by name in the parts of a component file that its value does not hold: they follow, or saving refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from model.elements import Component
from model.errors import DesignError
from model.expressions import ExpressionError, literal
from model.ipxact.nodes import Node, attribute, local, text
from model.ipxact.pairing import pairs
from model.ipxact.read_component import parameter_names
from model.ipxact.references import inliner, mentioned
from model.ipxact.splice import Splicer
from model.parameters import Values

# Element and attribute that name a port, or a bus interface, in any version of the standard.
_PORT_ATTRIBUTES = {
    "portRef": ("portRef",),
    "remapPort": ("portRef", "portNameRef"),
    "timingConstraint": ("clockName",),
}
_INTERFACE_ATTRIBUTES = {
    "transparentBridge": ("initiatorRef", "masterRef"),
    "bridge": ("masterRef",),
    "subspaceMap": ("initiatorRef", "masterRef"),
}

# Elements whose text is an expression; other texts, such as names, may happen to be an id.
_EXPRESSIONS = frozenset(
    {
        *("value", "left", "right", "range", "width", "size", "index", "dim", "stride", "isPresent"),
        *("baseAddress", "addressOffset", "addressUnitBits", "remapAddress", "offset", "segmentAddress"),
        *("bitOffset", "bitWidth", "bitsInLau", "defaultValue", "mask", "resetValue", "initialValue"),
        *("minimum", "maximum", "busWidth", "maxConnections", "minConnections", "connectionRequired"),
        *("configurableElementValue", "logicalTieOff", "pathSegment", "assert", "depth"),
        *("clockPeriod", "clockPulseOffset", "clockPulseValue", "clockPulseDuration", "singleShotOffset"),
        *("singleShotValue", "singleShotDuration"),
    }
)


def follow_names(splicer: Splicer, old: Component, new: Component, ids: Mapping[str, str]) -> None:
    """Splice what address maps, channels, constraints and the like say about elements with other names now.

    Args:
        ids: parameterIds of the new parameters by name. What refers to a parameter that is gone gets its value.

    Raises:
        DesignError: ``still-referenced``: a port or bus interface is gone that the file refers to elsewhere.
    """
    ports = _renamed(old.ports, new.ports)
    interfaces = _renamed(old.bus_interfaces, new.bus_interfaces)
    gone = _values_of_gone(splicer, old, ids)
    if not (ports or interfaces or gone):
        return
    inline = inliner(gone)
    for node in _kept(splicer, splicer.document.root):
        for name in _PORT_ATTRIBUTES.get(local(node), ()):
            _follow(splicer, node, name, ports, "port")
        for name in _INTERFACE_ATTRIBUTES.get(local(node), ()):
            _follow(splicer, node, name, interfaces, "bus interface")
        if _is_channel_end(node) and text(node) in interfaces:
            splicer.set_text(node, _name_now(splicer, interfaces, text(node), "bus interface"))
        if gone:
            _replace(splicer, node, gone, inline)


def _renamed(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, str]:
    """New names by old ones, of what has another name now; "" for what is gone."""
    if old is new:
        return {}
    now = {before: name for name, before in pairs(old, new).items()}  # type: ignore[arg-type]
    return {name: now.get(name, "") for name in old if now.get(name) != name}


def _values_of_gone(splicer: Splicer, old: Component, ids: Mapping[str, str]) -> dict[str, str]:
    if splicer.document.is_spirit:
        return {}  # formulas stand beside the values there, which stay right
    staying = set(ids.values())
    values = Values(old.parameters)
    found: dict[str, str] = {}
    for key, name in parameter_names(splicer.document).items():
        if key not in staying and name in old.parameters:
            try:
                value = values[name]
            except ExpressionError:
                value = old.parameters[name].value
            found[key] = value if isinstance(value, str) else literal(value)
    return found


def _kept(splicer: Splicer, node: Node) -> list[Node]:
    """Every element that stays, those of other tools left out."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if splicer.is_removed(each) or local(each) == "vendorExtensions":
            continue
        found.append(each)
        waiting.extend(each.iterchildren("*"))
    return found


def _is_channel_end(node: Node) -> bool:
    """Whether the text of an element names a bus interface of a channel."""
    if local(node) == "localName":
        parent = node.getparent()
        return parent is not None and local(parent) == "busInterfaceRef"
    return local(node) == "busInterfaceRef" and len(node) == 0


def _follow(splicer: Splicer, node: Node, name: str, renamed: Mapping[str, str], what: str) -> None:
    known = attribute(node, name)
    if known in renamed:
        splicer.set_attribute(node, name, _name_now(splicer, renamed, known, what))


def _name_now(splicer: Splicer, renamed: Mapping[str, str], known: str, what: str) -> str:
    if renamed[known]:
        return renamed[known]
    raise DesignError(
        "still-referenced",
        f"{splicer.document.path} refers to the {what} {known}, which was deleted, in a part that Blockwright does not"
        " edit.",
        f"Undo the deletion, or remove what refers to {known} from the file first.",
    )


def _replace(splicer: Splicer, node: Node, gone: Mapping[str, str], inline: Callable[[str], str]) -> None:
    if local(node) in _EXPRESSIONS and not len(node) and not splicer.is_edited(node) and mentioned(text(node), gone):
        splicer.set_text(node, inline(text(node)))
    for name in ("minimum", "maximum"):
        bound = attribute(node, name)
        if bound and mentioned(bound, gone) and not splicer.is_edited(node):
            splicer.set_attribute(node, name, inline(bound))
