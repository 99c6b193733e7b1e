"""Reading components and designs of all versions into values."""

from __future__ import annotations

from pathlib import Path

import pytest
from ipxact_files import BOARD, FIXTURES, GATE, LIBRARY, TIMER, needs_library, shared_files

from model.elements import (
    Connection,
    Endpoint,
    Interconnection,
    InterfaceEnd,
    Parameter,
    PortMap,
    SignalPort,
    TransactionalPort,
)
from model.ipxact.document import parse_document
from model.ipxact.read_component import read_component
from model.library import Library
from model.storage import Opened, open_workspace
from model.vlnv import Vlnv


@pytest.fixture(scope="module")
def opened() -> Opened:
    return open_workspace(FIXTURES)


@pytest.fixture
def library(opened: Opened) -> Library:
    return opened.workspace.library


def test_component_of_2014_in_latin_1_with_comments_everywhere(library: Library) -> None:
    timer = library.get(TIMER)
    assert timer.description == "Zählt & meldet."
    assert timer.ports.values() == [
        SignalPort(name="clk", direction="in"),
        SignalPort(
            name="data_i",
            direction="in",
            left="WIDTH - 1",
            right="0",
            default_value="'h0",
            description="Données d'entrée",
        ),
        SignalPort(name="irq.o", direction="out"),
        TransactionalPort(name="notify", initiative="requires", kind="tlm_port", protocol="event", bus_width="WIDTH"),
    ]
    assert timer.parameters.values() == [
        Parameter(name="WIDTH", kind="user", value="16", type="int", minimum="1", maximum="64"),
        Parameter(name="DEPTH", kind="generated", value="$clog2(WIDTH)"),
        Parameter(name="BASE", kind="immediate", value="'h100"),
    ]
    interface = timer.bus_interfaces["ctrl"]
    assert (interface.mode, str(interface.bus_type)) == ("target", "acme.example:bus:simple:1.0")
    assert interface.port_maps == (
        PortMap(logical="DATA", physical="data_i", left="7", right="0"),
        PortMap(logical="CLK", physical="clk"),
    )
    assert not timer.designs


def test_design_of_2022_speaks_of_the_parameters_of_its_component(library: Library) -> None:
    board = library.get(BOARD)
    assert list(board.designs) == ["hier"]
    design = board.design
    assert str(design.vlnv) == "acme.example:soc:board.design:2.0"
    # W of the design is set to W of the component; K is the design's own and so stands for what it is.
    assert dict(design.instances["t0"].parameters) == {"WIDTH": "W", "DEPTH": "(2*W) + 1"}
    assert dict(design.instances["lost"].parameters) == {"g_1": "3"}
    assert design.connections.values() == [
        Connection(
            name="clock",
            ends=(
                Endpoint(instance="t0", port="clk"),
                Endpoint(instance="t1", port="clk"),
                Endpoint(instance="", port="clk"),
            ),
        ),
        Connection(name="tie", ends=(Endpoint(instance="t1", port="data_i", left="W-1", right="0"),), tied_value="2*W"),
    ]
    ends = (InterfaceEnd(instance="t0", interface="ctrl"), InterfaceEnd(instance="t1", interface="ctrl"))
    watch = Interconnection(
        name="watch",
        ends=(InterfaceEnd(instance="lost", interface="mon"),),
        monitored=InterfaceEnd(instance="t0", interface="ctrl"),
    )
    assert design.interconnections.values() == [Interconnection(name="chain", ends=ends), watch]


def test_component_of_2009_through_its_design_configuration(library: Library) -> None:
    gate = library.get(GATE)
    assert gate.ports.values() == [
        SignalPort(name="a", direction="in", default_value="1"),
        SignalPort(name="q", direction="out", left="7", right="0"),
        TransactionalPort(name="t", initiative="provides", kind=""),
    ]
    assert gate.parameters.values() == [Parameter(name="w", kind="user", value="8", type="longint", minimum="1")]
    assert gate.bus_interfaces["m"].mode == "initiator"
    assert gate.bus_interfaces["m"].port_maps == (PortMap(logical="DATA", physical="q", left="3", right="0"),)
    design = gate.designs["structure"]
    assert dict(design.instances["u1"].parameters) == {"size": "4"}
    assert design.connections.values() == [
        Connection(
            name="in",
            ends=(Endpoint(instance="u1", port="x", left="2", right="1"), Endpoint(instance="", port="a")),
        ),
        Connection(name="low", ends=(Endpoint(instance="u1", port="en"),), tied_value="0"),
    ]
    assert design.interconnections["m"].ends == (
        InterfaceEnd(instance="", interface="m"),
        InterfaceEnd(instance="u1", interface="bus"),
    )


