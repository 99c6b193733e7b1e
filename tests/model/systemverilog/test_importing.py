from __future__ import annotations

from pathlib import Path

import pytest

from model import operations
from model.elements import Component, Parameter, Port, SignalPort, StructuredPort
from model.errors import DesignError
from model.library import Library
from model.systemverilog.elaboration import Elaboration
from model.systemverilog.importing import Imported, add_component, component_of
from model.systemverilog.reading import LONGEST_STATEMENT, RtlFile, read_file
from model.widths import port_width, width_text


def read(folder: Path, text: str, *defines: str) -> RtlFile:
    path = folder / "source.sv"
    path.write_text(text, encoding="utf-8")
    return read_file(path, defines)


def all_of(folder: Path, text: str, *defines: str) -> list[Imported]:
    file = read(folder, text, *defines)
    return [component_of(module, Elaboration(file, module), file.path, "acme", "rtl", "1.0") for module in file.modules]


def only(folder: Path, text: str, *defines: str) -> Imported:
    (imported,) = all_of(folder, text, *defines)
    return imported


def ports(component: Component) -> dict[str, str]:
    """Direction and bounds of each port."""
    return {name: _shape(port) for name, port in component.ports.items()}


def _shape(port: Port) -> str:
    if isinstance(port, StructuredPort):
        return f"{port.form} {port.type_name}"
    assert isinstance(port, SignalPort)
    bounds = f" {port.left}:{port.right}" if port.left else ""
    if port.vectors or port.arrays:
        bounds = f" {width_text(port)}"
    default = f" = {port.default_value}" if port.default_value else ""
    return f"{port.direction}{bounds}{default}"


def parameters(component: Component) -> dict[str, str]:
    return {name: f"{each.kind} {_type(each)} {each.value}" for name, each in component.parameters.items()}


def _type(parameter: Parameter) -> str:
    """The type with sign, vectors and arrays, as a module has them."""
    words = " ".join(filter(None, (parameter.type, parameter.sign, "".join(map(str, parameter.vectors)))))
    return f"{words} × {''.join(map(str, parameter.arrays))}" if parameter.arrays else words


def codes(imported: Imported) -> list[tuple[str, str]]:
    return [(finding.code, finding.where.name if finding.where else "") for finding in imported.findings]


def test_a_header_with_ports_parameters_and_comments(tmp_path: Path) -> None:
    imported = only(
        tmp_path,
        """
        // A licence; module not_this(input a);
        module /* here */ uart #(
          parameter DATA_WIDTH = 8,          // bits per word
          parameter int DEPTH /* odd */ = 2**4, //! words
          localparam HALF = DATA_WIDTH / 2
        ) (
          input  wire                  clk, rst_n, // clock and reset
          input  [DATA_WIDTH-1:0]      d,   /* data in */
          output reg [0:$clog2(DEPTH)] level, // verilator lint_off UNUSED
          inout  tri                   pad // last
        );
          assign level = 0;
        endmodule
        """,
    )
    component = imported.component
    assert str(component.vlnv) == "acme:rtl:uart:1.0"
    assert ports(component) == {
        "clk": "in",
        "rst_n": "in",
        "d": "in DATA_WIDTH-1:0",
        "level": "out 0:$clog2(DEPTH)",
        "pad": "inout",
    }
    assert parameters(component) == {
        "DATA_WIDTH": "user int 8",
        "DEPTH": "user int 2**4",
        "HALF": "immediate int DATA_WIDTH / 2",
    }
    assert {port.name: port.description for port in component.ports.values() if port.description} == {
        "rst_n": "clock and reset",
        "d": "data in",
        "pad": "last",
    }
    assert component.parameters["DATA_WIDTH"].description == "bits per word"
    assert component.parameters["DEPTH"].description == "words"
    assert imported.findings == ()


