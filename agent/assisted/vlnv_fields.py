"""VLNVs whose fields a request gives one by one instead of joined by colons."""

from __future__ import annotations

import re

from model.library import Library
from model.vlnv import Vlnv

# "oakridge, serial, i2c_slave, version 2.0b": the fields in their order.
_IN_ORDER = re.compile(
    r"(?<![\w.:])([A-Za-z][\w.\-]*)\s*[,/]\s*([A-Za-z]\w*)\s*[,/]\s*([A-Za-z]\w*)\s*[,/]\s*"
    r"(?:version\s+|ver\.?\s+|v\.?\s*)?(\d[\w.]*\w(?:-\w+)*|\d)",
)
_VERSION_BEHIND = re.compile(
    r"(?<![\w.:/])([A-Za-z_]\w*)\s+(?:version\s+|ver\.?\s+|v\.?\s*)?(\d[\w.\-]*\w|\d)(?![\w:])"
)


def with_vlnvs_written_out(request: str, library: Library) -> str:
    """Return the request with the VLNV of a component for its fields in their order ("acme / io / uart / 1.0").

    Its name and version are enough where no other component has both: "uart 1.0".
    """

    def written(match: re.Match[str]) -> str:
        text = ":".join(match.groups())
        return text if any(str(component.vlnv) == text for component in library) else match.group()

    versions: dict[str, dict[str, str]] = {}
    for component in library:
        vlnv = component.vlnv
        versions.setdefault(vlnv.name.casefold(), {})[vlnv.version] = "" if _is_twice(vlnv, library) else str(vlnv)

    def with_version(match: re.Match[str]) -> str:
        return versions.get(match[1].casefold(), {}).get(match[2]) or match.group()

    return _VERSION_BEHIND.sub(with_version, _IN_ORDER.sub(written, request))


def _is_twice(vlnv: Vlnv, library: Library) -> bool:
    """Whether another vendor or library has a component of that name and version."""
    return sum((other.name, other.version) == (vlnv.name, vlnv.version) for other in library.components) > 1


def fields_in_order(request: str) -> tuple[str, ...]:
    """Vendor, library, name and version where a request lists them so, else nothing."""
    found = _IN_ORDER.search(request)
    return found.groups() if found is not None else ()


def gives_a_vlnv_apart(request: str) -> bool:
    """Whether a request gives the fields of a VLNV one by one ("vendor acme, library io, name uart, version 1.0")."""
    return bool(fields_in_order(request)) or all(
        re.search(rf"\b{field}\b", request, re.IGNORECASE) for field in ("vendor", "lib(?:rary)?", "(?:version|v\\d)")
    )
