"""The scene: the items of one component's picture, changed item by item as diagram and layout change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene

from desktop.canvas.block_item import BlockItem
from desktop.canvas.diagram import Branch, Diagram, PinRef, node_of
from desktop.canvas.labels import place_labels
from desktop.canvas.layout import GRID, BlockLayout, EdgeRoute, Layout, NodeShape, PortAnchor, snapped
from desktop.canvas.node_item import NodeItem
from desktop.canvas.routing import direct_route
from desktop.canvas.style import State, Style
from desktop.canvas.terminal_item import TerminalItem
from desktop.canvas.wire_item import WireItem
from model.change import ElementId

MOST_LABELS = 2000  # in larger designs the pins alone tell widths
_ROOM = 2000.0  # around the content, so that it can be scrolled away from the middle


class DesignScene(QGraphicsScene):
    """Items by key; they follow :meth:`show`, :meth:`set_states` and :meth:`set_lit`."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self.style_of_items = style
        self.diagram: Diagram | None = None
        self.node_shapes: Mapping[str, NodeShape] = {}
        self.nodes: dict[str, NodeItem] = {}
        self.wires: dict[str, WireItem] = {}
        self.ghosts: list[QGraphicsItem] = []
        self.snapping = False
        self._at_node: dict[str, list[Branch]] = {}
        self._pins: dict[PinRef, NodeItem] = {}
        self._nets: dict[PinRef, set[str]] = {}
        self._shown_by: dict[ElementId, list[NodeItem | WireItem]] = {}
        self._states: dict[ElementId, State] = {}
        self._arranging = False
        self.moved: set[str] = set()
        self.revision = 0
        self._content: QRectF | None = None

    def show(self, diagram: Diagram, known: Mapping[str, NodeShape], layout: Layout) -> list[NodeItem | WireItem]:
        """Bring the items in line with ``diagram`` and ``layout``; what did not change is not touched.

        Returns:
            The items that went, no longer in the scene.
        """
        self.diagram = diagram
        self.node_shapes = known
        gone: list[NodeItem | WireItem] = [self.nodes.pop(key) for key in [*self.nodes] if key not in layout.nodes]
        gone += [self.wires.pop(key) for key in [*self.wires] if key not in layout.edges]
        for item in gone:
            self.removeItem(item)
        self._arranging = True
        self._show_nodes(diagram, layout)
        self._show_wires(diagram, layout)
        self._arranging = False
        self.touch()
        self._index(diagram)
        bounds = layout.bounds()
        self.setSceneRect(
            QRectF(bounds.x, bounds.y, bounds.width, bounds.height).adjusted(-_ROOM, -_ROOM, _ROOM, _ROOM)
        )
        return gone

    def touch(self) -> None:
        """Note that the picture as a whole differs."""
        self.revision += 1
        self._content = None

    def content_rect(self) -> QRectF:
        """The rectangle around blocks, terminals and wires."""
        if self._content is not None:
            return self._content
        rect = QRectF()
        for node in self.nodes.values():
            body = node.body.united(node.tag_rect(node.state)) if node.state else node.body
            rect = rect.united(node.mapRectToScene(body.adjusted(-8, 0, 8, 0)))
        for wire in self.wires.values():
            rect = rect.united(wire.boundingRect())
        self._content = rect
        return rect

    def snap(self, place: QPointF) -> QPointF:
        """The place on the grid, while a person drags."""
        return QPointF(snapped(place.x(), GRID), snapped(place.y(), GRID)) if self.snapping else place

    def node_moved(self, item: NodeItem) -> None:
        """Let the wires of a dragged node follow it directly."""
        if self._arranging or self.diagram is None:
            return
        self.moved.add(item.key)
        for branch in self._at_node.get(item.key, ()):
            source, target = self._anchor(branch.source), self._anchor(branch.target)
            wire = self.wires.get(branch.key)
            if wire is not None and source is not None and target is not None:
                wire.set_label("", None)
                wire.set_route(EdgeRoute(direct_route(source, target)))
        self.touch()

    def node_with(self, ref: PinRef) -> NodeItem | None:
        """The item that carries a pin."""
        return self._pins.get(ref)

    def nets_at(self, ref: PinRef) -> frozenset[str]:
        """The nets that end at a pin."""
        return frozenset(self._nets.get(ref, ()))

    def set_lit(self, nets: Collection[str]) -> None:
        """Highlight the wires and pins of some nets, and only those."""
        lit_pins: dict[str, set[PinRef]] = defaultdict(set)
        for wire in self.wires.values():
            lit = wire.branch.net in nets
            wire.set_lit(lit)
            if lit:
                for ref in (wire.branch.source, wire.branch.target):
                    lit_pins[node_of(ref)].add(ref)
        for key, node in self.nodes.items():
            pins = frozenset(lit_pins.get(key, ()))
            if pins != node.lit_pins:
                node.lit_pins = pins
                node.update()

    def set_states(self, states: Mapping[ElementId, State]) -> None:
        """Mark elements as added, changed or removed; all others lose their mark."""
        for element in {*self._states, *states}:
            for item in self._shown_by.get(element, ()):
                if item.element == element:
                    item.set_state(states.get(element, ""))
                elif isinstance(item, NodeItem):
                    item.part_states = {part: states[part] for part in item.parts if part in states}
                    item.update()
                if isinstance(item, TerminalItem):
                    item.part_states = {element: states[element]} if element in states else {}
        self._states = dict(states)
        self.touch()

    def add_ghosts(self, items: Collection[NodeItem | WireItem]) -> None:
        """Keep items of removed elements in sight, out of reach."""
        for item in items:
            item.set_state("removed")
            item.setEnabled(False)
            item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsSelectable, False)
            item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIsMovable, False)
            item.setOpacity(0.55)
            item.setZValue(0.5)
            self.addItem(item)
            self.ghosts.append(item)

    def drop_ghosts(self) -> None:
        """Let removed elements vanish."""
        for item in self.ghosts:
            self.removeItem(item)
        self.ghosts.clear()

    def all_items(self) -> list[NodeItem | WireItem]:
        """Every node and wire."""
        return [*self.nodes.values(), *self.wires.values()]

    def items_of(self, element: ElementId) -> list[NodeItem | WireItem]:
        """The items that show an element."""
        return [item for item in self._shown_by.get(element, ()) if item.element == element]

    def _show_nodes(self, diagram: Diagram, layout: Layout) -> None:
        for key, place in layout.nodes.items():
            shape = self.node_shapes[key]
            item = self.nodes.get(key)
            block, terminal = diagram.blocks.get(key), diagram.terminals.get(key)
            if item is None:
                if block is not None:
                    item = BlockItem(block, self.style_of_items, shape)
                elif terminal is not None:
                    item = TerminalItem(terminal, self.style_of_items, shape)
                else:
                    continue
                self.nodes[key] = item
                self.addItem(item)
            elif isinstance(item, BlockItem) and block is not None:
                item.set_block(block, shape)
            elif isinstance(item, TerminalItem) and terminal is not None:
                item.set_terminal(terminal, shape)
            if item.x() != place.x or item.y() != place.y:
                item.setPos(place.x, place.y)

    def _show_wires(self, diagram: Diagram, layout: Layout) -> None:
        places: Mapping[str, BlockLayout] = {}
        if len(diagram.nets) <= MOST_LABELS:
            places = place_labels(diagram, layout, self.style_of_items.text_widths.small)
        for net in diagram.nets:
            for branch in net.branches:
                course = layout.edges.get(branch.key)
                if course is None:
                    continue
                wire = self.wires.get(branch.key)
                if wire is None:
                    wire = self.wires[branch.key] = WireItem(branch, self.style_of_items)
                    self.addItem(wire)
                wire.set_net(branch, net.tone)
                wire.set_route(course)
                place = places.get(branch.key)
                wire.set_label(net.label if place is not None else "", place)

    def _index(self, diagram: Diagram) -> None:
        at_node: dict[str, list[Branch]] = defaultdict(list)
        nets: dict[PinRef, set[str]] = defaultdict(set)
        for branch in diagram.branches.values():
            for ref in (branch.source, branch.target):
                at_node[node_of(ref)].append(branch)
                nets[ref].add(branch.net)
        self._at_node, self._nets = dict(at_node), dict(nets)
        self._pins = {pin.ref: node for node in self.nodes.values() for pin in node.pins}
        shown_by: dict[ElementId, list[NodeItem | WireItem]] = defaultdict(list)
        for item in self.all_items():
            own = (item.element,) if item.element is not None else ()
            parts = item.parts if isinstance(item, NodeItem) else ()
            for element in dict.fromkeys((*own, *parts)):
                shown_by[element].append(item)
        self._shown_by = dict(shown_by)

    def _anchor(self, ref: PinRef) -> PortAnchor | None:
        node = self._pins.get(ref)
        if node is None:
            return None
        anchor = node.shape_of_pins.anchors[ref]
        return PortAnchor(node.x() + anchor.x, node.y() + anchor.y, anchor.side)