def test_ports_that_are_declared_in_the_body(tmp_path: Path) -> None:
    imported = only(
        tmp_path,
        """
        module old(a, b, c, .d(e), {f, g}, h[1:0],);
          parameter W = 4;
          localparam N = W + 1, UNUSED = 3;
          input [N-1:0] a; // an input
          output b, c; reg [7:0] b;
          inout e; input f, g;
          output [3:0] h;
        endmodule
        """,
    )
    component = imported.component
    assert ports(component) == {"a": "in N-1:0", "b": "out 7:0", "c": "out", "d": "inout", "h": "out"}
    assert parameters(component) == {"W": "user int 4", "N": "immediate int W + 1"}
    assert component.ports["a"].description == "an input"
    assert codes(imported) == [("not-imported", ""), ("width-unknown", "h")]
    assert "{f, g}" in imported.findings[0].message


def test_what_a_port_leaves_out_it_takes_from_the_one_before(tmp_path: Path) -> None:
    imported = only(
        tmp_path,
        "module m(input logic [3:0] a, b, output c, [1:0] d, wire e, logic f, inout [2:0] g, h, bus.slave i, j);"
        "endmodule",
    )
    assert ports(imported.component) == {
        "a": "in 3:0",
        "b": "in 3:0",
        "c": "out",
        "d": "out 1:0",
        "e": "out",
        "f": "out",
        "g": "inout 2:0",
        "h": "inout 2:0",
        "i": "interface bus.slave",
        "j": "interface bus.slave",
    }
    assert codes(imported) == []


def test_all_dimensions_are_kept(tmp_path: Path) -> None:
    imported = only(
        tmp_path,
        "module m #(parameter N=4, W=8)"
        "(input [3:0][7:0] a, input [N-1:0][W-1:0] b [2], input byte c, input [0:N-1][5:4] d, input int e [0:1]);"
        "endmodule",
    )
    component = imported.component
    assert ports(component) == {
        "a": "in [3:0][7:0]",
        "b": "in [N-1:0][W-1:0] × [0:1]",
        "c": "in 7:0",
        "d": "in [0:N-1][5:4]",
        "e": "in [31:0] × [0:1]",
    }
    widths = {name: port_width(component, port) for name, port in component.ports.items()}
    assert widths == {"a": 32, "b": 64, "c": 8, "d": 8, "e": 64}
    assert codes(imported) == []


def test_dimensions_without_a_value_become_the_present_width(tmp_path: Path) -> None:
    imported = only(
        tmp_path,
        "module m #(parameter N=4)(input [3:0][$bits(int)-1:0] a, input [1:0] b [f(N)-1:0]);"
        "function automatic int f(int n); return n + 1; endfunction endmodule",
    )
    assert ports(imported.component) == {"a": "in 127:0", "b": "in 9:0"}
    assert [code for code, _name in codes(imported)] == ["present-value", "present-value"]


