"""Writes the journal of unsaved work while the window runs, and offers what an earlier process lost."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from desktop.document import Document
from desktop.recovery import Journal, LostWork, lost_work, put_back
from model.elements import Component

_DELAY_MS = 800  # the most work that a kill can take


class Safety(QObject):
    """Keeps the journal of a :class:`Document`.

    Signals:
        written: the journal says what is unsaved.
        told: something for the user to read.
    """

    written = Signal()
    told = Signal(str)

    def __init__(self, document: Document, window: QWidget) -> None:
        super().__init__(window)
        self._document = document
        self._window = window
        self.journal = Journal()
        self._failed = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_DELAY_MS)
        self._later.timeout.connect(self.write)
        document.library_changed.connect(lambda _change, _library: self._soon())
        document.reopened.connect(self._reopened)

    def _soon(self) -> None:
        if not self._later.isActive():  # an agent that edits without a pause must not keep it waiting
            self._later.start()

    def write(self) -> None:
        """Write the journal now, away from Qt's thread."""
        work = partial(self.journal.write, self._document.workspace)
        self._document.bridge.run_blocking(work, lambda _none: self._done(), self._not_written)

    def _done(self) -> None:
        self._failed = False
        self.written.emit()

    def _not_written(self, error: Exception) -> None:
        if not self._failed:  # once is enough: it is tried again at every edit
            self._failed = True
            self.told.emit(f"Unsaved work is not kept safe at the moment, so save often: {error}")

    def _reopened(self) -> None:
        self._later.stop()
        self.write()
        self.offer()

    def offer(self) -> None:
        """Look for work that was lost on this folder, and ask about it."""
        folder = self._document.workspace.folder
        self._document.bridge.run_blocking(partial(lost_work, folder), self._ask)

    def _ask(self, lost: LostWork | None) -> None:
        if lost is None:
            return
        box = QMessageBox(self._window)
        box.setWindowTitle("Unsaved work was found")
        box.setText(f"Restore the work of {lost.written:%d %B %Y, %H:%M}?")
        names = ", ".join(f"{vlnv.name} {vlnv.version}" for vlnv in list(lost.components)[:6])
        more = f" and {len(lost.components) - 6} more" if len(lost.components) > 6 else ""
        text = f"Blockwright ended without saving {names}{more}. Restoring puts them into the library as one step that "
        text += "undo takes back; no file is changed before you save."
        if lost.unwritable:
            text += f" The changes of {', '.join(lost.unwritable)} could not be kept."
        box.setInformativeText(text)
        restore = box.addButton("Restore", QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton("Ask me next time", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(restore)
        box.finished.connect(lambda _result: self._answered(box, restore, discard, lost))
        box.open()

    def _answered(self, box: QMessageBox, restore: object, discard: object, lost: LostWork) -> None:
        if box.clickedButton() is restore:
            self._document.bridge.run_blocking(lost.read, partial(self._restore, lost), self._not_read)
        elif box.clickedButton() is discard:
            self._document.bridge.run_blocking(lost.discard)
        box.deleteLater()

    def _restore(self, lost: LostWork, components: list[Component]) -> None:
        self._document.apply(put_back, label=f"Restore the work of {lost.written:%H:%M}", components=components)
        count = len(components)
        self.told.emit(f"Restored {count} component{'s' if count != 1 else ''}. Nothing is saved yet.")
        workspace = self._document.workspace

        def take_over() -> None:
            self.journal.write(workspace)  # first kept here, then forgotten there
            lost.discard()

        self._document.bridge.run_blocking(take_over, lambda _none: self._done(), self._not_written)

    def _not_read(self, error: Exception) -> None:
        self.told.emit(f"The work could not be restored: {error}")
