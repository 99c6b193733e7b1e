"""What a picture of a component shows, before anything has a place: blocks, pins, terminals, nets. No Qt."""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from model.change import ElementId
from model.vlnv import Vlnv

Side = Literal["W", "E"]
Tone = Literal["wire", "bus", "interface", "clock"]
Shape = Literal["in", "out", "inout", "phantom", "requires", "provides", "both", "initiator", "target", "system"]


class PinRef(NamedTuple):
    """A port or bus interface of an instance, or the component's own when ``instance`` is ""."""

    instance: str
    name: str
    interface: bool = False


class Stand(NamedTuple):
    """Where the design's own file has a pin of a block, or a port of its own: at which side, and how far down."""

    side: Side
    y: float


class Pin(NamedTuple):
    """A port or bus interface as it is drawn.

    Attributes:
        side: where it stands by the way that it carries: inputs left, outputs right.
        width: ``[31:0]`` or "" for one bit and for interfaces.
        element: the port or interface in the library; None where the component lacks it.
        folded: physical ports that hide behind an interface.
        tie: value that the pin is tied to, or "".
        bus: name of the bus definition of an interface, or "".
        turned: whether the design's own file has it at the other side.
    """

    ref: PinRef
    label: str
    shape: Shape
    side: Side
    tone: Tone = "wire"
    width: str = ""
    element: ElementId | None = None
    connected: bool = False
    folded: int = 0
    tie: str = ""
    tip: str = ""
    bus: str = ""
    turned: bool = False

    @property
    def stands(self) -> Side:
        """The side at which it is drawn."""
        return ("W" if self.side == "E" else "E") if self.turned else self.side


@dataclass(frozen=True, slots=True)
class Caption:
    """A heading between pins."""

    text: str


@dataclass(frozen=True, slots=True)
class More:
    """Stands for ``count`` folded pins; 0 means that all are shown and can be folded again."""

    count: int


Row = Pin | Caption | More


@dataclass(frozen=True, slots=True)
class ParameterLine:
    """A parameter as a symbol lists it."""

    name: str
    value: str
    element: ElementId


