"""Saving changes the lines of what was edited and nothing else, whatever the file looks like."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ipxact_files import BOARD, FIXTURES, GATE, TIMER, Desk, assert_valid, changed_lines

from model.elements import (
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
from model.errors import DesignError
from model.files import DesignSource, Source
from model.frozen_map import FrozenMap
from model.ipxact.document import parse_document
from model.ipxact.write import parameter_names_of, write_component
from model.storage import open_workspace, save_all
from model.vlnv import Vlnv
from model.workspace import Workspace


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_new_port(desk: Desk) -> None:
    port = SignalPort(name="q", direction="out", left="WIDTH-1", right="0", default_value="1", description="a < b\r& c")
    desk.edit(TIMER, ports=desk[TIMER].ports.set("q", port))
    assert desk.save(TIMER) == {
        "timer_2014.xml": [
            "+<ip:port>",
            "+<ip:name>q</ip:name>",
            "+<ip:description>a &lt; b&#13;&amp; c</ip:description>",
            "+<ip:wire>",
            "+<ip:direction>out</ip:direction>",
            "+<ip:vectors>",
            "+<ip:vector>",
            "+<ip:left>id-width-1</ip:left>",
            "+<ip:right>0</ip:right>",
            "+</ip:vector>",
            "+</ip:vectors>",
            "+<ip:drivers>",
            "+<ip:driver>",
            "+<ip:defaultValue>1</ip:defaultValue>",
            "+</ip:driver>",
            "+</ip:drivers>",
            "+</ip:wire>",
            "+</ip:port>",
        ]
    }
    content = (desk.folder / "timer_2014.xml").read_bytes()
    assert b"\r\n\t\t\t<ip:port>\r\n\t\t\t\t<ip:name>q</ip:name>\r\n" in content
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert content.index(b"<ip:name>notify") < content.index(b"<ip:name>q<") < content.index(b"<!-- the end -->")


def test_characters_that_the_encoding_lacks_become_references(desk: Desk) -> None:
    desk.edit(TIMER, description="Größe in Ω")
    assert desk.save(TIMER) == {
        "timer_2014.xml": [
            "-<ip:description>Zählt &amp; meldet.</ip:description>",
            "+<ip:description>Größe in &#937;</ip:description>",
        ]
    }


def change_port(desk: Desk, vlnv: Vlnv, name: str, **fields: object) -> None:
    ports = desk[vlnv].ports
    desk.edit(vlnv, ports=ports.set(name, ports[name].model_copy(update=fields)))


def test_each_property_of_a_signal_port(desk: Desk) -> None:
    change_port(desk, TIMER, "clk", direction="inout")
    assert desk.save(TIMER)["timer_2014.xml"] == [
        "-<ip:direction>in</ip:direction>",
        "+<ip:direction>inout</ip:direction>",
    ]
    change_port(desk, TIMER, "data_i", left="31")
    assert desk.save(TIMER)["timer_2014.xml"] == [
        "-<ip:left><!-- msb -->id-width - 1</ip:left>",
        "+<ip:left><!-- msb -->31</ip:left>",
    ]
    change_port(desk, TIMER, "data_i", left="", right="", default_value="", description="")
    assert desk.save(TIMER)["timer_2014.xml"] == [
        "-<ip:description>Données d'entrée</ip:description>",
        "-<ip:vectors>",
        "-<ip:vector>",
        "-<ip:left><!-- msb -->31</ip:left>",
        "-<ip:right>0</ip:right>",
        "-</ip:vector>",
        "-</ip:vectors>",
        "-<ip:drivers>",
        "-<ip:driver>",
        "-<ip:defaultValue>'h0</ip:defaultValue>",
        "-</ip:driver>",
        "-</ip:drivers>",
    ]
    change_port(desk, TIMER, "irq.o", description="interrupt", default_value="1", direction="inout")
    assert desk.save(TIMER)["timer_2014.xml"] == [
        "-<ip:port><ip:name>irq.o</ip:name><ip:wire><ip:direction>out</ip:direction></ip:wire></ip:port>",
        "+<ip:port><ip:name>irq.o</ip:name><ip:description>interrupt</ip:description><ip:wire><ip:direction>inout"
        "</ip:direction><ip:drivers><ip:driver><ip:defaultValue>1</ip:defaultValue></ip:driver></ip:drivers></ip:wire>"
        "</ip:port>",
    ]


def test_each_property_of_a_transactional_port(desk: Desk) -> None:
    change_port(desk, TIMER, "notify", initiative="both", kind="tlm_socket", protocol="tlm", bus_width="")
    assert desk.save(TIMER)["timer_2014.xml"] == [
        "-<ip:initiative>requires</ip:initiative>",
        "+<ip:initiative>both</ip:initiative>",
        "-<ip:kind>tlm_port</ip:kind>",
        "+<ip:kind>tlm_socket</ip:kind>",
        "-<ip:busWidth>id-width</ip:busWidth>",
        '-<ip:protocolType custom="event">custom</ip:protocolType>',
        "+<ip:protocolType>tlm</ip:protocolType>",
    ]
    change_port(desk, TIMER, "notify", protocol="", kind="", bus_width="8")
    assert sorted(desk.save(TIMER)["timer_2014.xml"]) == [
        "+<ip:busWidth>8</ip:busWidth>",
        "-</ip:protocol>",
        "-<ip:kind>tlm_socket</ip:kind>",
        "-<ip:protocol>",
        "-<ip:protocolType>tlm</ip:protocolType>",
    ]
    change_port(desk, TIMER, "notify", protocol="apb")
    assert desk.save(TIMER)["timer_2014.xml"] == [
        "+<ip:protocol>",
        '+<ip:protocolType custom="apb">custom</ip:protocolType>',
        "+</ip:protocol>",
    ]


def test_a_renamed_port_keeps_what_only_the_file_knows(desk: Desk) -> None:
    ports = desk[TIMER].ports
    desk.edit(TIMER, ports=ports.rename("clk", "clock", ports["clk"].model_copy(update={"name": "clock"})))
    assert desk.save(TIMER)["timer_2014.xml"] == [
        "-<ip:name>clk<!-- rising edge --></ip:name>",
        "+<ip:name>clock<!-- rising edge --></ip:name>",
    ]
    ports = desk[TIMER].ports
    renamed = ports["clock"].model_copy(update={"name": "ck", "direction": "inout"})
    desk.edit(TIMER, ports=ports.rename("clock", "ck", renamed))
    assert len(desk.save(TIMER)["timer_2014.xml"]) == 4


def test_deleting_a_port_takes_its_lines(desk: Desk) -> None:
    desk.edit(TIMER, ports=desk[TIMER].ports.without("data_i").without("irq.o"))
    lines = desk.save(TIMER)["timer_2014.xml"]
    assert {line[0] for line in lines} == {"-"}
    assert len(lines) == 20  # 19 of data_i, one of irq.o
    assert "-<!-- the end -->" not in lines


def test_deleted_and_undone_after_saving_stands_in_its_old_place(desk: Desk) -> None:
    original = (desk.folder / "board_2022.xml").read_bytes()
    desk.edit(BOARD, ports=desk[BOARD].ports.without("din"))
    assert len(desk.save(BOARD)["board_2022.xml"]) == 1
    desk.workspace.undo()
    assert len(desk.save(BOARD)["board_2022.xml"]) == 1
    assert (desk.folder / "board_2022.xml").read_bytes() == original


def test_deleting_everything_and_starting_again(desk: Desk) -> None:
    timer = desk[TIMER]
    desk.edit(TIMER, ports=FrozenMap(), parameters=FrozenMap(), bus_interfaces=FrozenMap())
    desk.save(TIMER)
    content = (desk.folder / "timer_2014.xml").read_bytes()
    assert b"parameters>" not in content
    assert b"busInterfaces>" not in content
    assert b"<!-- the end -->" in content
    desk.put(timer)
    desk.save(TIMER)
    assert_valid((desk.folder / "timer_2014.xml").read_bytes().replace(b' usageCount="2"', b""), "2014")


def test_parameters(desk: Desk) -> None:
    parameters = desk[TIMER].parameters
    width = parameters["WIDTH"].model_copy(update={"value": "32", "minimum": "", "maximum": "DEPTH", "type": "longint"})
    new = Parameter(name="SIZE", kind="user", value="WIDTH*BASE", type="int", minimum="1")
    desk.edit(TIMER, parameters=parameters.set("WIDTH", width).set("SIZE", new))
    lines = desk.save(TIMER)["timer_2014.xml"]
    assert lines[:4] == [
        '-<ip:parameter parameterId="id-width" resolve="user" type="int" minimum="1" maximum=\'64\' usageCount="2">',
        '+<ip:parameter parameterId="id-width" resolve="user" type="longint" maximum="id_depth" usageCount="2">',
        "-<ip:value>16</ip:value>",
        "+<ip:value>32</ip:value>",
    ]
    # BASE had no id before an expression referred to it.
    assert lines[4] == "-<ip:parameter>"
    base = lines[5].split('"')[1]
    assert lines[5] == f'+<ip:parameter parameterId="{base}">'
    assert base.startswith("uuid_")
    assert [re.sub(r'"uuid_\w+"', '""', line) for line in lines[6:]] == [
        "+</ip:parameter>",
        '+<ip:parameter parameterId="" resolve="user" type="int" minimum="1">',
        "+<ip:name>SIZE</ip:name>",
        f"+<ip:value>id-width*{base}</ip:value>",
    ]


def test_an_immediate_parameter_becomes_one_of_the_user(desk: Desk) -> None:
    parameters = desk[TIMER].parameters
    desk.edit(TIMER, parameters=parameters.set("BASE", parameters["BASE"].model_copy(update={"kind": "user"})))
    removed, added = desk.save(TIMER)["timer_2014.xml"]
    assert removed == "-<ip:parameter>"
    assert added.startswith('+<ip:parameter resolve="user" parameterId="uuid_')


def test_a_renamed_parameter_keeps_its_id_and_those_who_use_it(desk: Desk) -> None:
    timer = desk[TIMER]
    ports = timer.ports.set("data_i", timer.ports["data_i"].model_copy(update={"left": "BITS - 1"}))
    ports = ports.set("notify", ports["notify"].model_copy(update={"bus_width": "BITS"}))
    parameters = timer.parameters
    parameters = parameters.rename("WIDTH", "BITS", parameters["WIDTH"].model_copy(update={"name": "BITS"}))
    parameters = parameters.set("DEPTH", parameters["DEPTH"].model_copy(update={"value": "$clog2(BITS)"}))
    desk.edit(TIMER, ports=ports, parameters=parameters)

    def renamed(design: Design) -> dict[str, object]:
        t0 = design.instances["t0"]
        overrides = FrozenMap({"BITS": "W", "DEPTH": "(2*W) + 1"})
        return {"instances": design.instances.set("t0", t0.model_copy(update={"parameters": overrides}))}

    desk.edit_design(BOARD, renamed)
    before = desk.contents()
    save_all(desk.workspace)
    after = desk.contents()
    assert {path.name: changed_lines(before[path], after[path]) for path in after if after[path] != before[path]} == {
        "timer_2014.xml": ["-<ip:name>WIDTH</ip:name>", "+<ip:name>BITS</ip:name>"]
    }
    again = open_workspace(desk.folder).workspace.library
    assert dict(again.get(BOARD).design.instances["t0"].parameters) == {"BITS": "W", "DEPTH": "(2*W) + 1"}


def test_bus_interfaces(desk: Desk) -> None:
    old = desk[TIMER].bus_interfaces["ctrl"]
    maps = (
        PortMap(logical="DATA", physical="data_i", left="3", right="0"),
        PortMap(logical="CLK", physical="clk", left="0", right="0"),
        PortMap(logical="IRQ", physical="irq.o"),
    )
    changed = old.model_copy(
        update={"mode": "mirroredTarget", "bus_type": Vlnv("acme.example", "bus", "simple", "2.0"), "port_maps": maps}
    )
    desk.edit(TIMER, bus_interfaces=desk[TIMER].bus_interfaces.set("ctrl", changed))
    lines = desk.save(TIMER)["timer_2014.xml"]
    assert '+<ip:busType vendor="acme.example" library="bus" name="simple" version="2.0"/>' in lines
    assert "+<ip:mirroredSlave/>" in lines
    assert sum(line[0] == "-" for line in lines) == 4
    desk.edit(
        TIMER, bus_interfaces=desk[TIMER].bus_interfaces.set("ctrl", changed.model_copy(update={"port_maps": ()}))
    )
    assert not [line for line in desk.save(TIMER)["timer_2014.xml"] if line[0] == "+"]


def test_instances(desk: Desk) -> None:
    def change(design: Design) -> dict[str, object]:
        t0 = design.instances["t0"].model_copy(
            update={"parameters": FrozenMap({"WIDTH": "W", "BASE": "N*W"}), "description": "first"}
        )
        new = Instance(name="t2", component=TIMER, parameters=FrozenMap({"WIDTH": "W"}))
        return {"instances": design.instances.set("t0", t0).without("lost").set("t2", new)}

    desk.edit_design(BOARD, change)
    changed = desk.save(BOARD)
    design = changed["board.design_2022.xml"]
    assert (
        '-<ipxact:configurableElementValue referenceId="id_depth">d_k + 1</ipxact:configurableElementValue>' in design
    )
    assert '+<ipxact:configurableElementValue referenceId="id-width">d_w</ipxact:configurableElementValue>' in design
    assert not [line for line in design if line[0] == "-" and "position" in line]
    # The design sees N only through a parameter of its own, which the component sets.
    own = next(line for line in design if line.endswith("*d_w</ipxact:configurableElementValue>")).split(">")[1][:41]
    assert changed["board_2022.xml"] == [
        f'+<configurableElementValue referenceId="{own}">p_n</configurableElementValue>'
    ]
    assert f'+<ipxact:parameter parameterId="{own}" resolve="user">' in "".join(design)
    for name in changed:
        assert_valid((desk.folder / name).read_bytes())


def test_a_parameter_that_goes_leaves_no_reference_behind(desk: Desk) -> None:
    board = desk[BOARD]
    t0 = board.design.instances["t0"]
    t0 = t0.model_copy(update={"parameters": FrozenMap({"WIDTH": "8", "DEPTH": "(2*8) + 1"})})
    tie = board.design.connections["tie"]
    tie = tie.model_copy(update={"ends": (tie.ends[0].model_copy(update={"left": "8-1"}),), "tied_value": "2*8"})
    design = board.design.model_copy(
        update={
            "instances": board.design.instances.set("t0", t0),
            "connections": board.design.connections.set("tie", tie),
        }
    )
    din = board.ports["din"].model_copy(update={"left": "8-1"})
    desk.put(board.with_design(design).model_copy(update={"ports": board.ports.set("din", din)}))
    desk.edit(BOARD, parameters=board.parameters.without("W"))
    desk.save(BOARD)
    assert b"p_w" not in (desk.folder / "board_2022.xml").read_bytes()


def test_connections(desk: Desk) -> None:
    def change(design: Design) -> dict[str, object]:
        clock = design.connections["clock"]
        ends = (
            Endpoint(instance="", port="clk"),
            Endpoint(instance="t1", port="clk", left="0", right="0"),
            Endpoint(instance="t1", port="data_i"),
        )
        new = Connection(
            name="irq",
            ends=(Endpoint(instance="t0", port="irq.o"), Endpoint(instance="", port="irq")),
            description="up",
        )
        return {
            "connections": design.connections.set("clock", clock.model_copy(update={"ends": ends}))
            .without("tie")
            .set("irq", new)
        }

    desk.edit_design(BOARD, change)
    lines = desk.save(BOARD)["board.design_2022.xml"]
    assert '+<ipxact:internalPortReference componentInstanceRef="t1" portRef="data_i"/>' in lines
    assert "-<!-- one clock for all -->" not in lines
    assert_valid((desk.folder / "board.design_2022.xml").read_bytes())


def test_a_tie_and_a_slice_come_and_go(desk: Desk) -> None:
    def plain(design: Design) -> dict[str, object]:
        tie = Connection(name="tie", ends=(Endpoint(instance="t1", port="data_i"), Endpoint(instance="", port="din")))
        return {"connections": design.connections.set("tie", tie)}

    def tied(design: Design) -> dict[str, object]:
        tie = Connection(
            name="tie", ends=(Endpoint(instance="t1", port="data_i", left="3", right="N"),), tied_value="open"
        )
        return {"connections": design.connections.set("tie", tie)}

    desk.edit_design(BOARD, plain)
    lines = desk.save(BOARD)["board.design_2022.xml"]
    assert "-<ipxact:tiedValue>d_k</ipxact:tiedValue>" in lines
    desk.edit_design(BOARD, tied)
    lines = desk.save(BOARD)["board.design_2022.xml"]
    assert "+<ipxact:tiedValue>open</ipxact:tiedValue>" in lines
    assert_valid((desk.folder / "board.design_2022.xml").read_bytes())


def test_interconnections(desk: Desk) -> None:
    def change(design: Design) -> dict[str, object]:
        ends = (InterfaceEnd(instance="t1", interface="ctrl"), InterfaceEnd(instance="", interface="port"))
        new = Interconnection(
            name="up",
            ends=(InterfaceEnd(instance="", interface="a"), InterfaceEnd(instance="t0", interface="ctrl")),
        )
        return {
            "interconnections": design.interconnections.set("chain", Interconnection(name="chain", ends=ends)).set(
                "up", new
            )
        }

    desk.edit_design(BOARD, change)
    lines = desk.save(BOARD)["board.design_2022.xml"]
    assert '+<ipxact:hierInterface busRef="port"/>' in lines
    content = (desk.folder / "board.design_2022.xml").read_bytes()
    assert b"<ipxact:name>watch</ipxact:name>" in content
    assert_valid(content)


def test_a_leaf_gains_a_design_and_loses_it(desk: Desk) -> None:
    original = (desk.folder / "timer_2014.xml").read_bytes()
    design = Design(
        instances=FrozenMap({"u": Instance(name="u", component=GATE, parameters=FrozenMap({"w": "WIDTH"}))}),
        connections=FrozenMap(
            {"c": Connection(name="c", ends=(Endpoint(instance="", port="clk"), Endpoint(instance="u", port="a")))}
        ),
    )
    desk.put(desk[TIMER].with_design(design))
    changed = desk.save(TIMER)
    assert {line[0] for lines in changed.values() for line in lines} == {"+"}
    assert "+<ip:designInstantiationRef>hierarchical_design</ip:designInstantiationRef>" in changed["timer_2014.xml"]
    content = (desk.folder / "timer.design.1.0.xml").read_bytes()
    assert_valid(content, "2014")
    assert parse_document(content, Path("t.xml")).standard == "2014"
    desk.workspace.undo()
    desk.save(TIMER)
    assert (desk.folder / "timer_2014.xml").read_bytes() == original
    desk.workspace.redo()
    assert "timer_2014.xml" in desk.save(TIMER)


def test_a_character_that_xml_cannot_hold_is_refused(desk: Desk) -> None:
    desk.edit(TIMER, description="bell \a")
    before = desk.contents()
    with pytest.raises(DesignError, match=r"U\+0007"):
        desk.save(TIMER)
    assert desk.contents() == before


class TestSpirit:
    """Files of 1685-2009 are saved in their own form, as far as that goes."""

    def test_ports_and_parameters(self, desk: Desk) -> None:
        gate = desk[GATE]
        ports = gate.ports.set("q", gate.ports["q"].model_copy(update={"left": "15"}))
        ports = ports.set("b", SignalPort(name="b", direction="in", left="3", right="0", default_value="2"))
        parameters = gate.parameters.set("n", Parameter(name="n", kind="user", value="4", type="longint", minimum="2"))
        desk.edit(GATE, ports=ports, parameters=parameters, description="old")
        lines = desk.save(GATE)["gate_2009.xml"]
        assert '+<spirit:left spirit:format="long">15</spirit:left>' in lines
        assert sum(line[0] == "-" for line in lines) == 1
        assert any(
            line.endswith('spirit:resolve="user" spirit:format="long" spirit:minimum="2">4</spirit:value>')
            for line in lines
        )
        assert_valid((desk.folder / "gate_2009.xml").read_bytes(), "2009")

    def test_design(self, desk: Desk) -> None:
        def change(design: Design) -> dict[str, object]:
            u1 = design.instances["u1"].model_copy(update={"parameters": FrozenMap({"size": "8", "deep": "2"})})
            new = Instance(name="u2", component=Vlnv("acme.example", "old", "cell", "0.9"))
            line = design.connections["in"].model_copy(
                update={"ends": (Endpoint(instance="u1", port="x"), Endpoint(instance="u2", port="x"))}
            )
            low = design.connections["low"].model_copy(update={"tied_value": "1"})
            return {
                "instances": design.instances.set("u1", u1).set("u2", new),
                "connections": design.connections.set("in", line).set("low", low),
            }

        desk.edit_design(GATE, change)
        assert list(desk.save(GATE)) == ["gate_design_2009.xml"]
        assert_valid((desk.folder / "gate_design_2009.xml").read_bytes(), "2009")

    @pytest.mark.parametrize(
        "fields",
        [
            {"ports": FrozenMap({"t2": TransactionalPort(name="t2", initiative="both")})},
            {"ports": FrozenMap({"q": SignalPort(name="q", direction="out", left="w-1", right="0")})},
            {"parameters": FrozenMap({"w": Parameter(name="w", kind="user", value="8", type="byte")})},
        ],
    )
    def test_what_it_cannot_hold_is_refused_and_written_anew_elsewhere(
        self, desk: Desk, fields: dict[str, object]
    ) -> None:
        desk.edit(GATE, bus_interfaces=FrozenMap(), **fields)
        before = desk.contents()
        with pytest.raises(DesignError, match="new path") as caught:
            desk.save(GATE)
        assert caught.value.code in ("version-cannot-hold", "cannot-be-written")
        assert desk.contents() == before
        (desk.folder / "gate_2009.xml").unlink()
        desk.save(GATE, "new/gate.xml")
        assert_valid((desk.folder / "new" / "gate.xml").read_bytes())


def test_utf_16(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    text = (FIXTURES / "board_2022.xml").read_text("utf-8-sig").replace('encoding="UTF-8"', 'encoding="UTF-16"')
    (source / "board.xml").write_bytes(b"\xff\xfe" + text.encode("utf-16-le"))
    desk = Desk(tmp_path, source)
    desk.edit(BOARD, description="Ω")
    desk.save(BOARD)
    expected = text.replace("A board with two timers.", "Ω")
    assert (desk.folder / "board.xml").read_bytes() == b"\xff\xfe" + expected.encode("utf-16-le")


NAMES = st.sampled_from(["clk", "data_i", "irq.o", "notify", "n1", "n2"])
TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"), max_size=12).map(
    str.strip
)
BOUNDS = st.sampled_from([("", ""), ("7", "0"), ("WIDTH-1", "0"), ("0", "15")])


@st.composite
def signals(draw: st.DrawFn, name: str) -> SignalPort:
    left, right = draw(BOUNDS)
    return SignalPort(
        name=name,
        direction=draw(st.sampled_from(["in", "out", "inout", "phantom"])),
        left=left,
        right=right,
        default_value=draw(st.sampled_from(["", "1", "'hF"])),
        description=draw(TEXTS),
    )


@st.composite
def transactionals(draw: st.DrawFn, name: str) -> TransactionalPort:
    return TransactionalPort(
        name=name,
        initiative=draw(st.sampled_from(["requires", "provides", "both"])),
        kind=draw(st.sampled_from(["", "tlm_port", "tlm_socket", "custom"])),
        protocol=draw(st.sampled_from(["", "tlm", "axi"])),
        bus_width=draw(st.sampled_from(["", "32", "WIDTH*2"])),
        description=draw(TEXTS),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_edits_of_ports_read_back_and_leave_the_rest(data: st.DataObject) -> None:
    workspace = open_workspace(FIXTURES).workspace
    source = workspace.sources[TIMER]
    ports = source.component.ports
    for _edit in range(data.draw(st.integers(1, 4))):
        name = data.draw(NAMES)
        what = data.draw(st.sampled_from(["set", "delete", "rename"]))
        if what == "set":
            ports = ports.set(name, data.draw(st.one_of(signals(name), transactionals(name))))
        elif what == "delete" and name in ports:
            ports = ports.without(name)
        elif what == "rename" and name in ports and "other" not in ports:
            ports = ports.rename(name, "other", ports[name].model_copy(update={"name": "other"}))
    component = source.component.model_copy(update={"ports": ports})
    # Writing reads its result back and refuses where that differs from the value.
    content = write_component(component, source, lambda _vlnv: None).content
    end = source.content.index(b"<ip:ports>")
    assert content[:end] == source.content[:end]
    tail = source.content[source.content.index(b"<!-- the end -->") :]
    assert content.endswith(tail)
    assert b"<!-- clocking -->" in content
    untouched = ports.get("clk") is source.component.ports["clk"]
    assert not untouched or b'<acme:pin bank="3">A1</acme:pin>' in content


INSTANCES = st.sampled_from(["t0", "t1", "lost", "n1"])
WIDTHS = st.sampled_from(["W", "W-1", "N*W", "8", "2*W"])
ENDS = st.builds(
    lambda instance, port, bounds: Endpoint(instance=instance, port=port, left=bounds[0], right=bounds[1]),
    st.sampled_from(["t0", "t1", "n1", ""]),
    st.sampled_from(["clk", "data_i", "irq.o"]),
    st.one_of(st.just(("", "")), st.tuples(WIDTHS, WIDTHS)),
)
CONNECTIONS = st.builds(
    Connection,
    name=st.just("c"),
    ends=st.lists(ENDS, min_size=1, max_size=4, unique=True).map(tuple),
    tied_value=st.sampled_from(["", "open", "N"]),
    description=TEXTS,
)
INSTANCE_VALUES = st.builds(
    Instance,
    name=st.just("i"),
    component=st.sampled_from([TIMER, GATE]),
    parameters=st.dictionaries(st.sampled_from(["WIDTH", "DEPTH", "w"]), WIDTHS).map(FrozenMap),
    description=TEXTS,
)
INTERCONNECTIONS = st.builds(
    Interconnection,
    name=st.just("i"),
    ends=st.lists(
        st.builds(InterfaceEnd, instance=st.sampled_from(["t0", "t1", ""]), interface=st.sampled_from(["a", "b"])),
        min_size=2,
        max_size=3,
        unique=True,
    ).map(tuple),
)
GROUPS = {
    "instances": (INSTANCES, INSTANCE_VALUES),
    "connections": (st.sampled_from(["clock", "tie", "n1", "n2"]), CONNECTIONS),
    "interconnections": (st.sampled_from(["chain", "n1"]), INTERCONNECTIONS),
}


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_edits_of_a_design_read_back(data: st.DataObject) -> None:
    workspace = open_workspace(FIXTURES).workspace
    for _save in range(2):
        source = workspace.sources[BOARD]
        design = source.component.design
        for _edit in range(data.draw(st.integers(1, 4))):
            field = data.draw(st.sampled_from(sorted(GROUPS)))
            names, values = GROUPS[field]
            group, name = getattr(design, field), data.draw(names)
            what = data.draw(st.sampled_from(["set", "delete", "rename"]))
            if what == "set":
                group = group.set(name, data.draw(values).model_copy(update={"name": name}))
            elif what == "delete" and name in group:
                group = group.without(name)
            elif what == "rename" and name in group and "other" not in group:
                group = group.rename(name, "other", group[name].model_copy(update={"name": "other"}))
            design = design.model_copy(update={field: group})
        component = source.component.with_design(design)
        # Writing reads its result back and refuses where that differs from the value.
        written = write_component(component, source, partial(names_of, workspace))
        assert b"<ipxact:name>watch</ipxact:name>" in written.designs["hier"]
        inside = DesignSource(source.designs["hier"].path, written.designs["hier"])
        workspace.sources[BOARD] = Source(source.path, written.content, component, {"hier": inside})


def names_of(workspace: Workspace, vlnv: Vlnv) -> dict[str, str] | None:
    source = workspace.sources.get(vlnv)
    return parameter_names_of(source.component, source) if source is not None else None
