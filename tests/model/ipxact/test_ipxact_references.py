"""What refers to an element by its name follows it: design configurations, and parts of a file that are not shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from ipxact_files import LIBRARY, Desk, assert_valid, needs_library

from model import operations
from model.elements import Configuration
from model.errors import DesignError
from model.files import Source
from model.frozen_map import FrozenMap
from model.vlnv import Vlnv

HUB = Vlnv.parse("a.b:l:hub:1.0")
HUB_FILE = """<?xml version="1.0"?>
<ipxact:component xmlns:ipxact="http://www.accellera.org/XMLSchema/IPXACT/1685-2014">
  <ipxact:vendor>a.b</ipxact:vendor><ipxact:library>l</ipxact:library>
  <ipxact:name>hub</ipxact:name><ipxact:version>1.0</ipxact:version>
  <ipxact:busInterfaces>
    <ipxact:busInterface>
      <ipxact:name>in0</ipxact:name>
      <ipxact:busType vendor="a.b" library="l" name="bus" version="1"/>
      <ipxact:slave>
        <ipxact:transparentBridge masterRef="out0"/>
      </ipxact:slave>
    </ipxact:busInterface>
    <ipxact:busInterface>
      <ipxact:name>out0</ipxact:name>
      <ipxact:busType vendor="a.b" library="l" name="bus" version="1"/>
      <ipxact:master/>
    </ipxact:busInterface>
  </ipxact:busInterfaces>
  <ipxact:channels>
    <ipxact:channel>
      <ipxact:name>c</ipxact:name>
      <ipxact:busInterfaceRef><ipxact:localName>in0</ipxact:localName></ipxact:busInterfaceRef>
      <ipxact:busInterfaceRef><ipxact:localName>out0</ipxact:localName></ipxact:busInterfaceRef>
    </ipxact:channel>
  </ipxact:channels>
  <ipxact:remapStates>
    <ipxact:remapState>
      <ipxact:name>boot</ipxact:name>
      <ipxact:remapPorts>
        <ipxact:remapPort portRef="boot_i"><ipxact:value>1</ipxact:value></ipxact:remapPort>
      </ipxact:remapPorts>
    </ipxact:remapState>
  </ipxact:remapStates>
  <ipxact:memoryMaps>
    <ipxact:memoryMap>
      <ipxact:name>regs</ipxact:name>
      <ipxact:addressBlock>
        <ipxact:name>p_aw</ipxact:name>
        <ipxact:baseAddress>0</ipxact:baseAddress>
        <ipxact:range>2**p_aw</ipxact:range>
        <ipxact:width>p_dw</ipxact:width>
      </ipxact:addressBlock>
    </ipxact:memoryMap>
  </ipxact:memoryMaps>
  <ipxact:model>
    <ipxact:views><ipxact:view><ipxact:name>flat</ipxact:name></ipxact:view></ipxact:views>
    <ipxact:ports>
      <ipxact:port>
        <ipxact:name>boot_i</ipxact:name>
        <ipxact:wire><ipxact:direction>in</ipxact:direction></ipxact:wire>
      </ipxact:port>
      <ipxact:port>
        <ipxact:name>clk</ipxact:name>
        <ipxact:wire><ipxact:direction>in</ipxact:direction></ipxact:wire>
      </ipxact:port>
      <ipxact:port>
        <ipxact:name>q</ipxact:name>
        <ipxact:wire>
          <ipxact:direction>out</ipxact:direction>
          <ipxact:constraintSets>
            <ipxact:constraintSet>
              <ipxact:timingConstraint clockName="clk">40</ipxact:timingConstraint>
            </ipxact:constraintSet>
          </ipxact:constraintSets>
        </ipxact:wire>
      </ipxact:port>
    </ipxact:ports>
  </ipxact:model>
  <ipxact:parameters>
    <ipxact:parameter parameterId="p_aw" resolve="user" type="int">
      <ipxact:name>AW</ipxact:name><ipxact:value>12</ipxact:value>
    </ipxact:parameter>
    <ipxact:parameter parameterId="p_dw" resolve="user" type="int" maximum="p_aw">
      <ipxact:name>DW</ipxact:name><ipxact:value>8</ipxact:value>
    </ipxact:parameter>
  </ipxact:parameters>
  <ipxact:vendorExtensions><x:keep xmlns:x="urn:x">p_aw clk</x:keep></ipxact:vendorExtensions>
