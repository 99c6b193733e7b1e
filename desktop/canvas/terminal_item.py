"""The component's own ports on the canvas: flags at the border."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from desktop.canvas.diagram import Pin, Terminal
from desktop.canvas.layout import NodeShape
from desktop.canvas.node_item import FILL_BELOW, OUTLINE_BELOW, NodeItem
from desktop.canvas.style import Style
from model.change import ElementId


class TerminalItem(NodeItem):
    """A port or bus interface of the component itself, as a flag at the border."""

    margin = 64.0  # and for the tag

    def __init__(self, terminal: Terminal, style: Style, shape: NodeShape) -> None:
        super().__init__(terminal.key, style, shape)
        self.terminal = terminal

    @property
    def element(self) -> ElementId | None:
        """The port or interface; None where a connection names one that does not exist."""
        return self.terminal.element

    @property
    def pins(self) -> tuple[Pin, ...]:
        """Its one pin."""
        return (self.terminal.pin,)

    def tag_rect(self, text: str) -> QRectF:
        """Beside the flag, away from the blocks: terminals stand close above one another."""
        rect = super().tag_rect(text)
        west = self.terminal.pin.stands == "W"
        return QRectF(-rect.width() - 6 if west else self.shape_of_pins.width + 6, 2.5, rect.width(), rect.height())

    @property
    def tip(self) -> str:
        """The port, and what it carries."""
        return f"{self.terminal.pin.label}\n{self.terminal.pin.tip}".strip()

    def set_terminal(self, terminal: Terminal, shape: NodeShape) -> None:
        """Show another version of the same port."""
        if terminal == self.terminal and shape == self.shape_of_pins:
            return
        self.prepareGeometryChange()
        self.terminal, self.shape_of_pins = terminal, shape
        self.update()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw a flag that points the way the signal goes."""
        detail = option.levelOfDetailFromTransform(painter.worldTransform())
        style, body, pin = self.style, self.body, self.terminal.pin
        if detail < FILL_BELOW:
            painter.fillRect(body, self.pin_color(pin))
            return
        pen = QPen(self.pin_color(pin), 1.2)
        if self.isSelected():
            pen = style.selected_outline
        elif self.state:
            pen = style.state_outlines[self.state]
        elif pin.element is None:
            pen = style.missing_outline
        painter.setPen(pen)
        painter.setBrush(style.soft[self.state] if self.state else style.terminal)
        painter.drawPolygon(self._flag())
        if detail < OUTLINE_BELOW:
            return
        self._paint_label(painter)
        if pin.ref.interface or pin.shape in ("requires", "provides", "both") or pin.ref in self.marks:
            self.paint_glyph(painter, pin)
        if self.state:
            self.paint_tag(painter, self.state_word(), style.state_colors[self.state])

    def _flag(self) -> QPolygonF:
        width, height = self.shape_of_pins.width, self.shape_of_pins.height
        tip, middle = 7.0, height / 2
        points = [(0.0, 0.0), (width - tip, 0.0), (width, middle), (width - tip, height), (0.0, height)]
        if self.terminal.pin.shape == "inout":
            points = [
                (tip, 0.0),
                (width - tip, 0.0),
                (width, middle),
                (width - tip, height),
                (tip, height),
                (0.0, middle),
            ]
        if self.terminal.pin.turned:
            points = [(width - x, y) for x, y in points]
        return QPolygonF([QPointF(x, y) for x, y in points])

    def _paint_label(self, painter: QPainter) -> None:
        style, pin = self.style, self.terminal.pin
        range_width = style.small_metrics.horizontalAdvance(pin.width) + 4 if pin.width else 0.0
        room = self.shape_of_pins.width - 18 - 6 * pin.ref.interface
        label = style.pin_metrics.elidedText(pin.label, Qt.TextElideMode.ElideRight, room - range_width)
        width = style.pin_metrics.horizontalAdvance(label)
        left = 8.0 if pin.stands == "W" else 10.0 + 4.0 * pin.ref.interface
        baseline = self.shape_of_pins.height / 2 + 4
        painter.setFont(style.pin_font)
        painter.setPen(style.text)
        painter.drawText(QPointF(left, baseline), label)
        if pin.width:
            painter.setFont(style.small_font)
            painter.setPen(style.muted)
            painter.drawText(QPointF(left + width + 4, baseline), pin.width)
