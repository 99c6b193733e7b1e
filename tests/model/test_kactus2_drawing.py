"""What Kactus2 keeps of a picture in real files: places of own ports, sides of pins, corners of wires; and back."""

from __future__ import annotations

import difflib
import shutil
from pathlib import Path

import pytest

from model.ipxact.kactus2 import Drawing, Places, read_drawing
from model.ipxact.kactus2_saving import save_places, with_places
from model.storage import open_workspace
from model.vlnv import Vlnv

LIBRARY = Path(__file__).parents[3] / "shared" / "ipxact" / "kactus2-example-library"
CORE = LIBRARY / "tut.fi/cpu.subsystem/core_example/1.0/core_example.design.1.0.xml"
VLNV = Vlnv.parse("tut.fi:cpu.subsystem:core_example:1.0")
PATH = Path("top.design.xml")

needs_library = pytest.mark.skipif(not LIBRARY.is_dir(), reason="the corpus of public files is not here")


def design(extensions: str, instances: str = "", standard: str = "2014") -> bytes:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<ipxact:design xmlns:ipxact="http://www.accellera.org/XMLSchema/IPXACT/1685-{standard}" xmlns:kactus2="http://kactus2.cs.tut.fi">
	<ipxact:vendor>a</ipxact:vendor>
	<ipxact:library>b</ipxact:library>
	<ipxact:name>top.design</ipxact:name>
	<ipxact:version>1.0</ipxact:version>
	<ipxact:componentInstances>{instances}
	</ipxact:componentInstances>
	<ipxact:interconnections>
		<ipxact:interconnection>
			<ipxact:name>link</ipxact:name>
			<ipxact:activeInterface componentRef="one" busRef="m"/>
			<ipxact:activeInterface componentRef="two" busRef="s"/>
		</ipxact:interconnection>
	</ipxact:interconnections>
	<ipxact:adHocConnections>
		<ipxact:adHocConnection>
			<ipxact:name>wire</ipxact:name>
			<ipxact:portReferences>
				<ipxact:internalPortReference componentRef="one" portRef="clk"/>
				<ipxact:externalPortReference portRef="clk"/>
			</ipxact:portReferences>
		</ipxact:adHocConnection>
	</ipxact:adHocConnections>
	<ipxact:vendorExtensions>
{extensions}
	</ipxact:vendorExtensions>
