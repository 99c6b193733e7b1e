"""Where the blocks of a picture stand and how its wires run: in layers from left to right, wires in the gaps between.

A net has one vertical track in each gap that it touches, and crosses a layer in a lane of its own, so that no wire runs
through a block.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import networkx as nx

from server.diagram.blocks import Block, Net, Picture, Pin, PinKey

PIN_STEP, HEAD, FOOT = 18.0, 38.0, 10.0
PORT_HEIGHT, LANE_HEIGHT = 22.0, 10.0
BETWEEN_BLOCKS, TRACK, MARGIN = 22.0, 9.0, 28.0
_SMALL_TEXT, _TEXT = 6.3, 7.2
_SWEEPS = 6

Point = tuple[float, float]


@dataclass(slots=True)
class Box:
    """A block, or the lane of a net through a layer (without a block)."""

    block: Block | None
    net: int = -1
    width: float = 0.0
    height: float = LANE_HEIGHT
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True)
class Route:
    """How a net is drawn.

    Attributes:
        lines: straight pieces.
        dots: where more than two meet.
        stubs: single pins that are tied or joined with nothing that is shown.
    """

    net: Net
    lines: list[tuple[Point, Point]] = field(default_factory=list)
    dots: list[Point] = field(default_factory=list)
    stubs: list[Point] = field(default_factory=list)


@dataclass(slots=True)
class Arranged:
    """A picture with places."""

    boxes: list[Box]
    routes: list[Route]
    width: float
    height: float


def arrange(picture: Picture) -> Arranged:
    """Give every block a place and every net its lines."""
    return _Arrangement(picture).run()


def _measure(block: Block) -> tuple[float, float]:
    if block.style == "port":
        block.pins[0].y = PORT_HEIGHT / 2
        return len(block.name) * _TEXT + 26, PORT_HEIGHT
    left, right = block.on("left"), block.on("right")
    for pins in (left, right):
        for index, pin in enumerate(pins):
            pin.y = HEAD + (index + 0.5) * PIN_STEP
    rows = max(len(left), len(right)) + (1 if block.hidden else 0)
    widest = [max((len(pin.label) for pin in pins), default=0) * _SMALL_TEXT for pins in (left, right)]
    heading = max(len(block.name) * _TEXT, len(block.subtitle) * _SMALL_TEXT)
    return max(sum(widest) + 44, heading + 24, 96.0), HEAD + rows * PIN_STEP + FOOT


class _Arrangement:
    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._block_of: dict[PinKey, int] = {}
        self._pin_of: dict[PinKey, Pin] = {}
        for number, block in enumerate(picture.blocks):
            for pin in block.pins:
                self._block_of[pin.key] = number
                self._pin_of[pin.key] = pin
        self._boxes = [
            Box(block, width=size[0], height=size[1]) for block in picture.blocks for size in [_measure(block)]
        ]
        self._nets = [[key for key in net.pins if key in self._block_of] for net in picture.nets]
        self._layer_of = self._layers()
        self._layers_of_boxes: dict[int, list[Box]] = defaultdict(list)
        for number, box in enumerate(self._boxes):
            self._layers_of_boxes[self._layer_of[number]].append(box)
        self._lanes: dict[tuple[int, int], Box] = {}

    def run(self) -> Arranged:
        self._add_lanes()
        self._order()
        self._place_down()
        gaps = self._place_across()
        routes = [Route(net) for net in self._picture.nets]
        for (gap, number), track in gaps.items():
            self._route(routes[number], gap, number, track)
        for number, keys in enumerate(self._nets):
            if len(keys) == 1:
                routes[number].stubs.append(self._at(keys[0]))
        right = max(box.x + box.width for box in self._boxes)
        tracks = max((track for track in gaps.values()), default=0.0)
        bottom = max(box.y + box.height for layer in self._layers_of_boxes.values() for box in layer)
        return Arranged(self._boxes, routes, max(right, tracks) + MARGIN, bottom + MARGIN)

    def _layers(self) -> list[int]:
        """The longest way from a block that nothing drives; own outputs stand in the last layer."""
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(len(self._boxes)))
        for net, keys in zip(self._picture.nets, self._nets, strict=True):
            source = self._block_of.get(net.driver)
            for key in keys:
                target = self._block_of[key]
                if source is not None and target != source and not (graph.has_edge(target, source)):
                    graph.add_edge(source, target)
        for edge in _closing_edges(graph):
            graph.remove_edge(*edge)
        layers = [0] * len(self._boxes)
        for layer, numbers in enumerate(nx.topological_generations(graph)):
            for number in numbers:
                layers[number] = layer
        inner = [n for n, block in enumerate(self._picture.blocks) if block.style != "port"]
        first = min(layers[number] for number in inner)
        last = max(layers[number] for number in inner)
        for number, block in enumerate(self._picture.blocks):
            if block.style != "port":
                layers[number] += 1 - first
            else:
                layers[number] = 0 if block.pins[0].side == "right" else last - first + 2
        return layers

    def _gap(self, key: PinKey) -> int:
        """The gap a pin opens to; gap n is right of layer n."""
        layer = self._layer_of[self._block_of[key]]
        return layer if self._pin_of[key].side == "right" else layer - 1

    def _add_lanes(self) -> None:
        for number, keys in enumerate(self._nets):
            gaps = {self._gap(key) for key in keys}
            if len(gaps) < 2:
                continue
            for layer in range(min(gaps) + 1, max(gaps) + 1):
                lane = Box(None, net=number)
                self._lanes[layer, number] = lane
                self._layers_of_boxes[layer].append(lane)

    def _order(self) -> None:
        """Barycentre sweeps: a box goes where the boxes it is joined with stand on average."""
        nets_at: dict[int, set[int]] = defaultdict(set)
        for number, keys in enumerate(self._nets):
            for key in keys:
                nets_at[id(self._boxes[self._block_of[key]])].add(number)
        for lane in self._lanes.values():
            nets_at[id(lane)].add(lane.net)
        layers = sorted(self._layers_of_boxes)
        for sweep in range(_SWEEPS):
            sequence = layers if sweep % 2 == 0 else layers[::-1]
            for before, layer in pairwise(sequence):
                place: dict[int, list[float]] = defaultdict(list)
                for index, box in enumerate(self._layers_of_boxes[before]):
                    for number in nets_at[id(box)]:
                        place[number].append(index)
                boxes = self._layers_of_boxes[layer]
                wanted = {}
                for index, box in enumerate(boxes):
                    near = [at for number in nets_at[id(box)] for at in place.get(number, ())]
                    wanted[id(box)] = sum(near) / len(near) if near else float(index)
                boxes.sort(key=lambda box: wanted[id(box)])

    def _place_down(self) -> None:
        """From above, each box level with what it is joined with in the layer before where there is room."""
        for layer in sorted(self._layers_of_boxes):
            bottom = MARGIN
            for box in self._layers_of_boxes[layer]:
                box.y = max(bottom, self._level(box, layer))
                bottom = box.y + box.height + (BETWEEN_BLOCKS if box.block else TRACK)
        top = min(box.y for boxes in self._layers_of_boxes.values() for box in boxes)
        for boxes in self._layers_of_boxes.values():
            for box in boxes:
                box.y += MARGIN - top

    def _level(self, box: Box, layer: int) -> float:
        offsets: list[float] = []
        for number, keys in enumerate(self._nets):
            mine = self._own_offset(box, number, keys)
            if mine is None:
                continue
            before = [
                self._boxes[self._block_of[key]].y + self._pin_of[key].y
                for key in keys
                if self._gap(key) == layer - 1 and self._layer_of[self._block_of[key]] == layer - 1
            ]
            if (layer - 1, number) in self._lanes:
                before.append(self._lanes[layer - 1, number].y + LANE_HEIGHT / 2)
            offsets += [at - mine for at in before]
        return sum(offsets) / len(offsets) if offsets else 0.0

    def _own_offset(self, box: Box, number: int, keys: list[PinKey]) -> float | None:
        if box.block is None:
            return LANE_HEIGHT / 2 if box.net == number else None
        return next(
            (
                self._pin_of[key].y
                for key in keys
                if self._boxes[self._block_of[key]] is box and self._pin_of[key].side == "left"
            ),
            None,
        )

    def _place_across(self) -> dict[tuple[int, int], float]:
        """Columns, and between them a track for each net; returns the tracks' x by gap and net."""
        users: dict[int, list[int]] = defaultdict(list)
        for number, keys in enumerate(self._nets):
            if len(keys) < 2:
                continue
            for gap in sorted({self._gap(key) for key in keys} | self._crossed(number)):
                users[gap].append(number)
        tracks: dict[tuple[int, int], float] = {}
        first, last = min(self._layers_of_boxes), max(self._layers_of_boxes)
        x = MARGIN
        for gap in range(first - 1, last + 1):
            for number in sorted(users[gap], key=lambda number: self._mean_y(gap, number)):
                x += TRACK
                tracks[gap, number] = x
            x += MARGIN if gap >= first or users[gap] else 0.0
            if gap < last:
                layer = self._layers_of_boxes[gap + 1]
                width = max((box.width for box in layer if box.block), default=0.0)
                for box in layer:
                    box.x = x + (0.0 if box.block is None else self._indent(box, width, gap + 1, first))
                    box.width = box.width if box.block else width
                x += width + MARGIN / 2
        return tracks

    def _indent(self, box: Box, width: float, layer: int, first: int) -> float:
        if box.block is not None and box.block.style == "port":
            return width - box.width if layer == first else 0.0
        return (width - box.width) / 2

    def _crossed(self, number: int) -> set[int]:
        layers = [layer for layer, net in self._lanes if net == number]
        return {gap for layer in layers for gap in (layer - 1, layer)}

    def _mean_y(self, gap: int, number: int) -> float:
        ends = [point[1] for point in self._ends(gap, number)]
        return -(sum(ends) / len(ends)) if ends else 0.0

    def _at(self, key: PinKey) -> Point:
        box, pin = self._boxes[self._block_of[key]], self._pin_of[key]
        return (box.x + (box.width if pin.side == "right" else 0.0), box.y + pin.y)

    def _ends(self, gap: int, number: int) -> list[Point]:
        """What a net has to join in a gap: pins that open to it and its lanes on either side."""
        points = [self._at(key) for key in self._nets[number] if self._gap(key) == gap]
        for layer in (gap, gap + 1):
            lane = self._lanes.get((layer, number))
            if lane is not None:
                points.append((lane.x + (lane.width if layer == gap else 0.0), lane.y + LANE_HEIGHT / 2))
        return points

    def _route(self, route: Route, gap: int, number: int, track: float) -> None:
        ends = self._ends(gap, number)
        heights = [y for _x, y in ends]
        route.lines += [((x, y), (track, y)) for x, y in ends]
        if max(heights) > min(heights):
            route.lines.append(((track, min(heights)), (track, max(heights))))
        if len(ends) > 2:
            inner = sorted(set(heights))
            route.dots += [(track, y) for y in inner if min(heights) < y < max(heights) or heights.count(y) > 1]
        lane = self._lanes.get((gap, number))
        if lane is not None:
            y = lane.y + LANE_HEIGHT / 2
            route.lines.append(((lane.x, y), (lane.x + lane.width, y)))


def _closing_edges(graph: nx.DiGraph[int]) -> list[tuple[int, int]]:
    """The edges that close a circle in a depth-first walk."""
    closing: list[tuple[int, int]] = []
    done: set[int] = set()
    for start in graph:
        if start in done:
            continue
        path, open_now = [(start, iter(list(graph.successors(start))))], {start}
        while path:
            node, following = path[-1]
            target = next(following, None)
            if target is None:
                path.pop()
                open_now.discard(node)
                done.add(node)
            elif target in open_now:
                closing.append((node, target))
            elif target not in done:
                open_now.add(target)
                path.append((target, iter(list(graph.successors(target)))))
    return closing