def test_user_types_become_vectors_of_their_width(tmp_path: Path) -> None:
    imported = only(
        tmp_path,
        """
        package p;
          localparam K = 5;
          typedef enum logic [1:0] {IDLE, BUSY} state_t;
          typedef struct packed { logic [K-1:0] a; state_t s; } pair_t;
        endpackage
        module m #(parameter int V = p::K, parameter type T = logic [2:0])
          (input p::pair_t pair, output p::state_t state, input T t, input [p::K:0] k,
           input struct packed { logic x; logic [1:0] y; } inline, input real r, input nowhere_t n, ref logic z);
        endmodule
        """,
    )
    component = imported.component
    assert ports(component) == {
        "pair": "in 6:0",
        "state": "out 1:0",
        "t": "in 2:0",
        "k": "in 5:0",
        "inline": "in 2:0",
        "r": "in",
        "n": "in",
        "z": "inout",
    }
    assert parameters(component) == {"V": "user int 5", "T": "user string logic [2:0]"}
    assert codes(imported) == [
        ("present-value", "V"),
        ("type-parameter", "T"),
        ("type-changed", "pair"),
        ("type-changed", "state"),
        ("type-changed", "t"),
        ("present-value", "k"),
        ("type-changed", "inline"),
        ("width-unknown", "r"),
        ("width-unknown", "n"),
        ("type-changed", "z"),
    ]


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("P = 8", "user int 8"),
        ("P = -1", "user int -1"),
        ("P = 5000000000", "user longint 5000000000"),
        ("P = 1.5", "user real 1.5"),
        ('P = "text"', "user string text"),
        ('P = "8"', 'user string "8"'),
        ('P = "Q"', 'user string "Q"'),
        ('P = ""', 'user string ""'),
        ('string P = "a b"', "user string a b"),
        ("integer P = 'h1F", "user int 'h1F"),
        ("longint P = 3", "user longint 3"),
        ("shortreal P = 0.5", "user shortreal 0.5"),
        ("bit P = 1", "user bit 1"),
        ("logic P = 3", "user int 3"),
        ("[7:0] P = 8'hFF", "user bit [7:0] 8'hFF"),
        ("logic [31:0] P = 32'hFFFF_FFFF", "user bit [31:0] 32'hFFFF_FFFF"),
        ("[127:0] P = {64'd1, 64'd2}", "user bit [127:0] {64'd1, 64'd2}"),
        ("reg [Q*8-1:0] P = '1", "user bit [Q*8-1:0] '1"),
        ("bit signed [3:0] P = -8", "user bit signed [3:0] -8"),
        ("signed [0:3] P = 4'hF", "user bit signed [0:3] 4'hF"),
        ("bit [1:0][3:0] P = 8'hA5", "user bit [1:0][3:0] 8'hA5"),
        ("[7:0] P = {2{4'hA}}", "user bit [7:0] {2{4'hA}}"),
        ("[7:0] P = 300", "user int 300"),
        ("[7:0] P = -1", "user int -1"),
        ("int unsigned P = 4", "user int unsigned 4"),
        ("int signed P = 4", "user int signed 4"),
        ("byte unsigned P = 200", "user byte unsigned 200"),
        ("longint unsigned P = '1", "user longint unsigned '1"),
        ("time P = 4", "user longint unsigned 4"),
        ("P = '1", "user int 32'd4294967295"),
        ("int P = '1", "user int -1"),
        ("logic [3:0] P = 4'b10_1z", "user string 4'b10_1z"),
        ("P = 4'b10_1z", "user string 4'b10_1z"),
        ("logic [7:0] P = 'z", "user string 8'dz"),
        ("bit [3:0] P = {2'b1x, 2'b0}", "user bit [3:0] 4'b1000"),
        ('string P = "4\'bx"', 'user string "4\'bx"'),
        ("signed P = -4", "user int -4"),
        ("P = Q ? 2 : 3", "user int Q ? 2 : 3"),
        ("P = $bits(int)", "user int 32"),
        ("P", "user int 1"),
        ("int P [2] = '{1, 2}", "user int × [0:1] '{1, 2}"),
        ("bit [7:0] P [2][Q] = '{'{1}, '{2}}", "user bit [7:0] × [0:1][0:(Q)-1] '{'{1}, '{2}}"),
        ("int P [1:0] = '{default: 3}", "user int × [1:0] '{3, 3}"),
        ('string P [2] = \'{"a", "b"}', 'user string × [0:1] \'{"a", "b"}'),
        ("logic [3:0] P [2] = '{4'bx, 1}", "user string '{4'bx, 1}"),
        ("int P [] = '{1, 2}", "user string '{1, 2}"),
    ],
)
def test_types_and_values_of_parameters(tmp_path: Path, declaration: str, expected: str) -> None:
    imported = only(tmp_path, f"module m #(parameter Q = 1, parameter {declaration})(); endmodule")
    assert parameters(imported.component)["P"] == expected


@pytest.mark.parametrize(
    ("declaration", "code", "said"),
    [
        ("[7:0] P = 300", "type-changed", "has the type [7:0]; it is int here"),
        ("logic signed [Q:0] P = 5", "type-changed", "has the type logic signed [Q:0]; it is int here"),
        ("logic [3:0] P = 4'b10_1z", "kept-as-text", "digits that no type of a component can hold"),
        ("logic [7:0] P = 'z", "present-value", "8'dz instead of ''z'"),
        ("int P = '1", "present-value", "-1 instead of ''1'"),
        ("int P [2] = '{default: 3}", "present-value", "'{3, 3} instead of ''{default: 3}'"),
        ("int P [] = '{1, 2}", "kept-as-text", "is an array"),
    ],
)
def test_what_a_parameter_cannot_be_here_is_reported(tmp_path: Path, declaration: str, code: str, said: str) -> None:
    imported = only(tmp_path, f"module m #(parameter Q = 1, parameter {declaration})(); endmodule")
    (finding,) = imported.findings
    assert (finding.code, finding.where and finding.where.name) == (code, "P")
    assert said in finding.message


