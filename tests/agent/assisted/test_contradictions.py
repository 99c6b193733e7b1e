from __future__ import annotations

import pytest
from small_design import LIBRARY

from agent.assisted.contradictions import is_work_of_others, out_of_scope, ruled_out
from agent.assisted.coverage import left_untouched, nowhere
from agent.assisted.mentions import Mentions
from agent.models.base import ToolCall

UART = "acme:periph:uart:1.0"


def port(direction: str) -> ToolCall:
    return ToolCall("add_signal_port", {"component": UART, "name": "en", "direction": direction})


@pytest.mark.parametrize(
    ("request_", "direction", "refused"),
    [
        ("A port en that is input and output, but I won't have inout", "inout", True),
        ("A port en, not an inout", "inout", True),
        ("An inout en, not an input", "inout", False),
        ("An inout en; no other inout is wanted", "inout", False),
        ("An output en", "out", False),
    ],
)
def test_what_a_request_rules_out_is_not_done(request_: str, direction: str, refused: bool) -> None:
    assert (ruled_out(Mentions.of(request_), [port(direction)]) != []) is refused


@pytest.mark.parametrize(
    ("request_", "refused"),
    [
        ("We haven't got acme:io:can:1.0 yet. Put an input en on it.", True),
        ("We haven't got acme:io:can:1.0 yet. Create it with an input en.", False),
        ("The next one: acme:io:can:1.0 with an input en", False),
        ("Put acme:io:can:1.0 into the top; please don't create a placeholder for it", True),
        ("Create acme:io:can:1.0, and don't create ports yet", False),
    ],
)
def test_what_a_request_says_is_not_there_is_made_only_on_request(request_: str, refused: bool) -> None:
    made = ToolCall("create_component", {"vendor": "acme", "library": "io", "name": "can", "version": "1.0"})
    assert (ruled_out(Mentions.of(request_), [made]) != []) is refused


@pytest.mark.parametrize(
    ("request_", "refused"),
    [
        ("Delete the HDMI transmitter", True),
        ("Delete the UART", False),
        (f"Delete {UART}", False),
        ("Drop it from the library", False),
    ],
)
def test_a_component_is_deleted_only_where_it_is_meant(request_: str, refused: bool) -> None:
    call = ToolCall("delete_component", {"component": UART})
    assert (ruled_out(Mentions.of(request_), [call]) != []) is refused


def test_a_name_that_nothing_bears_is_found_unless_it_may_be_made() -> None:
    mentions = Mentions.of(f"Delete the signal port bypass of {UART}")
    deletion = ToolCall("delete_element", {"component": UART, "element_type": "signal_port", "name": "clk"})
    missing = left_untouched(mentions, LIBRARY, [deletion])
    assert missing == ["bypass"]
    assert nowhere(missing, LIBRARY, [deletion]) == ["bypass"]
    assert nowhere(missing, LIBRARY, [deletion, port("in")]) == []
    assert nowhere(["clk"], LIBRARY, [deletion]) == []


@pytest.mark.parametrize("request_", ["Synthesise the UART", "Undo my last edit", "Mail the layout to the foundry"])
def test_the_work_of_other_tools_is_recognised(request_: str) -> None:
    assert out_of_scope(request_)


def test_an_edit_is_in_scope() -> None:
    assert not out_of_scope(f"Add an input en to {UART} and save it")


SAVE = ToolCall("save_component", {"component": UART, "path": "uart.xml"})
GENERATOR = ToolCall("add_generator_parameter", {"component": UART, "name": "testbench", "value": "UVM"})


@pytest.mark.parametrize(
    ("request_", "call", "of_others"),
    [
        ("Write a testbench for acme:periph:uart:1.0 and run it", SAVE, True),
        ("Lay out acme:soc:top:1.0 and mail the GDSII to the foundry", SAVE, True),
        ("Save acme:periph:uart:1.0, I'll simulate it later", SAVE, False),
        ("Write acme:periph:uart:1.0 to uart.xml before the tapeout", SAVE, False),
        ("Write acme:periph:uart:1.0 to disk", SAVE, False),
        ("Generate a UVM testbench for acme:periph:uart:1.0", GENERATOR, True),
        ("Add a generator parameter testbench = UVM to acme:periph:uart:1.0", GENERATOR, False),
    ],
)
def test_the_work_of_other_tools_is_no_matter_of_designs(request_: str, call: ToolCall, of_others: bool) -> None:
    assert is_work_of_others(request_, [call]) is of_others


@pytest.mark.parametrize(
    ("request_", "clash"),
    [
        ("An input en: exactly 8 bits wide, range [15:0]", True),
        ("An input en. It is exactly one bit wide, a scalar, with range [7:0]", True),
        ("An input en, range [7:0], one bit for each lane", False),
        ("A 16-bit input en, range [15:0]", False),
        ("A 16-bit input en[0:15]", False),
        ("An input en[15:0], bit 0 first", False),
        ("An input en of 8 bits", False),
        ("An input en[7:0] beside the 32 bits of data[31:0]", False),
    ],
)
def test_one_port_has_one_width(request_: str, clash: bool) -> None:
    assert (ruled_out(Mentions.of(request_), [port("in")]) != []) is clash


def test_the_width_of_the_port_that_is_replaced_is_another_matter() -> None:
    mentions = Mentions.of(f"clk of {UART} went in as 16 bit, delete it and put an input back as [19:0]")
    deletion = ToolCall("delete_element", {"component": UART, "element_type": "signal_port", "name": "clk"})
    assert ruled_out(mentions, [deletion, port("in")]) == []


@pytest.mark.parametrize("name", ["mailbox", "layout", "git"])
def test_a_component_may_have_any_name(name: str) -> None:
    assert not out_of_scope(f"acme:ipc:{name}:1.0: user parameter SLOTS, int, default 8")


@pytest.mark.parametrize(
    ("request_", "refused"),
    [
        ("Change the instance u_uart to u_serial in place. Do not delete and re-create it.", True),
        ("Rename u_uart, I don't want it removed and made again", True),
        ("Delete u_uart and add u_serial; do not touch the rest", False),
        ("Delete u_uart, but don't delete the others", False),
        ("There is no way to rename u_uart, so remove it and make it anew", False),
    ],
)
def test_what_may_not_be_made_anew_is_not_deleted(request_: str, refused: bool) -> None:
    deletion = ToolCall(
        "delete_element", {"component": "acme:soc:top:1.0", "element_type": "subcomponent", "name": "u_uart"}
    )
    assert (ruled_out(Mentions.of(request_), [deletion]) != []) is refused


@pytest.mark.parametrize(
    ("request_", "refused"),
    [
        ("Delete the component uart, but its instance in the top has to stay", True),
        (f"Delete {UART} and keep the instances of it", True),
        ("Delete the component uart with its instance, the top stays", False),
        ("Delete the uart; leave the top alone", False),
    ],
)
def test_instances_do_not_outlive_their_component(request_: str, refused: bool) -> None:
    deletion = ToolCall("delete_component", {"component": UART, "force": True})
    assert (ruled_out(Mentions.of(request_), [deletion]) != []) is refused


def test_one_port_is_not_made_in_two_widths() -> None:
    ports = [ToolCall("add_signal_port", {**port("in").arguments, "width": width}) for width in ("12", "8")]
    mentions = Mentions.of("an input of 12 bits, exactly 8")
    assert ruled_out(mentions, ports) == ["en cannot be 12 and 8 bits wide at once."]
    assert ruled_out(mentions, ports[:1]) == []
