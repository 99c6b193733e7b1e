"""Adding ports."""

from __future__ import annotations

import pytest
from designs import CORE, Bench

from model import operations
from model.elements import SignalPort, TransactionalPort
from model.errors import DesignError


def ports(bench: Bench) -> dict[str, SignalPort | TransactionalPort]:
    return dict(bench[CORE].ports)


@pytest.mark.parametrize("width", [8, "8", " 8 ", 8.0, "08"])
def test_a_width_is_the_same_however_it_arrives(width: object) -> None:
    bench = Bench(CORE)
    bench.signal(CORE, "d", "in", width=width)
    assert ports(bench)["d"] == SignalPort(name="d", direction="in", left="7", right="0")


@pytest.mark.parametrize("width", ["", None, "1", 1])
def test_one_bit_is_no_vector(width: object) -> None:
    bench = Bench(CORE)
    bench.signal(CORE, "clk", "in", width=width)
    assert ports(bench)["clk"] == SignalPort(name="clk", direction="in")
    assert bench.change.summary == f"Added signal port clk (in, 1 bit) to {CORE}."
    assert [str(element) for element in bench.change.added] == [f"signal_port clk of {CORE}"]


@pytest.mark.parametrize("width", ["", "1", 1, None])
@pytest.mark.parametrize(("left", "right"), [("7", "0"), (0, 7), ("W-1", 4)])
def test_bounds_stay_as_given(width: object, left: object, right: object) -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "W", "32")
    bench.signal(CORE, "d", "in", width=width, left=left, right=right)
    port = ports(bench)["d"]
    assert isinstance(port, SignalPort)
    assert (port.left, port.right) == (str(left), str(right))


def test_a_width_may_be_an_expression() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "DATA_WIDTH", 32)
    bench.signal(CORE, "be", "in", width=" DATA_WIDTH/8 ")
    port = ports(bench)["be"]
    assert isinstance(port, SignalPort)
    assert (port.left, port.right) == ("DATA_WIDTH/8-1", "0")
    assert "DATA_WIDTH/8 bits" in bench.change.summary


@pytest.mark.parametrize("name", ["a.b", "a-b", "a:b", "_x", "d_0", "größe"])
def test_legal_names(name: str) -> None:
    bench = Bench(CORE)
    bench.signal(CORE, name, "in")
    assert name in ports(bench)


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("bad-name", {"name": "1a"}),
        ("bad-name", {"name": "a b"}),
        ("bad-name", {"name": "a[3]"}),
        ("bad-name", {"name": " a"}),
        ("missing-argument", {"name": ""}),
        ("missing-argument", {"name": None}),
        ("bad-argument", {"name": ["a"]}),
        ("name-taken", {"name": "old"}),
        ("name-taken", {"name": "bus"}),
        ("bad-choice", {"direction": "input"}),
        ("bad-choice", {"direction": "IN"}),
        ("bad-choice", {"direction": "phantom"}),
        ("bad-choice", {"direction": ""}),
        ("bounds-incomplete", {"left": "7"}),
        ("bounds-incomplete", {"right": 0}),
        ("width-and-bounds", {"width": 8, "left": 7, "right": 0}),
        ("bad-width", {"width": "0"}),
        ("bad-width", {"width": -1}),
        ("bad-width", {"width": "8.5"}),
        ("bad-width", {"width": 8.5}),
        ("bad-width", {"width": "W/64"}),
        ("bad-width", {"width": "MODE"}),
        ("bad-width", {"width": "W/0"}),
        ("bad-width", {"width": "9**9"}),
        ("bad-argument", {"width": True}),
        ("bad-bounds", {"left": "-1", "right": "0"}),
        ("bad-bounds", {"left": "7", "right": "0.5"}),
        ("bad-expression", {"width": "eight bits"}),
        ("bad-expression", {"width": "0x8"}),
        ("bad-expression", {"left": "7:", "right": "0"}),
        ("unknown-parameter", {"width": "DATA_W"}),
        ("unknown-parameter", {"left": "X-1", "right": "0"}),
        ("unknown-parameter", {"default_value": "RESET_VALUE"}),
        ("bad-expression", {"default_value": "0xFF"}),
        ("default-on-output", {"direction": "out", "default_value": "0"}),
        ("component-not-found", {"component": "acme:soc:cor:1.0"}),
    ],
)
def test_refused_signal_ports(code: str, arguments: dict[str, object]) -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "W", "32")
    bench.parameter(CORE, "MODE", "fast")
    bench.signal(CORE, "old", "in")
    bench.transactional(CORE, "bus", "requires")
    problem = bench.refused(
        code, operations.add_signal_port, **{"component": CORE, "name": "new", "direction": "in", **arguments}
    )
    assert problem.hint or problem.suggestions or code == "bad-argument"


def test_refusals_name_the_legal_values_and_the_nearest_names() -> None:
    bench = Bench(CORE)
    bench.parameter(CORE, "DATA_WIDTH", "32")
    add = operations.add_signal_port
    problem = bench.refused("bad-choice", add, component=CORE, name="d", direction="output")
    assert "in, out, inout" in problem.hint
    assert problem.suggestions == ("out",)
    problem = bench.refused("unknown-parameter", add, component=CORE, name="d", direction="in", width="DATA_WITDH")
    assert problem.suggestions == ("DATA_WIDTH",)


def test_defaults_of_inputs_and_inouts() -> None:
    bench = Bench(CORE)
    bench.signal(CORE, "a", "in", default_value="'hF")
    bench.signal(CORE, "b", "inout", default_value="1'bz")
    bench.signal(CORE, "c", "out", default_value="")
    assert [getattr(port, "default_value", "") for port in ports(bench).values()] == ["'hF", "1'bz", ""]


def test_transactional_port() -> None:
    bench = Bench(CORE)
    bench.transactional(CORE, "s", "provides")
    bench.transactional(CORE, "t", "requires", kind="simple_socket", protocol="tlm", bus_width=32, description="memory")
    assert ports(bench) == {
        "s": TransactionalPort(name="s", initiative="provides"),
        "t": TransactionalPort(
            name="t", initiative="requires", kind="simple_socket", protocol="tlm", bus_width="32", description="memory"
        ),
    }
    assert [str(element) for element in bench.change.added] == [f"transactional_port t of {CORE}"]


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("bad-choice", {"initiative": "initiator"}),
        ("bad-choice", {"kind": "socket"}),
        ("bad-width", {"bus_width": "0"}),
        ("unknown-parameter", {"bus_width": "W"}),
        ("name-taken", {"name": "old"}),
        ("bad-name", {"name": "-a"}),
    ],
)
def test_refused_transactional_ports(code: str, arguments: dict[str, object]) -> None:
    bench = Bench(CORE)
    bench.signal(CORE, "old", "in")
    bench.refused(
        code,
        operations.add_transactional_port,
        **{"component": CORE, "name": "new", "initiative": "requires", **arguments},
    )


def test_a_refusal_leaves_the_library_alone() -> None:
    bench = Bench(CORE)
    before = bench.library
    with pytest.raises(DesignError):
        operations.add_signal_port(before, component=CORE, name="d", direction="sideways")
    assert bench.library is before
    assert not bench[CORE].ports
