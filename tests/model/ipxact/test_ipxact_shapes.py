"""Ports of several dimensions, structured and transactional ones, mapped parts, monitors: shown, edited, kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from ipxact_files import Desk, assert_valid

from model import operations
from model.checks import check_component
from model.elements import (
    Dimension,
    Endpoint,
    Interconnection,
    InterfaceEnd,
    Payload,
    PortMap,
    SignalPort,
    StructuredPort,
    TransactionalPort,
)
from model.ends import Ends
from model.frozen_map import FrozenMap
from model.ipxact.document import STANDARDS
from model.nets import nets_of
from model.vlnv import Vlnv
from model.widths import port_width, width_label, width_text

PART = Vlnv.parse("a.b:l:part:1.0")
TOP = Vlnv.parse("a.b:l:top:1.0")

_PART = """<?xml version="1.0"?>
<ipxact:component xmlns:ipxact="{space}">
  <ipxact:vendor>a.b</ipxact:vendor><ipxact:library>l</ipxact:library>
  <ipxact:name>part</ipxact:name><ipxact:version>1.0</ipxact:version>
  <ipxact:busInterfaces>
    <ipxact:busInterface>
      <ipxact:name>s</ipxact:name>
      <ipxact:busType vendor="a.b" library="l" name="bus" version="1"/>
      <ipxact:abstractionTypes>
        <ipxact:abstractionType>
          <ipxact:abstractionRef vendor="a.b" library="l" name="bus_rtl" version="1"/>
          <ipxact:portMaps>
            <ipxact:portMap>
              <ipxact:logicalPort>
                <ipxact:name>D</ipxact:name>
                <ipxact:range><ipxact:left>15</ipxact:left><ipxact:right>8</ipxact:right></ipxact:range>
              </ipxact:logicalPort>
              <ipxact:physicalPort><ipxact:name>hi</ipxact:name></ipxact:physicalPort>
              <ipxact:isInformative>false</ipxact:isInformative>
            </ipxact:portMap>
            <ipxact:portMap>
              <ipxact:logicalPort><ipxact:name>EN</ipxact:name></ipxact:logicalPort>
              <ipxact:logicalTieOff>1</ipxact:logicalTieOff>
            </ipxact:portMap>
          </ipxact:portMaps>
        </ipxact:abstractionType>
      </ipxact:abstractionTypes>
      <ipxact:{mode}/>
    </ipxact:busInterface>
    <ipxact:busInterface>
      <ipxact:name>m</ipxact:name>
      <ipxact:busType vendor="a.b" library="l" name="bus" version="1"/>
      <ipxact:monitor interfaceMode="{initiator}"/>
    </ipxact:busInterface>
  </ipxact:busInterfaces>
  <ipxact:model>
    <ipxact:views><ipxact:view><ipxact:name>flat</ipxact:name></ipxact:view></ipxact:views>
    <ipxact:ports>
      <ipxact:port>
        <ipxact:name>grid</ipxact:name>
        <ipxact:wire>
          <ipxact:direction>in</ipxact:direction>
          <ipxact:vectors>
            <ipxact:vector><ipxact:left>p_n-1</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector>
            <ipxact:vector><ipxact:left>7</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector>
          </ipxact:vectors>
        </ipxact:wire>
        <ipxact:arrays>
          <ipxact:array><ipxact:left>0</ipxact:left><ipxact:right>p_n</ipxact:right></ipxact:array>
        </ipxact:arrays>
      </ipxact:port>
      <ipxact:port>
        <ipxact:name>flags</ipxact:name>
        <ipxact:wire><ipxact:direction>out</ipxact:direction></ipxact:wire>
        <ipxact:arrays>
          <ipxact:array><ipxact:left>1</ipxact:left><ipxact:right>0</ipxact:right></ipxact:array>
        </ipxact:arrays>
      </ipxact:port>
      <ipxact:port>
        <ipxact:name>hi</ipxact:name>
        <ipxact:wire>
          <ipxact:direction>in</ipxact:direction>
          <ipxact:vectors>
            <ipxact:vector><ipxact:left>7</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector>
          </ipxact:vectors>
        </ipxact:wire>
      </ipxact:port>
      <ipxact:port>
        <ipxact:name>talk</ipxact:name>
        <ipxact:transactional>
          <ipxact:initiative>requires</ipxact:initiative>
          <ipxact:kind custom="mailbox">custom</ipxact:kind>
          <ipxact:protocol>
            <ipxact:protocolType>tlm</ipxact:protocolType>
            <ipxact:payload>
              <ipxact:name>packet</ipxact:name><ipxact:type>specific</ipxact:type>
              <ipxact:extension>crc</ipxact:extension>
            </ipxact:payload>
          </ipxact:protocol>
          <ipxact:connection>
            <ipxact:maxConnections>p_n</ipxact:maxConnections>
            <ipxact:minConnections>1</ipxact:minConnections>
          </ipxact:connection>
        </ipxact:transactional>
      </ipxact:port>{structured}
    </ipxact:ports>
  </ipxact:model>
  <ipxact:parameters>
    <ipxact:parameter parameterId="p_n" resolve="user" type="int">
      <ipxact:name>N</ipxact:name><ipxact:value>4</ipxact:value>
    </ipxact:parameter>
    <ipxact:parameter parameterId="p_mask" type="bit" sign="unsigned">
      <ipxact:name>MASK</ipxact:name>
      <ipxact:vectors>
        <ipxact:vector><ipxact:left>7</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector>
      </ipxact:vectors>
      <ipxact:value>'hFF</ipxact:value>
    </ipxact:parameter>
    <ipxact:parameter type="int">
      <ipxact:name>TABLE</ipxact:name>
      <ipxact:arrays>
        <ipxact:array><ipxact:left>0</ipxact:left><ipxact:right>1</ipxact:right></ipxact:array>
      </ipxact:arrays>
      <ipxact:value>'{{1, 2}}</ipxact:value>
    </ipxact:parameter>
  </ipxact:parameters>
