from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_design import LIBRARY, SPECS, TOP, UART

from agent.assisted.grounding import ground
from agent.assisted.mentions import Mentions, mentioned_components
from agent.assisted.spelling import closest
from agent.assisted.unknown import unknown_names
from agent.models.base import ToolCall
from model.elements import Component, Design, Instance
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv


def grounded(request: str, *plan: dict[str, object], conversation: str = "") -> tuple[ToolCall, ...]:
    return ground(plan, SPECS, LIBRARY, request, conversation).calls


def port(**arguments: object) -> dict[str, object]:
    return {"tool": "add_signal_port", "component": "acme:periph:uart:1.0", "direction": "in"} | arguments


def test_an_optional_value_that_nobody_asked_for_is_dropped() -> None:
    (call,) = grounded("Add an input rx to acme:periph:uart:1.0", port(name="rx", width="32", default_value="0"))
    assert call.arguments == {"component": "acme:periph:uart:1.0", "name": "rx", "direction": "in"}


@pytest.mark.parametrize("wording", ["8-bit", "8 bit", "8 bits wide", "width 8", "[8]", "eight bits wide", "byte-wide"])
def test_an_optional_value_that_stands_in_the_request_is_kept(wording: str) -> None:
    (call,) = grounded(f"Add a {wording} input rx to acme:periph:uart:1.0", port(name="rx", width="8"))
    assert call.arguments["width"] == "8"


def test_a_digit_of_a_version_is_no_value() -> None:
    plan = {
        "tool": "add_user_parameter",
        "component": "acme:periph:uart:1.0",
        "name": "PRESCALE",
        "value": "8",
        "minimum": "1",
        "maximum": "0",
    }
    (call,) = grounded("Give acme:periph:uart:1.0 a parameter PRESCALE of 8", plan)
    assert call.arguments.keys() == {"component", "name", "value"}


@pytest.mark.parametrize(
    "wording",
    ["1..256", "1 to 256", "between 1 and 256", "[1:256]", "1-256", "1, at most 256.", "not below 1 or above 256"],
)
def test_bounds_are_found_however_they_are_written(wording: str) -> None:
    plan = {
        "tool": "add_user_parameter",
        "component": "acme:periph:uart:1.0",
        "name": "DEPTH",
        "value": "16",
        "minimum": "1",
        "maximum": "256",
    }
    (call,) = grounded(f"Parameter DEPTH = 16 for acme:periph:uart:1.0, {wording}", plan)
    assert (call.arguments["minimum"], call.arguments["maximum"]) == ("1", "256")


@given(st.sampled_from(["cascade", "force", "overwrite"]))
def test_a_dangerous_flag_needs_words_that_ask_for_it(flag: str) -> None:
    tool = {"cascade": "delete_element", "force": "delete_component", "overwrite": "save_component"}[flag]
    plan: dict[str, object] = {"tool": tool, "component": "acme:periph:uart:1.0", flag: True}
    if tool == "delete_element":
        plan |= {"element_type": "signal_port", "name": "tx"}
    (call,) = grounded("Do it to tx of acme:periph:uart:1.0", plan)
    assert flag not in call.arguments


def test_ends_become_the_four_arguments_of_the_contract() -> None:
    (call,) = grounded(
        "Connect clk of acme:soc:top:1.0 to u_uart.clk",
        {
            "tool": "add_subcomponent_connection",
            "component": "acme:soc:top:1.0",
            "source": "clk",
            "target": "u_uart.clk",
            "name": "made_up",
        },
    )
    assert call.arguments == {
        "component": "acme:soc:top:1.0",
        "source_port": "clk",
        "target_instance": "u_uart",
        "target_port": "clk",
    }


def test_the_type_of_a_named_element_is_what_the_design_says() -> None:
    (call,) = grounded(
        "Remove u_uart from acme:soc:top:1.0",
        {
            "tool": "delete_element",
            "component": "acme:soc:top:1.0",
            "element_type": "signal_port",
            "name": "u_uart",
        },
    )
    assert call.arguments["element_type"] == "subcomponent"


def test_a_misspelled_component_is_corrected_and_said() -> None:
    result = ground([port(component="acme:perihp:uart:1.0", name="rx")], SPECS, LIBRARY, "rx on acme:perihp:uart:1.0")
    assert result.calls[0].arguments["component"] == "acme:periph:uart:1.0"
    assert result.corrections == ("'acme:perihp:uart:1.0' was read as 'acme:periph:uart:1.0'.",)


