"""``blockwright ask`` as a user runs it: a real process on a real folder; the model is real where one is needed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from agent.models import weights

TIMER = "blockwright.org:peripheral:timer:1.0"
needs_model = [
    pytest.mark.model,
    pytest.mark.skipif(not weights.DEFAULT.present, reason="the model's weights are not here"),
    pytest.mark.timeout(900),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with as_file(files("resources") / "examples" / "tiny_soc") as example:
        return Path(shutil.copytree(example, tmp_path / "soc"))


def blockwright(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from desktop.cli import main; main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"OLLAMA_HOST": "127.0.0.1:9", "NO_COLOR": "1"} | environment,
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*.xml"))}


def test_without_any_model_the_status_is_3_and_one_sentence_says_how_to_get_one(folder: Path, tmp_path: Path) -> None:
    done = blockwright(
        "ask", f"Add an input x to {TIMER}", "--workspace", str(folder), BLOCKWRIGHT_CACHE=str(tmp_path / "empty")
    )
    assert done.returncode == 3
    assert "blockwright models pull" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask",),
        ("ask", "Add a port"),
        ("ask", "Add a port", "--workspace", "/nowhere"),
        ("ask", " ", "--workspace", "."),
        ("ask", "Add a port", "--workspace", ".", "--mode", "magic"),
    ],
)
def test_bad_usage_is_status_2_without_a_traceback(arguments: tuple[str, ...]) -> None:
    done = blockwright(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_workspace_that_is_not_ip_xact_is_bad_usage(tmp_path: Path) -> None:
    (tmp_path / "page.xml").write_text("<html/>")
    done = blockwright("ask", "Add a port", "--workspace", str(tmp_path / "page.xml"))
    assert done.returncode == 2
    assert "html" in done.stderr


class TestWithTheRealModel:
    pytestmark = needs_model

    def test_a_dry_run_shows_the_change_and_writes_nothing(self, folder: Path) -> None:
        before = contents(folder)
        done = blockwright(
            "ask", f"Add an 8-bit output port called debug_bus to {TIMER}", "--workspace", str(folder), "--dry-run"
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"+ signal_port debug_bus of {TIMER}" in done.stdout
        assert contents(folder) == before

    def test_an_edit_changes_that_file_and_nothing_else_in_it(self, folder: Path) -> None:
        before = contents(folder)
        done = blockwright(
            "ask", f"Add an 8-bit output port called debug_bus to {TIMER}", "--workspace", str(folder), "--json"
        )
        assert done.returncode == 0, done.stdout + done.stderr
        told = json.loads(done.stdout)
        assert told["change"] == {"added": [f"signal_port debug_bus of {TIMER}"], "changed": [], "removed": []}
        after = contents(folder)
        (changed,) = [path for path in after if after[path] != before[path]]
        assert told["saved"] == [changed]
        old, new = before[changed].decode().splitlines(), after[changed].decode().splitlines()
        start = next(index for index, line in enumerate(new) if line not in old[index : index + 1])
        inserted = len(new) - len(old)
        assert new[:start] + new[start + inserted :] == old
        assert "<ipxact:name>debug_bus</ipxact:name>" in "".join(new[start : start + inserted])

    def test_a_delete_needs_yes(self, folder: Path) -> None:
        before = contents(folder)
        done = blockwright("ask", "Delete the component blockwright.org:peripheral:i2c:1.0", "--workspace", str(folder))
        assert done.returncode == 5, done.stdout + done.stderr
        assert contents(folder) == before

    def test_a_request_about_an_unknown_component_is_refused(self, folder: Path) -> None:
        before = contents(folder)
        done = blockwright("ask", "Add an input en to blockwright.org:peripheral:can:1.0", "--workspace", str(folder))
        assert done.returncode == 1, done.stdout + done.stderr
        assert "There is no component blockwright.org:peripheral:can:1.0" in done.stdout
        assert contents(folder) == before
