"""The noise suites: their base suites to the letter, and Git and GDB tasks that really work."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from agent.evaluation.gold import replay
from agent.evaluation.suites import load_suite
from agent.evaluation.surroundings import missing
from server.gdb.contract import GDB_TOOLS

ROOT = Path(__file__).parents[3]
PAIRS = [("easy", "easy-noise"), ("hard", "hard-noise")]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("noise_suites", ROOT / "tools" / "noise_suites.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("base", "noise"), PAIRS)
def test_the_design_tasks_are_those_of_the_base_suite(base: str, noise: str) -> None:
    clean, mixed = load_suite(base), load_suite(noise)
    assert [task for task in mixed.tasks if task.server == "design"] == list(clean.tasks), "run tools/noise_suites.py"
    assert mixed.setup == clean.setup, "run tools/noise_suites.py"
    assert set(mixed.servers) == {"design", "git", "gdb"}


@pytest.mark.parametrize(("base", "noise"), PAIRS)
def test_every_third_task_is_another_servers(base: str, noise: str) -> None:
    tasks = load_suite(noise).tasks
    assert len(tasks) == 60
    assert [task.server == "design" for task in tasks] == [True, True, False] * 20
    others = [task.server for task in tasks if task.server != "design"]
    assert (others.count("git"), others.count("gdb")) == (10, 10)
    assert all(task.expected for task in tasks if task.server != "design")


@pytest.mark.parametrize(("base", "noise"), PAIRS)
def test_the_script_keeps_what_is_right(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, base: str, noise: str
) -> None:
    for name in (base, noise):
        (tmp_path / f"{name}.yaml").write_bytes((ROOT / "resources" / "suites" / f"{name}.yaml").read_bytes())
    before = (tmp_path / f"{noise}.yaml").read_text()
    monkeypatch.setattr(script, "SUITES", tmp_path)
    script.refresh(base, noise)
    assert (tmp_path / f"{noise}.yaml").read_text() == before
    edited = (tmp_path / f"{base}.yaml").read_text().replace("tags: [add_signal_port]", "tags: [port]")
    (tmp_path / f"{base}.yaml").write_text(edited)
    script.refresh(base, noise)
    again = (tmp_path / f"{noise}.yaml").read_text()
    assert again.count("tags: [port]") == edited.count("tags: [port]")
    assert again.count("server: g") == 20


@pytest.mark.parametrize("noise", [noise for _base, noise in PAIRS])
def test_debugger_calls_obey_the_debuggers_contract(noise: str) -> None:
    for task in load_suite(noise).tasks:
        if task.server == "gdb":
            for call in [call for calls in (task.expected, *task.alternatives) for call in calls]:
                names = {argument.name: argument.required for argument in GDB_TOOLS[call.tool].arguments}
                assert set(call.args) <= set(names), task.id
                assert {name for name, required in names.items() if required} <= set(call.args), task.id


@pytest.mark.parametrize("noise", [noise for _base, noise in PAIRS])
def test_noise_suites_replay_perfectly(noise: str) -> None:
    suite = load_suite(noise)
    if absent := missing(suite.servers):
        pytest.skip(" ".join(absent.values()))
    result = asyncio.run(replay(suite))
    assert result.problems == ()
    assert result.is_perfect
    assert (result.skipped, result.missing) == (0, {})
    assert result.figures is not None
    assert (result.figures.ecc, result.figures.evcr, result.figures.tfr) == (1.0, 0.0, 0.0)
    assert result.figures.tasks >= 60


def test_what_is_not_installed_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = asyncio.run(replay(load_suite("easy-noise")))
    assert result.is_perfect
    assert result.skipped == 20
    assert "no git on this machine" in result.missing["git"]
    assert "no gdb on this machine" in result.missing["gdb"]
