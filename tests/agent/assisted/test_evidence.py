from __future__ import annotations

import pytest
from small_design import SPECS

from agent.assisted.evidence import (
    asks_for,
    is_on_topic,
    may_delete,
    may_delete_a_whole,
    may_make_a_component,
    names_what_is_done,
    of_the_same_sort,
    only_joins,
    possible_tools,
)
from agent.assisted.number_words import with_numbers_as_digits
from server.contract import TOOLS


def offered(request: str) -> set[str]:
    return {tool.name for tool in possible_tools(request, SPECS)}


def test_an_input_is_neither_a_parameter_nor_transactional() -> None:
    kinds = {"add_user_parameter", "add_generator_parameter", "add_transactional_port"}
    assert not offered("Give the UART a single-bit input scan_en") & kinds


@pytest.mark.parametrize(
    "request_", ["FIFO_DEPTH = 16 on the UART", "a paramter DEPTH of 16", "input or generic DEPTH"]
)
def test_a_parameter_stays_possible_when_it_may_be_meant(request_: str) -> None:
    assert "add_user_parameter" in offered(request_)


@pytest.mark.parametrize("request_", ["a TLM target port", "two scokets", "the port provides read access"])
def test_transactional_ports_need_a_word_of_that_world(request_: str) -> None:
    assert "add_transactional_port" in offered(request_)


def test_everything_else_is_always_offered() -> None:
    always = set(TOOLS) - {"add_user_parameter", "add_generator_parameter", "add_transactional_port"}
    assert always <= offered("Remove it")
    assert always - {"delete_element", "delete_component"} <= offered("Hello")


@pytest.mark.parametrize(
    ("request_", "may"),
    [
        ("drop in a:b:phy:1.0 as phy0", False),
        ("Drop an a:b:phy:1.0 into the top", False),
        ("Drop a:b:phy:1.0", True),
        ("drop the in port", True),
        ("Cut that wire", True),
        ("please bin the block, it isn't instantiated anywhere", True),
        ("OK, yank a:b:c:1.0", True),
        ("b:c:d:1.0 is banned: force-delete it", True),
        ("Extend the block by an input", False),
        ("In the top, add an input", False),
        ("mesh router a:b:c:1.0 needs an input", False),
        ("Two sockets for a:b:c:1.0: the first is called s0", False),
    ],
)
def test_what_is_dropped_in_is_not_deleted(request_: str, may: bool) -> None:
    assert may_delete(request_) is may


@pytest.mark.parametrize(
    ("request_", "may"),
    [
        ("Set DEPTH on u_fifo only, the component keeps what it has", False),
        ("The width is wrong, make it 8", False),
        ("Replace a:b:c:1.0 by a:b:c:2.0", True),
        ("force-delete a:b:c:1.0", True),
        ("please bin the block", True),
    ],
)
def test_a_whole_goes_only_where_the_request_says_so(request_: str, may: bool) -> None:
    assert may_delete_a_whole(request_) is may


def test_number_words_read_as_digits_too() -> None:
    assert "4" in with_numbers_as_digits("four bits wide").split()
    assert "32" in with_numbers_as_digits("thirty-two bits").split()


@pytest.mark.parametrize(
    ("tool", "request_"),
    [
        ("delete_component", "Delete the component acme:periph:i2c:1.0"),
        ("delete_element", "dlete the test_mode port"),
        ("list_components", "do we have anything from acme?"),
        ("add_subcomponent_connection", "conect clk to u_uart.clk"),
    ],
)
def test_a_word_for_what_a_tool_does_asks_for_it(tool: str, request_: str) -> None:
    assert asks_for(tool, request_)


def test_a_simulation_asks_for_no_tool() -> None:
    assert not any(asks_for(tool, "Simulate acme:periph:uart:1.0 for 10 us") for tool in TOOLS)


def test_a_word_inside_a_name_asks_for_nothing() -> None:
    assert not asks_for("create_component", "kestrel:cpu:rv64:1.0 has BUILD_ID and make_up")
    assert not may_make_a_component("A parameter BUILD_ID on acme:periph:uart:1.0")


def test_what_designs_are_made_of_is_on_topic() -> None:
    assert is_on_topic("The channels, all three types, get the same cfg port")
    assert is_on_topic("Wire them up")
    assert not is_on_topic("Which restaurant is open on Sundays?")


def test_the_same_again_under_another_name_makes_a_component() -> None:
    assert may_make_a_component("Same again under the name chan_b: vendor, library and version as before")
    assert may_make_a_component("We need a third channel type")
    assert not may_make_a_component("Into the frontend with it, as u_pack")


def test_one_component_and_ports_are_no_matter_of_instances() -> None:
    assert "add_subcomponent" not in offered("To acme:mem:ram:1.0, add the outputs parity and perr")
    assert "add_subcomponent" in offered("Give acme:soc:top:1.0 an output irq and place the UART")
    assert "add_subcomponent" in offered("Give acme:soc:top:1.0 another UART with an output")
    assert "add_subcomponent" in offered("An output for acme:soc:top:1.0, and acme:io:uart:1.0")


def test_a_word_for_just_one_tool_is_no_general_one() -> None:
    assert names_what_is_done("add_subcomponent_connection", "Wire clk to u_uart.clk")
    assert names_what_is_done("add_subcomponent", "Instantiate the UART")
    assert not names_what_is_done("add_subcomponent", "Add the outputs parity and perr")


def test_labels_of_a_vlnv_make_a_component() -> None:
    assert may_make_a_component("We ned an APB splitter: vendor acme, library io, nam apb_split, version 1.0")


@pytest.mark.parametrize(
    ("request_", "only"),
    [
        ("In acme:soc:top:1.0, wire u_uart.tx to the output tx", True),
        ("hook u_a.irq up to u_b.irq", True),
        ("Wire u_uart.tx to a new output tx", False),
        ("The top needs an output tx, wired to u_uart.tx", False),
        ("An output tx", False),
    ],
)
def test_a_request_that_only_joins_has_no_word_for_adding(request_: str, only: bool) -> None:
    assert only_joins(request_) is only


def test_one_more_of_the_sort_is_of_the_kind_that_was_added_last() -> None:
    last = ["add_user_parameter"]
    kept = {tool.name for tool in of_the_same_sort("one more of the same sort: COEF_W, 18", last, SPECS)}
    assert "add_user_parameter" in kept
    assert "delete_element" in kept
    assert "add_signal_port" not in kept
    for request, before in (("the same as an input", last), ("COEF_W, 18", last), ("one more of the sort", [])):
        assert of_the_same_sort(request, before, SPECS) == SPECS


@pytest.mark.parametrize(
    ("request_", "again"),
    [
        ("Do the same for the sequencer, but 50 there.", True),
        ("Same thing with the reset.", True),
        ("do that again with the second block", True),
        ("Give it the same vendor and a port", False),
        ("It needs an input en", False),
    ],
)
def test_what_is_done_again_is_done_with_the_same_tools(request_: str, again: bool) -> None:
    left = {tool.name for tool in of_the_same_sort(request_, ["add_generator_parameter"], SPECS)}
    assert (left == {"add_generator_parameter"}) is again


def test_what_a_request_says_beside_the_same_is_possible_too() -> None:
    left = of_the_same_sort("Do the same for the timer, and save it", ["add_signal_port"], SPECS)
    assert {tool.name for tool in left} == {"add_signal_port", "save_component"}
