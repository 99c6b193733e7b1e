"""The wires of a design grouped into nets, kept in step with the design edit by edit. No Qt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, TypeVar

from desktop.canvas.diagram import Branch, Net, Pin, PinRef, Tone
from desktop.canvas.joined import Joined
from model.change import ElementId
from model.elements import Connection, Design, Endpoint, Interconnection
from model.frozen_map import FrozenMap
from model.vlnv import Vlnv

_TONE_RANK: dict[Tone, int] = {"wire": 0, "bus": 1, "interface": 2, "clock": 3}

V = TypeVar("V")
WireKey = tuple[Literal["connection", "interconnection"], str]
End = tuple[PinRef, str]
"""A pin and the slice of it that is meant, or ""."""


def endpoint_ref(end: Endpoint) -> PinRef:
    """The pin of a connection's end."""
    return PinRef(end.instance, end.port)


def differing(old: FrozenMap[str, V], new: FrozenMap[str, V]) -> list[str]:
    """The names whose values are not the same objects, those that went first."""
    differences = old.differences(new)
    gone = [entry[1] for entry, _later in differences if entry is not None and entry[1] not in new]
    return gone + [later[1] for _entry, later in differences if later is not None and old.get(later[1]) is not later[2]]


class Netting:
    """Ends, ties and nets of one design; nets are those wires that share an end (the same slice of the same pin)."""

    def __init__(self) -> None:
        self.ends: dict[WireKey, list[End]] = {}
        self.nets: dict[str, Net] = {}
        self._design = Design()
        self._uses: dict[str, dict[PinRef, int]] = defaultdict(dict)  # by owner, how many wires end at a pin
        self._tied: dict[str, dict[PinRef, dict[str, str]]] = defaultdict(dict)  # by owner, pin and connection
        self._at_pin: dict[PinRef, dict[WireKey, None]] = defaultdict(dict)
        self._net_of: dict[WireKey, str] = {}
        self._members: dict[str, list[WireKey]] = {}

    def used(self, owner: str) -> Collection[PinRef]:
        """The pins of an instance ("" for the component itself) at which wires end."""
        return self._uses.get(owner, {}).keys()

    def tie(self, ref: PinRef) -> str:
        """The value that a pin is tied to, or ""."""
        values = self._tied.get(ref.instance, {}).get(ref)
        return next(reversed(values.values())) if values else ""

    def tied(self, owner: str) -> Collection[PinRef]:
        """The pins of an instance that are tied to values."""
        return self._tied.get(owner, {}).keys()

    def wires_at(self, ref: PinRef) -> list[list[End]]:
        """The ends of the wires at a pin, in the order of the design."""
        return [self.ends[key] for key in sorted(self._at_pin.get(ref, ()), key=self._place)]

    def follow(self, design: Design) -> tuple[set[WireKey], set[str]]:
        """Take the wires of the design as they are now.

        Returns:
            Wires that came, went or changed, and the owners of the pins at their ends.
        """
        touched: set[WireKey] = set()
        owners: set[str] = set()
        before, self._design = self._design, design
        if design.connections is not before.connections:
            old, new = before.connections, design.connections
            for name in differing(old, new):
                touched.add(("connection", name))
                self._replace(("connection", name), _connection_ends(new.get(name)), owners)
                self._tie_ends(old.get(name), new.get(name), owners)
        if design.interconnections is not before.interconnections:
            for name in differing(before.interconnections, design.interconnections):
                touched.add(("interconnection", name))
                ends = _interconnection_ends(design.interconnections.get(name))
                self._replace(("interconnection", name), ends, owners)
        return touched, owners

    def regroup(
        self, vlnv: Vlnv, touched: Iterable[WireKey], pins_of: Iterable[PinRef], pins: Mapping[PinRef, Pin]
    ) -> tuple[list[Branch], list[Branch]]:
        """Make the nets anew that have touched wires, and those at pins that are drawn differently.

        Returns:
            The branches that are gone, and the new ones.
        """
        keys = set(touched)
        for key in [*keys]:
            for ref, _slice in self.ends.get(key, ()):
                keys.update(self._at_pin[ref])
        for ref in pins_of:
            keys.update(self._at_pin.get(ref, ()))
        nets = {self._net_of[key] for key in keys if key in self._net_of}
        for net in nets:
            keys.update(self._members.pop(net))
        gone = [branch for net in nets for branch in self.nets[net].branches]
        members = sorted((key for key in keys if len(self.ends.get(key, ())) > 1), key=self._place)
        for key in keys:
            self._net_of.pop(key, None)
        added: list[Branch] = []
        made: set[str] = set()
        for group in self._grouped(members):
            fresh = self._net(vlnv, group, pins)
            made.add(fresh.key)
            self._members[fresh.key] = group
            for key in group:
                self._net_of[key] = fresh.key
            known = self.nets.get(fresh.key)
            if known is None or known != fresh:
                self.nets[fresh.key] = fresh
            added += self.nets[fresh.key].branches
        for net in nets - made:
            del self.nets[net]
        return gone, added

    def _place(self, key: WireKey) -> tuple[bool, int]:
        kind, name = key
        source: FrozenMap[str, Connection] | FrozenMap[str, Interconnection] = (
            self._design.connections if kind == "connection" else self._design.interconnections
        )
        return kind != "connection", source.place(name)

    def _replace(self, key: WireKey, ends: list[End], owners: set[str]) -> None:
        old = self.ends.pop(key, ())
        for ref in {ref for ref, _slice in old} if old else ():
            owners.add(ref.instance)
            self._at_pin[ref].pop(key)
            if len(old) > 1:
                uses = self._uses[ref.instance]
                uses[ref] -= 1
                if not uses[ref]:
                    del uses[ref]
        for ref in dict.fromkeys([ref for ref, _slice in ends]):
            owners.add(ref.instance)
            self._at_pin[ref][key] = None
            if len(ends) > 1:
                uses = self._uses[ref.instance]
                uses[ref] = uses.get(ref, 0) + 1
        if ends:
            self.ends[key] = ends

    def _tie_ends(self, old: Connection | None, new: Connection | None, owners: set[str]) -> None:
        if old is not None and old.tied_value:
            for ref in dict.fromkeys(map(endpoint_ref, old.ends)):
                values = self._tied[ref.instance][ref]
                del values[old.name]
                if not values:
                    del self._tied[ref.instance][ref]
                owners.add(ref.instance)
        if new is not None and new.tied_value:
            for ref in map(endpoint_ref, new.ends):
                self._tied[ref.instance].setdefault(ref, {})[new.name] = new.tied_value
                owners.add(ref.instance)

    def _grouped(self, members: Sequence[WireKey]) -> list[list[WireKey]]:
        """Those that share an end, directly or through others, are one group; groups in the order of their first."""
        joined = Joined[End]()
        for key in members:
            ends = self.ends[key]
            for end in ends[1:]:
                joined.join(ends[0], end)
        groups: dict[End, list[WireKey]] = defaultdict(list)
        for key in members:
            groups[joined.root(self.ends[key][0])].append(key)
        return list(groups.values())

    def _net(self, vlnv: Vlnv, group: list[WireKey], pins: Mapping[PinRef, Pin]) -> Net:
        ref, slice_ = self.ends[group[0]][0]
        key = f"{ref.instance}.{ref.name}{slice_}{'*' if ref.interface else ''}"
        branches: list[Branch] = []
        shown: list[Pin] = []
        slices: list[str] = []
        for wire in group:
            ends = self.ends[wire]
            branches += _branches(key, ElementId(vlnv, *wire), ends, pins)
            shown += [pins[ref] for ref, _slice in ends if ref in pins]
            slices += [slice_ for _ref, slice_ in ends if slice_]
        return Net(key, _tone(shown, slices), _label(shown, slices), tuple(branches))