@pytest.mark.parametrize("version", ["1.4", "1.5"])
def test_older_spirit_namespaces_are_read(version: str) -> None:
    content = (FIXTURES / "gate_2009.xml").read_bytes().replace(b"SPIRIT/1685-2009", b"SPIRIT/" + version.encode())
    document = parse_document(content, Path("gate.xml"))
    assert document.standard == version
    assert list(read_component(document).component.ports) == ["a", "q", "t"]


def test_findings_and_catalog(opened: Opened) -> None:
    found = {(finding.code, finding.path.name if finding.path else "") for finding in opened.findings}
    assert ("component-missing", "board.design_2022.xml") in found
    entries = {(entry.kind, entry.path.name) for entry in opened.workspace.catalog}
    assert ("busDefinition", "simple_bus_2014.xml") in entries
    assert ("designConfiguration", "gate_cfg_2009.xml") in entries


BREACHES = """
  <ipxact:model><ipxact:ports>
    <ipxact:port><ipxact:wire><ipxact:direction>in</ipxact:direction></ipxact:wire></ipxact:port>
    <ipxact:port><ipxact:name>a</ipxact:name><ipxact:wire><ipxact:direction>sideways</ipxact:direction></ipxact:wire></ipxact:port>
    <ipxact:port><ipxact:name>a</ipxact:name><ipxact:wire><ipxact:direction>out</ipxact:direction></ipxact:wire></ipxact:port>
    <ipxact:port><ipxact:name>b</ipxact:name></ipxact:port>
    <ipxact:port><ipxact:name>c</ipxact:name><ipxact:wire><ipxact:direction>in</ipxact:direction>
      <ipxact:vectors><ipxact:vector><ipxact:left>7</ipxact:left></ipxact:vector></ipxact:vectors></ipxact:wire></ipxact:port>
    <ipxact:port><ipxact:name>d</ipxact:name><ipxact:transactional><ipxact:kind>telepathy</ipxact:kind></ipxact:transactional></ipxact:port>
  </ipxact:ports></ipxact:model>
  <ipxact:busInterfaces><ipxact:busInterface><ipxact:name>i</ipxact:name></ipxact:busInterface></ipxact:busInterfaces>
  <ipxact:parameters>
    <ipxact:parameter resolve="generated" type="quaternion"><ipxact:name>P</ipxact:name></ipxact:parameter>
    <ipxact:parameter parameterId="p2"><ipxact:name>P</ipxact:name><ipxact:value>2</ipxact:value></ipxact:parameter>
  </ipxact:parameters>
"""


def test_every_breach_of_the_schema_is_a_finding_with_its_line() -> None:
    text = (
        '<ipxact:component xmlns:ipxact="http://www.accellera.org/XMLSchema/IPXACT/1685-2014">'
        f"<ipxact:vendor>v</ipxact:vendor><ipxact:library>l</ipxact:library>{BREACHES}</ipxact:component>"
    )
    read = read_component(parse_document(text.encode(), Path("broken.xml")))
    assert {finding.code: finding.line for finding in read.findings} == {
        "bad-vlnv": 1,
        "name-missing": 3,
        "bad-direction": 6,
        "duplicate-name": 14,
        "half-vector": 7,
        "bad-initiative": 9,
        "bad-kind": 9,
        "mode-missing": 11,
        "bad-reference": 11,
        "bad-type": 13,
        "parameter-id-missing": 13,
    }
    assert [port.direction for port in read.component.ports.values() if isinstance(port, SignalPort)] == [
        "phantom",
        "phantom",
        "in",
    ]


@pytest.mark.parametrize("path", shared_files(), ids=lambda path: path.name)
def test_public_files_are_read(path: Path) -> None:
    document = parse_document(path.read_bytes(), path)
    assert all((document.vlnv.vendor, document.vlnv.library, document.vlnv.name, document.vlnv.version))
    if document.kind == "component":
        read = read_component(document)
        assert not [finding for finding in read.findings if finding.severity == "error"]


@needs_library
def test_core_example() -> None:
    opened = open_workspace(LIBRARY)
    core = opened.workspace.library.get(Vlnv.parse("tut.fi:cpu.subsystem:core_example:1.0"))
    assert (len(core.design.interconnections), len(core.design.connections)) == (9, 2)
    assert core.design.instances["register_bank"].parameters["DATA_WIDTH"] == "DATA_WIDTH"
    spi = opened.workspace.library.get(Vlnv.parse("tut.fi:other.subsystem:spi_example:1.0"))
    assert list(spi.designs) == ["adhoc_design", "bus_design"]
    assert not opened.workspace.unsaved()
    assert not any("uuid_" in str(component) for component in opened.workspace.library)
