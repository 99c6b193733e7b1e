from __future__ import annotations

import pytest
from small_design import LIBRARY, UART

from agent.assisted.creation import with_creation
from agent.assisted.mentions import Mentions
from agent.models.base import ToolCall

NEW = "acme:soc:chip:0.1"
CREATE = ToolCall("create_component", {"vendor": "acme", "library": "soc", "name": "chip", "version": "0.1"})
FILL = ToolCall("add_signal_port", {"component": NEW, "name": "xtal", "direction": "in"})


@pytest.mark.parametrize(
    "request_",
    [
        f"I want a small test chip, {NEW}, with an input xtal",
        f"Set up another block called {NEW}: input xtal",
        f"new: {NEW} (input xtal)",
        f"Build me a quick cell: component {NEW} with input xtal",
        f"Drop the old one, then open {NEW} as its successor: input xtal",
    ],
)
def test_what_a_request_introduces_is_made_before_it_is_filled(request_: str) -> None:
    assert with_creation([FILL], Mentions.of(request_), LIBRARY) == (CREATE, FILL)
    assert with_creation([CREATE, FILL], Mentions.of(request_), LIBRARY) == (CREATE, FILL)


@pytest.mark.parametrize(
    "request_",
    [
        f"Add an input xtal to {NEW}",
        f"{NEW} needs a clock input xtal",
        f"Put a 1-bit input called xtal on {NEW}",
        f"The chip {NEW} gets an input xtal",
    ],
)
def test_what_a_request_takes_for_granted_is_not_made(request_: str) -> None:
    assert with_creation([FILL], Mentions.of(request_), LIBRARY) == (FILL,)


def test_what_exists_or_is_only_placed_is_not_made() -> None:
    place = {"component": "acme:soc:top:1.0", "subcomponent": NEW, "instance_name": "u_chip"}
    calls = [ToolCall("add_subcomponent", place)]
    assert with_creation(calls, Mentions.of(f"Place a chip, {NEW}, in acme:soc:top:1.0"), LIBRARY) == tuple(calls)
    fill = ToolCall("add_signal_port", {"component": str(UART.vlnv), "name": "xtal", "direction": "in"})
    assert with_creation([fill], Mentions.of(f"a UART, {UART.vlnv}, with input xtal"), LIBRARY) == (fill,)


CONNECT = ToolCall(
    "add_subcomponent_connection",
    {"component": "acme:soc:top:1.0", "source_port": "clk", "target_instance": "u_two", "target_port": "clk"},
)
PLACE = ToolCall(
    "add_subcomponent",
    {"component": "acme:soc:top:1.0", "subcomponent": str(UART.vlnv), "instance_name": "u_two"},
)


@pytest.mark.parametrize("placing", ["new instance u_two of acme:periph:uart:1.0", "acme:periph:uart:1.0 as u_two"])
def test_an_instance_that_a_request_places_is_made_before_it_is_connected(placing: str) -> None:
    mentions = Mentions.of(f"acme:soc:top:1.0 -> {placing}; clk to u_two.clk")
    assert with_creation([CONNECT], mentions, LIBRARY) == (PLACE, CONNECT)
    assert with_creation([PLACE, CONNECT], mentions, LIBRARY) == (PLACE, CONNECT)


def test_an_instance_that_is_there_or_only_spoken_of_is_not_made() -> None:
    known = ToolCall(CONNECT.name, CONNECT.arguments | {"target_instance": "u_uart"})
    mentions = Mentions.of("In acme:soc:top:1.0, instance u_uart of acme:periph:uart:1.0: clk to u_uart.clk")
    assert with_creation([known], mentions, LIBRARY) == (known,)
    mentions = Mentions.of("In acme:soc:top:1.0 connect clk to u_two.clk")
    assert with_creation([CONNECT], mentions, LIBRARY) == (CONNECT,)


def test_an_own_port_that_a_request_introduces_is_made_before_it_is_connected() -> None:
    wire = ToolCall(CONNECT.name, CONNECT.arguments | {"source_port": "aon", "target_instance": "u_uart"})
    make = ToolCall("add_signal_port", {"component": "acme:soc:top:1.0", "name": "aon", "direction": "in"})
    mentions = Mentions.of("acme:soc:top:1.0 gets an input aon, which goes to u_uart.clk")
    assert with_creation([wire], mentions, LIBRARY) == (make, wire)
    assert with_creation([wire, make], mentions, LIBRARY) == (make, wire)
    for said in ("a 32-bit input aon, which", "an input aon of 32 bits which"):
        (wide, _wire) = with_creation([wire], Mentions.of(f"acme:soc:top:1.0 gets {said} goes to u_uart.clk"), LIBRARY)
        assert wide.arguments["width"] == "32"
    assert with_creation([wire], Mentions.of("Connect aon of acme:soc:top:1.0 to u_uart.clk"), LIBRARY) == (wire,)