def test_parameters_follow_those_that_they_refer_to(tmp_path: Path) -> None:
    imported = only(
        tmp_path,
        "module m(a); localparam N = 4; parameter [N-1:0] P = '1; parameter int A [N] = '{1, 2, 3, N};"
        " input [P-1:0] a; endmodule",
    )
    assert parameters(imported.component) == {
        "N": "immediate int 4",
        "P": "user bit [N-1:0] '1",
        "A": "user int × [0:(N)-1] '{1, 2, 3, N}",
    }
    assert port_width(imported.component, imported.component.ports["a"]) == 15
    assert imported.findings == ()


def comments(component: Component) -> dict[str, str]:
    elements = (*component.parameters.values(), *component.ports.values())
    return {each.name: each.description for each in elements if each.description}


def test_a_comment_belongs_to_the_declaration_beside_it(tmp_path: Path) -> None:
    component = only(
        tmp_path,
        """
        module m #(/* about A */ parameter A = 1, /* about B */ B = 2, // also B
          parameter C = 3, D = 4 /* about D */
        ) (
          /* about a */ input a, /* about b */ input b,
          input c, d, e, // about e
          input f /* about f */, g, /* still g */ // and g
          // of no port
          /* about h */ input h,
          input i, /* about j */ j /* still j */);
        endmodule
        """,
    ).component
    assert comments(component) == {
        "A": "about A",
        "B": "about B also B",
        "D": "about D",
        "a": "about a",
        "b": "about b",
        "e": "about e",
        "f": "about f",
        "g": "still g and g",
        "h": "about h",
        "j": "about j still j",
    }


def test_a_comment_between_statements_belongs_to_the_one_that_follows_on_the_line(tmp_path: Path) -> None:
    component = only(
        tmp_path,
        """
        module m(a, b, c, d);
          parameter A = 1; /* about B */ parameter B = 2; // also B
          input a; /* about b */ input b;
          /* about c */ input c, /* about d */ d; /* still d */ endmodule
        """,
    ).component
    assert comments(component) == {"B": "about B also B", "b": "about b", "c": "about c", "d": "about d still d"}


def test_default_values_of_inputs_are_kept(tmp_path: Path) -> None:
    imported = only(tmp_path, "module m(input logic [3:0] a = 4'd5, output logic b = 1'b1, input c = f(1)); endmodule")
    assert ports(imported.component) == {"a": "in 3:0 = 4'd5", "b": "out", "c": "in"}
    assert codes(imported) == [("default-left-out", "b"), ("default-left-out", "c")]


def test_macros_and_conditions_are_those_of_the_preprocessor(tmp_path: Path) -> None:
    (tmp_path / "sizes.svh").write_text("`define HIGH 7\n")
    text = """
        `include "sizes.svh"
        module m(
          input a, // before a condition
        `ifdef WIDE
          input [`W-1:0] wide,
        `else
          input narrow,
        `endif
          input [`HIGH:0] b);
        endmodule
        """
    component = only(tmp_path, text).component
    assert ports(component) == {"a": "in", "narrow": "in", "b": "in 7:0"}
    assert component.ports["a"].description == "before a condition"
    assert ports(only(tmp_path, text, "WIDE", "W=4").component)["wide"] == "in 4-1:0"


