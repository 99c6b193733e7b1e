"""Which ends of a design's connections are one wire, as a persistent index that follows edits at their own cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import immutables

from model.collection import collection_paused
from model.elements import Connection, Endpoint, Instance
from model.frozen_map import Difference, FrozenMap
from model.separation import separated
from model.vlnv import Vlnv
from model.widths import is_plain

Node = tuple[str, str, str, str, tuple[str, ...]]
"""Instance ("" for the component itself), port, left and right bound of the slice ("" for all of the port), path."""

Owner = Vlnv | str
"""Whose port it is: a component's, the enclosing component's own (:data:`OWN`), nobody's (:data:`NOBODY`)."""

OWN = ""
NOBODY = "?"

Kind = tuple[Owner, str]
"""A port of a component, whatever the instance."""

Connections = FrozenMap[str, Connection]
Instances = FrozenMap[str, Instance]

_Placed = tuple[int, str, Connection] | None

_NONE: immutables.Map[Any, Any] = immutables.Map()


@dataclass(frozen=True, slots=True)
class Strand:
    """One wire, without order.

    Attributes:
        connections: places of its connections in the design.
        tied: those of them that tie it to a value.
        kinds: how many of its nodes are of each kind.
        sliced: how many of its nodes are parts of a port.
    """

    nodes: immutables.Map[Node, None] = _NONE
    connections: immutables.Map[int, None] = _NONE
    tied: immutables.Map[int, None] = _NONE
    kinds: immutables.Map[Kind, int] = _NONE
    sliced: int = 0


@dataclass(frozen=True, slots=True)
class Wiring:
    """The wires of some connections.

    Two parts of one port are on the same wire only if they overlap; bounds that are not numbers count as overlapping.

    Attributes:
        instances: what the kinds of the wires were taken from.
        strands: the wires by number.
        wire_of: the number of the wire that a node is on.
        at: nodes by instance and port.
        uses: places of the connections that end at a node.
        following: the next number.
    """

    instances: Instances
    strands: FrozenMap[int, Strand]
    wire_of: immutables.Map[Node, int]
    at: immutables.Map[str, immutables.Map[str, tuple[Node, ...]]]
    uses: immutables.Map[Node, immutables.Map[int, None]]
    following: int

    def followed(self, connections: Connections, differences: Sequence[Difference[str, Connection]]) -> Wiring:
        """The wires of other connections, given where they differ from these."""
        editor = _Editor(self, connections)
        for old, new in differences:
            editor.shorten(old, new)
        editor.split()
        for old, new in differences:
            editor.extend(old, new)
        return editor.finish()

    def moved_to(self, instances: Instances) -> Wiring:
        """The same wires where the instances are others."""
        strands = self.strands
        names = {entry[1] for pair in self.instances.differences(instances) for entry in pair if entry is not None}
        for name in names:
            if name not in self.at:
                continue
            was, now = owner_of(self.instances, name), owner_of(instances, name)
            if was == now:
                continue
            for port, nodes in self.at[name].items():
                for node in nodes:
                    number = self.wire_of[node]
                    kinds = _counted(_counted(strands[number].kinds, (was, port), -1), (now, port), 1)
                    strands = strands.set(number, replace(strands[number], kinds=kinds))
        return replace(self, instances=instances, strands=strands)


def node_of(end: Endpoint) -> Node:
    """The place of an end in a netlist."""
    return (end.instance, end.port, end.left, (end.right or end.left) if end.left else "", end.path)


def end_of(node: Node) -> Endpoint:
    """The end that a node stands for."""
    return Endpoint(instance=node[0], port=node[1], left=node[2], right=node[3], path=node[4])


def overlap(one: Node, other: Node) -> bool:
    """Whether two parts of one port share bits; parts whose bounds are not numbers are taken to."""
    if one[4] != other[4]:
        return not any(_apart(a, b) for a, b in zip(one[4], other[4], strict=False))
    bounds = (*one[2:4], *other[2:4])
    if not all(is_plain(bound) for bound in bounds):
        return True
    a, b, c, d = (int(bound) for bound in bounds)
    return max(a, b) >= min(c, d) and max(c, d) >= min(a, b)


