"""Blocks and terminals on the canvas: one item each, which paints its own pins."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from desktop.canvas.diagram import Block, Caption, More, Pin, Row, Terminal
from desktop.canvas.glyphs import paint_pin
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
from desktop.canvas.style import State, Style
from model.change import ElementId

OUTLINE_BELOW = 0.4
FILL_BELOW = 0.15
TITLE_ONLY_BELOW = 0.75


class NodeItem(QGraphicsItem):
    """What blocks and terminals share: a place, a size, a state, selection."""

    margin = 12.0  # room for pins beside the body

    def __init__(self, key: str, style: Style, shape: NodeShape) -> None:
        super().__init__()
        self.key = key
        self.style = style
        self.shape_of_pins = shape
        self.state: State = ""
        self.lit_pins: frozenset[object] = frozenset()
        self.part_states: Mapping[ElementId, State] = {}
        self.marks: Mapping[object, bool] = {}
        self.chosen_pin: object = None
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsMovable)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemSendsGeometryChanges)
        self.setAcceptHoverEvents(True)
        self.setZValue(2)

    @property
    def element(self) -> ElementId | None:
        """What the item shows."""
        raise NotImplementedError

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The pins that can be pointed at."""
        raise NotImplementedError

    @property
    def parts(self) -> tuple[ElementId, ...]:
        """The elements that are drawn inside the item."""
        return tuple(pin.element for pin in self.pins if pin.element is not None)

    @property
    def body(self) -> QRectF:
        """The rectangle of the block itself."""
        return QRectF(0, 0, self.shape_of_pins.width, self.shape_of_pins.height)

    def boundingRect(self) -> QRectF:
        """The body with room for pins, tags and tie-offs; constant between changes of shape."""
        return self.body.adjusted(-self.margin, -24, self.margin, 8)

    def shape(self) -> QPainterPath:
        """The body and a little around it, so that pins can be hit."""
        path = QPainterPath()
        path.addRect(self.body.adjusted(-7, 0, 7, 0))
        return path

    def set_state(self, state: State) -> None:
        """Show that the element was added, changed or removed."""
        if state != self.state:
            self.state = state
            self.update()

    def pin_at(self, scene_pos: QPointF) -> Pin | None:
        """The pin under a place in the scene, label included."""
        place = self.mapFromScene(scene_pos)
        for pin in self.pins:
            anchor = self.shape_of_pins.anchors.get(pin.ref)
            if anchor is not None and abs(place.y() - anchor.y) <= ROW / 2 and abs(place.x() - anchor.x) <= 12:
                return pin
        return None

    def anchor(self, pin: Pin) -> QPointF:
        """Where a pin meets its wire, in the scene."""
        place = self.shape_of_pins.anchors[pin.ref]
        return self.mapToScene(QPointF(place.x, place.y))

    def pin_color(self, pin: Pin) -> QColor:
        """The colour of a pin's glyph, by what it carries and what is being pointed at."""
        if pin.element is None:
            return self.style.danger
        state = self.part_states.get(pin.element, "")
        if state:
            return self.style.state_colors[state]
        return self.style.tones[pin.tone]

    def itemChange(self, change: QGraphicsItem.GraphicsItemChange, value: object) -> object:
        """Tell the scene that wires must follow."""
        scene = self.scene()
        if change == QGraphicsItem.GraphicsItemChange.ItemPositionChange and isinstance(value, QPointF):
            return scene.snap(value) if hasattr(scene, "snap") else value
        if change == QGraphicsItem.GraphicsItemChange.ItemPositionHasChanged and hasattr(scene, "node_moved"):
            scene.node_moved(self)
        return super().itemChange(change, value)

    def tag_rect(self, text: str) -> QRectF:
        """Where a tag stands: on the upper left corner."""
        return QRectF(0, -19, self.style.tag_metrics.horizontalAdvance(text) + 10, 15)

    def paint_tag(self, painter: QPainter, text: str, color: QColor) -> None:
        """A small label."""
        style = self.style
        rect = self.tag_rect(text)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(rect, 2, 2)
        painter.setFont(style.tag_font)
        painter.setPen(style.on_state)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    def paint_glyph(self, painter: QPainter, pin: Pin) -> None:
        """The pin's shape, ringed while it is a legal target of a new wire and faded while it is not."""
        anchor = self.shape_of_pins.anchors[pin.ref]
        legal = self.marks.get(pin.ref)
        if pin.ref in self.lit_pins:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.style.accent_soft)
            painter.drawEllipse(QPointF(anchor.x, anchor.y), 9, 9)
        if legal:
            painter.setPen(QPen(self.style.success, 1.6))
            painter.setBrush(self.style.soft["added"])
            painter.drawEllipse(QPointF(anchor.x, anchor.y), 9, 9)
        painter.setOpacity(0.25 if legal is False else 1.0)
        paint_pin(painter, pin, anchor.x, anchor.y, self.pin_color(pin), self.style.surface)
        painter.setOpacity(1.0)


