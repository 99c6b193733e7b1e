"""What the user can do: the commands behind menus, buttons, the palette and the panels' signals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox

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
from desktop.conversation import Conversation
from desktop.document import Document, Gesture
from desktop.example import example_folder
from desktop.panels.connect_dialog import ConnectDialog
from desktop.panels.forms import FormDialog, FormField
from desktop.theme.theme import Theme
from model import operations
from model.change import ElementId
from model.elements import Endpoint
from model.errors import DesignError
from model.storage import Opened, Saved, open_workspace, save_all, save_component
from model.vlnv import Vlnv

if TYPE_CHECKING:
    from desktop.window import MainWindow

_OVERWRITABLE = {"file-exists", "changed-on-disk", "holds-another-component"}
_DELETABLE = {
    "signal_port",
    "transactional_port",
    "user_parameter",
    "generator_parameter",
    "subcomponent",
    "connection",
}


class Controller(QObject):
    """Carries commands out on the document, the conversation and the window."""

    def __init__(self, window: MainWindow, document: Document, conversation: Conversation, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._conversation = conversation
        self._theme = theme

    # --- files ---

    def open_folder(self) -> None:
        """Ask for a folder of IP-XACT files and open it."""
        chosen = QFileDialog.getExistingDirectory(self._window, "Open a folder of IP-XACT files", self._start_folder())
        if chosen:
            self.open_path(Path(chosen))

    def open_file(self) -> None:
        """Ask for one IP-XACT file and open it with what it needs."""
        chosen, _filter = QFileDialog.getOpenFileName(
            self._window, "Open an IP-XACT component or design", self._start_folder(), "IP-XACT (*.xml)"
        )
        if chosen:
            self.open_path(Path(chosen))

    def open_example(self) -> None:
        """Open the user's own copy of the bundled example."""
        self.open_path(example_folder())

    def _start_folder(self) -> str:
        return str(self._document.workspace.folder or Path.home())

    def open_path(self, path: Path) -> None:
        """Open a folder or file in place of the present workspace, after asking about unsaved changes."""
        if not self.may_lose_changes(partial(self.open_path, path)):
            return
        self._window.say(f"Opening {path}…")
        self._document.bridge.run_blocking(partial(open_workspace, path), self._opened, self._failed)

    def _opened(self, opened: Opened) -> None:
        self._conversation.use_workspace(opened.workspace)
        self._document.reopen(opened)
        self._window.chat_desk.restart()
        count = len(opened.workspace.library)
        found = f"; {len(opened.findings)} findings, see Problems" if opened.findings else ""
        self._window.say(f"Opened {count} component{'s' if count != 1 else ''}{found}.")

    def _failed(self, error: Exception) -> None:
        if isinstance(error, DesignError):
            self._window.say(str(error), "warning")
        elif isinstance(error, OSError):
            self._window.say(f"{error.filename or 'The file'}: {error.strerror or error}", "error")
        else:
            self._document.bridge.failed.emit(error)

    def can_save(self) -> bool:
        """Whether the shown component has something to save."""
        return self._document.component in self._document.unsaved

    def has_unsaved(self) -> bool:
        """Whether anything is to be saved."""
        return bool(self._document.unsaved)

    def save(self, *, overwrite: bool = False) -> None:
        """Save the shown component to its file."""
        vlnv = self._document.component
        if vlnv is None:
            return
        work = partial(save_component, self._document.workspace, str(vlnv), overwrite=overwrite)
        self._document.bridge.run_blocking(work, self._saved, partial(self._not_saved, overwrite))

    def _not_saved(self, overwritten: bool, error: Exception) -> None:
        if isinstance(error, DesignError) and error.code in _OVERWRITABLE and not overwritten:
            if self._confirm("The file is not what was loaded", str(error), "Overwrite"):
                self.save(overwrite=True)
        else:
            self._failed(error)

    def save_all(self) -> None:
        """Save everything that differs from its file."""
        work = partial(save_all, self._document.workspace)
        self._document.bridge.run_blocking(work, self._saved_all, self._failed)

    def _saved(self, saved: Saved) -> None:
        self._document.files_written()
        self._window.say(saved.message)

    def _saved_all(self, saved: Sequence[Saved]) -> None:
        self._document.files_written()
        count = len(saved)
        self._window.say(f"Saved {count} component{'s' if count != 1 else ''}.")

    def may_lose_changes(self, then: partial[None]) -> bool:
        """Ask about unsaved changes; ``then`` runs once they are saved. True where there is nothing to lose."""
        unsaved = self._document.workspace.unsaved()
        if not unsaved:
            return True
        names = ", ".join(f"{vlnv.name} {vlnv.version}" for vlnv in unsaved[:4])
        more = f" and {len(unsaved) - 4} more" if len(unsaved) > 4 else ""
        box = QMessageBox(self._window)
        box.setWindowTitle("Unsaved changes")
        box.setText(f"{names}{more} {'has' if len(unsaved) == 1 else 'have'} changes that are not saved.")
        save = box.addButton("Save all", QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton("Do not save", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.exec()
        if box.clickedButton() is discard:
            return True
        if box.clickedButton() is save:

            def saved(result: Sequence[Saved]) -> None:
                self._saved_all(result)
                if not self._document.workspace.unsaved():
                    then()

            self._document.bridge.run_blocking(partial(save_all, self._document.workspace), saved, self._failed)
        return False

    def quit(self) -> None:
        """Close the window."""
        self._window.close()

    # --- undo ---

    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._document.workspace.done)

    def can_redo(self) -> bool:
        """Whether there is an undone step."""
        return bool(self._document.workspace.undone)

    def undo(self) -> None:
        """Take the last step back."""
        self._document.undo()

    def redo(self) -> None:
        """Make the last undone step again."""
        self._document.redo()

    # --- edits by hand ---

    def has_component(self) -> bool:
        """Whether a component is shown."""
        return self._document.component is not None

    def has_selection(self) -> bool:
        """Whether something is selected that can be deleted."""
        return any(element.kind in _DELETABLE for element in self._document.selection)

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

    def _ends(self, source: Endpoint, target: Endpoint) -> dict[str, str]:
        return {
            "component": str(self._document.component),
            "source_instance": source.instance,
            "source_port": source.port,
            "target_instance": target.instance,
            "target_port": target.port,
        }

    def delete_selection(self) -> None:
        """Delete what is selected."""
        self.delete(self._document.selection)

    def delete(self, chosen: tuple[ElementId, ...]) -> None:
        """Delete elements in one step; asks before it takes along what uses them."""
        elements = [element for element in chosen if element.kind in _DELETABLE]
        if not elements:
            return
        # Connections first: an instance takes its own along.
        elements.sort(key=lambda element: element.kind != "connection")
        label = f"Delete {elements[0].name}" if len(elements) == 1 else f"Delete {len(elements)} elements"
        gesture = Gesture(label)
        for element in elements:
            self._delete(element, gesture)

    def _delete(self, element: ElementId, gesture: Gesture) -> None:
        remove = partial(
            self._document.apply,
            operations.delete_element,
            transaction=gesture,
            component=str(element.component),
            element_type=element.kind,
            name=element.name,
        )
        try:
            remove()
        except DesignError as error:
            if "cascade" not in error.hint or not self._confirm("It is used", error.message, "Delete with its uses"):
                if "cascade" not in error.hint:
                    self._document.refused.emit(error)
                return
            try:
                remove(cascade=True)
            except DesignError as second:
                self._document.refused.emit(second)

    def delete_component(self) -> None:
        """Delete the shown component from the library; its file stays."""
        vlnv = self._document.component
        if vlnv is None:
            return
        users = self._document.library.users_of(vlnv)
        text = f"{vlnv} leaves the library. The file on disk stays, and undo brings it back."
        if users:
            text += f" {len(users)} instance{'s' if len(users) != 1 else ''} of it and their connections go along."
        if self._confirm("Delete this component?", text, "Delete"):
            self._document.attempt(operations.delete_component, component=str(vlnv), force=bool(users))

    def _confirm(self, title: str, text: str, button: str) -> bool:
        box = QMessageBox(self._window)
        box.setWindowTitle(title)
        box.setText(title)
        box.setInformativeText(text)
        yes = box.addButton(button, QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(cancel)
        box.exec()
        return box.clickedButton() is yes

    # --- view ---

    def fit(self) -> None:
        """Show the whole design."""
        self._window.view.fit()

    def relayout(self) -> None:
        """Place everything anew."""
        self._window.view.relayout()

    def can_go_back(self) -> bool:
        """Whether the shown component was opened from another."""
        return len(self._document.path) > 1

    def back(self) -> None:
        """Show the component from which the present one was opened."""
        if self.can_go_back():
            self._document.show(self._document.path[-2], inside=True)

    def open_inside(self, vlnv: Vlnv) -> None:
        """Go down into a subcomponent."""
        if vlnv in self._document.library:
            self._document.show(vlnv, inside=True)
        else:
            self._window.say(f"{vlnv} is not in the library: no file in the workspace holds it.", "warning")

    def reveal(self, elements: tuple[ElementId, ...]) -> None:
        """Show the component that the elements belong to, and select them there."""
        present = [element for element in elements if element.component in self._document.library]
        if not present:
            return
        owner = present[-1].component
        if owner != self._document.component:
            self._document.show(owner, inside=owner in self._document.path)
        mine = tuple(element for element in present if element.component == owner)
        self._document.select(tuple(element for element in mine if element.kind != "component"))
        for element in mine:
            self._window.view.reveal(element)

    def reroute(self) -> None:
        """Route the wires anew; the blocks stay."""
        self._window.view.reroute()

    def zoom_in(self) -> None:
        """Draw larger."""
        self._window.view.zoom_in()

    def zoom_out(self) -> None:
        """Draw smaller."""
        self._window.view.zoom_out()

    def check(self) -> None:
        """Check the design and show the findings."""
        self._window.bottom.show_tab(0)

    def show_history(self) -> None:
        """Show the undo list and put the keyboard there."""
        self._window.bottom.show_tab(1)

    def show_netlist(self) -> None:
        """Show the nets as a table and put the keyboard there."""
        self._window.bottom.show_tab(2)

    def open_palette(self) -> None:
        """Open the command palette."""
        self._window.open_palette()

    def toggle_theme(self) -> None:
        """Change between light and dark."""
        self._theme.toggle()

    def follow_system_theme(self) -> None:
        """Be light or dark as the system is."""
        self._theme.set_mode("system")

    # --- agent ---

    def is_agent_busy(self) -> bool:
        """Whether a request is running."""
        return self._conversation.busy

    def is_agent_idle(self) -> bool:
        """Whether no request is running."""
        return not self._conversation.busy

    def focus_chat(self) -> None:
        """Put the keyboard into the request field."""
        self._window.chat.field.setFocus()

    def stop(self) -> None:
        """Stop the running request."""
        self._conversation.stop()

    def new_conversation(self) -> None:
        """Forget what was said; the design and the scores stay."""
        self._conversation.restart()
        self._window.chat_desk.restart()

    def show_transcripts(self) -> None:
        """Show earlier conversations."""
        self._window.chat_desk.show_transcripts()

    def list_models(self) -> None:
        """Look for models again."""
        self._conversation.start()

    def toggle_mcp(self) -> None:
        """Let other programs edit the open design, or no longer."""
        self._window.mcp.toggle()

    def connect_programs(self) -> None:
        """Show how other programs connect."""
        dialog = ConnectDialog(self._window.mcp, self._window)
        dialog.exec()
        dialog.deleteLater()

    def pick_task(self) -> None:
        """Choose a task of a suite."""
        self._window.tasks.pick()

    def has_scores(self) -> bool:
        """Whether a request was made in this session."""
        return bool(self._window.scores.rows)

    def export_scores(self) -> None:
        """Write the session's requests and scores to a file."""
        self._window.score_desk.export()

    def clear_scores(self) -> None:
        """Forget the session's scores."""
        self._window.scores.clear()
