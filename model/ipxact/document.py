"""One IP-XACT file: its bytes, what they decode to, and the XML tree, read without trusting the file."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from xml.parsers import expat

from lxml import etree

from model.errors import DesignError
from model.vlnv import Vlnv

Standard = Literal["1.4", "1.5", "2009", "2014", "2022"]

STANDARDS: dict[str, Standard] = {
    "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1.4": "1.4",
    "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1.5": "1.5",
    "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009": "2009",
    "http://www.accellera.org/XMLSchema/IPXACT/1685-2014": "2014",
    "http://www.accellera.org/XMLSchema/IPXACT/1685-2022": "2022",
}
NAMESPACE_2022 = "http://www.accellera.org/XMLSchema/IPXACT/1685-2022"

MAX_BYTES = 64 * 1024 * 1024
"""Largest file that is read, in bytes."""

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']""")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Python codecs that transform more than characters; no XML file is written in them.
_UNFIT = {"unicode-escape", "raw-unicode-escape", "utf-7", "punycode", "idna", "undefined"}


class NotIpxactError(DesignError):
    """The file is something else than IP-XACT; the message says what."""


@dataclass(frozen=True, slots=True)
class Document:
    """A well-formed IP-XACT document.

    Attributes:
        path: where it lies, for messages.
        content: the file as it is.
        bom: byte order mark in front of the text, or empty.
        encoding: Python codec of the file.
        utf8: the text after the mark as UTF-8; byte offsets of elements count in it.
        root: the document element.
        namespace: IP-XACT namespace URI.
        standard: version of the standard.
        kind: local name of the document element: ``component``, ``design``, …
    """

    path: Path
    content: bytes
    bom: bytes
    encoding: str
    utf8: bytes
    root: etree._Element
    namespace: str
    standard: Standard
    kind: str

    @property
    def is_spirit(self) -> bool:
        """Whether the file is older than IEEE 1685-2014: other shapes, prefixed attributes."""
        return self.standard in ("1.4", "1.5", "2009")

    @property
    def vlnv(self) -> Vlnv:
        """The identifier in the document's head; missing fields are empty."""
        found = [
            (self.root.findtext(f"{{{self.namespace}}}{name}") or "").strip()
            for name in ("vendor", "library", "name", "version")
        ]
        return Vlnv(*found)

    def encode(self, utf8: bytes) -> bytes:
        """Turn UTF-8 text back into the bytes of a file like this one.

        Characters that the file's encoding lacks become character references.
        """
        if self.encoding == "utf-8":
            return self.bom + utf8
        return self.bom + utf8.decode("utf-8").encode(self.encoding, "xmlcharrefreplace")


def read_bytes(path: Path) -> bytes:
    """Read a file that is not larger than :data:`MAX_BYTES`.

    Raises:
        DesignError: ``file-not-found``, ``cannot-read``, ``too-large``.
    """
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise DesignError("file-not-found", f"There is no file {path}.") from None
    except OSError as error:
        raise DesignError("cannot-read", f"{path} cannot be read: {error.strerror or error}.") from error
    if len(content) > MAX_BYTES:
        raise DesignError("too-large", f"{path} is larger than {MAX_BYTES // 2**20} MB.", "Split it, or open another.")
    return content


def parse_document(content: bytes, path: Path) -> Document:
    """Parse the bytes of an IP-XACT file, safely.

    Raises:
        DesignError: ``not-xml``, ``wrong-encoding``, ``doctype``, ``too-large``.
        NotIpxactError: ``not-ipxact``: XML of another kind.
    """
    if len(content) > MAX_BYTES:
        raise DesignError("too-large", f"{path} is larger than {MAX_BYTES // 2**20} MB.")
    bom, encoding, utf8 = _decode(content, path)
    _refuse_doctype(utf8, path)
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_blank_text=False,
    )
    try:
        root = etree.fromstring(utf8, parser)
    except etree.XMLSyntaxError as error:
        raise DesignError(
            "not-xml", f"{path} is not well-formed XML: {error.msg}.", "Repair the file, or load another."
        ) from None
    if root.getroottree().docinfo.doctype:  # type: ignore[union-attr]
        raise _doctype(path)
    name = etree.QName(root)
    standard = STANDARDS.get(name.namespace or "")
    if standard is None:
        raise NotIpxactError("not-ipxact", f"{path} is not IP-XACT: {_describe(name)}.", "Load an IP-XACT file.")
    return Document(path, content, bom, encoding, utf8, root, name.namespace or "", standard, name.localname)


def _describe(name: etree.QName) -> str:
    if not name.namespace:
        return f"its document element is <{name.localname}> without a namespace"
    if "SPIRIT" in name.namespace or "IPXACT" in name.namespace:
        return f"<{name.localname}> belongs to {name.namespace}, a version that Blockwright does not read"
    return f"its document element is <{name.localname}> of {name.namespace}"


def _decode(content: bytes, path: Path) -> tuple[bytes, str, bytes]:
    bom, encoding = next(((mark, name) for mark, name in _BOMS if content.startswith(mark)), (b"", ""))
    body = content[len(bom) :]
    if not body.strip():
        raise DesignError("not-xml", f"{path} is empty.", "Load another file.")
    if not encoding:
        declared = _DECLARED.match(body[:400])
        encoding = declared.group(1).decode("ascii") if declared else "utf-8"
        try:
            encoding = codecs.lookup(encoding).name
        except LookupError:
            encoding = f"unknown {encoding}"
    if encoding.replace("_", "-") in _UNFIT or encoding.startswith("unknown "):
        raise DesignError("wrong-encoding", f"{path} is in an encoding that cannot be read: {encoding}.")
    if encoding == "ascii":
        encoding = "utf-8" if body.isascii() else "ascii"
    try:
        text = body.decode(encoding)
    except (UnicodeError, LookupError) as error:
        place = f" at byte {error.start + len(bom)}" if isinstance(error, UnicodeDecodeError) else ""
        raise DesignError(
            "wrong-encoding",
            f"{path} is not in the encoding {encoding} that it states{place}.",
            "Save it in that encoding, or correct its first line.",
        ) from None
    if "\0" in text:
        raise DesignError("not-xml", f"{path} is not XML: it holds NUL bytes.", "Load another file.")
    return bom, encoding, body if encoding == "utf-8" else text.encode("utf-8")


class _DoctypeMet(Exception):
    pass


class _ElementMet(Exception):
    pass


def _refuse_doctype(utf8: bytes, path: Path) -> None:
    """Stop before the real parser meets entity declarations; ends at the first element."""

    def doctype(*_args: object) -> None:
        raise _DoctypeMet

    def element(*_args: object) -> None:
        raise _ElementMet

    parser = expat.ParserCreate("utf-8")
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = element
    try:
        parser.Parse(utf8, True)
    except _DoctypeMet:
        raise _doctype(path) from None
    except (_ElementMet, expat.ExpatError):
        return


def _doctype(path: Path) -> DesignError:
    return DesignError(
        "doctype",
        f"{path} has a DOCTYPE, which IP-XACT files do not need and which can hide harmful entities.",
        "Remove the DOCTYPE from the file.",
    )