class BlockItem(NodeItem):
    """A subcomponent, or the component itself as one large symbol."""

    def __init__(self, block: Block, style: Style, shape: NodeShape) -> None:
        super().__init__(block.key, style, shape)
        self.block = block
        self._set_tip()

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

    def set_block(self, block: Block, shape: NodeShape) -> None:
        """Show another version of the same instance."""
        if block is self.block and shape == self.shape_of_pins:
            return
        self.prepareGeometryChange()
        self.block, self.shape_of_pins = block, shape
        self._set_tip()
        self.update()

    def more_at(self, scene_pos: QPointF) -> bool:
        """Whether the row that folds or unfolds pins is there."""
        place = self.mapFromScene(scene_pos)
        row = round((place.y() - FIRST_PIN) / ROW)
        rows = self.block.west if place.x() < self.shape_of_pins.width / 2 else self.block.east
        return 0 <= row < len(rows) and isinstance(rows[row], More)

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
            self.paint_tag(painter, self.state, style.state_colors[self.state])
        elif self.block.missing:
            self.paint_tag(painter, "missing", style.danger)

    def _set_tip(self) -> None:
        missing = "Its component is not in the library.\n" if self.block.missing else ""
        self.setToolTip(f"{self.block.title}\n{self.block.vlnv}\n{missing}{self.block.tip}".strip())

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


class TerminalItem(NodeItem):
    """A port or bus interface of the component itself, as a flag at the border."""

    margin = 64.0  # and for the tag

    def __init__(self, terminal: Terminal, style: Style, shape: NodeShape) -> None:
        super().__init__(terminal.key, style, shape)
        self.terminal = terminal
        self.setToolTip(f"{terminal.pin.label}\n{terminal.pin.tip}".strip())

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
        west = self.terminal.pin.side == "W"
        return QRectF(-rect.width() - 6 if west else self.shape_of_pins.width + 6, 2.5, rect.width(), rect.height())

    def set_terminal(self, terminal: Terminal, shape: NodeShape) -> None:
        """Show another version of the same port."""
        if terminal == self.terminal and shape == self.shape_of_pins:
            return
        self.prepareGeometryChange()
        self.terminal, self.shape_of_pins = terminal, shape
        self.setToolTip(f"{terminal.pin.label}\n{terminal.pin.tip}".strip())
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
            self.paint_tag(painter, self.state, style.state_colors[self.state])

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
        return QPolygonF([QPointF(x, y) for x, y in points])

    def _paint_label(self, painter: QPainter) -> None:
        style, pin = self.style, self.terminal.pin
        range_width = style.small_metrics.horizontalAdvance(pin.width) + 4 if pin.width else 0.0
        room = self.shape_of_pins.width - 18 - 6 * pin.ref.interface
        label = style.pin_metrics.elidedText(pin.label, Qt.TextElideMode.ElideRight, room - range_width)
        width = style.pin_metrics.horizontalAdvance(label)
        left = 8.0 if pin.side == "W" else 10.0 + 4.0 * pin.ref.interface
        baseline = self.shape_of_pins.height / 2 + 4
        painter.setFont(style.pin_font)
        painter.setPen(style.text)
        painter.drawText(QPointF(left, baseline), label)
        if pin.width:
            painter.setFont(style.small_font)
            painter.setPen(style.muted)
            painter.drawText(QPointF(left + width + 4, baseline), pin.width)


def elided_vlnv(text: str, metrics: QFontMetricsF, room: float) -> str:
    """Shorten a VLNV from the left: the name and the version tell most."""
    return metrics.elidedText(text, Qt.TextElideMode.ElideLeft, room)
