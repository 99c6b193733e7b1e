"""A run over a suite with a repository and a debugger; the model is a stand-in, the servers are the real ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small_suite import UART, saying
from stand_in_server import StandIn

from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.results import load_run
from agent.evaluation.run_folder import RunFolder
from agent.evaluation.runner import Plan, run
from agent.evaluation.surroundings import missing

pytestmark = pytest.mark.anyio

PROGRAM = "firmware/build/loopback"

Turn = tuple[str, dict[str, Any]]


def task(name: str, server: str, *calls: Turn) -> dict[str, Any]:
    expected = [{"tool": tool, "args": arguments} for tool, arguments in calls]
    return {"id": name, "server": server, "prompt": f"Do {name}.", "expected": expected}


STATUS: Turn = ("git_status", {"repo_path": "firmware"})
BRANCH: Turn = ("git_create_branch", {"repo_path": "firmware", "branch_name": "dma"})
STRAY: Turn = ("git_create_branch", {"repo_path": "firmware", "branch_name": "stray"})
SWITCH: Turn = ("git_checkout", {"repo_path": "firmware", "branch_name": "dma"})
START: Turn = ("gdb_start", {})
LOAD: Turn = ("gdb_load", {"session": "gdb1", "program": PROGRAM})
RUN: Turn = ("gdb_run", {"session": "gdb1"})


def port(name: str) -> Turn:
    return ("add_signal_port", {"component": UART, "name": name, "direction": "in"})


@pytest.fixture
def noise(tmp_path: Path) -> str:
    create = {"vendor": "acme", "library": "periph", "name": "uart", "version": "1.0"}
    suite = {
        "suite": "small-noise",
        "servers": ["design", "git", "gdb"],
        "setup": [{"tool": "create_component", "args": create}],
        "tasks": [
            task("clk", "design", port("clk")),
            task("rx", "design", port("rx")),
            task("branch", "git", BRANCH),
            task("load", "gdb", START, LOAD),
            task("run", "gdb", RUN),
            task("switch", "git", SWITCH),
        ],
    }
    file = tmp_path / "small-noise.yaml"
    file.write_text(json.dumps(suite))
    return str(file)


async def test_stray_calls_are_extraneous_and_undone_and_the_others_are_reported_apart(
    ollama: StandIn, noise: str, tmp_path: Path, configuration: Configuration
) -> None:
    if absent := missing(["git", "gdb"]):
        pytest.skip(" ".join(absent.values()))
    ollama.answers["/api/chat"] = saying(
        # A look at another server, a change there, and a debugger that nobody asked for.
        *(port("clk"), STATUS, "Done."),
        *(port("rx"), STRAY, START, "Done."),
        # The branch is made on a repository without the stray one, and a second session would be gdb2.
        *(BRANCH, "Done."),
        *(START, LOAD, "Done."),
        *("I do not run programs.",),
        *(SWITCH, "Done."),
    )
    await run(Plan(configuration, (noise,)), tmp_path / "run")
    records = RunFolder(tmp_path / "run").session("small-noise", 1).tasks
    assert [record.grade.ecc for record in records] == [1.0, 1.0, 1.0, 1.0, 0.0, 1.0]
    assert [record.grade.evcr for record in records[:2]] == [1 / 2, 2 / 3]
    assert [record.grade.evcr_writes for record in records[:2]] == [0.0, 2 / 3]
    assert [call.server for call in records[1].calls] == ["design", "git", "gdb"]
    assert [call.read_only for call in records[0].calls] == [False, True]
    assert all(call.ok for record in records for call in record.calls)
    assert all(record.state.equal for record in records)
    assert "gdb1" in records[3].calls[0].text
    assert {"git", "gdb", "mcp-server-git"} <= records[0].versions.keys()
    loaded = load_run(RunFolder(tmp_path / "run"))
    assert [len(rows) for rows in loaded.records.values()] == [2]
    assert [len(rows) for rows in loaded.others.values()] == [4]
    assert loaded.result.suites[0].figures.ecc == 1.0
    assert loaded.result.other_servers[0].figures.ecc == 0.75


async def test_a_suite_whose_servers_are_missing_is_not_begun(
    noise: str, tmp_path: Path, configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match=r"small-noise needs the server git\. There is no git"):
        await run(Plan(configuration, (noise,)), tmp_path / "run")
    assert not (tmp_path / "run").exists()
