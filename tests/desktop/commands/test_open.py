"""``blockwright`` as a user starts it where there is no display: a real process, real pictures, the real model."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from agent.models import weights


def blockwright(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    return subprocess.run(
        [sys.executable, "-c", "from desktop.cli import main; main()", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=environment | {"OLLAMA_HOST": "127.0.0.1:9", "NO_COLOR": "1", "HOME": str(cwd), **_cache()},
    )


def _cache() -> dict[str, str]:
    """A home of its own for settings and logs, but the weights that are already here."""
    return {"BLOCKWRIGHT_CACHE": str(weights.cache_folder())}


def test_a_folder_without_a_display_becomes_a_picture(tmp_path: Path) -> None:
    with as_file(files("resources") / "examples" / "tiny_soc") as example:
        done = blockwright(tmp_path, str(example))
    assert done.returncode == 0, done.stderr
    picture = QImage(str(tmp_path / "out" / "demonstration" / "tiny_soc.png"))
    assert (picture.width(), picture.height()) == (1600, 1000)
    assert "A picture of the window" in done.stdout


def test_what_is_not_there_is_bad_usage(tmp_path: Path) -> None:
    done = blockwright(tmp_path, "nowhere")
    assert done.returncode == 2
    assert "nowhere" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.model
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not weights.DEFAULT.present, reason="the model's weights are not here")
def test_the_demonstration_edits_chains_and_refuses(tmp_path: Path) -> None:
    done = blockwright(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    names = ["0-start", "1-one-edit", "2-chain", "3-refused"]
    pictures = [QImage(str(tmp_path / "out" / "demonstration" / f"{name}.png")) for name in names]
    assert all(not picture.isNull() for picture in pictures)
    assert pictures[0] != pictures[1] != pictures[2]
    rows = [line.split() for line in done.stdout.splitlines() if ".png" in line and "s:" not in line]
    # request, outcome, calls, ECC, EVCR, TFR, NCA
    assert [row[:7] for row in rows] == [
        ["one-edit", "done", "1", "1.00", "0.00", "0.00", "–"],
        ["chain", "done", "3", "1.00", "0.00", "0.00", "–"],
        ["refused", "refused", "0", "–", "0.00", "0.00", "1.00"],
    ]
