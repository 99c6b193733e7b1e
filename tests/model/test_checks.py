"""Findings: breaches that files bring along, and what is left unfinished."""

from __future__ import annotations

import pytest
from designs import CORE, TOP, Bench, two_cores
from test_operations_connections import joined, loaded
from test_operations_deletion import with_interfaces

from model.checks import check_component, check_library
from model.elements import (
    BusInterface,
    Component,
    Design,
    Instance,
    Interconnection,
    InterfaceEnd,
    InterfaceMode,
    Parameter,
    PortMap,
    SignalPort,
    TransactionalPort,
)
from model.errors import DesignError
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv


def codes(library: Library, vlnv: str) -> list[tuple[str, str, str]]:
    """Severity, code and the name of the element of each finding."""
    return [
        (found.severity, found.code, found.where.name if found.where else "")
        for found in check_component(library, Vlnv.parse(vlnv))
    ]


def without_warnings(bench: Bench) -> list[tuple[str, str]]:
    return [(code, name) for severity, code, name in codes(bench.library, TOP) if severity == "error"]


def declared(*values: SignalPort | TransactionalPort | Parameter) -> Library:
    """A component with declarations as a file may hold them."""
    ports = [value for value in values if not isinstance(value, Parameter)]
    parameters = [value for value in values if isinstance(value, Parameter)]
    return Library.of(
        [
            Component(
                vlnv=Vlnv.parse(CORE),
                ports=FrozenMap((port.name, port) for port in ports),
                parameters=FrozenMap((parameter.name, parameter) for parameter in parameters),
            )
        ]
    )


def test_a_finished_design_has_no_findings() -> None:
    bench = two_cores()
    bench.connect(TOP, "clk", "u1.d")
    bench.connect(TOP, "u1.q", "u2.d")
    bench.connect(TOP, "u2.q", "led")
    assert check_library(bench.library) == ()


def test_what_is_unfinished_is_a_warning() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.io", "u2.io")
    assert codes(bench.library, TOP) == [
        ("warning", "unconnected-input", "u1"),
        ("warning", "unconnected-input", "u2"),
        ("warning", "undriven-output", "led"),
    ]
    loaded(bench, joined("net", "u1.d", "u2.d"))
    assert ("warning", "undriven-net", "net") in codes(bench.library, TOP)


def test_an_input_with_a_default_may_stay_unconnected_and_a_tied_one_is_driven() -> None:
    bench = Bench(CORE, TOP)
    bench.signal(CORE, "a", "in", default_value="0")
    bench.signal(CORE, "b", "in")
    bench.instance(TOP, CORE, "u1")
    loaded(bench, joined("zero", "u1.b", tied="0"))
    assert codes(bench.library, TOP) == []


def test_ports_in_interconnected_interfaces_are_connected() -> None:
    bench = with_interfaces()
    core = bench[CORE]
    port = core.ports["q"].model_copy(update={"direction": "in"})
    ports = core.ports.set("q", port).without("d")
    bench.library = bench.library.put(core.model_copy(update={"ports": ports}))
    assert ("warning", "unconnected-input", "u1") not in codes(bench.library, TOP)


def test_three_drivers_on_a_net() -> None:
    bench = two_cores()
    loaded(bench, joined("net", "u1.q", "u2.q", "clk", "u1.d"))
    (found,) = [found for found in check_library(bench.library) if found.severity == "error"]
    assert found.code == "second-driver"
    assert all(driver in found.message for driver in ("u1.q", "u2.q", "clk"))


@pytest.mark.parametrize(
    ("connection", "code"),
    [
        (joined("net", "u1.q", "u9.d"), "instance-not-found"),
        (joined("net", "u1.q", "u2.dd"), "port-not-found"),
        (joined("net", "u1.q", "leds"), "port-not-found"),
        (joined("net", "u1.q", "u2.d[8:1]"), "bad-slice"),
        (joined("net", "u1.d", "u2.d"), ""),
        (joined("net", "u1.d", "led"), "directions-clash"),
        (joined("net", "u1.t", "u2.t"), "initiatives-clash"),
        (joined("net", "u1.t", "u2.d"), "port-kinds-differ"),
        (joined("net", "u1.q", "u2.d[7:0]"), ""),
        (joined("net", "u1.q", "u2.d", "u2.io"), ""),
    ],
)
def test_connections_that_break_a_rule(connection: object, code: str) -> None:
    bench = two_cores()
    bench.transactional(CORE, "t", "requires")
    loaded(bench, connection)  # type: ignore[arg-type]
    expected = [(code, "net")] if code else []
    if connection == joined("net", "u1.d", "u2.d"):
        expected = [("directions-clash", "net")]
    assert without_warnings(bench) == expected


def test_widths_that_differ_name_both() -> None:
    bench = two_cores()
    bench.signal(CORE, "w", "in", width=4)
    bench.connect(TOP, "u1.q", "u2.w", "net")
    (found,) = [found for found in check_library(bench.library) if found.code == "widths-differ"]
    assert "8 bits" in found.message
    assert "4 bits" in found.message
    assert found.severity == "warning"


def test_a_missing_component() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d")
    library = bench.library.without(Vlnv.parse(CORE))
    errors = [(code, name) for severity, code, name in codes(library, TOP) if severity == "error"]
    assert errors == [("component-missing", "u1"), ("component-missing", "u2")]


def test_an_instance_of_itself() -> None:
    bench = Bench(TOP)
    top = bench[TOP]
    inside = top.design.model_copy(update={"instances": FrozenMap({"t": Instance(name="t", component=top.vlnv)})})
    assert codes(Library.of([top.with_design(inside)]), TOP) == [("error", "contains-itself", "t")]


