"""Commands that edit the design by hand, and those that take edits back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.adding import (
    connection_fields,
    instance_fields,
    new_component_fields,
    parameter_fields,
    port_fields,
    submit_connection,
    submit_instance,
    submit_new_component,
    submit_parameter,
    submit_port,
)
from desktop.call_text import element_words
from desktop.canvas.layout import Point
from desktop.control.confirm import confirm
from desktop.deleting import DELETABLE, delete_elements, goes_along
from desktop.document import Document
from desktop.panels.forms import FormDialog, FormField
from model import operations
from model.change import ElementId
from model.elements import Endpoint, Instance, InterfaceEnd
from model.errors import DesignError
from model.operations.pasting import Clip, pasted_names
from model.vlnv import Vlnv

if TYPE_CHECKING:
    from desktop.window import MainWindow


class EditCommands(QObject):
    """Edits the shown component."""

    def __init__(self, window: MainWindow, document: Document) -> None:
        super().__init__(window)
        self._window = window
        self._document = document

    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._document.history.done)

    def can_redo(self) -> bool:
        """Whether there is an undone step."""
        return bool(self._document.history.undone)

    def undo(self) -> None:
        """Take the last step back."""
        self._document.undo()

    def redo(self) -> None:
        """Make the last undone step again."""
        self._document.redo()

    def has_component(self) -> bool:
        """Whether a component is shown."""
        return self._document.component is not None

    def has_selection(self) -> bool:
        """Whether something is selected that can be deleted."""
        notes = bool(self._window.view.selected_notes())
        return notes or any(element.kind in DELETABLE for element in self._document.selection)

    def has_one(self) -> bool:
        """Whether one element that has a name, or one note, is selected."""
        view = self._window.view
        elements = [element for element in self._document.selection if element.kind != "component"]
        return len(elements) + len(view.selected_notes()) == 1

    def new_component(self) -> None:
        """Ask for a VLNV and create the component."""

        def submit(values: dict[str, str]) -> None:
            self._document.show_when_there(submit_new_component(self._document, values))

        self._form("New component", new_component_fields(self._document), submit, "Create")

    def add_port(self) -> None:
        """Ask for a port of the shown component."""
        self._form("Add port", port_fields(), partial(submit_port, self._document))

    def add_parameter(self) -> None:
        """Ask for a parameter of the shown component."""
        self._form("Add parameter", parameter_fields(), partial(submit_parameter, self._document))

    def add_instance(self) -> None:
        """Ask for a component to instantiate in the shown one."""
        self._form("Add instance", instance_fields(self._document), partial(submit_instance, self._document))

    def add_connection(self) -> None:
        """Ask for two ends to join in the shown component."""
        self._form("Add connection", connection_fields(self._document), partial(submit_connection, self._document))

    def _form(self, title: str, fields: Sequence[FormField], submit: object, button: str = "Add") -> None:
        FormDialog(self._window, title, fields, submit, button).exec()  # type: ignore[arg-type]

    def connect_ends(self, source: Endpoint, target: Endpoint) -> None:
        """Join two ends that were dragged together."""
        self._document.attempt(operations.add_subcomponent_connection, **self._ends(source, target))

    def why_not_connect(self, source: Endpoint, target: Endpoint) -> str:
        """Say why two ends cannot be joined, or "" where they can: tried on the present library, which stays."""
        try:
            operations.add_subcomponent_connection(self._document.library, **self._ends(source, target))
        except DesignError as error:
            return error.message
        return ""

    def instantiate(self, vlnv: Vlnv, place: Point) -> None:
        """Add an instance of a component that was dropped onto the canvas, under a name of its own."""
        shown = self._document.component
        component = self._document.library.find(shown) if shown is not None else None
        if component is None:
            return
        (name,) = pasted_names(component.design, Clip((Instance(name=f"u_{vlnv.name}", component=vlnv),))).values()
        self._window.view.expect({name: place})
        made = self._document.attempt(
            operations.add_subcomponent, component=str(shown), subcomponent=str(vlnv), instance_name=name
        )
        if made is not None:
            self._document.bridge.post(lambda: self._document.select(made.added))

    def join_interfaces(self, source: InterfaceEnd, target: InterfaceEnd) -> None:
        """Join two bus interfaces that were dragged together."""
        self._document.attempt(operations.connect_interface, **self._interfaces(source, target))

    def why_not_join(self, source: InterfaceEnd, target: InterfaceEnd) -> str:
        """Say why two bus interfaces cannot be joined, or "" where they can."""
        try:
            operations.connect_interface(self._document.library, **self._interfaces(source, target))
        except DesignError as error:
            return error.message
        return ""

    def _interfaces(self, source: InterfaceEnd, target: InterfaceEnd) -> dict[str, str]:
        return {
            "component": str(self._document.component),
            "source_instance": source.instance,
            "source_interface": source.interface,
            "target_instance": target.instance,
            "target_interface": target.interface,
        }

    def rename(self, element: ElementId, name: str) -> None:
        """Give an element another name; what refers to it follows, and its block keeps its place."""
        view = self._window.view
        place = view.place_of(element.name) if element.kind == "subcomponent" else None
        if place is not None:
            view.expect({name: place})
        renamed = self._document.attempt(
            operations.rename_element,
            component=str(element.component),
            element_type=element.kind,
            name=element.name,
            new_name=name,
        )
        if renamed is not None and element.component == self._document.component:
            new = ElementId(element.component, element.kind, name)
            self._document.bridge.post(lambda: self._document.select((new,)))

    def _ends(self, source: Endpoint, target: Endpoint) -> dict[str, str]:
        return {
            "component": str(self._document.component),
            "source_instance": source.instance,
            "source_port": source.port,
            "target_instance": target.instance,
            "target_port": target.port,
        }

    def delete_selection(self) -> None:
        """Delete what is selected, notes included."""
        self._window.view.delete_notes()
        self.delete(self._document.selection)

    def delete(self, chosen: tuple[ElementId, ...]) -> None:
        """Delete elements in one step; what goes along is shown first, on the canvas and in words."""
        elements = tuple(element for element in chosen if element.kind in DELETABLE)
        if not elements:
            return
        document, view = self._document, self._window.view
        try:
            after, change = delete_elements(document.library, elements)
        except DesignError as error:
            document.refused.emit(error)
            return
        words = element_words(elements[0]) if len(elements) == 1 else f"{len(elements)} elements"
        along = goes_along(change, elements)
        if along:
            view.show_proposal(after)
            agreed = confirm(self._window, f"Delete {words}?", along, "Delete")
            view.show_proposal(None)
            if not agreed:
                return
        document.attempt(delete_elements, label=f"Delete {words}", elements=elements)

    def delete_component(self) -> None:
        """Delete the shown component from the library; its file stays."""
        vlnv = self._document.component
        if vlnv is None:
            return
        users = self._document.library.users_of(vlnv)
        text = f"{vlnv} leaves the library. The file on disk stays, and undo brings it back."
        if users:
            text += f" {len(users)} instance{'s' if len(users) != 1 else ''} of it and their connections go along."
        if confirm(self._window, "Delete this component?", text, "Delete"):
            self._document.attempt(operations.delete_component, component=str(vlnv), force=bool(users))