</ipxact:component>
"""
_STRUCTURED = """
      <ipxact:port>
        <ipxact:name>req</ipxact:name>
        <ipxact:structured packed="true">
          <ipxact:struct direction="in"/>
          <ipxact:subPorts>
            <ipxact:subPort>
              <ipxact:name>addr</ipxact:name>
              <ipxact:wire>
                <ipxact:direction>in</ipxact:direction>
                <ipxact:vectors>
                  <ipxact:vector><ipxact:left>p_n*8-1</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector>
                </ipxact:vectors>
              </ipxact:wire>
            </ipxact:subPort>
            <ipxact:subPort>
              <ipxact:name>ctl</ipxact:name>
              <ipxact:structured>
                <ipxact:struct direction="in"/>
                <ipxact:subPorts>
                  <ipxact:subPort>
                    <ipxact:name>we</ipxact:name>
                    <ipxact:wire><ipxact:direction>in</ipxact:direction></ipxact:wire>
                  </ipxact:subPort>
                </ipxact:subPorts>
                <ipxact:structPortTypeDefs>
                  <ipxact:structPortTypeDef><ipxact:typeName>ctl_t</ipxact:typeName></ipxact:structPortTypeDef>
                </ipxact:structPortTypeDefs>
              </ipxact:structured>
            </ipxact:subPort>
          </ipxact:subPorts>
          <ipxact:structPortTypeDefs>
            <ipxact:structPortTypeDef><ipxact:typeName>req_t</ipxact:typeName></ipxact:structPortTypeDef>
          </ipxact:structPortTypeDefs>
        </ipxact:structured>
      </ipxact:port>"""


def space(standard: str) -> str:
    return next(uri for uri, known in STANDARDS.items() if known == standard)


@pytest.fixture(params=["2014", "2022"])
def standard(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def desk(tmp_path: Path, standard: str) -> Desk:
    source = tmp_path / "source"
    source.mkdir()
    new = standard == "2022"
    content = _PART.format(
        space=space(standard),
        mode="target" if new else "slave",
        initiator="initiator" if new else "master",
        structured=_STRUCTURED if new else "",
    )
    (source / "part.xml").write_text(content)
    assert_valid(content.encode(), standard)
    return Desk(tmp_path, source)


def test_everything_is_shown(desk: Desk, standard: str) -> None:
    part = desk[PART]
    grid = part.ports["grid"]
    assert isinstance(grid, SignalPort)
    assert grid.vectors == (Dimension(left="7", right="0"),)
    assert grid.arrays == (Dimension(left="0", right="N"),)
    assert width_text(grid) == "[N-1:0][7:0] × [0:N]"
    assert port_width(part, grid) == 4 * 8 * 5
    assert port_width(part, grid, {"N": "2"}) == 2 * 8 * 3
    assert width_label(part.ports["flags"]) == "1 bit × [1:0]"
    assert port_width(part, part.ports["flags"]) == 2
    talk = part.ports["talk"]
    assert talk == TransactionalPort(
        name="talk",
        initiative="requires",
        kind="custom",
        custom_kind="mailbox",
        protocol="tlm",
        payload=Payload(name="packet", type="specific", extension="crc"),
        least="1",
        most="N",
    )
    assert part.bus_interfaces["s"].port_maps == (
        PortMap(logical="D", physical="hi", logical_left="15", logical_right="8"),
        PortMap(logical="EN", physical="", tie_off="1"),
    )
    assert [str(row) for row in part.bus_interfaces["s"].port_maps] == ["D[15:8]=hi", "EN=1"]
    if standard == "2022":
        req = part.ports["req"]
        assert isinstance(req, StructuredPort)
        assert (req.form, req.direction, req.type_name, list(req.sub_ports)) == (
            "struct",
            "in",
            "req_t",
            ["addr", "ctl"],
        )
        assert isinstance(req.sub_ports["ctl"], StructuredPort)
    # MASK fills its 8 bits, TABLE is a list: neither breaks its type.
    assert check_component(desk.workspace.library, PART) == ()
    assert desk.findings == ()


def test_each_dimension_is_edited_in_its_place(desk: Desk, standard: str) -> None:
    grid = desk[PART].ports["grid"]
    changed = grid.model_copy(update={"vectors": (Dimension(left="15", right="0"),), "arrays": ()})
    desk.edit(PART, ports=desk[PART].ports.set("grid", changed))
    assert desk.save(PART)["part.xml"] == [
        "-<ipxact:vector><ipxact:left>7</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector>",
        "+<ipxact:vector><ipxact:left>15</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector>",
        "-<ipxact:arrays>",
        "-<ipxact:array><ipxact:left>0</ipxact:left><ipxact:right>p_n</ipxact:right></ipxact:array>",
        "-</ipxact:arrays>",
    ]
    more = (Dimension(left="15", right="0"), Dimension(left="N", right="1"))
    desk.edit(
        PART, ports=desk[PART].ports.set("grid", changed.model_copy(update={"vectors": more, "arrays": more[1:]}))
    )
    lines = desk.save(PART)["part.xml"]
    assert {line[0] for line in lines} == {"+"}
    assert_valid((desk.folder / "part.xml").read_bytes(), standard)
    desk.edit(PART, ports=desk[PART].ports.set("grid", SignalPort(name="grid", direction="in")))
    assert {line[0] for line in desk.save(PART)["part.xml"]} == {"-"}


def test_a_deleted_parameter_leaves_its_value_in_all_dimensions(desk: Desk, standard: str) -> None:
    desk.workspace.apply(
        operations.delete_element,
        component=str(PART),
        element_type="user_parameter",
        name="N",
        cascade=True,
    )
    desk.save(PART)
    content = (desk.folder / "part.xml").read_bytes()
    assert b"p_n" not in content
    assert b"<ipxact:maxConnections>4</ipxact:maxConnections>" in content
    assert_valid(content, standard)


def test_a_renamed_parameter_is_followed_everywhere(desk: Desk) -> None:
    desk.workspace.apply(
        operations.rename_element, component=str(PART), element_type="user_parameter", name="N", new_name="COUNT"
    )
    part = desk[PART]
    assert width_text(part.ports["grid"]) == "[COUNT-1:0][7:0] × [0:COUNT]"
    assert part.ports["talk"].most == "COUNT"
    assert desk.save(PART)["part.xml"] == [
        "-<ipxact:name>N</ipxact:name><ipxact:value>4</ipxact:value>",
        "+<ipxact:name>COUNT</ipxact:name><ipxact:value>4</ipxact:value>",
    ]


def test_mapped_parts_are_edited_in_their_place(desk: Desk, standard: str) -> None:
    rows = (
        PortMap(logical="D", physical="hi", left="3", right="0", logical_left="11", logical_right="8"),
        PortMap(logical="EN", physical="", tie_off="0"),
    )
    interface = desk[PART].bus_interfaces["s"].model_copy(update={"port_maps": rows})
    desk.edit(PART, bus_interfaces=desk[PART].bus_interfaces.set("s", interface))
    lines = desk.save(PART)["part.xml"]
    assert [line for line in lines if line[0] == "-"] == [
        "-<ipxact:range><ipxact:left>15</ipxact:left><ipxact:right>8</ipxact:right></ipxact:range>",
        "-<ipxact:physicalPort><ipxact:name>hi</ipxact:name></ipxact:physicalPort>",
        "-<ipxact:logicalTieOff>1</ipxact:logicalTieOff>",
    ]
    assert_valid((desk.folder / "part.xml").read_bytes(), standard)


def test_a_width_does_not_say_what_several_dimensions_are(desk: Desk) -> None:
    with pytest.raises(Exception, match="outermost") as caught:
        desk.workspace.apply(
            operations.update_element, component=str(PART), element_type="signal_port", name="grid", width="8"
        )
    assert caught.value.code == "more-dimensions"  # type: ignore[attr-defined]
    desk.workspace.apply(
        operations.update_element, component=str(PART), element_type="signal_port", name="grid", left="1", right="0"
    )
    assert width_text(desk[PART].ports["grid"]) == "[1:0][7:0] × [0:N]"


def test_structured_ports_are_renamed_described_and_deleted(desk: Desk, standard: str) -> None:
    if standard == "2014":
        return
    apply = desk.workspace.apply
    kind = {"component": str(PART), "element_type": "structured_port"}
    apply(operations.rename_element, **kind, name="req", new_name="request")
    apply(operations.update_element, **kind, name="request", description="what is asked for")
    assert desk.save(PART)["part.xml"] == [
        "-<ipxact:name>req</ipxact:name>",
        "+<ipxact:name>request</ipxact:name>",
        "+<ipxact:description>what is asked for</ipxact:description>",
    ]
    assert_valid((desk.folder / "part.xml").read_bytes())
    apply(operations.delete_element, **kind, name="request")
    assert b"structured" not in b"".join(desk.contents().values()) or desk.save(PART)
    assert "request" not in desk[PART].ports


_DESIGN = """<?xml version="1.0"?>
<ipxact:design xmlns:ipxact="{space}">
  <ipxact:vendor>a.b</ipxact:vendor><ipxact:library>l</ipxact:library>
  <ipxact:name>top.design</ipxact:name><ipxact:version>1.0</ipxact:version>
  <ipxact:componentInstances>
    <ipxact:componentInstance>
      <ipxact:instanceName>u</ipxact:instanceName>
      <ipxact:componentRef vendor="a.b" library="l" name="part" version="1.0"/>
    </ipxact:componentInstance>
    <ipxact:componentInstance>
      <ipxact:instanceName>v</ipxact:instanceName>
      <ipxact:componentRef vendor="a.b" library="l" name="part" version="1.0"/>
    </ipxact:componentInstance>
  </ipxact:componentInstances>
  <ipxact:interconnections>
    <ipxact:monitorInterconnection>
      <ipxact:name>watch</ipxact:name>
      <ipxact:monitoredActiveInterface {instance}="u" busRef="s"/>
      <ipxact:monitorInterface {instance}="v" busRef="m"/>
    </ipxact:monitorInterconnection>
  </ipxact:interconnections>
  <ipxact:adHocConnections>
    <ipxact:adHocConnection>
      <ipxact:name>byte</ipxact:name>
      <ipxact:portReferences>
        <ipxact:internalPortReference {instance}="u" portRef="grid">
          <ipxact:partSelect>
            <ipxact:indices><ipxact:index>d_k</ipxact:index><ipxact:index>3</ipxact:index></ipxact:indices>
          </ipxact:partSelect>
        </ipxact:internalPortReference>
        <ipxact:externalPortReference portRef="b"/>
      </ipxact:portReferences>
    </ipxact:adHocConnection>
    <ipxact:adHocConnection>
      <ipxact:name>nibble</ipxact:name>
      <ipxact:portReferences>
        <ipxact:internalPortReference {instance}="v" portRef="grid">
          <ipxact:partSelect>
            <ipxact:indices><ipxact:index>0</ipxact:index><ipxact:index>0</ipxact:index></ipxact:indices>
            <ipxact:range><ipxact:left>7</ipxact:left><ipxact:right>4</ipxact:right></ipxact:range>
          </ipxact:partSelect>
        </ipxact:internalPortReference>
        <ipxact:externalPortReference portRef="n"/>
      </ipxact:portReferences>
    </ipxact:adHocConnection>{structured}
  </ipxact:adHocConnections>
  <ipxact:parameters>
    <ipxact:parameter parameterId="d_k" resolve="user" type="int">
      <ipxact:name>K</ipxact:name><ipxact:value>1</ipxact:value>
    </ipxact:parameter>
  </ipxact:parameters>
