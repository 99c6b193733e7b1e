"""What a design's own file says of its picture, as this canvas names it: places, sides of pins, courses. No Qt.

Lengths are those of the file (see :mod:`model.ipxact.kactus2`); :mod:`desktop.canvas.seeding` brings them to scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from desktop.canvas.diagram import PinRef, Side, Stand, terminal_key
from desktop.canvas.layout import GRID, Point
from desktop.canvas.netting import endpoint_ref
from model.elements import Design
from model.ipxact.kactus2 import Drawing, Places

REACH = 110.0  # from the middle of a block of Kactus2 to where the wires of its ports begin


class Course(NamedTuple):
    """The corners of a wire of two ends, from the one to the other."""

    one: PinRef
    other: PinRef
    corners: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Seeds:
    """What the file says.

    Attributes:
        places: by node key: the middle of a block's upper edge, and where a terminal's wire begins.
        stands: where pins are: those of blocks as far below its upper edge, terminals at which border.
        courses: by name of the connection; only those that meet their ends.
    """

    places: Mapping[str, Point] = field(default_factory=dict)
    stands: Mapping[PinRef, Stand] = field(default_factory=dict)
    courses: Mapping[str, Course] = field(default_factory=dict)


def seeds_of(drawing: Drawing, design: Design) -> Seeds:
    """What a drawing says about a design."""
    blocks = {name: Point(*place) for name, place in drawing.places.instances.items()}
    if not blocks:
        return Seeds()
    own = {PinRef("", name): Point(*place) for name, place in drawing.places.ports.items()}
    own |= {PinRef("", name, True): Point(*place) for name, place in drawing.places.interfaces.items()}
    stands = {
        PinRef(*key, interface): Stand("W" if x < 0 else "E", y)
        for interface, pins in ((False, drawing.ports), (True, drawing.interfaces))
        for key, (x, y) in pins.items()
    }
    courses: dict[str, Course] = {}
    for name, route in drawing.routes.items():
        corners = tuple(Point(*place) for place in route)
        for one, other in _both_ways(_ends(design, name)):
            begun, ended = _stand(corners[0], one, blocks, own, stands), _stand(corners[-1], other, blocks, own, stands)
            if begun is not None and ended is not None:
                courses[name] = Course(one, other, corners)
                # Kactus2 does not keep where ports stand that nobody has moved: their wires tell.
                stands |= {ref: found for ref, found in ((one, begun), (other, ended)) if ref.instance}
                break
    middle = sum(place.x for place in blocks.values()) / len(blocks)
    stands |= {ref: Stand("W" if place.x < middle else "E", place.y) for ref, place in own.items()}
    for one, other, corners in courses.values():
        for ref, line in ((one, corners), (other, corners[::-1])):
            if not ref.instance and line[0].x != line[1].x:
                stands[ref] = Stand("W" if line[0].x < line[1].x else "E", line[0].y)
    return Seeds(blocks | {terminal_key(ref): place for ref, place in own.items()}, stands, courses)


def places_of(points: Mapping[str, Point]) -> Places:
    """Places by node key as the file names them."""
    instances: dict[str, Point] = {}
    ports: dict[str, Point] = {}
    interfaces: dict[str, Point] = {}
    for key, point in points.items():
        kind, colon, name = key.partition(":")
        if not colon:
            instances[key] = point
        else:
            (interfaces if kind == "interface" else ports)[name] = point
    return Places(instances, ports, interfaces)


def border_of(key: str, seeds: Seeds) -> Side | None:
    """The border at which the file has a terminal; None for what it has none for, and for blocks."""
    kind, _colon, name = key.partition(":")
    stand = seeds.stands.get(PinRef("", name, kind == "interface")) if name else None
    return stand.side if stand is not None else None


def _ends(design: Design, name: str) -> tuple[PinRef, ...]:
    link = design.interconnections.get(name)
    if link is not None:
        return tuple(PinRef(end.instance, end.interface, True) for end in link.all_ends)
    wire = design.connections.get(name)
    return tuple(endpoint_ref(end) for end in wire.ends) if wire is not None else ()


def _both_ways(ends: tuple[PinRef, ...]) -> Iterator[tuple[PinRef, PinRef]]:
    if len(ends) == 2:
        yield ends[0], ends[1]
        yield ends[1], ends[0]


def _stand(
    corner: Point,
    ref: PinRef,
    blocks: Mapping[str, Point],
    own: Mapping[PinRef, Point],
    stands: Mapping[PinRef, Stand],
) -> Stand | None:
    """Where a pin stands if the end of a wire meets it; None where it does not."""
    if not ref.instance:
        place = own.get(ref)
        return Stand("W", corner.y) if place is not None and _near(place, corner) else None
    block = blocks.get(ref.instance)
    if block is None:
        return None
    found = Stand("W" if corner.x < block.x else "E", corner.y - block.y)
    if found.y <= 0 or abs(abs(corner.x - block.x) - REACH) > GRID:
        return None
    known = stands.get(ref)
    return found if known is None or (known.side == found.side and abs(known.y - found.y) <= GRID) else None


def _near(one: Point, other: Point) -> bool:
    return abs(one.x - other.x) <= GRID and abs(one.y - other.y) <= GRID
