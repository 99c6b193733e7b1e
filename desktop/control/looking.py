"""Commands about what is seen: zoom, layout, where one is in the hierarchy, panels, theme."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from desktop.document import Document
from desktop.first_start import take_tour
from desktop.theme.theme import Theme
from desktop.trail import Trail
from model.change import ElementId
from model.vlnv import Vlnv

if TYPE_CHECKING:
    from desktop.window import MainWindow


class ViewCommands(QObject):
    """Looks elsewhere; nothing here edits the design."""

    def __init__(self, window: MainWindow, document: Document, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._theme = theme
        self._trail = Trail()
        self._on_trail = False
        document.component_shown.connect(self._visit)
        document.reopened.connect(self._trail.clear)

    def _visit(self, vlnv: Vlnv | None) -> None:
        if vlnv is not None and not self._on_trail:
            self._trail.visit(self._document.path)

    def can_go(self, by: int) -> bool:
        """Whether a component was shown before (-1) or after (1) the present one."""
        return self._trail.look(by, self._document.library.components) is not None

    def go(self, by: int) -> None:
        """Show the component that was shown before (-1), or after (1), the present one."""
        station = self._trail.go(by, self._document.library.components)
        if station is not None:
            known = tuple(vlnv for vlnv in station if vlnv in self._document.library.components)
            self._on_trail = True
            self._document.show_at(known)
            self._on_trail = False

    def find(self) -> None:
        """Open the bar that finds names."""
        self._window.find_bar.open()

    def find_next(self) -> None:
        """Go to the next name that was found; open the bar where it is closed."""
        self._step(1)

    def find_previous(self) -> None:
        """Go to the name that was found before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        if self._window.find_bar.isVisible():
            self._window.find_bar.step(by)
        else:
            self._window.find_bar.open()

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

    def zoom_to_selection(self) -> None:
        """Show what is selected as large as fits."""
        self._window.view.zoom_to_selection()

    def select_all(self) -> None:
        """Select everything on the canvas."""
        self._window.view.select_all()

    def add_note(self) -> None:
        """Write a note onto the canvas."""
        self._window.view.add_note()

    def rename(self) -> None:
        """Edit the name of what is selected, where it stands."""
        self._window.view.rename_selected()

    def export_picture(self) -> None:
        """Ask for a file and write the picture into it."""
        shown = self._document.component
        if shown is None:
            return
        folder = self._document.workspace.folder or Path.home()
        chosen, _filter = QFileDialog.getSaveFileName(
            self._window,
            "Export the picture",
            str(folder / f"{shown.name}.svg"),
            "SVG (*.svg);;PDF (*.pdf);;PNG (*.png)",
        )
        if chosen:
            self.write_picture(Path(chosen))

    def write_picture(self, path: Path) -> None:
        """Write the picture as SVG, PDF or PNG, as the file's suffix says."""
        try:
            self._window.view.export(path)
        except ValueError as error:
            self._window.say(str(error), "warning")
        except OSError as error:
            self._window.say(f"The picture was not written to {path}: {error.strerror or error}", "error")
        else:
            self._window.say(f"Wrote the picture to {path}.")

    def check(self) -> None:
        """Check the design and show the findings."""
        self._show_list(0)

    def show_history(self) -> None:
        """Show the undo list and put the keyboard there."""
        self._show_list(1)

    def show_netlist(self) -> None:
        """Show the nets as a table and put the keyboard there."""
        self._show_list(2)

    def _show_list(self, position: int) -> None:
        self._window.bring_up("Checks and lists")
        self._window.bottom.show_tab(position)

    def take_tour(self) -> None:
        """Lead through the window."""
        take_tour(self._window)

    def open_palette(self) -> None:
        """Open the command palette."""
        self._window.open_palette()

    def toggle_theme(self) -> None:
        """Change between light and dark."""
        self._theme.toggle()

    def follow_system_theme(self) -> None:
        """Be light or dark as the system is."""
        self._theme.set_mode("system")
