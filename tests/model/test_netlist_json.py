from __future__ import annotations

from pathlib import Path

from model.elements import Component, Connection, Design, Endpoint, Instance, Parameter, SignalPort, TransactionalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.netlist_json import netlist_json
from model.storage import open_workspace
from model.vlnv import Vlnv
from resources import __file__ as resources

EXAMPLE = Path(resources).parent / "examples" / "tiny_soc"
TOP, LEAF = Vlnv.parse("a:b:top:1.0"), Vlnv.parse("a:b:leaf:1.0")


def library() -> Library:
    leaf = Component(
        vlnv=LEAF,
        ports=FrozenMap(
            {
                "q": SignalPort(name="q", direction="out", left="W-1", right="0"),
                "d": SignalPort(name="d", direction="in", left="1", right="0"),
                "en": SignalPort(name="en", direction="in", default_value="1"),
                "tlm": TransactionalPort(name="tlm", initiative="requires"),
            }
        ),
        parameters=FrozenMap({"W": Parameter(name="W", kind="user", value="2", type="int")}),
    )
    connections = (
        Connection(
            name="low",
            ends=(
                Endpoint(instance="u", port="q", left="1", right="0"),
                Endpoint(instance="v", port="d"),
                Endpoint(instance="", port="o"),
            ),
        ),
        Connection(name="tie", ends=(Endpoint(instance="u", port="d"),), tied_value="2"),
    )
    design = Design(
        instances=FrozenMap(
            {
                "u": Instance(name="u", component=LEAF, parameters=FrozenMap({"W": "3"})),
                "v": Instance(name="v", component=LEAF),
                "w": Instance(name="w", component=Vlnv.parse("a:b:missing:1.0")),
            }
        ),
        connections=FrozenMap((each.name, each) for each in connections),
    )
    ports = FrozenMap({"o": SignalPort(name="o", direction="out", left="4", right="5")})
    return Library.of([Component(vlnv=TOP, ports=ports, designs=FrozenMap({"v": design})), leaf])


def test_bits_are_numbered_nets_and_constants() -> None:
    netlist = netlist_json(library(), [TOP, LEAF], "1")
    top = netlist.data["modules"][str(TOP)]
    cells = top["cells"]
    low, high, dangling = cells["u"]["connections"]["q"]
    assert len({low, high, dangling}) == 3
    assert cells["v"]["connections"]["d"] == [low, high]
    assert top["ports"]["o"] == {"direction": "output", "bits": [low, high], "offset": 4, "upto": 1}
    assert top["netnames"]["low"]["bits"] == [low, high]
    assert cells["u"]["connections"]["d"] == ["0", "1"]
    assert cells["u"]["connections"]["en"] == ["1"]
    assert cells["u"]["parameters"] == {"W": "3"}
    assert cells["u"]["port_directions"] == {"q": "output", "d": "input", "en": "input"}
    assert top["attributes"]["top"] == "1"
    leaf = netlist.data["modules"][str(LEAF)]
    assert leaf["attributes"]["blackbox"] == "1"
    assert len(leaf["ports"]["q"]["bits"]) == 2
    assert [finding.code for finding in netlist.findings] == ["component-missing"]


def test_every_bit_of_the_example_has_one_driver_at_most() -> None:
    opened = open_workspace(EXAMPLE).workspace.library
    modules = netlist_json(opened, [component.vlnv for component in opened], "1").data["modules"]
    assert len(modules) == len(opened)
    for module in modules.values():
        drivers: list[int] = []
        for port in module["ports"].values():
            drivers.extend(port["bits"] if port["direction"] == "input" else [])
        for cell in module["cells"].values():
            for name, direction in cell["port_directions"].items():
                drivers.extend(cell["connections"][name] if direction == "output" else [])
        assert len(drivers) == len(set(drivers))
