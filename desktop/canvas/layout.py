"""Where everything stands: the sizes of blocks, the places of pins, and layouts as values. No Qt.

Lengths are scene units: device-independent pixels at a zoom of 100 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from desktop.canvas.diagram import Block, Caption, Diagram, Pin, PinRef, Row, Side, Terminal, node_of

GRID = 10.0
ROW = 20.0
HEADER = 38.0
FIRST_PIN = 50.0
PADDING = 12.0
GAP = 60.0  # kept free between blocks
NARROWEST, WIDEST = 140.0, 380.0
TERMINAL_HEIGHT = 20.0
PARAMETER_ROW = 18.0


class Point(NamedTuple):
    """A place in the scene."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TextWidths:
    """Mean advance of one character, as the canvas's fonts have it."""

    title: float = 8.0
    pin: float = 6.6
    small: float = 5.7


@dataclass(frozen=True, slots=True)
class PortAnchor:
    """Where a wire meets a pin, relative to the upper left corner of its block or terminal."""

    x: float
    y: float
    side: Side


@dataclass(frozen=True, slots=True)
class NodeShape:
    """The size of a block or terminal and the anchors of its pins."""

    width: float
    height: float
    anchors: Mapping[PinRef, PortAnchor]


@dataclass(frozen=True, slots=True)
class BlockLayout:
    """The rectangle of a block or terminal."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """X of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Y of the lower edge."""
        return self.y + self.height

    def grown(self, margin: float) -> BlockLayout:
        """The rectangle with a margin on every side."""
        return BlockLayout(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)

    def overlaps(self, other: BlockLayout) -> bool:
        """Whether the two share area."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom


@dataclass(frozen=True, slots=True)
class EdgeRoute:
    """The polyline of one wire, from its source pin (or from where it leaves its net) to its target pin."""

    points: tuple[Point, ...]
    junctions: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """Rectangles by node key, routes by branch key."""

    nodes: Mapping[str, BlockLayout] = field(default_factory=dict)
    edges: Mapping[str, EdgeRoute] = field(default_factory=dict)

    def with_edges(self, edges: Mapping[str, EdgeRoute]) -> Layout:
        """Return the same places with some routes replaced or added."""
        return replace(self, edges={**self.edges, **edges})

    def bounds(self) -> BlockLayout:
        """The rectangle around all blocks, terminals and wires."""
        xs = [point[0] for edge in self.edges.values() for point in edge.points]
        ys = [point[1] for edge in self.edges.values() for point in edge.points]
        for node in self.nodes.values():
            xs += (node.x, node.x + node.width)
            ys += (node.y, node.y + node.height)
        if not xs:
            return BlockLayout(0, 0, 0, 0)
        left, top = min(xs), min(ys)
        return BlockLayout(left, top, max(xs) - left, max(ys) - top)


def snapped(value: float, step: float = GRID) -> float:
    """The nearest multiple of ``step``."""
    return round(value / step) * step


