"""What others edited since the agent's last request, as the calls that would have done it.

A user who corrects a design on the canvas, undoes a request or edits with another program speaks of that in the next
request ("connect it"), so it belongs into the conversation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain

from agent.models.base import ToolCall
from model.change import ElementId
from model.difference import change_between, elements_of, touched_names
from model.elements import Connection, Instance, Parameter, SignalPort, TransactionalPort, Value
from model.library import Library
from model.vlnv import Vlnv
from model.widths import width_text

MOST = 12  # calls: who has changed more has opened another design, or has written more than a request leans on
# What the design tools make besides components, and in which order one needs the other.
_ORDER = {
    "component": 0,
    "user_parameter": 1,
    "generator_parameter": 1,
    "signal_port": 2,
    "transactional_port": 2,
    "subcomponent": 3,
    "connection": 4,
}


def edits_between(before: Library, after: Library) -> tuple[ToolCall, ...]:
    """Return the calls that turn ``before`` into ``after``; none where they are more than :data:`MOST`.

    What the design tools cannot do (bus interfaces, other views) is left out, and so are elements whose component comes
    or goes with them.
    """
    touched = [*chain(*touched_names(before.components, after.components))]
    if len(touched) > MOST:  # reading and comparing a folder that was opened would take seconds
        return ()
    change = change_between(before, after)
    gone = {element.component for element in change.removed if element.kind == "component"}
    removed = [call for element in change.removed if (call := _removal(element, gone)) is not None]
    if len(removed) + len(change.added) > MOST:
        return ()
    made = sorted((each for each in change.added if each.kind in _ORDER), key=lambda each: _ORDER[each.kind])
    added = [call for element in made if (call := _addition(element, after)) is not None]
    return (*removed, *added)


def _removal(element: ElementId, gone: Collection[Vlnv]) -> ToolCall | None:
    if element.kind == "component":
        return ToolCall("delete_component", {"component": str(element.component)})
    if element.kind not in _ORDER or element.view or element.component in gone:
        return None
    arguments = {"component": str(element.component), "element_type": element.kind, "name": element.name}
    return ToolCall("delete_element", arguments)


def _addition(element: ElementId, library: Library) -> ToolCall | None:
    component = library.get(element.component)
    if element.kind == "component":
        vlnv = component.vlnv
        fields = {"vendor": vlnv.vendor, "library": vlnv.library, "name": vlnv.name, "version": vlnv.version}
        return ToolCall("create_component", fields)
    if element.view:
        return None
    value = next((value for known, value in elements_of(component) if known == element), None)
    tool, arguments = _told(value)
    kept = {name: text for name, text in arguments.items() if text}
    return ToolCall(tool, {"component": str(component.vlnv), **kept}) if tool else None


def _told(value: Value | None) -> tuple[str, Mapping[str, str]]:
    match value:
        case SignalPort():
            told = {"name": value.name, "direction": value.direction}
            size = width_text(value)
            if ":" in size:
                return "add_signal_port", {**told, "left": value.left, "right": value.right}
            return "add_signal_port", {**told, "width": size if size != "1" else ""}
        case TransactionalPort():
            told = {"name": value.name, "initiative": value.initiative, "protocol": value.protocol}
            return "add_transactional_port", {**told, "bus_width": value.bus_width}
        case Parameter():
            tool = "add_user_parameter" if value.kind == "user" else "add_generator_parameter"
            return tool, {"name": value.name, "value": value.value, "type": value.type}
        case Instance():
            return "add_subcomponent", {"subcomponent": str(value.component), "instance_name": value.name}
        case Connection() if len(value.ends) == 2:
            source, target = value.ends
            return "add_subcomponent_connection", {
                "source_instance": source.instance,
                "source_port": source.port,
                "target_instance": target.instance,
                "target_port": target.port,
            }
    return "", {}
