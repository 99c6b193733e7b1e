from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_design import LIBRARY, SPECS

from agent.assisted.grounding import ground
from agent.assisted.related_widths import MOST_APART, is_given_by_another

STATE = "component a:b:c:1.0\n  ports: clk in 1, s in 14, ws out 24\n  parameters: AW=5 (user, int), DW=32 (user, int)"


@pytest.mark.parametrize(
    ("width", "request_", "given"),
    [
        ("14", "an input t as wide as the line's s", True),
        ("25", "an output total one bit wider than those", True),
        ("28", "an output twice the size, double the width of s", True),
        ("24", "an output with the width of ws", True),
        ("24", "an output t", False),
        ("77", "an output as wide as s", False),
        ("AW", "Use these two parameters as the widths", True),
        ("AW", "Add an input t", False),
    ],
)
def test_a_width_may_be_given_by_another(width: str, request_: str, given: bool) -> None:
    assert is_given_by_another(width, request_, STATE) is given


@given(st.integers(min_value=1, max_value=1000), st.integers(min_value=1, max_value=1000))
def test_only_what_is_near_or_a_simple_multiple_follows(size: int, width: int) -> None:
    follows = abs(size - width) <= MOST_APART or width in {2 * size, size // 2}
    assert is_given_by_another(str(width), "as wide as that one", f"  ports: s in {size}") is follows


def test_a_width_that_is_said_by_another_stays() -> None:
    plan = {
        "tool": "add_signal_port",
        "component": "acme:periph:uart:1.0",
        "name": "t",
        "direction": "in",
        "width": "14",
    }
    for request, kept in (("an input t as wide as the line's s", True), ("an input t", False)):
        (call,) = ground([plan], SPECS, LIBRARY, f"Give the uart {request}", "", STATE).calls
        assert ("width" in call.arguments) is kept
