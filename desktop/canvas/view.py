"""The canvas widget: shows a component's inside, follows its changes, and turns gestures into requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

from desktop.canvas.block_item import BlockItem
from desktop.canvas.connecting import CanConnect, CanJoin, ConnectGesture
from desktop.canvas.diagram import Pin
from desktop.canvas.export import export
from desktop.canvas.layout import Point, snapped
from desktop.canvas.node_item import NodeItem
from desktop.canvas.note_item import NoteEditor, NoteItem
from desktop.canvas.picture import Seeds
from desktop.canvas.positions import NOTE_WIDTH
from desktop.canvas.renaming import NameEditor
from desktop.canvas.scene import DesignScene
from desktop.canvas.selecting_view import SelectingView
from desktop.canvas.style import style_of
from desktop.canvas.wire_item import WireItem
from desktop.theme.tokens import LIGHT, Tokens
from model.change import Change
from model.elements import InterfaceEnd
from model.library import Library
from model.vlnv import Vlnv

_ARROWS = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}
_NAME_SIZE = QSize(120, 26)
_NOTE_HEIGHT = 84


COMPONENT_FORMAT = "application/x-blockwright-component"  # a component of the library, its VLNV as text


def _anything_goes(source: object, target: object) -> str:
    return ""


class DesignView(SelectingView):
    """Block diagram of one component.

    Signals:
        component_opened: a :class:`Vlnv`, by double click on an instance.
        connection_requested: two :class:`Endpoint` values, by a drag from port to port.
        interface_connection_requested: two :class:`InterfaceEnd` values, by a drag from bus interface to bus interface.
        delete_requested: a tuple of :class:`ElementId`.
        rename_requested: an :class:`ElementId` and its new name, as a person typed it.
        rearranged: a :class:`Rearrangement`: blocks or notes were moved, laid out, routed or written.
        component_dropped: a :class:`Vlnv` and the :class:`Point` where it was dropped.
        component_wanted: the :class:`Vlnv` of a component whose rearrangement was taken back unseen.
    """

    component_opened = Signal(object)
    connection_requested = Signal(object, object)
    interface_connection_requested = Signal(object, object)
    delete_requested = Signal(object)
    rename_requested = Signal(object, str)
    rearranged = Signal(object)
    component_dropped = Signal(object, object)
    component_wanted = Signal(object)

    def __init__(self, tokens: Tokens = LIGHT, parent: QWidget | None = None) -> None:
        self._pressed: tuple[NodeItem, Pin, QPoint] | None = None
        self._gesture: ConnectGesture | None = None
        super().__init__(tokens, parent)
        self._can_connect: CanConnect = _anything_goes
        self._can_join: CanJoin = _anything_goes
        self.setDragMode(QGraphicsView.DragMode.RubberBandDrag)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setAccessibleName("Block diagram")
        self._picture.rearranged.connect(self.rearranged)
        self._picture.wanted.connect(self.component_wanted)

    # What is shown

    @property
    def component(self) -> Vlnv | None:
        """The component that is shown."""
        return self._picture.vlnv

    @property
    def block_count(self) -> int:
        """How many instances are shown."""
        diagram = self._picture.diagram
        return 0 if diagram is None or diagram.is_symbol else len(diagram.blocks)

    @property
    def net_count(self) -> int:
        """How many nets are shown."""
        diagram = self._picture.diagram
        return 0 if diagram is None else len(diagram.nets)

    @property
    def notice(self) -> str:
        """What people should know about the layout, or ""."""
        return self._picture.notice

    @property
    def layout_is_there(self) -> bool:
        """Whether the shown component has its places."""
        return not self._picture.busy

    def gesture_reason(self) -> str:
        """Why the wire that is being drawn may not end where it is, or ""."""
        return self._gesture.reason if self._gesture is not None else ""

    def set_tokens(self, tokens: Tokens) -> None:
        """Take other colours and fonts."""
        self._tokens = tokens
        self._style = style_of(tokens)
        self._minimap.set_tokens(tokens)
        middle, chosen = self.mapToScene(self.viewport().rect().center()), self.selected()
        self._picture.set_style(self._style)
        self._picture.scene.set_findings(self._findings)
        self.centerOn(middle)
        self.select(chosen)
        self.viewport().update()

    def set_can_connect(self, can_connect: CanConnect, can_join: CanJoin = _anything_goes) -> None:
        """Set what judges a wire that is being drawn between ports, and between bus interfaces.

        Each returns why not, or "" where it is legal.
        """
        self._can_connect, self._can_join = can_connect, can_join

    def show_component(self, library: Library, vlnv: Vlnv) -> None:
        """Show a component; :attr:`layout_finished` tells when it has its layout.

        Raises:
            DesignError: ``component-not-found``.
        """
        self._fitted = True
        self._picture.show(library, vlnv)
        self.setInteractive(True)
        self.selection_changed.emit(())

    def apply_change(self, library: Library, change: Change) -> None:
        """Follow an edit of the library: what stood stays, what changed is highlighted for a while."""
        self._picture.apply(library, change)
        self.setInteractive(True)
        self.viewport().update()

    def show_proposal(self, library: Library | None, vlnv: Vlnv | None = None) -> None:
        """Draw what another library would add, change and remove over the present design; None ends it.

        A change of the design or another component ends it too. Nothing is drawn before :attr:`layout_finished`.

        Args:
            library: the design as it would be.
            vlnv: a component that only ``library`` has; by default what is shown.
        """
        before = self._picture.vlnv
        self._picture.show_proposal(library, vlnv)
        if self._picture.vlnv != before:
            self._fitted = True
            self.fit()
        self.setInteractive(not self._picture.previews)
        self.viewport().update()

    @property
    def shows_proposal(self) -> bool:
        """Whether a proposal is drawn."""
        return self._picture.proposal is not None

    def clear_highlights(self) -> None:
        """End the highlighting of changes now."""
        self._picture.clear_highlights()

    # Arranging

    def relayout(self) -> None:
        """Lay the whole picture out anew."""
        self._fitted = True
        self._picture.relayout()

    def reroute(self) -> None:
        """Route all wires anew; blocks stay."""
        self._picture.reroute_all()

    def expect(self, places: Mapping[str, Point]) -> None:
        """Say where the instances of these names are to stand once an edit has made them."""
        self._picture.expect(places)

    def middle(self) -> Point:
        """The place in the middle of what is in view."""
        place = self.mapToScene(self.viewport().rect().center())
        return Point(place.x(), place.y())

    def place_of(self, instance: str) -> Point | None:
        """Where the block of an instance stands."""
        node = self._picture.scene.nodes.get(instance)
        return Point(node.x(), node.y()) if node is not None else None

    def load_positions(self, folder: Path) -> None:
        """Take the places that are stored with a workspace, for components that are shown from now on."""
        self._picture.load_positions(folder)

    def save_positions(self, folder: Path) -> None:
        """Store the places of the components that a person has arranged.

        Raises:
            OSError: the folder cannot be written.
        """
        self._picture.saving_positions(folder)()

    def saving_positions(self, folder: Path) -> Callable[[], None]:
        """What :meth:`save_positions` does, to be done on another thread; the places are those of now."""
        return self._picture.saving_positions(folder)

    def seed_from(self, seeds: Seeds) -> None:
        """Ask ``seeds`` where a design's own file puts its instances."""
        self._picture.seed_from(seeds)

    def moved_seeds(self, vlnv: Vlnv) -> dict[str, Point]:
        """The places, for the design's own file, of the instances that were moved since it was read."""
        return self._picture.moved_seeds(vlnv)

    def seeds_written(self, vlnv: Vlnv, written: Mapping[str, Point]) -> None:
        """Take note that the design's own file has these places now."""
        self._picture.seeds_written(vlnv, written)

    def export(self, path: Path) -> None:
        """Write the whole picture as SVG, PDF or PNG, as the file's suffix says.

        Raises:
            ValueError: the suffix is another one, or nothing is shown.
            OSError: the file cannot be written.
        """
        export(self._picture.scene, path)

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

    # Reactions

    def _take_scene(self, scene: DesignScene) -> None:
        self._gesture = self._pressed = None
        super()._take_scene(scene)

    def drawForeground(self, painter: QPainter, rect: QRectF | object) -> None:
        """What there is to say: an empty design, a layout in the making, one that failed."""
        text = self._picture.notice
        diagram = self._picture.diagram
        if self._picture.busy:
            text = "Arranging blocks and wires…"
        elif diagram is None:
            text = "Nothing is open. Choose a component in the library."
        if not text:
            return
        painter.save()
        painter.resetTransform()
        painter.setFont(self._style.title_font)
        painter.setPen(QColor(self._tokens.warning if self._picture.notice else self._tokens.text_muted))
        room = QRectF(self.viewport().rect()).adjusted(20, 16, -20, -16)
        place = Qt.AlignmentFlag.AlignTop if self._picture.notice else Qt.AlignmentFlag.AlignVCenter
        painter.drawText(room, place | Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap, text)
        painter.restore()
