"""The scene: the picture's items with what is pointed out about them: changes, nets, findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsItem

from desktop.canvas.diagram import PinRef, node_of
from desktop.canvas.finding_item import FindingItem
from desktop.canvas.item_scene import MOST_LABELS, ItemScene
from desktop.canvas.node_item import NodeItem
from desktop.canvas.style import State, Style
from desktop.canvas.terminal_item import TerminalItem
from desktop.canvas.wire_item import WireItem
from model.change import ElementId
from model.findings import Finding


class DesignScene(ItemScene):
    """Items that also follow :meth:`set_states`, :meth:`set_lit` and :meth:`set_findings`.

    Attributes:
        ghosts: items of removed elements, which stay in sight for a while.
    """

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self.findings: dict[NodeItem | WireItem, FindingItem] = {}
        self.ghosts: list[QGraphicsItem] = []
        self.tag_words: Mapping[str, str] = {}
        self._lit_wires: set[str] = set()
        self._lit_nodes: set[str] = set()
        self._states: dict[ElementId, State] = {}

    def take_away(self, item: NodeItem | WireItem) -> None:
        """Remove an item that went, and its sign."""
        super().take_away(item)
        sign = self.findings.pop(item, None)
        if sign is not None:
            self.removeItem(sign)

    def node_moved(self, item: NodeItem) -> None:
        """Let the sign of a node follow it as well."""
        super().node_moved(item)
        if item in self.findings:
            self.findings[item].place()

    def content_rect(self) -> QRectF:
        """The rectangle around everything, the tags of what is marked included."""
        marked = [self.nodes[key] for element in self._states if (key := self._node_key(element)) in self.nodes]
        rect = super().content_rect()
        for node in marked:
            rect = rect.united(node.mapRectToScene(node.body.united(node.tag_rect(node.state))))
        return rect

    def set_findings(self, findings: Mapping[ElementId, Sequence[Finding]]) -> None:
        """Put signs at what the checks found something about, and nowhere else."""
        for sign in self.findings.values():
            self.removeItem(sign)
        self.findings.clear()
        for element, found in list(findings.items())[:MOST_LABELS]:
            for item in self.items_of(element)[:1]:
                sign = self.findings[item] = FindingItem(item, found, self.style_of_items)
                self.addItem(sign)

    def place_findings(self) -> None:
        """Let the signs stand where their blocks and wires are now."""
        for sign in self.findings.values():
            sign.place()

    def set_lit(self, nets: Collection[str]) -> None:
        """Highlight the wires and pins of some nets, and only those."""
        lit_pins: dict[str, set[PinRef]] = defaultdict(set)
        lit_wires: set[str] = set()
        for net in nets:
            for branch in self._nets[net].branches if net in self._nets else ():
                lit_wires.add(branch.key)
                for ref in (branch.source, branch.target):
                    lit_pins[node_of(ref)].add(ref)
        for key in self._lit_wires | lit_wires:
            if key in self.wires:
                self.wires[key].set_lit(key in lit_wires)
        for key in {*self._lit_nodes, *lit_pins}:
            node = self.nodes.get(key)
            pins = frozenset(lit_pins.get(key, ()))
            if node is not None and pins != node.lit_pins:
                node.lit_pins = pins
                node.update()
        self._lit_wires, self._lit_nodes = lit_wires, set(lit_pins)

    def set_states(self, states: Mapping[ElementId, State]) -> None:
        """Mark elements as added, changed or removed; all others lose their mark."""
        for element in {*self._states, *states}:
            for item in self.items_of(element):
                item.set_state(states.get(element, ""))
                if isinstance(item, TerminalItem):
                    item.part_states = {element: states[element]} if element in states else {}
        for vlnv in {element.component for element in {*self._states, *states}}:
            known = {element: state for element, state in states.items() if element.component == vlnv}
            for key in self._users.get(vlnv, ()):
                item = self.nodes[key]
                parts = {part: known[part] for part in item.parts if part in known} if known else {}
                if parts != item.part_states:
                    item.part_states = parts
                    item.update()
        self._states = dict(states)
        self.touch()

    def set_tag_words(self, words: Mapping[str, str]) -> None:
        """Say other words for added, changed and removed; without any, these."""
        self.tag_words = words
        self.update()
        for item in self.marked_items():
            item.update()

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

    def marked_items(self) -> list[NodeItem | WireItem]:
        """What is highlighted, added, changed, removed or selected."""
        marked: list[NodeItem | WireItem] = [item for item in self.ghosts if isinstance(item, NodeItem | WireItem)]
        marked += [self.wires[key] for key in self._lit_wires if key in self.wires]
        marked += [item for element in self._states for item in self.items_of(element)]
        marked += [item for item in self.selectedItems() if isinstance(item, NodeItem | WireItem)]
        return list(dict.fromkeys(marked))
