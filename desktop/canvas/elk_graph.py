"""A diagram as a graph for ELK, and ELK's answer as a layout. No Qt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from desktop.canvas.diagram import Branch, Diagram, PinRef, Terminal, node_of
from desktop.canvas.joined import Joined
from desktop.canvas.layout import BlockLayout, EdgeRoute, Layout, NodeShape, Point

_OPTIONS = {
    "elk.algorithm": "layered",
    "elk.direction": "RIGHT",
    "elk.edgeRouting": "ORTHOGONAL",
    "elk.separateConnectedComponents": "false",
    "elk.padding": "[top=0,left=0,bottom=0,right=0]",
    "elk.spacing.nodeNode": "40",
    "elk.spacing.edgeNode": "20",
    "elk.spacing.edgeEdge": "14",
    "elk.layered.spacing.nodeNodeBetweenLayers": "36",
    "elk.layered.spacing.edgeNodeBetweenLayers": "16",
    "elk.layered.spacing.edgeEdgeBetweenLayers": "12",
    "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
    "elk.layered.nodePlacement.favorStraightEdges": "true",
    "elk.layered.crossingMinimization.greedySwitch.type": "TWO_SIDED",
    "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
}
_STABLE = {
    "elk.layered.cycleBreaking.strategy": "INTERACTIVE",
    "elk.layered.layering.strategy": "INTERACTIVE",
    "elk.layered.crossingMinimization.strategy": "INTERACTIVE",
    "elk.layered.nodePlacement.strategy": "INTERACTIVE",
}
_LARGE = {"elk.layered.thoroughness": "1", "elk.layered.crossingMinimization.greedySwitch.type": "OFF"}
_PACKED = {"elk.separateConnectedComponents": "true", "elk.aspectRatio": "1.6", "elk.spacing.componentComponent": "60"}

_INTERFACE_WEIGHT = 8  # where wires form a circle, those of interfaces keep running left to right
_BUS_WEIGHT = 2
_FAN, _WIDEST_FAN = 4.0, 14.0  # how far apart the nets of one pin start, one from the next and in all
_STRAIGHT = {"elk.layered.priority.straightness": "10"}


def elk_graph(diagram: Diagram, known: Mapping[str, NodeShape], stable: Layout | None = None) -> dict[str, Any]:
    """Return the diagram as ELK JSON.

    Args:
        diagram: what to lay out.
        known: the shapes of its nodes.
        stable: a layout whose order is to be kept.
    """
    keys = _keys(diagram, known)
    options = dict(_OPTIONS)
    if stable is None and not _share_borders(diagram):
        options.update(_PACKED)
    if len(keys) > 200:
        options.update(_LARGE)
    if stable is not None:
        options.update(_STABLE)
    numbers = {key: index for index, key in enumerate(keys)}
    nets = _nets_at_pins(diagram)
    through = _through(diagram)
    ports: dict[tuple[PinRef, str], str] = {}
    children = []
    for key, number in numbers.items():
        shape = known[key]
        child: dict[str, Any] = {
            "id": f"n{number}",
            "width": shape.width,
            "height": shape.height,
            "layoutOptions": {
                "elk.portConstraints": "FIXED_POS",
                "elk.alignment": "LEFT",
                **_layer(diagram.terminals.get(key) if key not in through else None),
            },
            "ports": [],
        }
        place = stable.nodes.get(key) if stable is not None else None
        if place is not None:
            child.update(x=place.x, y=place.y)
        for index, (ref, anchor) in enumerate(shape.anchors.items()):
            side = "WEST" if anchor.side == "W" else "EAST"
            mine = nets.get(ref, [""])
            for place_of_net, net_key in enumerate(mine):
                name = f"n{number}p{index}n{place_of_net}"
                ports[ref, net_key] = name
                y = anchor.y + (place_of_net - (len(mine) - 1) / 2) * min(_FAN, _WIDEST_FAN / len(mine))
                child["ports"].append(
                    {"id": name, "x": anchor.x, "y": y, "width": 0, "height": 0,
                     "layoutOptions": {"elk.port.side": side}}
                )  # fmt: skip
        children.append(child)
    edges = [
        {
            "id": branch.key,
            "sources": [ports[(branch.target if _is_turned(branch, diagram) else branch.source), net.key]],
            "targets": [ports[(branch.source if _is_turned(branch, diagram) else branch.target), net.key]],
            "layoutOptions": _STRAIGHT if branch.source.interface else {},
        }
        for net in diagram.nets
        for branch in net.branches
        if (branch.source, net.key) in ports and (branch.target, net.key) in ports
    ]
    return {"id": "root", "layoutOptions": options, "children": children, "edges": edges}


def _keys(diagram: Diagram, known: Mapping[str, NodeShape]) -> list[str]:
    """The nodes that ELK places. Terminals that nothing is connected to find their place at the border afterwards."""
    return [
        key
        for key in flow_order(diagram, known)
        if key not in diagram.terminals or diagram.terminals[key].pin.connected
    ]


def _share_borders(diagram: Diagram) -> bool:
    """Whether parts of the design that nothing joins have terminals, which must line up at common borders."""
    joined = Joined[str]()
    for branch in diagram.branches.values():
        joined.join(node_of(branch.source), node_of(branch.target))
    ends = {node_of(ref) for branch in diagram.branches.values() for ref in (branch.source, branch.target)}
    return len({joined.root(key) for key in diagram.terminals if key in ends}) > 1


def _nets_at_pins(diagram: Diagram) -> dict[PinRef, list[str]]:
    """The nets that meet at each pin: several where slices of a port are joined to different places.

    They get ports of their own in ELK, which would take wires that leave from one port for one net.
    """
    nets: dict[PinRef, dict[str, None]] = defaultdict(dict)
    for net in diagram.nets:
        for branch in net.branches:
            nets[branch.source][net.key] = nets[branch.target][net.key] = None
    return {ref: list(keys) for ref, keys in nets.items()}


def _layer(terminal: Terminal | None) -> dict[str, str]:
    if terminal is None:
        return {}
    return {"elk.layered.layering.layerConstraint": "FIRST_SEPARATE" if terminal.pin.stands == "W" else "LAST_SEPARATE"}


def _is_turned(branch: Branch, diagram: Diagram) -> bool:
    """Whether a wire is to run from right to left, since its terminal stands at the other border.

    ELK is told the opposite: it refuses wires out of the last layer and into the first.
    """
    ends = [diagram.terminals.get(node_of(ref)) for ref in (branch.source, branch.target)]
    terminals = [terminal for terminal in ends if terminal is not None]
    return len(terminals) == 1 and terminals[0].pin.turned


def _through(diagram: Diagram) -> set[str]:
    """The turned terminals with a wire to another terminal, which may stand at the same border: any layer will do."""
    terminals = diagram.terminals
    if not any(terminal.pin.turned for terminal in terminals.values()):
        return set()
    ends = [(node_of(branch.source), node_of(branch.target)) for branch in diagram.branches.values()]
    joined = {key for one, other in ends if one in terminals and other in terminals for key in (one, other)}
    return {key for key in joined if terminals[key].pin.turned}


def read_elk(graph: Mapping[str, Any], diagram: Diagram, known: Mapping[str, NodeShape]) -> Layout:
    """Read the positions and routes from ELK's answer to :func:`elk_graph` of the same arguments."""
    nodes = {
        key: BlockLayout(child["x"], child["y"], child["width"], child["height"])
        for key, child in zip(_keys(diagram, known), graph["children"], strict=True)
    }
    edges: dict[str, EdgeRoute] = {}
    for edge in graph["edges"]:
        points = [
            Point(point["x"], point["y"])
            for section in edge.get("sections", ())
            for point in (section["startPoint"], *section.get("bendPoints", ()), section["endPoint"])
        ]
        if _is_turned(diagram.branches[edge["id"]], diagram):
            points.reverse()
        junctions = tuple(Point(point["x"], point["y"]) for point in edge.get("junctionPoints", ()))
        edges[edge["id"]] = EdgeRoute(tuple(points), junctions)
    return Layout(nodes, edges)


