"""The picture that a design's own file keeps, in the scale of this canvas and back. No Qt.

Kactus2 keeps for each instance the middle of its upper edge. Its blocks are smaller than those here, which show more
pins, so its places are spread until no blocks overlap, and drawn together where there is room to spare. Its terminals
keep their distance from the blocks beside them and from the pins that they are joined to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from itertools import pairwise

from desktop.canvas.diagram import Diagram, PinRef, node_of
from desktop.canvas.layout import GRID, BlockLayout, Layout, NodeShape, Point, snapped
from desktop.canvas.seeds import REACH, Seeds, border_of

_SCALES = (0.5, 0.6, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
_BESIDE, _BELOW = 120.0, 40.0  # kept free between blocks, so that wires find their way
_ASIDE = 20  # steps of the grid by which a terminal gives way

Scale = tuple[float, float]
"""How far places are spread to the side and downwards."""


def scale_of(seeds: Seeds, diagram: Diagram, known: Mapping[str, NodeShape]) -> Scale | None:
    """The least spread; None where the places are of no use: most blocks have none, or they cannot be told apart."""
    seeded = [key for key in diagram.blocks if key in seeds.places]
    if not seeded or len(seeded) * 2 < len(diagram.blocks):
        return None
    candidates = sorted(((x, y) for x in _SCALES for y in _SCALES), key=lambda scale: (scale[0] * scale[1], scale))
    for scale in candidates:
        places = [_place(seeds.places[key], known[key], scale) for key in seeded]
        if not any(_too_close(one, other) for at, one in enumerate(places) for other in places[at + 1 :]):
            return scale
    return None


def _too_close(one: BlockLayout, other: BlockLayout) -> bool:
    beside = one.x < other.right + _BESIDE and other.x < one.right + _BESIDE
    return beside and one.y < other.bottom + _BELOW and other.y < one.bottom + _BELOW


class Ruler:
    """From lengths of the file to lengths here: the sides of blocks become the sides of blocks, and what is between
    them is spread evenly."""

    def __init__(self, seeds: Seeds, scale: Scale, blocks: Mapping[str, BlockLayout]) -> None:
        self._scale = scale
        sides: dict[float, list[float]] = {}
        for key, block in blocks.items():
            sides.setdefault(seeds.places[key].x - REACH, []).append(block.x)
            sides.setdefault(seeds.places[key].x + REACH, []).append(block.right)
        middles = {seeds.places[key].x for key in blocks}
        marks = [(side, min(found) if side + REACH in middles else max(found)) for side, found in sorted(sides.items())]
        # Columns that reach into each other have no sides to go by.
        rising = all(one[1] < other[1] for one, other in pairwise(marks))
        self._marks = marks if rising else []

    def x(self, value: float) -> float:
        """Across. Beyond the outermost blocks lengths stay as they are."""
        if not self._marks:
            return snapped(value * self._scale[0])
        at = bisect_right(self._marks, (value, float("inf")))
        if at in (0, len(self._marks)):
            mark, here = self._marks[0 if at == 0 else -1]
            return snapped(here + value - mark)
        (low, low_here), (high, high_here) = self._marks[at - 1 : at + 1]
        return snapped(low_here + (value - low) / (high - low) * (high_here - low_here))

    def y(self, value: float) -> float:
        """Downwards."""
        return snapped(value * self._scale[1])


def seeded_layout(seeds: Seeds, scale: Scale, diagram: Diagram, known: Mapping[str, NodeShape]) -> Layout:
    """The blocks and terminals at their places; what the file has no place for has none yet."""
    blocks = {key: _place(seeds.places[key], known[key], scale) for key in diagram.blocks if key in seeds.places}
    nodes = dict(blocks)
    ruler = Ruler(seeds, scale, blocks)
    wanted = {
        key: _beside_pins(key, seeds, ruler, scale, diagram, known, blocks)
        for key in diagram.terminals
        if key in seeds.places
    }
    for key, place in sorted(wanted.items(), key=lambda entry: (entry[1].x, entry[1].y)):
        for step in range(_ASIDE):
            found = next((free for free in _moved(place, step * GRID) if _is_free(free, nodes)), None)
            if found is not None:
                nodes[key] = found
                break
    return Layout(nodes)


def moved_seeds(seeds: Seeds, scale: Scale, reference: Layout, present: Layout) -> dict[str, Point]:
    """The places, for the design's file, of the nodes that do not stand where the file puts them."""
    moved: dict[str, Point] = {}
    for key, seed in seeds.places.items():
        was, now = reference.nodes.get(key), present.nodes.get(key)
        if was is None or now is None:
            continue
        border = border_of(key, seeds)
        if border is None:
            dx, across = now.x + now.width / 2 - was.x - was.width / 2, scale[0]
        else:
            dx, across = (now.right - was.right if border == "W" else now.x - was.x), 1.0
        dy = now.y - was.y
        if abs(dx) >= GRID or abs(dy) >= GRID:
            moved[key] = Point(snapped(seed.x + dx / across), snapped(seed.y + dy / scale[1]))
    return moved


def _place(seed: Point, shape: NodeShape, scale: Scale) -> BlockLayout:
    return BlockLayout(
        snapped(seed.x * scale[0] - shape.width / 2), snapped(seed.y * scale[1]), shape.width, shape.height
    )


def _beside_pins(
    key: str,
    seeds: Seeds,
    ruler: Ruler,
    scale: Scale,
    diagram: Diagram,
    known: Mapping[str, NodeShape],
    blocks: Mapping[str, BlockLayout],
) -> BlockLayout:
    """The place of a terminal: as far above or below the nearest pin that it is joined to as in the file."""
    seed, shape = seeds.places[key], known[key]
    partners = [ref for branch in diagram.at_node(key) for ref in (branch.source, branch.target) if node_of(ref) != key]
    pins = [pin for ref in partners if (pin := _pin_heights(ref, seeds, known, blocks)) is not None]
    y = ruler.y(seed.y)
    if pins:
        there, here = min(pins, key=lambda pin: abs(pin[0] - seed.y))
        y = here + snapped((seed.y - there) * scale[1])
    x = ruler.x(seed.x)
    left = x - shape.width if diagram.terminals[key].pin.stands == "W" else x
    return BlockLayout(left, y - shape.height / 2, shape.width, shape.height)


def _pin_heights(
    ref: PinRef, seeds: Seeds, known: Mapping[str, NodeShape], blocks: Mapping[str, BlockLayout]
) -> tuple[float, float] | None:
    """The height of a block's pin in the file and here, where both are known."""
    block, stand = blocks.get(ref.instance), seeds.stands.get(ref)
    anchor = known[ref.instance].anchors.get(ref) if block is not None else None
    if block is None or stand is None or anchor is None:
        return None
    return seeds.places[ref.instance].y + stand.y, block.y + anchor.y


def _moved(place: BlockLayout, by: float) -> tuple[BlockLayout, ...]:
    """A place moved down and up."""
    return tuple(BlockLayout(place.x, place.y + offset, place.width, place.height) for offset in (by, -by))


def _is_free(place: BlockLayout, nodes: Mapping[str, BlockLayout]) -> bool:
    wide = place.grown(GRID / 2)
    return not any(wide.overlaps(node) for node in nodes.values())
