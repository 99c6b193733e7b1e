"""What lies outside the design, with the real Git server and a real gdb: the same every time, and brought back."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.evaluation import git_server
from agent.evaluation.firmware import firmware
from agent.evaluation.folder_state import KeptFolder
from agent.evaluation.surroundings import Surroundings, missing, provide, tool_versions
from agent.models.base import ToolCall
from agent.servers import ServerError

pytestmark = pytest.mark.anyio

PROGRAM = "firmware/build/loopback"


@pytest.fixture
async def around(tmp_path: Path) -> AsyncIterator[Surroundings]:
    if absent := missing(["git", "gdb"]):
        pytest.skip(" ".join(absent.values()))
    async with Surroundings.opened(["design", "git", "gdb"], tmp_path) as opened:
        yield opened


async def made(around: Surroundings, name: str, **arguments: object) -> str:
    result = await around.tools.call(ToolCall(name, arguments))
    assert result.ok, result.text
    return result.text


async def test_the_repository_is_the_same_on_every_machine(around: Surroundings) -> None:
    log = await made(around, "git_log", repo_path="firmware", max_count=1)
    assert "Commit: dd8d8bd6358dac73a06621d01644ce4a296fc584\nAuthor: Tomasz Wójcik" in log
    status = await made(around, "git_status", repo_path="firmware")
    assert "modified:   README.md" in status
    assert "docs/" in status
    assert "build/" not in status
    branches = await made(around, "git_branch", repo_path="firmware", branch_type="all")
    assert branches.split() == ["feature/parity", "*", "main", "release/0.2"]
    await made(around, "git_add", repo_path="firmware", files=["README.md"])
    commit = await made(around, "git_commit", repo_path="firmware", message="Say what the exit status means")
    assert commit.endswith("0ab2669f9416ebd1b418bde7854a4acb2944fa58")


async def test_other_repositories_are_out_of_reach(around: Surroundings, tmp_path: Path) -> None:
    refused = await around.tools.call(ToolCall("git_status", {"repo_path": str(tmp_path)}))
    assert not refused.ok
    assert "outside the allowed repository" in refused.text


async def test_the_repository_is_brought_back(around: Surroundings) -> None:
    before = await around.capture()
    clean = await made(around, "git_status", repo_path="firmware")
    await made(around, "git_create_branch", repo_path="firmware", branch_name="stray/one", base_branch="v0.1")
    await made(around, "git_add", repo_path="firmware", files=["."])
    await made(around, "git_commit", repo_path="firmware", message="stray")
    await made(around, "git_checkout", repo_path="firmware", branch_name="feature/parity")
    assert await around.capture() != before
    await around.restore(before)
    assert await around.capture() == before
    assert await made(around, "git_status", repo_path="firmware") == clean
    assert "stray" not in await made(around, "git_branch", repo_path="firmware", branch_type="all")
    assert "Double the ring" in await made(around, "git_log", repo_path="firmware", max_count=1)


async def test_the_debugger_is_brought_back(around: Surroundings) -> None:
    fresh = await around.capture()
    await made(around, "gdb_start")
    await made(around, "gdb_load", session="gdb1", program=PROGRAM)
    await made(around, "gdb_break", session="gdb1", location="frame_send")
    await made(around, "gdb_run", session="gdb1")
    stopped = await around.capture()
    where = await made(around, "gdb_backtrace", session="gdb1")
    await made(around, "gdb_continue", session="gdb1")
    await made(around, "gdb_start")
    later = await around.capture()
    assert later != stopped
    await around.restore(stopped)
    assert await made(around, "gdb_backtrace", session="gdb1") == where
    assert await around.capture() == stopped
    assert not (await around.tools.call(ToolCall("gdb_end", {"session": "gdb2"}))).ok
    await around.restore(later)
    await around.restore(fresh)
    assert not (await around.tools.call(ToolCall("gdb_backtrace", {"session": "gdb1"}))).ok


async def test_a_debugger_where_nothing_changed_is_left_alone(around: Surroundings) -> None:
    await made(around, "gdb_start")
    await made(around, "gdb_load", session="gdb1", program=PROGRAM)
    loaded = await around.capture()
    debugger = around._debugger
    assert debugger is not None
    session = debugger._server.sessions._open["gdb1"]
    refused = await around.tools.call(ToolCall("gdb_locals", {"session": "gdb1"}))
    assert not refused.ok
    await around.restore(loaded)
    assert debugger._server.sessions._open["gdb1"] is session


async def test_versions_are_told(around: Surroundings) -> None:
    found = tool_versions(around.servers)
    assert found["mcp-server-git"] == git_server.VERSION
    assert all(part.isdigit() for name in ("git", "gdb") for part in found[name].split("."))
    assert tool_versions(["design"]) == {}


async def test_suites_of_the_design_alone_need_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    async with Surroundings.opened(["design"], tmp_path) as opened:
        assert len(opened.tools.specs) == 14
        assert (await opened.capture()).repository is None


def test_a_server_that_cannot_be_installed_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing(["git"]):
        pytest.skip("git is not installed")
    monkeypatch.setenv("BLOCKWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    told: list[str] = []
    with pytest.raises(ServerError, match=r"mcp-server-git==.* cannot be installed: .*see `pip config list`"):
        provide("git", told.append)
    assert told
    assert list(tmp_path.iterdir()) == []


NAMES = st.text("ab.", min_size=1, max_size=2).filter(lambda name: name.strip("."))
TREES = st.dictionaries(st.lists(NAMES, min_size=1, max_size=3).map("/".join), st.binary(max_size=3), max_size=6)


def write(folder: Path, tree: dict[str, bytes]) -> None:
    for name, content in tree.items():
        path = folder / name
        if not path.exists() and not any(parent.is_file() for parent in path.parents):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


@settings(max_examples=40, deadline=None)
@given(before=TREES, removed=st.sets(st.integers(0, 5)), after=TREES)
def test_a_folder_comes_back_whatever_was_done_to_it(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, bytes], removed: set[int], after: dict[str, bytes]
) -> None:
    folder = tmp_path_factory.mktemp("kept")
    kept = KeptFolder(folder)
    write(folder, before)
    state = kept.capture()
    for index, name in enumerate(sorted(state.files)):
        if index in removed:
            (folder / name).unlink()
    for place, inner, names in os.walk(folder, topdown=False):
        if place != str(folder) and not inner and not names:
            Path(place).rmdir()
    write(folder, after)
    for name in after:
        if (folder / name).is_file():
            (folder / name).write_bytes(b"xyz")
    kept.restore(state)
    assert kept.capture() == state == KeptFolder(folder).capture()


def test_permissions_come_back(tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"x")
    (tmp_path / "run").chmod(0o755)
    kept = KeptFolder(tmp_path)
    state = kept.capture()
    (tmp_path / "run").chmod(0o444)
    kept.restore(state)
    assert (tmp_path / "run").stat().st_mode & 0o777 == 0o755


def test_the_description_names_only_what_it_has() -> None:
    described = firmware()
    ids = {commit.id for commit in described.commits}
    assert all(not commit.after or commit.after in ids for commit in described.commits)
    assert described.checkout in {commit.branch for commit in described.commits}
