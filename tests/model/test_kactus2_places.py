"""Places that Kactus2 keeps in its vendor extensions survive a round trip, and nothing else of the file changes."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from model import operations
from model.errors import DesignError
from model.ipxact.kactus2 import Drawing, Places, read_drawing
from model.ipxact.kactus2_saving import save_places, with_places
from model.storage import open_workspace, save_component
from model.vlnv import Vlnv

PATH = Path("top.design.1.0.xml")
VLNV = Vlnv.parse("a:b:top:1.0")
DESIGN = b"""<?xml version="1.0" encoding="UTF-8"?>
<!-- drawn by hand -->
<ipxact:design xmlns:ipxact="http://www.accellera.org/XMLSchema/IPXACT/1685-2014" xmlns:kactus2="http://kactus2.cs.tut.fi">
\t<ipxact:vendor>a</ipxact:vendor>
\t<ipxact:library>b</ipxact:library>
\t<ipxact:name>top.design</ipxact:name>
\t<ipxact:version>1.0</ipxact:version>
\t<ipxact:componentInstances>
\t\t<ipxact:componentInstance>
\t\t\t<ipxact:instanceName>one</ipxact:instanceName>
\t\t\t<ipxact:componentRef vendor="a" library="b" name="leaf" version="1.0"/>
\t\t\t<ipxact:vendorExtensions>
\t\t\t\t<kactus2:portPositions><kactus2:portPosition busRef="x" x="-110" y="40"/></kactus2:portPositions>
\t\t\t\t<kactus2:position x="280" y="420"/>
\t\t\t</ipxact:vendorExtensions>
\t\t</ipxact:componentInstance>
\t\t<ipxact:componentInstance>
\t\t\t<ipxact:instanceName>two</ipxact:instanceName>
\t\t\t<ipxact:componentRef vendor="a" library="b" name="leaf" version="1.0"/>
\t\t</ipxact:componentInstance>
\t</ipxact:componentInstances>
</ipxact:design>
"""
TOP = b"""<?xml version="1.0" encoding="UTF-8"?>
<ipxact:component xmlns:ipxact="http://www.accellera.org/XMLSchema/IPXACT/1685-2014">
  <ipxact:vendor>a</ipxact:vendor><ipxact:library>b</ipxact:library>
  <ipxact:name>top</ipxact:name><ipxact:version>1.0</ipxact:version>
  <ipxact:model>
    <ipxact:views><ipxact:view><ipxact:name>h</ipxact:name>
      <ipxact:designInstantiationRef>d</ipxact:designInstantiationRef></ipxact:view></ipxact:views>
    <ipxact:instantiations><ipxact:designInstantiation><ipxact:name>d</ipxact:name>
      <ipxact:designRef vendor="a" library="b" name="top.design" version="1.0"/>
    </ipxact:designInstantiation></ipxact:instantiations>
  </ipxact:model>
</ipxact:component>
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / PATH).write_bytes(DESIGN)
    (tmp_path / "top.1.0.xml").write_bytes(TOP)
    return tmp_path


def changed_lines(one: bytes, other: bytes) -> list[str]:
    lines = difflib.unified_diff(one.decode().splitlines(), other.decode().splitlines(), n=0)
    return [line for line in lines if line[:1] in "+-" and line[:3] not in {"+++", "---"}]


def test_the_places_of_instances_are_read() -> None:
    assert read_drawing(DESIGN, PATH).places.instances == {"one": (280.0, 420.0)}


@pytest.mark.parametrize(
    "content", [b"", b"kactus2", DESIGN.replace(b'x="280"', b'x="wide"'), DESIGN.replace(b'"420"', b'"nan"'), TOP]
)
def test_what_holds_no_places_gives_none(content: bytes) -> None:
    assert read_drawing(content, PATH) == Drawing()


def test_only_the_places_that_differ_are_written() -> None:
    assert with_places(DESIGN, PATH, Places({"one": (280.0, 420.0), "two": (1.0, 2.0)})) == DESIGN
    written = with_places(DESIGN, PATH, Places({"one": (-300.0, 420.0)}))
    assert changed_lines(DESIGN, written) == [
        '-\t\t\t\t<kactus2:position x="280" y="420"/>',
        '+\t\t\t\t<kactus2:position x="-300" y="420"/>',
    ]
    assert read_drawing(written, PATH).places.instances == {"one": (-300.0, 420.0)}


def test_places_are_saved_into_the_file_and_the_next_edit_keeps_them(folder: Path) -> None:
    workspace = open_workspace(folder).workspace
    workspace.library.get(VLNV)
    assert save_places(workspace, VLNV, Places({"one": (0.0, 60.0)})) == folder / PATH
    assert VLNV not in workspace.unsaved()
    workspace.apply(
        operations.rename_element, component=str(VLNV), element_type="subcomponent", name="two", new_name="three"
    )
    save_component(workspace, str(VLNV))
    saved = (folder / PATH).read_bytes()
    assert read_drawing(saved, PATH).places.instances == {"one": (0.0, 60.0)}
    assert len(changed_lines(DESIGN, saved)) == 4


def test_a_file_that_another_program_has_changed_is_left_alone(folder: Path) -> None:
    workspace = open_workspace(folder).workspace
    workspace.library.get(VLNV)
    (folder / PATH).write_bytes(DESIGN + b"<!-- later -->\n")
    with pytest.raises(DesignError, match="another program"):
        save_places(workspace, VLNV, Places({"one": (0.0, 60.0)}))
    assert (folder / PATH).read_bytes().endswith(b"<!-- later -->\n")


def test_a_component_without_a_design_file_has_nowhere_to_keep_them(folder: Path) -> None:
    assert (
        save_places(open_workspace(folder).workspace, Vlnv.parse("a:b:gone:1.0"), Places({"one": (0.0, 0.0)})) is None
    )
