"""A component that is exported and imported again is the same, as far as SystemVerilog can say it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from checking import accept, needs_tools
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model import operations
from model.elements import Component, Dimension, Parameter
from model.errors import DesignError
from model.library import Library
from model.operations.parameters import check_captured, check_parameter, check_parameter_free
from model.parameters import Values
from model.systemverilog.elaboration import Elaboration
from model.systemverilog.exporting import export_modules
from model.systemverilog.importing import component_of
from model.systemverilog.reading import read_file
from model.vlnv import Vlnv
from model.widths import port_width

VLNV = "acme:rtl:block:1.0"
_names = st.sampled_from(["a", "b_1", "W", "N", "module", "wire", "x.y", "x-y", "p:q", "DEPTH", "end", "é"])
_parameter_names = st.sampled_from(["W", "N", "DEPTH", "input", "K", "MODE"])
_expressions = st.sampled_from(
    ["1", "8", "W", "W*2", "N+1", "(W>4)?8:4", "$clog2(DEPTH)", "2**N", "'h1F", "8'd12", "W <<1", "input+1", "K%7+1"]
)
_texts = st.sampled_from(
    ["none", "RV32IMC", "a b", 'say "x"', "back\\slash", "8", "1.0", '"8"', "W", "module", "ünïcode"]
)
_comments = st.sampled_from(
    ["", "", "The clock.", "one, two; three", "/* odd */", "bits: [7:0] // twice", "größer als"]
)


def _component(draws: list[tuple[str, dict[str, Any]]]) -> Component:
    """What of the drawn edits the rules let through."""
    library, _change = operations.create_component(Library(), **dict(zip(_FIELDS, VLNV.split(":"), strict=True)))
    for operation, arguments in draws:
        try:
            if operation == "file":  # what only files bring along
                library = _with_parameter(library, Parameter(kind="user", **arguments))
                continue
            library, _change = getattr(operations, operation)(library, component=VLNV, **arguments)
        except DesignError:
            continue
    return library.get(Vlnv.parse(VLNV))


def _with_parameter(library: Library, parameter: Parameter) -> Library:
    component = library.get(Vlnv.parse(VLNV))
    check_parameter_free(component, parameter.name)
    longer = component.model_copy(update={"parameters": component.parameters.set(parameter.name, parameter)})
    check_parameter(longer, parameter)
    check_captured(longer, parameter.name)
    return library.put(longer)


_FIELDS = ("vendor", "library", "name", "version")


def _edit(operation: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.tuples(st.just(operation), st.fixed_dictionaries(arguments))


_dimensions = st.lists(
    st.builds(Dimension, left=st.sampled_from(["3", "0", "W-1", "N"]), right=st.sampled_from(["0", "1", "N"])),
    max_size=2,
).map(tuple)
_patterns = st.sampled_from(
    ["8'hA5", "'1", "{2{4'hA}}", "{W, 1'b1}", "~4'h5", "4'sb1010", "-1", "3", "&4'hF", "K ^ '1"]
)
_lists = st.sampled_from(["'{1, 2}", "'{W, N+1}", "'{'{1, 2}, '{3, 4}}", "'{2{8'h1}}", "'{1, 2, 3, 4}"])
_signs = st.sampled_from(["", "", "signed", "unsigned"])
_whole = st.sampled_from(["byte", "shortint", "int", "longint"])
_numbers = st.one_of(st.just("bit"), _whole)
COMPONENTS = st.lists(
    st.one_of(
        _edit("add_user_parameter", name=_parameter_names, value=_expressions, type=_numbers, description=_comments),
        _edit("add_generator_parameter", name=_parameter_names, value=_expressions, type=_numbers),
        _edit("add_user_parameter", name=_parameter_names, value=_texts, type=st.just("string")),
        _edit(
            "file",
            name=_parameter_names,
            value=_patterns,
            type=st.just("bit"),
            vectors=_dimensions,
            sign=_signs,
            description=_comments,
        ),
        _edit("file", name=_parameter_names, value=_expressions, type=_whole, sign=_signs),
        _edit("file", name=_parameter_names, value=_lists, type=_whole, sign=_signs, arrays=_dimensions),
        _edit(
            "add_user_parameter",
            name=_parameter_names,
            value=st.sampled_from(["0.5", "W/3.0", "1e-9"]),
            type=st.just("real"),
        ),
        _edit(
            "add_signal_port",
            name=_names,
            direction=st.sampled_from(["in", "out", "inout"]),
            width=_expressions,
            description=_comments,
        ),
        _edit(
            "add_signal_port",
            name=_names,
            direction=st.sampled_from(["in", "out", "inout"]),
            left=st.sampled_from(["0", "W-1", "15"]),
            right=st.sampled_from(["0", "8", "N"]),
        ),
    ),
    min_size=1,
    max_size=14,
).map(_component)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(COMPONENTS)
def test_ports_and_parameters_come_back(component: Component) -> None:
    (module,) = export_modules(Library.of([component]), component.vlnv)
    changed = {finding.where.name for finding in module.findings if finding.where and finding.code == "name-changed"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / module.file_name
        path.write_text(module.text, encoding="utf-8")
        file = read_file(path)
        assert file.findings == (), module.text
        (header,) = file.modules
        imported = component_of(header, Elaboration(file, header), path, "acme", "rtl", "1.0")
    back = imported.component
    assert back.vlnv == component.vlnv
    assert len(back.ports) == len(component.ports)
    if changed:
        return
    assert imported.findings == (), module.text
    assert back.ports == component.ports, module.text
    for name, port in component.ports.items():
        assert port_width(back, back.ports[name]) == port_width(component, port)
    values, found = Values(component.parameters), Values(back.parameters)
    assert set(back.parameters) == set(component.parameters)
    for name, parameter in component.parameters.items():
        returned = back.parameters[name]
        assert returned.description == parameter.description
        # Text is untyped there, and may have the type of its value then; nobody knows who sets a parameter.
        if parameter.type != "string":
            assert returned == parameter.model_copy(update={"kind": returned.kind}), module.text
        if not parameter.arrays:  # a list has no single value
            assert str(found[name]) == str(values[name]), module.text


@needs_tools
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(COMPONENTS)
def test_any_component_is_accepted(component: Component) -> None:
    with tempfile.TemporaryDirectory() as folder:
        modules = export_modules(Library.of([component]), component.vlnv)
        is_known = not any(finding.code == "tool-limit" for finding in modules[0].findings)
        accept(modules, Path(folder), strict=False, icarus=is_known)
