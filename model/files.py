"""Where components live on disk: what was loaded, and how it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from model.elements import Component
from model.vlnv import Vlnv


@dataclass(frozen=True, slots=True)
class ConfigurationSource:
    """The design configuration file of one view, as it was read or last written."""

    path: Path
    content: bytes


@dataclass(frozen=True, slots=True)
class DesignSource:
    """The design file of one view, as it was read or last written.

    Attributes:
        configurations: those of the design, by the view of the component that leads to them.
    """

    path: Path
    content: bytes
    configurations: Mapping[str, ConfigurationSource] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """The files of a component as they were read or last written, and the value they stood for.

    Attributes:
        component: the value that ``content`` and the designs describe: saving splices the difference into them.
        designs: by view name.
    """

    path: Path
    content: bytes
    component: Component
    designs: dict[str, DesignSource]

    @property
    def vlnv(self) -> Vlnv:
        """VLNV of the component."""
        return self.component.vlnv


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """An IP-XACT document that is no component: a design, a bus definition, an abstraction, a catalog, …

    Attributes:
        kind: local name of its document element (``busDefinition``).
    """

    kind: str
    vlnv: Vlnv
    path: Path
