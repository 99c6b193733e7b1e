"""Folders of IP-XACT files to test with, and questions to what saving did to them."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Callable
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import TypeVar

import pytest
from lxml import etree
from pyEDAA import IPXACT

from model.change import Change
from model.difference import change_between
from model.elements import Component, Connection, Design, Interconnection
from model.frozen_map import FrozenMap
from model.library import Library
from model.storage import open_workspace, save_component
from model.vlnv import Vlnv
from model.workspace import Workspace

FIXTURES = Path(__file__).parent / "fixtures"
SHARED = Path(__file__).parents[4] / "shared" / "ipxact"
LIBRARY = SHARED / "kactus2-example-library"

TIMER = Vlnv.parse("acme.example:periph:timer:1.0")
BOARD = Vlnv.parse("acme.example:soc:board:2.0")
GATE = Vlnv.parse("acme.example:old:gate:0.9")

Joined = TypeVar("Joined", Connection, Interconnection)

needs_library = pytest.mark.skipif(not LIBRARY.is_dir(), reason="the corpus of public files is not here")


def shared_files() -> list[Path]:
    """The public files, or none where they are not at hand."""
    return sorted(SHARED.rglob("*.xml")) if SHARED.is_dir() else []


class Desk:
    """A copy of some files, opened; edits are made on the value and saved."""

    def __init__(self, folder: Path, source: Path = FIXTURES) -> None:
        self.folder = folder / "workspace"
        self.folder.mkdir()
        for path in source.rglob("*.xml"):
            target = self.folder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        opened = open_workspace(self.folder)
        self.workspace: Workspace = opened.workspace
        self.findings = opened.findings

    def __getitem__(self, vlnv: Vlnv) -> Component:
        return self.workspace.library.get(vlnv)

    def put(self, component: Component) -> None:
        """Edit by hand: whatever the tools would allow, and more."""

        def operation(current: Library) -> tuple[Library, Change]:
            after = current.put(component)
            return after, change_between(current, after, "Edited.")

        self.workspace.apply(operation)

    def edit(self, vlnv: Vlnv, **fields: object) -> None:
        self.put(self[vlnv].model_copy(update=fields))

    def edit_design(self, vlnv: Vlnv, change: Callable[[Design], dict[str, object]]) -> None:
        component = self[vlnv]
        self.put(component.with_design(component.design.model_copy(update=change(component.design))))

    def save(self, vlnv: Vlnv, path: str = "") -> dict[str, list[str]]:
        """Save, check that the files read back as the value, and return the lines that changed by file name."""
        before = self.contents()
        save_component(self.workspace, str(vlnv), path)
        assert vlnv not in self.workspace.unsaved()
        again = open_workspace(self.folder).workspace.library.get(vlnv)
        assert comparable(again) == comparable(self[vlnv])
        after = self.contents()
        return {
            path.name: changed_lines(before.get(path, b""), content)
            for path, content in after.items()
            if before.get(path) != content
        }

    def contents(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in sorted(self.folder.rglob("*.xml"))}


def comparable(component: Component) -> Component:
    """Without what files cannot tell: the order of ends, and the VLNV that a design gets when it is saved."""
    designs = component.designs
    for view, design in component.designs.items():
        sorted_ends = {
            "connections": FrozenMap((name, _sorted_ends(value)) for name, value in design.connections.items()),
            "interconnections": FrozenMap(
                (name, _sorted_ends(value)) for name, value in design.interconnections.items()
            ),
        }
        designs = designs.set(view, design.model_copy(update={**sorted_ends, "vlnv": None}))
    return component.model_copy(update={"designs": designs})


def _sorted_ends(value: Joined) -> Joined:
    return value.model_copy(update={"ends": tuple(sorted(value.ends, key=str))})


def changed_lines(before: bytes, after: bytes) -> list[str]:
    """Removed and added lines, marked - and +, without the white space around them."""
    old, new = before.decode("latin-1").splitlines(), after.decode("latin-1").splitlines()
    same = _alike(old, new)
    old, new = old[same:], new[same:]
    same = _alike(old[::-1], new[::-1])
    lines = difflib.ndiff(old[: len(old) - same], new[: len(new) - same])
    return [line[0] + line[2:].strip() for line in lines if line[0] in "+-"]


def _alike(one: list[str], other: list[str]) -> int:
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


@lru_cache
def schema(standard: str) -> etree.XMLSchema:
    folder = Path(IPXACT.__file__).parent / "Schema" / f"ieee-1685-{standard}"
    return etree.XMLSchema(etree.parse(folder / "index.xsd"))


def assert_valid(content: bytes, standard: str = "2022") -> None:
    schema(standard).assertValid(etree.fromstring(content))
