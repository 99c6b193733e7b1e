"""The bar over the canvas that finds names in the whole library, one after the other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.document import Document
from desktop.panels.widgets import ElidedLabel, make_button, make_label, row
from desktop.searching import MOST_FOUND, Match, search

_DELAY_MS = 80


class FindBar(QWidget):
    """A field, how many were found, the next and the one before; Enter and Shift+Enter, or F3 and Shift+F3.

    Signals:
        found: the :class:`ElementId` of the present match, as a tuple, to be shown.
        closed: the keyboard goes back to the canvas.
    """

    found = Signal(object)
    closed = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("PanelHeader")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(34)
        self._document = document
        self._matches: list[Match] = []
        self._at = -1
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find a block, port, wire, parameter or component")
        self.field.setAccessibleName("Find")
        self.field.setClearButtonEnabled(True)
        self.field.setMaximumWidth(320)
        self.count = make_label("", "small")
        self.what = ElidedLabel("", "small")
        self.before = make_button("↑", "flat", tip="The one before (Shift+Enter)")
        self.after = make_button("↓", "flat", tip="The next (Enter)")
        self.close_button = make_button("✕", "flat", tip="Close (Esc)")
        for button, name in ((self.before, "Previous match"), (self.after, "Next match"), (self.close_button, "Close")):
            button.setAccessibleName(name)
        layout = row(self.field, self.before, self.after, self.count, spacing=6, margins=(8, 0, 8, 0))
        layout.setStretch(0, 1)
        layout.addWidget(self.what, 1)
        layout.addWidget(self.close_button)
        self.setLayout(layout)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_DELAY_MS)
        self._later.timeout.connect(self._search)
        self.field.textChanged.connect(lambda _text: self._later.start())
        self.field.installEventFilter(self)
        self.before.clicked.connect(lambda: self.step(-1))
        self.after.clicked.connect(lambda: self.step(1))
        self.close_button.clicked.connect(self.leave)
        document.library_changed.connect(lambda _change, _library: self._refresh())
        document.reopened.connect(self._refresh)
        self.hide()

    def open(self) -> None:
        """Show the bar and put the keyboard into it."""
        self.show()
        self.field.selectAll()
        self.field.setFocus()

    def leave(self) -> None:
        """Put the bar away."""
        self.hide()
        self.closed.emit()

    def _refresh(self) -> None:
        if self.isVisible() and self.field.text():
            kept = self._present()
            self._find()
            elements = [match.element for match in self._matches]
            self._at = elements.index(kept.element) if kept is not None and kept.element in elements else -1
            self._show_count()

    def _search(self) -> None:
        self._later.stop()
        self._find()
        self._at = 0 if self._matches else -1
        self._show()

    def _find(self) -> None:
        self._matches = search(self._document.library, self._document.component, self.field.text())

    def _present(self) -> Match | None:
        return self._matches[self._at] if 0 <= self._at < len(self._matches) else None

    def step(self, by: int) -> None:
        """Go to the next match, or to the one before; around the end to the beginning."""
        if self._later.isActive():
            self._search()
            return
        if self._matches:
            self._at = (self._at + by) % len(self._matches) if self._at >= 0 else (0 if by > 0 else -1)
            self._at %= len(self._matches)
            self._show()

    def _show(self) -> None:
        self._show_count()
        match = self._present()
        if match is not None:
            self.found.emit((match.element,))

    def _show_count(self) -> None:
        total, match = len(self._matches), self._present()
        more = "+" if total == MOST_FOUND else ""
        if not self.field.text().strip():
            self.count.setText("")
        elif not total:
            self.count.setText("nothing found")
        else:
            self.count.setText(f"{self._at + 1} of {total}{more}" if match is not None else f"{total}{more} found")
        self.what.set_full_text(match.words if match is not None else "")
        for button in (self.before, self.after):
            button.setEnabled(total > 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes on, with Shift back; Escape closes."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.leave()
                return True
        override = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        if override and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            event.accept()  # it closes the bar and does not stop the agent
            return True
        return False
