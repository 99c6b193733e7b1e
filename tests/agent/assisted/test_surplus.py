from __future__ import annotations

import pytest
from small_design import LIBRARY

from agent.assisted.mentions import Mentions
from agent.assisted.surplus import additions_unsaid, in_words, is_meant_by_a_word, is_surplus, is_there_already
from agent.models.base import ToolCall
from server.contract import TOOLS

TOP = "acme:soc:top:1.0"


def wire(source: str, target: str) -> ToolCall:
    ends: dict[str, str] = {}
    for side, end in (("source", source), ("target", target)):
        instance, _dot, port = end.rpartition(".")
        ends |= {f"{side}_instance": instance, f"{side}_port": port}
    return ToolCall("add_subcomponent_connection", {"component": TOP} | ends)


def place(component: str, instance: str) -> ToolCall:
    return ToolCall("add_subcomponent", {"component": component, "subcomponent": component, "instance_name": instance})


CLOCK, INTERRUPT = wire("clk", "u_uart.clk"), wire("u_uart.irq", "u_spi.irq")


def test_a_connection_that_nobody_asked_for_is_surplus_beside_one_that_is_asked_for() -> None:
    mentions = Mentions.of(f"In {TOP} u_uart.clk comes from clk")
    assert is_surplus(INTERRUPT, [CLOCK, INTERRUPT], mentions)
    assert not is_surplus(CLOCK, [CLOCK, INTERRUPT], mentions)
    assert not is_surplus(INTERRUPT, [INTERRUPT], mentions)


def test_a_connection_is_no_surplus_where_a_port_of_it_is_named_or_all_are_meant() -> None:
    for request in (f"In {TOP} clk to u_uart.clk, and the irq", f"In {TOP} clk to u_uart.clk and all the rest"):
        assert not is_surplus(INTERRUPT, [CLOCK, INTERRUPT], Mentions.of(request))


def test_a_component_in_itself_is_surplus_unless_the_request_says_it() -> None:
    socket = ToolCall("add_transactional_port", {"component": TOP, "name": "s2", "initiative": "provides"})
    mentions = Mentions.of(f"Extend {TOP} by a transactional port s2 that provides")
    assert is_surplus(place(TOP, "s2"), [place(TOP, "s2"), socket], mentions)
    assert is_surplus(place(TOP, "u_top"), [place(TOP, "u_top"), socket], mentions)
    assert not is_surplus(place(TOP, "u_top"), [place(TOP, "u_top")], mentions)
    mentions = Mentions.of(f"Extend {TOP} by a transactional port s2 that provides, and place it in itself as u_top")
    assert not is_surplus(place(TOP, "u_top"), [place(TOP, "u_top"), socket], mentions)


def test_what_is_added_to_a_component_that_is_only_placed_is_surplus() -> None:
    leaf = "acme:soc:leaf:1.0"
    add = ToolCall("add_signal_port", {"component": leaf, "name": "clk", "direction": "in"})
    put = ToolCall("add_subcomponent", {"component": TOP, "subcomponent": leaf, "instance_name": "u_leaf"})
    mentions = Mentions.of(f"Put {leaf} into {TOP} as u_leaf, clk to its clk")
    assert is_surplus(add, [put, add], mentions)
    assert not is_surplus(add, [add], mentions)


def test_what_is_added_under_a_name_that_nobody_said_is_surplus() -> None:
    said, unsaid = (
        ToolCall("add_signal_port", {"component": TOP, "name": name, "direction": "out"}) for name in ("qen", "irq")
    )
    mentions = Mentions.of(f"{TOP} gets an output qen")
    assert is_surplus(unsaid, [said, unsaid], mentions)
    assert not is_surplus(said, [said, unsaid], mentions)
    assert not is_surplus(unsaid, [said, unsaid], Mentions.of(f"{TOP} gets an output qen and all the others too"))


def test_a_port_may_be_meant_by_what_it_is_for() -> None:
    reset = wire("rst_n", "u_uart.arst_n")
    assert is_meant_by_a_word(reset, Mentions.of("clk to u_uart.clk, and the reset"))
    assert not is_meant_by_a_word(reset, Mentions.of("clk to u_uart.clk"))


def test_a_call_that_the_request_has_no_word_for_is_surplus_beside_one_that_it_has() -> None:
    add = ToolCall("add_signal_port", {"component": TOP, "name": "valid", "direction": "out"})
    mentions = Mentions.of(f"Give {TOP} an output valid")
    assert is_surplus(wire("valid", "clk"), [add, wire("valid", "clk")], mentions)
    assert not is_surplus(wire("valid", "clk"), [wire("valid", "clk")], mentions)


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_every_call_can_be_told_to_the_user(tool: str) -> None:
    schema = TOOLS[tool].input_schema()
    told = in_words(ToolCall(tool, dict.fromkeys(schema.get("required", ()), "x")))
    assert told
    assert "x" in told or not schema.get("required")


@pytest.mark.parametrize(
    ("direction", "target", "there"), [("in", "clk", True), ("out", "clk", False), ("in", "x", False)]
)
def test_a_port_to_be_connected_that_is_there_need_not_be_made(direction: str, target: str, there: bool) -> None:
    add = ToolCall("add_signal_port", {"component": TOP, "name": "clk", "direction": direction})
    assert is_there_already(add, [add, wire("u_uart.tx", target)], LIBRARY) is there


@pytest.mark.parametrize(
    ("request_", "left"),
    [
        (f"{TOP} wants the usual clk and rst_n inputs as well", 1),
        (f"{TOP} wants the usual clk and rst_n inputs, and a leaf", 0),
        (f"{TOP} wants clk, and the same instances as before", 0),
        (f"{TOP} wants its instances", 0),
    ],
)
def test_what_nobody_said_is_not_added_beside_what_was_said(request_: str, left: int) -> None:
    plan = [
        ToolCall("add_signal_port", {"component": TOP, "name": "clk", "direction": "in"}),
        ToolCall(
            "add_subcomponent", {"component": TOP, "subcomponent": "acme:soc:leaf:1.0", "instance_name": "u_leaf"}
        ),
    ]
    assert additions_unsaid(plan, Mentions.of(request_)) == plan[2 - left :]
