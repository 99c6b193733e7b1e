"""Commands about files: opening, saving, and what happens to unsaved work."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox

from desktop.control.confirm import confirm
from desktop.conversation import Conversation
from desktop.document import Document
from desktop.example import example_folder
from desktop.opening import Opener, OpeningStopped
from model.errors import DesignError
from model.findings import Finding
from model.storage import NotAllSavedError, Opened, Saved, save_all, save_component
from model.vlnv import Vlnv

if TYPE_CHECKING:
    from desktop.window import MainWindow

_OVERWRITABLE = {"file-exists", "changed-on-disk", "holds-another-component"}


class FileCommands(QObject):
    """Opens and saves what the document shows.

    Attributes:
        opener: opens in the background, and tells how far it has come.
    """

    def __init__(self, window: MainWindow, document: Document, conversation: Conversation) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._conversation = conversation
        self.opener = Opener(document.bridge, self)

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
        unsaved = self._document.workspace.unsaved()
        self.opener.open(path, partial(self._opened, path, unsaved), self._failed)

    def _opened(self, path: Path, unsaved: Sequence[Vlnv], opened: Opened) -> None:
        if set(self._document.workspace.unsaved()) - set(unsaved):  # edited while the new one was looked at
            again = partial(self._opened, path, self._document.workspace.unsaved(), opened)
            if not self.may_lose_changes(again):
                return
        self._conversation.use_workspace(opened.workspace)
        self._document.reopen(opened)
        self._window.chat_desk.restart()
        self.opener.read(opened, self._read, self._not_read)

    def _read(self, findings: tuple[Finding, ...]) -> None:
        self._document.complete(findings)
        count, found = len(self._document.library), len(self._document.findings)
        told = f"; {found} finding{'s' if found != 1 else ''}, see Problems of the whole library" if found else ""
        self._window.say(f"Opened {count} component{'s' if count != 1 else ''}{told}.")

    def _not_read(self, count: int, total: int) -> None:
        self._window.say(
            f"{count:,} of {total:,} components were read. The others are read when you look at them; until then their "
            "problems are not listed.",
            "warning",
        )

    def _failed(self, error: Exception) -> None:
        if isinstance(error, OpeningStopped):
            self._window.say("Stopped. The design that was open stays open.")
        elif isinstance(error, NotAllSavedError):
            self._not_all_saved(error)
        elif isinstance(error, DesignError):
            self._window.say(str(error), "warning")
        elif isinstance(error, OSError):
            self._window.say(f"{error.filename or 'The file'}: {error.strerror or error}", "error")
        else:
            self._document.bridge.failed.emit(error)

    def can_save(self) -> bool:
        """Whether the shown component has something to save."""
        shown = self._document.component
        return shown in self._document.unsaved or self._window.canvas.has_moved(shown)

    def has_unsaved(self) -> bool:
        """Whether anything is to be saved."""
        return bool(self._document.unsaved)

    def save(self, *, overwrite: bool = False) -> None:
        """Save the shown component to its file."""
        vlnv = self._document.component
        if vlnv is None:
            return
        work = partial(save_component, self._document.workspace, str(vlnv), overwrite=overwrite)
        self._document.bridge.run_blocking(work, partial(self._saved, vlnv), partial(self._not_saved, overwrite))

    def _not_saved(self, overwritten: bool, error: Exception) -> None:
        if isinstance(error, DesignError) and error.code in _OVERWRITABLE and not overwritten:
            if confirm(self._window, "The file is not what was loaded", str(error), "Overwrite"):
                self.save(overwrite=True)
        else:
            self._failed(error)

    def save_all(self) -> None:
        """Save everything that differs from its file."""
        work = partial(save_all, self._document.workspace)
        self._document.bridge.run_blocking(work, self._saved_all, self._failed)

    def _not_all_saved(self, error: NotAllSavedError) -> None:
        self._document.files_written()
        other = [vlnv for vlnv, reason in error.refused.items() if reason.code in _OVERWRITABLE]
        if not other:
            self._window.say(str(error), "warning")
        elif confirm(self._window, "Some files are not what was loaded", error.message, "Overwrite them"):
            self._document.bridge.run_blocking(partial(self._overwrite, other), self._saved_all, self._failed)

    def _overwrite(self, vlnvs: Sequence[Vlnv]) -> list[Saved]:
        return [save_component(self._document.workspace, str(vlnv), overwrite=True) for vlnv in vlnvs]

    def _saved(self, vlnv: Vlnv, saved: Saved) -> None:
        self._window.canvas.write_places(vlnv)
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
