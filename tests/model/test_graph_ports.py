from __future__ import annotations

from pathlib import Path

import pytest
from designs import CORE, TOP, UART, Bench, two_cores

from model.errors import DesignError
from model.graph import port_graph, route
from model.storage import open_workspace
from model.vlnv import Vlnv
from resources import __file__ as resources

EXAMPLE = Path(resources).parent / "examples" / "tiny_soc"


def test_the_distance_is_the_number_of_nets_between_two_ports() -> None:
    bench = two_cores()
    bench.connect(TOP, "clk", "u1.d", name="in")
    bench.connect(TOP, "u1.q", "u2.d", name="between")
    bench.connect(TOP, "u2.q", "led", name="out")
    way = route(bench.library, bench[TOP], ("", "clk"), ("", "led"))
    assert way is not None
    assert (way.distance, way.nets) == (3, ("in", "between", "out"))
    assert way.ports == (("", "clk"), ("u1", "d"), ("u1", "q"), ("u2", "d"), ("u2", "q"), ("", "led"))
    same_block = route(bench.library, bench[TOP], ("u1", "d"), ("u1", "io"))
    assert same_block is not None
    assert same_block.distance == 0


def test_ports_that_nothing_joins_have_no_route() -> None:
    bench = two_cores()
    assert route(bench.library, bench[TOP], ("u1", "q"), ("u2", "d")) is None
    assert route(bench.library, bench[TOP], ("", "clk"), ("", "led")) is None


def test_a_port_that_does_not_exist_is_named() -> None:
    bench = two_cores()
    with pytest.raises(DesignError, match=r"no port u1\.qq in it\. Did you mean u1\.q"):
        route(bench.library, bench[TOP], ("u1", "qq"), ("", "led"))


def test_missing_components_have_the_ports_that_are_connected() -> None:
    bench = Bench(CORE, UART, TOP)
    bench.signal(UART, "tx", "out")
    bench.signal(TOP, "led", "out")
    bench.instance(TOP, UART, "u")
    bench.connect(TOP, "u.tx", "led", name="net")
    library = bench.library.without(Vlnv.parse(UART))
    assert ("port", "u", "tx") in port_graph(library, bench[TOP])
    way = route(library, bench[TOP], ("u", "tx"), ("", "led"))
    assert way is not None
    assert way.distance == 1


def test_interconnections_count_port_by_port() -> None:
    library = open_workspace(EXAMPLE).workspace.library
    soc = library.get(Vlnv.parse("blockwright.org:soc:tiny_soc:1.0"))
    way = route(library, soc, ("u_cpu", "bus_addr"), ("u_bus", "s0_addr"))
    assert way is not None
    assert way.nets == ("cpu_bus.ADDR",)
