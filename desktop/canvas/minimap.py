"""The small map in the corner of the canvas: where the blocks are, and what part of them is in view."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
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
        self._drawn: tuple[DesignScene, int, Tokens] | None = None
        self._blocks = QPixmap()
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
        """Draw the blocks, from a picture of them where they stand as before, and the frame of the view."""
        if self._scene is None:
            return
        state = (self._scene, self._scene.revision, self._tokens)
        if state != self._drawn:
            self._drawn = state
            self._blocks = self._draw_blocks(self._scene)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._blocks)
        scale, offset = self._mapping()
        painter.setPen(QPen(QColor(self._tokens.accent), 1.2))
        frame = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        painter.drawRect(_scaled(self._view, scale, offset).intersected(frame))

    def _draw_blocks(self, scene: DesignScene) -> QPixmap:
        tokens = self._tokens
        pixmap = QPixmap(self.size() * self.devicePixelRatio())
        pixmap.setDevicePixelRatio(self.devicePixelRatio())
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.line_strong), 1))
        painter.setBrush(QColor(tokens.surface))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), tokens.radius, tokens.radius)
        scale, offset = self._mapping()
        colors = {
            "": QColor(tokens.text_faint),
            "added": QColor(tokens.success),
            "changed": QColor(tokens.warning),
            "removed": QColor(tokens.danger),
        }
        painter.translate(offset)
        painter.scale(scale, scale)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors[""])
        painter.drawRects(scene.block_areas())
        marked = [node for node in scene.marked_items() if isinstance(node, BlockItem)]
        for node in (*scene.missing_blocks(), *marked):
            color = QColor(tokens.danger) if node.block.missing else colors[node.state]
            painter.fillRect(node.area, QColor(tokens.accent) if node.isSelected() else color)
        painter.end()
        return pixmap

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
