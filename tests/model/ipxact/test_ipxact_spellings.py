"""Public files in other spellings: encodings, line ends, indents and prefixes stay when a port is edited."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from ipxact_files import shared_files

from model.elements import SignalPort
from model.files import Source
from model.ipxact.document import parse_document
from model.ipxact.read_component import read_component
from model.ipxact.write import write_component

Spell = Callable[[str], tuple[bytes, str, bytes]]
"""Turns a file's text into bytes, their codec, and the mark in front of them."""


def _declared(text: str, encoding: str) -> str:
    body = re.sub(r"^\s*<\?xml[^>]*\?>\s*", "", text)
    return f'<?xml version="1.0" encoding="{encoding}"?>\n{body}'


def _utf16(text: str) -> tuple[bytes, str, bytes]:
    return codecs.BOM_UTF16_LE + _declared(text, "UTF-16").encode("utf-16-le"), "utf-16-le", codecs.BOM_UTF16_LE


def _latin(text: str) -> tuple[bytes, str, bytes]:
    return _declared(text, "ISO-8859-1").encode("latin-1", "xmlcharrefreplace"), "latin-1", b""


def _marked(text: str) -> tuple[bytes, str, bytes]:
    return codecs.BOM_UTF8 + text.encode(), "utf-8", codecs.BOM_UTF8


def _windows(text: str) -> tuple[bytes, str, bytes]:
    return text.replace("\r\n", "\n").replace("\n", "\r\n").encode(), "utf-8", b""


def _no_last_newline(text: str) -> tuple[bytes, str, bytes]:
    return text.rstrip().encode(), "utf-8", b""


def _tabs(text: str) -> tuple[bytes, str, bytes]:
    return re.sub(r"(?m)^( +)", lambda found: "\t" * len(found.group()), text).encode(), "utf-8", b""


def _other_prefix(text: str) -> tuple[bytes, str, bytes]:
    text = re.sub(r"(</?|xmlns:|\s)(?:ipxact|spirit)(?=[:=])", r"\1kactus9", text)
    return text.encode(), "utf-8", b""


def _default_namespace(text: str) -> tuple[bytes, str, bytes]:
    if "xmlns:spirit" in text:  # attributes want the prefix there
        return text.encode(), "utf-8", b""
    both = re.sub(r'xmlns:ipxact=("[^"]*")', r"xmlns=\1 xmlns:ipxact=\1", text)  # some attributes carry the prefix
    return re.sub(r"(</?)ipxact:", r"\1", both).encode(), "utf-8", b""


SPELLINGS: tuple[Spell, ...] = (
    _utf16,
    _latin,
    _marked,
    _windows,
    _no_last_newline,
    _tabs,
    _other_prefix,
    _default_namespace,
)


def _components() -> list[Path]:
    found = {path: parse_document(path.read_bytes(), path) for path in shared_files()}
    with_ports = [
        path for path, document in found.items() if document.kind == "component" and b"port>" in document.utf8
    ]
    return with_ports[::4] + [path for path in with_ports if path.name.startswith("09_")]


def _lines(content: bytes, codec: str, mark: bytes) -> list[str]:
    assert content.startswith(mark)
    return content[len(mark) :].decode(codec).split("\n")


@pytest.mark.parametrize("spell", SPELLINGS, ids=lambda spell: spell.__name__.strip("_"))
@pytest.mark.parametrize("path", _components(), ids=lambda path: path.name)
def test_an_edited_port_is_the_only_difference(path: Path, spell: Spell) -> None:
    original = parse_document(path.read_bytes(), path)
    content, codec, mark = spell(original.utf8.decode())
    document = parse_document(content, path)
    component = read_component(document).component
    assert list(component.ports) == list(read_component(original).component.ports)
    source = Source(path, content, component, {})
    assert write_component(component, source, lambda _vlnv: None).content == content
    ports = {name: port for name, port in component.ports.items() if isinstance(port, SignalPort)}
    if not ports:
        return
    name, port = list(ports.items())[len(ports) // 2]
    direction = "inout" if port.direction != "inout" else "in"
    edited = component.model_copy(
        update={"ports": component.ports.set(name, port.model_copy(update={"direction": direction}))}
    )
    written = write_component(edited, source, lambda _vlnv: None).content
    before, after = _lines(content, codec, mark), _lines(written, codec, mark)
    assert len(before) == len(after)
    (changed,) = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    assert changed[0].replace(f">{port.direction}<", f">{direction}<") == changed[1]
    added = component.model_copy(
        update={"ports": component.ports.set("added_port", SignalPort(name="added_port", direction="in"))}
    )
    longer = _lines(write_component(added, source, lambda _vlnv: None).content, codec, mark)
    if len(longer) > len(before):
        start = next(at for at, line in enumerate(longer) if at >= len(before) or line != before[at])
        new = longer[start : start + len(longer) - len(before)]
        assert [*longer[:start], *longer[start + len(new) :]] == before
        indents = {line[: len(line) - len(line.lstrip())] for line in new}
        assert not indents & {" \t", "\t "}
        assert all(line.endswith("\r") for line in new) == (spell is _windows or before[0].endswith("\r"))
