"""Sessions in processes of their own, over a stand-in for Ollama that answers whoever asks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from small_suite import by_task
from stand_in_server import StandIn, reply

from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.events import RunEvent, SessionStarted, TaskFinished
from agent.evaluation.parallel import run_all
from agent.evaluation.run_folder import RunFolder
from agent.evaluation.runner import Plan
from agent.evaluation.suites import SuiteError
from agent.evaluation.sweep import load_sweep
from agent.models.base import ModelError

pytestmark = pytest.mark.anyio

SWEEP = """
fixed: {model: "ollama:qwen3:4b", num_ctx: 4096}
matrix:
  prompt: [none, md]
  history: [task]
suites: [SUITE]
tasks: 1-3
repeats: 2
"""


def done(folder: Path, repeat: int) -> list[tuple[str, bool]]:
    return [(record.task.id, record.grade.perfect) for record in RunFolder(folder).session("small", repeat).tasks]


async def test_two_workers_do_what_one_would(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = by_task
    events: list[RunEvent] = []
    plan = Plan(configuration, (str(suite_file),), (1, 2))
    await run_all([(plan, tmp_path / "run")], 2, events.append)
    for repeat in (1, 2):
        assert done(tmp_path / "run", repeat) == [("clk", True), ("rx", True), ("rename", True), ("look", True)]
    assert sum(isinstance(event, TaskFinished) for event in events) == 8
    assert sorted(event.repeat for event in events if isinstance(event, SessionStarted)) == [1, 2]


async def test_a_worker_that_is_killed_is_replaced_and_goes_on(
    ollama: StandIn,
    suite_file: Path,
    tmp_path: Path,
    configuration: Configuration,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ollama.answers["/api/chat"] = by_task
    processes: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def noted(*command: str, **how: Any) -> asyncio.subprocess.Process:
        processes.append(await start(*command, **how))
        return processes[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    kills = iter([True, True])

    def kill_twice(event: RunEvent) -> None:
        if isinstance(event, TaskFinished) and next(kills, False):
            processes[-1].kill()

    await run_all([(Plan(configuration, (str(suite_file),)), tmp_path / "run")], 2, kill_twice)
    assert len(processes) == 3
    assert done(tmp_path / "run", 1) == [("clk", True), ("rx", True), ("rename", True), ("look", True)]


async def test_what_a_worker_fails_with_ends_the_run(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/tags"] = reply({"models": []})
    with pytest.raises(ModelError, match="Ollama has no model qwen3:4b"):
        await run_all([(Plan(configuration, (str(suite_file),), (1, 2)), tmp_path / "run")], 2)


async def test_stopping_ends_the_workers_and_keeps_what_was_done(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = by_task
    plan = Plan(configuration, (str(suite_file),), (1, 2))
    running: asyncio.Task[None]

    def stop(event: RunEvent) -> None:
        if isinstance(event, TaskFinished):
            running.cancel()

    running = asyncio.ensure_future(run_all([(plan, tmp_path / "run")], 2, stop))
    with pytest.raises(asyncio.CancelledError):
        await running
    kept = len(done(tmp_path / "run", 1)) + len(done(tmp_path / "run", 2))
    assert kept >= 1
    ollama.requests.clear()
    await run_all([(plan, tmp_path / "run")], 2)
    assert len(done(tmp_path / "run", 1)) == len(done(tmp_path / "run", 2)) == 4


async def test_a_sweep_is_every_combination(ollama: StandIn, suite_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "sweep.yaml"
    await asyncio.to_thread(file.write_text, SWEEP.replace("SUITE", str(suite_file)))
    plans = load_sweep(file)
    assert [(plan.configuration.prompt, plan.configuration.num_ctx) for plan, _name in plans] == [
        ("none", 4096),
        ("md", 4096),
    ]
    assert len({name for _plan, name in plans}) == 2
    ollama.answers["/api/chat"] = by_task
    await run_all([(plan, tmp_path / name) for plan, name in plans])
    for _plan, name in plans:
        for repeat in (1, 2):
            assert done(tmp_path / name, repeat) == [("clk", True), ("rx", True), ("rename", True)]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("num_ctx: 4096", "numctx: 4096", "'numctx' is not part of a configuration"),
        ("[none, md]", "[none, markdown]", "'markdown' is not among"),
        ("[none, md]", "none", "matrix.prompt"),
        ("history: [task]", "num_ctx: [2048]", "num_ctx cannot be both"),
        ("tasks: 1-3", "tasks: first", "positions such as 1-10"),
        ("suites: [SUITE]", "suites: []", "suites"),
        ("repeats: 2", "repeats: [", "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_sweep_is_said(tmp_path: Path, before: str, after: str, message: str) -> None:
    file = tmp_path / "sweep.yaml"
    file.write_text(SWEEP.replace(before, after))
    with pytest.raises(ConfigurationError, match=message):
        load_sweep(file)


async def test_a_missing_suite_is_said_before_anything_runs(tmp_path: Path, configuration: Configuration) -> None:
    with pytest.raises(SuiteError, match="no suite or file"):
        await run_all([(Plan(configuration, ("nowhere.yaml",)), tmp_path / "run")], 2)
