"""The picture from afar: a large design as some paths, where painting item by item would take too long."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QPolygonF, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem

from desktop.canvas.diagram import Tone
from desktop.canvas.node_item import FILL_BELOW
from desktop.canvas.scene import DesignScene
from desktop.canvas.style import Style
from desktop.canvas.wire_item import WireItem

FAR_FROM = 1500  # items; smaller pictures paint themselves fast enough
_MOST_MARKED = 400
_BUNDLES = 64
_FAINT = 0.6


class _Bundle:
    """Some of the wires, and a path for each tone among them."""

    def __init__(self) -> None:
        self._wires: dict[str, WireItem] = {}
        self._paths: dict[Tone, QPainterPath] | None = None

    def put(self, key: str, wire: WireItem | None) -> None:
        """Take in a wire as it is now; None where it is gone."""
        self._paths = None
        if wire is None:
            self._wires.pop(key, None)
        else:
            self._wires[key] = wire

    def paths(self) -> dict[Tone, QPainterPath]:
        """The paths, made anew where a wire has come, gone or changed."""
        if self._paths is None:
            self._paths = {}
            for wire in self._wires.values():
                path = self._paths.get(wire.tone)
                if path is None:
                    path = self._paths[wire.tone] = QPainterPath()
                path.addPolygon(wire.polyline)
        return self._paths


class FarPicture:
    """Draws a scene from paths of many wires each, and keeps the last drawing as pixels.

    An edit makes only those paths anew that hold one of its wires.
    """

    def __init__(self) -> None:
        self._known: tuple[DesignScene, Style] | None = None
        self._bundles: list[_Bundle] = []
        self._blocks: list[QRectF] = []
        self._drawn: tuple[object, ...] | None = None
        self._pixels = QPixmap()

    def suits(self, scene: DesignScene, zoom: float) -> bool:
        """Whether the scene is so large and so far away that this should be drawn in place of its items."""
        return zoom < FILL_BELOW and len(scene.nodes) + len(scene.wires) > FAR_FROM

    def draw(self, painter: QPainter, scene: DesignScene, style: Style) -> None:
        """Draw all items; the painter has the transform of the view."""
        device, transform = painter.device(), painter.worldTransform()
        wanted = (scene, scene.geometry, style, transform, device.width(), device.height())
        if self._drawn != wanted:
            self._drawn = wanted
            self._collect(scene, style)
            self._pixels = self._drawing(painter, transform, style)
        painter.save()
        painter.resetTransform()
        painter.drawPixmap(0, 0, self._pixels)
        painter.restore()
        self._draw_marked(painter, scene)

    def _collect(self, scene: DesignScene, style: Style) -> None:
        if self._known != (scene, style):
            self._known = (scene, style)
            self._bundles = [_Bundle() for _ in range(_BUNDLES)]
            scene.redrawn = set(scene.wires)
        for key in scene.redrawn:
            self._bundles[hash(key) % _BUNDLES].put(key, scene.wires.get(key))
        scene.redrawn = set()
        self._blocks = scene.block_areas() + scene.terminal_areas()

    def _drawing(self, painter: QPainter, transform: QTransform, style: Style) -> QPixmap:
        device = painter.device()
        ratio = device.devicePixelRatioF()
        pixels = QPixmap(int(device.width() * ratio), int(device.height() * ratio))
        pixels.setDevicePixelRatio(ratio)
        pixels.fill(Qt.GlobalColor.transparent)
        inner = QPainter(pixels)
        inner.setWorldTransform(transform)
        for tone, color in style.tones.items():
            # Mixed here once: a colour that shines through costs ten times as long for each of a million points.
            pen = QPen(mixed(color, style.canvas, _FAINT), 1)
            pen.setCosmetic(True)
            inner.setPen(pen)
            for bundle in self._bundles:
                if (path := bundle.paths().get(tone)) is not None:
                    inner.drawPath(path)
        inner.setPen(Qt.PenStyle.NoPen)
        inner.setBrush(style.muted)
        inner.drawRects(self._blocks)
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


def mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """A colour as it looks on a ground through which so much of it (0 to 1) is to be seen."""
    red, green, blue = (
        round(one * share + other * (1 - share))
        for one, other in (
            (color.red(), ground.red()),
            (color.green(), ground.green()),
            (color.blue(), ground.blue()),
        )
    )
    return QColor(red, green, blue)


def dots(columns: int, rows: int, step: float) -> QPolygonF:
    """A grid of points from the origin."""
    return QPolygonF([QPointF(column * step, row * step) for row in range(rows) for column in range(columns)])
