"""Notes on the canvas: a few words in a box that can be moved, edited and deleted, and that the design knows not of."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QPlainTextEdit, QStyleOptionGraphicsItem, QWidget

from desktop.canvas.node_item import FILL_BELOW
from desktop.canvas.positions import NOTE_WIDTH, Note
from desktop.canvas.style import Style

_PADDING = 8.0
_TEXT = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


class NoteItem(QGraphicsItem):
    """One note."""

    def __init__(self, key: str, note: Note, style: Style) -> None:
        super().__init__()
        self.key = key
        self.note = note
        self.style = style
        self._height = 0.0
        self.setFlags(
            QGraphicsItem.GraphicsItemFlag.ItemIsSelectable
            | QGraphicsItem.GraphicsItemFlag.ItemIsMovable
            | QGraphicsItem.GraphicsItemFlag.ItemSendsGeometryChanges
        )
        self.setZValue(1.5)
        self.set_note(note)

    def set_note(self, note: Note) -> None:
        """Show other words, or the same elsewhere."""
        self.prepareGeometryChange()
        self.note = note
        room = QRectF(0, 0, NOTE_WIDTH - 2 * _PADDING, 2000)
        self._height = self.style.note_metrics.boundingRect(room, _TEXT, note.text).height() + 2 * _PADDING
        self.setPos(note.x, note.y)
        self.update()

    @property
    def body(self) -> QRectF:
        """The box."""
        return QRectF(0, 0, NOTE_WIDTH, self._height)

    def boundingRect(self) -> QRectF:
        """The box and its outline."""
        return self.body.adjusted(-2, -2, 2, 2)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the box and its words."""
        style, body = self.style, self.body
        painter.setBrush(style.note)
        painter.setPen(style.selected_outline if self.isSelected() else QPen(style.note_line, 1))
        painter.drawRoundedRect(body, 2, 2)
        if option.levelOfDetailFromTransform(painter.worldTransform()) < FILL_BELOW:
            return
        painter.setPen(style.text)
        painter.setFont(style.note_font)
        painter.drawText(body.adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING), _TEXT, self.note.text)

    def itemChange(self, change: QGraphicsItem.GraphicsItemChange, value: object) -> object:
        """Snap while it is dragged, and tell the scene."""
        scene = self.scene()
        if change == QGraphicsItem.GraphicsItemChange.ItemPositionChange and isinstance(value, QPointF):
            return scene.snap(value) if hasattr(scene, "snap") else value
        if change == QGraphicsItem.GraphicsItemChange.ItemPositionHasChanged and hasattr(scene, "note_moved"):
            scene.note_moved(self)
        return super().itemChange(change, value)


class NoteEditor(QPlainTextEdit):
    """The field in which a note is written; Ctrl+Enter or a click elsewhere takes the words, Escape leaves them."""

    entered = Signal(str)

    def __init__(self, text: str, place: QRect, parent: QWidget) -> None:
        super().__init__(text, parent)
        self._over = False
        self.setAccessibleName("Note")
        self.setPlaceholderText("Write a note; Ctrl+Enter keeps it")
        self.setGeometry(place)
        self.selectAll()
        self.show()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter takes the words, Escape leaves them."""
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if event.key() == Qt.Key.Key_Escape:
            self._end(keep=False)
        elif enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._end(keep=True)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Whoever goes on elsewhere has finished."""
        super().focusOutEvent(event)
        if event.reason() not in {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}:
            self._end(keep=True)

    def event(self, event: QEvent) -> bool:
        """Keep every key to the field, also those that are shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return bool(super().event(event))

    def _end(self, *, keep: bool) -> None:
        if self._over:
            return
        self._over = True
        self.hide()
        self.deleteLater()
        if keep:
            self.entered.emit(self.toPlainText().strip())
