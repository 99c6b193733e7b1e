"""A short tour of the window: everything is dimmed but one part, with a few words beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from desktop.panels.widgets import column, make_button, make_label, row
from desktop.theme.theme import Theme

_CARD_WIDTH = 320
_GAP = 14


@dataclass(frozen=True, slots=True)
class Station:
    """One part of the window and what there is to say about it; ``part`` is looked up when its turn comes."""

    part: Callable[[], QWidget]
    title: str
    text: str


class Tour(QWidget):
    """Covers a window until the tour is over. Enter and arrows walk, Escape ends.

    Signals:
        ended: it was walked to the end, or skipped.
    """

    ended = Signal()

    def __init__(self, theme: Theme, window: QWidget, stations: Sequence[Station]) -> None:
        super().__init__(window)
        self._theme = theme
        self._stations = tuple(stations)
        self._position = 0
        self._over = window
        self._watched: QWidget | None = None  # the part that is shown
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.card = QFrame(self)
        self.card.setProperty("role", "popup")
        self.card.setFixedWidth(_CARD_WIDTH)
        self.title = make_label("", "brand")
        self.words = make_label("", "muted", wrap=True)
        self.count = make_label("", "faint")
        self.skip = make_button("Skip", "link")
        self.back = make_button("Back")
        self.next = make_button("Next", "primary")
        layout = column(self.title, self.words, spacing=8, margins=(16, 14, 16, 12))
        layout.addSpacing(4)
        layout.addLayout(row(self.count, self.skip, None, self.back, self.next, spacing=8))
        self.card.setLayout(layout)
        self.skip.clicked.connect(self.end)
        self.back.clicked.connect(lambda: self._go(self._position - 1))
        self.next.clicked.connect(lambda: self._go(self._position + 1))
        window.installEventFilter(self)
        theme.changed.connect(self.update)

    @property
    def position(self) -> int:
        """Which station is shown, from 0."""
        return self._position

    def begin(self) -> None:
        """Show the first station."""
        self.setGeometry(self._over.rect())
        self.show()
        self.raise_()
        self._go(0)
        self.next.setFocus()

    def end(self) -> None:
        """Take the cover away."""
        self._over.removeEventFilter(self)
        self._watch(None)
        self.hide()
        self.ended.emit()
        self.deleteLater()

    def _go(self, position: int) -> None:
        if position >= len(self._stations):
            self.end()
            return
        self._position = max(0, position)
        station = self._stations[self._position]
        self._watch(station.part())
        self.title.setText(station.title)
        self.words.setText(station.text)
        self.count.setText(f"{self._position + 1} of {len(self._stations)}")
        self.back.setEnabled(self._position > 0)
        last = self._position == len(self._stations) - 1
        self.next.setText("Done" if last else "Next")
        self.skip.setVisible(not last)
        self.setAccessibleName(f"Tour: {station.title}. {station.text}")
        self._place()
        self.update()

    def _watch(self, part: QWidget | None) -> None:
        if self._watched is not None:
            self._watched.removeEventFilter(self)
        self._watched = part
        if part is not None:
            part.installEventFilter(self)

    def _hole(self) -> QRect:
        part = self._stations[self._position].part()
        return QRect(part.mapTo(self._over, QPoint(0, 0)), part.size()).intersected(self.rect())

    def _place(self) -> None:
        """Put the card beside the part: on the side that has most room, else inside of it."""
        hole = self._hole()
        layout = self.card.layout()
        height = layout.totalHeightForWidth(_CARD_WIDTH) if layout is not None else 0
        self.card.resize(_CARD_WIDTH, height)
        room = self.rect().adjusted(_GAP, _GAP, -_GAP, -_GAP)
        if room.right() - hole.right() > _CARD_WIDTH + _GAP:
            corner = QPoint(hole.right() + _GAP, hole.top() + _GAP)
        elif hole.left() - room.left() > _CARD_WIDTH + _GAP:
            corner = QPoint(hole.left() - _GAP - _CARD_WIDTH, hole.top() + _GAP)
        elif room.bottom() - hole.bottom() > height + _GAP:
            corner = QPoint(hole.center().x() - _CARD_WIDTH // 2, hole.bottom() + _GAP)
        else:
            corner = hole.center() - QPoint(_CARD_WIDTH // 2, height // 2)
        x = max(room.left(), min(corner.x(), room.right() - _CARD_WIDTH))
        y = max(room.top(), min(corner.y(), room.bottom() - height))
        self.card.move(x, y)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Dim everything but the part."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        tokens = self._theme.tokens
        hole = QRectF(self._hole()).adjusted(1, 1, -1, -1)
        shade = QPainterPath()
        shade.addRect(QRectF(self.rect()))
        window = QPainterPath()
        window.addRoundedRect(hole, 6, 6)
        dark = QColor("#000000" if self._theme.is_dark else tokens.text)
        dark.setAlphaF(0.55 if self._theme.is_dark else 0.38)
        painter.fillPath(shade.subtracted(window), dark)
        painter.setPen(QPen(QColor(tokens.accent), 2))
        painter.drawRoundedRect(hole, 6, 6)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk, or end."""
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.end()
        elif key in {Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._go(self._position + 1)
        elif key == Qt.Key.Key_Left:
            self._go(self._position - 1)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click beside the card goes on: what is below must not be clicked by accident."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._go(self._position + 1)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the window whatever its size, and stay beside the part."""
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self.setGeometry(self._over.rect())
            self._place()
            self.update()
        return False
