from __future__ import annotations

import pytest
from small_design import LIBRARY, TOP, UART

from agent.assisted.mentions import Mentions
from agent.assisted.repairs import (
    back_where_it_was,
    delete_the_named_part,
    for_each_that_is_named,
    put_into_what_it_goes_into,
    read_what_is_there,
    with_outputs_as_sources,
    with_own_ports_where_they_are_joined,
)
from agent.models.base import ToolCall
from model.elements import Component, Parameter, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv

UART_, TOP_ = str(UART.vlnv), str(TOP.vlnv)
FILTER = Component(
    vlnv=Vlnv.parse("acme:dsp:fir:1.0"),
    ports=FrozenMap(
        {
            "din": SignalPort(name="din", direction="in", left="7", right="0"),
            "dout": SignalPort(name="dout", direction="out", left="7", right="0"),
            "busy": SignalPort(name="busy", direction="out"),
        }
    ),
    parameters=FrozenMap({"TAPS": Parameter(name="TAPS", kind="user", value="16", type="int")}),
)
LARGER = Library.of([*LIBRARY, FILTER])


def port(name: str, component: str = UART_, **more: str) -> ToolCall:
    return ToolCall("add_signal_port", {"component": component, "name": name, "direction": "in"} | more)


def connection(source: str, target: str, component: str = TOP_) -> ToolCall:
    ends = {}
    for side, end in (("source", source), ("target", target)):
        instance, _dot, name = end.rpartition(".")
        ends |= {f"{side}_instance": instance, f"{side}_port": name}
    return ToolCall("add_subcomponent_connection", {"component": component, **ends})


def placed(component: str, subcomponent: str, name: str) -> ToolCall:
    return ToolCall("add_subcomponent", {"component": component, "subcomponent": subcomponent, "instance_name": name})


def test_a_port_is_added_where_the_plan_joins_it() -> None:
    wrong, joined = port("w0"), connection("w0", "u_uart.clk")
    assert with_own_ports_where_they_are_joined([wrong, joined], LIBRARY) == [port("w0", TOP_), joined]
    alone = port("w0")
    assert with_own_ports_where_they_are_joined([alone], LIBRARY) == [alone]
    there = [port("clk"), connection("clk", "u_uart.clk")]  # the top has a clk of its own
    assert with_own_ports_where_they_are_joined(there, LIBRARY) == there


@pytest.mark.parametrize(
    ("request_", "source"),
    [
        ("what comes out of u_a goes into din of u_b", "dout"),
        ("u_a's result to u_b", "dout"),
        ("connect din of u_a to din of u_b", "din"),
    ],
)
def test_what_comes_out_is_the_one_output_that_fits(request_: str, source: str) -> None:
    instances = {"u_a": str(FILTER.vlnv), "u_b": str(FILTER.vlnv)}
    call = with_outputs_as_sources(connection("u_a.din", "u_b.din"), LARGER, Mentions.of(request_), instances)
    assert call.arguments["source_port"] == source


@pytest.mark.parametrize(
    ("request_", "tool"),
    [
        ("Pull up the parameter TAPS, I have forgotten its limits", "get_element"),
        ("What is TAPS of the fir?", "get_element"),
        ("Add a parameter TAPS to the fir, like the others show", "add_user_parameter"),
        ("Show me that the parameter TAPS can go", "add_user_parameter"),
    ],
)
def test_what_is_there_is_looked_at_where_nothing_asks_for_adding_it(request_: str, tool: str) -> None:
    arguments = {"component": str(FILTER.vlnv), "name": "TAPS", "value": "16", "type": "int"}
    call = read_what_is_there(ToolCall("add_user_parameter", arguments), LARGER, request_)
    assert call.name == tool


@pytest.mark.parametrize(
    ("request_", "turned"),
    [
        ("Drop an uart into the serial top, as u_new", True),
        ("Drop an uart into our small serial top as u_new", True),
        ("Put the top into the uart as u_new", False),
        ("uart and top: u_new", False),
    ],
)
def test_an_instance_goes_into_what_the_request_says(request_: str, turned: bool) -> None:
    call = put_into_what_it_goes_into(placed(UART_, TOP_, "u_new"), Mentions.of(request_))
    assert (call == placed(TOP_, UART_, "u_new")) is turned


def test_what_is_taken_out_goes_back_where_it_was() -> None:
    out = ToolCall("delete_element", {"component": TOP_, "element_type": "subcomponent", "name": "u_uart"})
    wrong = placed(str(FILTER.vlnv), UART_, "u_uart")
    mentions = Mentions.of("Take u_uart out and put the new one in under the same name")
    assert back_where_it_was(wrong, [out], mentions) == placed(TOP_, UART_, "u_uart")
    assert back_where_it_was(wrong, [], mentions) == wrong
    assert back_where_it_was(wrong, [out], Mentions.of("Take u_uart out and put it into fir")) == wrong


@pytest.mark.parametrize(
    ("request_", "tool"),
    [
        ("The user parameter TAPS can go from the fir core", "delete_element"),
        ("Delete the fir core", "delete_component"),
        ("Delete the core with its parameters", "delete_component"),
    ],
)
def test_the_part_that_is_named_goes_and_not_the_whole(request_: str, tool: str) -> None:
    whole = ToolCall("delete_component", {"component": str(FILTER.vlnv)})
    assert delete_the_named_part(whole, [whole], LARGER, Mentions.of(request_)).name == tool


def test_both_get_what_both_need() -> None:
    request = "uart and fir both need inputs en and mode"
    some = [port("en"), port("mode", str(FILTER.vlnv))]
    made = for_each_that_is_named(some, LARGER, Mentions.of(request))
    assert {(call.arguments["component"], call.arguments["name"]) for call in made} == {
        (vlnv, name) for vlnv in (UART_, str(FILTER.vlnv)) for name in ("en", "mode")
    }
    assert for_each_that_is_named(some, LARGER, Mentions.of("uart needs an input en and fir an input mode")) == some
