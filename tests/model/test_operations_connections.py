"""Connecting ports: which pairs go together, who may drive, what is warned of."""

from __future__ import annotations

from itertools import product

import pytest
from designs import CORE, TOP, UART, Bench, joining, two_cores

from model import operations
from model.elements import Connection, Endpoint
from model.errors import DesignError
from model.vlnv import Vlnv

CONNECT = operations.add_subcomponent_connection
DIRECTIONS = ("in", "out", "inout")


def refused(bench: Bench, code: str, source: str, target: str, name: str = "") -> DesignError:
    return bench.refused(code, CONNECT, **joining(TOP, source, target, name))


def test_connect() -> None:
    bench = two_cores()
    change = bench.connect(TOP, "u1.q", "u2.d")
    assert bench[TOP].design.connections["u1_q_to_u2_d"] == Connection(
        name="u1_q_to_u2_d", ends=(Endpoint(instance="u1", port="q"), Endpoint(instance="u2", port="d"))
    )
    assert [str(element) for element in change.added] == [f"connection u1_q_to_u2_d of {TOP}"]
    assert "u1.q" in change.summary
    assert "u2.d" in change.summary
    assert not change.warnings


def one_of_each(first: str, second: str) -> Bench:
    """Two components with a port each, instantiated in a top that has a port of either direction."""
    bench = Bench(CORE, UART, TOP)
    bench.signal(CORE, "p", first)
    bench.signal(UART, "p", second)
    bench.signal(TOP, "a", first)
    bench.signal(TOP, "b", second)
    bench.instance(TOP, CORE, "u1")
    bench.instance(TOP, UART, "u2")
    return bench


@pytest.mark.parametrize(("first", "second"), list(product(DIRECTIONS, DIRECTIONS)))
@pytest.mark.parametrize(
    ("source", "target", "wants_equal"),
    [("u1.p", "u2.p", False), ("u1.p", "b", True), ("a", "u2.p", True), ("a", "b", False)],
)
def test_directions(first: str, second: str, source: str, target: str, wants_equal: bool) -> None:
    bench = one_of_each(first, second)
    if "inout" in {first, second} or (first == second) is wants_equal:
        bench.connect(TOP, source, target)
    else:
        problem = refused(bench, "directions-clash", source, target)
        assert source in problem.message
        assert target in problem.message


@pytest.mark.parametrize(("first", "second"), list(product(("requires", "provides", "both"), repeat=2)))
@pytest.mark.parametrize(
    ("source", "target", "wants_equal"),
    [("u1.p", "u2.p", False), ("u1.p", "b", True), ("a", "u2.p", True), ("a", "b", False)],
)
def test_initiatives(first: str, second: str, source: str, target: str, wants_equal: bool) -> None:
    bench = Bench(CORE, UART, TOP)
    bench.transactional(CORE, "p", first)
    bench.transactional(UART, "p", second)
    bench.transactional(TOP, "a", first)
    bench.transactional(TOP, "b", second)
    bench.instance(TOP, CORE, "u1")
    bench.instance(TOP, UART, "u2")
    if "both" in {first, second} or (first == second) is wants_equal:
        bench.connect(TOP, source, target)
    else:
        refused(bench, "initiatives-clash", source, target)


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        ({}, {"protocol": "tlm", "bus_width": 32}, ""),
        ({"protocol": "tlm"}, {"protocol": "tlm"}, ""),
        ({"protocol": "tlm"}, {"protocol": "chi"}, "protocols-differ"),
        ({"bus_width": 32}, {"bus_width": "W"}, ""),
        ({"bus_width": 32}, {"bus_width": "W/2"}, "bus-widths-differ"),
    ],
)
def test_protocols_and_bus_widths(one: dict[str, object], other: dict[str, object], code: str) -> None:
    bench = Bench(CORE, UART, TOP)
    bench.parameter(UART, "W", "32")
    bench.transactional(CORE, "p", "requires", **one)
    bench.transactional(UART, "p", "provides", **other)
    bench.instance(TOP, CORE, "u1")
    bench.instance(TOP, UART, "u2")
    if code:
        refused(bench, code, "u1.p", "u2.p")
    else:
        bench.connect(TOP, "u1.p", "u2.p")


