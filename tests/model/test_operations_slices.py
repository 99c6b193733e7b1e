"""Joining parts of ports, and tying ports off."""

from __future__ import annotations

import pytest
from designs import CORE, TOP, Bench, two_cores

from model import operations
from model.elements import Endpoint

SLICE, TIE = operations.connect_slice, operations.tie_off


@pytest.fixture
def bench() -> Bench:
    made = two_cores()
    made.signal(TOP, "bit", "in")
    made.parameter(TOP, "HALF", 4, type="int")
    return made


def slice_of(**more: str) -> dict[str, str]:
    return {
        "component": TOP,
        "source_instance": "u1",
        "source_port": "q",
        "target_instance": "u2",
        "target_port": "d",
    } | more


def test_a_part_of_a_port_is_joined_with_a_part(bench: Bench) -> None:
    change = bench.do(SLICE, **slice_of(source_left="7", source_right="4", target_left="3", target_right="0"))
    (connection,) = bench[TOP].design.connections.values()
    assert connection.ends == (
        Endpoint(instance="u1", port="q", left="7", right="4"),
        Endpoint(instance="u2", port="d", left="3", right="0"),
    )
    assert "u1.q[7:4]" in change.summary
    assert not change.warnings


def test_one_bound_is_a_single_bit_and_an_expression_counts(bench: Bench) -> None:
    bench.do(SLICE, component=TOP, source_port="bit", target_instance="u2", target_port="d", target_left="HALF-1")
    (connection,) = bench[TOP].design.connections.values()
    assert connection.ends[1] == Endpoint(instance="u2", port="d", left="HALF-1", right="HALF-1")


def test_different_numbers_of_bits_are_warned_of(bench: Bench) -> None:
    (warning,) = bench.do(SLICE, **slice_of(source_left=7, source_right=4)).warnings
    assert warning.code == "widths-differ"
    assert "4 bits" in warning.message
    assert "8 bits" in warning.message


def test_parts_that_do_not_overlap_may_have_drivers_of_their_own(bench: Bench) -> None:
    high = {"target_left": "7", "target_right": "4", "source_left": "3", "source_right": "0"}
    low = {"target_left": "3", "target_right": "0", "source_left": "3", "source_right": "0"}
    bench.do(SLICE, **slice_of(**high))
    bench.do(SLICE, **slice_of(**low, source_instance="", source_port="clk"))
    bench.refused("second-driver", SLICE, **slice_of(**low, source_instance="u2", source_port="q"))


@pytest.mark.parametrize(
    ("code", "more"),
    [
        ("slice-missing", {}),
        ("bounds-incomplete", {"source_right": "0"}),
        ("bad-slice", {"source_left": "8", "source_right": "0"}),
        ("bad-slice", {"source_left": "-1"}),
        ("unknown-parameter", {"source_left": "WIDTH"}),
        ("bad-expression", {"source_left": "7 7"}),
        ("port-not-found", {"source_left": "7", "target_port": "dd"}),
        ("directions-clash", {"source_left": "7", "target_port": "q"}),
        ("same-endpoint", {"source_left": "7", "target_left": "7", "target_instance": "u1", "target_port": "q"}),
    ],
)
def test_what_is_refused(bench: Bench, code: str, more: dict[str, str]) -> None:
    bench.refused(code, SLICE, **slice_of(**more))


def test_a_transactional_port_has_no_bits(bench: Bench) -> None:
    bench.transactional(CORE, "t", "requires")
    bench.refused("not-a-signal", SLICE, **slice_of(source_port="t", source_left="0"))
    bench.refused("not-a-signal", TIE, component=TOP, instance="u1", port="t", value="0")


@pytest.mark.parametrize("value", ["0", "8'hFF", "HALF", "open", 3])
def test_an_input_is_tied(bench: Bench, value: str | int) -> None:
    change = bench.do(TIE, component=TOP, instance="u1", port="d", value=value)
    connection = bench[TOP].design.connections["u1_d_tied"]
    assert connection.tied_value == str(value)
    assert connection.ends == (Endpoint(instance="u1", port="d"),)
    assert [str(element) for element in change.added] == [f"connection u1_d_tied of {TOP}"]
    assert "u1.d" in change.summary


def test_own_outputs_and_parts_are_tied(bench: Bench) -> None:
    bench.do(TIE, component=TOP, port="led", value="0", left="7", right="4")
    bench.do(TIE, component=TOP, port="led", value="1", left="3", right="0")
    assert list(bench[TOP].design.connections) == ["led_tied", "led_tied_2"]
    bench.refused("second-driver", TIE, component=TOP, port="led", value="1", left="4")


def test_an_output_can_only_be_left_open(bench: Bench) -> None:
    assert "open" in bench.refused("ties-a-driver", TIE, component=TOP, instance="u1", port="q", value="0").hint
    bench.do(TIE, component=TOP, instance="u1", port="q", value="open")


def test_the_default_is_the_ports_own(bench: Bench) -> None:
    bench.refused("no-default", TIE, component=TOP, instance="u1", port="d", value="default")
    bench.signal(CORE, "en", "in", default_value="1")
    bench.do(TIE, component=TOP, instance="u1", port="en", value="default")


def test_a_value_with_too_many_bits_is_warned_of(bench: Bench) -> None:
    (warning,) = bench.do(TIE, component=TOP, instance="u1", port="d", value="256").warnings
    assert warning.code == "value-too-wide"
    assert "9 bits" in warning.message


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("bad-value", "-1"),
        ("bad-value", "1/0"),
        ("unknown-parameter", "X"),
        ("bad-expression", "1 1"),
        ("missing-argument", ""),
    ],
)
def test_values_that_are_none(bench: Bench, code: str, value: str) -> None:
    bench.refused(code, TIE, component=TOP, instance="u1", port="d", value=value)


def test_what_is_tied_or_driven_is_not_tied_again(bench: Bench) -> None:
    bench.connect(TOP, "u1.q", "u2.d")
    bench.refused("second-driver", TIE, component=TOP, instance="u2", port="d", value="0")
    assert (
        "u1_q_to_u2_d"
        in bench.refused("already-connected", TIE, component=TOP, instance="u2", port="d", value="open").hint
    )
    bench.do(TIE, component=TOP, instance="u1", port="d", value="open")
    bench.refused("already-connected", TIE, component=TOP, instance="u1", port="d", value="0")
    bench.refused("already-connected", TIE, component=TOP, instance="u1", port="d", value="open")
