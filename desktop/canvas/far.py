"""The picture from afar: a large design as a few paths, where painting item by item would take too long."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QPolygonF, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from desktop.canvas.diagram import Tone
from desktop.canvas.node_item import FILL_BELOW
from desktop.canvas.scene import DesignScene
from desktop.canvas.style import Style

FAR_FROM = 1500  # items; smaller pictures paint themselves fast enough
_MOST_MARKED = 400


class FarPicture:
    """Draws a scene from paths that are made once per geometry, and keeps the last drawing as pixels."""

    def __init__(self) -> None:
        self._known: tuple[DesignScene, int, Style] | None = None
        self._wires: dict[Tone, QPainterPath] = {}
        self._blocks = QPainterPath()
        self._drawn: tuple[object, ...] | None = None
        self._pixels = QPixmap()

    def suits(self, scene: DesignScene, zoom: float) -> bool:
        """Whether the scene is so large and so far away that this should be drawn in place of its items."""
        return zoom < FILL_BELOW and len(scene.nodes) + len(scene.wires) > FAR_FROM

    def draw(self, painter: QPainter, scene: DesignScene, style: Style) -> None:
        """Draw all items; the painter has the transform of the view."""
        if self._known != (scene, scene.geometry, style):
            self._known = (scene, scene.geometry, style)
            self._collect(scene)
        device, transform = painter.device(), painter.worldTransform()
        wanted = (scene, scene.geometry, style, transform, device.width(), device.height())
        if self._drawn != wanted:
            self._drawn = wanted
            self._pixels = self._drawing(painter, transform, style)
        painter.save()
        painter.resetTransform()
        painter.drawPixmap(0, 0, self._pixels)
        painter.restore()
        self._draw_marked(painter, scene)

    def _collect(self, scene: DesignScene) -> None:
        self._wires, self._blocks = {}, QPainterPath()
        for wire in scene.wires.values():
            path = self._wires.get(wire.tone)
            if path is None:
                path = self._wires[wire.tone] = QPainterPath()
            path.addPolygon(wire.polyline)
        for node in scene.nodes.values():
            x, y = node.x(), node.y()
            shape = node.shape_of_pins
            self._blocks.addRect(x, y, shape.width, shape.height)

    def _drawing(self, painter: QPainter, transform: QTransform, style: Style) -> QPixmap:
        device = painter.device()
        ratio = device.devicePixelRatioF()
        pixels = QPixmap(int(device.width() * ratio), int(device.height() * ratio))
        pixels.setDevicePixelRatio(ratio)
        pixels.fill(Qt.GlobalColor.transparent)
        inner = QPainter(pixels)
        inner.setWorldTransform(transform)
        for tone, path in self._wires.items():
            color = QColor(style.tones[tone])
            color.setAlpha(150)
            pen = QPen(color, 1)
            pen.setCosmetic(True)
            inner.setPen(pen)
            inner.drawPath(path)
        inner.fillPath(self._blocks, style.muted)
        inner.end()
        return pixels

    def _draw_marked(self, painter: QPainter, scene: DesignScene) -> None:
        """What is selected, highlighted, added, changed or gone, over the rest."""
        option = QStyleOptionGraphicsItem()
        for item in scene.marked_items()[:_MOST_MARKED]:
            painter.save()
            painter.translate(item.pos())
            painter.setOpacity(item.opacity())
            item.paint(painter, option)
            painter.restore()


def dots(columns: int, rows: int, step: float) -> QPolygonF:
    """A grid of points from the origin."""
    return QPolygonF([QPointF(column * step, row * step) for row in range(rows) for column in range(columns)])
