"""A workspace on a folder of its own with a few real files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from model.storage import open_workspace
from model.workspace import Workspace

FIXTURES = Path(__file__).parent / "ipxact" / "fixtures"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the fixtures."""
    place = tmp_path / "workspace"
    place.mkdir()
    for path in FIXTURES.glob("*.xml"):
        shutil.copyfile(path, place / path.name)
    return place


@pytest.fixture
def workspace(folder: Path) -> Workspace:
    """The folder, opened."""
    return open_workspace(folder).workspace
