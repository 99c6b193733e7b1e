"""The places that a design's own file gives its instances, in the scale of this canvas and back. No Qt.

Kactus2 keeps for each instance the middle of its upper edge. Its blocks are smaller than those here, which show more
pins, so its places are spread until no blocks overlap, and drawn together where there is room to spare.
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop.canvas.diagram import Diagram
from desktop.canvas.layout import GRID, BlockLayout, Layout, NodeShape, Point, snapped

_SCALES = (0.5, 0.6, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
_BESIDE, _BELOW = 120.0, 40.0  # kept free between blocks, so that wires find their way

Scale = tuple[float, float]
"""How far places are spread to the side and downwards."""


def scale_of(seeds: Mapping[str, Point], diagram: Diagram, known: Mapping[str, NodeShape]) -> Scale | None:
    """The least spread; None where the places are of no use: most blocks have none, or they cannot be told apart."""
    seeded = [key for key in diagram.blocks if key in seeds]
    if not seeded or len(seeded) * 2 < len(diagram.blocks):
        return None
    candidates = sorted(((x, y) for x in _SCALES for y in _SCALES), key=lambda scale: (scale[0] * scale[1], scale))
    for scale in candidates:
        places = [_place(seeds[key], known[key], scale) for key in seeded]
        if not any(_too_close(one, other) for at, one in enumerate(places) for other in places[at + 1 :]):
            return scale
    return None


def _too_close(one: BlockLayout, other: BlockLayout) -> bool:
    beside = one.x < other.right + _BESIDE and other.x < one.right + _BESIDE
    return beside and one.y < other.bottom + _BELOW and other.y < one.bottom + _BELOW


def seeded_layout(seeds: Mapping[str, Point], scale: Scale, diagram: Diagram, known: Mapping[str, NodeShape]) -> Layout:
    """The blocks at their places; everything else has none yet."""
    return Layout({key: _place(seeds[key], known[key], scale) for key in diagram.blocks if key in seeds})


def moved_seeds(seeds: Mapping[str, Point], scale: Scale, reference: Layout, present: Layout) -> dict[str, Point]:
    """The places, for the design's file, of the blocks that do not stand where the file puts them."""
    moved: dict[str, Point] = {}
    for key, seed in seeds.items():
        was, now = reference.nodes.get(key), present.nodes.get(key)
        if was is None or now is None:
            continue
        dx, dy = now.x + now.width / 2 - was.x - was.width / 2, now.y - was.y
        if abs(dx) >= GRID or abs(dy) >= GRID:
            moved[key] = Point(snapped(seed.x + dx / scale[0]), snapped(seed.y + dy / scale[1]))
    return moved


def _place(seed: Point, shape: NodeShape, scale: Scale) -> BlockLayout:
    return BlockLayout(
        snapped(seed.x * scale[0] - shape.width / 2), snapped(seed.y * scale[1]), shape.width, shape.height
    )
