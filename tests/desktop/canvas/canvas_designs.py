"""A small system: a processor, a bus, two peripherals, one component that is missing."""

from __future__ import annotations

from model.elements import (
    BusInterface,
    Component,
    Connection,
    Design,
    Endpoint,
    Instance,
    Interconnection,
    InterfaceEnd,
    Parameter,
    PortMap,
    SignalPort,
)
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv

TOP = Vlnv.parse("acme:soc:top:1.0")
CPU = Vlnv.parse("acme:cpu:core:1.0")
BUS = Vlnv.parse("acme:bus:xbar:1.0")
UART = Vlnv.parse("acme:periph:uart:1.0")
GONE = Vlnv.parse("acme:periph:watchdog:1.0")
APB = Vlnv.parse("acme:bus:APB:1.0")


def named(*values):
    return FrozenMap((value.name, value) for value in values)


def port(name, direction, left="", right="", **more):
    return SignalPort(name=name, direction=direction, left=left, right=right, **more)


def end(text):
    instance, _dot, name = text.rpartition(".")
    return Endpoint(instance=instance, port=name)


def wire(name, *ends):
    return Connection(name=name, ends=tuple(end(text) for text in ends))


def link(name, *ends):
    pairs = [text.rpartition(".") for text in ends]
    return Interconnection(
        name=name, ends=tuple(InterfaceEnd(instance=first, interface=last) for first, _dot, last in pairs)
    )


def instances(**components):
    return named(*(Instance(name=name, component=vlnv) for name, vlnv in components.items()))


def interface(name, mode, maps=()):
    rows = tuple(PortMap(logical=physical.upper(), physical=physical) for physical in maps)
    return BusInterface(name=name, mode=mode, bus_type=APB, port_maps=rows)


def small_system() -> Library:
    cpu = Component(
        vlnv=CPU,
        ports=named(port("clk", "in"), port("irq", "in", "1", "0"), port("paddr", "out", "31", "0")),
        bus_interfaces=named(interface("m", "initiator", ["paddr"])),
    )
    bus = Component(
        vlnv=BUS, bus_interfaces=named(interface("s", "mirroredInitiator"), interface("m0", "mirroredTarget"))
    )
    uart = Component(
        vlnv=UART,
        ports=named(
            port("clk", "in"), port("rx", "in"), port("tx", "out"), port("irq", "out"), port("div", "in", "W-1", "0")
        ),
        parameters=named(Parameter(name="W", kind="user", value="16", type="int")),
        bus_interfaces=named(interface("apb", "target")),
    )
    inside = Design(
        instances=named(
            Instance(name="cpu", component=CPU),
            Instance(name="bus", component=BUS),
            Instance(name="uart", component=UART, parameters=FrozenMap([("W", "8")])),
            Instance(name="gone", component=GONE),
        ),
        connections=named(
            wire("clk_cpu", "clk", "cpu.clk"),
            wire("clk_uart", "clk", "uart.clk"),
            wire("irq", "uart.irq", "cpu.irq"),
            wire("tx", "uart.tx", "tx"),
            wire("bark", "gone.bark", "uart.rx"),
            Connection(name="tie", ends=(end("uart.div"),), tied_value="4"),
        ),
        interconnections=named(link("fetch", "cpu.m", "bus.s"), link("apb", "bus.m0", "uart.apb")),
    )
    top = Component(
        vlnv=TOP,
        ports=named(port("clk", "in"), port("tx", "out"), port("pads", "inout", "7", "0")),
        designs=FrozenMap([("hierarchical", inside)]),
    )
    return Library.of([cpu, bus, uart, top])


def sliced_system() -> Library:
    """Two outputs of four bits that make up one input of eight."""
    leaf = Component(vlnv=UART, ports=named(port("d", "in", "7", "0"), port("q", "out", "3", "0")))
    low = Endpoint(instance="c", port="d", left="3", right="0")
    high = Endpoint(instance="c", port="d", left="7", right="4")
    inside = Design(
        instances=instances(a=UART, b=UART, c=UART),
        connections=named(
            Connection(name="low", ends=(Endpoint(instance="a", port="q"), low)),
            Connection(name="high", ends=(Endpoint(instance="b", port="q"), high)),
        ),
    )
    return Library.of([leaf, Component(vlnv=TOP, designs=FrozenMap([("h", inside)]))])