def test_names_that_a_component_cannot_have_are_changed_everywhere(tmp_path: Path) -> None:
    imported = only(
        tmp_path,
        r"module \8-b #(parameter A$B = 4, parameter \c.d = A$B)(input [A$B-1:0] \x.y , \a$[0] , \bit ); endmodule",
    )
    component = imported.component
    assert component.vlnv.name == "8-b"
    assert parameters(component) == {"A_B": "user int 4", "c.d": "user int A_B"}
    assert list(component.ports) == ["x.y", "a__0_", "bit"]
    assert ports(component)["x.y"] == "in A_B-1:0"
    assert codes(imported) == [("name-changed", "A_B"), ("name-changed", "a__0_")]


def test_several_modules_of_which_one_is_broken(tmp_path: Path) -> None:
    text = """module a(input x); endmodule
        module b(input [`NONE:0] y); endmodule
        interface i; endinterface
        module c(input z);
          this is not understood;
        endmodule
        module d(input x, output ; endmodule
        """
    file = read(tmp_path, text)
    assert [module.name for module in file.modules] == ["a", "c"]
    found = [(finding.severity, finding.code, finding.line) for finding in file.findings]
    assert found[0] == ("error", "unknown-macro", 2)
    assert ("note", "not-a-module", 3) in found
    assert ("warning", "syntax-error", 5) in found
    assert found[-1][:2] == ("error", "syntax-error")
    assert "Module b is not imported: unknown macro" in file.findings[0].message
    assert "--define" in file.findings[0].message


def test_missing_includes_are_errors_that_do_not_stop_the_rest(tmp_path: Path) -> None:
    file = read(tmp_path, '`include "none.svh"\nmodule m(input a); endmodule')
    assert [module.name for module in file.modules] == ["m"]
    assert [(finding.severity, finding.code, finding.line) for finding in file.findings] == [
        ("error", "file-not-found", 1)
    ]


def test_modules_of_included_files_are_not_taken_for_the_file_s_own(tmp_path: Path) -> None:
    (tmp_path / "other.sv").write_text("module other(input a); endmodule\n")
    assert [module.name for module in read(tmp_path, '`include "other.sv"\nmodule m; endmodule').modules] == ["m"]


def test_a_repeated_port_is_reported(tmp_path: Path) -> None:
    imported = only(tmp_path, "module m(input a, output a); endmodule")
    assert ports(imported.component) == {"a": "in"}
    assert codes(imported) == [("name-taken", "a")]


def test_findings_lead_to_the_line(tmp_path: Path) -> None:
    imported = only(tmp_path, "module m(\n  input a,\n  input unknown_t b\n);\nendmodule")
    (finding,) = imported.findings
    assert (finding.path, finding.line) == (tmp_path / "source.sv", 3)


def test_files_that_are_no_source_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "source.sv"
    with pytest.raises(DesignError, match="There is no file"):
        read_file(path)
    path.write_bytes(b"module m\0;")
    with pytest.raises(DesignError, match="NUL bytes"):
        read_file(path)
    path.write_text(f"module m #(parameter A = {'(' * 50_000}1{')' * 50_000})(input a); endmodule")
    with pytest.raises(DesignError, match="nested too deeply"):
        read_file(path)


def test_a_comment_in_another_encoding_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "source.sv"
    path.write_bytes("module m(input a); // Größe\nendmodule".encode("latin-1"))
    assert [module.name for module in read_file(path).modules] == ["m"]


def test_statements_that_could_exhaust_the_elaborator_are_not_elaborated(tmp_path: Path) -> None:
    chain = "+".join(["1"] * LONGEST_STATEMENT)
    imported = only(tmp_path, f"module m #(parameter A = {chain})(input [A-1:0] a); endmodule")
    assert codes(imported) == [("kept-as-text", "A"), ("width-unknown", "a")]


def test_a_component_is_not_replaced(tmp_path: Path) -> None:
    component = only(tmp_path, "module m(input a); endmodule").component
    library, change = add_component(Library(), component=component)
    assert [str(element) for element in change.added] == [
        "component acme:rtl:m:1.0",
        "signal_port a of acme:rtl:m:1.0",
    ]
    with pytest.raises(DesignError, match="There is already a component acme:rtl:m"):
        add_component(library, component=component)
    assert operations.delete_component(library, component="acme:rtl:m:1.0")[0] == Library()
