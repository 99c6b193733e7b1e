"""Small signs drawn by hand, so that they look the same whatever fonts a system has."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

Symbol = Literal[
    "dot", "ring", "tick", "cross", "plus", "minus", "bang", "warning", "error", "note", "closed", "open", "square",
    "search",
]  # fmt: skip


def paint_symbol(painter: QPainter, rect: QRectF, symbol: Symbol, colour: str) -> None:
    """Draw ``symbol`` into the middle of ``rect``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = min(rect.width(), rect.height())
    painter.translate(rect.center())
    painter.scale(side / 12, side / 12)
    ink = QColor(colour)
    pen = QPen(ink, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    _DRAW[symbol](painter, ink)
    painter.restore()


def symbol_icon(symbol: Symbol, colour: str, side: int = 12) -> QIcon:
    """The symbol as an icon, crisp on screens of twice the density."""
    pixmap = QPixmap(QSize(side * 2, side * 2))
    pixmap.setDevicePixelRatio(2)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    paint_symbol(painter, QRectF(0, 0, side, side), symbol, colour)
    painter.end()
    return QIcon(pixmap)


def _fill(painter: QPainter, ink: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)


def _dot(painter: QPainter, ink: QColor) -> None:
    _fill(painter, ink)
    painter.drawEllipse(QPointF(0, 0), 4.5, 4.5)


def _ring(painter: QPainter, ink: QColor) -> None:
    painter.drawEllipse(QPointF(0, 0), 3.8, 3.8)


def _tick(painter: QPainter, ink: QColor) -> None:
    painter.drawPolyline(QPolygonF([QPointF(-4, 0.5), QPointF(-1.5, 3), QPointF(4, -3.5)]))


def _cross(painter: QPainter, ink: QColor) -> None:
    painter.drawLine(QPointF(-3, -3), QPointF(3, 3))
    painter.drawLine(QPointF(-3, 3), QPointF(3, -3))


def _plus(painter: QPainter, ink: QColor) -> None:
    painter.drawLine(QPointF(-3.5, 0), QPointF(3.5, 0))
    painter.drawLine(QPointF(0, -3.5), QPointF(0, 3.5))


def _minus(painter: QPainter, ink: QColor) -> None:
    painter.drawLine(QPointF(-3.5, 0), QPointF(3.5, 0))


def _bang(painter: QPainter, ink: QColor) -> None:
    painter.drawLine(QPointF(0, -4), QPointF(0, 1))
    _fill(painter, ink)
    painter.drawEllipse(QPointF(0, 4), 1, 1)


def _mark(painter: QPainter) -> None:
    painter.setPen(QPen(QColor("#ffffff"), 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))


def _warning(painter: QPainter, ink: QColor) -> None:
    painter.setBrush(ink)
    painter.drawPolygon(QPolygonF([QPointF(0, -4.2), QPointF(4.6, 4), QPointF(-4.6, 4)]))
    _mark(painter)
    painter.drawLine(QPointF(0, -1.4), QPointF(0, 0.9))
    painter.drawPoint(QPointF(0, 2.9))


def _error(painter: QPainter, ink: QColor) -> None:
    _fill(painter, ink)
    painter.drawEllipse(QPointF(0, 0), 5.2, 5.2)
    _mark(painter)
    painter.drawLine(QPointF(-1.8, -1.8), QPointF(1.8, 1.8))
    painter.drawLine(QPointF(-1.8, 1.8), QPointF(1.8, -1.8))


def _note(painter: QPainter, ink: QColor) -> None:
    _fill(painter, ink)
    painter.drawEllipse(QPointF(0, 0), 5.2, 5.2)
    _mark(painter)
    painter.drawPoint(QPointF(0, -2.4))
    painter.drawLine(QPointF(0, -0.2), QPointF(0, 2.6))


def _closed(painter: QPainter, ink: QColor) -> None:
    _fill(painter, ink)
    painter.drawPolygon(QPolygonF([QPointF(-2, -3.4), QPointF(3, 0), QPointF(-2, 3.4)]))


def _open(painter: QPainter, ink: QColor) -> None:
    _fill(painter, ink)
    painter.drawPolygon(QPolygonF([QPointF(-3.4, -2), QPointF(3.4, -2), QPointF(0, 3)]))


def _square(painter: QPainter, ink: QColor) -> None:
    _fill(painter, ink)
    painter.drawRoundedRect(QRectF(-2.2, -2.2, 4.4, 4.4), 0.8, 0.8)


def _search(painter: QPainter, ink: QColor) -> None:
    painter.drawEllipse(QPointF(-1, -1), 3.4, 3.4)
    painter.drawLine(QPointF(1.6, 1.6), QPointF(4.4, 4.4))


_DRAW = {
    "dot": _dot,
    "ring": _ring,
    "tick": _tick,
    "cross": _cross,
    "plus": _plus,
    "minus": _minus,
    "bang": _bang,
    "warning": _warning,
    "error": _error,
    "note": _note,
    "closed": _closed,
    "open": _open,
    "square": _square,
    "search": _search,
}
