"""The line in which the name of a block is edited where it stands."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class NameEditor(QLineEdit):
    """Tells the new name at Enter; Escape or another place to type gives it up."""

    entered = Signal(str)

    def __init__(self, name: str, place: QRect, parent: QWidget) -> None:
        super().__init__(name, parent)
        self._name = name
        self.setAccessibleName(f"New name of {name}")
        self.setGeometry(place)
        self.selectAll()
        self.returnPressed.connect(self._finish)
        self.show()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives the edit up."""
        if event.key() == Qt.Key.Key_Escape:
            self.deleteLater()
            self.hide()
        else:
            super().keyPressEvent(event)
            event.accept()  # a line hands Enter on, which would open the block below

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Whoever types elsewhere has given the edit up."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.hide()
            self.deleteLater()

    def event(self, event: QEvent | QObject) -> bool:
        """Keep the keys of the name from the shortcuts of the window."""
        assert isinstance(event, QEvent)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def _finish(self) -> None:
        name = self.text().strip()
        self.hide()
        self.deleteLater()
        if name and name != self._name:
            self.entered.emit(name)
