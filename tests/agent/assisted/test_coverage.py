from __future__ import annotations

import pytest
from small_design import LIBRARY, TOP, UART

from agent.assisted.coverage import left_untouched, nowhere, unheard_orders
from agent.assisted.leaning import leans_on_the_conversation
from agent.assisted.mentions import Mentions
from agent.assisted.unknown import unknown_names
from agent.models.base import ToolCall
from model.elements import Component
from model.library import Library
from model.vlnv import Vlnv


def port(name: str, **more: str) -> ToolCall:
    arguments = {"component": "acme:periph:uart:1.0", "name": name, "direction": "out"}
    return ToolCall("add_signal_port", arguments | more)


def test_a_name_that_no_call_uses_is_found() -> None:
    mentions = Mentions.of("Give acme:periph:uart:1.0 outputs tx_en, RTS and dbg[7:0]")
    assert left_untouched(mentions, LIBRARY, [port("tx_en")]) == ["RTS"]
    assert left_untouched(mentions, LIBRARY, [port("tx_en"), port("RTS")]) == []


def test_what_says_where_something_is_needs_no_call() -> None:
    mentions = Mentions.of("In acme:soc:top:1.0, beside u_uart, add dbg_out")
    assert left_untouched(mentions, LIBRARY, [port("dbg_out")]) == []


def test_a_file_that_is_to_be_written_is_used_by_a_call_with_its_path() -> None:
    mentions = Mentions.of("Give acme:periph:uart:1.0 an output bypass, then save it as pads/uart.xml.")
    plan = [port("bypass")]
    assert left_untouched(mentions, LIBRARY, plan) == ["pads/uart.xml"]
    save = ToolCall("save_component", {"component": "acme:periph:uart:1.0", "path": "pads/uart.xml"})
    assert left_untouched(mentions, LIBRARY, [*plan, save]) == []


@pytest.mark.parametrize(
    "text",
    [
        "Two pads for the I3C controller (acme:periph:uart:1.0), please",
        "MAC acme:periph:uart:1.0: we want ECC on it",
        "I'd like it readable over APB. While you're there, make it a `bypass`",
    ],
)
def test_what_people_call_a_block_is_no_name(text: str) -> None:
    assert left_untouched(Mentions.of(text), LIBRARY, [port("bypass")]) == []


def test_what_people_call_a_block_by_a_part_of_its_name_is_used() -> None:
    mentions = Mentions.of("The top also wants the UART: put acme:periph:uart:1.0 in as u_second")
    add = ToolCall("add_subcomponent", {"component": "acme:soc:top:1.0", "subcomponent": "acme:periph:uart:1.0"})
    assert left_untouched(mentions, LIBRARY, [add]) == ["u_second"]


def test_a_block_may_be_called_by_a_part_of_its_name() -> None:
    delete = ToolCall("delete_component", {"component": "acme:periph:uart:1.0"})
    assert nowhere(["UART", "HSM"], LIBRARY, [delete]) == ["HSM"]


def test_a_misspelled_name_of_what_is_there_is_used_and_one_of_what_is_new_is_not() -> None:
    delete = ToolCall("delete_element", {"component": "acme:periph:uart:1.0", "name": "gnd_dbg"})
    assert left_untouched(Mentions.of("drop gnd_dgb from the uart"), LIBRARY, [delete]) == []
    assert left_untouched(Mentions.of("add an output gnd_dgb"), LIBRARY, [port("gnd_dbg")]) == ["gnd_dgb"]


def test_a_name_in_an_expression_or_an_end_is_used() -> None:
    mentions = Mentions.of("Output data_o as wide as DATA_W")
    assert left_untouched(mentions, LIBRARY, [port("data_o", width="DATA_W*2")]) == []


def test_an_end_that_is_written_out_is_used_by_a_connection_only() -> None:
    mentions = Mentions.of("In acme:soc:top:1.0 connect irq_i to u_uart.irq and u_new.irq")
    vlnv = "acme:soc:top:1.0"
    add = ToolCall("add_subcomponent", {"component": vlnv, "subcomponent": UART.vlnv, "instance_name": "u_new"})
    wrong = {"component": vlnv, "source_instance": "", "source_port": "irq_i", "target_instance": "u_uart"}
    plan = [add, ToolCall("add_subcomponent_connection", wrong | {"target_port": "irq_i"})]
    assert left_untouched(mentions, LIBRARY, plan) == ["u_uart.irq", "u_new.irq"]
    plan = [add] + [
        ToolCall("add_subcomponent_connection", wrong | {"target_instance": name, "target_port": "irq"})
        for name in ("u_uart", "u_new")
    ]
    assert left_untouched(mentions, LIBRARY, plan) == []


