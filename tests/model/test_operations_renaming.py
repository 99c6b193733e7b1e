"""Renaming and updating: every reference follows, and no rule is broken on the way."""

from __future__ import annotations

import pytest
from designs import CORE, TOP, Bench, two_cores
from test_operations_deletion import with_interfaces

from model import operations
from model.elements import SignalPort

RENAME, UPDATE = operations.rename_element, operations.update_element


def test_a_renamed_port_keeps_its_place_and_its_connections() -> None:
    bench = with_interfaces()
    bench.connect(TOP, "u1.q", "u2.d", "net")
    bench.do(RENAME, component=CORE, element_type="signal_port", name="q", new_name="data_out")
    assert list(bench[CORE].ports) == ["data_out", "d", "io"]
    assert str(bench[TOP].design.connections["net"].ends[0]) == "u1.data_out"
    assert bench[CORE].bus_interfaces["bus"].port_maps[0].physical == "data_out"
    assert "q of" in bench.change.summary
    bench.refused(
        "second-driver",
        operations.add_subcomponent_connection,
        component=TOP,
        source_instance="u2",
        source_port="data_out",
        target_instance="u2",
        target_port="d",
    )


def test_a_renamed_own_port_is_followed_inside() -> None:
    bench = two_cores()
    bench.connect(TOP, "clk", "u1.d", "net")
    bench.do(RENAME, component=TOP, element_type="signal_port", name="clk", new_name="clock")
    assert str(bench[TOP].design.connections["net"].ends[0]) == "clock"


def test_a_renamed_instance_is_followed() -> None:
    bench = with_interfaces()
    bench.connect(TOP, "u1.q", "u2.d", "net")
    bench.do(RENAME, component=TOP, element_type="subcomponent", name="u1", new_name="cpu")
    design = bench[TOP].design
    assert list(design.instances) == ["cpu", "u2"]
    assert str(design.connections["net"].ends[0]) == "cpu.q"
    assert str(design.interconnections["link"].ends[0]) == "cpu.bus"


def test_a_renamed_interface_and_interconnection_are_followed() -> None:
    bench = with_interfaces()
    bench.do(RENAME, component=CORE, element_type="bus_interface", name="bus", new_name="axi")
    assert [str(end) for end in bench[TOP].design.interconnections["link"].ends] == ["u1.axi", "u2.axi"]
    bench.do(RENAME, component=TOP, element_type="connection", name="link", new_name="path")
    assert list(bench[TOP].design.interconnections) == ["path"]


def test_a_renamed_parameter_is_followed_everywhere() -> None:
    bench = Bench(CORE, TOP)
    bench.parameter(CORE, "W", "32", type="int")
    bench.parameter(CORE, "BYTES", "W / 8", maximum="W")
    bench.parameter(CORE, "NOTE", "W is wide")
    bench.signal(CORE, "d", "in", width="W")
    bench.instance(TOP, CORE, "u1")
    bench.do(operations.set_instance_parameter, component=TOP, instance_name="u1", parameter="W", value="16")
    bench.do(RENAME, component=CORE, element_type="user_parameter", name="W", new_name="DATA_W")
    core = bench[CORE]
    assert list(core.parameters) == ["DATA_W", "BYTES", "NOTE"]
    assert [parameter.value for parameter in core.parameters.values()] == ["32", "DATA_W / 8", "W is wide"]
    assert core.parameters["BYTES"].maximum == "DATA_W"
    assert core.ports["d"] == SignalPort(name="d", direction="in", left="DATA_W-1", right="0")
    assert dict(bench[TOP].design.instances["u1"].parameters) == {"DATA_W": "16"}


def test_a_name_that_expressions_cannot_hold_is_refused_only_if_they_refer_to_it() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "W", "32")
    bench.parameter(CORE, "FREE", "1")
    bench.signal(CORE, "d", "in", width="W")
    bench.refused("bad-name", RENAME, component=CORE, element_type="user_parameter", name="W", new_name="data-w")
    bench.do(RENAME, component=CORE, element_type="user_parameter", name="FREE", new_name="data-w")
    assert "data-w" in bench[CORE].parameters


def test_a_rename_must_not_close_a_circle() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "TEXT", "FAST")
    bench.parameter(CORE, "MODE", "TEXT")
    bench.refused(
        "circular-expression", RENAME, component=CORE, element_type="user_parameter", name="MODE", new_name="FAST"
    )


@pytest.mark.parametrize(
    ("element_type", "name", "new_name", "code"),
    [
        ("signal_port", "clk", "led", "name-taken"),
        ("signal_port", "clk", "c lk", "bad-name"),
        ("signal_port", "clock", "clk2", "element-not-found"),
        ("subcomponent", "u1", "u2", "name-taken"),
        ("connection", "one", "two", "name-taken"),
        ("user_parameter", "P", "Q", "name-taken"),
        ("signal_port", "clk", "", "missing-argument"),
    ],
)
def test_refused_names(element_type: str, name: str, new_name: str, code: str) -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "one")
    bench.connect(TOP, "u2.q", "u1.d", "two")
    bench.parameter(TOP, "P", "1")
    bench.parameter(TOP, "Q", "1")
    bench.refused(code, RENAME, component=TOP, element_type=element_type, name=name, new_name=new_name)


