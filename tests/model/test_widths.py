"""Widths: stored as bounds, shown as text, computed as numbers."""

from __future__ import annotations

import pytest
from designs import CORE, TOP, Bench
from hypothesis import given
from hypothesis import strategies as st

from model import operations
from model.elements import SignalPort
from model.expressions import evaluate
from model.nets import nets_at
from model.widths import bounds_of_width, port_width, width_label, width_text


@pytest.mark.parametrize(
    ("width", "bounds"),
    [
        ("1", ("", "")),
        ("8", ("7", "0")),
        ("W", ("W-1", "0")),
        ("W/8", ("W/8-1", "0")),
        ("A+B", ("A+B-1", "0")),
        ("A-B", ("A-B-1", "0")),
        ("A<<B", ("(A<<B)-1", "0")),
        ("A?B:4", ("(A?B:4)-1", "0")),
        ("(A|B)", ("(A|B)-1", "0")),
        ("$clog2(W)", ("$clog2(W)-1", "0")),
    ],
)
def test_width_and_bounds_turn_into_each_other(width: str, bounds: tuple[str, str]) -> None:
    assert bounds_of_width(width) == bounds
    text = width_text(SignalPort(name="p", direction="in", left=bounds[0], right=bounds[1]))
    assert text.strip("()") == width.strip("()")


@pytest.mark.parametrize(
    ("left", "right", "text"),
    [
        ("7", "4", "7:4"),
        ("0", "7", "0:7"),
        ("W-2", "0", "W-2:0"),
        ("W-1", "1", "W-1:1"),
        ("0", "0", "1"),
        (" 7 ", "0", "8"),
    ],
)
def test_bounds_that_are_no_plain_width_show_as_bounds(left: str, right: str, text: str) -> None:
    assert width_text(SignalPort(name="p", direction="in", left=left, right=right)) == text


def test_labels_for_people() -> None:
    labels = [
        width_label(SignalPort(name="p", direction="in", left=a, right=b))
        for a, b in (("", ""), ("7", "0"), ("7", "4"))
    ]
    assert labels == ["1 bit", "8 bits", "[7:4]"]


@given(st.sampled_from(["A", "B", "A+B", "A*B", "A-B", "A<<1", "A|B", "A>B?A:B", "(A)", "~A", "-A", "A**2", "A&B"]))
def test_bounds_of_an_expression_are_its_value_less_one(width: str) -> None:
    values = {"A": 9, "B": 4}
    left, right = bounds_of_width(width)
    expected = evaluate(width, values)
    assert isinstance(expected, int)
    assert evaluate(left, values) == expected - 1
    assert right == "0"


def test_port_width_follows_parameters_and_overrides() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "W", "32")
    bench.parameter(CORE, "BYTES", "W/8", type="int")
    bench.signal(CORE, "d", "in", width="W")
    bench.signal(CORE, "be", "in", width="BYTES")
    core = bench[CORE]
    assert port_width(core, core.ports["d"]) == 32
    assert port_width(core, core.ports["be"]) == 4
    assert port_width(core, core.ports["be"], {"W": "64"}) == 8
    assert port_width(core, core.ports["be"], {"W": "4"}) is None  # [-1:0] is no vector


def test_little_endian_bounds_have_a_width() -> None:
    bench = Bench(CORE)
    bench.signal(CORE, "d", "in", left="0", right="7")
    assert port_width(bench[CORE], bench[CORE].ports["d"]) == 8


def test_an_override_may_use_the_parameters_of_the_parent() -> None:
    bench = Bench(CORE, TOP)
    bench.parameter(CORE, "W", "8", type="int")
    bench.signal(CORE, "q", "out", width="W")
    bench.parameter(TOP, "BUS", "16", type="int")
    bench.signal(TOP, "led", "out", width="BUS*2")
    bench.instance(TOP, CORE, "u1")
    bench.do(operations.set_instance_parameter, component=TOP, instance_name="u1", parameter="W", value="BUS*2")
    assert not bench.connect(TOP, "u1.q", "led").warnings
    assert nets_at(bench.library, bench[TOP], "u1", "q")[0].width == 32
