"""Numbers in files older than IEEE 1685-2014: ``0x1F``, ``64K``, ``"0101"``, ``true``; read, checked, written back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ipxact_files import assert_valid, changed_lines, needs_library, shared_files

from model import operations
from model.elements import SignalPort
from model.errors import DesignError
from model.expressions import evaluate
from model.ipxact.scaled import expression, is_scaled, scaled
from model.review import review
from model.storage import open_workspace, save_component
from model.vlnv import Vlnv
from model.widths import port_width
from model.workspace import Workspace

VLNV = "acme.example:old:scaled:1.0"
_PARAMETERS = (
    ("BASE", 'spirit:format="bitString" spirit:bitStringLength="32"', "0xFFFF_0000".replace("_", "")),
    ("MODE", 'spirit:format="bitString" spirit:bitStringLength="4"', "&quot;0101&quot;"),
    ("ONE", 'spirit:format="bitString" spirit:bitStringLength="1"', "&quot;1&quot;"),
    ("SIZE", 'spirit:format="long" spirit:minimum="0x10" spirit:maximum="1M"', "64K"),
    ("OFFSET", 'spirit:format="long"', "-0x10"),
    ("HASH", 'spirit:format="long"', "#1f"),
    ("PLAIN", 'spirit:format="long"', "+12"),
    ("ON", 'spirit:format="bool"', "true"),
    ("OFF", 'spirit:format="bool"', "false"),
    ("RATE", 'spirit:format="float"', "1.5"),
    ("TEXT", 'spirit:format="string"', "0x10"),
    ("BARE", "", "64K"),
)


def _file(namespace: str) -> str:
    parameters = "".join(
        f'    <spirit:parameter>\n      <spirit:name>{name}</spirit:name>\n      <spirit:value spirit:id="{name}_id" '
        f'{stated} spirit:resolve="user">{value}</spirit:value>\n    </spirit:parameter>\n'
        for name, stated, value in _PARAMETERS
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<spirit:component xmlns:spirit="{namespace}">
  <spirit:vendor>acme.example</spirit:vendor>
  <spirit:library>old</spirit:library>
  <spirit:name>scaled</spirit:name>
  <spirit:version>1.0</spirit:version>
  <spirit:model>
    <spirit:ports>
      <spirit:port>
        <spirit:name>q</spirit:name>
        <spirit:wire>
          <spirit:direction>in</spirit:direction>
          <spirit:vector>
            <spirit:left spirit:format="long">0x1F</spirit:left>
            <spirit:right>0</spirit:right>
          </spirit:vector>
          <spirit:driver>
            <spirit:defaultValue>0xAB</spirit:defaultValue>
          </spirit:driver>
        </spirit:wire>
      </spirit:port>
    </spirit:ports>
  </spirit:model>
  <spirit:parameters>
{parameters}  </spirit:parameters>
</spirit:component>
"""


@pytest.fixture(
    params=[
        "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009",
        "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1.5",
        "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1.4",
    ]
)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    made = tmp_path / "scaled.xml"
    made.write_text(_file(request.param), encoding="utf-8")
    return made


@pytest.fixture
def workspace(path: Path) -> Workspace:
    return open_workspace(path.parent).workspace


def test_values_are_numbers(workspace: Workspace) -> None:
    component = workspace.library.get(Vlnv.parse(VLNV))
    values = {name: parameter.value for name, parameter in component.parameters.items()}
    assert values == {
        "BASE": "'hFFFF0000",
        "MODE": "4'b0101",
        "ONE": "1'b1",
        "SIZE": "65536",
        "OFFSET": "-'h10",
        "HASH": "'h1f",
        "PLAIN": "+12",
        "ON": "1",
        "OFF": "0",
        "RATE": "1.5",
        "TEXT": "0x10",
        "BARE": "64K",
    }
    assert component.parameters["SIZE"].minimum == "'h10"
    assert component.parameters["SIZE"].maximum == "1048576"
    port = component.ports["q"]
    assert isinstance(port, SignalPort)
    assert (port.left, port.right, port.default_value) == ("'h1F", "0", "'hAB")
    assert port_width(component, port) == 32


def test_nothing_is_wrong_with_them(path: Path) -> None:
    opened = open_workspace(path.parent)
    assert [finding.message for finding in review(opened.workspace, opened.findings)] == []