def test_names_that_do_not_exist() -> None:
    bench = two_cores()
    problem = refused(bench, "instance-not-found", "u3.q", "u2.d")
    assert "It has u1, u2." in problem.hint
    bench.signal(CORE, "data_out", "out")
    problem = refused(bench, "port-not-found", "u1.data_uot", "u2.d")
    assert problem.suggestions == ("data_out",)
    assert CORE in problem.message
    problem = refused(bench, "port-not-found", "u1.q", "lde")
    assert problem.suggestions == ("led",)
    bench.refused("missing-argument", CONNECT, component=TOP, source_port="", target_port="led")
    problem = bench.refused("port-not-found", CONNECT, component=TOP, source_port="u1.q", target_port="led")
    assert "source_instance u1" in problem.hint


def test_a_missing_component_is_named() -> None:
    bench = two_cores()
    bench.library = bench.library.without(Vlnv.parse(CORE))
    problem = refused(bench, "component-missing", "u1.q", "led")
    assert CORE in problem.message
    assert "load_component" in problem.hint


def test_signal_and_transactional_do_not_mix() -> None:
    bench = two_cores()
    bench.transactional(CORE, "bus", "requires")
    refused(bench, "port-kinds-differ", "u1.bus", "u2.d")


def test_an_endpoint_with_itself() -> None:
    bench = two_cores()
    refused(bench, "same-endpoint", "u1.io", "u1.io")
    refused(bench, "same-endpoint", "clk", "clk")


def test_the_same_pair_again() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "net")
    assert "net" in refused(bench, "already-connected", "u1.q", "u2.d", "other").message
    assert "net" in refused(bench, "already-connected", "u2.d", "u1.q").message


def test_names() -> None:
    bench = two_cores()
    bench.connect(TOP, "clk", "u1.d")
    bench.connect(TOP, "u1.q", "led", "clk_to_u2_d")
    change = bench.connect(TOP, "clk", "u2.d")
    assert list(bench[TOP].design.connections) == ["clk_to_u1_d", "clk_to_u2_d", "clk_to_u2_d_2"]
    assert change.added[0].name == "clk_to_u2_d_2"
    refused(bench, "name-taken", "u1.io", "u2.io", "clk_to_u1_d")
    refused(bench, "bad-name", "u1.io", "u2.io", "a b")


def test_own_ports_join_in_with_out() -> None:
    bench = two_cores()
    bench.connect(TOP, "clk", "led")
    assert "clk_to_led" in bench[TOP].design.connections


def test_widths_that_differ_warn_with_both() -> None:
    bench = two_cores()
    bench.signal(CORE, "wide", "out", width=32)
    change = bench.connect(TOP, "u1.wide", "u2.d")
    assert [warning.code for warning in change.warnings] == ["widths-differ"]
    assert "u1.wide has 32 bits" in change.warnings[0].message
    assert "u2.d has 8 bits" in change.warnings[0].message


@pytest.mark.parametrize(("source", "target"), [("u2.q", "u1.d"), ("u1.d", "u2.q")])
def test_a_second_driver_is_refused_whichever_end_comes_first(source: str, target: str) -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u1.d")
    problem = refused(bench, "second-driver", source, target)
    assert "u1.q" in problem.message
    assert "u2.q" in problem.message


def test_the_own_input_drives_inside() -> None:
    bench = two_cores()
    bench.connect(TOP, "clk", "u1.d")
    problem = refused(bench, "second-driver", "u2.q", "u1.d")
    assert "clk" in problem.message