</ipxact:design>
"""
_INTO = """
    <ipxact:adHocConnection>
      <ipxact:name>address</ipxact:name>
      <ipxact:portReferences>
        <ipxact:internalPortReference componentInstanceRef="u" portRef="req">
          <ipxact:subPortReference subPortRef="addr">
            <ipxact:partSelect>
              <ipxact:range><ipxact:left>7</ipxact:left><ipxact:right>0</ipxact:right></ipxact:range>
            </ipxact:partSelect>
          </ipxact:subPortReference>
        </ipxact:internalPortReference>
        <ipxact:externalPortReference portRef="b"/>
      </ipxact:portReferences>
    </ipxact:adHocConnection>
    <ipxact:adHocConnection>
      <ipxact:name>write</ipxact:name>
      <ipxact:portReferences>
        <ipxact:internalPortReference componentInstanceRef="u" portRef="req">
          <ipxact:subPortReference subPortRef="ctl"/>
          <ipxact:subPortReference subPortRef="we"/>
        </ipxact:internalPortReference>
        <ipxact:externalPortReference portRef="w"/>
      </ipxact:portReferences>
    </ipxact:adHocConnection>"""
_TOP = """<?xml version="1.0"?>
<ipxact:component xmlns:ipxact="{space}">
  <ipxact:vendor>a.b</ipxact:vendor><ipxact:library>l</ipxact:library>
  <ipxact:name>top</ipxact:name><ipxact:version>1.0</ipxact:version>
  <ipxact:model>
    <ipxact:views>
      <ipxact:view>
        <ipxact:name>hier</ipxact:name>
        <ipxact:designInstantiationRef>hier_d</ipxact:designInstantiationRef>
      </ipxact:view>
    </ipxact:views>
    <ipxact:instantiations>
      <ipxact:designInstantiation>
        <ipxact:name>hier_d</ipxact:name>
        <ipxact:designRef vendor="a.b" library="l" name="top.design" version="1.0"/>
      </ipxact:designInstantiation>
    </ipxact:instantiations>
    <ipxact:ports>{ports}
    </ipxact:ports>
  </ipxact:model>