</ipxact:component>
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    source = tmp_path / "source"
    source.mkdir()
    (source / "hub.xml").write_text(HUB_FILE)
    assert_valid(HUB_FILE.encode(), "2014")
    return Desk(tmp_path, source)


def rename(desk: Desk, kind: str, name: str, new: str) -> None:
    desk.workspace.apply(operations.rename_element, component=str(HUB), element_type=kind, name=name, new_name=new)


def delete(desk: Desk, kind: str, name: str) -> None:
    desk.workspace.apply(operations.delete_element, component=str(HUB), element_type=kind, name=name, cascade=True)


def saved(desk: Desk) -> list[str]:
    lines = desk.save(HUB)["hub.xml"]
    assert_valid((desk.folder / "hub.xml").read_bytes(), "2014")
    return [line for line in lines if line[0] == "+"]


def test_ports_that_remap_states_and_constraints_name(desk: Desk) -> None:
    rename(desk, "signal_port", "boot_i", "boot")
    rename(desk, "signal_port", "clk", "clock")
    assert saved(desk) == [
        '+<ipxact:remapPort portRef="boot"><ipxact:value>1</ipxact:value></ipxact:remapPort>',
        "+<ipxact:name>boot</ipxact:name>",
        "+<ipxact:name>clock</ipxact:name>",
        '+<ipxact:timingConstraint clockName="clock">40</ipxact:timingConstraint>',
    ]


def test_interfaces_that_bridges_and_channels_name(desk: Desk) -> None:
    rename(desk, "bus_interface", "out0", "up")
    assert saved(desk) == [
        '+<ipxact:transparentBridge masterRef="up"/>',
        "+<ipxact:name>up</ipxact:name>",
        "+<ipxact:busInterfaceRef><ipxact:localName>up</ipxact:localName></ipxact:busInterfaceRef>",
    ]


def test_a_renamed_parameter_leaves_the_address_map_alone(desk: Desk) -> None:
    rename(desk, "user_parameter", "AW", "ADDRESS_WIDTH")
    assert saved(desk) == ["+<ipxact:name>ADDRESS_WIDTH</ipxact:name><ipxact:value>12</ipxact:value>"]


def test_a_deleted_parameter_leaves_its_value_in_the_address_map(desk: Desk) -> None:
    delete(desk, "user_parameter", "AW")
    assert saved(desk) == [
        "+<ipxact:range>2**12</ipxact:range>",
        '+<ipxact:parameter parameterId="p_dw" resolve="user" type="int" maximum="12">',
    ]
    assert b'<x:keep xmlns:x="urn:x">p_aw clk</x:keep>' in (desk.folder / "hub.xml").read_bytes()


@pytest.mark.parametrize(("kind", "name"), [("signal_port", "boot_i"), ("bus_interface", "out0")])
def test_what_the_file_still_refers_to_is_not_saved_without_it(desk: Desk, kind: str, name: str) -> None:
    before = desk.contents()
    delete(desk, kind, name)
    with pytest.raises(DesignError, match=f"refers to the .* {name}, which was deleted") as caught:
        desk.save(HUB)
    assert caught.value.code == "still-referenced"
    assert desk.contents() == before
    desk.workspace.undo()
    assert desk.workspace.unsaved() == ()


def test_a_reference_goes_with_what_holds_it(desk: Desk) -> None:
    delete(desk, "signal_port", "q")
    delete(desk, "signal_port", "clk")
    assert saved(desk) == []


EXAMPLE = Vlnv.parse("tut.fi:other.subsystem:spi_example:1.0")
COPY = Vlnv.parse("acme.example:sub:copy:2.0")


@pytest.fixture
def example(tmp_path: Path) -> Desk:
    return Desk(tmp_path, LIBRARY)


