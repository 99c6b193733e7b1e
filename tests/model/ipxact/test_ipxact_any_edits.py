"""Any sequence of edits of components that came from files: what is saved is valid and reads back as the same value."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from ipxact_files import assert_valid

from model.errors import DesignError
from model.ipxact.canonical import canonical
from model.ipxact.document import parse_document
from model.storage import open_workspace, save_all
from model.workspace import Workspace

sys.path.insert(0, str(Path(__file__).parents[1]))
from strategies import SEQUENCES, Edit, started

_OLDER = (
    (b"1685-2022", b"1685-2014"),
    (b"initiator/>", b"master/>"),
    (b"target/>", b"slave/>"),
    (b"componentInstanceRef", b"componentRef"),
)


def base(folder: Path, standard: str) -> dict[Path, bytes]:
    """The small hierarchy as files of a version of the standard."""
    workspace = Workspace(folder, started())
    save_all(workspace)
    found: dict[Path, bytes] = {}
    for path in folder.rglob("*.xml"):
        content = path.read_bytes()
        for new, old in _OLDER if standard == "2014" else ():
            content = content.replace(new, old)
        path.write_bytes(content)
        assert_valid(content, standard)
        found[path] = content
    return found


@pytest.mark.parametrize("standard", ["2014", "2022"])
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits=SEQUENCES)
def test_saved_files_stay_valid_and_read_back(standard: str, edits: list[Edit]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        contents = base(folder, standard)
        workspace = open_workspace(folder).workspace
        start = workspace.library
        for edit in edits:
            try:
                workspace.apply(edit.operation, **dict(edit.arguments))
            except DesignError:
                continue
        save_all(workspace)
        assert workspace.unsaved() == ()
        for path in folder.rglob("*.xml"):
            content = path.read_bytes()
            # Files of new components are written in the current version, copies in that of their original.
            assert_valid(content, parse_document(content, path).standard)
        for component in workspace.library:
            source = workspace.sources[component.vlnv]
            (alone,) = [
                each for each in open_workspace(source.path.parent).workspace.library if each.vlnv == component.vlnv
            ]
            if all(instance.component in workspace.library for instance in component.design.instances.values()):
                assert canonical(alone) == canonical(component)
        while workspace.done:
            workspace.undo()
        assert workspace.library is start
        save_all(workspace)
        again = open_workspace(folder).workspace.library
        for component in start:
            assert canonical(again.get(component.vlnv)) == canonical(component)
        for path in contents:
            assert_valid(path.read_bytes(), standard)
