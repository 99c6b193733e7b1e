"""The canvas as something that is edited: turns gestures and keys into requests; names and notes are written there."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

from desktop.canvas.block_item import BlockItem
from desktop.canvas.connecting import CanConnect, CanJoin, ConnectGesture
from desktop.canvas.diagram import Pin
from desktop.canvas.layout import Point, snapped
from desktop.canvas.node_item import NodeItem
from desktop.canvas.note_item import NoteEditor, NoteItem
from desktop.canvas.positions import NOTE_WIDTH
from desktop.canvas.renaming import NameEditor
from desktop.canvas.scene import DesignScene
from desktop.canvas.selecting_view import SelectingView
from desktop.canvas.wire_item import WireItem
from desktop.theme.tokens import LIGHT, Tokens
from model.elements import InterfaceEnd
from model.vlnv import Vlnv

COMPONENT_FORMAT = "application/x-blockwright-component"  # a component of the library, its VLNV as text
_ARROWS = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}
_NAME_SIZE = QSize(120, 26)
_NOTE_HEIGHT = 84


def _anything_goes(source: object, target: object) -> str:
    return ""


class EditingView(SelectingView):
    """A view in which people connect, rename, delete, open and annotate.

    Signals:
        component_opened: a :class:`Vlnv`, by double click on an instance.
        connection_requested: two :class:`Endpoint` values, by a drag from port to port.
        interface_connection_requested: two :class:`InterfaceEnd` values, by a drag from bus interface to bus interface.
        delete_requested: a tuple of :class:`ElementId`.
        rename_requested: an :class:`ElementId` and its new name, as a person typed it.
        component_dropped: a :class:`Vlnv` and the :class:`Point` where it was dropped.
    """

    component_opened = Signal(object)
    connection_requested = Signal(object, object)
    interface_connection_requested = Signal(object, object)
    delete_requested = Signal(object)
    rename_requested = Signal(object, str)
    component_dropped = Signal(object, object)

    def __init__(self, tokens: Tokens = LIGHT, parent: QWidget | None = None) -> None:
        self._pressed: tuple[NodeItem, Pin, QPoint] | None = None
        self._gesture: ConnectGesture | None = None
        super().__init__(tokens, parent)
        self._can_connect: CanConnect = _anything_goes
        self._can_join: CanJoin = _anything_goes
        self.setDragMode(QGraphicsView.DragMode.RubberBandDrag)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)

    def set_can_connect(self, can_connect: CanConnect, can_join: CanJoin = _anything_goes) -> None:
        """Set what judges a wire that is being drawn between ports, and between bus interfaces.

        Each returns why not, or "" where it is legal.
        """
        self._can_connect, self._can_join = can_connect, can_join

    def gesture_reason(self) -> str:
        """Why the wire that is being drawn may not end where it is, or ""."""
        return self._gesture.reason if self._gesture is not None else ""

    def middle(self) -> Point:
        """The place in the middle of what is in view."""
        place = self.mapToScene(self.viewport().rect().center())
        return Point(place.x(), place.y())

    # Notes

    def add_note(self) -> None:
        """Put a note into the middle of the view and let it be written."""
        if self._picture.vlnv is None or self._picture.busy or not self.isInteractive():
            return
        x, y = self.middle()
        place = QPointF(x - NOTE_WIDTH / 2, y - _NOTE_HEIGHT / 2)
        self._write_note("", place, lambda text: self._picture.add_note(text, place.x(), place.y()) if text else None)

    def delete_notes(self) -> None:
        """Take the selected notes away."""
        self._picture.delete_notes(self.selected_notes())

    def edit_note(self, item: NoteItem) -> None:
        """Let the words of a note be written anew."""
        key = item.key
        self._write_note(item.note.text, item.pos(), lambda text: self._picture.edit_note(key, text))

    def _write_note(self, text: str, place: QPointF, done: object) -> None:
        corner = self.mapFromScene(place)
        size = QSize(int(max(NOTE_WIDTH * self.zoom, NOTE_WIDTH)), _NOTE_HEIGHT)
        editor = NoteEditor(text, QRect(corner, size), self.viewport())
        editor.entered.connect(done)

    # Gestures

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to connect, to move or to select."""
        place = event.position().toPoint()
        if event.button() == Qt.MouseButton.LeftButton and not self._space and self.isInteractive():
            node = self._node_at(place)
            if isinstance(node, BlockItem) and node.more_at(self.mapToScene(place)):
                self._picture.toggle_pins(node.key)
                return
            pin = node.pin_at(self.mapToScene(place)) if node is not None else None
            if node is not None and pin is not None:
                self._pressed = (node, pin, place)
                return
            self._choose_pin(None, None)
            self._picture.scene.snapping = True
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with what was begun, or highlight the net under the cursor."""
        place = event.position().toPoint()
        if self._pressed is not None:
            self._drag_wire(place)
            return
        if not event.buttons():
            self._hover(place)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Finish what was begun."""
        if self._pressed is not None:
            node, pin, _place = self._pressed
            self._pressed = None
            if self._gesture is None:
                self._click_pin(node, pin)
            else:
                self._end_wire()
            return
        super().mouseReleaseEvent(event)
        scene = self._picture.scene
        scene.snapping = False
        if scene.moved or scene.moved_notes:
            moved, scene.moved = scene.moved, set()
            notes, scene.moved_notes = scene.moved_notes, set()
            self._picture.drop(moved, notes)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take components that are dragged here from the library."""
        if self._may_drop(event):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Go on taking them."""
        if self._may_drop(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Ask for an instance where a component was dropped."""
        if self._may_drop(event):
            place = self.mapToScene(event.position().toPoint())
            vlnv = Vlnv.parse(event.mimeData().text())
            event.acceptProposedAction()
            self.setFocus()
            self.component_dropped.emit(vlnv, Point(snapped(place.x()), snapped(place.y())))

    def _may_drop(self, event: QDropEvent) -> bool:
        here = self._picture.vlnv is not None and not self._picture.busy and self.isInteractive()
        return here and event.mimeData().hasFormat(COMPONENT_FORMAT)

    def _end_wire(self) -> None:
        gesture, self._gesture = self._gesture, None
        assert gesture is not None
        ends = gesture.end()
        if ends is not None and gesture.joins_interfaces:
            joined = [InterfaceEnd(instance=end.instance, interface=end.port) for end in ends]
            self.interface_connection_requested.emit(*joined)
        elif ends is not None:
            self.connection_requested.emit(*ends)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Rename where the name is; open the component of the instance elsewhere on its block; edit a note."""
        place = event.position().toPoint()
        note, node = self._note_at(place), self._node_at(place)
        if not self.isInteractive():
            return
        if note is not None:
            self.edit_note(note)
        elif (
            isinstance(node, BlockItem)
            and node.key
            and node.title_rect().contains(node.mapFromScene(self.mapToScene(place)))
        ):
            self._rename(node)
        elif isinstance(node, BlockItem) and node.key and not node.block.missing:
            self.component_opened.emit(node.block.vlnv)
        else:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk between blocks, Delete asks, Enter opens, F2 renames, Escape lets go; the rest moves the view."""
        key = event.key()
        if key in _ARROWS:
            self._walk(_ARROWS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_selected()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open_selected()
        elif key == Qt.Key.Key_F2:
            self.rename_selected()
        elif key == Qt.Key.Key_Escape:
            self._cancel()
        else:
            super().keyPressEvent(event)

    def delete_selected(self) -> None:
        """Take the selected notes away, and ask for the selected elements to be deleted."""
        self.delete_notes()
        if self.selected():
            self.delete_requested.emit(self.selected())

    def _drag_wire(self, place: QPoint) -> None:
        assert self._pressed is not None
        node, pin, start = self._pressed
        if self._gesture is None:
            if (place - start).manhattanLength() < QApplication.startDragDistance():
                return
            self._hovered = frozenset()
            self._light()
            visible = self.mapToScene(self.viewport().rect()).boundingRect()
            self._gesture = ConnectGesture(self._picture.scene, node, pin, self._can_connect, self._can_join, visible)
        over = self._node_at(place)
        where = self.mapToScene(place)
        self._gesture.move(where, over, over.pin_at(where) if over is not None else None)

    def _cancel(self) -> None:
        if self._gesture is not None:
            self._gesture.end()
            self._gesture = self._pressed = None
        else:
            self._choose(())

    # Names

    def rename_selected(self) -> None:
        """Edit the name of the one element that is selected, where it stands; of a note, its words."""
        notes = self.selected_notes()
        chosen = [item for item in self.scene().selectedItems() if isinstance(item, NodeItem | WireItem)]
        if len(notes) == 1 and not chosen:
            self.edit_note(self._picture.scene.notes[notes[0]])
        elif len({item.element for item in chosen}) == 1 and not notes:
            self._rename(chosen[0])

    def _rename(self, item: NodeItem | WireItem) -> None:
        element = item.element
        if element is None or element.kind == "component":
            return
        self.reveal(element)
        if isinstance(item, NodeItem):
            place = self.mapFromScene(item.mapRectToScene(item.body)).boundingRect()
            place.setSize(QSize(max(place.width(), _NAME_SIZE.width()), _NAME_SIZE.height()))
        else:
            middle = self.mapFromScene(item.polyline.at(item.polyline.size() // 2))
            width = max(len(element.name) * 8 + 24, _NAME_SIZE.width())
            place = QRect(middle - QPoint(width // 2, 0), QSize(width, _NAME_SIZE.height()))
        editor = NameEditor(element.name, place, self.viewport())
        editor.entered.connect(lambda name: self.rename_requested.emit(element, name))

    def _open_selected(self) -> None:
        chosen = [item for item in self.scene().selectedItems() if isinstance(item, BlockItem)]
        if len(chosen) == 1 and chosen[0].key and not chosen[0].block.missing:
            self.component_opened.emit(chosen[0].block.vlnv)

    def _take_scene(self, scene: DesignScene) -> None:
        self._gesture = self._pressed = None
        super()._take_scene(scene)
