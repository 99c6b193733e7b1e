"""Blocks on the canvas: one item each, which paints its own pins."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from desktop.canvas.diagram import Block, Caption, More, Pin, Row
from desktop.canvas.layout import (
    FIRST_PIN,
    HEADER,
    PADDING,
    PARAMETER_ROW,
    ROW,
    NodeShape,
    more_text,
    rows_bottom,
    tie_text,
)
from desktop.canvas.node_item import FILL_BELOW, OUTLINE_BELOW, NodeItem
from desktop.canvas.style import Style
from model.change import ElementId

TITLE_ONLY_BELOW = 0.75


class BlockItem(NodeItem):
    """A subcomponent, or the component itself as one large symbol."""

    def __init__(self, block: Block, style: Style, shape: NodeShape) -> None:
        super().__init__(block.key, style, shape)
        self.block = block
        # Panning then copies pixels instead of painting text.
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    @property
    def element(self) -> ElementId:
        """The instance (the component, for a symbol)."""
        return self.block.element

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The pins that are shown."""
        return self.block.pins

    @property
    def parts(self) -> tuple[ElementId, ...]:
        """The pins and, in a symbol, the parameters."""
        return super().parts + tuple(line.element for line in self.block.parameters)

    @property
    def tip(self) -> str:
        """The instance, its component, and what that is for."""
        missing = "Its component is not in the library.\n" if self.block.missing else ""
        return f"{self.block.title}\n{self.block.vlnv}\n{missing}{self.block.tip}".strip()

    def set_block(self, block: Block, shape: NodeShape) -> None:
        """Show another version of the same instance."""
        if block is self.block and shape == self.shape_of_pins:
            return
        self.prepareGeometryChange()
        self.block, self.shape_of_pins = block, shape
        self.update()

    def more_at(self, scene_pos: QPointF) -> bool:
        """Whether the row that folds or unfolds pins is there."""
        place = self.mapFromScene(scene_pos)
        row = round((place.y() - FIRST_PIN) / ROW)
        rows = self.block.west if place.x() < self.shape_of_pins.width / 2 else self.block.east
        return 0 <= row < len(rows) and isinstance(rows[row], More)

    def title_rect(self) -> QRectF:
        """Where the name stands, as far as it is written."""
        width = min(
            self.style.title_metrics.horizontalAdvance(self.block.title), self.shape_of_pins.width - 2 * PADDING
        )
        return QRectF(PADDING - 4, 2, width + 8, 20)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw as much as can be seen at this zoom."""
        detail = option.levelOfDetailFromTransform(painter.worldTransform())
        style, body = self.style, self.body
        if detail < FILL_BELOW:
            painter.fillRect(body, style.state_colors[self.state] if self.state else style.muted)
            return
        self._paint_body(painter)
        if detail < OUTLINE_BELOW:
            painter.setPen(style.text)
            painter.setFont(self._far_font(detail))
            painter.drawText(body.adjusted(6, 4, -6, -4), Qt.AlignmentFlag.AlignCenter, self._far_text(detail))
            return
        if detail < TITLE_ONLY_BELOW:
            self._paint_large_title(painter, detail)
        else:
            self._paint_header(painter)
        for rows, east in ((self.block.west, False), (self.block.east, True)):
            for index, row in enumerate(rows):
                self._paint_row(painter, row, FIRST_PIN + index * ROW, east)
        if self.block.parameters:
            self._paint_parameters(painter)
        if self.state:
            self.paint_tag(painter, self.state_word(), style.state_colors[self.state])
        elif self.block.missing:
            self.paint_tag(painter, "missing", style.danger)

    def _paint_body(self, painter: QPainter) -> None:
        style = self.style
        painter.setBrush(style.soft[self.state])
        if self.isSelected():
            painter.setPen(style.selected_outline)
        elif self.state:
            painter.setPen(style.state_outlines[self.state])
        elif self.block.missing:
            painter.setPen(style.missing_outline)
        else:
            painter.setPen(style.outline)
        painter.drawRoundedRect(self.body, style.tokens.radius, style.tokens.radius)

    def _paint_header(self, painter: QPainter) -> None:
        style, width = self.style, self.shape_of_pins.width
        room = width - 2 * PADDING
        painter.setFont(style.title_font)
        painter.setPen(style.text)
        title = style.title_metrics.elidedText(self.block.title, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QPointF(PADDING, 17), title)
        painter.setFont(style.small_font)
        painter.setPen(style.danger if self.block.missing else style.muted)
        painter.drawText(QPointF(PADDING, 31), elided_vlnv(self.block.subtitle, style.small_metrics, room))
        painter.setPen(style.hairline)
        painter.drawLine(QPointF(1, HEADER), QPointF(width - 1, HEADER))

    def _paint_large_title(self, painter: QPainter, detail: float) -> None:
        """From afar the name takes the room of the VLNV, so that it stays legible."""
        style, width = self.style, self.shape_of_pins.width
        room = width - 2 * PADDING
        natural = style.title_metrics.horizontalAdvance(self.block.title)
        size = style.tokens.text_normal
        font = QFont(style.title_font)
        font.setPixelSize(int(max(size, min(11.5 / detail, size * room / max(natural, 1.0), HEADER * 0.62))))
        painter.setFont(font)
        painter.setPen(style.text)
        title = QFontMetricsF(font).elidedText(self.block.title, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRectF(PADDING, 0, room, HEADER), Qt.AlignmentFlag.AlignVCenter, title)
        painter.setPen(style.hairline)
        painter.drawLine(QPointF(1, HEADER), QPointF(width - 1, HEADER))

    def _paint_row(self, painter: QPainter, row: Row, y: float, east: bool) -> None:
        style, width = self.style, self.shape_of_pins.width
        align = Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignRight if east else Qt.AlignmentFlag.AlignLeft)
        rect = QRectF(PADDING, y - ROW / 2, width - 2 * PADDING, ROW)
        if isinstance(row, Caption):
            painter.setFont(style.small_font)
            painter.setPen(style.faint)
            painter.drawText(rect, align, f"◇ {row.text}")
        elif isinstance(row, More):
            painter.setFont(style.pin_font)
            painter.setPen(style.accent)
            painter.drawText(rect, align, more_text(row.count))
        else:
            self._paint_label(painter, row, rect, east)
            self.paint_glyph(painter, row)

    def _paint_label(self, painter: QPainter, pin: Pin, rect: QRectF, east: bool) -> None:
        style = self.style
        if pin.ref == self.chosen_pin:
            painter.fillRect(rect.adjusted(-6, 1, 6, -1), style.accent_soft)
        state = self.part_states.get(pin.element, "") if pin.element is not None else "removed"
        extra = pin.width + tie_text(pin.tie)
        range_width = style.small_metrics.horizontalAdvance(extra) + 4 if extra else 0.0
        room = rect.width() - range_width
        other_side = self.block.west if east else self.block.east
        if other_side:
            room = min(room, max(rect.width() * 0.62, style.pin_metrics.horizontalAdvance(pin.label)))
        label = style.pin_metrics.elidedText(pin.label, Qt.TextElideMode.ElideRight, room)
        label_width = style.pin_metrics.horizontalAdvance(label)
        baseline = rect.center().y() + 4
        left = rect.right() - label_width - range_width if east else rect.left()
        painter.setFont(style.pin_font)
        painter.setPen(style.state_colors[state] if state else style.text)
        painter.drawText(QPointF(left, baseline), label)
        if extra:
            painter.setFont(style.small_font)
            painter.setPen(style.muted)
            painter.drawText(QPointF(left + label_width + 4, baseline), extra)

    def _paint_parameters(self, painter: QPainter) -> None:
        style, width = self.style, self.shape_of_pins.width
        top = rows_bottom(self.block)
        painter.setPen(style.hairline)
        painter.drawLine(QPointF(1, top), QPointF(width - 1, top))
        painter.setFont(style.small_font)
        painter.setPen(style.faint)
        painter.drawText(QPointF(PADDING, top + 16), "parameters")
        for index, line in enumerate(self.block.parameters):
            state = self.part_states.get(line.element, "")
            y = top + 16 + (index + 1) * PARAMETER_ROW
            painter.setFont(style.pin_font)
            painter.setPen(style.state_colors[state] if state else style.text)
            room = width - 2 * PADDING
            name = style.pin_metrics.elidedText(line.name, Qt.TextElideMode.ElideRight, room * 0.6)
            painter.drawText(QPointF(PADDING, y), name)
            left = PADDING + style.pin_metrics.horizontalAdvance(name) + 8
            painter.setPen(style.muted)
            text = style.pin_metrics.elidedText(line.value, Qt.TextElideMode.ElideMiddle, width - PADDING - left)
            painter.drawText(QPointF(width - PADDING - style.pin_metrics.horizontalAdvance(text), y), text)

    def _far_text(self, detail: float) -> str:
        metrics = QFontMetricsF(self._far_font(detail))
        return metrics.elidedText(self.block.title, Qt.TextElideMode.ElideMiddle, self.shape_of_pins.width - 12)

    def _far_font(self, detail: float) -> QFont:
        # At this distance only the name matters: as large as fits, at most 13 px on the screen.
        font = QFont(self.style.title_font)
        longest = max(len(self.block.title), 1)
        fitting = (self.shape_of_pins.width - 12) / longest * 1.6
        font.setPixelSize(max(10, int(min(13 / detail, fitting, self.shape_of_pins.height * 0.6))))
        return font


def elided_vlnv(text: str, metrics: QFontMetricsF, room: float) -> str:
    """Shorten a VLNV from the left: the name and the version tell most."""
    return metrics.elidedText(text, Qt.TextElideMode.ElideLeft, room)
