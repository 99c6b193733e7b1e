"""Server and window start and stop cleanly, again and again, in a program of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "open_and_close.py"
TIMES = 10  # a hundred times take minutes on a busy machine: tests/performance/test_a_hundred_starts.py


def open_and_close(times: int, folder: Path, seconds: int = 240) -> dict[str, object]:
    """Run the script; returns what it says."""
    homes = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("STATE", "DATA", "CONFIG", "CACHE")}
    own = {"HOME": folder, "BLOCKWRIGHT_CACHE": folder / "models", "TMPDIR": folder / "temporary"}
    for path in (*homes.values(), own["TMPDIR"]):
        Path(path).mkdir()
    done = subprocess.run(
        [sys.executable, "-W", "error", str(SCRIPT), str(times), "resources/examples/tiny_soc"],
        env=os.environ
        | homes
        | {name: str(path) for name, path in own.items()}
        | {"QT_QPA_PLATFORM": "offscreen", "OLLAMA_HOST": "127.0.0.1:9"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "Traceback" not in done.stderr
    said: dict[str, object] = json.loads(done.stdout)
    return said


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors where Linux lists them")
def test_the_window_and_its_server_leave_nothing_behind(tmp_path: Path) -> None:
    said = open_and_close(TIMES, tmp_path)
    assert said["times"] == TIMES
    assert said["more"] == {}