def test_a_component_with_another_digit_is_another_component() -> None:
    assert closest("acme:periph:uart:1.1", ["acme:periph:uart:1.0"]) is None
    assert closest("acme:periph:uart2:1.0", ["acme:periph:uart1:1.0"]) is None


@pytest.mark.parametrize(("name", "other"), [("uart_rx", "uart_tx"), ("data_in", "data_out"), ("mosi", "miso")])
def test_short_parts_differ_on_purpose(name: str, other: str) -> None:
    assert closest(name, [other]) is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [("acme.com:perif:spi_mastr:2.1", "acme.com:periph:spi_master:2.1"), ("u_uatr", "u_uart"), ("uuart", "u_uart")],
)
def test_slips_of_the_pen_are_read_as_what_was_meant(written: str, meant: str) -> None:
    assert closest(written, [meant, "acme.com:soc:chip:1.0", "u_spi"]) == meant


def test_two_equally_near_names_are_no_correction() -> None:
    assert closest("acme:periph:xart:1.0", ["acme:periph:uart:1.0", "acme:periph:bart:1.0"]) is None


@given(st.text(string.ascii_lowercase, min_size=6, max_size=20), st.lists(st.text(string.ascii_lowercase, min_size=1)))
def test_a_name_that_exists_is_its_own_closest_or_in_doubt(name: str, others: list[str]) -> None:
    assert closest(name, dict.fromkeys([name, *others])) in {name, None}


def test_an_invented_name_is_reported() -> None:
    result = ground([port(name="uart_data")], SPECS, LIBRARY, "Add a 4-bit input to acme:periph:uart:1.0")
    assert result.invented == ("name 'uart_data'",)


@pytest.mark.parametrize(
    "request_", ["Add data0 to data3", "add inputs data[0..3]", "four data lines data_0 and so on"]
)
def test_a_name_that_differs_in_its_number_only_is_not_invented(request_: str) -> None:
    assert ground([port(name="data2")], SPECS, LIBRARY, request_).invented == ()


@pytest.mark.parametrize(
    ("request_", "made"),
    [
        ("Extend acme:periph:uart:1.0 by sub2 and mgr2, both like the rest", ["sub2", "mgr2"]),
        ("Extend acme:periph:uart:1.0 by sub2 to sub4 and mgr2", ["sub2", "mgr2", "sub3"]),
        ("acme:periph:uart:1.0 needs sub2, mgr2 and four more of each", ["sub2", "mgr2", "sub3"]),
    ],
)
def test_beside_names_that_are_given_one_by_one_no_further_ones_are_counted_on(request_: str, made: list[str]) -> None:
    calls = grounded(request_, port(name="sub2"), port(name="mgr2"), port(name="sub3"))
    assert [call.arguments["name"] for call in calls] == made


def test_a_name_from_the_conversation_is_not_invented() -> None:
    result = ground(
        [port(name="busy")], SPECS, LIBRARY, "Add the same port to the uart", "Add an output busy to the spi"
    )
    assert result.invented == ()


def test_a_call_planned_twice_is_made_once() -> None:
    assert len(grounded("Add an input rx to acme:periph:uart:1.0", port(name="rx"), port(name="rx"))) == 1


def test_reading_an_element_that_nobody_named_reads_the_component() -> None:
    (call,) = grounded(
        "Which ports has acme:periph:uart:1.0?",
        {"tool": "get_element", "component": "acme:periph:uart:1.0", "element_type": "signal_port", "name": "clk"},
    )
    assert call == ToolCall("get_component_details", {"component": "acme:periph:uart:1.0"})


def test_mentions_finds_vlnvs_and_words() -> None:
    mentions = Mentions.of("Connect u_uart.tx to `dbg` of acme:soc:top:1.0.")
    assert mentions.vlnvs == ("acme:soc:top:1.0",)
    assert {"u_uart.tx", "dbg"} <= set(mentions.words)
    assert mentions.has("top")
    assert not mentions.has("rx")


