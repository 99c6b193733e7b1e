"""The places that a design's own file gives its instances, in the scale of this canvas and back. No Qt.

Kactus2 keeps for each instance the middle of its upper edge. Its blocks are smaller than those here, which show more
pins, so its places are spread until no blocks overlap.
"""

from __future__ import annotations

from collections.abc import Mapping

from desktop.canvas.diagram import Diagram
from desktop.canvas.layout import GRID, BlockLayout, Layout, NodeShape, Point, snapped

_SCALES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)
_APART = 40.0


def scale_of(seeds: Mapping[str, Point], diagram: Diagram, known: Mapping[str, NodeShape]) -> float | None:
    """How far the places are to be spread; None where they are of no use: most blocks have none, or they overlap."""
    seeded = [key for key in diagram.blocks if key in seeds]
    if not seeded or len(seeded) * 2 < len(diagram.blocks):
        return None
    for scale in _SCALES:
        places = [_place(seeds[key], known[key], scale) for key in seeded]
        grown = [place.grown(_APART / 2) for place in places]
        if not any(one.overlaps(other) for at, one in enumerate(grown) for other in grown[at + 1 :]):
            return scale
    return None


def seeded_layout(seeds: Mapping[str, Point], scale: float, diagram: Diagram, known: Mapping[str, NodeShape]) -> Layout:
    """The blocks at their places; everything else has none yet."""
    return Layout({key: _place(seeds[key], known[key], scale) for key in diagram.blocks if key in seeds})


def moved_seeds(seeds: Mapping[str, Point], scale: float, reference: Layout, present: Layout) -> dict[str, Point]:
    """The places, for the design's file, of the blocks that do not stand where the file puts them."""
    moved: dict[str, Point] = {}
    for key, seed in seeds.items():
        was, now = reference.nodes.get(key), present.nodes.get(key)
        if was is None or now is None:
            continue
        dx, dy = now.x + now.width / 2 - was.x - was.width / 2, now.y - was.y
        if abs(dx) >= GRID or abs(dy) >= GRID:
            moved[key] = Point(snapped(seed.x + dx / scale), snapped(seed.y + dy / scale))
    return moved


def _place(seed: Point, shape: NodeShape, scale: float) -> BlockLayout:
    return BlockLayout(snapped(seed.x * scale - shape.width / 2), snapped(seed.y * scale), shape.width, shape.height)