def _rounded_up(value: float, step: float = 2 * GRID) -> float:
    return -(-value // step) * step


def block_shape(block: Block, widths: TextWidths = TextWidths()) -> NodeShape:
    """Size of a block and the anchors of its pins."""
    west = max((_row_width(row, widths) for row in block.west), default=0.0)
    east = max((_row_width(row, widths) for row in block.east), default=0.0)
    inner = max(
        west + east + (24 if west and east else 0),
        len(block.title) * widths.title,
        min(len(block.subtitle) * widths.small, 236.0),
        max(((len(line.name) + len(line.value) + 4) * widths.pin for line in block.parameters), default=0.0),
    )
    width = min(max(_rounded_up(inner + 2 * PADDING), NARROWEST), WIDEST)
    anchors: dict[PinRef, PortAnchor] = {}
    for side, x, rows in (("W", 0.0, block.west), ("E", width, block.east)):
        for index, row in enumerate(rows):
            if isinstance(row, Pin):
                anchors[row.ref] = _row_anchor(x, index, side)
    return NodeShape(width, rows_bottom(block) + parameters_height(block), anchors)


@lru_cache(maxsize=4096)
def _row_anchor(x: float, index: int, side: Side) -> PortAnchor:
    """The anchor of a row's pin; blocks of a large design share them."""
    return PortAnchor(x, FIRST_PIN + index * ROW, side)


def rows_bottom(block: Block) -> float:
    """Y below the last row of pins, where the parameters of a symbol begin."""
    return FIRST_PIN + max(len(block.west), len(block.east), 1) * ROW


def parameters_height(block: Block) -> float:
    """Height of the list of parameters, with its heading."""
    return _rounded_up((len(block.parameters) + 1) * PARAMETER_ROW + 8, GRID) if block.parameters else 0.0


def _row_width(row: Row, widths: TextWidths) -> float:
    if isinstance(row, Pin):
        extra = len(row.width) + (len(tie_text(row.tie)) if row.tie else 0)
        return len(row.label) * widths.pin + ((extra + 1) * widths.small if extra else 0.0)
    if isinstance(row, Caption):
        return len(row.text) * widths.small
    return len(more_text(row.count)) * widths.pin


def more_text(count: int) -> str:
    """What the row says that stands for folded pins."""
    return f"+ {count} more" if count else "show fewer"


def tie_text(tie: str) -> str:
    """What stands beside a pin that is tied to a value or left open on purpose."""
    if not tie:
        return ""
    return " open" if tie == "open" else f" = {tie if len(tie) <= 12 else tie[:11] + '…'}"


def terminal_shape(terminal: Terminal, widths: TextWidths = TextWidths()) -> NodeShape:
    """Size of a terminal and its anchor."""
    glyph = 8 if terminal.pin.ref.interface else 0
    width = _rounded_up(_row_width(terminal.pin, widths) + 20 + glyph, GRID)
    inward = terminal.pin.stands == "W"
    anchor = PortAnchor(width if inward else 0.0, TERMINAL_HEIGHT / 2, "E" if inward else "W")
    return NodeShape(width, TERMINAL_HEIGHT, {terminal.pin.ref: anchor})


def shapes(
    diagram: Diagram,
    widths: TextWidths = TextWidths(),
    before: tuple[Diagram, Mapping[str, NodeShape]] | None = None,
) -> dict[str, NodeShape]:
    """The shape of every block and terminal; terminals of one side are equally wide, so that they line up.

    Args:
        diagram: what is to be measured.
        widths: of the fonts.
        before: the last diagram with its shapes by the same fonts; those of unchanged blocks are taken from there.
    """
    if before is None:
        result = {key: block_shape(block, widths) for key, block in diagram.blocks.items()}
    else:
        result = dict(before[1])
        for key in diagram.difference_from(before[0]).nodes:
            block = diagram.blocks.get(key)
            if block is not None:
                result[key] = block_shape(block, widths)
            else:
                result.pop(key, None)
    for side in ("W", "E"):
        row = {key: terminal_shape(item, widths) for key, item in diagram.terminals.items() if item.pin.stands == side}
        width = max((shape.width for shape in row.values()), default=0.0)
        for key, shape in row.items():
            anchors = {
                ref: replace(anchor, x=width if anchor.side == "E" else 0.0) for ref, anchor in shape.anchors.items()
            }
            made = NodeShape(width, shape.height, anchors)
            earlier = before[1].get(key) if before is not None else None
            result[key] = earlier if earlier is not None and earlier == made else made
    return result


def anchor_of(ref: PinRef, diagram: Diagram, layout: Layout, known: Mapping[str, NodeShape]) -> PortAnchor | None:
    """The anchor of a pin in the scene, or None where it is not shown."""
    key = "" if diagram.is_symbol else node_of(ref)
    node, shape = layout.nodes.get(key), known.get(key)
    anchor = shape.anchors.get(ref) if shape is not None else None
    if node is None or anchor is None:
        return None
    return PortAnchor(node.x + anchor.x, node.y + anchor.y, anchor.side)
