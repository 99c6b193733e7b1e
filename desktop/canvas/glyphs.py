"""The shapes of pins: direction and kind must be readable without colour."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from desktop.canvas.diagram import Pin

SIZE = 8.0


def _polygon(*points: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points])


# A house that points the way the signal goes; for both ways it is pointed at both ends.
_RIGHT = _polygon((-4, -4), (1.5, -4), (4.5, 0), (1.5, 4), (-4, 4))
_BOTH_WAYS = _polygon((-6, 0), (-2.5, -4), (2.5, -4), (6, 0), (2.5, 4), (-2.5, 4))
_DIAMOND = _polygon((-6, 0), (0, -6), (6, 0), (0, 6))
_SQUARE = _polygon((-4, -4), (4, -4), (4, 4), (-4, 4))
_OCTAGON = _polygon(
    (-5.5, -2.3), (-2.3, -5.5), (2.3, -5.5), (5.5, -2.3), (5.5, 2.3), (2.3, 5.5), (-2.3, 5.5), (-5.5, 2.3)
)


def paint_pin(painter: QPainter, pin: Pin, x: float, y: float, color: QColor, inside: QBrush) -> None:
    """Draw the glyph of a pin with its centre on the edge of its block.

    Signals are filled houses that point along the signal (a hexagon for ``inout``); bus interfaces are diamonds, filled
    for an initiator and hollow for a target, an octagon for a system interface; transactional ports are round where
    they provide and square where they require.
    """
    painter.save()
    painter.translate(x, y)
    if pin.turned:  # so does the signal
        painter.scale(-1, 1)
    filled = QBrush(color)
    hollow_pen = QPen(color, 1.6)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(filled)
    match pin.shape:
        case "in" | "out":
            painter.drawPolygon(_RIGHT)
        case "inout":
            painter.drawPolygon(_BOTH_WAYS)
        case "initiator" | "target" | "system":
            painter.setPen(hollow_pen)
            painter.setBrush(filled if pin.shape == "initiator" else inside)
            painter.drawPolygon(_OCTAGON if pin.shape == "system" else _DIAMOND)
        case "requires":
            painter.setPen(hollow_pen)
            painter.setBrush(inside)
            painter.drawPolygon(_SQUARE)
        case "provides" | "both":
            painter.setPen(hollow_pen)
            painter.setBrush(inside)
            painter.drawEllipse(QPointF(0, 0), 4.8, 4.8)
            if pin.shape == "both":
                painter.setBrush(filled)
                painter.drawEllipse(QPointF(0, 0), 1.6, 1.6)
        case _:
            painter.setPen(QPen(color, 1.4))
            painter.drawLine(QPointF(-3.5, -3.5), QPointF(3.5, 3.5))
            painter.drawLine(QPointF(-3.5, 3.5), QPointF(3.5, -3.5))
    painter.restore()
