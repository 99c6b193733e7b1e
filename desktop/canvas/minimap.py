"""The small map in the corner of the canvas: where the blocks are, and what part of them is in view."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from desktop.canvas.block_item import BlockItem
from desktop.canvas.scene import DesignScene
from desktop.theme.tokens import Tokens

SIZE = QSize(132, 84)
_INSET = 8.0


class Minimap(QWidget):
    """Shows the blocks as bars; pressing or dragging asks to centre the view there."""

    centre_requested = Signal(QPointF)

    def __init__(self, parent: QWidget, tokens: Tokens) -> None:
        super().__init__(parent)
        self._tokens = tokens
        self._scene: DesignScene | None = None
        self._view = QRectF()
        self.resize(SIZE)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Overview: drag to move the view")

    def set_tokens(self, tokens: Tokens) -> None:
        """Take other colours."""
        self._tokens = tokens
        self.update()

    def follow(self, scene: DesignScene, view: QRectF) -> None:
        """Show this scene and the part of it that is in view."""
        self._scene, self._view = scene, view
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw frame, blocks and view."""
        tokens = self._tokens
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.line_strong), 1))
        painter.setBrush(QColor(tokens.surface))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), tokens.radius, tokens.radius)
        if self._scene is None:
            return
        scale, offset = self._mapping()
        colors = {
            "": QColor(tokens.text_faint),
            "added": QColor(tokens.success),
            "changed": QColor(tokens.warning),
            "removed": QColor(tokens.danger),
        }
        painter.setPen(Qt.PenStyle.NoPen)
        for node in self._scene.nodes.values():
            if isinstance(node, BlockItem):
                color = QColor(tokens.danger) if node.block.missing else colors[node.state]
                body = node.mapRectToScene(node.body)
                painter.fillRect(_scaled(body, scale, offset), QColor(tokens.accent) if node.isSelected() else color)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(tokens.accent), 1.2))
        frame = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        painter.drawRect(_scaled(self._view, scale, offset).intersected(frame))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Move the view there."""
        self._ask(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the view along."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._ask(event.position())

    def _ask(self, place: QPointF) -> None:
        scale, offset = self._mapping()
        self.centre_requested.emit((place - offset) / scale)

    def _mapping(self) -> tuple[float, QPointF]:
        content = self._scene.content_rect() if self._scene is not None else QRectF()
        shown = content.adjusted(-20, -20, 20, 20)
        room = QRectF(self.rect()).adjusted(_INSET, _INSET, -_INSET, -_INSET)
        if shown.isEmpty():
            return 1.0, QPointF()
        scale = min(room.width() / shown.width(), room.height() / shown.height())
        return scale, room.center() - shown.center() * scale


def _scaled(rect: QRectF, scale: float, offset: QPointF) -> QRectF:
    return QRectF(rect.topLeft() * scale + offset, rect.size() * scale)