@pytest.mark.parametrize(
    ("request_", "ports"),
    [
        ("The reading comes out on temp, BITS wide, and go is an input", ("temp", "go")),
        ("A status word, 8 bits wide", ("word",)),
        ("As before, the bus is wide", ()),
    ],
)
def test_what_has_a_width_or_a_direction_may_be_a_port(request_: str, ports: tuple[str, ...]) -> None:
    assert Mentions.of(request_).ports == ports


def test_a_component_is_found_by_its_name_alone() -> None:
    assert mentioned_components(LIBRARY, Mentions.of("Give the UART a port")) == [UART]


def test_an_end_with_a_misspelled_instance_is_corrected() -> None:
    result = ground(
        [
            {
                "tool": "add_subcomponent_connection",
                "component": "acme:soc:top:1.0",
                "source": "clk",
                "target": "u_uatr.clk",
            }
        ],
        SPECS,
        LIBRARY,
        "clk of acme:soc:top:1.0 to u_uatr.clk",
    )
    assert result.calls[0].arguments["target_instance"] == "u_uart"
    assert result.corrections == ("'u_uatr' was read as 'u_uart'.",)


def test_names_that_nobody_knows_are_told_with_the_nearest() -> None:
    mentions = Mentions.of("Connect u_can.irq to u_uart.clk in acme:soc:top:1.0 like in acme:periph:uart:2.0")
    assert unknown_names(mentions, LIBRARY, [TOP], []) == [
        "There is no component acme:periph:uart:2.0. Did you mean acme:periph:uart:1.0?",
        "There is no instance u_can in acme:soc:top:1.0. It has u_uart.",
    ]


def test_names_that_the_plan_makes_are_known() -> None:
    mentions = Mentions.of("Make acme:periph:can:1.0 and put it into acme:soc:top:1.0 as u_can; u_can.clk to clk")
    plan = [
        ToolCall("create_component", {"vendor": "acme", "library": "periph", "name": "can", "version": "1.0"}),
        ToolCall(
            "add_subcomponent",
            {"component": "acme:soc:top:1.0", "subcomponent": "acme:periph:can:1.0", "instance_name": "u_can"},
        ),
    ]
    assert unknown_names(mentions, LIBRARY, [TOP], plan) == []


@pytest.mark.parametrize(
    ("request_", "kind"),
    [
        ("a bit-typed parameter HAS_ECC of 1", "bit"),
        ("an int parameter HAS_ECC of 1 for the 8-bit port", "int"),
        ("parameter HAS_ECC = 1 for the 8 bit port", None),
    ],
)
def test_the_type_that_the_request_names_is_taken(request_: str, kind: str | None) -> None:
    plan = {"tool": "add_user_parameter", "component": "acme:periph:uart:1.0", "name": "HAS_ECC", "value": "1"}
    (call,) = grounded(f"{request_} on acme:periph:uart:1.0", plan | {"type": "longint"})
    assert call.arguments.get("type") == kind


@pytest.mark.parametrize(("request_", "kept"), [("Same ports as chan_a on chan_b", True), ("Add an input adc", False)])
def test_a_value_of_the_design_is_asked_for_by_the_word_same(request_: str, kept: bool) -> None:
    plan = port(name="adc", width="12")
    (call,) = ground([plan], SPECS, LIBRARY, request_, "adc", "component acme:periph:adc:1.0\n  ports: adc in 12").calls
    assert ("width" in call.arguments) is kept


def test_a_new_name_of_the_conversation_needs_words_that_ask_for_it() -> None:
    plan = {
        "tool": "add_subcomponent",
        "component": "acme:soc:top:1.0",
        "subcomponent": "acme:periph:uart:1.0",
        "instance_name": "u_second",
    }
    conversation = "Later there will be u_second"
    assert ground([plan], SPECS, LIBRARY, "Now the thing they live in", conversation).invented
    assert not ground([plan], SPECS, LIBRARY, "Instantiate it", conversation).invented


@pytest.mark.parametrize(
    ("wording", "width"),
    [
        ("an output dout of WIDTH bits", "WIDTH"),
        ("an output dout, as wide as WIDTH", "WIDTH"),
        ("an output dout [WIDTH-1:0]", "WIDTH"),
        ("an output dout of 32 bits", "32"),
    ],
)
def test_a_width_follows_the_parameter_that_the_same_request_makes(wording: str, width: str) -> None:
    plan = [
        {"tool": "add_user_parameter", "component": "acme:periph:uart:1.0", "name": "WIDTH", "value": "32"},
        port(name="dout", width="32"),
    ]
    _parameter, call = grounded(f"acme:periph:uart:1.0 gets a parameter WIDTH = 32 and {wording}", *plan)
    assert call.arguments["width"] == width


