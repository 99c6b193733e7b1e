from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from checking import accept, needs_tools

from model import operations
from model.elements import (
    BusInterface,
    Component,
    Connection,
    Design,
    Dimension,
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
from model.frozen_map import FrozenMap
from model.library import Library
from model.storage import open_workspace
from model.systemverilog.exporting import Module, export_modules
from model.systemverilog.names import KEYWORDS
from model.vlnv import Vlnv
from resources import __file__ as resources

EXAMPLE = Path(resources).parent / "examples" / "tiny_soc"
CORPUS = Path(__file__).parents[4] / "shared" / "ipxact" / "kactus2-example-library"
TOP = Vlnv.parse("a:b:top:1.0")
LEAF = Vlnv.parse("a:b:leaf:1.0")


def port(name: str, direction: str, left: str = "", right: str = "0", **more: str) -> SignalPort:
    return SignalPort(name=name, direction=direction, left=left, right=right if left else "", **more)  # type: ignore[arg-type]


def named(*values: object) -> FrozenMap:
    return FrozenMap((value.name, value) for value in values)  # type: ignore[attr-defined]


def end(text: str) -> Endpoint:
    """``instance.port[left:right]``."""
    found = re.fullmatch(r"(?:(\w+)\.)?(\w+)(?:\[([^:\]]+)(?::([^\]]+))?\])?", text)
    assert found is not None, text
    instance, name, left, right = found.groups(default="")
    return Endpoint(instance=instance, port=name, left=left, right=right or left)


def connection(name: str, *ends: str, tied: str = "") -> Connection:
    return Connection(name=name, ends=tuple(map(end, ends)), tied_value=tied)


LEAF_COMPONENT = Component(
    vlnv=LEAF,
    ports=named(
        port("q", "out", "7"),
        port("d", "in", "7"),
        port("n", "in", "3", default_value="5"),
        port("io", "inout", "W-1"),
        port("up", "in", "0", "3"),
    ),
    parameters=named(Parameter(name="W", kind="user", value="4", type="int")),
)


def top(*connections: Connection, ports: FrozenMap | None = None, parameters: FrozenMap | None = None) -> Library:
    design = Design(
        instances=named(Instance(name="u", component=LEAF), Instance(name="v", component=LEAF)),
        connections=named(*connections),
    )
    own = ports if ports is not None else named(port("a", "in", "7"), port("b", "out", "7"), port("c", "inout", "7"))
    component = Component(
        vlnv=TOP, ports=own, parameters=parameters or FrozenMap(), designs=FrozenMap({"hierarchical": design})
    )
    return Library.of([component, LEAF_COMPONENT])


def export(library: Library) -> Module:
    return export_modules(library, TOP)[0]


def pins(module: Module, instance: str) -> dict[str, str]:
    """What the pins of an instance are connected to."""
    block = re.search(rf" {instance} \(\n(.*?)\n  \);", module.text, re.DOTALL)
    assert block is not None, module.text
    return dict(re.findall(r"\.(\w+)\((.*)\)", block.group(1)))


def body(module: Module) -> list[str]:
    return [line.strip() for line in module.text.splitlines() if re.match(r"\s+(wire|assign) ", line)]


def accepted(library: Library, folder: Path) -> Module:
    modules = export_modules(library, TOP, recursive=True)
    accept(modules, folder)
    return modules[0]


def test_a_leaf_is_an_empty_module_with_parameters_and_ports() -> None:
    component = Component(
        vlnv=LEAF,
        description="A leaf.",
        ports=named(
            port("clk", "in", description="Clock,\n  rising edge."),
            port("d", "in", "DATA_WIDTH-1"),
            port("wire", "out", "0", "7"),
            port("x.y", "inout"),
        ),
        parameters=named(
            Parameter(name="HALF", kind="immediate", value="DATA_WIDTH/2", type="int"),
            Parameter(name="DATA_WIDTH", kind="user", value="8", type="int"),
            Parameter(name="NAME", kind="user", value="no name"),
            Parameter(name="DEPTH", kind="generated", value="16"),
            Parameter(name="BASE", kind="user", value="'hFFFF_0000", type="longint"),
            Parameter(name="RATIO", kind="user", value="0.5", type="shortreal"),
        ),
    )
    (module,) = export_modules(Library.of([component]), LEAF)
    assert (
        module.text
        == """\
// a:b:leaf:1.0
// A leaf.
module leaf #(
  parameter int DATA_WIDTH = 8,
  localparam int HALF = DATA_WIDTH/2,
  parameter NAME = "no name",
  parameter DEPTH = 16,
  parameter longint BASE = 'hFFFF_0000,
  parameter real RATIO = 0.5
) (
  input  wire clk,  // Clock, rising edge.
  input  wire [DATA_WIDTH-1:0] d,
  output wire [0:7] \\wire ,
  inout  wire \\x.y
);
endmodule
"""
    )
    assert [finding.code for finding in module.findings] == ["type-changed"]


@needs_tools
def test_whole_ports_keep_their_expressions(tmp_path: Path) -> None:
    library = top(
        connection("wide", "u.io", "v.io"),
        connection("to_port", "a", "u.d", "v.d"),
        connection("from_port", "u.q", "b"),
        parameters=named(Parameter(name="BITS", kind="user", value="6", type="int")),
    )
    for name in ("u", "v"):
        library, _change = operations.set_instance_parameter(
            library, component=str(TOP), instance_name=name, parameter="W", value="BITS*2"
        )
    module = accepted(library, tmp_path)
    assert body(module) == ["wire [(BITS*2)-1:0] wide;"]
    assert ".W(BITS*2)" in module.text
    assert pins(module, "u") == {"q": "b", "d": "a", "n": "4'b101", "io": "wide", "up": ""}


@needs_tools
def test_slices_become_parts_of_one_wire(tmp_path: Path) -> None:
    module = accepted(
        top(
            connection("high", "u.q[7:4]", "v.d[3:0]"),
            connection("low", "u.q[3:0]", "v.d[7:4]"),
            connection("bit", "v.q[0]", "u.d[7]"),
            connection("own", "v.q[7:1]", "b[6:0]"),
            connection("top", "a[0]", "b[7]"),
        ),
        tmp_path,
    )
    assert pins(module, "v")["d"] == "{u_q[3:0], u_q[7:4]}"
    assert pins(module, "u")["d"] == "{v_q[0], u_d[6:0]}"
    assert pins(module, "v")["q"] == "{b[6:0], v_q[0]}"
    assert "assign b[7] = a[0];" in body(module)


@needs_tools
def test_ends_of_different_widths_are_joined_at_their_right_ends(tmp_path: Path) -> None:
    module = accepted(top(connection("narrow", "u.q", "v.n"), connection("little", "v.q", "u.up")), tmp_path)
    assert pins(module, "v")["n"] == "u_q[3:0]"
    assert pins(module, "u")["up"] == "v_q[3:0]"


@needs_tools
def test_chains_of_overlapping_slices_reach_their_driver(tmp_path: Path) -> None:
    module = accepted(top(connection("one", "u.q", "v.d"), connection("two", "v.d[3:0]", "u.d[7:4]")), tmp_path)
    assert pins(module, "u")["d"] == "{u_q[3:0], u_d[3:0]}"
    assert pins(module, "v")["d"] == "u_q"


@needs_tools
def test_tie_offs_are_sized_constants_or_expressions(tmp_path: Path) -> None:
    module = accepted(
        top(
            connection("zero", "u.d", tied="0"),
            connection("minus", "v.d", tied="-1"),
            connection("part", "u.up[0:1]", tied="2"),
            connection("left_open", "u.q", tied="open"),
            connection("as_declared", "v.n", tied="default"),
            connection("value", "b", tied="X+1"),
            parameters=named(Parameter(name="X", kind="user", value="7", type="int")),
        ),
        tmp_path,
    )
    assert pins(module, "u")["d"] == "8'h0"
    assert pins(module, "v")["d"] == "8'hff"
    assert pins(module, "u")["up"] == "{2'b10, u_up[2:3]}"
    assert pins(module, "u")["q"] == ""
    assert pins(module, "v")["n"] == "4'b101"
    assert body(module)[-1] == "assign b = 8'(X+1);"


@needs_tools
def test_ports_of_the_module_that_are_joined_are_assigned(tmp_path: Path) -> None:
    module = accepted(
        top(
            connection("feed", "a", "b"),
            connection("also", "a", "b2"),
            ports=named(port("a", "in", "7"), port("b", "out", "7"), port("b2", "out", "7")),
        ),
        tmp_path,
    )
    assert body(module) == ["assign b = a;", "assign b2 = a;"]


@needs_tools
def test_bus_interfaces_are_joined_by_logical_port(tmp_path: Path) -> None:
    bus = Vlnv.parse("a:b:bus:1.0")

    def interface(*maps: PortMap) -> FrozenMap:
        return named(BusInterface(name="bus", mode="initiator", bus_type=bus, port_maps=maps))

    source = Component(
        vlnv=Vlnv.parse("a:b:source:1.0"),
        ports=named(port("addr", "out", "W-1"), port("data", "in", "7")),
        parameters=named(Parameter(name="W", kind="user", value="16", type="int")),
        bus_interfaces=interface(
            PortMap(logical="ADDR", physical="addr", left="W-9", right="0"), PortMap(logical="DATA", physical="data")
        ),
    )
    sink = Component(
        vlnv=LEAF,
        ports=named(port("a", "in", "7"), port("d", "out", "7")),
        bus_interfaces=interface(PortMap(logical="DATA", physical="d"), PortMap(logical="ADDR", physical="a")),
    )
    design = Design(
        instances=named(
            Instance(name="m", component=source.vlnv, parameters=FrozenMap({"W": "20"})),
            Instance(name="s", component=LEAF),
        ),
        interconnections=named(
            Interconnection(
                name="link", ends=tuple(InterfaceEnd(instance=each, interface="bus") for each in ("m", "s"))
            )
        ),
    )
    library = Library.of([Component(vlnv=TOP, designs=FrozenMap({"hierarchical": design})), source, sink])
    module = export(library)
    assert pins(module, "s") == {"a": "m_addr[7:0]", "d": "link_DATA"}
    assert pins(module, "m") == {"addr": "m_addr", "data": "link_DATA"}
    accept(export_modules(library, TOP, recursive=True), tmp_path)


def test_interconnections_that_share_an_interface_are_one_bus() -> None:
    bus = Vlnv.parse("a:b:bus:1.0")

    def leaf(name: str, direction: str, logical: str) -> Component:
        maps = (PortMap(logical=logical, physical="p"),)
        return Component(
            vlnv=Vlnv.parse(f"a:b:{name}:1.0"),
            ports=named(port("p", direction)),
            bus_interfaces=named(BusInterface(name="bus", mode="system", bus_type=bus, port_maps=maps)),
        )

    leaves = [leaf("one", "out", "READY"), leaf("two", "in", "READY"), leaf("hub", "in", "OTHER")]
    ends = {each.vlnv.name: InterfaceEnd(instance=each.vlnv.name, interface="bus") for each in leaves}
    design = Design(
        instances=named(*(Instance(name=each.vlnv.name, component=each.vlnv) for each in leaves)),
        interconnections=named(
            Interconnection(name="i1", ends=(ends["one"], ends["hub"])),
            Interconnection(name="i2", ends=(ends["two"], ends["hub"])),
        ),
    )
    module = export(Library.of([Component(vlnv=TOP, designs=FrozenMap({"hierarchical": design})), *leaves]))
    assert pins(module, "one")["p"] == pins(module, "two")["p"] == "i1_READY"
    assert pins(module, "hub")["p"] == ""


def test_what_a_module_cannot_say_is_reported() -> None:
    library = top(
        connection("gone", "u.q", "x.y"),
        connection("lost", "u.nothing", "v.d"),
        parameters=named(Parameter(name="BAD", kind="user", value="0xFF", type="int")),
    )
    component = library.get(TOP)
    ports = component.ports.set("tlm", TransactionalPort(name="tlm", initiative="requires"))
    ports = ports.set("ghost", port("ghost", "phantom"))
    design = component.design
    instances = design.instances.set("w", Instance(name="w", component=Vlnv.parse("a:b:missing:1.0")))
    component = component.model_copy(update={"ports": ports}).with_design(
        design.model_copy(update={"instances": instances})
    )
    module = export(library.put(component))
    codes = {(finding.code, finding.where.name if finding.where else "") for finding in module.findings}
    assert codes >= {
        ("port-left-out", "tlm"),
        ("port-left-out", "ghost"),
        ("end-left-out", "gone"),
        ("end-left-out", "lost"),
        ("component-missing", "w"),
        ("bad-expression", "BAD"),
    }
    assert "missing w ();" in module.text
    assert "tlm" not in module.text


def test_slices_that_hold_only_for_present_values_are_reported() -> None:
    module = export(
        top(
            connection("part", "a[X:0]", "u.d[3:0]"),
            parameters=named(Parameter(name="X", kind="user", value="3", type="int")),
        )
    )
    (finding,) = [each for each in module.findings if each.code == "present-value"]
    assert finding.message == "The parts of ports on net part are worked out for the present value of X."


@needs_tools
def test_names_that_collide_or_are_no_words_are_changed_or_escaped(tmp_path: Path) -> None:
    name = "8b-10b"
    leaf = Component(
        vlnv=Vlnv.parse(f"a:b:{name}:1.0"),
        ports=named(port("W", "out", "W-1"), port("é", "in"), port("end", "in")),
        parameters=named(Parameter(name="W", kind="user", value="4", type="int")),
    )
    other = leaf.model_copy(update={"vlnv": Vlnv.parse(f"a:c:{name}:1.0")})
    design = Design(
        instances=named(*(Instance(name=f"u.{each.vlnv.library}", component=each.vlnv) for each in (leaf, other))),
    )
    begin = Connection(
        name="begin",
        ends=tuple(Endpoint(instance=f"u.{library}", port=each) for library in "bc" for each in ("é", "end")),
    )
    design = design.model_copy(update={"connections": named(begin)})
    library = Library.of([Component(vlnv=TOP, designs=FrozenMap({"v": design})), leaf, other])
    modules = export_modules(library, TOP, recursive=True)
    assert [module.name for module in modules] == ["top", f"a_b_{name}_1.0", f"a_c_{name}_1.0"]
    assert "output wire [W_value-1:0] W" in modules[1].text
    assert "wire \\begin ;" in modules[0].text
    assert {finding.code for finding in modules[1].findings} == {"name-changed"}
    accept(modules, tmp_path)


def test_the_keywords_are_those_of_the_parser() -> None:
    from pyslang.syntax import SyntaxTree  # noqa: PLC0415

    def is_name(word: str) -> bool:
        return not list(SyntaxTree.fromText(f"module m; wire {word}; endmodule").diagnostics)

    assert is_name("data")
    assert not [word for word in sorted(KEYWORDS) if is_name(word)]


def test_the_text_is_the_same_in_every_run() -> None:
    program = (
        "from pathlib import Path; from model.storage import open_workspace; from model.vlnv import Vlnv;"
        "from model.systemverilog.exporting import export_modules; import hashlib;"
        f"library = open_workspace(Path({str(EXAMPLE)!r})).workspace.library;"
        "modules = export_modules(library, Vlnv.parse('blockwright.org:soc:tiny_soc:1.0'), recursive=True);"
        "print(hashlib.sha256(''.join(module.text for module in modules).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


@needs_tools
def test_the_example_is_accepted_with_its_whole_hierarchy(tmp_path: Path) -> None:
    library = open_workspace(EXAMPLE).workspace.library
    modules = export_modules(library, Vlnv.parse("blockwright.org:soc:tiny_soc:1.0"), recursive=True)
    assert len(modules) == 11
    assert [finding.code for module in modules for finding in module.findings] == ["port-left-out"]
    accept(modules, tmp_path)


@needs_tools
@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real files is not here")
def test_real_hierarchies_are_accepted(tmp_path: Path) -> None:
    library = open_workspace(CORPUS).workspace.library
    for name in ("cpu.subsystem:core_example", "other.subsystem:wb_example", "communication.bridge.test:wb_cpu.setup"):
        accept(export_modules(library, Vlnv.parse(f"tut.fi:{name}:1.0"), recursive=True), tmp_path / name)


def test_a_component_that_does_not_exist_is_named() -> None:
    with pytest.raises(DesignError, match="There is no component a:b:top"):
        export_modules(Library(), TOP)


def dims(*bounds: str) -> tuple[Dimension, ...]:
    return tuple(Dimension(left=left, right=right) for left, right in (each.split(":") for each in bounds))


GRID = Component(
    vlnv=LEAF,
    ports=named(
        SignalPort(name="i", direction="in", left="N-1", right="0", vectors=dims("7:0"), arrays=dims("0:1")),
        SignalPort(name="o", direction="out", left="N-1", right="0", vectors=dims("7:0"), arrays=dims("0:1")),
        SignalPort(name="f", direction="in", arrays=dims("3:0")),
        port("k", "in", "7"),
    ),
    parameters=named(
        Parameter(name="N", kind="user", value="2", type="int"),
        Parameter(name="MASK", kind="user", value="'hA5", type="bit", vectors=dims("7:0")),
    ),
)


@needs_tools
def test_ports_of_several_dimensions(tmp_path: Path) -> None:
    """Whole ports keep their dimensions; of parts the bits are counted out."""
    byte = Endpoint(instance="v", port="k")
    design = Design(
        instances=named(Instance(name="u", component=LEAF), Instance(name="v", component=LEAF)),
        connections=named(
            connection("whole", "u.o", "v.i"),
            connection("in", "din", "u.i"),
            Connection(
                name="part",
                ends=(Endpoint(instance="v", port="o", path=("1", "0")), Endpoint(instance="", port="q", path=("1",))),
            ),
            Connection(name="byte", ends=(Endpoint(instance="", port="w", path=("0",)), byte)),
            Connection(
                name="bits", ends=(Endpoint(instance="", port="w", path=("1",), left="3", right="0"), end("u.f"))
            ),
        ),
    )
    own = named(
        SignalPort(name="din", direction="in", left="1", right="0", vectors=dims("1:0", "7:0")),
        SignalPort(name="w", direction="in", left="1", right="0", vectors=dims("7:0")),
        SignalPort(name="q", direction="out", left="1", right="0", vectors=dims("7:0")),
    )
    component = Component(vlnv=TOP, ports=own, designs=FrozenMap({"hierarchical": design}))
    module = accepted(Library.of([component, GRID]), tmp_path)
    assert "wire [0:1][1:0][7:0] whole;" in body(module)
    assert pins(module, "u") == {"i": "din", "o": "whole", "f": "w_bits[11:8]", "k": ""}
    assert pins(module, "v")["k"] == "w_bits[7:0]"
    assert "assign w_bits = w;" in body(module)
    assert "assign q = q_bits;" in body(module)
    assert pins(module, "v")["o"] == "{v_o[31:8], q_bits[15:8]}"
    leaf = export_modules(Library.of([component, GRID]), LEAF)[0]
    assert "input  wire [0:1][N-1:0][7:0] i," in leaf.text
    assert "parameter bit [7:0] MASK = 'hA5" in leaf.text
    assert [(finding.code, finding.where and finding.where.name) for finding in leaf.findings] == [
        ("array-packed", "i"),
        ("array-packed", "o"),
        ("array-packed", "f"),
    ]


def parameters_of(*parameters: Parameter, folder: Path) -> list[str]:
    """The declarations of parameters in a module."""
    component = Component(vlnv=LEAF, ports=named(port("a", "in")), parameters=named(*parameters))
    (module,) = export_modules(Library.of([component]), LEAF)
    assert not [finding for finding in module.findings if finding.severity != "note"]
    accept([module], folder, icarus=not any(finding.code == "tool-limit" for finding in module.findings))
    return [line.strip().rstrip(",") for line in module.text.splitlines() if " parameter " in line]


def user(name: str, value: str, type_: str = "bit", vectors: str = "", arrays: str = "", sign: str = "") -> Parameter:
    return Parameter(
        name=name,
        kind="user",
        value=value,
        type=type_,  # type: ignore[arg-type]
        vectors=dims(*vectors.split()),
        arrays=dims(*arrays.split()),
        sign=sign,  # type: ignore[arg-type]
    )


@needs_tools
def test_parameters_keep_width_and_sign(tmp_path: Path) -> None:
    assert parameters_of(
        user("INIT", "8'hA5", vectors="W-1:0"),
        user("W", "8", "int"),
        user("ONES", "'1", vectors="15:0"),
        user("S", "-3", vectors="3:0", sign="signed"),
        user("TWICE", "{2{INIT}}", vectors="2*W-1:0"),
        folder=tmp_path,
    ) == [
        "parameter int W = 8",
        "parameter bit [W-1:0] INIT = 8'hA5",
        "parameter bit [15:0] ONES = '1",
        "parameter bit signed [3:0] S = -3",
        "parameter bit [2*W-1:0] TWICE = {2{INIT}}",
    ]


@needs_tools
def test_literals_with_unknown_digits_are_no_strings(tmp_path: Path) -> None:
    assert parameters_of(user("MODE", "4'b10_1z", "string"), user("TEXT", '"4\'bx"', "string"), folder=tmp_path) == [
        "parameter MODE = 4'b10_1z",
        'parameter TEXT = "4\'bx"',
    ]


@needs_tools
def test_arrays_are_written_as_arrays(tmp_path: Path) -> None:
    assert parameters_of(
        user("N", "2", "int"),
        user("A", "{1, 2}", "int", arrays="0:N-1"),
        user("B", "{{8'd1, 8'd2}, '{8'd3, {4'd4, 4'd5}}}", vectors="7:0", arrays="0:1 1:0"),
        user("T", '{"a", "b"}', "string", arrays="0:1"),
        user("U", "5", "int", sign="unsigned"),
        folder=tmp_path,
    ) == [
        "parameter int N = 2",
        "parameter int A [0:N-1] = '{1, 2}",
        "parameter bit [7:0] B [0:1][1:0] = '{'{8'd1, 8'd2}, '{8'd3, {4'd4, 4'd5}}}",
        'parameter string T [0:1] = \'{"a", "b"}',
        "parameter int unsigned U = 5",
    ]


def test_a_type_with_a_width_of_its_own_gets_no_vectors() -> None:
    component = Component(vlnv=LEAF, parameters=named(user("P", "5", "int", vectors="7:0")))
    (module,) = export_modules(Library.of([component]), LEAF)
    assert "parameter int P = 5" in module.text
    assert [finding.code for finding in module.findings] == ["type-changed"]


@needs_tools
def test_tie_offs_fill_their_port(tmp_path: Path) -> None:
    module = accepted(
        top(
            connection("all", "u.d", tied="'1"),
            connection("none", "v.d", tied="'0"),
            connection("half", "u.up[0:1]", tied="'1"),
        ),
        tmp_path,
    )
    assert pins(module, "u") | {"io": "", "q": ""} == {
        "q": "",
        "d": "8'hff",
        "n": "4'b101",
        "io": "",
        "up": "{2'b11, u_up[2:3]}",
    }
    assert pins(module, "v")["d"] == "8'h0"


WIDE = Vlnv.parse("a:b:wide:1.0")


def wide(overrides: str, *connections: Connection) -> Library:
    """Two components whose ports are as wide as a parameter that the top sets."""
    ports = named(port("q", "out", "W-1"), port("d", "in", "W-1"))
    leaf = Component(vlnv=WIDE, ports=ports, parameters=named(Parameter(name="W", kind="user", value="4", type="int")))
    instances = (
        Instance(name=name, component=WIDE, parameters=FrozenMap({"W": value}))
        for name, value in zip("uvw", overrides.split(), strict=True)
    )
    parameters = (
        Parameter(name=name, kind="user", value=value, type="int") for name, value in (("A", "8"), ("B", "3"))
    )
    design = Design(instances=named(*instances), connections=named(*connections))
    component = Component(vlnv=TOP, parameters=named(*parameters), designs=FrozenMap({"hierarchical": design}))
    return Library.of([component, leaf])


@needs_tools
def test_wires_between_ports_of_different_widths_follow_the_parameters(tmp_path: Path) -> None:
    library = wide("A A B", connection("net", "u.q", "v.d", "w.d"))
    module = accepted(library, tmp_path)
    assert body(module) == ["wire [A-1:0] u_q;"]
    assert [pins(module, name)["d"] for name in "vw"] == ["u_q", "u_q[B-1:0]"]
    (finding,) = module.findings
    assert (finding.code, finding.message) == (
        "present-value",
        "Which ports are cut on net net is worked out for the present value of A, B.",
    )
    for left, right in ((16, 4), (5, 5), (30, 29)):
        accept(export_modules(library, TOP, recursive=True), tmp_path, overrides={"A": left, "B": right})


@needs_tools
def test_bits_that_are_counted_out_are_reported(tmp_path: Path) -> None:
    module = accepted(wide("A A B", connection("net", "w.q", "v.d")), tmp_path)
    assert body(module) == ["wire [B-1:0] w_q;", "wire [A-1:0] v_d;"]
    assert pins(module, "v")["d"] == "{v_d[7:3], w_q}"
    assert module.findings[0].message == "The parts of ports on net net are worked out for the present value of A, B."
