"""The canvas in its window: gestures become edits, what people arrange is undone, kept and written back."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.canvas.seeds import Seeds, places_of, seeds_of
from desktop.canvas.view import DesignView
from desktop.controller import Controller
from desktop.document import Document
from desktop.history import Rearrangement
from model.errors import DesignError
from model.ipxact.kactus2 import read_drawing
from model.ipxact.kactus2_saving import save_places
from model.vlnv import Vlnv

_DELAY_MS = 600


class CanvasDesk(QObject):
    """Between the canvas and the document.

    Signals:
        told: something for the user to read.
    """

    told = Signal(str)

    def __init__(self, document: Document, view: DesignView, controller: Controller, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._view = view
        self._folder: Path | None = None
        self._failed = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_DELAY_MS)
        self._later.timeout.connect(self._save)
        view.component_opened.connect(controller.views.open_inside)
        view.selection_changed.connect(document.select)
        view.connection_requested.connect(controller.edits.connect_ends)
        view.interface_connection_requested.connect(controller.edits.join_interfaces)
        view.component_dropped.connect(controller.edits.instantiate)
        view.delete_requested.connect(controller.edits.delete)
        view.rename_requested.connect(controller.edits.rename)
        view.set_can_connect(controller.edits.why_not_connect, controller.edits.why_not_join)
        view.rearranged.connect(self._on_rearranged)
        view.component_wanted.connect(document.show)
        view.seed_from(self._seeds)
        document.reopened.connect(self._reopen)
        self._reopen()

    # --- the places, beside the workspace ---

    def _reopen(self) -> None:
        self.flush()
        self._folder = self._document.workspace.folder
        self._failed = False
        if self._folder is not None:
            self._view.load_positions(self._folder)

    def _on_rearranged(self, rearrangement: Rearrangement) -> None:
        def again(swap: object) -> None:
            assert callable(swap)
            swap()
            self._later.start()

        undo, redo = partial(again, rearrangement.undo), partial(again, rearrangement.redo)
        self._document.rearranged(Rearrangement(rearrangement.label, undo, redo))
        self._later.start()

    def _save(self) -> None:
        if self._folder is not None:
            work = self._view.saving_positions(self._folder)
            self._document.bridge.run_blocking(work, None, self._not_saved)

    def flush(self) -> None:
        """Store the places now, if something was arranged since they were stored."""
        if not self._later.isActive() or self._folder is None:
            return
        self._later.stop()
        try:
            self._view.save_positions(self._folder)
        except OSError as error:
            self._not_saved(error)

    def _not_saved(self, error: Exception) -> None:
        if not self._failed:  # once is enough
            self._failed = True
            self.told.emit(f"The places of blocks and the notes cannot be kept in {self._folder}: {error}")

    # --- the places in the design's own file ---

    def _seeds(self, vlnv: Vlnv) -> Seeds:
        workspace = self._document.workspace
        with workspace.lock:
            source = workspace.sources.get(vlnv)
            design = source.designs.get(source.component.view) if source is not None else None
        if source is None or design is None:
            return Seeds()
        return seeds_of(read_drawing(design.content, design.path), source.component.design)

    def has_moved(self, vlnv: Vlnv | None) -> bool:
        """Whether blocks or ports stand elsewhere than the design's own file says, which keeps places."""
        return vlnv is not None and bool(self._view.moved_seeds(vlnv))

    def write_places(self, vlnv: Vlnv) -> None:
        """Write the places of moved blocks and ports into the design's own file, where it keeps places."""
        moved = self._view.moved_seeds(vlnv)
        if not moved:
            return
        work = partial(save_places, self._document.workspace, vlnv, places_of(moved))

        def written(path: Path | None) -> None:
            if path is not None:
                self._view.seeds_written(vlnv, moved)
                self._later.start()
                self._document.files_written()

        def refused(error: Exception) -> None:
            self.told.emit(str(error) if isinstance(error, DesignError) else f"The places were not written: {error}")

        self._document.bridge.run_blocking(work, written, refused)
