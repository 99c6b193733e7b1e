"""Designs and folders of any size, made without the operations that are measured on them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from model.elements import Component, Connection, Design, Endpoint, Instance, Parameter, SignalPort
from model.frozen_map import FrozenMap
from model.ipxact.write import write_component
from model.library import Library
from model.vlnv import Vlnv

CELL = Vlnv("acme", "speed", "cell", "1.0")
TOP = Vlnv("acme", "speed", "top", "1.0")


def cell() -> Component:
    """A leaf with a clock, data in and out, and a parameter that sets their width."""
    width = Parameter(name="W", kind="user", value="8", type="int")
    ports = (
        SignalPort(name="clk", direction="in"),
        SignalPort(name="d", direction="in", left="W-1", right="0"),
        SignalPort(name="q", direction="out", left="W-1", right="0"),
        SignalPort(name="en", direction="in", default_value="0"),
    )
    return Component(
        vlnv=CELL, ports=FrozenMap((port.name, port) for port in ports), parameters=FrozenMap({"W": width})
    )


def shift_register(instances: int, *, one_clock_connection: bool = False) -> Library:
    """A chain of cells on one clock: twice as many connections as instances, half of them on one net.

    Args:
        one_clock_connection: join the clock by a single connection with an end at each instance.
    """
    names = [f"u{number}" for number in range(instances)]
    connections = [
        Connection(
            name=f"{one}_q_to_{other}_d",
            ends=(Endpoint(instance=one, port="q"), Endpoint(instance=other, port="d")),
        )
        for one, other in pairwise(names)
    ]
    connections.append(
        Connection(name="din_to_u0_d", ends=(Endpoint(instance="", port="din"), Endpoint(instance="u0", port="d")))
    )
    clock = Endpoint(instance="", port="clk")
    clocked = [Endpoint(instance=name, port="clk") for name in names]
    if one_clock_connection:
        connections.append(Connection(name="clock", ends=(clock, *clocked)))
    else:
        connections.extend(Connection(name=f"clk_to_{end.instance}_clk", ends=(clock, end)) for end in clocked)
    design = Design(
        vlnv=Vlnv(TOP.vendor, TOP.library, "top.design", TOP.version),
        instances=FrozenMap((name, Instance(name=name, component=CELL)) for name in names),
        connections=FrozenMap((each.name, each) for each in connections),
    )
    ports = (
        SignalPort(name="clk", direction="in"),
        SignalPort(name="din", direction="in", left="7", right="0"),
        SignalPort(name="dout", direction="out", left="7", right="0"),
    )
    top = Component(
        vlnv=TOP,
        ports=FrozenMap((port.name, port) for port in ports),
        designs=FrozenMap({"hierarchical": design}),
    )
    return Library.of((cell(), top))


def many_ports(count: int) -> Library:
    """A component with many ports beside a small one."""
    ports = [SignalPort(name=f"p{number}", direction="in", left="7", right="0") for number in range(count)]
    wide = Component(vlnv=TOP, ports=FrozenMap((port.name, port) for port in ports))
    return Library.of((cell(), wide))


def write_library(folder: Path, files: int) -> None:
    """Write a folder of components in the usual layout, every tenth with a design (a file of its own)."""
    leaf = cell()
    _write(folder, leaf)
    written = 1
    while written < files:
        name = f"block{written}"
        ports = [SignalPort(name=f"p{number}", direction="in", left="7", right="0") for number in range(20)]
        designs: FrozenMap[str, Design] = FrozenMap()
        if written % 10 == 1 and written + 1 < files:
            instances = [Instance(name=f"u{number}", component=CELL) for number in range(10)]
            joins = [
                Connection(
                    name=f"n{number}",
                    ends=(
                        Endpoint(instance=f"u{number}", port="q"),
                        Endpoint(instance=f"u{number + 1}", port="d"),
                    ),
                )
                for number in range(9)
            ]
            design = Design(
                vlnv=Vlnv("acme", "speed", f"{name}.design", "1.0"),
                instances=FrozenMap((each.name, each) for each in instances),
                connections=FrozenMap((each.name, each) for each in joins),
            )
            designs = FrozenMap({"hierarchical": design})
        component = Component(
            vlnv=Vlnv("acme", "speed", name, "1.0"),
            ports=FrozenMap((port.name, port) for port in ports),
            designs=designs,
        )
        _write(folder, component)
        written += 1 + len(designs)


def _write(folder: Path, component: Component) -> None:
    vlnv = component.vlnv
    place = folder / vlnv.vendor / vlnv.library / vlnv.name / vlnv.version
    place.mkdir(parents=True)
    names = {CELL: {"W": "W"}}
    written = write_component(component, None, names.get)
    (place / f"{vlnv.name}.{vlnv.version}.xml").write_bytes(written.content)
    for content in written.designs.values():
        (place / f"{vlnv.name}.design.{vlnv.version}.xml").write_bytes(content)
