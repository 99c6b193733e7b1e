"""The gesture that joins two ports: a wire from pin to cursor, legal targets lit, illegal ones explained."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from desktop.canvas.diagram import Pin, PinRef
from desktop.canvas.layout import PortAnchor
from desktop.canvas.node_item import NodeItem
from desktop.canvas.routing import direct_route
from desktop.canvas.scene import DesignScene
from desktop.canvas.style import Style
from model.elements import Endpoint, InterfaceEnd

CanConnect = Callable[[Endpoint, Endpoint], str]
CanJoin = Callable[[InterfaceEnd, InterfaceEnd], str]
_MARKED_AT_ONCE = 1500  # pins checked when the gesture begins; others when they are pointed at
_INTERFACE = "A bus interface joins another bus interface, a port another port."


class ConnectGesture:
    """Runs from the press on a pin to the release; :attr:`target` is the pin that the wire would reach."""

    def __init__(
        self,
        scene: DesignScene,
        node: NodeItem,
        pin: Pin,
        can_connect: CanConnect,
        can_join: CanJoin,
        visible: QRectF,
    ) -> None:
        self._scene, self._node, self._pin = scene, node, pin
        self._can_connect, self._can_join = can_connect, can_join
        self._reasons: dict[PinRef, str] = {}
        self._ghost = _GhostWire(scene.style_of_items)
        self.target: Pin | None = None
        self.reason = ""
        scene.addItem(self._ghost)
        self._mark(visible)

    @property
    def source(self) -> Endpoint:
        """Where the gesture began."""
        return _endpoint(self._pin)

    def move(self, place: QPointF, node: NodeItem | None, pin: Pin | None) -> None:
        """Let the wire end at the cursor, or at the pin under it."""
        self.target, self.reason = None, ""
        if node is not None and pin is not None and pin.ref != self._pin.ref:
            self.reason = self._reason(pin)
            if not self.reason:
                self.target = pin
                place = node.anchor(pin)
        start = self._node.anchor(self._pin)
        side = self._node.shape_of_pins.anchors[self._pin.ref].side
        facing = (
            node.shape_of_pins.anchors[pin.ref].side
            if self.target is not None and node is not None and pin is not None
            else ("W" if side == "E" else "E")
        )
        route = direct_route(PortAnchor(start.x(), start.y(), side), PortAnchor(place.x(), place.y(), facing))
        self._ghost.show_route([QPointF(x, y) for x, y in route], legal=not self.reason, reason=self.reason)

    def end(self) -> tuple[Endpoint, Endpoint] | None:
        """Take the wire and the marks away; return the two ends if the gesture reached a legal target."""
        self._scene.removeItem(self._ghost)
        for node in self._scene.nodes.values():
            if node.marks:
                node.marks = {}
                node.update()
        return (self.source, _endpoint(self.target)) if self.target is not None else None

    @property
    def joins_interfaces(self) -> bool:
        """Whether the gesture began at a bus interface; then both ends are interfaces."""
        return self._pin.ref.interface

    def _mark(self, visible: QRectF) -> None:
        count = 0
        for node in self._scene.nodes.values():
            if not visible.intersects(node.sceneBoundingRect()):
                continue
            count += len(node.pins)
            if count > _MARKED_AT_ONCE:
                return
            node.marks = {pin.ref: not self._reason(pin) for pin in node.pins if pin.ref != self._pin.ref}
            node.update()

    def _reason(self, pin: Pin) -> str:
        if pin.ref not in self._reasons:
            if pin.ref.interface != self._pin.ref.interface:
                reason = _INTERFACE
            elif pin.ref.interface:
                reason = self._can_join(_interface(self._pin), _interface(pin))
            else:
                reason = self._can_connect(self.source, _endpoint(pin))
            self._reasons[pin.ref] = reason
        return self._reasons[pin.ref]


def _interface(pin: Pin) -> InterfaceEnd:
    return InterfaceEnd(instance=pin.ref.instance, interface=pin.ref.name)


def _endpoint(pin: Pin) -> Endpoint:
    return Endpoint(instance=pin.ref.instance, port=pin.ref.name)


class _GhostWire(QGraphicsItem):
    """The wire that does not exist yet, with the reason beside its end where it may not."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._points = QPolygonF()
        self._legal = True
        self._reason = ""
        self.setZValue(10)

    def show_route(self, points: list[QPointF], *, legal: bool, reason: str) -> None:
        """Take this course."""
        self.prepareGeometryChange()
        self._points, self._legal, self._reason = QPolygonF(points), legal, reason
        self.update()

    def boundingRect(self) -> QRectF:
        """The wire and its reason."""
        rect = self._points.boundingRect().adjusted(-6, -6, 6, 6)
        return rect.united(self._reason_rect()) if self._reason else rect

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw a dashed wire, green or red."""
        style = self._style
        color: QColor = style.accent if self._legal else style.danger
        pen = QPen(color, 2, Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawPolyline(self._points)
        if self._reason:
            rect = self._reason_rect()
            painter.setPen(QPen(style.danger, 1))
            painter.setBrush(style.soft["removed"])
            painter.drawRoundedRect(rect, 3, 3)
            painter.setPen(style.text)
            painter.setFont(style.tag_font)
            painter.drawText(
                rect.adjusted(6, 3, -6, -3), Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter, self._reason
            )

    def _reason_rect(self) -> QRectF:
        if self._points.isEmpty():
            return QRectF()
        end = self._points.last()
        text = self._style.tag_metrics.boundingRect(
            QRectF(0, 0, 260, 400), Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft, self._reason
        )
        return QRectF(end.x() + 14, end.y() + 10, text.width() + 16, text.height() + 10)
