from collections.abc import Callable
from typing import Any

import pytest
from mcp.types import CallToolResult, TextContent

from model.elements import (
    BusInterface,
    Component,
    Connection,
    Design,
    Endpoint,
    Instance,
    Interconnection,
    InterfaceEnd,
    Parameter,
    PortMap,
    SignalPort,
    TransactionalPort,
)
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace

UART = "acme:periph:uart:1.0"
CPU = "acme:cpu:core:2.0"
TOP = "acme:soc:top:1.0"


def _named(*values: Any) -> FrozenMap[str, Any]:
    return FrozenMap((value.name, value) for value in values)


def _soc() -> Library:
    apb = Vlnv.parse("acme:bus:apb:1.0")
    uart = Component(
        vlnv=Vlnv.parse(UART),
        description="A small UART.",
        ports=_named(
            SignalPort(name="clk", direction="in"),
            SignalPort(name="data", direction="out", left="DATA_WIDTH-1", right="0"),
            SignalPort(name="rx", direction="in", default_value="1"),
            SignalPort(name="nibble", direction="in", left="7", right="4"),
            TransactionalPort(name="debug", initiative="provides", bus_width="32"),
        ),
        parameters=_named(
            Parameter(name="DATA_WIDTH", kind="user", value="8", type="int", minimum="1", maximum="64"),
            Parameter(name="DEPTH", kind="generated", value="16"),
            Parameter(name="KIND", kind="immediate", value="uart"),
        ),
        bus_interfaces=_named(
            BusInterface(name="apb", mode="target", bus_type=apb, port_maps=(PortMap(logical="PCLK", physical="clk"),))
        ),
    )
    cpu = Component(
        vlnv=Vlnv.parse(CPU),
        ports=_named(
            SignalPort(name="clk", direction="in"),
            SignalPort(name="din", direction="in", left="7", right="0"),
            TransactionalPort(name="init", initiative="requires"),
        ),
    )
    inside = Design(
        instances=_named(
            Instance(name="u_cpu", component=cpu.vlnv),
            Instance(name="u_uart", component=uart.vlnv, parameters=FrozenMap({"DATA_WIDTH": "16"})),
            Instance(name="u_lost", component=Vlnv.parse("acme:lost:block:1.0")),
        ),
        connections=_named(
            Connection(
                name="clk_net",
                ends=(Endpoint(instance="", port="clk"), Endpoint(instance="u_cpu", port="clk")),
            ),
            Connection(name="rx_high", ends=(Endpoint(instance="u_uart", port="rx"),), tied_value="1"),
        ),
        interconnections=_named(
            Interconnection(
                name="bus",
                ends=(
                    InterfaceEnd(instance="u_cpu", interface="apb"),
                    InterfaceEnd(instance="u_uart", interface="apb"),
                ),
            )
        ),
    )
    top = Component(
        vlnv=Vlnv.parse(TOP),
        ports=_named(SignalPort(name="clk", direction="in")),
        designs=FrozenMap({"hierarchical": inside, "flat": Design()}),
    )
    return Library.of((uart, cpu, top))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def soc() -> Library:
    """A processor and a UART in a top level, with an instance whose component is missing."""
    return _soc()


@pytest.fixture
def workspace(soc: Library) -> Workspace:
    return Workspace(library=soc)


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> str:
    """The two protocol eras of the SDK's client."""
    return str(request.param)


@pytest.fixture
def text_of() -> Callable[[CallToolResult], str]:
    def read(result: CallToolResult) -> str:
        (block,) = result.content
        assert isinstance(block, TextContent)
        return block.text

    return read
