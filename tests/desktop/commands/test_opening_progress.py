"""Commands on files that are broken or hostile, on work that a window lost, and on a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from desktop.cli import app
from desktop.recovery import Journal
from model import operations
from model.storage import open_workspace
from model.workspace import Workspace

ROOT = b'<i:component xmlns:i="http://www.accellera.org/XMLSchema/IPXACT/1685-2022">'
BAD = {
    "truncated": (ROOT + b"<i:vendor>ac", "not-xml"),
    "encoding": (ROOT + b"<i:vendor>caf\xe9</i:vendor></i:component>", "wrong-encoding"),
    "bomb": (b'<!DOCTYPE c [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + ROOT + b"&b;</i:component>", "doctype"),
    "entity": (b'<!DOCTYPE c [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + ROOT + b"&e;</i:component>", "doctype"),
    "deep": (ROOT + b"<i:x>" * 200_000 + b"</i:x>" * 200_000 + b"</i:component>", "not-xml"),
    "nul": (ROOT + b"\0</i:component>", "not-xml"),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", BAD)
def test_check_names_the_fault_and_the_file(tmp_path: Path, name: str) -> None:
    content, code = BAD[name]
    path = tmp_path / "bad.xml"
    path.write_bytes(content)
    for target in (path, tmp_path):
        result = CliRunner().invoke(app, ["check", str(target)])
        assert result.exit_code == 1
        assert f"error {code}" in result.output
        assert "bad.xml" in result.output
    assert path.read_bytes() == content


@pytest.mark.timeout(60)
def test_check_refuses_a_hundred_megabytes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    with path.open("wb") as stream:
        stream.truncate(100 * 2**20)
    result = CliRunner().invoke(app, ["check", str(tmp_path)])
    assert result.exit_code == 1
    assert "error too-large" in result.output


def test_check_follows_no_link_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (tmp_path / "secret.xml").write_bytes(ROOT + b"<i:vendor>secret</i:vendor></i:component>")
    (folder / "link.xml").symlink_to(tmp_path / "secret.xml")
    result = CliRunner().invoke(app, ["check", str(folder)])
    assert "secret" not in result.output
    assert "in 0 components" in result.output


def test_ask_tells_of_work_that_a_window_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("STATE", "CACHE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    monkeypatch.setenv("BLOCKWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    folder = tmp_path / "workspace"
    folder.mkdir()
    workspace = Workspace(folder.resolve())
    workspace.apply(operations.create_component, vendor="acme", library="l", name="lost", version="1.0")
    journal = Journal()
    journal.write(workspace)
    assert journal._lock is not None
    journal._lock.close()  # what the system does when the process is killed
    result = CliRunner().invoke(app, ["ask", "Add a port clk", "--workspace", str(folder), "--dry-run"])
    assert "left unsaved work on acme:l:lost:1.0" in result.output
    assert not len(open_workspace(folder).workspace.library)


@pytest.mark.skipif(sys.platform == "win32", reason="There are no pseudo-terminals.")
def test_progress_is_shown_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_bytes(b"<a>")
    script = (
        "from desktop.commands import opening; from pathlib import Path; opening._FIRST_S = -1.0; "
        f"opening.open_with_progress(Path({str(tmp_path)!r}))"
    )
    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    subprocess.run([sys.executable, "-c", script], stderr=end, check=True, env=environment)
    os.close(end)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", os.read(terminal, 100_000).decode())
    os.close(terminal)
    assert "Looking at files" in shown
    assert "1/1" in shown
