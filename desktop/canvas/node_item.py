"""What blocks and terminals share on the canvas."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem

from desktop.canvas.diagram import Pin
from desktop.canvas.glyphs import paint_pin
from desktop.canvas.layout import ROW, NodeShape
from desktop.canvas.style import State, Style
from model.change import ElementId

OUTLINE_BELOW = 0.4
FILL_BELOW = 0.15
_FLAGS = (
    QGraphicsItem.GraphicsItemFlag.ItemIsSelectable
    | QGraphicsItem.GraphicsItemFlag.ItemIsMovable
    | QGraphicsItem.GraphicsItemFlag.ItemSendsGeometryChanges
)


_MOVES = QGraphicsItem.GraphicsItemChange.ItemPositionChange
_HAS_MOVED = QGraphicsItem.GraphicsItemChange.ItemPositionHasChanged


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
        self.setFlags(_FLAGS)
        self.setZValue(2)

    @property
    def element(self) -> ElementId | None:
        """What the item shows."""
        raise NotImplementedError

    @property
    def tip(self) -> str:
        """What is told while the pointer rests on the item; asked for then."""
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

    @property
    def area(self) -> QRectF:
        """The body where it stands in the scene."""
        return QRectF(self.x(), self.y(), self.shape_of_pins.width, self.shape_of_pins.height)

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
        if change is _MOVES and isinstance(value, QPointF):
            scene = self.scene()
            return scene.snap(value) if hasattr(scene, "snap") else value
        if change is _HAS_MOVED:
            scene = self.scene()
            if hasattr(scene, "node_moved"):
                scene.node_moved(self)
        return value  # as the base does, which is asked ten times for every new block

    def tag_rect(self, text: str) -> QRectF:
        """Where a tag stands: on the upper left corner."""
        return QRectF(0, -19, self.style.tag_metrics.horizontalAdvance(text) + 10, 15)

    def state_word(self) -> str:
        """What the tag says of the state."""
        words: Mapping[str, str] = getattr(self.scene(), "tag_words", {})
        return words.get(self.state, self.state)

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
