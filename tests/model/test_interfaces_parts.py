"""Bus interfaces whose ports are mapped to parts of logical ports."""

from __future__ import annotations

import pytest

from model.elements import (
    BusInterface,
    Component,
    Design,
    Instance,
    Interconnection,
    InterfaceEnd,
    PortMap,
    SignalPort,
)
from model.frozen_map import FrozenMap
from model.graph import route
from model.interfaces import expand_interfaces
from model.library import Library
from model.vlnv import Vlnv

BUS = Vlnv("a", "l", "bus", "1")


def component(name: str, ports: dict[str, str], maps: tuple[PortMap, ...], **more: object) -> Component:
    """A component with one interface ``i``; ports by name, each with its left bound or ""."""
    made = {
        port: SignalPort(name=port, direction="in", left=left, right="0" if left else "")
        for port, left in ports.items()
    }
    interface = BusInterface(name="i", mode="target", bus_type=BUS, port_maps=maps)
    return Component(
        vlnv=Vlnv("a", "l", name, "1"), ports=FrozenMap(made), bus_interfaces=FrozenMap({"i": interface}), **more
    )


def joined(*parts: Component, monitored: bool = False) -> list[str]:
    """What joining interface ``i`` of instances of these components stands for."""
    ends = [InterfaceEnd(instance=part.vlnv.name, interface="i") for part in parts]
    watched = ends.pop() if monitored else None
    bus = Interconnection(name="bus", ends=tuple(ends), monitored=watched)
    top = Component(
        vlnv=Vlnv("a", "l", "top", "1"),
        designs=FrozenMap(
            {
                "hier": Design(
                    instances=FrozenMap(
                        (part.vlnv.name, Instance(name=part.vlnv.name, component=part.vlnv)) for part in parts
                    ),
                    interconnections=FrozenMap({"bus": bus}),
                )
            }
        ),
    )
    library = Library.of((*parts, top))
    expansion = expand_interfaces(library, top, top.design)
    return [
        *(f"{each.name}: {' '.join(map(str, each.ends))}" for each in expansion.connections),
        *(finding.code for finding in expansion.findings),
    ]


WIDE = component("wide", {"d": "15"}, (PortMap(logical="D", physical="d"),))


def test_two_ports_make_one_logical_port() -> None:
    halves = component(
        "halves",
        {"hi": "7", "lo": "7"},
        (
            PortMap(logical="D", physical="hi", logical_left="15", logical_right="8"),
            PortMap(logical="D", physical="lo", logical_left="7", logical_right="0"),
        ),
    )
    assert joined(WIDE, halves) == ["bus.D.0: wide.d[7:0] halves.lo", "bus.D.1: wide.d[15:8] halves.hi"]
    assert joined(halves, halves.model_copy(update={"vlnv": Vlnv("a", "l", "more", "1")})) == [
        "bus.D.0: halves.lo more.lo",
        "bus.D.1: halves.hi more.hi",
    ]


def test_parts_of_different_sizes_meet_bit_by_bit() -> None:
    middle = component(
        "middle",
        {"m": "11"},
        (PortMap(logical="D", physical="m", left="7", right="0", logical_left="11", logical_right="4"),),
    )
    assert joined(WIDE, middle) == ["bus.D.1: wide.d[11:4] middle.m[7:0]"]


def test_the_whole_port_stays_an_expression() -> None:
    other = component("other", {"x": "W-1"}, (PortMap(logical="D", physical="x"),))
    assert joined(WIDE, other) == ["bus.D: wide.d other.x"]


def test_parts_without_a_value_are_not_joined() -> None:
    odd = component("odd", {"x": "7"}, (PortMap(logical="D", physical="x", logical_left="Q", logical_right="0"),))
    assert joined(WIDE, odd) == ["logical-port-split"]
    short = component("short", {"x": "7"}, (PortMap(logical="D", physical="x", logical_left="3", logical_right="0"),))
    assert joined(WIDE, short) == ["logical-port-split"]


def test_a_tied_off_logical_port_joins_nothing() -> None:
    tied = component("tied", {}, (PortMap(logical="D", physical="", tie_off="0"),))
    assert joined(WIDE, tied) == []


@pytest.mark.parametrize("monitored", [False, True])
def test_a_monitor_takes_part(monitored: bool) -> None:
    spy = component("spy", {"s": "15"}, (PortMap(logical="D", physical="s"),))
    assert sorted(joined(WIDE, spy, monitored=monitored)[0].split(": ")[1].split()) == ["spy.s", "wide.d"]


def test_a_way_leads_through_a_mapped_part() -> None:
    halves = component(
        "halves", {"lo": "7"}, (PortMap(logical="D", physical="lo", logical_left="7", logical_right="0"),)
    )
    bus = Interconnection(
        name="bus", ends=tuple(InterfaceEnd(instance=name, interface="i") for name in ("wide", "halves"))
    )
    instances = {part.vlnv.name: Instance(name=part.vlnv.name, component=part.vlnv) for part in (WIDE, halves)}
    design = Design(instances=FrozenMap(instances), interconnections=FrozenMap({"bus": bus}))
    top = Component(vlnv=Vlnv("a", "l", "top", "1"), designs=FrozenMap({"h": design}))
    found = route(Library.of((WIDE, halves, top)), top, ("wide", "d"), ("halves", "lo"))
    assert found is not None
    assert found.distance == 1
