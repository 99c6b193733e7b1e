"""Adding parameters: names, types, bounds, circles."""

from __future__ import annotations

import pytest
from designs import CORE, Bench

from model import operations
from model.elements import Parameter

BOTH = pytest.mark.parametrize(
    ("add", "kind", "element"),
    [
        (operations.add_user_parameter, "user", "user_parameter"),
        (operations.add_generator_parameter, "generated", "generator_parameter"),
    ],
)


@BOTH
def test_add(add: object, kind: str, element: str) -> None:
    bench = Bench(CORE)
    bench.do(add, component=CORE, name="W", value=8, type="int", minimum=1, maximum=" 64 ", description="bits")  # type: ignore[arg-type]
    assert bench[CORE].parameters["W"] == Parameter(
        name="W", kind=kind, value="8", type="int", minimum="1", maximum="64", description="bits"
    )
    assert [str(added) for added in bench.change.added] == [f"{element} W of {CORE}"]
    assert bench.change.summary == f"Added {element.replace('_', ' ')} W = 8 to {CORE}."


@BOTH
def test_both_kinds_share_one_namespace(add: object, kind: str, element: str) -> None:
    bench = Bench(CORE)
    bench.do(add, component=CORE, name="W", value="8")  # type: ignore[arg-type]
    bench.refused("name-taken", operations.add_user_parameter, component=CORE, name="W", value="8")
    problem = bench.refused("name-taken", operations.add_generator_parameter, component=CORE, name="W", value="8")
    assert kind in problem.message


@pytest.mark.parametrize("value", ["010", "1.0", "hello world", " spaced ", "0x1F", "8'hFF", "W", "a+"])
def test_text_stays_the_text_it_is(value: str) -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "ID", value)
    assert bench[CORE].parameters["ID"].value == value


def test_a_name_of_its_own_is_text_too() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "uart", "uart")
    assert bench[CORE].parameters["uart"].value == "uart"


@pytest.mark.parametrize(
    ("type_name", "value"),
    [
        ("bit", "1"),
        ("bit", "1'b0"),
        ("byte", "-128"),
        ("byte", "8'hFF"),
        ("shortint", "32767"),
        ("int", "'hFFFF_0000"),
        ("int", "OTHER*2"),
        ("longint", "9223372036854775807"),
        ("real", "1"),
        ("real", "2.5e-3"),
        ("shortreal", "-1.5"),
        ("string", '"quoted"'),
    ],
)
def test_values_of_their_type(type_name: str, value: str) -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "OTHER", "4")
    bench.parameter(CORE, "P", value, type=type_name)
    assert bench[CORE].parameters["P"].type == type_name


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("bad-value", {"type": "bit", "value": "2"}),
        ("bad-value", {"type": "byte", "value": "128"}),
        ("bad-value", {"type": "shortint", "value": "40000"}),
        ("bad-value", {"type": "int", "value": "3.5"}),
        ("bad-value", {"type": "int", "value": "2147483648"}),
        ("bad-value", {"type": "int", "value": "33'h1_0000_0000"}),
        ("bad-value", {"type": "int", "value": '"text"'}),
        ("bad-value", {"type": "shortreal", "value": "1e39"}),
        ("bad-expression", {"type": "int", "value": "thirty two"}),
        ("bad-expression", {"type": "int", "value": "0x10"}),
        ("unknown-parameter", {"type": "int", "value": "true"}),
        ("no-value", {"type": "int", "value": "1/0"}),
        ("missing-argument", {"value": ""}),
        ("missing-argument", {"value": None}),
        ("bad-choice", {"type": "integer"}),
        ("bad-name", {"name": "2W"}),
        ("bad-name", {"name": "a:b"}),
        ("name-taken", {"name": "OTHER"}),
        ("out-of-range", {"type": "int", "value": "65", "minimum": "1", "maximum": "64"}),
        ("out-of-range", {"type": "int", "value": "0", "minimum": "1"}),
        ("out-of-range", {"value": "65", "maximum": 64}),
        ("out-of-range", {"type": "real", "value": "0.5", "minimum": "0.6"}),
        ("out-of-range", {"type": "int", "value": "5", "minimum": "9", "maximum": "1"}),
        ("out-of-range", {"type": "int", "value": "OTHER*9", "maximum": "32"}),
        ("bad-value", {"value": "fast", "minimum": "1"}),
        ("bad-value", {"type": "int", "value": "1", "minimum": "MODE"}),
        ("unknown-parameter", {"type": "int", "value": "1", "maximum": "LIMIT"}),
        ("circular-expression", {"type": "int", "value": "P+1"}),
        ("circular-expression", {"value": "P+1"}),
        ("circular-expression", {"type": "int", "value": "1", "maximum": "P+1"}),
        ("circular-expression", {"value": "AHEAD*2"}),
        ("component-not-found", {"component": "acme:soc:nocore:1.0"}),
    ],
)
def test_refused(code: str, arguments: dict[str, object]) -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "OTHER", "4")
    bench.parameter(CORE, "MODE", "fast")
    bench.parameter(CORE, "AHEAD", "P+1")  # text, as long as there is no P
    bench.refused(code, operations.add_user_parameter, **{"component": CORE, "name": "P", "value": "8", **arguments})


def test_a_new_name_must_not_make_another_parameter_circular() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "N", "W*N")  # text, as long as there is no W
    bench.refused("circular-expression", operations.add_user_parameter, component=CORE, name="W", value="1")


def test_a_circle_is_shown_as_a_way_round() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "A", "B+1")
    problem = bench.refused(
        "circular-expression", operations.add_user_parameter, component=CORE, name="B", value="A", type="int"
    )
    assert "B → A → B" in problem.message