def _apart(one: str, other: str) -> bool:
    """Whether two steps into a port surely lead to different places."""
    return one != other and (one.startswith(".") or (is_plain(one) and is_plain(other)))


def bit_port(end: Endpoint) -> str:
    """What the bits of an end are called: by the port, and in a structured one by the way to the port inside."""
    return end.port + "".join(step for step in end.path if step.startswith(".")) if end.path else end.port


def is_part(node: Node) -> bool:
    """Whether a node is only a part of its port."""
    return bool(node[2] or node[4])


def is_tied(connection: Connection) -> bool:
    """Whether a connection drives its ends with a value of its own."""
    return connection.tied_value not in {"", "open"}


def owner_of(instances: Instances, name: str) -> Owner:
    """Whose ports the ports of an instance are."""
    if not name:
        return OWN
    instance = instances.get(name)
    return NOBODY if instance is None else instance.component


def _counted(kinds: immutables.Map[Kind, int], kind: Kind, more: int) -> immutables.Map[Kind, int]:
    count = kinds.get(kind, 0) + more
    return kinds.set(kind, count) if count else kinds.delete(kind)


def wired(connections: Connections, instances: Instances) -> Wiring:
    """The wires of some connections, made afresh."""
    with collection_paused():
        return _wired(connections, instances)


def _wired(connections: Connections, instances: Instances) -> Wiring:
    uses: dict[Node, dict[int, None]] = {}
    at: dict[str, dict[str, list[Node]]] = {}
    parent: dict[Node, Node] = {}

    def find(node: Node) -> Node:
        while (above := parent[node]) is not node:
            parent[node] = node = parent[above]
        return node

    for place, _name, connection in connections.entries():
        first: Node | None = None
        for end in connection.ends:
            node = node_of(end)
            known = uses.get(node)
            if known is None:
                uses[node] = {place: None}
                parent[node] = node
                at.setdefault(node[0], {}).setdefault(node[1], []).append(node)
            else:
                known[place] = None
            if first is None:
                first = find(node)
            else:
                parent[find(node)] = first
    for ports in at.values():
        for nodes in ports.values():
            for one, other in _overlaps(nodes):
                parent[find(one)] = find(other)
    groups: dict[Node, list[Node]] = {}
    for node in parent:
        groups.setdefault(find(node), []).append(node)
    tied = {place for place, _name, connection in connections.entries() if is_tied(connection)}
    strands = [_strand(nodes, uses, tied, instances) for nodes in groups.values()]
    return Wiring(
        instances,
        FrozenMap(enumerate(strands)),
        immutables.Map({node: number for number, nodes in enumerate(groups.values()) for node in nodes}),
        immutables.Map(
            {name: immutables.Map({port: tuple(nodes) for port, nodes in ports.items()}) for name, ports in at.items()}
        ),
        immutables.Map({node: immutables.Map(places) for node, places in uses.items()}),
        len(strands),
    )


def _strand(nodes: list[Node], uses: dict[Node, dict[int, None]], tied: set[int], instances: Instances) -> Strand:
    places = {place: None for node in nodes for place in uses[node]}
    kinds: dict[Kind, int] = {}
    for node in nodes:
        kind = (owner_of(instances, node[0]), node[1])
        kinds[kind] = kinds.get(kind, 0) + 1
    ties = {place: None for place in places if place in tied} if tied else {}
    return Strand(
        immutables.Map(dict.fromkeys(nodes)),
        immutables.Map(places),
        immutables.Map(ties) if ties else _NONE,
        immutables.Map(kinds),
        sum(map(is_part, nodes)),
    )


def _overlaps(nodes: Sequence[Node]) -> Iterable[tuple[Node, Node]]:
    """Pairs of overlapping parts of one port, enough of them to join all that overlap."""
    if len(nodes) < 2:
        return ()
    if not all(is_plain(node[2]) and is_plain(node[3]) and not node[4] for node in nodes):
        return [pair for pair in combinations(nodes, 2) if overlap(*pair)]
    return _chained(nodes)


