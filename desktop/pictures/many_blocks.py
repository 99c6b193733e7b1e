"""A design of 300 blocks: clusters of cores with caches and peripherals, four in a row."""

from __future__ import annotations

from typing import Literal

from model.elements import Component, Connection, Design, Endpoint, Instance, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv

TOP = Vlnv("example", "soc", "manycore", "1.0")
_CLUSTERS = 25  # of twelve blocks
_IN_A_ROW = 4
_KINDS = ("core", "core", "core", "core", "l1", "l1", "l2", "dma", "irq", "timer", "uart", "gpio")


def many_blocks() -> Library:
    """300 blocks and some 500 wires."""
    leaves = {kind: _leaf(kind) for kind in dict.fromkeys(_KINDS)}
    instances: dict[str, Instance] = {}
    wires: dict[str, Connection] = {}

    def join(source: str, out: str, target: str, into: str) -> None:
        name = f"{source}_{out}_{target}_{into}" if source else f"{out}_{target}"
        ends = (Endpoint(instance=source, port=out), Endpoint(instance=target, port=into))
        wires[name] = Connection(name=name, ends=ends)

    for cluster in range(_CLUSTERS):
        names = [f"c{cluster:02}_{kind}{number}" for number, kind in enumerate(_KINDS)]
        for name, kind in zip(names, _KINDS, strict=True):
            instances[name] = Instance(name=name, component=leaves[kind].vlnv)
        core_a, core_b, core_c, core_d, l1_a, l1_b, l2, dma, irq, timer, uart, gpio = names
        for core, cache in ((core_a, l1_a), (core_b, l1_a), (core_c, l1_b), (core_d, l1_b)):
            join(core, "bus", cache, "a" if core in {core_a, core_c} else "b")
        join(l1_a, "bus", l2, "a")
        join(l1_b, "bus", l2, "b")
        join(l2, "bus", dma, "a")
        for index, peripheral in enumerate((timer, uart, gpio)):
            join(dma, f"m{index}", peripheral, "a")
            join(peripheral, "irq", irq, f"src{index}")
        if cluster % _IN_A_ROW:
            for number, core in enumerate((core_a, core_b, core_c, core_d)):
                join(f"c{cluster - 1:02}_dma7", "link", core, "link")
                if number == 0:
                    join(f"c{cluster - 1:02}_irq8", "irq", core, "irq")
        else:
            for core in (core_a, core_b, core_c, core_d):
                join("", f"axi{cluster // _IN_A_ROW}", core, "link")
    ports = [_port(f"axi{row}", "in", 32) for row in range(-(-_CLUSTERS // _IN_A_ROW))]
    top = Component(
        vlnv=TOP,
        ports=FrozenMap((port.name, port) for port in ports),
        designs=FrozenMap([("hierarchical", Design(instances=FrozenMap(instances), connections=FrozenMap(wires)))]),
    )
    return Library.of([*leaves.values(), top])


def _leaf(kind: str) -> Component:
    inputs: dict[str, int] = {}
    outputs: dict[str, int] = {}
    if kind == "core":
        inputs |= {"irq": 1, "link": 32}
        outputs["bus"] = 64
    elif kind in {"l1", "l2"}:
        inputs |= {"a": 64, "b": 64}
        outputs["bus"] = 64
    elif kind == "dma":
        inputs["a"] = 64
        outputs |= {"m0": 32, "m1": 32, "m2": 32, "link": 32}
    elif kind == "irq":
        inputs |= {"src0": 1, "src1": 1, "src2": 1}
        outputs["irq"] = 1
    else:
        inputs["a"] = 32
        outputs["irq"] = 1
    ports = [_port(name, "in", width) for name, width in inputs.items()]
    ports += [_port(name, "out", width) for name, width in outputs.items()]
    vlnv = Vlnv("example", "cell", kind, "1.0")
    return Component(vlnv=vlnv, ports=FrozenMap((port.name, port) for port in ports))


def _port(name: str, direction: Literal["in", "out"], width: int) -> SignalPort:
    if width == 1:
        return SignalPort(name=name, direction=direction)
    return SignalPort(name=name, direction=direction, left=str(width - 1), right="0")
