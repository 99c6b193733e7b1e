"""Where people put things, kept beside the workspace: ``.blockwright/layout.json``. No Qt.

Wires are not stored: they are routed again. A file that cannot be read costs the places, never the design.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from desktop.canvas.layout import BlockLayout
from model.errors import DesignError
from model.vlnv import Vlnv

FILE = Path(".blockwright") / "layout.json"
_VERSION = 1

Places = dict[str, BlockLayout]


class Positions:
    """The places of nodes by component."""

    def __init__(self) -> None:
        self.places: dict[Vlnv, Places] = {}

    def load(self, folder: Path) -> None:
        """Take the places that are stored in a workspace folder; none where there are none or they are unreadable."""
        self.places = {}
        try:
            text = (folder / FILE).read_text(encoding="utf-8")
            self.places = _decoded(json.loads(text))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, DesignError):
            return

    def save(self, folder: Path) -> None:
        """Store the places in a workspace folder: the file is replaced as a whole or not at all.

        Raises:
            OSError: the folder cannot be written.
        """
        path = folder / FILE
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix="layout", suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(_encoded(self.places), file, indent=1, sort_keys=True)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _encoded(places: dict[Vlnv, Places]) -> dict[str, object]:
    components = {
        str(vlnv): {key: [node.x, node.y, node.width, node.height] for key, node in nodes.items()}
        for vlnv, nodes in places.items()
    }
    return {"version": _VERSION, "components": components}


def _decoded(stored: dict[str, Any]) -> dict[Vlnv, Places]:
    if stored["version"] != _VERSION:
        return {}
    return {
        Vlnv.parse(vlnv): {key: BlockLayout(*map(float, numbers)) for key, numbers in nodes.items()}
        for vlnv, nodes in stored["components"].items()
    }
