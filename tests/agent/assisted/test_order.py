from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.assisted.order import makers_first
from agent.models.base import ToolCall

TOP, LEAF = "acme:soc:top:1.0", "acme:soc:leaf:1.0"


def create(vlnv: str) -> ToolCall:
    return ToolCall(
        "create_component", dict(zip(("vendor", "library", "name", "version"), vlnv.split(":"), strict=True))
    )


CALLS = (
    create(TOP),
    create(LEAF),
    ToolCall("add_user_parameter", {"component": TOP, "name": "W", "value": "8", "type": "int"}),
    ToolCall("add_user_parameter", {"component": TOP, "name": "N", "value": "W*2", "type": "int"}),
    ToolCall("add_signal_port", {"component": TOP, "name": "d", "direction": "in", "width": "N"}),
    ToolCall("add_subcomponent", {"component": TOP, "subcomponent": LEAF, "instance_name": "u_leaf"}),
    ToolCall(
        "add_subcomponent_connection",
        {"component": TOP, "source_port": "d", "target_instance": "u_leaf", "target_port": "d"},
    ),
    ToolCall("delete_element", {"component": TOP, "element_type": "connection", "name": "old"}),
)
NEEDS = ((0, 2), (2, 3), (3, 4), (0, 5), (1, 5), (4, 6), (5, 6), (0, 7))


@given(st.permutations(CALLS))
def test_what_makes_something_comes_before_what_uses_it(calls: list[ToolCall]) -> None:
    ordered = makers_first(calls)
    assert sorted(map(str, ordered)) == sorted(map(str, calls))
    for maker, user in NEEDS:
        assert ordered.index(CALLS[maker]) < ordered.index(CALLS[user])


@given(st.permutations(CALLS))
def test_an_order_that_works_stays(calls: list[ToolCall]) -> None:
    ordered = makers_first(calls)
    assert makers_first(ordered) == ordered


def test_what_needs_itself_or_one_another_stays_where_it_is() -> None:
    circle = [
        ToolCall("add_user_parameter", {"component": TOP, "name": name, "value": other, "type": "int"})
        for name, other in (("A", "B"), ("B", "A"), ("C", "C"))
    ]
    assert sorted(map(str, makers_first(circle))) == sorted(map(str, circle))
