"""Commands that copy blocks with what joins them, within a design and between designs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from desktop.canvas.layout import Point
from desktop.document import Document
from model import operations
from model.change import ElementId
from model.operations.pasting import Clip, copy_instances, pasted_names

if TYPE_CHECKING:
    from desktop.window import MainWindow

_ASIDE = 40.0  # copies stand beside what they were made from


class ClipCommands(QObject):
    """Copies and pastes; the clipboard of the system gets the names as text."""

    def __init__(self, window: MainWindow, document: Document) -> None:
        super().__init__(window)
        self._window = window
        self._document = document
        self._clip = Clip(())
        self._places: dict[str, Point] = {}
        self._pasted = 0

    def _names(self) -> list[str]:
        """The selected instances of the shown component."""
        shown = self._document.component
        chosen = self._document.selection
        return [each.name for each in chosen if each.kind == "subcomponent" and each.component == shown]

    def can_copy(self) -> bool:
        """Whether a block is selected."""
        return bool(self._names())

    def can_paste(self) -> bool:
        """Whether blocks were copied, and there is a component to put them into."""
        return bool(self._clip.instances) and self._document.component is not None

    def copy(self) -> None:
        """Copy the selected blocks and what joins them among each other."""
        if not self._take():
            return
        QApplication.clipboard().setText("\n".join(instance.name for instance in self._clip.instances))
        count = len(self._clip.instances)
        self._window.say(f"Copied {count} block{'s' if count != 1 else ''}.")
        self._window.actions_.refresh()

    def duplicate(self) -> None:
        """Put a copy of the selected blocks beside them; what was copied before stays to be pasted."""
        kept = (self._clip, self._places, self._pasted)
        if self._take():
            self.paste()
        self._clip, self._places, self._pasted = kept

    def _take(self) -> bool:
        names, shown = self._names(), self._document.component
        component = self._document.library.find(shown) if shown is not None else None
        if component is None or not names:
            return False
        self._clip = copy_instances(component.design, names)
        view = self._window.view
        self._places = {name: place for name in names if (place := view.place_of(name)) is not None}
        self._pasted = 0
        return True

    def paste(self) -> None:
        """Put what was copied into the shown component, beside the originals or into the middle of the view."""
        shown = self._document.component
        component = self._document.library.find(shown) if shown is not None else None
        if component is None or not self._clip.instances:
            return
        names = pasted_names(component.design, self._clip)
        self._window.view.expect(self._targets(names))
        self._pasted += 1
        if self._document.attempt(operations.paste, component=str(shown), clip=self._clip) is None:
            return
        made = tuple(ElementId(component.vlnv, "subcomponent", name) for name in names.values())
        self._document.bridge.post(lambda: self._document.select(made))

    def _targets(self, names: dict[str, str]) -> dict[str, Point]:
        """Where the copies are to stand: as the originals stand to each other."""
        if not self._places:
            return {}
        view = self._window.view
        together = all(view.place_of(name) == place for name, place in self._places.items())
        if together:
            shift = Point(_ASIDE * (self._pasted + 1), _ASIDE * (self._pasted + 1))
        else:
            middle = view.middle()
            left, top = min(place.x for place in self._places.values()), min(place.y for place in self._places.values())
            aside = _ASIDE * self._pasted
            shift = Point(round(middle.x / 10) * 10 - left + aside, round(middle.y / 10) * 10 - top + aside)
        return {names[name]: Point(place.x + shift.x, place.y + shift.y) for name, place in self._places.items()}
