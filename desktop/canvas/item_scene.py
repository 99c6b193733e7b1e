"""The items of one component's picture, changed item by item as diagram and layout change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QGraphicsSceneHelpEvent, QToolTip

from desktop.canvas.arrange import Arrangement
from desktop.canvas.block_item import BlockItem
from desktop.canvas.diagram import Diagram, Difference, Net, PinRef, node_of, terminal_key
from desktop.canvas.labels import LabelPlaces
from desktop.canvas.layout import GRID, BlockLayout, EdgeRoute, Layout, NodeShape, PortAnchor, snapped
from desktop.canvas.node_item import NodeItem
from desktop.canvas.note_item import NoteItem
from desktop.canvas.positions import Note
from desktop.canvas.routing import direct_route
from desktop.canvas.style import Style
from desktop.canvas.terminal_item import TerminalItem
from desktop.canvas.wire_item import WireItem
from model.change import ElementId
from model.vlnv import Vlnv

EXACT_BELOW = 5000
MOST_LABELS = 2000  # in larger designs the pins alone tell widths
_ROOM = 2000.0  # around the content, so that it can be scrolled away from the middle
_ROOM_SHARE = 0.25  # of a large content's longer side: the more there is, the more costs another rectangle


@dataclass(frozen=True, slots=True)
class Touched:
    """Keys of what may have to be drawn otherwise than before: it came, went, moved or changed."""

    nodes: Collection[str]
    wires: Collection[str]
    nets: Collection[str]

    @classmethod
    def by(cls, difference: Difference, arrangement: Arrangement, more: Iterable[str] = ()) -> Touched:
        """What an edit touches, of which both the diagram and the layout tell."""
        return cls(
            sorted({*difference.nodes, *arrangement.nodes, *more}),
            sorted({*difference.branches, *arrangement.edges}),
            difference.nets,
        )


class ItemScene(QGraphicsScene):
    """Blocks, terminals, wires and notes by key; they follow :meth:`show` and :meth:`set_notes`."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.style_of_items = style
        self.diagram: Diagram | None = None
        self.node_shapes: Mapping[str, NodeShape] = {}
        self.nodes: dict[str, NodeItem] = {}
        self.wires: dict[str, WireItem] = {}
        self.notes: dict[str, NoteItem] = {}
        self.snapping = False
        self.layout = Layout()
        self._nets: Mapping[str, Net] = {}
        self.redrawn: set[str] = set()  # wires since a picture from afar was last made of them
        self._users: dict[Vlnv, dict[str, None]] = defaultdict(dict)
        self._block_areas: dict[str, QRectF] = {}
        self._terminal_areas: dict[str, QRectF] = {}
        self._missing: set[str] = set()
        self._labels = LabelPlaces(style.text_widths.small)
        self._arranging = False
        self.moved: set[str] = set()
        self.moved_notes: set[str] = set()
        self.revision = 0
        self.geometry = 0
        self._content = QRectF()

    def show(
        self, diagram: Diagram, known: Mapping[str, NodeShape], layout: Layout, touched: Touched | None = None
    ) -> list[NodeItem | WireItem]:
        """Bring the items in line with ``diagram`` and ``layout``; what did not change is not touched.

        Args:
            touched: what may differ from what is shown, where that is known.

        Returns:
            The items that went, no longer in the scene.
        """
        before = self.diagram
        touched = touched if touched is not None else self._touched(diagram, known, layout)
        self.diagram, self.layout, self.node_shapes = diagram, layout, known
        nodes = [key for key in touched.nodes if key in layout.nodes]
        gone_nodes = [key for key in touched.nodes if key in self.nodes and key not in layout.nodes]
        gone_wires = [key for key in touched.wires if key in self.wires and key not in layout.edges]
        gone_items = [self.nodes.pop(key) for key in gone_nodes]
        for node in gone_items:
            self._forget(node)
        gone: list[NodeItem | WireItem] = [*gone_items, *(self.wires.pop(key) for key in gone_wires)]
        for item in gone:
            self.take_away(item)
        self._arranging = True
        for key in nodes:
            self._show_node(key, diagram, layout.nodes[key])
        old_nets, self._nets = self._nets, diagram.nets_by_key
        changed_nets = [self._nets[key] for key in touched.nets if key in self._nets]
        wires = dict.fromkeys(touched.wires)
        wires.update((branch.key, None) for net in changed_nets for branch in net.branches)
        for key in wires:
            self._show_wire(key, diagram, layout)
        self._arranging = False
        gone_nets = [key for key in touched.nets if key in old_nets and key not in self._nets]
        rerouted = [key for key in touched.wires if key in layout.edges]
        self._show_labels((*nodes, *gone_nodes), (*rerouted, *gone_wires), changed_nets, gone_nets)
        self.redrawn.update(wires, gone_wires)
        self.geometry += 1
        self.touch()
        self._extend(nodes, rerouted, everything=before is None)
        return gone

    def _touched(self, diagram: Diagram, known: Mapping[str, NodeShape], layout: Layout) -> Touched:
        """Find what differs from what is shown by looking at everything."""
        earlier = self.layout
        difference = diagram.difference_from(self.diagram if self.diagram is not None else Diagram(diagram.vlnv))
        nodes = set(difference.nodes)
        nodes.update(
            key
            for key, place in layout.nodes.items()
            if earlier.nodes.get(key) is not place or self.node_shapes.get(key) is not known[key]
        )
        nodes.update(key for key in self.nodes if key not in layout.nodes)
        wires = set(difference.branches)
        wires.update(key for key, course in layout.edges.items() if earlier.edges.get(key) is not course)
        wires.update(key for key in self.wires if key not in layout.edges)
        # In the order of the layout: neighbours after one another are quicker to make, and painted in that order.
        return Touched(
            dict.fromkeys(key for key in (*layout.nodes, *self.nodes) if key in nodes),
            dict.fromkeys(key for key in (*layout.edges, *self.wires) if key in wires),
            difference.nets,
        )

    def helpEvent(self, event: QGraphicsSceneHelpEvent) -> None:
        """Tell what the pointer rests on."""
        for item in self.items(event.scenePos()):
            text = item.tip if isinstance(item, NodeItem | WireItem) else item.toolTip()
            if text:
                QToolTip.showText(event.screenPos(), text, event.widget())
                event.accept()
                return
        super().helpEvent(event)

    def take_away(self, item: NodeItem | WireItem) -> None:
        """Remove an item that went."""
        self.removeItem(item)

    def touch(self) -> None:
        """Note that the picture as a whole differs."""
        self.revision += 1

    def content_rect(self) -> QRectF:
        """The rectangle around blocks, terminals and wires."""
        rect = QRectF(self._content)
        for note in self.notes.values():
            rect = rect.united(note.mapRectToScene(note.body))
        return rect

    def nodes_in(self, area: BlockLayout) -> list[str]:
        """Keys of the nodes that may be in an area."""
        return [item.key for item in self._items_in(area) if isinstance(item, NodeItem)]

    def wires_in(self, area: BlockLayout) -> list[str]:
        """Keys of the wires that may be in an area."""
        return [item.branch.key for item in self._items_in(area) if isinstance(item, WireItem)]

    def _items_in(self, area: BlockLayout) -> list[QGraphicsItem]:
        rect = QRectF(area.x, area.y, area.width, area.height)
        return self.items(rect, Qt.ItemSelectionMode.IntersectsItemBoundingRect)

    def snap(self, place: QPointF) -> QPointF:
        """The place on the grid, while a person drags."""
        return QPointF(snapped(place.x(), GRID), snapped(place.y(), GRID)) if self.snapping else place

    def node_moved(self, item: NodeItem) -> None:
        """Let the wires of a dragged node follow it directly."""
        if self._arranging or self.diagram is None:
            return
        self.moved.add(item.key)
        self._note_area(item)
        self._content = self._content.united(item.mapRectToScene(item.body.adjusted(-8, 0, 8, 0)))
        for branch in self.diagram.at_node(item.key):
            source, target = self._anchor(branch.source), self._anchor(branch.target)
            wire = self.wires.get(branch.key)
            if wire is not None and source is not None and target is not None:
                wire.set_label("", None)
                wire.set_route(EdgeRoute(direct_route(source, target)))
                self.redrawn.add(branch.key)
        self.geometry += 1
        self.touch()

    def set_notes(self, notes: Mapping[str, Note]) -> None:
        """Show these notes and no others."""
        self._arranging = True
        for key in self.notes.keys() - notes.keys():
            self.removeItem(self.notes.pop(key))
        for key, note in notes.items():
            item = self.notes.get(key)
            if item is None:
                item = self.notes[key] = NoteItem(key, note, self.style_of_items)
                self.addItem(item)
            elif item.note != note or (item.x(), item.y()) != (note.x, note.y):
                item.set_note(note)
        self._arranging = False
        self.touch()

    def note_moved(self, item: NoteItem) -> None:
        """Remember a note that is being dragged."""
        if not self._arranging:
            self.moved_notes.add(item.key)
            self.touch()

    def node_with(self, ref: PinRef) -> NodeItem | None:
        """The item that carries a pin."""
        symbol = self.diagram is not None and self.diagram.is_symbol
        node = self.nodes.get("" if symbol else node_of(ref))
        return node if node is not None and ref in node.shape_of_pins.anchors else None

    def nets_at(self, ref: PinRef) -> frozenset[str]:
        """The nets that end at a pin."""
        wires = self.diagram.at_node(node_of(ref)) if self.diagram is not None else ()
        return frozenset(branch.net for branch in wires if ref in (branch.source, branch.target))

    def block_areas(self) -> list[QRectF]:
        """Where the blocks stand."""
        return list(self._block_areas.values())

    def terminal_areas(self) -> list[QRectF]:
        """Where the component's own ports stand."""
        return list(self._terminal_areas.values())

    def missing_blocks(self) -> list[BlockItem]:
        """The blocks whose component nobody has."""
        found = (self.nodes.get(key) for key in self._missing)
        return [node for node in found if isinstance(node, BlockItem)]

    def all_items(self) -> list[NodeItem | WireItem]:
        """Every node and wire."""
        return [*self.nodes.values(), *self.wires.values()]

    def items_of(self, element: ElementId) -> list[NodeItem | WireItem]:
        """The items that show an element as a whole."""
        if element.kind in ("connection", "interconnection"):
            found: list[NodeItem | WireItem] = []
            while (wire := self._wire(element, len(found))) is not None:
                found.append(wire)
            return found
        node = self.nodes.get(self._node_key(element))
        return [node] if node is not None and node.element == element else []

    def _wire(self, element: ElementId, index: int) -> WireItem | None:
        wire = self.wires.get(f"{element.kind}:{element.name}:{index}")
        return wire if wire is not None and wire.element == element else None

    def _node_key(self, element: ElementId) -> str:
        if element.kind == "subcomponent":
            return element.name
        if element.kind in ("signal_port", "transactional_port", "structured_port", "bus_interface"):
            return terminal_key(PinRef("", element.name, element.kind == "bus_interface"))
        return ""

    def _show_node(self, key: str, diagram: Diagram, place: BlockLayout) -> None:
        shape = self.node_shapes[key]
        item = self.nodes.get(key)
        block, terminal = diagram.blocks.get(key), diagram.terminals.get(key)
        if item is None:
            if block is not None:
                item = BlockItem(block, self.style_of_items, shape)
            elif terminal is not None:
                item = TerminalItem(terminal, self.style_of_items, shape)
            else:
                return
            item.setPos(place.x, place.y)
            self.nodes[key] = item
            self.addItem(item)
        elif isinstance(item, BlockItem) and block is not None:
            self._users[item.block.vlnv].pop(key, None)
            item.set_block(block, shape)
        elif isinstance(item, TerminalItem) and terminal is not None:
            item.set_terminal(terminal, shape)
        if isinstance(item, BlockItem):
            self._users[item.block.vlnv][key] = None
        if item.x() != place.x or item.y() != place.y:
            item.setPos(place.x, place.y)
        self._note_area(item)

    def _note_area(self, item: NodeItem) -> None:
        """Keep at hand where a node stands, for pictures of everything at once."""
        (self._block_areas if isinstance(item, BlockItem) else self._terminal_areas)[item.key] = item.area
        if isinstance(item, BlockItem):
            (self._missing.add if item.block.missing else self._missing.discard)(item.key)

    def _forget(self, item: NodeItem) -> None:
        self._block_areas.pop(item.key, None)
        self._terminal_areas.pop(item.key, None)
        self._missing.discard(item.key)
        if isinstance(item, BlockItem):
            self._users[item.block.vlnv].pop(item.key, None)

    def _show_wire(self, key: str, diagram: Diagram, layout: Layout) -> None:
        course, branch = layout.edges.get(key), diagram.branches.get(key)
        if course is None or branch is None:
            return
        wire = self.wires.get(key)
        is_new = wire is None
        if wire is None:
            wire = self.wires[key] = WireItem(branch, self.style_of_items)
        wire.set_net(branch, self._nets[branch.net].tone)
        wire.set_route(course)
        if is_new:
            self.addItem(wire)

    def _show_labels(
        self, nodes: Collection[str], wires: Collection[str], changed: Collection[Net], gone: Collection[str]
    ) -> None:
        """Find places for the labels of nets that changed, or whose label something else now covers."""
        assert self.diagram is not None
        if len(self._nets) > MOST_LABELS:
            return
        nets = {net.key: net for net in changed}
        branches = self.diagram.branches
        for key in (
            *(branches[key].net for key in wires if key in branches),
            *self._labels.covered(self.layout, nodes, wires),
        ):
            if key in self._nets:
                nets[key] = self._nets[key]
        self._labels.follow(self.layout, nodes, wires, nets.values(), gone)
        for net in nets.values():
            for branch in net.branches:
                place = self._labels.places.get(branch.key)
                if branch.key in self.wires:
                    self.wires[branch.key].set_label(net.label if place is not None else "", place)

    def _extend(self, nodes: Collection[str], wires: Collection[str], *, everything: bool) -> None:
        """Keep the content's rectangle and the scene's: small pictures exactly, large ones only ever growing."""
        layout = self.layout
        if everything or len(layout.edges) + len(layout.nodes) < EXACT_BELOW:
            bounds = layout.bounds()
            content = QRectF()
        else:
            bounds = Layout(
                {key: layout.nodes[key] for key in nodes}, {key: layout.edges[key] for key in wires}
            ).bounds()
            content = self._content
        changed = QRectF(bounds.x, bounds.y, bounds.width, bounds.height)
        self._content = content.united(changed.adjusted(-8, -6, 8, 6)) if not changed.isNull() else content
        # Another rectangle makes the index of the scene start over: it gets one only where it must.
        room = max(_ROOM, _ROOM_SHARE * max(self._content.width(), self._content.height()))
        least = _ROOM / 2
        if everything or not self.sceneRect().contains(self._content.adjusted(-least, -least, least, least)):
            self.setSceneRect(self._content.adjusted(-room, -room, room, room))

    def _anchor(self, ref: PinRef) -> PortAnchor | None:
        node = self.node_with(ref)
        if node is None:
            return None
        anchor = node.shape_of_pins.anchors[ref]
        return PortAnchor(node.x() + anchor.x, node.y() + anchor.y, anchor.side)
