"""A UART, and a top that instantiates it: the design that the tests of assisted mode talk about."""

from __future__ import annotations

from agent.models.base import ToolSpec
from model.elements import Component, Design, Instance, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv
from server.contract import TOOLS

UART = Component(
    vlnv=Vlnv.parse("acme:periph:uart:1.0"),
    ports=FrozenMap({"clk": SignalPort(name="clk", direction="in"), "tx": SignalPort(name="tx", direction="out")}),
)
TOP = Component(
    vlnv=Vlnv.parse("acme:soc:top:1.0"),
    ports=FrozenMap({"clk": SignalPort(name="clk", direction="in")}),
    designs=FrozenMap({"rtl": Design(instances=FrozenMap({"u_uart": Instance(name="u_uart", component=UART.vlnv)}))}),
)
LIBRARY = Library.of([UART, TOP])
SPECS = [ToolSpec(name, "", contract.input_schema()) for name, contract in TOOLS.items()]