def test_a_term_is_no_name_unless_the_request_says_so() -> None:
    plan = [port(name="rx"), port(name="protocol")]
    assert [call.arguments["name"] for call in grounded("acme:periph:uart:1.0: input rx, protocol APB", *plan)] == [
        "rx"
    ]
    assert len(grounded("acme:periph:uart:1.0: inputs rx and `protocol`", *plan)) == 2


def test_a_term_is_no_name_with_a_capital_either() -> None:
    request = "Ports a and b of acme:periph:uart:1.0. Protocol APB for both"
    calls = grounded(request, port(name="a"), port(name="b"), port(name="Protocol"))
    assert [call.arguments["name"] for call in calls] == ["a", "b"]


def test_a_connection_to_a_port_that_nobody_speaks_of_is_dropped() -> None:
    wire = {"tool": "add_subcomponent_connection", "component": "acme:soc:top:1.0", "target": "u_uart.clk"}
    plan = [{**wire, "source": "clk"}, {**wire, "source": "rst_n"}]
    (call,) = grounded("In acme:soc:top:1.0 clock u_uart from clk", *plan)
    assert call.arguments["source_port"] == "clk"


def test_a_connection_that_stands_in_the_right_component_is_not_made_in_others_too() -> None:
    place = {"tool": "add_subcomponent", "component": "acme:soc:top:1.0", "subcomponent": "acme:periph:uart:1.0"}
    wire = {"tool": "add_subcomponent_connection", "source": "clk", "target": "u_two.clk"}
    calls = grounded(
        "In acme:soc:top:1.0 place acme:periph:uart:1.0 as u_two and wire clk like the others",
        {**place, "instance_name": "u_two"},
        {**wire, "component": "acme:soc:top:1.0"},
        {**wire, "component": "acme:periph:uart:1.0"},
    )
    assert [(call.name, call.arguments["component"]) for call in calls] == [
        ("add_subcomponent", "acme:soc:top:1.0"),
        ("add_subcomponent_connection", "acme:soc:top:1.0"),
    ]


def join(source: str, target: str) -> dict[str, object]:
    return {
        "tool": "add_subcomponent_connection",
        "component": "acme:soc:top:1.0",
        "source": source,
        "target": target,
    }


def test_a_new_port_has_the_name_that_the_request_gives_it() -> None:
    request = "acme:soc:top:1.0 gets an input data of 32 bits, which goes to u_uart.din"
    plan = [port(name="din", width="32") | {"component": "acme:soc:top:1.0"}, join("din", "u_uart.din")]
    made, joined = grounded(request, *plan)
    assert made.arguments["name"] == "data"
    assert (joined.arguments["source_port"], joined.arguments["target_port"]) == ("data", "din")


def test_the_own_end_of_a_connection_has_the_name_that_the_request_gives_it() -> None:
    request = "acme:soc:top:1.0 gets an input data of 32 bits, which goes to u_uart.din"
    (joined,) = grounded(request, join("din", "u_uart.din"))
    assert (joined.arguments["source_port"], joined.arguments["target_port"]) == ("data", "din")


def test_a_new_port_may_have_the_name_of_the_one_it_is_joined_to() -> None:
    request = "Bring u_uart.tx of acme:soc:top:1.0 out as a port of its own"
    (made,) = grounded(request, port(name="tx") | {"component": "acme:soc:top:1.0"})
    assert made.arguments["name"] == "tx"


def test_the_same_end_twice_means_the_own_port_of_that_name() -> None:
    (call,) = grounded("acme:soc:top:1.0: connect clk to u_uart.clk", join("u_uart.clk", "u_uart.clk"))
    assert call.arguments["source_instance"] == "u_uart"
    assert "target_instance" not in call.arguments


def test_what_is_to_stay_open_is_not_connected() -> None:
    request = "acme:soc:top:1.0: clk to u_uart.clk. Leave u_uart.tx open for now."
    (call,) = grounded(request, join("clk", "u_uart.clk"), join("u_uart.tx", "clk"))
    assert call.arguments["target_port"] == "clk"


