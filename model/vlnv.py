"""The VLNV identifier of IP-XACT (IEEE 1685-2022, clause 5.2): vendor, library, name, version."""

from __future__ import annotations

import re
from dataclasses import dataclass

from model.errors import DesignError

# XML 1.0 (fifth edition) Name and NMTOKEN, without ":" which separates the four fields here.
_NAME_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME_CHAR = _NAME_START + "\\-.0-9\u00b7\u0300-\u036f\u203f-\u2040"
_NAME = f"[{_NAME_START}][{_NAME_CHAR}]*"
_NMTOKEN = f"[{_NAME_CHAR}]+"
_PORT_NAME = f"[{_NAME_START}:][{_NAME_CHAR}:]*"

# The same in ASCII, as nearly all names are: each of those above takes 10 ms to compile, and so waits to be needed.
_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_PLAIN_NMTOKEN = re.compile(r"[\w.-]+", re.ASCII)
_PLAIN_PORT_NAME = re.compile(r"[A-Za-z_:][\w.:-]*", re.ASCII)


def is_xml_name(text: str) -> bool:
    """Whether ``text`` is an XML Name without a colon (vendors, libraries, instances)."""
    return (_PLAIN_NAME.fullmatch(text) or re.fullmatch(_NAME, text)) is not None


def is_nmtoken(text: str) -> bool:
    """Whether ``text`` is an XML NMTOKEN without a colon (component names, versions)."""
    return (_PLAIN_NMTOKEN.fullmatch(text) or re.fullmatch(_NMTOKEN, text)) is not None


def is_port_name(text: str) -> bool:
    """Whether ``text`` is a legal port name: an XML Name, which may hold ``. - :``."""
    return (_PLAIN_PORT_NAME.fullmatch(text) or re.fullmatch(_PORT_NAME, text)) is not None


@dataclass(frozen=True, slots=True, order=True)
class Vlnv:
    """The four fields that identify a component or another IP-XACT document."""

    vendor: str
    library: str
    name: str
    version: str

    @classmethod
    def parse(cls, text: str) -> Vlnv:
        """Read ``vendor:library:name:version``.

        Raises:
            DesignError: ``bad-vlnv`` when there are not four non-empty, legal fields.
        """
        fields = text.strip().split(":")
        if len(fields) != 4:
            raise DesignError(
                "bad-vlnv",
                f"'{text}' is not a VLNV: it has {len(fields)} of 4 fields.",
                "Write vendor:library:name:version, for example acme:periph:uart:1.0.",
            )
        return cls.checked(*fields)

    @classmethod
    def checked(cls, vendor: str, library: str, name: str, version: str) -> Vlnv:
        """Build a VLNV whose fields obey the standard.

        Raises:
            DesignError: ``bad-vlnv`` naming the field that is empty or illegal.
        """
        for field, value, legal in (
            ("vendor", vendor, is_xml_name),
            ("library", library, is_xml_name),
            ("name", name, is_nmtoken),
            ("version", version, is_nmtoken),
        ):
            if not value:
                raise DesignError("bad-vlnv", f"The {field} is empty.", "Give vendor, library, name and version.")
            if not legal(value):
                raise DesignError(
                    "bad-vlnv",
                    f"'{value}' is not a legal {field}.",
                    "Use letters, digits, '_', '-' and '.', without spaces or ':'"
                    + ("; begin with a letter or '_'." if legal is is_xml_name else "."),
                )
        return cls(vendor, library, name, version)

    def __str__(self) -> str:
        return f"{self.vendor}:{self.library}:{self.name}:{self.version}"