</ipxact:design>
""".encode()


def instance(name: str, x: int) -> str:
    return f"""
		<ipxact:componentInstance>
			<ipxact:instanceName>{name}</ipxact:instanceName>
			<ipxact:componentRef vendor="a" library="b" name="leaf" version="1.0"/>
			<ipxact:vendorExtensions>
				<kactus2:position x="{x}" y="60"/>
			</ipxact:vendorExtensions>
		</ipxact:componentInstance>"""


ROUTES = """\
		<kactus2:routes>
			<kactus2:route kactus2:connRef="link" kactus2:offPage="false">
				<kactus2:position x="270" y="100"/>
				<kactus2:position x="370" y="100"/>
			</kactus2:route>
			<kactus2:route kactus2:connRef="wire" kactus2:offPage="false">
				<kactus2:position x="50" y="130"/>
				<kactus2:position x="20" y="130"/>
			</kactus2:route>
		</kactus2:routes>
		<kactus2:adHocVisibilities>
			<kactus2:adHocVisible portName="clk" x="20" y="130"/>
			<kactus2:adHocVisible portName="hidden"/>
		</kactus2:adHocVisibilities>"""
TWO = instance("one", 160) + instance("two", 480)


def changed_lines(one: bytes, other: bytes) -> list[str]:
    lines = difflib.unified_diff(one.decode().splitlines(), other.decode().splitlines(), n=0)
    return [line[0] + line[1:].strip() for line in lines if line[:1] in "+-" and line[:3] not in {"+++", "---"}]


@needs_library
def test_a_real_design_tells_where_its_ports_its_pins_and_its_corners_are() -> None:
    drawing = read_drawing(CORE.read_bytes(), CORE)
    assert drawing.places.instances["alu"] == (280.0, 420.0)
    assert drawing.places.ports == {"clk_i": (820.0, 100.0), "rst_i": (820.0, 130.0)}
    assert drawing.places.interfaces["instructions"] == (60.0, 250.0)
    assert drawing.places.interfaces["bus"] == (60.0, 80.0)  # the first of seven that an older version left behind
    assert drawing.interfaces["instruction_decoder", "cpu_system"] == (-110.0, 70.0)
    assert drawing.ports["clock", "rst_i"] == (110.0, 70.0)
    assert drawing.routes["memory_controller_cpu_system_to_alu_cpu_system"] == (
        (170.0, 160.0),
        (150.0, 160.0),
        (150.0, 460.0),
        (170.0, 460.0),
    )
    assert "clock_clk_i_to_clk_i" not in drawing.routes  # it has no corners: Kactus2 routes it


@needs_library
def test_what_is_not_moved_stays_byte_for_byte_in_every_real_design() -> None:
    seen = 0
    for path in LIBRARY.rglob("*.design*.xml"):
        content = path.read_bytes()
        drawing = read_drawing(content, path)
        assert with_places(content, path, drawing.places) == content
        seen += drawing != Drawing()
    assert seen > 10


@needs_library
def test_a_moved_port_of_a_real_design_changes_its_line_and_its_wires_corners(tmp_path: Path) -> None:
    shutil.copytree(LIBRARY, tmp_path / "library")
    workspace = open_workspace(tmp_path / "library").workspace
    view = workspace.library.get(VLNV).view
    configurations = workspace.sources[VLNV].designs[view].configurations
    path = save_places(
        workspace, VLNV, Places(interfaces={"instructions": (60.0, 330.0)}, ports={"clk_i": (820.0, 90.0)})
    )
    assert path is not None
    assert changed_lines(CORE.read_bytes(), path.read_bytes()) == [
        '-<kactus2:position x="170" y="250"/>',
        '-<kactus2:position x="60" y="250"/>',
        '-<kactus2:adHocVisible portName="clk_i" x="820" y="100"/>',
        '+<kactus2:adHocVisible portName="clk_i" x="820" y="90"/>',
        '-<kactus2:position x="60" y="250"/>',
        '+<kactus2:position x="60" y="330"/>',
    ]
    assert workspace.sources[VLNV].designs[view].configurations == configurations != {}
    again = read_drawing(path.read_bytes(), path)
    assert again.places.interfaces["instructions"] == (60.0, 330.0)
    assert "instruction_decoder_instruction_feed_to_instructions" not in again.routes


@needs_library
def test_a_moved_block_of_a_real_design_leaves_the_wires_of_others_alone() -> None:
    content = CORE.read_bytes()
    written = with_places(content, CORE, Places({"register_bank": (280.0, 360.0)}))
    before, after = read_drawing(content, CORE), read_drawing(written, CORE)
    assert before.routes.keys() - after.routes.keys() == {
        "clock_cpu_clk_source_to_register_bank_cpu_clk_sink",
        "register_bank_cpu_system_to_alu_cpu_system",
    }
    assert all(before.routes[name] == corners for name, corners in after.routes.items())
    assert after.interfaces == before.interfaces
    assert len(changed_lines(content, written)) == 2 + 4 + 4


def test_a_wire_goes_along_where_both_of_its_ends_have_moved_alike() -> None:
    content = design(ROUTES, TWO)
    written = with_places(content, PATH, Places({"one": (160.0, 90.0), "two": (480.0, 90.0)}))
    drawing = read_drawing(written, PATH)
    assert drawing.routes == {"link": ((270.0, 130.0), (370.0, 130.0))}  # the other's port has stayed
    assert drawing.places.ports == {"clk": (20.0, 130.0)}
    written = with_places(content, PATH, Places({"one": (160.0, 90.0)}, {"clk": (20.0, 160.0), "hidden": (1.0, 1.0)}))
    assert read_drawing(written, PATH).routes == {"wire": ((50.0, 160.0), (20.0, 160.0))}
    assert b'<kactus2:adHocVisible portName="hidden"/>' in written


def test_numbers_are_written_as_kactus2_reads_them() -> None:
    written = with_places(design(ROUTES, TWO), PATH, Places({"one": (-0.0, 12_345_670.0)}))
    assert b'<kactus2:position x="0" y="12345670"/>' in written


@pytest.mark.parametrize(
    "route",
    [
        '<kactus2:route kactus2:connRef="link" kactus2:offPage="true">{}</kactus2:route>',
        '<kactus2:route kactus2:connRef="link">{}</kactus2:route>' * 2,  # to several ends: to which, nothing says
        '<kactus2:route kactus2:connRef="link"/>',
    ],
)
def test_routes_that_tell_no_course_are_not_read(route: str) -> None:
    corners = '<kactus2:position x="1" y="2"/><kactus2:position x="3" y="2"/>'
    content = design(f"\t\t<kactus2:routes>{route.replace('{}', corners)}</kactus2:routes>", TWO)
    assert read_drawing(content, PATH).routes == {}


def test_a_wire_that_is_not_drawn_as_a_line_keeps_what_the_file_says_of_it() -> None:
    off_page = ROUTES.replace('connRef="link" kactus2:offPage="false"', 'connRef="link" kactus2:offPage="true"')
    written = with_places(design(off_page, TWO), PATH, Places({"two": (480.0, 300.0)}))
    assert written.count(b"<kactus2:position") == 6


def test_files_of_2022_name_their_ends_otherwise() -> None:
    content = design(ROUTES, TWO, "2022").replace(b"componentRef=", b"componentInstanceRef=")
    written = with_places(content, PATH, Places({"two": (480.0, 300.0)}))
    assert read_drawing(written, PATH).routes.keys() == {"wire"}
