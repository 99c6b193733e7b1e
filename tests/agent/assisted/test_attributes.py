from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.assisted.attributes import with_said_attributes


def signal(name: str, **more: str) -> dict[str, Any]:
    return {"tool": "add_signal_port", "component": "a:b:c:1", "name": name, "direction": "in"} | more


def socket(name: str, **more: str) -> dict[str, Any]:
    return {"tool": "add_transactional_port", "component": "a:b:c:1", "name": name, "initiative": "requires"} | more


def parameter(name: str, **more: str) -> dict[str, Any]:
    return {"tool": "add_user_parameter", "component": "a:b:c:1", "name": name, "value": "7"} | more


NET = {"tool": "add_subcomponent_connection", "component": "a:b:c:1", "source": "clk", "target": "u_a.clk"}


@pytest.mark.parametrize(
    ("request_", "planned", "completed"),
    [
        (
            "Inputs loopback (1 bit, default value 0) and lane_map (3 bits, no default).",
            [signal("loopback"), signal("lane_map", width="3")],
            [signal("loopback", default_value="0"), signal("lane_map", width="3")],
        ),
        (
            "Both are inputs: loopback (1 bit, default value 0) and lane_map (3 bits).",
            [signal("loopback"), signal("lane_map", width="3")],
            [signal("loopback", default_value="0"), signal("lane_map", width="3")],
        ),
        (
            "Outputs pc, 32 bits, and pc_hi. The latter is the vector [31:16].",
            [signal("pc", width="32"), signal("pc_hi", width="16")],
            [signal("pc", width="32", direction="out"), signal("pc_hi", left="31", right="16")],
        ),
        (
            "TLM ports m0 and m1 that require. Protocol APB for both, bus width 32 on each.",
            [socket("m0"), socket("m1")],
            [socket("m0", protocol="APB", bus_width="32"), socket("m1", protocol="APB", bus_width="32")],
        ),
        (
            "User parameters DEPTH (int, value 7, minimum 4, maximum 4096) and PTR_W (int, value 7).",
            [parameter("DEPTH", type="int", minimum="4", maximum="4096"), parameter("PTR_W")],
            [parameter("DEPTH", type="int", minimum="4", maximum="4096"), parameter("PTR_W", type="int")],
        ),
        ("DIV is 7, between 2 and 16.", [parameter("DIV")], [parameter("DIV", minimum="2", maximum="16")]),
        ("DIV is 7, 16 at most", [parameter("DIV")], [parameter("DIV")]),
        ("A socket s, protocol: AXI4-Lite.", [socket("s")], [socket("s", protocol="AXI4-Lite")]),
        (
            "Extend it by s2 (provides) and m2 (requires), AXI4, like the rest; and by a socket dbg.",
            [socket("s2", initiative="provides"), socket("m2"), socket("dbg")],
            [socket("s2", initiative="provides", protocol="AXI4"), socket("m2", protocol="AXI4"), socket("dbg")],
        ),
        (
            "Three inputs, al defaulting ot 0: a, b",
            [signal("a"), signal("b")],
            [signal("a", default_value="0"), signal("b", default_value="0")],
        ),
        ("DIV is 7, allowed 2 too 16.", [parameter("DIV")], [parameter("DIV")]),
        (
            "Sockets s and m0, protocol and width as for cfg.",
            [socket("s", protocol="APB", bus_width="32"), socket("m0")],
            [socket("s", protocol="APB", bus_width="32"), socket("m0", protocol="APB", bus_width="32")],
        ),
        (
            "Remove the output a with its wires (cascade).",
            [{"tool": "delete_element", "component": "a:b:c:1", "element_type": "signal_port", "name": "a"}],
            [
                {"tool": "delete_element", "component": "a:b:c:1", "element_type": "signal_port", "name": "a"}
                | {"cascade": True}
            ],
        ),
        ("Input a, bits 11 downto 2", [signal("a", width="11")], [signal("a", left="11", right="2")]),
        ("Input a (bits 7..0)", [signal("a")], [signal("a", left="7", right="0")]),
        (
            "Save a as top/a.xml, and b in the same folder as b.xml",
            [{"tool": "save_component", "path": "top/a.xml"}, {"tool": "save_component", "path": "b.xml"}],
            [{"tool": "save_component", "path": "top/a.xml"}, {"tool": "save_component", "path": "top/b.xml"}],
        ),
        (
            "input en; input [7:0] trim; output alert",
            [signal("en", left="7", right="0"), signal("trim"), signal("alert", direction="out")],
            [signal("en"), signal("trim", left="7", right="0"), signal("alert", direction="out")],
        ),
        (
            "user param N, =16; an input x, each N wide, and a strobe be of N/8 bits",
            [parameter("N"), signal("x", width="N"), signal("be")],
            [parameter("N"), signal("x", width="N"), signal("be", width="N/8")],
        ),
        (
            "A parameter N, default 4. With that, an input d",
            [parameter("N"), signal("d")],
            [parameter("N"), signal("d")],
        ),
        (
            "clk to u_a.clk and u_b.clk. Name the nets n_a and n_b",
            [NET, NET],
            [NET | {"name": "n_a"}, NET | {"name": "n_b"}],
        ),
        ("Bring irq out on pin x and call that connection n_x", [signal("n_x"), NET], [NET | {"name": "n_x"}]),
        ("Protocol AXI4 on CFG", [socket("cfg", protocol="axi4")], [socket("CFG", protocol="AXI4")]),
        ("A simple socket s", [socket("s", kind="tlm_socket")], [socket("s", kind="simple_socket")]),
        (
            "CLK_HZ, longint, 50000000, and BAUD, int, 9600",
            [parameter("CLK_HZ", type="int"), parameter("BAUD", type="int")],
            [parameter("CLK_HZ", type="longint"), parameter("BAUD", type="int")],
        ),
        ("A socket s (AXI4, 64 bits).", [socket("s")], [socket("s", protocol="AXI4")]),
        ("A socket s that provides.", [socket("s", initiative="both")], [socket("s", initiative="provides")]),
        (
            "Add mask, input, DW/8 bits; par, output, DW/8 bits; err (an output, 1 bit).",
            [signal("mask", width="8"), signal("par", width="DW"), signal("err", width="1")],
            [
                signal("mask", width="DW/8"),
                signal("par", width="DW/8", direction="out"),
                signal("err", width="1", direction="out"),
            ],
        ),
        (
            'New: a:b:c:1, description "an AXI4 to APB bridge"',
            [{"tool": "create_component", "component": "a:b:c:1"}],
            [{"tool": "create_component", "component": "a:b:c:1", "description": "an AXI4 to APB bridge"}],
        ),
        ("Input `a` and output port b", [signal("b"), signal("a")], [signal("b", direction="out"), signal("a")]),
    ],
)
def test_what_stands_beside_a_name_is_filled_in(
    request_: str, planned: list[dict[str, Any]], completed: list[dict[str, Any]]
) -> None:
    assert with_said_attributes(planned, request_) == completed


