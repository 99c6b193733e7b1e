"""Deleting elements: who uses them, and what goes along."""

from __future__ import annotations

import pytest
from designs import CORE, TOP, UART, Bench, two_cores

from model import operations
from model.elements import BusInterface, Interconnection, InterfaceEnd, Parameter, PortMap, SignalPort
from model.frozen_map import FrozenMap
from model.vlnv import Vlnv

DELETE = operations.delete_element


def removed(bench: Bench) -> list[str]:
    return [str(element) for element in bench.change.removed]


def changed(bench: Bench) -> list[str]:
    return [str(element) for element in bench.change.changed]


@pytest.mark.parametrize(
    ("element_type", "name"),
    [
        ("signal_port", "s"),
        ("transactional_port", "t"),
        ("user_parameter", "U"),
        ("generator_parameter", "G"),
        ("subcomponent", "u1"),
        ("connection", "net"),
    ],
)
def test_delete_what_nobody_uses(element_type: str, name: str) -> None:
    bench = Bench(CORE, TOP)
    bench.signal(TOP, "s", "in")
    bench.transactional(TOP, "t", "requires")
    bench.parameter(TOP, "U", "1")
    bench.do(operations.add_generator_parameter, component=TOP, name="G", value="1")
    bench.signal(TOP, "a", "in")
    bench.signal(TOP, "b", "out")
    bench.connect(TOP, "a", "b", "net")
    bench.instance(TOP, CORE, "u1")
    bench.delete(TOP, element_type, name)
    assert removed(bench) == [f"{element_type} {name} of {TOP}"]
    assert not changed(bench)
    bench.refused("element-not-found", DELETE, component=TOP, element_type=element_type, name=name)


def test_not_found() -> None:
    bench = two_cores()
    problem = bench.refused("element-not-found", DELETE, component=TOP, element_type="signal_port", name="clock")
    assert "clk" in problem.suggestions
    problem = bench.refused("element-not-found", DELETE, component=TOP, element_type="transactional_port", name="clk")
    assert "element_type signal_port" in problem.hint
    problem = bench.refused("bad-choice", DELETE, component=TOP, element_type="port", name="clk")
    assert "signal_port, transactional_port" in problem.hint
    bench.refused("bad-argument", DELETE, component=TOP, element_type="signal_port", name="clk", cascade="perhaps")


def test_a_subcomponent_takes_its_connections_along_and_lists_them() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "net")
    bench.connect(TOP, "clk", "u1.d", "clock")
    bench.connect(TOP, "u2.q", "led", "light")
    bench.delete(TOP, "subcomponent", "u1")
    assert removed(bench) == [f"subcomponent u1 of {TOP}", f"connection net of {TOP}", f"connection clock of {TOP}"]
    assert "connection net and connection clock" in bench.change.summary
    assert list(bench[TOP].design.connections) == ["light"]


def test_a_port_in_use_is_refused_with_its_users_here_and_elsewhere() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "net")
    bench.connect(TOP, "clk", "u1.d", "clock")
    problem = bench.refused("in-use", DELETE, component=CORE, element_type="signal_port", name="d")
    assert f"connection net of {TOP}" in problem.message
    assert f"connection clock of {TOP}" in problem.message
    assert "cascade" in problem.hint
    problem = bench.refused("in-use", DELETE, component=TOP, element_type="signal_port", name="clk")
    assert "connection clock" in problem.message
    bench.delete(CORE, "signal_port", "d", cascade=True)
    assert not bench[TOP].design.connections
    assert removed(bench) == [f"signal_port d of {CORE}", f"connection net of {TOP}", f"connection clock of {TOP}"]


def test_a_parameter_in_use_is_refused_with_its_users() -> None:
    bench = Bench(CORE, TOP)
    bench.parameter(CORE, "W", "32", type="int")
    bench.parameter(CORE, "BYTES", "W/8")
    bench.signal(CORE, "d", "in", width="W")
    bench.transactional(CORE, "t", "requires", bus_width="W*2")
    bench.signal(CORE, "e", "in", default_value="W+1")
    bench.instance(TOP, CORE, "u1")
    bench.do(operations.set_instance_parameter, component=TOP, instance_name="u1", parameter="W", value="16")
    problem = bench.refused("in-use", DELETE, component=CORE, element_type="user_parameter", name="W")
    for user in ("user parameter BYTES", "signal port d", "transactional port t", "signal port e", f"u1 of {TOP}"):
        assert user in problem.message
    bench.delete(CORE, "user_parameter", "W", cascade="true")
    core = bench[CORE]
    assert core.parameters["BYTES"].value == "4"
    assert core.ports["d"] == SignalPort(name="d", direction="in", left="31", right="0")
    assert getattr(core.ports["t"], "bus_width", "") == "64"
    assert getattr(core.ports["e"], "default_value", "") == "33"
    assert not bench[TOP].design.instances["u1"].parameters
    assert removed(bench) == [f"user_parameter W of {CORE}"]
    assert len(changed(bench)) == 5


