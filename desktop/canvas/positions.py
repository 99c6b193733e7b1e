"""Where people put things, kept beside the workspace: ``.blockwright/layout.json``. No Qt.

Only what a person has arranged is stored, and wires are not: they are routed again. A file that cannot be read costs
the places, never the design.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.canvas.layout import BlockLayout, Layout, Point
from model.errors import DesignError
from model.vlnv import Vlnv

FILE = Path(".blockwright") / "layout.json"
_VERSION = 2
NOTE_WIDTH = 180.0


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on the canvas."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Placement:
    """The picture of one component: places, courses and notes."""

    layout: Layout = field(default_factory=Layout)
    notes: Mapping[str, Note] = field(default_factory=dict)


class Positions:
    """The placements by component.

    Attributes:
        placements: all that are known.
        arranged: the components that a person has arranged; the others can be laid out again at any time.
        seeds: where the design's own file puts instances (Kactus2 keeps that), as it was when it was arranged here.
    """

    def __init__(self) -> None:
        self.placements: dict[Vlnv, Placement] = {}
        self.arranged: set[Vlnv] = set()
        self.seeds: dict[Vlnv, Mapping[str, Point]] = {}

    def load(self, folder: Path) -> None:
        """Take the places that are stored in a workspace folder; none where there are none or they are unreadable."""
        self.placements, self.arranged, self.seeds = {}, set(), {}
        try:
            stored = json.loads((folder / FILE).read_text(encoding="utf-8"))
            if stored["version"] != _VERSION:
                return
            for text, content in stored["components"].items():
                vlnv = Vlnv.parse(text)
                self.placements[vlnv], self.seeds[vlnv] = _decoded(content)
                self.arranged.add(vlnv)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, DesignError):
            return

    def copy(self) -> Positions:
        """The same as it is now: it can be saved on another thread while this one goes on."""
        other = Positions()
        other.placements, other.arranged, other.seeds = dict(self.placements), set(self.arranged), dict(self.seeds)
        return other

    def save(self, folder: Path, library: Container[Vlnv]) -> None:
        """Store what was arranged in a workspace folder: the file is replaced as a whole or not at all.

        Args:
            folder: of the workspace.
            library: what still exists; what a component's file does not hold any more is forgotten.

        Raises:
            OSError: the folder cannot be written.
        """
        components = {
            str(vlnv): _encoded(self.placements[vlnv], self.seeds.get(vlnv, {}))
            for vlnv in sorted(self.arranged)
            if vlnv in self.placements and vlnv in library
        }
        path = folder / FILE
        if not components:
            path.unlink(missing_ok=True)
            return
        text = json.dumps({"version": _VERSION, "components": components}, indent=1, sort_keys=True)
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix="layout", suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text + "\n")
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _encoded(placement: Placement, seeds: Mapping[str, Point]) -> dict[str, object]:
    content: dict[str, object] = {
        "nodes": {key: [node.x, node.y, node.width, node.height] for key, node in placement.layout.nodes.items()}
    }
    if placement.notes:
        content["notes"] = {key: [note.text, note.x, note.y] for key, note in placement.notes.items()}
    if seeds:
        content["seeds"] = {key: list(point) for key, point in seeds.items()}
    return content


def _decoded(content: dict[str, Any]) -> tuple[Placement, dict[str, Point]]:
    nodes = {key: BlockLayout(*map(float, numbers)) for key, numbers in content["nodes"].items()}
    notes = {key: Note(str(text), float(x), float(y)) for key, (text, x, y) in content.get("notes", {}).items()}
    seeds = {key: Point(float(x), float(y)) for key, (x, y) in content.get("seeds", {}).items()}
    return Placement(Layout(nodes), notes), seeds
