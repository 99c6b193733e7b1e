"""The open workspace as the window sees it: what is shown, what is selected, and edits by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop.bridge import Bridge
from desktop.history import History, Rearrangement
from desktop.suggestions import first_component
from model.change import Change, ElementId
from model.errors import DesignError
from model.findings import Finding
from model.library import Library
from model.storage import Bodies, Opened
from model.vlnv import Vlnv
from model.workspace import Operation, Transaction, Workspace


@dataclass(eq=False, frozen=True)
class Gesture(Transaction):
    """Marks edits that one gesture of the user made together."""


class Document(QObject):
    """One open workspace; the panels read ``library`` and react to the signals, and edit through :meth:`apply`.

    Signals:
        library_changed: a :class:`Change` and the :class:`Library` after it.
        reopened: another workspace has taken the place of the old one.
        completed: all components have been read, and the findings of opening are complete.
        component_shown: the :class:`Vlnv` now on the canvas, or None.
        selection_changed: the selected :class:`ElementId` as a tuple.
        history_changed: there is another step to take back; edits of the design tell of themselves.
        refused: a :class:`DesignError` that no form is there to show.
    """

    library_changed = Signal(object, object)
    reopened = Signal()
    completed = Signal()
    component_shown = Signal(object)
    selection_changed = Signal(object)
    history_changed = Signal()
    refused = Signal(object)

    def __init__(self, opened: Opened, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self.workspace: Workspace = opened.workspace
        self.history = History(self.workspace)
        self.findings: tuple[Finding, ...] = tuple(opened.findings)
        self.bodies: Bodies | None = opened.bodies
        self.is_whole_folder = opened.active is None
        self.library: Library = opened.workspace.library
        self.component: Vlnv | None = None
        self.path: tuple[Vlnv, ...] = ()
        self.selection: tuple[ElementId, ...] = ()
        self._unsaved: frozenset[Vlnv] | None = None
        bridge.changed.connect(self._on_changed)
        bridge.watch(self.workspace)

    @property
    def unsaved(self) -> frozenset[Vlnv]:
        """The components that differ from their files; computed once for each state of the library."""
        if self._unsaved is None:
            self._unsaved = frozenset(self.workspace.unsaved())
        return self._unsaved

    def files_written(self) -> None:
        """Let the panels see what is saved now."""
        self._unsaved = None
        self.library_changed.emit(Change(), self.library)

    def reopen(self, opened: Opened) -> None:
        """Take another workspace."""
        self.workspace = opened.workspace
        self.history = History(self.workspace)
        self.findings = tuple(opened.findings)
        self.bodies = opened.bodies
        self.is_whole_folder = opened.active is None
        self.library = opened.workspace.library
        self._unsaved = None
        self.selection = ()
        self.path = ()
        self.component = None
        self.bridge.watch(self.workspace)
        self.reopened.emit()
        self.show(opened.active)

    def complete(self, findings: tuple[Finding, ...]) -> None:
        """Take in what was found when the components were read; shows one where none is shown yet."""
        self.findings = (*self.findings, *findings)
        self.bodies = None
        self.completed.emit()
        self.files_written()
        if self.component is None:
            self.show(first_component(self.library))

    def drop_findings(self, paths: frozenset[Path]) -> None:
        """Forget what was found in files that have been read again."""
        self.findings = tuple(finding for finding in self.findings if finding.path not in paths)
        self.files_written()

    def _on_changed(self, change: Change, library: Library) -> None:
        self.library = library
        self._unsaved = None
        gone = set(change.removed)
        if gone & set(self.selection):
            self.select(tuple(element for element in self.selection if element not in gone))
        self.library_changed.emit(change, library)
        self.path = tuple(vlnv for vlnv in self.path if vlnv in library)
        if self.component is not None and self.component not in library:
            self.show(self.path[-1] if self.path else first_component(library))

    def show(self, vlnv: Vlnv | None, *, inside: bool = False) -> None:
        """Show a component on the canvas; ``inside`` keeps the way that led to it for the breadcrumbs."""
        if vlnv is None:
            self.path = ()
        elif inside:
            kept = self.path[: self.path.index(vlnv)] if vlnv in self.path else self.path
            self.path = (*kept, vlnv)
        else:
            self.path = (vlnv,)
        self.component = vlnv
        self.component_shown.emit(vlnv)
        self.select(())

    def show_at(self, path: tuple[Vlnv, ...]) -> None:
        """Show the last component of a way through the hierarchy."""
        self.path = path[:-1]
        self.show(path[-1], inside=True)

    def show_when_there(self, vlnv: Vlnv) -> None:
        """Show a component that an edit has just made, once the edit has been delivered."""
        self.bridge.post(lambda: self.show(vlnv))

    def select(self, elements: tuple[ElementId, ...]) -> None:
        """Make ``elements`` the selection of every panel."""
        if elements != self.selection:
            self.selection = elements
            self.selection_changed.emit(elements)

    def apply(self, operation: Operation, /, **arguments: Any) -> Change:
        """Edit the library.

        Raises:
            DesignError: the rules refuse the edit.
        """
        return self.workspace.apply(operation, **arguments)

    def attempt(self, operation: Operation, /, **arguments: Any) -> Change | None:
        """Edit the library, or emit ``refused`` and return None."""
        try:
            return self.apply(operation, **arguments)
        except DesignError as error:
            self.refused.emit(error)
            return None

    def rearranged(self, rearrangement: Rearrangement) -> None:
        """Let undo take back what was done to the picture."""
        self.history.note(rearrangement)
        self.history_changed.emit()

    def undo(self) -> None:
        """Take the last step back, if there is one."""
        self.history.undo()
        self.history_changed.emit()

    def redo(self) -> None:
        """Make the last undone step again, if there is one."""
        self.history.redo()
        self.history_changed.emit()

    def jump(self, position: int) -> None:
        """Undo or redo until ``position`` steps are done."""
        self.history.jump(position)
        self.history_changed.emit()