def test_an_edit_elsewhere_changes_none_of_them(path: Path, workspace: Workspace) -> None:
    before = path.read_bytes()
    workspace.apply(operations.add_signal_port, component=VLNV, name="extra", direction="in", default_value="'hF")
    save_component(workspace, VLNV)
    lines = changed_lines(before, path.read_bytes())
    assert {line[0] for line in lines} == {"+"}
    assert any("<spirit:defaultValue>0xF</spirit:defaultValue>" in line for line in lines)


def test_changed_numbers_are_written_as_the_file_writes_them(path: Path, workspace: Workspace) -> None:
    before = path.read_bytes()
    for kind, name, change in (
        ("user_parameter", "BASE", {"value": "'hDEADBEEF"}),
        ("user_parameter", "MODE", {"value": "4'b0011"}),
        ("user_parameter", "SIZE", {"value": "'h10000"}),
        ("user_parameter", "OFFSET", {"value": "8'hFF"}),
        ("user_parameter", "TEXT", {"value": "8'hFF"}),
        ("signal_port", "q", {"default_value": "'h7"}),
    ):
        workspace.apply(operations.update_element, component=VLNV, element_type=kind, name=name, **change)
    save_component(workspace, VLNV)
    lines = [line for line in changed_lines(before, path.read_bytes()) if line[0] == "+"]
    written = [line.partition(">")[2].partition("</")[0] for line in lines]
    assert written == ["0x7", "0xDEADBEEF", '"0011"', "0x10000", "8'hFF", "8'hFF"]
    again = open_workspace(path.parent).workspace.library.get(Vlnv.parse(VLNV))
    assert evaluate(again.parameters["SIZE"].value, {}) == 65536
    assert not workspace.unsaved()


def test_a_bound_that_such_a_file_cannot_hold_is_refused(path: Path, workspace: Workspace) -> None:
    before = path.read_bytes()
    workspace.apply(operations.update_element, component=VLNV, element_type="signal_port", name="q", left="8'h1F")
    with pytest.raises(DesignError) as caught:
        save_component(workspace, VLNV)
    assert caught.value.code == "version-cannot-hold"
    assert path.read_bytes() == before


def test_a_new_parameter(path: Path, workspace: Workspace) -> None:
    workspace.apply(operations.add_user_parameter, component=VLNV, name="NEW", value="'h20", type="longint")
    workspace.apply(operations.add_user_parameter, component=VLNV, name="FLAG", value="1'b1", type="bit")
    save_component(workspace, VLNV)
    text = path.read_text(encoding="utf-8")
    assert ">0x20<" in text
    assert 'spirit:bitStringLength="1">"1"<' in text
    if "1685-2009" in text:  # whose bounds are plain numbers, though not in every file
        assert_valid(path.read_bytes().replace(b">0x1F<", b">31<"), "2009")
    again = open_workspace(path.parent).workspace.library.get(Vlnv.parse(VLNV))
    assert again.parameters["FLAG"].value == "1'b1"


def test_a_copy_in_the_present_version_has_expressions(path: Path, workspace: Workspace) -> None:
    saved = save_component(workspace, VLNV, "copy.xml")
    text = saved.paths[0].read_text(encoding="utf-8")
    assert "1685-2022" in text
    assert "'hFFFF0000<" in text
    assert_valid(saved.paths[0].read_bytes(), "2022")


@given(st.integers(-(2**70), 2**70), st.sampled_from(["0x", "0X", "#", ""]), st.sampled_from(["", *"kKmMgGtT"]))
def test_the_value_is_that_of_the_schema(number: int, prefix: str, suffix: str) -> None:
    digits = f"{abs(number):x}" if prefix else str(abs(number))
    text = f"{'-' if number < 0 else ''}{prefix}{digits}{suffix}"
    assert is_scaled(text)
    scale = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[suffix.lower()]
    assert evaluate(expression(text), {}) == number * 2**scale
    assert expression(scaled(expression(text))) == expression(text)


@pytest.mark.parametrize("text", ["WIDTH", "id('w') - 1", "12", "ff", "0x", "64KB", "", '"012"', '"', "8'hFF", "1.5"])
def test_anything_else_stays(text: str) -> None:
    assert expression(text) == text


@pytest.mark.parametrize("text", ["BAD", "W", "0x", "8'h1F", "12K3"])
def test_names_and_literals_are_no_such_numbers(text: str) -> None:
    assert not is_scaled(text)


