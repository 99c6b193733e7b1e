from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.assisted.ends import instance_names, placed_instances, with_ends_written_out
from model.elements import Component, Design, Instance, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv


def component(name: str, ports: str, **instances: Component) -> Component:
    inside = {name: Instance(name=name, component=of.vlnv) for name, of in instances.items()}
    return Component(
        vlnv=Vlnv.parse(f"acme:soc:{name}:1.0"),
        ports=FrozenMap({port: SignalPort(name=port, direction="inout") for port in ports.split()}),
        designs=FrozenMap({"rtl": Design(instances=FrozenMap(inside))} if inside else {}),
    )


UART = component("uart", "clk rst_n irq rx tx")
BAR = component("bar", "clk m0 m1 m2 irq0")
TOP = component("top", "clk rst_n irq pad", u_uart=UART, u_bar=BAR)
OTHER = component("other", "clk", u_uart=BAR)
EMPTY = component("empty", "clk")
LIBRARY = Library.of([UART, BAR, TOP, OTHER, EMPTY])


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("In acme:soc:top:1.0 wire u_uart's tx to pad.", "In acme:soc:top:1.0 wire u_uart.tx to pad."),
        ("In acme:soc:top:1.0, irq of u_uart drives u_bar's irq0", "In acme:soc:top:1.0, u_uart.irq drives u_bar.irq0"),
        (
            "Put acme:soc:uart:1.0 into acme:soc:top:1.0 as u_two, its clk from clk; its irq to irq0 of u_bar.",
            "Put acme:soc:uart:1.0 into acme:soc:top:1.0 as u_two, u_two.clk from clk; u_two.irq to u_bar.irq0.",
        ),
        (
            "On acme:soc:top:1.0 feed u_uart: its clk, rst_n and rx from clk and rst_n",
            "On acme:soc:top:1.0 feed u_uart: u_uart.clk, u_uart.rst_n and u_uart.rx from clk and rst_n",
        ),
        (
            "acme:soc:top:1.0: tie clk and rst_n to clk and rst_n of u_uart",
            "acme:soc:top:1.0: tie clk and rst_n to u_uart.clk and u_uart.rst_n",
        ),
        ("acme:soc:top:1.0: the rx input of u_uart to pad", "acme:soc:top:1.0: the u_uart.rx to pad"),
        (
            "acme:soc:top:1.0: instance u_two of acme:soc:uart:1.0, pad to its rx, clk to its clk.",
            "acme:soc:top:1.0: instance u_two of acme:soc:uart:1.0, pad to u_two.rx, clk to u_two.clk.",
        ),
        ("acme:soc:top:1.0: tx on m0 of u_bar, please", "acme:soc:top:1.0: tx on u_bar.m0, please"),
        (
            "Put two acme:soc:uart:1.0 in acme:soc:empty:1.0, named r0 and r1; r0's tx to r1's rx, r0's clk from clk",
            "Put two acme:soc:uart:1.0 in acme:soc:empty:1.0, named r0 and r1; r0.tx to r1.rx, r0.clk from clk",
        ),
        (
            "acme:soc:uart:1.0 goes into acme:soc:top:1.0 as u_two and pad drives its rx",
            "acme:soc:uart:1.0 goes into acme:soc:top:1.0 as u_two and pad drives u_two.rx",
        ),
    ],
)
def test_the_port_of_an_instance_is_written_as_an_end(said: str, read: str) -> None:
    assert with_ends_written_out(said, LIBRARY) == read


@pytest.mark.parametrize(
    "said",
    [
        "Add an output irq to the top's clk",
        "In acme:soc:top:1.0 wire u_uart's nothing to pad",
        "In acme:soc:top:1.0 connect m0 to m2 of u_bar to the pads",
        "In acme:soc:top:1.0 wire u_uart.tx to pad, its width is 1",
        "rx of u_uart to pad",  # the two u_uart of this library are of different components
        "irq of acme:soc:uart:1.0 gets a description",
    ],
)
def test_what_may_mean_something_else_is_left_alone(said: str) -> None:
    assert with_ends_written_out(said, LIBRARY) == said


def test_a_name_may_hold_any_character() -> None:
    odd = component("odd", "clk", **{"u(": UART})
    said = "In acme:soc:odd:1.0, 'u(' is placed: its clk comes from clk"
    assert "u(.clk comes" in with_ends_written_out(said, Library.of([UART, odd]))


WORDS = [
    "its",
    "u_uart",
    "u_bar's",
    "u_uart's",
    "clk",
    "m0",
    "of",
    "on",
    "and",
    ",",
    "to",
    "acme:soc:top:1.0",
    "tx.",
    "the",
]


@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
def test_reading_twice_is_reading_once_and_invents_no_port(said: str) -> None:
    read = with_ends_written_out(said, LIBRARY)
    assert with_ends_written_out(read, LIBRARY) == read
    ends = [word.strip(",") for word in read.split() if word.startswith(("u_uart.", "u_bar."))]
    assert all(end.rstrip(".") in {"u_uart.clk", "u_uart.tx", "u_bar.clk", "u_bar.m0"} for end in ends)


@pytest.mark.parametrize(
    "said",
    [
        "acme:soc:top:1.0 gets an instance u_two of acme:soc:uart:1.0",
        "Put acme:soc:uart:1.0 into acme:soc:top:1.0 as u_two",
        "acme:soc:uart:1.0 into acme:soc:top:1.0; instance label u_two",
        "acme:soc:bar:1.0 is there already; place `u_two` of acme:soc:uart:1.0: an instance u_two of acme:soc:uart:1.0",
    ],
)
def test_an_instance_that_is_placed_is_of_the_component_said(said: str) -> None:
    assert dict(placed_instances(said, LIBRARY)) == {"u_two": UART}
    assert instance_names(said) == {"u_two"}
