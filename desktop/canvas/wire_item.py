"""Wires on the canvas: one item per branch of a net."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPainterPathStroker, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from desktop.canvas.diagram import Branch, Tone
from desktop.canvas.layout import BlockLayout, EdgeRoute
from desktop.canvas.style import WIRE_WIDTHS, State, Style
from model.change import ElementId

LABELS_FROM = 0.55
_DOT = 3.2
_NO_COURSE, _NOWHERE = QPolygonF(), QRectF()  # replaced, never changed: tens of thousands of wires share them


class WireItem(QGraphicsItem):
    """A polyline with its junction dots and, on one branch of each net, the net's label."""

    def __init__(self, branch: Branch, style: Style) -> None:
        super().__init__()
        self.branch = branch
        self.style = style
        self.tone: Tone = "wire"
        self.label = ""
        self.state: State = ""
        self.lit = False
        self._route: EdgeRoute | None = None
        self._points = _NO_COURSE
        self._junctions: list[QPointF] = []
        self._label_rect = self._bounds = _NOWHERE
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setZValue(1)

    @property
    def element(self) -> ElementId:
        """The connection or interconnection that the wire belongs to."""
        return self.branch.element

    @property
    def tip(self) -> str:
        """What is told while the pointer rests on it; asked for then, since most wires are never pointed at."""
        return f"{self.element.name}\n{self.element.kind}"

    @property
    def points(self) -> list[QPointF]:
        """The corners of the polyline, source first."""
        return self._points.toList()

    @property
    def polyline(self) -> QPolygonF:
        """The wire's course."""
        return self._points

    def set_net(self, branch: Branch, tone: Tone) -> None:
        """Show what the wire carries."""
        if branch is not self.branch or tone != self.tone:
            self.branch, self.tone = branch, tone
            self.update()

    def set_route(self, course: EdgeRoute) -> None:
        """Take another course."""
        if course is self._route:
            return
        self._route = course
        self.prepareGeometryChange()
        self._points = QPolygonF([QPointF(x, y) for x, y in course.points])
        self._junctions = [QPointF(x, y) for x, y in course.junctions]
        self._measure()

    def set_label(self, text: str, place: BlockLayout | None) -> None:
        """Show the net's label there, or none."""
        rect = QRectF() if place is None else QRectF(place.x - 8, place.y, place.width + 16, place.height)
        if (text, rect) != (self.label, self._label_rect):
            self.prepareGeometryChange()
            self.label, self._label_rect = text, rect
            self._measure()

    def set_state(self, state: State) -> None:
        """Show that the connection was added, changed or removed."""
        if state != self.state:
            self.state = state
            self.setZValue(1.5 if state else 1)
            self.update()

    def set_lit(self, lit: bool) -> None:
        """Highlight the wire with its net."""
        if lit != self.lit:
            self.lit = lit
            self.update()

    def boundingRect(self) -> QRectF:
        """The polyline, its dots and its label."""
        return self._bounds

    def shape(self) -> QPainterPath:
        """A band along the polyline that can be hit."""
        path = QPainterPath()
        path.addPolygon(self._points)
        stroker = QPainterPathStroker(QPen(self.style.accent, 9))
        return stroker.createStroke(path)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the wire; far away, without dots and label."""
        style = self.style
        detail = option.levelOfDetailFromTransform(painter.worldTransform())
        if self.lit or self.isSelected():
            # A halo rather than another colour: the colour says what the wire carries.
            painter.setPen(style.halo)
            painter.drawPolyline(self._points)
        if self.state:
            pen = style.state_wires[self.state, self.tone]
        elif self.isSelected():
            pen = style.selected_wires[self.tone]
        elif self.lit:
            pen = style.lit_wires[self.tone]
        else:
            pen = style.wires[self.tone]
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(self._points)
        if detail < 0.3:
            return
        if self._junctions:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(pen.color())
            size = _DOT + (WIRE_WIDTHS[self.tone] - 1.3) / 2
            for point in self._junctions:
                painter.drawEllipse(point, size, size)
        if not self._label_rect.isNull() and detail >= LABELS_FROM:
            painter.setFont(style.small_font)
            painter.setPen(pen.color() if self.lit else style.muted)
            painter.drawText(self._label_rect, Qt.AlignmentFlag.AlignCenter, self.label)

    def _measure(self) -> None:
        bounds = self._points.boundingRect().adjusted(-6, -6, 6, 6)
        self._bounds = bounds.united(self._label_rect) if not self._label_rect.isNull() else bounds