@pytest.mark.parametrize(
    ("request_", "planned"),
    [
        ("An input with default 0 called a and one with default 1 called b", [signal("b", default_value="1")]),
        ("An input a with default 1, and an input b", [signal("a"), signal("b", default_value="1")]),
        ("Inputs a[7:0] and b", [signal("a", left="7", right="0"), signal("b")]),
        ("Delete a, default 1", [{"tool": "delete_element", "component": "a:b:c:1", "name": "a"}]),
        ("A socket m0 whose protocol is not known yet", [socket("m0", protocol="APB")]),
        ("Sockets m0 and m1, both provides", [socket("m0", initiative="both"), socket("m1", initiative="both")]),
        ("Inputs a of DW/8 bits and b of 8 bits", [signal("a", width="DW/8"), signal("b", width="8")]),
        ("Inputs a of DW/8 bits and b of N-1 bits", [signal("a", width="8"), signal("b", width="1")]),
        ("An output beside a is not what a needs; a is the input of the chain", [signal("a")]),
    ],
)
def test_what_the_model_has_settled_stays(request_: str, planned: list[dict[str, Any]]) -> None:
    assert with_said_attributes(planned, request_) == planned


WORDS = ["a", "b", "default 1", "[3:0]", "both", "and", ".", "protocol AHB", "bus width 64", "between 1 and 9", "int"]


@given(st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join), st.booleans())
def test_nothing_planned_is_lost_and_all_added_was_said(request_: str, filled: bool) -> None:
    more = {"default_value": "5"} if filled else {}
    planned = [signal("a", **more), socket("b"), parameter("c")]
    for before, after in zip(planned, with_said_attributes(planned, request_), strict=True):
        assert before.items() <= after.items()
        assert all(value in request_ for key, value in after.items() if key not in before)


def test_each_socket_is_of_the_kind_before_its_name() -> None:
    request = "It has a simple socket mst, requires, and a multi socket cfg that provides"
    mst, cfg = with_said_attributes([socket("mst"), socket("cfg")], request)
    assert (mst["kind"], cfg["kind"]) == ("simple_socket", "multi_socket")


def test_a_direction_stands_before_a_declared_range() -> None:
    cmd, pwm = with_said_attributes(
        [signal("cmd", direction="out"), signal("pwm", direction="in")], "input wire [10:0] cmd, output wire pwm"
    )
    assert (cmd["direction"], pwm["direction"]) == ("in", "out")