def test_renaming_to_the_same_name_changes_nothing() -> None:
    bench = two_cores()
    before = bench.library
    assert bench.do(RENAME, component=TOP, element_type="signal_port", name="clk", new_name="clk").is_empty
    assert bench.library is before


def test_update_a_signal_port() -> None:
    bench = two_cores()
    bench.do(
        UPDATE, component=CORE, element_type="signal_port", name="d", width=16, default_value="0", description="data"
    )
    assert bench[CORE].ports["d"] == SignalPort(
        name="d", direction="in", left="15", right="0", default_value="0", description="data"
    )
    bench.do(UPDATE, component=CORE, element_type="signal_port", name="d", left=0, right=15, default_value="")
    assert bench[CORE].ports["d"] == SignalPort(name="d", direction="in", left="0", right="15", description="data")
    assert [str(element) for element in bench.change.changed] == [f"signal_port d of {CORE}"]
    bench.do(UPDATE, component=CORE, element_type="signal_port", name="d", width=1)
    assert bench[CORE].ports["d"] == SignalPort(name="d", direction="in", description="data")


def test_update_other_kinds() -> None:
    bench = two_cores()
    bench.transactional(CORE, "t", "requires")
    bench.parameter(CORE, "W", "8")
    bench.connect(TOP, "u1.q", "u2.d", "net")
    bench.do(UPDATE, component=CORE, element_type="transactional_port", name="t", initiative="both", bus_width="W*2")
    bench.do(UPDATE, component=CORE, element_type="user_parameter", name="W", type="int", value=16, maximum=32)
    bench.do(UPDATE, component=TOP, element_type="subcomponent", name="u1", description="first core")
    bench.do(UPDATE, component=TOP, element_type="connection", name="net", description="data")
    bench.do(UPDATE, component=TOP, element_type="component", description="the top")
    assert bench[CORE].parameters["W"].maximum == "32"
    assert bench[TOP].design.instances["u1"].description == "first core"
    assert bench[TOP].design.connections["net"].description == "data"
    assert bench[TOP].description == "the top"


@pytest.mark.parametrize(
    ("code", "element_type", "name", "properties"),
    [
        ("unknown-property", "signal_port", "d", {"witdh": 8}),
        ("unknown-property", "subcomponent", "u1", {"width": 8}),
        ("bad-choice", "signal_port", "d", {"direction": "input"}),
        ("bad-width", "signal_port", "d", {"width": 0}),
        ("default-on-output", "signal_port", "q", {"default_value": "0"}),
        ("default-on-output", "signal_port", "e", {"direction": "out"}),
        ("width-and-bounds", "signal_port", "d", {"width": 8, "left": 7, "right": 0}),
        ("out-of-range", "user_parameter", "W", {"value": 99}),
        ("bad-width", "user_parameter", "W", {"value": 0, "minimum": ""}),
        ("bad-value", "user_parameter", "W", {"type": "real", "value": "1.5", "minimum": ""}),
        ("circular-expression", "user_parameter", "W", {"value": "BYTES*8"}),
        ("directions-clash", "signal_port", "d", {"direction": "out"}),
        ("second-driver", "signal_port", "io", {"direction": "out"}),
        ("element-not-found", "signal_port", "z", {"width": 8}),
    ],
)
def test_refused_updates(code: str, element_type: str, name: str, properties: dict[str, object]) -> None:
    bench = two_cores()
    bench.parameter(CORE, "W", "8", type="int", minimum="1", maximum="64")
    bench.parameter(CORE, "BYTES", "W/8", type="int")
    bench.signal(CORE, "w", "in", width="W")
    bench.signal(CORE, "e", "in", default_value="0")
    bench.connect(TOP, "u1.q", "u2.d")
    bench.connect(TOP, "u1.io", "u2.d")
    component = TOP if element_type == "subcomponent" else CORE
    bench.refused(code, UPDATE, component=component, element_type=element_type, name=name, **properties)


def test_an_update_warns_of_widths_that_now_differ() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d")
    change = bench.do(UPDATE, component=CORE, element_type="signal_port", name="q", width=4)
    assert [warning.code for warning in change.warnings] == ["widths-differ"]
    assert "4 bits" in change.warnings[0].message
    assert TOP in change.warnings[0].message


def test_an_update_that_changes_nothing() -> None:
    bench = two_cores()
    before = bench.library
    assert bench.do(UPDATE, component=CORE, element_type="signal_port", name="q", width="8", direction=None).is_empty
    assert bench.library is before
