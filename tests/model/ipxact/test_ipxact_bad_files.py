"""Files that are broken, hostile or something else: refused quickly, with a reason, and without an effect."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ipxact_files import FIXTURES
from lxml import etree

from model.errors import DesignError
from model.files import Source
from model.ipxact import document as documents
from model.ipxact.document import parse_document, read_bytes
from model.ipxact.read_component import read_component
from model.ipxact.read_design import design_parameter_values, read_design
from model.ipxact.write import write_component
from model.storage import load_component, open_workspace

HEAD = b'<?xml version="1.0"?>\n'
ROOT = b'<i:component xmlns:i="http://www.accellera.org/XMLSchema/IPXACT/1685-2014">'
BOMB = (
    HEAD
    + b'<!DOCTYPE c [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
    + ROOT
    + b"<i:name>&c;</i:name></i:component>"
)

BAD = {
    "empty": (b"", "not-xml", "is empty"),
    "blank": (b"  \n ", "not-xml", "is empty"),
    "text": (b"module top; endmodule", "not-xml", "not well-formed"),
    "nul": (HEAD + ROOT + b"\0</i:component>", "not-xml", "NUL"),
    "truncated": (HEAD + ROOT + b"<i:vendor>acme", "not-xml", "not well-formed"),
    "wrong encoding": (HEAD + ROOT + b"<i:vendor>caf\xe9</i:vendor></i:component>", "wrong-encoding", "utf-8"),
    "unknown encoding": (b'<?xml version="1.0" encoding="x-klingon"?><a/>', "wrong-encoding", "x-klingon"),
    "not an encoding": (b'<?xml version="1.0" encoding="unicode_escape"?><a/>', "wrong-encoding", "unicode"),
    "half utf-16": (b"\xff\xfe<\0a", "wrong-encoding", "utf-16"),
    "deep": (HEAD + ROOT + b"<i:x>" * 200_000 + b"</i:x>" * 200_000 + b"</i:component>", "not-xml", "depth"),
    "doctype": (BOMB, "doctype", "DOCTYPE"),
    "external entity": (
        HEAD + b'<!DOCTYPE c [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + ROOT + b"&e;</i:component>",
        "doctype",
        "DOCTYPE",
    ),
    "external doctype": (HEAD + b'<!DOCTYPE c SYSTEM "http://127.0.0.1:9/x.dtd">' + ROOT, "doctype", "DOCTYPE"),
    "undefined entity": (HEAD + ROOT + b"&nothing;</i:component>", "not-xml", "nothing"),
    "html": (b"<html><body/></html>", "not-ipxact", "<html> without a namespace"),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "not-ipxact", "<svg> of http://www.w3.org/2000/svg"),
    "future": (
        b'<c xmlns="http://www.accellera.org/XMLSchema/IPXACT/1685-2031"/>',
        "not-ipxact",
        "a version that Blockwright does not read",
    ),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", BAD)
def test_refused_with_a_reason(tmp_path: Path, name: str) -> None:
    content, code, said = BAD[name]
    (tmp_path / "bad.xml").write_bytes(content)
    opened = open_workspace(tmp_path)
    assert [finding.code for finding in opened.findings] == [code]
    library = opened.workspace.library
    with pytest.raises(DesignError) as caught:
        load_component(opened.workspace, "bad.xml")
    assert caught.value.code == code
    assert said in caught.value.message
    assert opened.workspace.library is library


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_BYTES", 100)
    path = tmp_path / "large.xml"
    path.write_bytes(HEAD + ROOT + b" " * 100 + b"</i:component>")
    with pytest.raises(DesignError, match="larger than") as caught:
        read_bytes(path)
    assert caught.value.code == "too-large"


def test_expressions_that_double_one_another_do_not_explode() -> None:
    parameters = "".join(
        f'<i:parameter parameterId="p{n}"><i:name>P{n}</i:name><i:value>p{n - 1}+p{n - 1}</i:value></i:parameter>'
        for n in range(1, 200)
    )
    text = (
        '<i:design xmlns:i="http://www.accellera.org/XMLSchema/IPXACT/1685-2014"><i:parameters>'
        f'<i:parameter parameterId="p0"><i:name>P0</i:name><i:value>1</i:value></i:parameter>{parameters}'
        "</i:parameters></i:design>"
    )
    values = design_parameter_values(parse_document(text.encode(), Path("d.xml")).root, {})
    assert values["p2"] == "(1+1)+(1+1)"
    assert max(len(value) for value in values.values()) < 10_000


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match=r"nowhere\.xml") as caught:
        open_workspace(tmp_path / "nowhere.xml")
    assert caught.value.code == "file-not-found"


def test_other_documents_say_what_they_are(tmp_path: Path) -> None:
    text = '<i:busDefinition xmlns:i="http://www.accellera.org/XMLSchema/IPXACT/1685-2014"/>'
    (tmp_path / "bus.xml").write_text(text)
    with pytest.raises(DesignError, match="busDefinition") as caught:
        load_component(open_workspace(tmp_path).workspace, "bus.xml")
    assert caught.value.code == "not-a-component"


SOURCES = [path.read_bytes() for path in sorted(FIXTURES.glob("*.xml"))]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(SOURCES), st.data())
def test_damaged_files_are_refused_or_read_but_never_crash(content: bytes, data: st.DataObject) -> None:
    for _damage in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 40)))
        content = content[:start] + data.draw(st.binary(max_size=6)) + content[end:]
    try:
        document = parse_document(content, Path("damaged.xml"))
    except DesignError:
        return
    if document.kind == "component":
        read_component(document)
    elif document.kind == "design":
        read_design(document, {}, lambda _vlnv: None)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SOURCES), st.data())
def test_elements_in_wrong_places_are_read(content: bytes, data: st.DataObject) -> None:
    root = etree.fromstring(content)
    elements = list(root.iter("*"))
    for _move in range(data.draw(st.integers(1, 4))):
        moved, target = data.draw(st.sampled_from(elements[1:])), data.draw(st.sampled_from(elements))
        if moved is not target and moved not in target.iterancestors():
            target.append(moved)
    document = parse_document(etree.tostring(root), Path("jumbled.xml"))
    if document.kind == "component":
        read = read_component(document)
        source = Source(document.path, document.content, read.component, {})
        assert write_component(read.component, source, lambda _vlnv: None).content == document.content
    elif document.kind == "design":
        read_design(document, {}, lambda _vlnv: None)