def _slice(end: Endpoint) -> str:
    """The part of the port that an end means, as text."""
    if not end.left and not end.path:
        return ""  # by far the most
    return str(end.model_copy(update={"instance": "", "port": ""}))


def _connection_ends(connection: Connection | None) -> list[End]:
    return [(endpoint_ref(end), _slice(end)) for end in connection.ends] if connection is not None else []


def _interconnection_ends(link: Interconnection | None) -> list[End]:
    return [(PinRef(end.instance, end.interface, True), "") for end in link.all_ends] if link is not None else []


def _branches(net: str, element: ElementId, ends: list[End], pins: Mapping[PinRef, Pin]) -> list[Branch]:
    refs = list(dict.fromkeys([ref for ref, _slice in ends]))
    source = next((ref for ref in refs if ref in pins and _is_source(pins[ref])), refs[0])
    if source not in pins:
        return []
    return [
        Branch(f"{element.kind}:{element.name}:{index}", net, source, target, element)
        for index, target in enumerate([ref for ref in refs if ref != source])
        if target in pins
    ]


def _is_source(pin: Pin) -> bool:
    if pin.shape in ("inout", "phantom", "both"):
        return False
    return (pin.side == "E") == bool(pin.ref.instance)


def _tone(pins: list[Pin], slices: list[str]) -> Tone:
    tones = {pin.tone for pin in pins}
    if slices:
        tones.discard("clock")
    return max(tones, key=_TONE_RANK.__getitem__, default="wire")


def _label(pins: list[Pin], slices: list[str]) -> str:
    for pin in pins:
        if pin.bus:
            return pin.bus
    if slices:
        return slices[0]
    return next((pin.width for pin in pins if pin.width), "")
