"""Public files of other tools: an edit changes its own lines and no others; no edit changes nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ipxact_files import LIBRARY, assert_valid, changed_lines, needs_library, shared_files

from model.elements import Component, Connection, Design, Endpoint, Instance, Parameter, SignalPort
from model.files import Source
from model.ipxact.document import parse_document
from model.ipxact.identifiers import DesignEncoder
from model.ipxact.read_design import Known, read_design
from model.ipxact.splice import Splicer
from model.ipxact.splice_design import splice_design
from model.ipxact.write import Written, parameter_names_of, write_component
from model.storage import open_workspace
from model.vlnv import Vlnv
from model.workspace import Workspace

DOCUMENTS = {path: parse_document(path.read_bytes(), path).kind for path in shared_files()}
COMPONENTS = [path for path, kind in DOCUMENTS.items() if kind == "component"]
DESIGNS = [path for path, kind in DOCUMENTS.items() if kind == "design"]
PART = Vlnv("acme.example", "ip", "part", "1.0")


class Subject:
    """A component of a public file, and what is written for it after an edit."""

    def __init__(self, path: Path) -> None:
        opened = open_workspace(path)
        assert opened.active is not None
        self.workspace: Workspace = opened.workspace
        self.source: Source = opened.workspace.sources[opened.active]
        self.component: Component = self.source.component

    def written(self, **fields: object) -> Written:
        return write_component(self.component.model_copy(update=fields), self.source, self.names)

    def names(self, vlnv: Vlnv) -> dict[str, str] | None:
        found = self.workspace.sources.get(vlnv)
        return parameter_names_of(found.component, found) if found is not None else None

    def lines(self, **fields: object) -> list[str]:
        return changed_lines(self.source.content, self.written(**fields).content)


@pytest.fixture(params=COMPONENTS, ids=lambda path: path.name)
def subject(request: pytest.FixtureRequest) -> Subject:
    return Subject(request.param)


def test_unedited_components_stay_the_bytes_they_are(subject: Subject) -> None:
    written = subject.written()
    assert written.content == subject.source.content
    assert written.designs == {view: design.content for view, design in subject.source.designs.items()}


def test_a_new_port_is_the_only_difference(subject: Subject) -> None:
    port = SignalPort(name="debug_bus", direction="out", left="7", right="0")
    lines = subject.lines(ports=subject.component.ports.set("debug_bus", port))
    wanted = [
        "port>",
        "name>debug_bus<",
        "wire>",
        "direction>out<",
        "vector>",
        "left>7<",
        "right>0<",
        "/wire>",
        "/port>",
    ]
    found = iter(" ".join(lines).replace("</", "</x:").split(":"))
    assert all(any(piece.startswith(want.removeprefix("/")) for piece in found) for want in wanted)
    assert {line[0] for line in lines} == {"+"} or len(lines) == 2  # where all ports stand on one line
    assert len(lines) <= 16


def test_a_deleted_port_takes_its_lines_only(subject: Subject) -> None:
    for name in list(subject.component.ports)[:: max(1, len(subject.component.ports) // 3)]:
        lines = subject.lines(ports=subject.component.ports.without(name))
        assert {line[0] for line in lines} == {"-"}
        assert sum("port>" in line.lower() for line in lines) in (1, 2, 4)


def test_a_changed_port_changes_one_line(subject: Subject) -> None:
    for name, port in list(subject.component.ports.items())[:3]:
        if isinstance(port, SignalPort):
            direction = "inout" if port.direction != "inout" else "in"
            changed = port.model_copy(update={"direction": direction})
            assert len(subject.lines(ports=subject.component.ports.set(name, changed))) == 2


def test_a_new_parameter_and_a_deleted_one(subject: Subject) -> None:
    parameters = subject.component.parameters
    new = Parameter(name="NEW_ONE", kind="user", value="1", type="longint")
    assert {line[0] for line in subject.lines(parameters=parameters.set("NEW_ONE", new))} == {"+"}
    uses = {name: len(re.findall(rf"\b{name}\b", str(subject.component))) for name in parameters}
    # Its key and its own name are no uses.
    for name in [name for name, count in uses.items() if count == 2][:1]:
        lines = subject.lines(parameters=parameters.without(name))
        # Where address maps and the like refer to it, its value takes its place.
        assert not [each for each in lines if each[0] == "+" and re.search(r"<\w+:(name|description)>", each)]
        assert sum(each[0] == "+" for each in lines) < sum(each[0] == "-" for each in lines)


@pytest.mark.parametrize("path", DESIGNS, ids=lambda path: path.name)
def test_what_changed_behind_a_writers_back_is_read(path: Path) -> None:
    document = parse_document(path.read_bytes(), path)
    design = read_design(document, {}, lambda _vlnv: None).design
    for name in list(re.findall(rb'(?:portRef|componentRef|componentInstanceRef|library)="([^"]+)"', document.content))[
        :5
    ]:
        content = re.sub(rb'"%b"' % re.escape(name), b'"another"', document.content)
        changed = parse_document(content, path)
        anew = read_design(changed, {}, lambda _vlnv: None).design
        assert read_design(changed, {}, lambda _vlnv: None, Known(document, design, {})).design == anew


@pytest.mark.parametrize("path", DESIGNS, ids=lambda path: path.name)
def test_designs(path: Path) -> None:
    document = parse_document(path.read_bytes(), path)
    design = read_design(document, {}, lambda _vlnv: None).design

    def lines(**fields: object) -> list[str]:
        splicer = Splicer(document)
        encode = DesignEncoder(document.vlnv, Component(vlnv=PART), {}, ())
        new: Design = design.model_copy(update=fields)
        splice_design(splicer, design, new, encode, lambda _vlnv: None)
        content = document.encode(splicer.result())
        written = parse_document(content, path)
        assert read_design(written, {}, lambda _vlnv: None).design == new
        assert read_design(written, {}, lambda _vlnv: None, Known(document, design, {})).design == new
        return changed_lines(document.content, content)

    assert lines() == []
    added = lines(instances=design.instances.set("new_one", Instance(name="new_one", component=PART)))
    assert {line[0] for line in added} == {"+"}
    assert len(added) in (1, 4, 6)
    ends = (Endpoint(instance="new_one", port="a", left="1", right="0"), Endpoint(instance="", port="b"))
    added = lines(connections=design.connections.set("new_one", Connection(name="new_one", ends=ends)))
    assert {line[0] for line in added} == {"+"}
    for group in ("instances", "connections", "interconnections"):
        elements = getattr(design, group)
        for name in list(elements)[:2]:
            assert {line[0] for line in lines(**{group: elements.without(name)})} == {"-"}


@needs_library
def test_a_leaf_of_the_public_library_gains_a_design() -> None:
    subject = Subject(LIBRARY / "tut.fi/cpu.logic/alu/1.0/alu.1.0.xml")
    design = Design(instances=subject.component.design.instances.set("u", Instance(name="u", component=PART)))
    written = write_component(subject.component.with_design(design), subject.source, subject.names)
    lines = changed_lines(subject.source.content, written.content)
    assert {line[0] for line in lines} == {"+"}
    assert_valid(written.designs["hierarchical"], "2014")