@needs_library
class TestConfigurations:
    """One public component with two designs, each with a design configuration."""

    def test_are_shown(self, example: Desk) -> None:
        component = example[EXAMPLE]
        assert list(component.designs) == ["adhoc_design", "bus_design"]
        for view, design in component.designs.items():
            assert list(design.configurations) == [view]
            assert set(design.configurations[view].views) == set(design.instances)
            assert set(design.configurations[view].views.values()) == {"flat_verilog"}

    def test_follow_a_renamed_instance(self, example: Desk) -> None:
        example.workspace.apply(
            operations.rename_element,
            component=str(EXAMPLE),
            element_type="subcomponent",
            name="spi_master_0",
            new_name="boss",
        )
        changed = example.save(EXAMPLE)
        assert changed["spi_example.designcfg.1.0_adhoc.xml"] == [
            "-<ipxact:instanceName>spi_master_0</ipxact:instanceName>",
            "+<ipxact:instanceName>boss</ipxact:instanceName>",
        ]
        assert "spi_example.designcfg.1.0_bus.xml" not in changed
        example.workspace.undo()
        example.save(EXAMPLE)
        assert example.contents() == {
            example.folder / path.relative_to(LIBRARY): path.read_bytes() for path in LIBRARY.rglob("*.xml")
        }

    def test_lose_a_deleted_instance(self, example: Desk) -> None:
        example.workspace.apply(
            operations.delete_element,
            component=str(EXAMPLE),
            element_type="subcomponent",
            name="spi_slave_1",
            cascade=True,
        )
        assert len(example.save(EXAMPLE)["spi_example.designcfg.1.0_adhoc.xml"]) == 4
        for path in (example.folder / "tut.fi/other.subsystem/spi_example/1.0").glob("*adhoc.xml"):
            assert_valid(path.read_bytes(), "2014")

    def test_of_a_copy_are_its_own(self, example: Desk) -> None:
        before = example.contents()
        users = [
            (parent.vlnv, instance.name) for parent, _view, instance in example.workspace.library.users_of(EXAMPLE)
        ]
        example.workspace.apply(operations.copy_component, component=str(EXAMPLE), new_component=str(COPY))
        changed = example.save(COPY)
        assert sorted(changed) == [
            "copy.2.0.xml",
            "copy.adhoc_design.designcfg.2.0.xml",
            "copy.bus_design.design.2.0.xml",
            "copy.bus_design.designcfg.2.0.xml",
            "copy.design.2.0.xml",
        ]
        after = example.contents()
        assert before.items() <= after.items()
        folder = example.folder / "acme.example/sub/copy/2.0"
        for path in folder.iterdir():
            assert_valid(path.read_bytes(), "2014")
            assert b"spi_example" not in path.read_bytes()
            assert b"kactus2:version" in path.read_bytes()
        library = example.workspace.library
        assert [(parent.vlnv, instance.name) for parent, _view, instance in library.users_of(EXAMPLE)] == users
        assert library.users_of(COPY) == []

    def test_can_be_changed(self, example: Desk) -> None:
        def choose(design: object) -> dict[str, object]:
            views = FrozenMap({"spi_master_0": "rtl", "spi_slave_0": "flat_verilog"})
            return {"configurations": FrozenMap({"adhoc_design": Configuration(views=views)})}

        example.edit_design(EXAMPLE, choose)
        (name,) = changed = example.save(EXAMPLE)
        assert '+<ipxact:view viewRef="rtl"/>' in changed[name]
        assert sum(line[0] == "-" for line in changed[name]) == 9

    def test_are_written_anew(self, example: Desk) -> None:
        component = example[EXAMPLE].model_copy(update={"vlnv": COPY})
        example.put(component)
        before: dict[Vlnv, Source] = dict(example.workspace.sources)
        example.workspace.sources.clear()
        example.workspace.sources.update({vlnv: source for vlnv, source in before.items() if vlnv != EXAMPLE})
        assert "copy.bus_design.designcfg.2.0.xml" in example.save(COPY)
        for path in (example.folder / "acme.example/sub/copy/2.0").iterdir():
            assert_valid(path.read_bytes(), "2022")