def test_a_port_of_an_instance_that_is_placed_is_found_there() -> None:
    place = {
        "tool": "add_subcomponent",
        "component": "acme:soc:top:1.0",
        "subcomponent": "acme:periph:uart:1.0",
        "instance_name": "u_two",
    }
    request = "Put acme:periph:uart:1.0 into acme:soc:top:1.0 as u_two and take tx to u_uart.rx, clk to u_two.clk"
    _placed, joined, clocked = grounded(request, place, join("tx", "u_uart.rx"), join("clk", "u_two.clk"))
    assert (joined.arguments["source_instance"], joined.arguments["source_port"]) == ("u_two", "tx")
    assert not clocked.arguments.get("source_instance")


def test_what_a_port_is_for_is_not_its_name() -> None:
    request = "acme:soc:top:1.0: write data wd is an input, read data rd an output; both are 8 bits"
    top = {"component": "acme:soc:top:1.0", "width": "8"}
    calls = grounded(request, port(name="data") | top, port(name="rd", direction="out") | top)
    assert [call.arguments["name"] for call in calls] == ["wd", "rd"]


def test_connections_that_nobody_asked_for_are_left_out_beside_those_that_are_asked_for() -> None:
    plan = [join("clk", "u_uart.clk"), join("sdo", "u_uart.sdo"), join("u_uart.irq", "u_plic.irq")]
    request = "In acme:soc:top:1.0 connect clk to u_uart.clk, and the interrupt"
    assert [call.arguments["target_port"] for call in grounded(request, *plan)] == ["clk", "irq"]


def test_an_end_is_sought_in_the_instance_whose_name_ends_as_the_other_end_does() -> None:
    top = Component(
        vlnv=Vlnv.parse("acme:soc:pair:1.0"),
        designs=FrozenMap(
            {
                "rtl": Design(
                    instances=FrozenMap({name: Instance(name=name, component=UART.vlnv) for name in ("u_a", "u_b")})
                )
            }
        ),
    )
    plan = [
        {"tool": "add_subcomponent_connection", "component": str(top.vlnv), "source": "tx", "target": f"out_{which}"}
        for which in "ab"
    ]
    request = f"{top.vlnv} gets outputs out_a and out_b, each joined to its UART's tx"
    calls = ground(plan, SPECS, LIBRARY.put(top), request).calls
    assert [call.arguments.get("source_instance") for call in calls] == ["u_a", "u_b"]


def test_what_stands_elsewhere_counts_where_the_request_points_at_it() -> None:
    plan = {
        "tool": "add_user_parameter",
        "component": "acme:periph:uart:1.0",
        "name": "GAIN",
        "value": "4",
        "type": "int",
    }
    design = "component acme:periph:other:1.0\n  parameters: GAIN=4 (user, int)"
    (call,) = ground([plan], SPECS, LIBRARY, "Give acme:periph:uart:1.0 the same parameter GAIN", "", design).calls
    assert call.arguments["type"] == "int"
    (call,) = ground([plan], SPECS, LIBRARY, "Give acme:periph:uart:1.0 a parameter GAIN of 4", "", design).calls
    assert "type" not in call.arguments


def test_a_name_that_nobody_said_gives_way_to_the_one_that_was_said() -> None:
    request = "Give acme:periph:uart:1.0 a 48-bit output word."
    (made,) = grounded(request, port(name="out", direction="out", width="48"))
    assert made.arguments["name"] == "word"


def test_a_connection_stands_where_both_instances_are() -> None:
    mux = Component(vlnv=Vlnv.parse("acme:soc:mux:1.0"), ports=UART.ports)
    instances = {"u_mux": Instance(name="u_mux", component=mux.vlnv), "u_a": Instance(name="u_a", component=UART.vlnv)}
    top = Component(
        vlnv=Vlnv.parse("acme:soc:pair:1.0"),
        designs=FrozenMap({"rtl": Design(instances=FrozenMap(instances))}),
    )
    plan = {"tool": "add_subcomponent_connection", "component": str(mux.vlnv), "source": "tx", "target": "u_a.clk"}
    (call,) = ground([plan], SPECS, Library.of([UART, mux, top]), "tx of u_mux onto clk of u_a").calls
    assert call.arguments == {
        "component": "acme:soc:pair:1.0",
        "source_instance": "u_mux",
        "source_port": "tx",
        "target_instance": "u_a",
        "target_port": "clk",
    }


