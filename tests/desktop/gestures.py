"""What a person does on the canvas, as mouse events."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication


def places(view):
    return {key: (node.x(), node.y()) for key, node in view.design_scene().nodes.items()}


def pin_place(view, node, label):
    item = view.design_scene().nodes[node]
    return view.mapFromScene(item.anchor(next(pin for pin in item.pins if pin.label == label)))


def title_place(view, node):
    return view.mapFromScene(view.design_scene().nodes[node].mapToScene(QPointF(40, 20)))


def inside_place(view, node):
    item = view.design_scene().nodes[node]
    return view.mapFromScene(item.mapToScene(item.body.center()))


def send(view, kind, place, button=Qt.MouseButton.LeftButton, held=Qt.MouseButton.LeftButton):
    viewport = view.viewport()
    event = QMouseEvent(
        kind, QPointF(place), viewport.mapToGlobal(QPointF(place)), button, held, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(viewport, event)


def drag(view, start, end, button=Qt.MouseButton.LeftButton, *, release=True):
    send(view, QMouseEvent.Type.MouseButtonPress, start, button, button)
    for step in range(1, 6):
        place = start + (end - start) * step / 5
        send(view, QMouseEvent.Type.MouseMove, place, Qt.MouseButton.NoButton, button)
    if release:
        send(view, QMouseEvent.Type.MouseButtonRelease, end, button, Qt.MouseButton.NoButton)
