"""Subcomponents: adding them, and setting their parameters."""

from __future__ import annotations

import pytest
from designs import CORE, TOP, UART, Bench, two_cores

from model import operations
from model.elements import Component, Instance
from model.graph import hierarchy, tops
from model.usage import containment
from model.vlnv import Vlnv


def test_add() -> None:
    bench = Bench(CORE, TOP)
    bench.do(operations.add_subcomponent, component=TOP, subcomponent=CORE, instance_name="u1", description="first")
    assert bench[TOP].design.instances["u1"] == Instance(name="u1", component=Vlnv.parse(CORE), description="first")
    assert bench[TOP].view == "hierarchical"
    assert [str(element) for element in bench.change.added] == [f"subcomponent u1 of {TOP}"]


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("component-not-found", {"subcomponent": "acme:soc:cor:1.0"}),
        ("component-not-found", {"component": "acme:soc:tip:1.0"}),
        ("bad-vlnv", {"subcomponent": "core"}),
        ("bad-name", {"instance_name": "u 1"}),
        ("bad-name", {"instance_name": "u:1"}),
        ("missing-argument", {"instance_name": ""}),
        ("name-taken", {"instance_name": "old"}),
        ("contains-itself", {"subcomponent": TOP}),
    ],
)
def test_refused(code: str, arguments: dict[str, object]) -> None:
    bench = Bench(CORE, TOP)
    bench.instance(TOP, CORE, "old")
    bench.refused(
        code,
        operations.add_subcomponent,
        **{"component": TOP, "subcomponent": CORE, "instance_name": "u1", **arguments},
    )


def test_a_component_inside_itself_through_others_is_refused_with_the_way() -> None:
    bench = Bench(CORE, UART, TOP)
    bench.instance(TOP, UART, "u")
    bench.instance(UART, CORE, "c")
    problem = bench.refused(
        "contains-itself", operations.add_subcomponent, component=CORE, subcomponent=TOP, instance_name="t"
    )
    assert f"{CORE} → {TOP} → {UART} → {CORE}" in problem.message


def test_containment_looks_into_every_view() -> None:
    bench = Bench(CORE, TOP)
    inner = bench[TOP]
    first, second = inner.with_design(inner.design), Component(vlnv=inner.vlnv)
    second = second.with_design(
        second.design.model_copy(
            update={"instances": second.design.instances.set("c", Instance(name="c", component=Vlnv.parse(CORE)))}
        )
    )
    both = first.model_copy(update={"designs": first.designs.set("other", second.design)})
    library = bench.library.put(both)
    assert containment(library, Vlnv.parse(TOP), Vlnv.parse(CORE)) == [Vlnv.parse(TOP), Vlnv.parse(CORE)]


def test_views_of_the_hierarchy() -> None:
    bench = two_cores()
    graph = hierarchy(bench.library.without(Vlnv.parse(CORE)))
    assert graph.nodes[Vlnv.parse(CORE)]["missing"]
    assert {instance for _a, _b, instance in graph.edges(data="instance")} == {"u1", "u2"}
    assert tops(bench.library) == [Vlnv.parse(TOP)]


def parametrised() -> Bench:
    bench = Bench(CORE, TOP)
    bench.parameter(CORE, "W", "8", type="int", minimum="1", maximum="64")
    bench.signal(CORE, "q", "out", width="W")
    bench.signal(CORE, "d", "in", width="W/4")
    bench.parameter(TOP, "BUS", "16", type="int")
    bench.signal(TOP, "led", "out", width="BUS")
    bench.instance(TOP, CORE, "u1")
    return bench


SET = operations.set_instance_parameter


def test_set_and_clear_an_instance_parameter() -> None:
    bench = parametrised()
    where = {"component": TOP, "instance_name": "u1", "parameter": "W"}
    bench.do(SET, **where, value="BUS*2")
    assert dict(bench[TOP].design.instances["u1"].parameters) == {"W": "BUS*2"}
    assert [str(element) for element in bench.change.changed] == [f"subcomponent u1 of {TOP}"]
    bench.do(SET, **where)
    assert not bench[TOP].design.instances["u1"].parameters
    before = bench.library
    bench.do(SET, **where, value="")
    assert bench.library is before


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("instance-not-found", {"instance_name": "u2"}),
        ("parameter-not-found", {"parameter": "WW"}),
        ("out-of-range", {"value": "65"}),
        ("out-of-range", {"value": "BUS*8"}),
        ("bad-value", {"value": "1.5"}),
        ("unknown-parameter", {"value": "W"}),
        ("bad-expression", {"value": "wide open"}),
        ("bad-width", {"value": "3"}),
    ],
)
def test_refused_instance_parameters(code: str, arguments: dict[str, object]) -> None:
    bench = parametrised()
    bench.refused(code, SET, **{"component": TOP, "instance_name": "u1", "parameter": "W", "value": "8", **arguments})


def test_an_instance_parameter_that_makes_widths_differ_warns() -> None:
    bench = parametrised()
    bench.do(SET, component=TOP, instance_name="u1", parameter="W", value="BUS")
    assert not bench.connect(TOP, "u1.q", "led").warnings
    change = bench.do(SET, component=TOP, instance_name="u1", parameter="W", value="32")
    assert [warning.code for warning in change.warnings] == ["widths-differ"]
    assert "32 bits" in change.warnings[0].message
    assert "16 bits" in change.warnings[0].message


def test_the_component_of_an_instance_may_be_missing() -> None:
    bench = parametrised()
    bench.library = bench.library.without(Vlnv.parse(CORE))
    problem = bench.refused("component-missing", SET, component=TOP, instance_name="u1", parameter="W", value="8")
    assert CORE in problem.message
    assert "load_component" in problem.hint