</ipxact:component>
"""
_PORT = """
      <ipxact:port>
        <ipxact:name>{name}</ipxact:name>
        <ipxact:wire>
          <ipxact:direction>in</ipxact:direction>
          <ipxact:vectors>
            <ipxact:vector><ipxact:left>{left}</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector>
          </ipxact:vectors>
        </ipxact:wire>
      </ipxact:port>"""


@pytest.fixture
def top(desk: Desk, standard: str) -> Desk:
    new = standard == "2022"
    attribute = "componentInstanceRef" if new else "componentRef"
    ports = "".join(_PORT.format(name=name, left=left) for name, left in (("b", 7), ("n", 3), ("w", 0)))
    contents = {
        "top.xml": _TOP.format(space=space(standard), ports=ports),
        "top.design.xml": _DESIGN.format(space=space(standard), instance=attribute, structured=_INTO if new else ""),
    }
    for name, content in contents.items():
        assert_valid(content.encode(), standard)
        (desk.folder / name).write_text(content)
    source = desk.folder.rename(desk.folder.with_name("both"))
    return Desk(source.parent, source)


def test_ends_lead_into_ports(top: Desk, standard: str) -> None:
    component = top[TOP]
    design = component.design
    assert [str(end) for end in design.connections["byte"].ends] == ["u.grid[1][3]", "b"]
    assert [str(end) for end in design.connections["nibble"].ends] == ["v.grid[0][0][7:4]", "n"]
    ends = Ends(top.workspace.library, component, design)
    # Array 0 to 4 of 4 × 8 bits: element 1 stands 3 × 32 bits from the right, its byte 3 24 bits further on.
    assert ends.bits(design.connections["byte"].ends[0]) == list(range(3 * 32 + 24, 3 * 32 + 32))
    if standard == "2022":
        assert [str(end) for end in design.connections["address"].ends] == ["u.req.addr[7:0]", "b"]
        assert [str(end) for end in design.connections["write"].ends] == ["u.req.ctl.we", "w"]
    assert len(nets_of(top.workspace.library, component)) == (3 if standard == "2022" else 2)
    codes = {finding.code for finding in check_component(top.workspace.library, TOP) if finding.severity != "note"}
    assert codes == {"unconnected-input"}


def test_a_wrong_index_is_found(top: Desk) -> None:
    design = top[TOP].design
    for path, words in ((("9", "0"), "the index goes from 0 to 4"), (("0", "0", "0", "0"), "more dimensions")):
        end = Endpoint(instance="u", port="grid", path=path)
        byte = design.connections["byte"].model_copy(update={"ends": (end, Endpoint(instance="", port="b"))})
        top.edit_design(TOP, lambda design, byte=byte: {"connections": design.connections.set("byte", byte)})
        (found,) = [each for each in check_component(top.workspace.library, TOP) if each.code == "bad-slice"]
        assert words in found.message


def test_ways_into_ports_are_edited_in_their_place(top: Desk, standard: str) -> None:
    byte = top[TOP].design.connections["byte"]
    end = byte.ends[0].model_copy(update={"path": ("2", "3"), "left": "3", "right": "0"})
    changed = byte.model_copy(update={"ends": (end, byte.ends[1])})
    top.edit_design(TOP, lambda design: {"connections": design.connections.set("byte", changed)})
    lines = top.save(TOP)["top.design.xml"]
    assert sum(line[0] == "-" for line in lines) <= 3
    assert_valid((top.folder / "top.design.xml").read_bytes(), standard)
    end = end.model_copy(update={"path": ("0", "3")})
    changed = byte.model_copy(update={"ends": (end, byte.ends[1])})
    top.edit_design(TOP, lambda design: {"connections": design.connections.set("byte", changed)})
    assert len(top.save(TOP)["top.design.xml"]) == 2


def test_monitors_are_shown_and_follow(top: Desk, standard: str) -> None:
    watch = top[TOP].design.interconnections["watch"]
    assert watch == Interconnection(
        name="watch",
        ends=(InterfaceEnd(instance="v", interface="m"),),
        monitored=InterfaceEnd(instance="u", interface="s"),
    )
    for name, new in (("u", "first"), ("v", "second")):
        top.workspace.apply(
            operations.rename_element, component=str(TOP), element_type="subcomponent", name=name, new_name=new
        )
    top.workspace.apply(
        operations.rename_element, component=str(PART), element_type="bus_interface", name="s", new_name="port_s"
    )
    top.save(PART)
    top.save(TOP)
    content = (top.folder / "top.design.xml").read_text()
    assert 'Ref="first" busRef="port_s"' in content
    assert 'Ref="u"' not in content
    assert 'Ref="v"' not in content
    assert_valid(content.encode(), standard)
    top.workspace.apply(
        operations.delete_element, component=str(TOP), element_type="subcomponent", name="first", cascade=True
    )
    assert top[TOP].design.interconnections == FrozenMap()
    top.save(TOP)
    assert_valid((top.folder / "top.design.xml").read_bytes(), standard)
