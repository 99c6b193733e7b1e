"""The window with its server, a hundred times in a row."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "desktop"))

from test_open_and_close import open_and_close


@pytest.mark.timeout(600)
def test_a_hundred_times_in_a_row(tmp_path: Path) -> None:
    said = open_and_close(100, tmp_path, seconds=500)
    print(f"\nopened, called and closed: {said}")
    assert said["more"] == {}