def test_only_what_is_asked_about_is_read() -> None:
    plan = [{"tool": "get_component_details", "component": f"acme:{name}:1.0"} for name in ("soc:top", "periph:uart")]
    assert [call.arguments["component"] for call in grounded("Show me the top", *plan)] == ["acme:soc:top:1.0"]
    assert len(grounded("Show me all of them", *plan)) == 2


def test_a_cascade_takes_wires_along_without_their_being_named() -> None:
    def delete(kind: str, name: str) -> dict[str, object]:
        return {"tool": "delete_element", "component": "acme:soc:top:1.0", "element_type": kind, "name": name}

    plan = [delete("signal_port", "clk"), delete("connection", "clk_to_u_uart_clk")]
    request = "Delete the port clk of acme:soc:top:1.0 with its wires (cascade)"
    assert [call.arguments["name"] for call in grounded(request, *plan)] == ["clk"]


def test_nothing_is_deleted_that_nobody_wants_to_go() -> None:
    plan = [
        port(name="rx"),
        {
            "tool": "delete_element",
            "component": "acme:periph:uart:1.0",
            "element_type": "signal_port",
            "name": "clk",
        },
    ]
    assert [call.name for call in grounded("Add an input rx to acme:periph:uart:1.0", *plan)] == ["add_signal_port"]
    assert len(grounded("Replace clk of acme:periph:uart:1.0 by an input rx", *plan)) == 2


def test_an_edit_of_what_nobody_spoke_of_is_left_out_beside_one_that_was_meant() -> None:
    plan = [port(name="rst"), port(name="rst") | {"component": "acme:soc:top:1.0"}]
    about = ["acme:periph:uart:1.0"]
    (call,) = ground(plan, SPECS, LIBRARY, "Add an input rst", about=about).calls
    assert call.arguments["component"] == "acme:periph:uart:1.0"
    assert len(ground(plan, SPECS, LIBRARY, "Add an input rst to every block", about=about).calls) == 2
    assert len(ground(plan, SPECS, LIBRARY, "Add an input rst, to the top as well", about=about).calls) == 2
    assert ground(plan[1:], SPECS, LIBRARY, "Add an input rst", about=about).calls
    assert ground(plan[1:], SPECS, LIBRARY, "Likewise an input rst", about=about).invented


def test_a_plan_of_which_only_reading_is_left_is_asked_for_again() -> None:
    plan = [
        {"tool": "get_component_details", "component": "acme:periph:uart:1.0"},
        port(name="made_up"),
    ]
    assert ground(plan, SPECS, LIBRARY, "Rename clk of acme:periph:uart:1.0 to rx").invented == ("name 'made_up'",)


def test_a_component_whose_fields_stand_apart_is_asked_for() -> None:
    request = "We're starting on a CAN controller: vendor acme, library periph, name can_fd, version 0.1, empty for now"
    call = ToolCall("create_component", {"vendor": "acme", "library": "periph", "name": "can_fd", "version": "0.1"})
    assert unknown_names(Mentions.of(request), LIBRARY, [], [call]) == []
    assert unknown_names(Mentions.of("can_fd needs an output"), LIBRARY, [], [call])


@pytest.mark.parametrize(
    ("request_", "calls"),
    [
        ("Instantiate acme:periph:uart:1.0 in acme:soc:top:1.0 as u_b. No wiring yet.", 1),
        ("instance u_b of acme:periph:uart:1.0 goes into acme:soc:top:1.0", 1),
        ("Instantiate acme:periph:uart:1.0 in acme:soc:top:1.0 as u_b, with the clock", 2),
        ("Instantiate acme:periph:uart:1.0 in acme:soc:top:1.0 as u_b and connect it", 2),
        ("Put acme:periph:uart:1.0 into acme:soc:top:1.0 as u_b, the same way as u_uart", 2),
    ],
)
def test_what_is_placed_is_wired_only_where_the_request_speaks_of_it(request_: str, calls: int) -> None:
    place = {
        "tool": "add_subcomponent",
        "component": "acme:soc:top:1.0",
        "subcomponent": "acme:periph:uart:1.0",
        "instance_name": "u_b",
    }
    wire = {
        "tool": "add_subcomponent_connection",
        "component": "acme:soc:top:1.0",
        "source": "clk",
        "target": "u_b.clk",
    }
    assert len(grounded(request_, place, wire)) == calls