def test_a_driver_far_away_on_the_net_counts() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u1.io")
    bench.connect(TOP, "u1.io", "u2.io")
    bench.connect(TOP, "u2.io", "u2.d")
    refused(bench, "second-driver", "u2.q", "u2.d")
    bench.delete(TOP, "connection", "u1_io_to_u2_io")
    bench.connect(TOP, "u2.q", "u2.d")
    refused(bench, "second-driver", "u1.io", "u2.io")


def test_one_driver_may_reach_many_and_the_same_net_twice() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u1.d")
    bench.connect(TOP, "u1.q", "u2.d")
    bench.connect(TOP, "u1.q", "led")
    bench.connect(TOP, "u1.q", "u1.io")
    bench.connect(TOP, "u1.io", "u2.d")


def loaded(bench: Bench, *connections: Connection) -> None:
    """Put connections in as a file would, whatever the rules say."""
    top = bench[TOP]
    design = top.design
    joined = design.connections
    for connection in connections:
        joined = joined.set(connection.name, connection)
    bench.library = bench.library.put(top.with_design(design.model_copy(update={"connections": joined})))


def joined(name: str, *ends: str, tied: str = "") -> Connection:
    """A connection of ends written ``instance.port[left:right]``."""
    made = []
    for end in ends:
        place, _bracket, part = end.partition("[")
        instance, _dot, port = place.rpartition(".")
        left, _colon, right = part.rstrip("]").partition(":")
        made.append(Endpoint(instance=instance, port=port, left=left, right=right or left))
    return Connection(name=name, ends=tuple(made), tied_value=tied)


def test_a_net_that_has_two_drivers_already_may_get_further_inputs_but_no_third() -> None:
    bench = two_cores()
    bench.instance(TOP, CORE, "u3")
    loaded(bench, joined("net", "u1.q", "u2.q", "u1.d"))
    bench.connect(TOP, "u1.q", "u2.d")
    refused(bench, "second-driver", "u3.q", "u2.d")


def test_different_parts_of_a_port_may_have_different_drivers() -> None:
    bench = two_cores()
    bench.signal(CORE, "irq", "in", width=16)
    bench.instance(TOP, CORE, "cpu")
    loaded(bench, joined("low", "u1.q", "cpu.irq[7:0]"), joined("high", "u2.q", "cpu.irq[15:8]"))
    bench.connect(TOP, "u1.q", "u1.d")
    refused(bench, "second-driver", "u2.q", "u1.d")
    refused(bench, "second-driver", "clk", "cpu.irq")


def test_parts_that_meet_in_a_whole_port_are_judged_bit_by_bit() -> None:
    bench = two_cores()
    for name, direction in (("wide", "inout"), ("more", "inout")):
        bench.signal(CORE, name, direction, width=16)
    bench.instance(TOP, CORE, "cpu")
    loaded(bench, joined("low", "u1.q", "cpu.wide[7:0]"), joined("high", "u2.q", "cpu.wide[15:8]"))
    bench.connect(TOP, "cpu.wide", "cpu.more")
    bench.signal(TOP, "bus", "in", width=16)
    refused(bench, "second-driver", "bus", "cpu.more")


def test_a_tied_net_has_a_driver() -> None:
    bench = two_cores()
    loaded(bench, joined("zero", "u1.d", tied="0"))
    problem = refused(bench, "second-driver", "u2.q", "u1.d")
    assert "the value of zero" in problem.message
    loaded(bench, joined("loose", "u2.q", tied="open"))
    bench.connect(TOP, "u2.q", "u2.d")


def test_slices_whose_bounds_are_expressions_count_as_overlapping_until_they_are_known() -> None:
    bench = two_cores()
    bench.parameter(TOP, "HALF", "4")
    bench.signal(CORE, "a", "out", width=4)
    loaded(bench, joined("low", "u1.a", "u1.d[HALF-1:0]"), joined("high", "u2.a", "u1.d[HALF*2-1:HALF]"))
    bench.connect(TOP, "u1.a", "u2.d")
    refused(bench, "second-driver", "u2.q", "u1.d")
