"""The scorer against the contract's cases, and what must hold for any calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from agent.evaluation.scoring import ExpectedCall, MadeCall, score

CASES = yaml.safe_load((Path(__file__).parents[2] / "contract" / "scoring.yaml").read_text())["cases"]
PORT = {"component": "a:b:c:1.0", "name": "d", "direction": "in"}
JOIN = {"component": "a:b:t:1.0", "source_port": "clk", "target_instance": "u1", "target_port": "clk"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_contract_case(case: dict[str, Any]) -> None:
    result = score(
        [ExpectedCall(*call) for call in case["expected"]],
        [MadeCall(*call) for call in case["made"]],
        [[ExpectedCall(*call) for call in calls] for calls in case.get("alternatives", [])],
    )
    for name in ("ecc", "evcr", "evcr_writes", "tfr", "nca"):
        if name in case:
            assert getattr(result, name) == case[name], name
    if "match" in case:
        assert len(result.pairs) == case["match"]


def matches(tool: str, expected: dict[str, Any], made: dict[str, Any]) -> bool:
    return score([ExpectedCall(tool, expected)], [MadeCall(tool, made, True)]).ecc == 1.0


@pytest.mark.parametrize(
    ("expected", "made", "same"),
    [
        ({"width": "W"}, {"left": "W-1", "right": "0"}, True),
        ({"width": "W"}, {"left": "W - 1", "right": 0}, True),
        ({"width": "W/8"}, {"left": "W/8-1", "right": "0"}, True),
        ({"width": "W/8"}, {"left": "(W/8)-1", "right": "0"}, True),
        ({"width": "a<<b"}, {"left": "a<<b-1", "right": "0"}, False),
        ({"width": "a<<b"}, {"left": "(a<<b)-1", "right": "0"}, True),
        ({"width": "(W)"}, {"width": "W"}, True),
        ({"width": "(A)*(B)"}, {"left": "(A)*(B)-1", "right": "0"}, True),
        ({"width": "W"}, {"left": "W-2", "right": "0"}, False),
        ({"width": "W"}, {"left": "-1", "right": "0"}, False),
        ({"width": "W"}, {"left": "W-1", "right": "1"}, False),
        ({}, {"left": "0", "right": "0"}, True),
        ({}, {"width": None}, True),
        ({"width": "8"}, {"width": "8.0"}, True),
        ({"width": "8"}, {"width": "8", "left": "7", "right": "0"}, True),
        ({"width": "8"}, {"width": "9", "left": "7", "right": "0"}, False),
        ({"width": "1", "left": "7", "right": "0"}, {"width": "8"}, True),
        ({"left": "0", "right": "7"}, {"left": 0, "right": 7}, True),
        ({"left": "15", "right": "8"}, {"width": "8"}, False),
        ({"left": "7"}, {"left": "7"}, True),
        ({"default_value": "'h 1F"}, {"default_value": "'h1F"}, True),
        ({"default_value": "0"}, {"default_value": 0}, True),
        ({"default_value": "0"}, {"default_value": "00"}, False),
        ({"description": "data in"}, {}, False),
        ({"description": "data in"}, {"description": "data in"}, True),
        ({}, {"bit_width": "8"}, False),
    ],
)
def test_signal_port_notation(expected: dict[str, Any], made: dict[str, Any], same: bool) -> None:
    assert matches("add_signal_port", PORT | expected, PORT | made) is same


@pytest.mark.parametrize(
    ("expected", "made", "same"),
    [
        ({"value": "A+B", "type": "int"}, {"value": "A + B", "type": "int"}, True),
        ({"value": "A+B"}, {"value": "A + B"}, False),
        ({"value": "8", "type": "int"}, {"value": 8, "type": "int"}, True),
        ({"value": "8"}, {"value": "8", "type": "string"}, True),
        ({"value": "8", "minimum": "0"}, {"value": "8", "minimum": "0.0"}, True),
        ({"value": "8", "maximum": "2**W"}, {"value": "8", "maximum": "2 ** W"}, True),
        ({"value": "8", "maximum": "16"}, {"value": "8"}, False),
        ({"value": '{"a b"}', "type": "int"}, {"value": '{ "a b" }', "type": "int"}, True),
        ({"value": '{"a b"}', "type": "int"}, {"value": '{"ab"}', "type": "int"}, False),
    ],
)
def test_parameter_notation(expected: dict[str, Any], made: dict[str, Any], same: bool) -> None:
    base = {"component": "a:b:c:1.0", "name": "P"}
    assert matches("add_user_parameter", base | expected, base | made) is same


@pytest.mark.parametrize(("made", "same"), [(True, True), ("true", True), ("True", True), (False, False), ("", False)])
def test_flags_may_be_text(made: Any, same: bool) -> None:
    base = {"component": "a:b:c:1.0"}
    assert matches("delete_component", base | {"force": True}, base | {"force": made}) is same


def test_a_description_is_matched_by_the_call_that_gives_it_whatever_the_order() -> None:
    plain, described = (
        ExpectedCall("add_signal_port", PORT),
        ExpectedCall("add_signal_port", PORT | {"description": "x"}),
    )
    made = [
        MadeCall("add_signal_port", PORT | {"description": "x"}, True),
        MadeCall("add_signal_port", PORT, True),
    ]
    assert score([plain, described], made).pairs == ((0, 1), (1, 0))
    assert score([described, plain], made).pairs == ((0, 0), (1, 1))


def test_another_servers_tool_is_compared_argument_by_argument() -> None:
    assert matches(
        "git_commit", {"repo_path": ".", "message": "fix"}, {"repo_path": ".", "message": "fix", "all": None}
    )
    assert not matches("git_commit", {"message": "fix"}, {"message": "fix", "amend": True})
    assert matches("git_add", {"files": '["a.c"]'}, {"files": ["a.c"]})


def test_an_extraneous_call_to_another_server_counts_as_a_write() -> None:
    assert score([], [MadeCall("git_status", {}, True)]).evcr_writes == 1.0


def test_of_equal_coverage_the_set_with_fewest_extraneous_calls_counts() -> None:
    one, two = ExpectedCall("get_component_details", {"component": "a:b:c:1.0"}), ExpectedCall("list_components", {})
    made = [MadeCall(call.tool, call.args, True) for call in (one, two)]
    result = score([one], made, [[one, two]])
    assert (result.ecc, result.evcr, result.expected) == (1.0, 0.0, (one, two))


def test_no_call_as_an_alternative_keeps_the_task_among_those_with_calls() -> None:
    expected = [ExpectedCall("list_components")]
    assert (score(expected, [], [[]]).ecc, score(expected, [], [[]]).nca) == (1.0, None)


@pytest.mark.parametrize(("ok", "nca"), [(True, 1.0), (False, 0.0)])
def test_calls_as_an_alternative_to_no_call_must_be_exactly_those(ok: bool, nca: float) -> None:
    result = score([], [MadeCall("list_components", {}, ok)], [[ExpectedCall("list_components")]])
    assert (result.ecc, result.nca) == (None, nca)


NAMES = st.sampled_from(["a", "b", "c"])
CALLS = st.one_of(
    st.fixed_dictionaries(
        {"component": st.just("a:b:c:1.0"), "name": NAMES, "direction": st.sampled_from(["in", "out"])},
        optional={"width": st.sampled_from(["1", "8", "W"]), "description": NAMES},
    ).map(lambda args: ExpectedCall("add_signal_port", args)),
    st.fixed_dictionaries(
        {"component": st.just("a:b:t:1.0"), "source_port": NAMES, "target_port": NAMES, "target_instance": NAMES},
        optional={"source_instance": NAMES, "name": NAMES},
    ).map(lambda args: ExpectedCall("add_subcomponent_connection", args)),
    st.just(ExpectedCall("list_components")),
)
MADE = st.builds(lambda call, ok: MadeCall(call.tool, call.args, ok), CALLS, st.booleans())


@given(expected=st.lists(CALLS, max_size=5), made=st.lists(MADE, max_size=6))
def test_metrics_stay_within_bounds_and_agree_with_the_pairs(
    expected: list[ExpectedCall], made: list[MadeCall]
) -> None:
    result = score(expected, made)
    assert all(0.0 <= value <= 1.0 for value in (result.evcr, result.evcr_writes, result.tfr))
    assert (result.ecc is None) == (not expected) == (result.nca is not None)
    assert len({want for want, _made in result.pairs}) == len({got for _want, got in result.pairs}) == len(result.pairs)
    assert all(made[got].ok and made[got].tool == expected[want].tool for want, got in result.pairs)
    if result.nca is not None:
        assert 1.0 - result.nca <= result.evcr + result.tfr  # what table 3 of the paper breaks


@given(data=st.data(), expected=st.lists(CALLS, max_size=5), made=st.lists(MADE, max_size=6))
def test_order_does_not_matter(data: st.DataObject, expected: list[ExpectedCall], made: list[MadeCall]) -> None:
    first = score(expected, made)
    second = score(data.draw(st.permutations(expected)), data.draw(st.permutations(made)))
    assert (first.ecc, first.evcr, first.evcr_writes, first.tfr, first.nca) == (
        second.ecc,
        second.evcr,
        second.evcr_writes,
        second.tfr,
        second.nca,
    )


def respelled(call: ExpectedCall) -> dict[str, Any]:
    """The same call in other notation: ends swapped, defaults spelled out, bounds for a width, nulls."""
    args = dict(call.args)
    if call.tool == "add_subcomponent_connection":
        args["source_port"], args["target_port"] = args["target_port"], args["source_port"]
        args["source_instance"], args["target_instance"] = args["target_instance"], args.get("source_instance", "")
    elif call.tool == "add_signal_port":
        width = args.pop("width", "1")
        args |= {"left": str(int(width) - 1) if width.isdigit() else f"{width} - 1", "right": 0, "default_value": None}
    else:
        args |= {"vendor": "", "version": None}
    return args


@given(calls=st.lists(CALLS, max_size=5))
def test_notation_does_not_matter(calls: list[ExpectedCall]) -> None:
    result = score(calls, [MadeCall(call.tool, respelled(call), True) for call in calls])
    assert len(result.pairs) == len(calls)
    assert (result.evcr, result.tfr) == (0.0, 0.0)


@given(
    extra=st.lists(MADE, max_size=4), made=st.lists(MADE, max_size=4), expected=st.lists(CALLS, min_size=1, max_size=4)
)
def test_further_calls_never_lower_coverage(
    extra: list[MadeCall], made: list[MadeCall], expected: list[ExpectedCall]
) -> None:
    fewer, more = score(expected, made).ecc, score(expected, made + extra).ecc
    assert fewer is not None
    assert more is not None
    assert fewer <= more