@dataclass(frozen=True, slots=True)
class Block:
    """A subcomponent, or the component itself where it has no inside to show (then ``key`` is "")."""

    key: str
    title: str
    subtitle: str
    vlnv: Vlnv
    element: ElementId
    west: tuple[Row, ...] = ()
    east: tuple[Row, ...] = ()
    parameters: tuple[ParameterLine, ...] = ()
    missing: bool = False
    tip: str = ""

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The pins that are shown, west side first."""
        return tuple(row for row in self.west + self.east if isinstance(row, Pin))


@dataclass(frozen=True, slots=True)
class Terminal:
    """A port or bus interface of the component itself, at the border of its inside."""

    key: str
    pin: Pin

    @property
    def element(self) -> ElementId | None:
        """The port or interface in the library."""
        return self.pin.element


class Branch(NamedTuple):
    """One wire from pin to pin; a connection of more than two ends has several."""

    key: str
    net: str
    source: PinRef
    target: PinRef
    element: ElementId


@dataclass(frozen=True, slots=True)
class Net:
    """Wires that are electrically one.

    Attributes:
        label: the width of a bus, the slice, or the bus type of an interface.
    """

    key: str
    tone: Tone
    label: str
    branches: tuple[Branch, ...]


class Wiring:
    """The wires of a diagram by key and by the nodes that they end at. Not changed once it is made."""

    def __init__(self, branches: dict[str, Branch], at_node: dict[str, tuple[Branch, ...]]) -> None:
        self.branches = branches
        self.at_node = at_node

    @classmethod
    def of(cls, nets: Iterable[Net]) -> Wiring:
        """Index the wires of some nets."""
        return cls({}, {}).changed((), [branch for net in nets for branch in net.branches])

    def changed(self, gone: Iterable[Branch], added: Iterable[Branch]) -> Wiring:
        """The wiring without some wires and with others; the work is proportional to these."""
        branches, at_node = dict(self.branches), dict(self.at_node)
        leaving: dict[str, set[str]] = defaultdict(set)
        coming: dict[str, list[Branch]] = defaultdict(list)
        for branch in gone:
            del branches[branch.key]
            for node in {node_of(branch.source), node_of(branch.target)}:
                leaving[node].add(branch.key)
        for branch in added:
            branches[branch.key] = branch
            for node in {node_of(branch.source), node_of(branch.target)}:
                coming[node].append(branch)
        for node, keys in leaving.items():
            at_node[node] = tuple(branch for branch in at_node[node] if branch.key not in keys)
        for node, wires in coming.items():
            at_node[node] = (*at_node.get(node, ()), *wires)
        return Wiring(branches, at_node)


@dataclass(frozen=True, slots=True)
class Difference:
    """Keys of the nodes, branches and nets that came, went or are drawn anew from one diagram to the next."""

    nodes: frozenset[str]
    branches: frozenset[str]
    nets: frozenset[str]

    @classmethod
    def of(cls, nodes: Iterable[str], branches: Iterable[Branch]) -> Difference:
        """From the nodes and the branches that are not the same objects any more."""
        wires = tuple(branches)
        return cls(
            frozenset(nodes), frozenset(branch.key for branch in wires), frozenset(branch.net for branch in wires)
        )


@dataclass(frozen=True, slots=True)
class Since:
    """From which diagram another was made, and in what it differs from it."""

    before: weakref.ref[Diagram]
    difference: Difference


@dataclass(frozen=True)
class Diagram:
    """The whole picture. A component without an inside is one block under the key ""."""

    vlnv: Vlnv
    blocks: Mapping[str, Block] = field(default_factory=dict)
    terminals: Mapping[str, Terminal] = field(default_factory=dict)
    nets: tuple[Net, ...] = ()
    is_symbol: bool = False
    known_wiring: Wiring | None = field(default=None, compare=False, repr=False)
    known_nets: Mapping[str, Net] | None = field(default=None, compare=False, repr=False)
    since: Since | None = field(default=None, compare=False, repr=False)

    @cached_property
    def wiring(self) -> Wiring:
        """The wires by key and by node."""
        return self.known_wiring if self.known_wiring is not None else Wiring.of(self.nets)

    @cached_property
    def nets_by_key(self) -> Mapping[str, Net]:
        """All nets by key."""
        return self.known_nets if self.known_nets is not None else {net.key: net for net in self.nets}

    def difference_from(self, before: Diagram) -> Difference:
        """What differs from another diagram; known without looking where this one was made from it."""
        if self.since is not None and self.since.before() is before:
            return self.since.difference
        nodes = [*_unlike(before.blocks, self.blocks), *_unlike(before.terminals, self.terminals)]
        nets, branches = before.nets_by_key, before.branches
        return Difference(
            frozenset(nodes),
            frozenset(_unlike(branches, self.branches)),
            frozenset(_unlike(nets, self.nets_by_key)),
        )

    @property
    def branches(self) -> Mapping[str, Branch]:
        """All wires by key."""
        return self.wiring.branches

    def at_node(self, key: str) -> tuple[Branch, ...]:
        """The wires that end at a node."""
        return self.wiring.at_node.get(key, ())


def _unlike(old: Mapping[str, object], new: Mapping[str, object]) -> list[str]:
    """Keys whose values are not the same objects."""
    return [key for key in old if key not in new] + [key for key, value in new.items() if old.get(key) is not value]


def terminal_key(ref: PinRef) -> str:
    """Key of the terminal that shows a port or interface of the component itself; never an instance's name."""
    return f"{'interface' if ref.interface else 'port'}:{ref.name}"


def node_of(ref: PinRef) -> str:
    """Key of the block or terminal that carries a pin."""
    return ref.instance or terminal_key(ref)