def test_numbers_without_end_are_left_alone(tmp_path: Path) -> None:
    long = "9" * 5_000
    assert expression(f"{long}K") == f"{long}K"
    content = _file(_SPIRIT).replace('bitStringLength="4"', f'bitStringLength="{long}"')
    (tmp_path / "long.xml").write_text(content, encoding="utf-8")
    assert open_workspace(tmp_path).workspace.library.get(Vlnv.parse(VLNV)).parameters["MODE"].vectors == ()


@pytest.mark.parametrize("text", ["8'hzz", "4'b0121", "W", "a'h1", "'{1}", "12", "0x1F", ""])
def test_what_is_no_literal_stays(text: str) -> None:
    assert scaled(text) == text


@needs_library
def test_no_number_of_a_public_file_is_an_error(tmp_path: Path) -> None:
    for path in shared_files():
        if path.name.startswith("09_"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    opened = open_workspace(tmp_path)
    assert len(opened.workspace.library) > 0
    assert not [each for each in review(opened.workspace, opened.findings) if each.severity == "error"]


_SPIRIT = "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"
_TOP = f"""<?xml version="1.0" encoding="UTF-8"?>
<spirit:component xmlns:spirit="{_SPIRIT}">
  <spirit:vendor>acme.example</spirit:vendor>
  <spirit:library>old</spirit:library>
  <spirit:name>top</spirit:name>
  <spirit:version>1.0</spirit:version>
  <spirit:model>
    <spirit:views>
      <spirit:view>
        <spirit:name>inside</spirit:name>
        <spirit:envIdentifier>::</spirit:envIdentifier>
        <spirit:hierarchyRef
            spirit:vendor="acme.example" spirit:library="old" spirit:name="top.d" spirit:version="1.0"/>
      </spirit:view>
    </spirit:views>
  </spirit:model>
</spirit:component>
"""
_INSIDE = f"""<?xml version="1.0" encoding="UTF-8"?>
<spirit:design xmlns:spirit="{_SPIRIT}">
  <spirit:vendor>acme.example</spirit:vendor>
  <spirit:library>old</spirit:library>
  <spirit:name>top.d</spirit:name>
  <spirit:version>1.0</spirit:version>
  <spirit:componentInstances>
    <spirit:componentInstance>
      <spirit:instanceName>u</spirit:instanceName>
      <spirit:componentRef spirit:vendor="acme.example" spirit:library="old" spirit:name="scaled" spirit:version="1.0"/>
      <spirit:configurableElementValues>
        <spirit:configurableElementValue spirit:referenceId="BASE_id">0x80</spirit:configurableElementValue>
        <spirit:configurableElementValue spirit:referenceId="BARE_id">64K</spirit:configurableElementValue>
      </spirit:configurableElementValues>
    </spirit:componentInstance>
  </spirit:componentInstances>
  <spirit:adHocConnections>
    <spirit:adHocConnection spirit:tiedValue="0xFF">
      <spirit:name>tie</spirit:name>
      <spirit:internalPortReference spirit:componentRef="u" spirit:portRef="q" spirit:left="7" spirit:right="0"/>
    </spirit:adHocConnection>
  </spirit:adHocConnections>
</spirit:design>
"""


def test_overrides_and_tied_values_of_a_design(tmp_path: Path) -> None:
    top = "acme.example:old:top:1.0"
    for name, content in (("scaled", _file(_SPIRIT)), ("top", _TOP), ("inside", _INSIDE)):
        (tmp_path / f"{name}.xml").write_text(content, encoding="utf-8")
    opened = open_workspace(tmp_path)
    workspace = opened.workspace
    design = workspace.library.get(Vlnv.parse(top)).design
    assert dict(design.instances["u"].parameters) == {"BASE": "'h80", "BARE": "64K"}
    assert design.connections["tie"].tied_value == "'hFF"
    assert not [each for each in review(workspace, opened.findings) if each.severity == "error"]
    workspace.apply(
        operations.set_instance_parameter, component=top, instance_name="u", parameter="OFFSET", value="'h40"
    )
    save_component(workspace, top)
    lines = changed_lines(_INSIDE.encode(), (tmp_path / "inside.xml").read_bytes())
    assert [line.strip("+ ") for line in lines] == [
        '<spirit:configurableElementValue spirit:referenceId="OFFSET_id">0x40</spirit:configurableElementValue>'
    ]
    workspace.apply(operations.set_instance_parameter, component=top, instance_name="u", parameter="BASE", value="'hC0")
    save_component(workspace, top)
    assert b">0xC0<" in (tmp_path / "inside.xml").read_bytes()
