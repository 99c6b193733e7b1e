"""The canvas widget: shows a component's inside, follows its changes, and turns gestures into requests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsView, QWidget

from desktop.canvas.block_item import BlockItem
from desktop.canvas.connecting import CanConnect, ConnectGesture
from desktop.canvas.diagram import Pin
from desktop.canvas.export import export
from desktop.canvas.node_item import NodeItem
from desktop.canvas.panning_view import PanningView
from desktop.canvas.picture import Picture
from desktop.canvas.renaming import NameEditor
from desktop.canvas.scene import DesignScene
from desktop.canvas.style import style_of
from desktop.canvas.wire_item import WireItem
from desktop.theme.tokens import LIGHT, Tokens
from model.change import Change, ElementId
from model.elements import Endpoint, InterfaceEnd
from model.library import Library
from model.vlnv import Vlnv

_ARROWS = {
    Qt.Key.Key_Left: QPointF(-1, 0),
    Qt.Key.Key_Right: QPointF(1, 0),
    Qt.Key.Key_Up: QPointF(0, -1),
    Qt.Key.Key_Down: QPointF(0, 1),
}


def _anything_goes(source: Endpoint, target: Endpoint) -> str:
    return ""


class DesignView(PanningView):
    """Block diagram of one component.

    Signals:
        component_opened: a :class:`Vlnv`, by double click on an instance.
        selection_changed: a tuple of :class:`ElementId`.
        connection_requested: two :class:`Endpoint` values, by a drag from port to port.
        interface_connection_requested: two :class:`InterfaceEnd` values, by a drag from bus interface to bus interface.
        delete_requested: a tuple of :class:`ElementId`.
        rename_requested: an :class:`ElementId` and its new name, as a person typed it.
        layout_finished: blocks and wires have their places.
    """

    component_opened = Signal(object)
    selection_changed = Signal(object)
    connection_requested = Signal(object, object)
    interface_connection_requested = Signal(object, object)
    delete_requested = Signal(object)
    rename_requested = Signal(object, str)
    layout_finished = Signal()

    def __init__(self, tokens: Tokens = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(tokens, parent)
        self._tokens = tokens
        self._picture = Picture(self._style, self)
        self._can_connect: CanConnect = _anything_goes
        self._pressed: tuple[NodeItem, Pin, QPoint] | None = None
        self._gesture: ConnectGesture | None = None
        self._hovered: frozenset[str] = frozenset()
        self._to_select: tuple[ElementId, ...] = ()
        self._to_reveal: ElementId | None = None
        self.setDragMode(QGraphicsView.DragMode.RubberBandDrag)
        self.setMouseTracking(True)
        self.setAccessibleName("Block diagram")
        self._picture.scene_changed.connect(self._take_scene)
        self._picture.settled.connect(self._settle)
        self._picture.noticed.connect(self.viewport().update)
        self._take_scene(self._picture.scene)

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

    def gesture_reason(self) -> str:
        """Why the wire that is being drawn may not end where it is, or ""."""
        return self._gesture.reason if self._gesture is not None else ""

    def design_scene(self) -> DesignScene:
        """The scene, with its items by key."""
        return self._picture.scene

    def set_tokens(self, tokens: Tokens) -> None:
        """Take other colours and fonts."""
        self._tokens = tokens
        self._style = style_of(tokens)
        self._minimap.set_tokens(tokens)
        middle, chosen = self.mapToScene(self.viewport().rect().center()), self.selected()
        self._picture.set_style(self._style)
        self.centerOn(middle)
        self.select(chosen)
        self.viewport().update()

    def set_can_connect(self, can_connect: CanConnect) -> None:
        """Set what judges a connection that is being drawn: it returns why not, or "" where it is legal."""
        self._can_connect = can_connect

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
    def layout_is_there(self) -> bool:
        """Whether the shown component has its places."""
        return not self._picture.busy

    @property
    def shows_proposal(self) -> bool:
        """Whether a proposal is drawn."""
        return self._picture.proposal is not None

    def clear_highlights(self) -> None:
        """End the highlighting of changes now."""
        self._picture.clear_highlights()

    def relayout(self) -> None:
        """Lay the whole picture out anew."""
        self._fitted = True
        self._picture.relayout()

    def reroute(self) -> None:
        """Route all wires anew; blocks stay."""
        self._picture.reroute_all()

    def undo_move(self) -> None:
        """Take back the last move, re-route or re-layout of the component that is shown."""
        self._picture.undo_move()

    @property
    def can_undo_move(self) -> bool:
        """Whether :meth:`undo_move` has something to take back."""
        return self._picture.can_undo_move

    def load_positions(self, folder: Path) -> None:
        """Take the places that are stored with a workspace, for components that are shown from now on."""
        self._picture.load_positions(folder)

    def save_positions(self, folder: Path) -> None:
        """Store the places of all components that were shown.

        Raises:
            OSError: the folder cannot be written.
        """
        self._picture.save_positions(folder)

    def export(self, path: Path) -> None:
        """Write the whole picture as SVG, PDF or PNG, as the file's suffix says.

        Raises:
            ValueError: the suffix is another one, or nothing is shown.
            OSError: the file cannot be written.
        """
        export(self._picture.scene, path)

    # Selection

    def selected(self) -> tuple[ElementId, ...]:
        """The elements that are selected."""
        found = [item.element for item in self.scene().selectedItems() if isinstance(item, NodeItem | WireItem)]
        for node in self._picture.scene.nodes.values():
            found += [pin.element for pin in node.pins if pin.ref == node.chosen_pin]
        return tuple(dict.fromkeys(element for element in found if element is not None))

    def select(self, elements: Sequence[ElementId]) -> None:
        """Select what shows these elements, and nothing else; :attr:`selection_changed` is for gestures only."""
        if self._picture.busy:
            self._to_select = tuple(elements)
            return
        wanted = set(elements)
        scene = self._picture.scene
        scene.blockSignals(True)
        for item in scene.all_items():
            item.setSelected(item.element in wanted)
        for node in scene.nodes.values():
            inner = node.element not in wanted and isinstance(node, BlockItem) and not node.key
            node.chosen_pin = next((pin.ref for pin in node.pins if inner and pin.element in wanted), None)
            node.update()
        scene.blockSignals(False)
        self._after_selecting()

    def reveal(self, element: ElementId) -> None:
        """Bring an element into view, once the layout is there."""
        if self._picture.busy:
            self._to_reveal = element
            return
        items = self._picture.scene.items_of(element)
        if items:
            rect = QRectF()
            for item in items:
                rect = rect.united(item.sceneBoundingRect())
            self._fitted = False
            self.ensureVisible(rect, 60, 60)

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
                gesture, self._gesture = self._gesture, None
                ends = gesture.end()
                if ends is not None and gesture.joins_interfaces:
                    joined = [InterfaceEnd(instance=end.instance, interface=end.port) for end in ends]
                    self.interface_connection_requested.emit(*joined)
                elif ends is not None:
                    self.connection_requested.emit(*ends)
            return
        super().mouseReleaseEvent(event)
        scene = self._picture.scene
        scene.snapping = False
        if scene.moved:
            moved, scene.moved = scene.moved, set()
            self._picture.drop(moved)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the component of the instance under the cursor."""
        node = self._node_at(event.position().toPoint())
        if isinstance(node, BlockItem) and node.key and not node.block.missing:
            self.component_opened.emit(node.block.vlnv)
            return
        super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk between blocks, Delete asks, Enter opens, F2 renames, Escape lets go; the rest moves the view."""
        key = event.key()
        if key in _ARROWS:
            self._walk(_ARROWS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            if self.selected():
                self.delete_requested.emit(self.selected())
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open_selected()
        elif key == Qt.Key.Key_F2:
            self.rename_selected()
        elif key == Qt.Key.Key_Escape:
            self._cancel()
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Stop highlighting what the cursor pointed at."""
        self._hovered = frozenset()
        self._light()
        super().leaveEvent(event)

    def _node_at(self, place: QPoint) -> NodeItem | None:
        return next((item for item in self.items(place) if isinstance(item, NodeItem) and item.isEnabled()), None)

    def _drag_wire(self, place: QPoint) -> None:
        assert self._pressed is not None
        node, pin, start = self._pressed
        if self._gesture is None:
            if (place - start).manhattanLength() < QApplication.startDragDistance():
                return
            self._hovered = frozenset()
            self._light()
            visible = self.mapToScene(self.viewport().rect()).boundingRect()
            self._gesture = ConnectGesture(self._picture.scene, node, pin, self._can_connect, visible)
        over = self._node_at(place)
        where = self.mapToScene(place)
        self._gesture.move(where, over, over.pin_at(where) if over is not None else None)

    def _cancel(self) -> None:
        if self._gesture is not None:
            self._gesture.end()
            self._gesture = self._pressed = None
        else:
            self._choose(())

    def _click_pin(self, node: NodeItem, pin: Pin) -> None:
        """In a symbol a click chooses the port itself, at a terminal the terminal, in a block the wires at the pin."""
        scene = self._picture.scene
        if not isinstance(node, BlockItem):
            if node.element is not None:
                self._choose((node.element,))
        elif not node.key:
            scene.clearSelection()
            self._choose_pin(node, pin)
            self._selection_changed()
        else:
            nets = scene.nets_at(pin.ref)
            self._choose([wire.element for wire in scene.wires.values() if wire.branch.net in nets])

    def _choose_pin(self, node: NodeItem | None, pin: Pin | None) -> None:
        for other in self._picture.scene.nodes.values():
            chosen = pin.ref if pin is not None and other is node else None
            if other.chosen_pin != chosen:
                other.chosen_pin = chosen
                other.update()

    def _hover(self, place: QPoint) -> None:
        node = self._node_at(place)
        scene = self._picture.scene
        nets: frozenset[str] = frozenset()
        if node is not None:
            pin = node.pin_at(self.mapToScene(place))
            if pin is not None:
                nets = scene.nets_at(pin.ref)
        else:
            wire = next((item for item in self.items(place) if isinstance(item, WireItem) and item.isEnabled()), None)
            if wire is not None:
                nets = frozenset((wire.branch.net,))
        if nets != self._hovered:
            self._hovered = nets
            self._light()

    def _light(self) -> None:
        chosen = {item.branch.net for item in self.scene().selectedItems() if isinstance(item, WireItem)}
        self._picture.scene.set_lit(self._hovered | chosen)

    def _walk(self, direction: QPointF) -> None:
        """Select the nearest block in a direction; the first one where none is selected."""
        nodes = [node for node in self._picture.scene.nodes.values() if isinstance(node, BlockItem)]
        here = next((node for node in nodes if node.isSelected()), None)
        if here is None:
            if nodes:
                self._choose((min(nodes, key=lambda node: node.x() + node.y()).element,))
            return

        def distance(node: BlockItem) -> float:
            way = node.sceneBoundingRect().center() - here.sceneBoundingRect().center()
            ahead = way.x() * direction.x() + way.y() * direction.y()
            aside = abs(way.x() * direction.y()) + abs(way.y() * direction.x())
            return ahead + 2 * aside if ahead > 1 and ahead >= aside * 0.4 else float("inf")

        best = min(nodes, key=distance)
        if distance(best) < float("inf"):
            self._choose((best.element,))
            self.reveal(best.element)

    def rename_selected(self) -> None:
        """Edit the name of the one block that is selected, where it stands."""
        chosen = [item for item in self.scene().selectedItems() if isinstance(item, BlockItem)]
        if len(chosen) != 1 or not chosen[0].key:
            return
        item = chosen[0]
        element = item.element
        self.reveal(element)
        place = self.mapFromScene(item.mapRectToScene(item.body)).boundingRect()
        place.setSize(QSize(max(place.width(), 120), 26))
        editor = NameEditor(element.name, place, self.viewport())
        editor.entered.connect(lambda name: self.rename_requested.emit(element, name))

    def _open_selected(self) -> None:
        chosen = [item for item in self.scene().selectedItems() if isinstance(item, BlockItem)]
        if len(chosen) == 1 and chosen[0].key and not chosen[0].block.missing:
            self.component_opened.emit(chosen[0].block.vlnv)

    # Reactions

    def _take_scene(self, scene: DesignScene) -> None:
        old = self.scene()
        self._gesture = self._pressed = None
        self._hovered = frozenset()
        if old is not None:
            old.selectionChanged.disconnect(self._selection_changed)
        self.setScene(scene)
        scene.selectionChanged.connect(self._selection_changed)
        self._update_minimap()

    def _selection_changed(self) -> None:
        self._after_selecting()
        self.selection_changed.emit(self.selected())

    def _after_selecting(self) -> None:
        self._light()
        self._picture.scene.touch()
        self._update_minimap()

    def _choose(self, elements: Sequence[ElementId]) -> None:
        """Select by a gesture."""
        self.select(elements)
        self.selection_changed.emit(self.selected())

    def _settle(self, everything: bool) -> None:
        if self._fitted:
            self.fit()
        chosen, self._to_select = self._to_select, ()
        if chosen:
            self.select(chosen)
        if self._to_reveal is not None:
            self.reveal(self._to_reveal)
            self._to_reveal = None
        self._update_minimap()
        self.viewport().update()
        self.layout_finished.emit()

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