def test_interconnections_to_nowhere() -> None:
    bench = with_interfaces()
    core = bench[CORE]
    bench.library = bench.library.put(core.model_copy(update={"bus_interfaces": FrozenMap()}))
    assert without_warnings(bench) == [("interface-not-found", "link"), ("interface-not-found", "link")]
    bench = with_interfaces()
    core = bench[CORE]
    bench.library = bench.library.put(core.model_copy(update={"ports": core.ports.without("q")}))
    assert codes(bench.library, CORE) == [("warning", "port-not-found", "bus")]


def test_parameters_of_instances() -> None:
    bench = two_cores()
    bench.parameter(CORE, "W", "8", type="int", maximum="64")
    bench.signal(CORE, "w", "out", width="W")
    top = bench[TOP]
    instance = top.design.instances["u1"]
    for value, expected in (
        ({"X": "1"}, [("warning", "unknown-parameter")]),
        ({"W": "65"}, [("error", "out-of-range")]),
        ({"W": "0"}, [("warning", "bad-width")]),
        ({"W": "16"}, []),
    ):
        changed = instance.model_copy(update={"parameters": FrozenMap(value)})
        design = top.design.model_copy(update={"instances": top.design.instances.set("u1", changed)})
        found = codes(bench.library.put(top.with_design(design)), TOP)
        assert [
            (severity, code) for severity, code, name in found if name == "u1" and code != "unconnected-input"
        ] == expected


def parameter(name: str, value: str, **more: str) -> Parameter:
    return Parameter(name=name, kind="user", value=value, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([parameter("A", "A*2", type="int")], [("error", "circular-expression", "A")]),
        ([parameter("A", "9", type="int", maximum="8")], [("error", "out-of-range", "A")]),
        ([parameter("A", "x y", type="int")], [("error", "bad-expression", "A")]),
        ([parameter("A", "x y")], []),
        ([SignalPort(name="p", direction="in", left="W-1", right="0")], [("error", "unknown-parameter", "p")]),
        (
            [SignalPort(name="p", direction="in", left="A-1", right="0"), parameter("A", "0")],
            [("error", "bad-width", "p")],
        ),
        (
            [SignalPort(name="p", direction="in", left="A", right="0"), parameter("A", "text")],
            [("error", "bad-width", "p")],
        ),
        ([SignalPort(name="p", direction="out", default_value="0")], [("warning", "default-on-output", "p")]),
        ([SignalPort(name="p", direction="in", default_value="0x0")], []),
        ([SignalPort(name="p", direction="in"), SignalPort(name="P", direction="in")], [("note", "case-differs", "P")]),
        ([TransactionalPort(name="t", initiative="requires", bus_width="0")], [("error", "bad-width", "t")]),
    ],
)
def test_declarations(
    values: list[SignalPort | TransactionalPort | Parameter], expected: list[tuple[str, str, str]]
) -> None:
    assert codes(declared(*values), CORE) == expected


def test_instances_that_differ_in_case() -> None:
    bench = Bench(CORE, TOP)
    bench.instance(TOP, CORE, "cpu")
    bench.instance(TOP, CORE, "CPU")
    assert codes(bench.library, TOP) == [("note", "case-differs", "CPU")]


def test_every_view_is_checked() -> None:
    bench = two_cores()
    top = bench[TOP]
    other = top.design.model_copy(update={"connections": FrozenMap({"net": joined("net", "u1.q", "gone")})})
    both = top.model_copy(update={"designs": top.designs.set("second", other)})
    bench.library = bench.library.put(both)
    assert without_warnings(bench) == [("port-not-found", "net")]


def test_a_component_that_does_not_exist() -> None:
    with pytest.raises(DesignError, match="no component"):
        check_component(Library(), Vlnv.parse(CORE))


def test_what_bus_interfaces_join_is_checked_port_by_port() -> None:
    def part(name: str, port: SignalPort, mode: InterfaceMode) -> Component:
        row = PortMap(logical="D.x", physical=port.name)
        bus = BusInterface(name="i", mode=mode, bus_type=Vlnv("a", "l", "bus", "1"), port_maps=(row,))
        return Component(
            vlnv=Vlnv("a", "l", name, "1"),
            ports=FrozenMap({port.name: port}),
            bus_interfaces=FrozenMap({"i": bus}),
        )

    wide = SignalPort(name="q", direction="out", left="7", right="0")
    parts = (
        part("u", wide, "initiator"),
        part("v", SignalPort(name="d", direction="in", left="3", right="0"), "target"),
        part("w", wide, "initiator"),
    )
    ends = [InterfaceEnd(instance=each.vlnv.name, interface="i") for each in parts]
    design = Design(
        instances=FrozenMap((each.vlnv.name, Instance(name=each.vlnv.name, component=each.vlnv)) for each in parts),
        interconnections=FrozenMap(
            {
                "a.b": Interconnection(name="a.b", ends=(ends[0], ends[1])),
                "c": Interconnection(name="c", ends=(ends[1], ends[2])),
            }
        ),
    )
    top = Component(vlnv=Vlnv("a", "l", "top", "1"), designs=FrozenMap({"hier": design}))
    found = check_component(Library.of((*parts, top)), top.vlnv)
    assert [(each.severity, each.code, each.where and each.where.name, each.message) for each in found] == [
        (
            "warning",
            "widths-differ",
            "a.b",
            "Logical port D.x of a.b: The widths differ: u.q has 8 bits, v.d has 4 bits.",
        ),
        (
            "warning",
            "several-drivers",
            "a.b",
            "Logical port D.x of a.b (u.q) has more than one driver: u.q and w.q.",
        ),
    ]