def flow_order(diagram: Diagram, known: Mapping[str, NodeShape]) -> list[str]:
    """The nodes in an order in which most wires run forward (Eades, Lin, Smyth 1993, with weights).

    ELK breaks circles along it: a processor stays left of its bus although interrupts run back.
    """
    order = {key: index for index, key in enumerate(known)}
    after: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    before: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for net in diagram.nets:
        weight = _INTERFACE_WEIGHT if net.tone == "interface" else _BUS_WEIGHT if net.tone == "bus" else 1
        for branch in net.branches:
            one, other = node_of(branch.source), node_of(branch.target)
            if one != other and one in order and other in order:
                after[one][other] += weight
                before[other][one] += weight

    def balance(key: str) -> float:
        out, into = sum(after[key].values()), sum(before[key].values())
        return (out - into) / (out + into)

    left = dict(order)
    first: list[str] = []
    last: list[str] = []
    while left:
        ends = [key for key in left if not after[key]]
        starts = [key for key in left if not before[key] and after[key]]
        if ends:
            chosen, target = ends[::-1], last
        elif starts:
            chosen, target = starts, first
        else:
            chosen, target = [max(left, key=lambda key: (balance(key), -order[key]))], first
        for key in chosen:
            target.append(key)
            del left[key]
            for other in after.pop(key, {}):
                before[other].pop(key, None)
            for other in before.pop(key, {}):
                after[other].pop(key, None)
    return first + last[::-1]
