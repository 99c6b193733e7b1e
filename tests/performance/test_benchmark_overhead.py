"""What a benchmark's task takes besides the model: restoring the state, grading, writing down. Limit: 10 ms."""

from __future__ import annotations

import asyncio
import os
import statistics
import threading
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest
from stand_in_ollama import MODEL, offer_model
from stand_in_server import Request, StandIn, reply

from agent.evaluation.configuration import Configuration
from agent.evaluation.events import RunEvent, SessionStarted, TaskFinished
from agent.evaluation.gold import replay
from agent.evaluation.runner import Plan, run
from agent.evaluation.suites import bundled_suites, load_suite

OVERHEAD = 10.0  # ms a task
GOLD = 10.0  # s for all suites
SUITES = ("hard", "history", "cross")


def busy() -> bool:
    return os.getloadavg()[0] > (os.cpu_count() or 1) / 2


def gold_answers(request: Request) -> None:
    """Make the expected calls of whatever task of the suites is asked for."""
    messages = request.body["messages"]
    at = max(index for index, message in enumerate(messages) if message["role"] == "user")
    made = sum(message["role"] == "tool" for message in messages[at:])
    expected = TASKS[messages[at]["content"]].expected
    call = expected[made] if made < len(expected) else None
    message: dict[str, object] = {"role": "assistant", "content": "" if call else "Done."}
    if call:
        message["tool_calls"] = [{"function": {"name": call.tool, "arguments": dict(call.args)}}]
    reply({"message": message, "done": True, "done_reason": "stop", "prompt_eval_count": 2000, "eval_count": 20})(
        request
    )


TASKS = {task.prompt: task for name in SUITES for task in load_suite(name).tasks}


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with StandIn() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize("history", ["run", "task"])
def test_restoring_grading_and_writing_down(
    stand_in: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, history: str
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", stand_in.url)
    offer_model(stand_in)
    stand_in.answers["/api/version"] = reply({"version": "0.99.0"})
    stand_in.answers["/api/chat"] = gold_answers
    plan = Plan(Configuration.of(model=MODEL, history=history, num_ctx=32768), SUITES)
    each: list[float] = []
    before = 0.0

    def watch(event: RunEvent) -> None:
        nonlocal before
        now = perf_counter()
        if isinstance(event, SessionStarted):
            before = 0.0
        elif isinstance(event, TaskFinished):
            assert event.record.grade.perfect
            if before:
                each.append((now - before - event.record.seconds) * 1000)
            before = now

    asyncio.run(run(plan, tmp_path / "run", watch))
    assert len(each) == 39 * len(SUITES)
    each.sort()
    print(
        f"\nhistory {history}: {statistics.median(each):.1f} ms a task as a median, "
        f"{each[len(each) * 95 // 100]:.1f} ms 95th percentile, {each[-1]:.1f} ms at most "
        f"(load {os.getloadavg()[0]:.1f})"
    )
    if not busy():
        assert statistics.median(each) <= OVERHEAD


def test_the_gold_replay_of_all_suites() -> None:
    results = [asyncio.run(replay(load_suite(name))) for name in bundled_suites()]
    seconds = sum(result.seconds for result in results)
    print(f"\n{len(results)} suites, {sum(result.calls for result in results)} calls: {seconds:.1f} s")
    if not busy():
        assert seconds <= GOLD
