"""Asks what to do when another program has changed files of the open workspace."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from desktop.document import Document, Gesture
from desktop.panels.banner import Banner
from model.change import Change
from model.storage import DiskChanges, Watch, components_of, reload_files
from model.vlnv import Vlnv

_EVERY_MS = 2_000


class DiskDesk(QObject):
    """Looks at the files every two seconds and when the user comes back to the window.

    Files are asked for their time and size rather than watched by the system: editors that replace a file make such a
    watch go blind, and a thousand of them are more than some systems have.

    Signals:
        told: something for the user to read.
    """

    told = Signal(str)

    def __init__(self, document: Document, banner: Banner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._banner = banner
        self._watch: Watch | None = None
        self._looking = False
        self._answering = False
        self.changes = DiskChanges()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_EVERY_MS)
        self._later.timeout.connect(self.look)
        document.reopened.connect(self.begin)
        banner.taken.connect(self.take)
        banner.kept.connect(self.keep)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_state)

    def begin(self) -> None:
        """Watch the workspace that is open now."""
        self._watch = None
        self._show(DiskChanges())
        workspace, bodies = self._document.workspace, self._document.bodies
        unread = bodies.paths if bodies is not None else frozenset[Path]()
        work = partial(Watch, workspace, self._document.is_whole_folder, unread)

        def watching(watch: Watch) -> None:
            if self._document.workspace is workspace:
                self._watch = watch
                self._later.start()

        self._document.bridge.run_blocking(work, watching)

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.look()

    def look(self) -> None:
        """Look now, away from Qt's thread."""
        watch = self._watch
        if watch is None or self._looking or self._answering:
            return
        self._later.stop()
        self._looking = True

        def found(changes: DiskChanges) -> None:
            self._looked()
            if watch is self._watch and not self._answering:
                self._show(changes)

        self._document.bridge.run_blocking(watch.look, found, lambda _error: self._looked())

    def _looked(self) -> None:
        self._looking = False
        self._later.start()

    def _show(self, changes: DiskChanges) -> None:
        if changes == self.changes and self._banner.isVisible() == bool(changes):
            return
        self.changes = changes
        if changes:
            self._banner.ask(*question(changes, self._edited(changes)))
        else:
            self._banner.hide()

    def _edited(self, changes: DiskChanges) -> Sequence[Vlnv]:
        workspace = self._document.workspace
        return [vlnv for vlnv in components_of(workspace, changes.paths) if vlnv in self._document.unsaved]

    def take(self) -> None:
        """Take over what is on disk, as one step that undo takes back."""
        watch, changes = self._watch, self.changes
        if watch is None or not changes:
            return
        gesture = Gesture(f"Reload {_listed(sorted(changes.paths), 2)}")
        self._answer()

        def work() -> Change:
            change = reload_files(self._document.workspace, changes, gesture)
            watch.settle(changes)
            return change

        def done(change: Change) -> None:
            self._document.drop_findings(changes.paths)
            self.told.emit(" ".join([change.summary, *(warning.message for warning in change.warnings)]))
            self._answered()

        def failed(error: Exception) -> None:
            self.told.emit(str(error))
            self._answered(changes)

        self._document.bridge.run_blocking(work, done, failed)

    def keep(self) -> None:
        """Leave the design as it is; saving its components will ask."""
        watch, changes = self._watch, self.changes
        if watch is not None:
            self._answer()
            work = partial(watch.keep, changes)
            self._document.bridge.run_blocking(work, lambda _none: self._kept())

    def _kept(self) -> None:
        self._document.files_written()
        self._answered()

    def _answer(self) -> None:
        self._answering = True
        self._banner.wait()

    def _answered(self, changes: DiskChanges | None = None) -> None:
        self._answering = False
        self.changes = DiskChanges()
        self._show(changes or DiskChanges())
        self.look()


def question(changes: DiskChanges, edited: Sequence[Vlnv]) -> tuple[str, str, str]:
    """What to ask about changes, and the two answers.

    Args:
        edited: components concerned that have unsaved edits.
    """
    told = [
        f"{_listed(paths)} {what}."
        for paths, what in (
            (changes.changed, "changed on disk"),
            (changes.removed, f"{'was' if len(changes.removed) == 1 else 'were'} removed from disk"),
            (changes.added, f"{'is' if len(changes.added) == 1 else 'are'} new in the folder"),
        )
        if paths
    ]
    if edited:
        names = " and ".join(f"{vlnv.name} {vlnv.version}" for vlnv in edited[:3])
        more = f" and {len(edited) - 3} more" if len(edited) > 3 else ""
        told.append(f"You have unsaved edits of {names}{more}; reloading replaces them, and undo brings them back.")
    if changes.changed:
        return " ".join(told), "Reload", "Keep mine"
    if changes.removed:
        return " ".join(told), "Remove from the library", "Keep mine"
    return " ".join(told), "Load", "Ignore"


def _listed(paths: Sequence[Path], most: int = 3) -> str:
    names = [path.name for path in paths[:most]]
    if len(paths) > most:
        names.append(f"{len(paths) - most} more")
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
