"""Joining many ports at once by their names."""

from __future__ import annotations

import pytest
from designs import CORE, TOP, UART, Bench

from model import operations
from model.elements import BusInterface, PortMap, SignalPort
from model.frozen_map import FrozenMap
from model.operations.roles import is_active_low, role_of
from model.vlnv import Vlnv

BY_NAME = operations.connect_by_name


@pytest.fixture
def bench() -> Bench:
    made = Bench(CORE, UART, TOP)
    for component in (CORE, UART):
        made.signal(component, "clk" if component == CORE else "pclk", "in")
        made.signal(component, "rst_n", "in")
        made.signal(component, "clk_en", "in")
    made.signal(CORE, "tx", "out", width=8)
    made.signal(UART, "tx", "in", width=8)
    made.signal(UART, "irq", "out")
    made.signal(TOP, "clk", "in")
    made.signal(TOP, "rst_n", "in")
    made.signal(TOP, "irq", "out")
    for instance, component in (("cpu", CORE), ("uart", UART)):
        made.instance(TOP, component, instance)
    return made


def joined(bench: Bench) -> list[str]:
    return [" ".join(str(end) for end in wire.ends) for wire in bench[TOP].design.connections.values()]


def test_all_clocks(bench: Bench) -> None:
    change = bench.do(BY_NAME, component=TOP, what="clocks")
    assert joined(bench) == ["clk cpu.clk", "clk uart.pclk"]
    assert len(change.added) == 2
    assert "2 connections" in change.summary
    assert not change.warnings


def test_all_resets_leave_out_those_of_the_other_level(bench: Bench) -> None:
    bench.signal(CORE, "reset", "in")
    change = bench.do(BY_NAME, component=TOP, what="resets")
    assert joined(bench) == ["rst_n cpu.rst_n", "rst_n uart.rst_n"]
    (warning,) = change.warnings
    assert "cpu.reset" in warning.message
    assert "different levels" in warning.message


def test_every_equal_name(bench: Bench) -> None:
    bench.do(BY_NAME, component=TOP, what="equal_names")
    assert joined(bench) == ["clk cpu.clk", "rst_n cpu.rst_n", "rst_n uart.rst_n", "uart.irq irq", "cpu.tx uart.tx"]


def test_one_port_only(bench: Bench) -> None:
    bench.do(BY_NAME, component=TOP, what="equal_names", port="rst_n")
    assert joined(bench) == ["rst_n cpu.rst_n", "rst_n uart.rst_n"]


def test_what_is_connected_stays_and_the_second_time_there_is_nothing(bench: Bench) -> None:
    bench.connect(TOP, "clk", "cpu.clk")
    bench.do(BY_NAME, component=TOP, what="clocks")
    assert joined(bench) == ["clk cpu.clk", "clk uart.pclk"]
    bench.refused("nothing-to-connect", BY_NAME, component=TOP, what="clocks")


def test_one_of_several_clocks_must_be_named(bench: Bench) -> None:
    bench.signal(TOP, "aux_clk", "in")
    change = bench.do(BY_NAME, component=TOP, what="clocks")
    assert joined(bench) == ["clk cpu.clk"]
    assert "clk or aux_clk could drive it" in change.warnings[0].message
    bench.do(BY_NAME, component=TOP, what="clocks", port="aux_clk")
    assert joined(bench)[1:] == ["aux_clk uart.pclk"]


def test_two_outputs_of_one_name_are_passed_over(bench: Bench) -> None:
    bench.instance(TOP, CORE, "cpu2")
    change = bench.do(BY_NAME, component=TOP, what="equal_names")
    assert any("cpu.tx and cpu2.tx" in warning.message for warning in change.warnings)


def test_what_a_joined_interface_connects_is_left_alone_but_for_its_clocks(bench: Bench) -> None:
    for component, mode, clock in ((CORE, "initiator", "clk"), (UART, "target", "pclk")):
        rows = tuple(PortMap(logical=port.upper(), physical=port) for port in (clock, "tx"))
        interface = BusInterface(name="bus", mode=mode, bus_type=Vlnv.parse("a:b:bus:1.0"), port_maps=rows)  # type: ignore[arg-type]
        interfaces = FrozenMap({"bus": interface})
        bench.library = bench.library.put(bench[component].model_copy(update={"bus_interfaces": interfaces}))
    ends = {"source_instance": "cpu", "source_interface": "bus", "target_instance": "uart", "target_interface": "bus"}
    bench.do(operations.connect_interface, component=TOP, **ends)
    bench.do(BY_NAME, component=TOP, what="equal_names")
    assert "cpu.tx uart.tx" not in joined(bench)
    bench.do(BY_NAME, component=TOP, what="clocks")
    assert "clk uart.pclk" in joined(bench)


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("bad-choice", {"what": "everything"}),
        ("port-not-found", {"what": "clocks", "port": "clkk"}),
        ("no-source", {"what": "clocks", "port": "irq"}),
    ],
)
def test_what_is_refused(bench: Bench, code: str, arguments: dict[str, str]) -> None:
    bench.refused(code, BY_NAME, component=TOP, **arguments)


def test_a_component_without_a_clock_has_no_source() -> None:
    bench = Bench(CORE, TOP)
    assert "add one" in bench.refused("no-source", BY_NAME, component=TOP, what="clocks").hint


@pytest.mark.parametrize(
    ("name", "role", "low"),
    [
        ("clk", "clock", False),
        ("PCLK", "clock", False),
        ("sysClk", "clock", False),
        ("clk_i", "clock", False),
        ("s_axi_aclk", "clock", False),
        ("clock0", "clock", False),
        ("clk_en", None, False),
        ("clk_sel", None, False),
        ("rst", "reset", False),
        ("rst_ni", "reset", True),
        ("aresetn", "reset", True),
        ("nRST", "reset", True),
        ("PRESETn", "reset", True),
        ("sys_rst_b", "reset", True),
        ("rst_req", None, False),
        ("preset_value", None, False),
        ("data", None, False),
        ("first", None, False),
        ("burst", None, False),
    ],
)
def test_what_names_tell(name: str, role: str | None, low: bool) -> None:
    port = SignalPort(name=name, direction="in")
    assert role_of(port) == role
    if role == "reset":
        assert is_active_low(port) is low


def test_a_vector_is_no_clock() -> None:
    assert role_of(SignalPort(name="clk", direction="in", left="1", right="0")) is None