def test_a_port_of_an_instance_is_no_name_of_a_new_one() -> None:
    request = "Wire clk to u_uart.clk in acme:soc:top:1.0"
    wire = {
        "tool": "add_subcomponent_connection",
        "component": "acme:soc:top:1.0",
        "source": "clk",
        "target": "u_uart.clk",
    }
    calls = grounded(request, wire, port(component="acme:soc:top:1.0", name="u_uart.clk"))
    assert [call.name for call in calls] == ["add_subcomponent_connection"]


def test_what_is_not_to_be_copied_explains_nothing() -> None:
    create = {"tool": "create_component", "component": "acme:periph:uart:2.0"}
    clock = port(component="acme:periph:uart:2.0", name="clk")
    for request, made in (("Don't copy the ports.", 1), ("Without copying anything.", 1), ("Copy the ports.", 2)):
        asked = f"Open a version 2.0 of acme:periph:uart:1.0, acme:periph:uart:2.0. {request}"
        assert len(ground([create, clock], SPECS, LIBRARY, asked, design="ports: clk in 1").calls) == made


def test_a_component_is_deleted_as_a_whole_where_it_is_taken_for_a_part_of_itself() -> None:
    plan = {
        "tool": "delete_element",
        "component": "acme:periph:uart:1.0",
        "element_type": "subcomponent",
        "name": "uart",
    }
    (call,) = grounded("Please delete acme:periph:uart:1.0, nobody uses it", plan)
    assert call == ToolCall("delete_component", {"component": "acme:periph:uart:1.0"})
    (call,) = grounded("Delete uart in acme:periph:uart:1.0", plan | {"name": "clk"})
    assert call.name == "delete_element"


@pytest.mark.parametrize("verb", ["Cut", "Sever", "Detach", "Unhook", "Ditch"])
def test_there_are_many_words_for_deleting(verb: str) -> None:
    plan = {"tool": "delete_element", "component": "acme:soc:top:1.0", "element_type": "signal_port", "name": "clk"}
    assert len(ground([plan], SPECS, LIBRARY, f"{verb} clk of acme:soc:top:1.0").invented) == 0


def test_an_element_is_deleted_where_it_is() -> None:
    plan = {
        "tool": "delete_element",
        "component": "acme:periph:uart:1.0",
        "element_type": "subcomponent",
        "name": "u_uart",
    }
    (call,) = grounded("Take that instance out again", plan)
    assert call.arguments["component"] == "acme:soc:top:1.0"
    (call,) = grounded("Take u_uart out of acme:periph:uart:1.0", plan)
    assert call.arguments["component"] == "acme:periph:uart:1.0"


def test_no_component_is_deleted_where_a_part_of_one_is_to_go() -> None:
    part = {
        "tool": "delete_element",
        "component": "acme:soc:top:1.0",
        "element_type": "subcomponent",
        "name": "u_uart",
    }
    whole = {"tool": "delete_component", "component": "acme:periph:uart:1.0"}
    for request, calls in (
        ("Take that instance out again", 1),
        ("Take the instance and its component out again", 2),
        ("Take that instance out again, and the uart", 2),
    ):
        assert len(grounded(request, part, whole)) == calls


def test_a_connection_of_an_instance_that_is_being_placed_stands_where_it_is_placed() -> None:
    place = {
        "tool": "add_subcomponent",
        "component": "acme:soc:top:1.0",
        "subcomponent": "acme:periph:uart:1.0",
        "instance_name": "u_two",
    }
    wire = {
        "tool": "add_subcomponent_connection",
        "component": "acme:periph:uart:1.0",
        "source": "clk",
        "target": "u_two.clk",
    }
    _placed, call = grounded("Put one of those in our top as u_two and feed its clk from the clock", place, wire)
    assert call.arguments["component"] == "acme:soc:top:1.0"