@pytest.mark.parametrize(
    ("request_", "leans"),
    [
        ("Add an input en to acme:periph:uart:1.0", False),
        ("I'd like an input en on acme:periph:uart:1.0, it should be 4 bits wide", False),
        ("Add an input en to the UART", True),
        ("Give acme:periph:uart:1.0 the same ports", True),
        ("acme:periph:uart:1.0 also needs an input en", False),
        ("acme:periph:uart:1.0 needs that too", True),
        ("acme:periph:uart:1.0 also needs the input", True),
        ("New: vendor acme, library can, name can_fd, version 0.1", False),
        ("New: name can_fd, version 0.1", True),
        ("Wire u_a's rx and tx to the pins of the same names of acme:periph:uart:1.0", False),
        ("Put acme:periph:uart:1.0 into acme:soc:top:1.0 under the same instance name", False),
        ("Load drop/usb_phy.xml, the vendor sent it", False),
        ("Save it as drop/usb_phy.xml", True),
        ("Create acme:periph:can:1.0; the new component has an input rx", False),
        ("New: name can_fd; vendor, library and version the same", True),
    ],
)
def test_a_request_leans_on_the_conversation_unless_it_says_all(request_: str, leans: bool) -> None:
    assert leans_on_the_conversation(request_) is leans


@pytest.mark.parametrize(
    ("request_", "leans"),
    [
        ("uart_lite: an input en please, and let it default to 1", False),
        ("Show me what UART_LITE has", False),
        ("Give it the ports of uart_lite", True),
        ("uart_lite gets the same", True),
        ("uart_lite needs that too", True),
        ("Give uart_liter an input", True),
        ("An input en, please", True),
    ],
)
def test_a_named_component_is_what_a_request_is_about(request_: str, leans: bool) -> None:
    assert leans_on_the_conversation(request_, {"uart_lite", "spi"}) is leans


@pytest.mark.parametrize(("word", "known"), [("chan_d", False), ("chan_b", True), ("status", True), ("chan_2", False)])
def test_one_more_of_a_series_that_does_not_exist_is_unknown(word: str, known: bool) -> None:
    channels = [Component(vlnv=Vlnv.parse(f"acme:afe:chan_{letter}:1.0")) for letter in "abc"]
    library = Library.of([UART, TOP, *channels])
    found = unknown_names(Mentions.of(f"{word} needs an output valid"), library, [], [port("valid")])
    assert (found == []) is known
    assert all(word in sentence and "chan_a" in sentence for sentence in found)


def test_one_more_of_a_series_may_be_made() -> None:
    library = Library.of([Component(vlnv=Vlnv.parse("acme:afe:chan_a:1.0"))])
    made = ToolCall("create_component", {"vendor": "acme", "library": "afe", "name": "chan_b", "version": "1.0"})
    assert unknown_names(Mentions.of("Same again as chan_b"), library, [], [made]) == []


@pytest.mark.parametrize(
    ("request_", "known"),
    [
        ("chan_d needs an output valid", False),
        ("Create chan_d in the library afe with an output valid", True),
        ("A chan_d like the others", True),
        ("Next: acme:afe:chan_d:1.0 with an output valid", True),
    ],
)
def test_a_component_is_made_only_where_that_is_asked_for(request_: str, known: bool) -> None:
    made = ToolCall("create_component", {"vendor": "acme", "library": "afe", "name": "chan_d", "version": "1.0"})
    assert (unknown_names(Mentions.of(request_), LIBRARY, [], [made]) == []) is known


@pytest.mark.parametrize(
    ("request_", "verbs"),
    [
        ("Give the uart an output bypass and save it in the usual place", ["save"]),
        ("Add bypass. When that is in, save it", ["save"]),
        ("Save the uart, and after that delete it", ["save", "delete"]),
        ("Give the uart an output bypass, it is saved already", []),
        ("Give the uart an output bypass, do not delete or save anything", []),
        ("Give the uart a save input called bypass", []),
    ],
)
def test_an_order_that_no_call_carries_out_is_found(request_: str, verbs: list[str]) -> None:
    assert [verb for verb, _tools in unheard_orders(request_, [port("bypass")])] == verbs


def test_an_order_that_a_call_carries_out_is_heard() -> None:
    request = "delete the clk input of the uart, then save it"
    calls = [ToolCall("delete_element", {"component": "acme:periph:uart:1.0", "name": "clk"})]
    assert unheard_orders(request, calls) == [("save", frozenset({"save_component"}))]
