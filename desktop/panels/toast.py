"""Short messages over the canvas that go away by themselves."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QFrame, QWidget

from desktop.panels.widgets import SymbolLabel, make_button, make_label, row
from desktop.theme.symbols import Symbol
from desktop.theme.theme import Theme

Kind = Literal["note", "warning", "error"]
_SIGNS: dict[Kind, tuple[Symbol, str]] = {
    "note": ("tick", "success"),
    "warning": ("warning", "warning"),
    "error": ("error", "danger"),
}
_SECONDS = {"note": 4, "warning": 8, "error": 12}

_BESIDE_THE_MINIMAP = 880  # pixels; in less, a message in the middle would cover it


class Toast(QFrame):
    """One message at the lower edge of a widget; a new one takes its place."""

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self.setProperty("role", "toast")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.symbol = SymbolLabel(theme, "note", "accent", 14)
        self.words = make_label("", wrap=True)
        self.close_button = make_button("✕", "flat", tip="Close")
        self.close_button.clicked.connect(self.hide)
        layout = row(self.symbol, spacing=10, margins=(12, 8, 6, 8))
        layout.addWidget(self.words, 1)
        layout.addWidget(self.close_button)
        self.setLayout(layout)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self._over = over
        over.installEventFilter(self)
        self.hide()

    def say(self, text: str, kind: Kind = "note") -> None:
        """Show ``text``; errors stay longest."""
        self.symbol.set(*_SIGNS[kind])
        self.words.setText(text)
        self._timer.start(_SECONDS[kind] * 1000)
        self.show()
        self._place()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the place when the widget below changes its size."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _place(self) -> None:
        over = self._over
        metrics = self.words.fontMetrics()
        narrow = over.width() < _BESIDE_THE_MINIMAP
        room = over.width() - 32 - 146 if narrow else min(560, over.width() - 32)
        width = min(room, metrics.horizontalAdvance(self.words.text()) + 96)
        self.setFixedWidth(max(width, 160))
        self.adjustSize()
        height = max(self.heightForWidth(self.width()), 36)
        left = 16 if narrow else (over.width() - self.width()) // 2
        self.setGeometry(left, over.height() - height - 16, self.width(), height)