def test_what_is_to_stay_open_may_be_said_by_its_purpose() -> None:
    wire = {
        "tool": "add_subcomponent_connection",
        "component": "acme:soc:top:1.0",
        "source": "clk",
        "target": "u_uart.clk",
    }
    add = port(component="acme:soc:top:1.0", name="dbg")
    assert len(grounded("acme:soc:top:1.0 gets an input dbg. Leave the clock of u_uart open for now.", add, wire)) == 1
    assert len(grounded("acme:soc:top:1.0 gets an input dbg. Connect the clock of u_uart.", add, wire)) == 2


def test_the_file_that_the_request_names_is_loaded() -> None:
    load = {"tool": "load_component", "path": "workspace/rng.xml"}
    (call,) = grounded("They dropped it at incoming/rng.xml in the workspace, read it in", load)
    assert call.arguments["path"] == "incoming/rng.xml"


@pytest.mark.parametrize(
    "request_", ["instance label u_uart", "the instance u_uart may go with it", "the connection I named n_clk stays"]
)
def test_words_of_the_sentence_are_no_names(request_: str) -> None:
    assert not {"label", "may", "I", "stays"} & {*Mentions.of(request_).named, *Mentions.of(request_).ports}


def test_a_value_that_is_ruled_out_is_that_of_the_parameter() -> None:
    width = {"tool": "add_user_parameter", "component": "acme:periph:uart:1.0", "name": "W", "value": "18"}
    request = "acme:periph:uart:1.0 gets W = 18, and an input d as wide as that parameter (not 18)"
    assert grounded(request, width, port(name="d", width="18"))[1].arguments["width"] == "W"


def test_a_component_that_the_model_made_up_is_the_one_that_the_request_writes_out() -> None:
    plan = {
        "tool": "add_subcomponent",
        "component": "acme:soc:top:1.0",
        "subcomponent": "u_new:u_new:u_new:1.0",
        "instance_name": "u_new",
    }
    (call,) = grounded("Put acme:periph:uart:1.0 into the top as u_new", plan)
    assert call.arguments["subcomponent"] == "acme:periph:uart:1.0"
    (call,) = grounded("Put the thing into acme:soc:top:1.0 as u_new", plan)
    assert call.arguments["subcomponent"] == "u_new:u_new:u_new:1.0"


@pytest.mark.parametrize(
    ("request_", "gone"),
    [
        ("Remove clk from acme:periph:uart:1.0. It is still wired up in top, cascade", False),
        ("Remove clk from acme:periph:uart:1.0, and delete the component acme:soc:top:1.0", True),
        ("Delete clk in acme:soc:top:1.0", False),
        ("Get rid of acme:soc:top:1.0, it is not used in top either", True),
    ],
)
def test_no_component_is_deleted_in_which_something_is(request_: str, gone: bool) -> None:
    part = {"tool": "delete_element", "component": "acme:periph:uart:1.0", "element_type": "signal_port", "name": "clk"}
    whole = {"tool": "delete_component", "component": "acme:soc:top:1.0"}
    assert ("delete_component" in [call.name for call in grounded(request_, part, whole)]) is gone


def delete(name: str) -> dict[str, str]:
    return {"tool": "delete_element", "component": "acme:soc:top:1.0", "element_type": "subcomponent", "name": name}


@pytest.mark.parametrize(
    ("request_", "gone"),
    [
        ("Take the instance out again", ["u_b"]),
        ("Take the instances out again", ["u_a", "u_b"]),
        ("Take u_a and u_b out again", ["u_a", "u_b"]),
    ],
)
def test_the_instance_is_the_one_that_was_spoken_of_last(request_: str, gone: list[str]) -> None:
    said = 'Add u_a\n{"instance_name":"u_a"}\nAdd u_b\n{"instance_name":"u_b"}'
    calls = ground([delete("u_a"), delete("u_b")], SPECS, LIBRARY, request_, said).calls
    assert [call.arguments["name"] for call in calls] == gone


def test_another_version_is_another_component() -> None:
    newer = UART.model_copy(update={"vlnv": Vlnv.parse("acme:periph:uart:2.0")})
    plan = [{"tool": "delete_component", "component": f"acme:periph:uart:{version}"} for version in ("1.0", "2.0")]
    about = ["acme:periph:uart:1.0", "acme:periph:uart:2.0"]
    request = "Delete acme:periph:uart:1.0; 2.0 stays of course"
    (call,) = ground(plan, SPECS, LIBRARY.put(newer), request, about=about).calls
    assert call.arguments["component"] == "acme:periph:uart:1.0"
