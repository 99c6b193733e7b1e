"""Moving about on the canvas: zoom, pan, fit, the minimap and the grid behind everything."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmapCache,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsView, QWidget

from desktop.canvas.far import FarPicture, dots
from desktop.canvas.minimap import Minimap
from desktop.canvas.scene import DesignScene
from desktop.canvas.style import Style, style_of
from desktop.theme.tokens import Tokens

SMALLEST, LARGEST = 0.04, 4.0
FIT_AT_MOST = 1.25
_STEP = 1.2
_DOTS = 20.0
_CACHE_KIB = 96 * 1024  # for the pixels of the blocks in view


class PanningView(QGraphicsView):
    """Shows a :class:`DesignScene`; keeps everything in view until a person looks elsewhere.

    Signals:
        zoom_changed: the scale, 1.0 for 100 %.
    """

    zoom_changed = Signal(float)

    def __init__(self, tokens: Tokens, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style: Style = style_of(tokens)
        self._fitted = True
        self._space = False
        self._pan_from: QPoint | None = None
        self._far = FarPicture()
        self._dots_size: tuple[int, int, float] | None = None
        self._dots = QPolygonF()
        QPixmapCache.setCacheLimit(max(QPixmapCache.cacheLimit(), _CACHE_KIB))
        self._minimap = Minimap(self, tokens)
        self._minimap.centre_requested.connect(self._centre)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def zoom(self) -> float:
        """The scale, 1.0 for 100 %."""
        return self.transform().m11()

    def design_scene(self) -> DesignScene:
        """The scene, with its items by key."""
        raise NotImplementedError

    def fit(self) -> None:
        """Show everything, at most a little enlarged."""
        rect = self.design_scene().content_rect().adjusted(-30, -30, 30, 30)
        room = self.viewport().rect()
        if rect.isEmpty() or room.isEmpty():
            return
        scale = min(room.width() / rect.width(), room.height() / rect.height(), FIT_AT_MOST)
        self.set_zoom(scale)
        self.centerOn(rect.center())
        self._fitted = True
        self._update_minimap()

    def zoom_in(self) -> None:
        """Enlarge by a step around the middle."""
        self._zoom_by(_STEP, self.viewport().rect().center())

    def zoom_out(self) -> None:
        """Shrink by a step around the middle."""
        self._zoom_by(1 / _STEP, self.viewport().rect().center())

    def _zoom_by(self, factor: float, around: QPoint) -> None:
        before = self.mapToScene(around)
        self.set_zoom(self.zoom * factor)
        after = self.mapToScene(around)
        self.centerOn(self.mapToScene(self.viewport().rect().center()) + before - after)
        self._fitted = False
        self._update_minimap()

    def set_zoom(self, scale: float) -> None:
        """Draw at a scale (1.0 for 100 %), within bounds."""
        scale = min(max(scale, SMALLEST), LARGEST)
        if abs(scale - self.zoom) > 1e-6:
            self.resetTransform()
            self.scale(scale, scale)
            self.zoom_changed.emit(scale)

    def _centre(self, place: QPointF) -> None:
        self._fitted = False
        self.centerOn(place)
        self._update_minimap()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the cursor."""
        self._zoom_by(1.0015 ** event.angleDelta().y(), event.position().toPoint())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to pan with the middle button, or with the left one while the space bar is down."""
        if event.button() == Qt.MouseButton.MiddleButton or (
            event.button() == Qt.MouseButton.LeftButton and self._space
        ):
            self._pan_from = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            return
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan on."""
        if self._pan_from is None:
            super().mouseMoveEvent(event)
            return
        place = event.position().toPoint()
        moved = place - self._pan_from
        self._pan_from = place
        self._fitted = False
        self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - moved.x())
        self.verticalScrollBar().setValue(self.verticalScrollBar().value() - moved.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End panning."""
        if self._pan_from is None:
            super().mouseReleaseEvent(event)
            return
        self._pan_from = None
        self.viewport().setCursor(Qt.CursorShape.OpenHandCursor if self._space else Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F fits, + and - zoom, the space bar pans."""
        key = event.key()
        if key == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self._space = True
                self.viewport().setCursor(Qt.CursorShape.OpenHandCursor)
        elif key == Qt.Key.Key_F and not event.modifiers():
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_in()
        elif key == Qt.Key.Key_Minus:
            self.zoom_out()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """End panning with the space bar."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        super().keyReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the map in its corner, and everything in view that was."""
        super().resizeEvent(event)
        self._minimap.move(self.width() - self._minimap.width() - 12, self.height() - self._minimap.height() - 12)
        if self._fitted:
            self.fit()
        self._update_minimap()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Let the map follow."""
        super().scrollContentsBy(dx, dy)
        self._update_minimap()

    def _update_minimap(self) -> None:
        several = len(self.design_scene().nodes) > 2 and self.width() > 480
        self._minimap.setVisible(several)
        if several:
            self._minimap.follow(self.design_scene(), self.mapToScene(self.viewport().rect()).boundingRect())

    def drawBackground(self, painter: QPainter, rect: QRectF | object) -> None:
        """The canvas and its grid of dots, which thins out with the zoom."""
        assert isinstance(rect, QRectF)
        painter.fillRect(rect, self._style.canvas)
        step = _DOTS
        while step * self.zoom < 14:
            step *= 2
        left, top = rect.left() - rect.left() % step, rect.top() - rect.top() % step
        size = (int(rect.width() / step) + 2, int(rect.height() / step) + 2, step)
        if size != self._dots_size:
            self._dots_size, self._dots = size, dots(*size)
        painter.setPen(self._style.dot)
        painter.translate(left, top)
        painter.drawPoints(self._dots)
        painter.translate(-left, -top)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint item by item, or from afar the whole at once."""
        scene = self.design_scene()
        if not self._far.suits(scene, self.zoom):
            super().paintEvent(event)
            return
        painter = QPainter(self.viewport())
        painter.setClipRegion(event.region())
        painter.fillRect(event.rect(), self._style.canvas)
        painter.setWorldTransform(self.viewportTransform())
        self._far.draw(painter, scene, self._style)
        self.drawForeground(painter, self.mapToScene(event.rect()).boundingRect())
        painter.resetTransform()
        band = self.rubberBandRect()
        if not band.isNull():
            painter.setPen(QPen(self._style.accent, 1))
            painter.drawRect(band)
