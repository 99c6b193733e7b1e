"""A run as a window handles it: started, watched, stopped, resumed."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from small_suite import PERFECT, by_task, saying
from stand_in_server import StandIn, reply

from agent.evaluation.configuration import Configuration
from agent.evaluation.events import CallMade, RunEvent, SessionStarted, TaskFinished, TaskStarted
from agent.evaluation.run import Progress, Run
from agent.evaluation.run_folder import RunFolder
from agent.evaluation.runner import Plan
from agent.models.base import ModelError

pytestmark = pytest.mark.anyio


def kinds(told: list[RunEvent | Progress]) -> list[str]:
    return [type(event).__name__ for event in told]


async def test_a_listener_is_told_every_task_and_call(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = saying(*PERFECT)
    run = Run([(Plan(configuration, (str(suite_file),)), tmp_path / "run")])
    told: list[RunEvent | Progress] = []
    run.subscribe(told.append)
    assert (run.progress.state, run.progress.done, run.progress.total) == ("ready", 0, 4)
    await run.start()
    assert (run.progress.state, run.progress.done, run.progress.left) == ("done", 4, 0.0)
    task = ["TaskStarted", "CallMade", "TaskFinished", "Progress"]
    no_call = ["TaskStarted", "TaskFinished", "Progress"]
    assert kinds(told) == ["Progress", "SessionStarted", "Progress", *task, *task, *no_call, *task, "Progress"]
    assert [event.task_id for event in told if isinstance(event, CallMade)] == ["clk", "rx", "look"]
    assert {event.key for event in told if isinstance(event, SessionStarted | TaskStarted | CallMade)} == {
        configuration.key
    }


async def test_the_workspace_that_the_agent_edits_can_be_watched(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = saying(*PERFECT)
    run = Run([(Plan(configuration, (str(suite_file),)), tmp_path / "run")])
    changes: list[str] = []

    def watch(event: RunEvent | Progress) -> None:
        if isinstance(event, SessionStarted):
            assert event.workspace is not None
            event.workspace.subscribe(lambda change: changes.append(change.summary))

    run.subscribe(watch)
    await run.start()
    assert any("clk" in change for change in changes)


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_run_that_is_stopped_is_resumed_by_starting_it_again(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration, workers: int
) -> None:
    ollama.answers["/api/chat"] = by_task
    run = Run([(Plan(configuration, (str(suite_file),), (1, 2)), tmp_path / "run")], workers=workers)

    def stop(event: RunEvent | Progress) -> None:
        if isinstance(event, TaskFinished):
            run.stop()

    unsubscribe = run.subscribe(stop)
    await run.start()
    stopped = run.progress
    assert stopped.state == "stopped"
    assert 1 <= stopped.done < 8
    unsubscribe()
    told: list[RunEvent | Progress] = []
    run.subscribe(told.append)
    await run.start()
    assert (run.progress.state, run.progress.done) == ("done", 8)
    assert sum(isinstance(event, TaskFinished) for event in told) <= 8 - stopped.done
    assert sum(isinstance(event, CallMade) for event in told) >= 1
    assert {event.state for event in told if isinstance(event, Progress)} == {"running", "done"}
    assert all(len(RunFolder(tmp_path / "run").session("small", repeat).tasks) == 4 for repeat in (1, 2))


async def test_a_run_that_fails_says_why_and_can_be_resumed(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    tags = ollama.answers["/api/tags"]
    ollama.answers["/api/tags"] = reply({"models": []})
    run = Run([(Plan(configuration, (str(suite_file),)), tmp_path / "run")])
    with pytest.raises(ModelError):
        await run.start()
    assert run.progress.state == "failed"
    assert "Ollama has no model qwen3:4b" in run.progress.message
    ollama.answers["/api/tags"] = tags
    ollama.answers["/api/chat"] = saying(*PERFECT)
    await run.start()
    assert (run.progress.state, run.progress.message) == ("done", "")


async def test_cancelling_whoever_waits_for_a_run_stops_it(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = by_task
    run = Run([(Plan(configuration, (str(suite_file),)), tmp_path / "run")])
    waiting = asyncio.ensure_future(run.start())

    def cancel(event: RunEvent | Progress) -> None:
        if isinstance(event, TaskFinished):
            waiting.cancel()

    run.subscribe(cancel)
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert (run.progress.state, run.progress.done) == ("stopped", 1)


async def test_a_running_run_is_not_started_twice(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = by_task
    run = Run([(Plan(configuration, (str(suite_file),)), tmp_path / "run")])
    refusals: list[str] = []

    async def again() -> None:
        try:
            await run.start()
        except RuntimeError as error:
            refusals.append(str(error))

    started = asyncio.ensure_future(run.start())
    await asyncio.gather(started, again())
    assert refusals == ["the run is running"]
    assert run.progress.done == 4