def _chained(nodes: Sequence[Node]) -> Iterator[tuple[Node, Node]]:
    spans = sorted((min(int(node[2]), int(node[3])), max(int(node[2]), int(node[3])), node) for node in nodes)
    _lowest, highest, holder = spans[0]
    for lowest, top, node in spans[1:]:
        if lowest <= highest:
            yield holder, node
        if top > highest:
            highest, holder = top, node


class _Editor:
    """Brings a wiring up to date: first all ends that leave, then what falls apart, then all that come."""

    def __init__(self, wiring: Wiring, connections: Connections) -> None:
        self._wiring = wiring
        self._connections = connections
        self._strands: dict[int, Strand] = {}
        self._wire_of = wiring.wire_of.mutate()
        self._at = wiring.at.mutate()
        self._uses = wiring.uses.mutate()
        self._following = wiring.following
        self._seeds: dict[int, dict[Node, None]] = {}
        """By wire, nodes of which at least one is in each piece that it may have fallen into."""

    def finish(self) -> Wiring:
        strands = self._wiring.strands
        for number, strand in self._strands.items():
            if strand.nodes:
                strands = strands.set(number, strand)
            elif number in strands:
                strands = strands.without(number)
        return Wiring(
            self._wiring.instances,
            strands,
            self._wire_of.finish(),
            self._at.finish(),
            self._uses.finish(),
            self._following,
        )

    def _strand(self, number: int) -> Strand:
        found = self._strands.get(number)
        return self._wiring.strands[number] if found is None else found

    def _kind(self, node: Node) -> Kind:
        return owner_of(self._wiring.instances, node[0]), node[1]

    # Ends that leave

    def shorten(self, old: _Placed, new: _Placed) -> None:
        """Take off the ends that a connection loses."""
        if old is None:
            return
        place, _name, before = old
        leaving = _missing(before, None if new is None else new[2])
        if not leaving:
            return
        number = self._wire_of[leaving[0]]
        strand = self._strand(number)
        seeds = self._seeds.setdefault(number, {})
        gone = set(leaving)
        staying = next((node for node in map(node_of, before.ends) if node not in gone), None)
        if staying is not None:
            seeds[staying] = None
        else:
            tied = strand.tied.delete(place) if place in strand.tied else strand.tied
            strand = replace(strand, connections=strand.connections.delete(place), tied=tied)
        self._strands[number] = strand
        for node in leaving:
            rest = self._uses[node].delete(place)
            if rest:
                self._uses[node] = rest
                seeds[node] = None
            else:
                self._forget(node, number, seeds)

    def _on(self, node: Node, place: int) -> bool:
        return place in self._uses.get(node, _NONE)

    def _forget(self, node: Node, number: int, seeds: dict[Node, None]) -> None:
        """Remove a node at which no connection ends any more."""
        del self._uses[node]
        del self._wire_of[node]
        strand = self._strand(number)
        self._strands[number] = replace(
            strand,
            nodes=strand.nodes.delete(node),
            kinds=_counted(strand.kinds, self._kind(node), -1),
            sliced=strand.sliced - is_part(node),
        )
        ports = self._at[node[0]]
        rest = tuple(other for other in ports[node[1]] if other != node)
        ports = ports.set(node[1], rest) if rest else ports.delete(node[1])
        if ports:
            self._at[node[0]] = ports
        else:
            del self._at[node[0]]
        # It may have been what joined other parts of its port.
        seeds.update((other, None) for other in rest if overlap(node, other))

    def split(self) -> None:
        """Give the pieces that wires have fallen into numbers of their own."""
        for number, seeds in self._seeds.items():
            live = [node for node in seeds if node in self._uses]
            for part in separated(live, self._beside) if len(live) > 1 else ():
                self._split_off(number, part)

    def _beside(self, node: Node) -> Iterator[Node]:
        """The nodes that a node is joined with directly."""
        for place in self._uses[node]:
            entry = self._connections.at(place)
            for end in entry[2].ends if entry is not None else ():
                other = node_of(end)
                if self._on(other, place):
                    yield other
        parts = self._at[node[0]][node[1]]
        if len(parts) > 1:
            yield from (other for other in parts if other != node and overlap(node, other))

    def _split_off(self, number: int, nodes: Sequence[Node]) -> None:
        rest = self._strand(number)
        places = {place: None for node in nodes for place in self._uses[node]}
        tied = {place: None for place in places if place in rest.tied}
        kinds: dict[Kind, int] = {}
        kinds_left = rest.kinds
        for node in nodes:
            self._wire_of[node] = self._following
            kind = self._kind(node)
            kinds[kind] = kinds.get(kind, 0) + 1
            kinds_left = _counted(kinds_left, kind, -1)
        sliced = sum(map(is_part, nodes))
        self._strands[self._following] = Strand(
            immutables.Map(dict.fromkeys(nodes)),
            immutables.Map(places),
            immutables.Map(tied),
            immutables.Map(kinds),
            sliced,
        )
        self._strands[number] = Strand(
            _without(rest.nodes, nodes),
            _without(rest.connections, places),
            _without(rest.tied, tied),
            kinds_left,
            rest.sliced - sliced,
        )
        self._following += 1

    # Ends that come

    def extend(self, old: _Placed, new: _Placed) -> None:
        """Put on the ends that a connection gains."""
        if new is None:
            return
        place, _name, after = new
        coming = _missing(after, None if old is None else old[2])
        for node in coming:
            if node not in self._wire_of:
                self._place(node)
            self._uses[node] = self._uses.get(node, _NONE).set(place, None)
        if not after.ends:
            return
        fresh = set(coming)
        joined = next((node for node in map(node_of, after.ends) if node not in fresh), None) if fresh else None
        for node in coming:
            self._merge(self._wire_of[joined or coming[0]], self._wire_of[node])
        number = self._wire_of[node_of(after.ends[0])]
        strand = self._strand(number)
        if place not in strand.connections:
            self._strands[number] = strand = replace(strand, connections=strand.connections.set(place, None))
        if is_tied(after) is not (place in strand.tied):
            tied = strand.tied.set(place, None) if is_tied(after) else strand.tied.delete(place)
            self._strands[number] = replace(strand, tied=tied)

    def _place(self, node: Node) -> None:
        """Put a node on a wire of its own, or on that of the parts of its port that it overlaps."""
        number = self._following
        self._following += 1
        self._wire_of[node] = number
        self._strands[number] = Strand(
            nodes=immutables.Map({node: None}), kinds=immutables.Map({self._kind(node): 1}), sliced=int(is_part(node))
        )
        ports = self._at.get(node[0], _NONE)
        others = ports.get(node[1], ())
        self._at[node[0]] = ports.set(node[1], (*others, node))
        for other in others:
            if overlap(node, other):
                self._merge(self._wire_of[node], self._wire_of[other])

    def _merge(self, one: int, other: int) -> None:
        """Join two wires; the smaller moves into the larger."""
        if one == other:
            return
        a, b = self._strand(one), self._strand(other)
        if len(a.nodes) < len(b.nodes):
            one, other, a, b = other, one, b, a
        kinds = a.kinds
        for kind, count in b.kinds.items():
            kinds = _counted(kinds, kind, count)
        for node in b.nodes:
            self._wire_of[node] = one
        self._strands[one] = Strand(
            a.nodes.update(b.nodes),
            a.connections.update(b.connections),
            a.tied.update(b.tied),
            kinds,
            a.sliced + b.sliced,
        )
        self._strands[other] = Strand()


def _missing(here: Connection, there: Connection | None) -> list[Node]:
    """The nodes at which one connection ends and the other does not."""
    if there is None:
        return list(dict.fromkeys(map(node_of, here.ends)))
    if here.ends is there.ends:
        return []
    # Most ends of a wide connection are the same objects: comparing those costs next to nothing.
    known = set(map(id, there.ends))
    suspects = dict.fromkeys(node_of(end) for end in here.ends if id(end) not in known)
    if not suspects:
        return []
    instances = {node[0] for node in suspects}
    still = {node_of(end) for end in there.ends if end.instance in instances}
    return [node for node in suspects if node not in still]


def _without(known: immutables.Map[Any, Any], keys: Iterable[Any]) -> immutables.Map[Any, Any]:
    rest = known.mutate()
    for key in keys:
        del rest[key]
    return rest.finish()
