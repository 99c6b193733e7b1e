"""Pointing, selecting and finding one's way on the canvas, by mouse and by keys."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Signal
from PySide6.QtWidgets import QWidget

from desktop.canvas.block_item import BlockItem
from desktop.canvas.diagram import Pin
from desktop.canvas.node_item import NodeItem
from desktop.canvas.note_item import NoteItem
from desktop.canvas.panning_view import FIT_AT_MOST, PanningView
from desktop.canvas.picture import Picture
from desktop.canvas.scene import DesignScene
from desktop.canvas.wire_item import WireItem
from desktop.theme.tokens import Tokens
from model.change import ElementId
from model.findings import Finding

_WHOLE_SELECTION_AT_MOST = 1.5


class SelectingView(PanningView):
    """The view of a picture in which elements are selected, revealed and lit.

    Signals:
        selection_changed: a tuple of :class:`ElementId`, by a gesture.
        layout_finished: blocks and wires have their places.
    """

    selection_changed = Signal(object)
    layout_finished = Signal()

    def __init__(self, tokens: Tokens, parent: QWidget | None = None) -> None:
        super().__init__(tokens, parent)
        self._tokens = tokens
        self._picture = Picture(self._style, self)
        self._findings: Mapping[ElementId, Sequence[Finding]] = {}
        self._hovered: frozenset[str] = frozenset()
        self._to_select: tuple[ElementId, ...] = ()
        self._to_reveal: ElementId | None = None
        self._picture.scene_changed.connect(self._take_scene)
        self._picture.settled.connect(self._settle)
        self._picture.noticed.connect(self.viewport().update)
        self._take_scene(self._picture.scene)

    def design_scene(self) -> DesignScene:
        """The scene, with its items by key."""
        return self._picture.scene

    # Selection

    def selected(self) -> tuple[ElementId, ...]:
        """The elements that are selected."""
        found = [item.element for item in self.scene().selectedItems() if isinstance(item, NodeItem | WireItem)]
        for node in self._picture.scene.nodes.values():
            found += [pin.element for pin in node.pins if pin.ref == node.chosen_pin]
        return tuple(dict.fromkeys(element for element in found if element is not None))

    def selected_notes(self) -> tuple[str, ...]:
        """Keys of the notes that are selected."""
        return tuple(item.key for item in self.scene().selectedItems() if isinstance(item, NoteItem))

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
        if wanted:
            for note in scene.notes.values():
                note.setSelected(False)
        for node in scene.nodes.values():
            inner = node.element not in wanted and isinstance(node, BlockItem) and not node.key
            node.chosen_pin = next((pin.ref for pin in node.pins if inner and pin.element in wanted), None)
            node.update()
        scene.blockSignals(False)
        self._after_selecting()

    def select_all(self) -> None:
        """Select everything that is shown."""
        scene = self._picture.scene
        scene.blockSignals(True)
        for item in (*scene.all_items(), *scene.notes.values()):
            item.setSelected(True)
        scene.blockSignals(False)
        self._selection_changed()

    def reveal(self, element: ElementId) -> None:
        """Bring an element into view, once the layout is there."""
        if self._picture.busy:
            self._to_reveal = element
            return
        rect = self._rect_of([element])
        if not rect.isNull():
            self._fitted = False
            self.ensureVisible(rect, 60, 60)

    def zoom_to_selection(self) -> None:
        """Show what is selected as large as fits, at most a little enlarged; everything where nothing is."""
        rect = QRectF()
        for item in self.scene().selectedItems():
            rect = rect.united(item.sceneBoundingRect())
        if rect.isNull():
            self.fit()
            return
        rect.adjust(-40, -40, 40, 40)
        room = self.viewport().rect()
        scale = min(room.width() / rect.width(), room.height() / rect.height(), _WHOLE_SELECTION_AT_MOST)
        self.set_zoom(max(scale, 0.1) if scale < FIT_AT_MOST else scale)
        self.centerOn(rect.center())
        self._fitted = False
        self._update_minimap()

    def _rect_of(self, elements: Sequence[ElementId]) -> QRectF:
        """The area of elements; a pin's is a place on its block."""
        scene, rect = self._picture.scene, QRectF()
        for element in elements:
            items = scene.items_of(element)
            for item in items:
                rect = rect.united(item.sceneBoundingRect())
            if not items:
                for node in scene.nodes.values():
                    for pin in node.pins if element.component == self._picture.vlnv else ():
                        if pin.element == element:
                            rect = rect.united(QRectF(node.anchor(pin) - QPointF(60, 12), node.anchor(pin)))
        return rect

    # Pointing

    def leaveEvent(self, event: QEvent) -> None:
        """Stop highlighting what the cursor pointed at."""
        self._hovered = frozenset()
        self._light()
        super().leaveEvent(event)

    def _node_at(self, place: QPoint) -> NodeItem | None:
        return next((item for item in self.items(place) if isinstance(item, NodeItem) and item.isEnabled()), None)

    def _wire_at(self, place: QPoint) -> WireItem | None:
        return next((item for item in self.items(place) if isinstance(item, WireItem) and item.isEnabled()), None)

    def _note_at(self, place: QPoint) -> NoteItem | None:
        top = next((item for item in self.items(place) if isinstance(item, NoteItem | NodeItem)), None)
        return top if isinstance(top, NoteItem) else None

    def _hover(self, place: QPoint) -> None:
        node = self._node_at(place)
        scene = self._picture.scene
        nets: frozenset[str] = frozenset()
        if node is not None:
            pin = node.pin_at(self.mapToScene(place))
            if pin is not None:
                nets = scene.nets_at(pin.ref)
        else:
            wire = self._wire_at(place)
            if wire is not None:
                nets = frozenset((wire.branch.net,))
        if nets != self._hovered:
            self._hovered = nets
            self._light()

    def _light(self) -> None:
        chosen = {item.branch.net for item in self.scene().selectedItems() if isinstance(item, WireItem)}
        self._picture.scene.set_lit(self._hovered | chosen)

    def _choose_pin(self, node: NodeItem | None, pin: Pin | None) -> None:
        for other in self._picture.scene.nodes.values():
            chosen = pin.ref if pin is not None and other is node else None
            if other.chosen_pin != chosen:
                other.chosen_pin = chosen
                other.update()

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

    # Keys

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

    def _choose(self, elements: Sequence[ElementId]) -> None:
        """Select by a gesture."""
        for note in self._picture.scene.notes.values():
            note.setSelected(False)
        self.select(elements)
        self.selection_changed.emit(self.selected())

    # Reactions

    def _take_scene(self, scene: DesignScene) -> None:
        old = self.scene()
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

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Put a sign at every element that the checks found something about."""
        by_element: dict[ElementId, list[Finding]] = defaultdict(list)
        for finding in findings:
            if finding.where is not None and finding.where.component == self._picture.vlnv:
                by_element[finding.where].append(finding)
        self._findings = by_element
        self._picture.scene.set_findings(by_element)

    def _settle(self, everything: bool) -> None:
        if everything:
            self._picture.scene.set_findings(self._findings)
        else:
            self._picture.scene.place_findings()
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
