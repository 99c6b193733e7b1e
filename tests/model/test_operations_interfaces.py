"""Joining bus interfaces."""

from __future__ import annotations

import pytest
from designs import CORE, TOP, UART, Bench

from model import operations
from model.elements import BusInterface, Interconnection, InterfaceEnd
from model.frozen_map import FrozenMap
from model.vlnv import Vlnv

CONNECT = operations.connect_interface
APB, AXI = Vlnv.parse("amba:bus:apb:1.0"), Vlnv.parse("amba:bus:axi:1.0")


def give(bench: Bench, component: str, **modes: str) -> None:
    """Give a component bus interfaces, by name their modes; those called axi… are of another bus."""
    interfaces = FrozenMap(
        (name, BusInterface(name=name, mode=mode, bus_type=AXI if name.startswith("axi") else APB))  # type: ignore[arg-type]
        for name, mode in modes.items()
    )
    bench.library = bench.library.put(bench[component].model_copy(update={"bus_interfaces": interfaces}))


@pytest.fixture
def bench() -> Bench:
    made = Bench(CORE, UART, TOP)
    give(made, CORE, m="initiator", axi="initiator", mon="monitor")
    give(made, UART, s="target", mirror="mirroredInitiator")
    give(made, TOP, ext="target", boot="initiator")
    made.instance(TOP, CORE, "cpu")
    made.instance(TOP, UART, "uart")
    made.instance(TOP, UART, "uart2")
    return made


def joined(source: str, target: str) -> dict[str, str]:
    arguments = {"component": TOP}
    for side, end in (("source", source), ("target", target)):
        instance, _dot, interface = end.rpartition(".")
        arguments |= {f"{side}_instance": instance, f"{side}_interface": interface}
    return arguments


def test_an_initiator_is_joined_with_a_target(bench: Bench) -> None:
    change = bench.do(CONNECT, **joined("cpu.m", "uart.s"))
    assert bench[TOP].design.interconnections["cpu_m_to_uart_s"] == Interconnection(
        name="cpu_m_to_uart_s",
        ends=(InterfaceEnd(instance="cpu", interface="m"), InterfaceEnd(instance="uart", interface="s")),
    )
    assert [str(element) for element in change.added] == [f"interconnection cpu_m_to_uart_s of {TOP}"]


@pytest.mark.parametrize(("source", "target"), [("cpu.m", "uart.mirror"), ("ext", "uart.s"), ("cpu.m", "boot")])
def test_what_goes_together(bench: Bench, source: str, target: str) -> None:
    bench.do(CONNECT, **joined(source, target))


@pytest.mark.parametrize(
    ("code", "source", "target"),
    [
        ("modes-clash", "uart.s", "uart2.s"),
        ("modes-clash", "ext", "cpu.m"),
        ("modes-clash", "cpu.mon", "uart.s"),
        ("bus-types-differ", "cpu.axi", "uart.s"),
        ("interface-not-found", "cpu.n", "uart.s"),
        ("interface-not-found", "cpu.m", "exit"),
        ("instance-not-found", "cpus.m", "uart.s"),
        ("same-endpoint", "cpu.m", "cpu.m"),
    ],
)
def test_what_is_refused(bench: Bench, code: str, source: str, target: str) -> None:
    assert bench.refused(code, CONNECT, **joined(source, target)).hint


def test_a_refusal_names_the_interfaces_that_fit(bench: Bench) -> None:
    assert "has no interface that fits" in bench.refused("modes-clash", CONNECT, **joined("ext", "cpu.m")).hint
    assert f"of {TOP}: boot" in bench.refused("modes-clash", CONNECT, **joined("cpu.m", "ext")).hint
    assert bench.refused("interface-not-found", CONNECT, **joined("cpu.m", "uart.miror")).suggestions == ("mirror",)


def test_an_interface_is_joined_once(bench: Bench) -> None:
    bench.do(CONNECT, **joined("cpu.m", "uart.s"))
    problem = bench.refused("already-connected", CONNECT, **joined("cpu.m", "uart2.s"))
    assert "uart.s" in problem.message
    bench.refused("name-taken", CONNECT, **joined("ext", "uart2.s"), name="cpu_m_to_uart_s")


def test_a_missing_component_cannot_be_checked(bench: Bench) -> None:
    bench.library = bench.library.without(Vlnv.parse(UART))
    bench.refused("component-missing", CONNECT, **joined("cpu.m", "uart.s"))


def test_own_interfaces_alone_make_no_interconnection(bench: Bench) -> None:
    assert "subcomponent" in bench.refused("no-instance", CONNECT, **joined("boot", "ext")).message


def test_what_leads_to_no_subcomponent_any_more_goes_with_the_last(bench: Bench) -> None:
    ends = tuple(
        InterfaceEnd(instance=where, interface=name) for where, name in (("cpu", "m"), ("", "boot"), ("", "ext"))
    )
    design = bench[TOP].design
    three = design.model_copy(update={"interconnections": FrozenMap({"x": Interconnection(name="x", ends=ends)})})
    bench.library = bench.library.put(bench[TOP].with_design(three))
    change = bench.delete(TOP, "subcomponent", "cpu")
    assert [element.name for element in change.removed] == ["cpu", "x"]
    assert not bench[TOP].design.interconnections