def test_text_that_only_looks_like_a_reference_is_left_alone() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "W", "32")
    bench.parameter(CORE, "NOTE", "W is wide")
    bench.delete(CORE, "user_parameter", "W")
    assert bench[CORE].parameters["NOTE"].value == "W is wide"


def with_interfaces() -> Bench:
    """Two cores whose port ``q`` is in a bus interface ``bus``, interconnected as ``link``; the top has one too."""
    bench = two_cores()
    bus_type = Vlnv("acme", "bus", "wires", "1.0")
    for vlnv, port in ((CORE, "q"), (TOP, "led")):
        component = bench[vlnv]
        interface = BusInterface(
            name="bus", mode="initiator", bus_type=bus_type, port_maps=(PortMap(logical="DATA", physical=port),)
        )
        bench.library = bench.library.put(
            component.model_copy(update={"bus_interfaces": component.bus_interfaces.set("bus", interface)})
        )
    top = bench[TOP]
    link = Interconnection(
        name="link", ends=tuple(InterfaceEnd(instance=instance, interface="bus") for instance in ("u1", "u2"))
    )
    design = top.design
    design = design.model_copy(update={"interconnections": design.interconnections.set("link", link)})
    bench.library = bench.library.put(top.with_design(design))
    return bench


def test_a_subcomponent_takes_its_interconnections_along() -> None:
    bench = with_interfaces()
    bench.delete(TOP, "subcomponent", "u2")
    assert removed(bench) == [f"subcomponent u2 of {TOP}", f"interconnection link of {TOP}"]
    assert not bench[TOP].design.interconnections


def test_a_mapped_port_is_in_use_and_cascade_removes_the_row() -> None:
    bench = with_interfaces()
    problem = bench.refused("in-use", DELETE, component=CORE, element_type="signal_port", name="q")
    assert "bus interface bus" in problem.message
    bench.delete(CORE, "signal_port", "q", cascade=True)
    assert bench[CORE].bus_interfaces["bus"].port_maps == ()
    assert changed(bench) == [f"bus_interface bus of {CORE}"]


def test_interconnections_and_interfaces_can_be_deleted_too() -> None:
    bench = with_interfaces()
    problem = bench.refused("in-use", DELETE, component=CORE, element_type="bus_interface", name="bus")
    assert f"interconnection link of {TOP}" in problem.message
    bench.delete(TOP, "connection", "link")
    assert removed(bench) == [f"interconnection link of {TOP}"]
    bench.delete(CORE, "bus_interface", "bus")
    assert not bench[CORE].bus_interfaces


def test_a_net_of_three_keeps_the_other_two() -> None:
    bench = two_cores()
    bench.create(UART)
    bench.signal(UART, "rx", "in", width=8)
    bench.instance(TOP, UART, "uart")
    bench.connect(TOP, "u1.q", "u2.d", "net")
    top = bench[TOP]
    net = top.design.connections["net"]
    three = net.model_copy(
        update={"ends": (*net.ends, net.ends[0].model_copy(update={"instance": "uart", "port": "rx"}))}
    )
    design = top.design.model_copy(update={"connections": top.design.connections.set("net", three)})
    bench.library = bench.library.put(top.with_design(design))
    bench.delete(TOP, "subcomponent", "uart")
    assert [str(end) for end in bench[TOP].design.connections["net"].ends] == ["u1.q", "u2.d"]
    assert changed(bench) == [f"connection net of {TOP}"]


def test_a_hint_names_only_kinds_that_the_tools_take() -> None:
    bench = Bench(CORE)
    bench.signal(CORE, "p", "in")
    component = bench[CORE]
    fixed = Parameter(name="FIXED", kind="immediate", value="1")
    bus = BusInterface(name="bus", mode="target", bus_type=Vlnv.parse("a:b:c:1.0"))
    bench.library = bench.library.put(
        component.model_copy(
            update={"parameters": FrozenMap({"FIXED": fixed}), "bus_interfaces": FrozenMap({"bus": bus})}
        )
    )
    for name in ("FIXED", "bus"):
        hint = bench.refused("element-not-found", DELETE, component=CORE, element_type="signal_port", name=name).hint
        assert "element_type" not in hint
        assert "get_component_details" in hint
    hint = bench.refused("element-not-found", DELETE, component=CORE, element_type="connection", name="p").hint
    assert hint == "Repeat with element_type signal_port."
