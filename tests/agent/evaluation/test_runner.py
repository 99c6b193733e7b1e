"""Whole runs over the real server and the real tools; the model is a stand-in that speaks Ollama's protocol."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from small_suite import LOOK, PERFECT, SUITE, UART, add, saying
from stand_in_server import Request, StandIn

from agent.assisted.agent import BY_HAND
from agent.evaluation import runner
from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.events import RunEvent, SessionStarted, TaskFinished
from agent.evaluation.records import TaskRecord
from agent.evaluation.run_folder import RecordError, RunFolder, Session
from agent.evaluation.runner import Plan, parse_tasks, run
from agent.models.base import ModelError

pytestmark = pytest.mark.anyio


def tasks_of(folder: Path, repeat: int = 1) -> list[TaskRecord]:
    return RunFolder(folder).session("small", repeat).tasks


def prompts(ollama: StandIn) -> list[list[dict[str, Any]]]:
    return [body["messages"] for body in ollama.bodies("/api/chat")]


async def test_a_perfect_agent_scores_perfectly(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = saying(*PERFECT)
    await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")
    records = tasks_of(tmp_path / "run")
    assert [record.task.id for record in records] == ["clk", "rx", "rename", "look"]
    assert [record.grade.ecc for record in records] == [1.0, 1.0, None, 1.0]
    assert records[2].grade.nca == 1.0
    assert all(record.grade.perfect and record.state.equal for record in records)
    first = records[0]
    assert (first.digest, first.versions["ollama"], first.options["num_ctx"]) == ("abc", "0.99.0", 8192)
    assert [call.tool for call in first.calls] == ["add_signal_port"]
    assert first.usage.prompt_tokens == 80
    assert (first.outcome, first.answer) == ("done", "Added clk.")


async def test_each_task_begins_in_the_canonical_state(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    # The first task is done wrongly and the second not at all; the last must see what the right answers leave.
    ollama.answers["/api/chat"] = saying(add("spare"), "Done.", "Done.", "No.", LOOK, "Two.")
    await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")
    records = tasks_of(tmp_path / "run")
    assert [(record.grade.ecc, record.grade.evcr) for record in records[:2]] == [(0.0, 1.0), (0.0, 0.0)]
    assert records[0].state.added == (f"signal_port spare of {UART}",)
    assert records[0].state.removed == (f"signal_port clk of {UART}",)
    seen = records[3].calls[0].text
    assert "clk" in seen
    assert "rx" in seen
    assert "spare" not in seen


@pytest.mark.parametrize(("history", "remembered"), [("run", 3), ("task", 0), ("window:1", 1), ("summary", 3)])
async def test_the_history_scope_decides_what_the_last_task_sees(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration, history: str, remembered: int
) -> None:
    ollama.answers["/api/chat"] = saying(*PERFECT)
    scoped = configuration.model_copy(update={"history": history})
    await run(Plan(scoped, (str(suite_file),)), tmp_path / "run")
    seen = prompts(ollama)[5]
    text = json.dumps(seen)
    earlier = ["Add the input clk", "Add the input rx", "Rename rx to rxd"]
    wanted = earlier[len(earlier) - remembered :]
    assert [piece for piece in earlier if piece in text] == wanted
    if history == "summary":
        assert [message["role"] for message in seen] == ["system", "user"]
        assert "add_signal_port(" in seen[1]["content"]


@pytest.mark.parametrize("history", ["run", "summary", "task", "window:2"])
@pytest.mark.parametrize("done", [1, 2, 3])
async def test_a_run_that_was_killed_goes_on_as_if_nothing_had_happened(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration, history: str, done: int
) -> None:
    scoped = configuration.model_copy(update={"history": history})
    plan = Plan(scoped, (str(suite_file),))
    ollama.answers["/api/chat"] = saying(*PERFECT)
    await run(plan, tmp_path / "whole")
    whole = prompts(ollama)
    # What a kill leaves: the lines of the tasks done, and a piece of the next.
    file = tmp_path / "whole" / "small-1.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / "run.json").write_bytes((tmp_path / "whole" / "run.json").read_bytes())
    (tmp_path / "killed" / file.name).write_bytes(b"".join(lines[: 1 + done]) + lines[1 + done][:100])
    chats = sum(len(record.turns) for record in tasks_of(tmp_path / "whole")[:done])
    ollama.answers["/api/chat"] = saying(*PERFECT[chats:])
    ollama.requests.clear()
    await run(plan, tmp_path / "killed")
    assert prompts(ollama) == whole[chats:]
    assert [record.grade for record in tasks_of(tmp_path / "killed")] == [
        record.grade for record in tasks_of(tmp_path / "whole")
    ]


@pytest.mark.parametrize("done", [1, 2, 3])
async def test_an_assisted_run_that_was_killed_knows_what_was_put_right_by_hand(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration, done: int
) -> None:
    refused = json.dumps({"calls": []})
    added = json.dumps({"calls": [{"tool": "add_signal_port", "component": UART, "name": "spare", "direction": "in"}]})
    looked = json.dumps({"calls": [{"tool": "get_component_details", "component": UART}]})
    answers = [refused, refused, added, added, added, refused, refused, looked, "Two."]
    plan = Plan(configuration.model_copy(update={"mode": "assisted"}), (str(suite_file),))
    ollama.answers["/api/chat"] = saying(*answers)
    await run(plan, tmp_path / "whole")
    whole = prompts(ollama)
    assert BY_HAND in json.dumps(whole)
    file = tmp_path / "whole" / "small-1.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    (tmp_path / "killed").mkdir()
    (tmp_path / "killed" / "run.json").write_bytes((tmp_path / "whole" / "run.json").read_bytes())
    (tmp_path / "killed" / file.name).write_bytes(b"".join(lines[: 1 + done]))
    chats = sum(len(record.turns) for record in tasks_of(tmp_path / "whole")[:done])
    ollama.answers["/api/chat"] = saying(*answers[chats:])
    ollama.requests.clear()
    await run(plan, tmp_path / "killed")
    assert prompts(ollama) == whole[chats:]


async def test_a_cancelled_task_is_run_again(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    plan = Plan(configuration, (str(suite_file),))
    ollama.answers["/api/chat"] = saying(*PERFECT)
    running: asyncio.Task[None]

    def stop_after_two(event: RunEvent) -> None:
        if isinstance(event, TaskFinished) and event.record.task.id == "rx":
            running.cancel()

    running = asyncio.ensure_future(run(plan, tmp_path / "run", stop_after_two))
    with pytest.raises(asyncio.CancelledError):
        await running
    assert [record.task.id for record in tasks_of(tmp_path / "run")] == ["clk", "rx"]
    ollama.answers["/api/chat"] = saying(*PERFECT[4:])
    started: list[SessionStarted] = []
    await run(
        plan, tmp_path / "run", lambda event: started.append(event) if isinstance(event, SessionStarted) else None
    )
    assert [(event.done, event.total) for event in started] == [(2, 4)]
    assert len(tasks_of(tmp_path / "run")) == 4


async def test_a_finished_run_asks_the_model_nothing(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    plan = Plan(configuration, (str(suite_file),))
    ollama.answers["/api/chat"] = saying(*PERFECT)
    await run(plan, tmp_path / "run")
    ollama.requests.clear()
    await run(plan, tmp_path / "run")
    assert prompts(ollama) == []


async def test_a_busy_server_is_waited_for_and_never_scored(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "RETRY_WAITS", (0.0,))
    # The second task is interrupted after its call; it is run again from its beginning.
    turns = [*PERFECT[:3], *PERFECT[2:]]
    ollama.answers["/api/chat"] = saying(*turns, unavailable={3})
    await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")
    session = RunFolder(tmp_path / "run").session("small", 1)
    assert [(record.task.id, record.grade.perfect) for record in session.tasks] == [
        ("clk", True),
        ("rx", True),
        ("rename", True),
        ("look", True),
    ]
    assert [(found.task, found.code) for found in session.interruptions] == [("rx", "busy")]
    assert len(session.tasks[1].turns) == 2
    again = prompts(ollama)[4]
    assert [message["content"] for message in again if message["role"] == "user"] == [
        f"Add the input clk to {UART}.",
        "Add the input rx to it, too.",
    ]


async def test_an_engine_that_dies_in_the_middle_of_an_answer_is_no_fault_of_the_model(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "RETRY_WAITS", (0.0,))
    answer = saying(*PERFECT)
    chats = iter(range(100))

    def dying(request: Request) -> None:
        if next(chats) == 0:
            request.send(500, b'{"error": "llama runner process has terminated: signal: killed"}')
        else:
            answer(request)

    ollama.answers["/api/chat"] = dying
    await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")
    session = RunFolder(tmp_path / "run").session("small", 1)
    assert all(record.grade.perfect for record in session.tasks)
    assert [(found.task, found.code) for found in session.interruptions] == [("clk", "broken-off")]


async def test_a_server_that_stays_away_ends_the_run_and_keeps_what_was_done(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "RETRY_WAITS", (0.0, 0.0))
    ollama.answers["/api/chat"] = saying(*PERFECT, unavailable={2, 3, 4})
    with pytest.raises(ModelError, match="busy"):
        await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")
    session = RunFolder(tmp_path / "run").session("small", 1)
    assert ([record.task.id for record in session.tasks], len(session.interruptions)) == (["clk"], 3)


async def test_repeats_have_seeds_of_their_own(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    seeded = configuration.model_copy(update={"seed": 7, "temperature": 0.5})
    ollama.answers["/api/chat"] = saying(*PERFECT, *PERFECT)
    await run(Plan(seeded, (str(suite_file),), repeats=(1, 2)), tmp_path / "run")
    seeds = [body["options"]["seed"] for body in ollama.bodies("/api/chat")]
    assert seeds == [7] * len(PERFECT) + [8] * len(PERFECT)
    assert [record.repeat for record in tasks_of(tmp_path / "run", 2)] == [2] * 4


async def test_a_folder_holds_one_configuration_and_one_version_of_a_suite(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = saying(*PERFECT)
    await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")
    other = configuration.model_copy(update={"prompt": "md"})
    with pytest.raises(RecordError, match=r"another configuration \(prompt basic\)"):
        await run(Plan(other, (str(suite_file),)), tmp_path / "run")
    changed = SUITE.replace("Rename rx", "Please rename rx")
    await asyncio.to_thread(suite_file.write_text, changed)
    with pytest.raises(RecordError, match="another version of the suite"):
        await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")


async def test_with_history_the_tasks_of_a_folder_are_run_in_order(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = saying("No tool renames.")
    await run(Plan(configuration, (str(suite_file),), tasks=frozenset({3})), tmp_path / "run")
    with pytest.raises(RecordError, match="their order matters"):
        await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")


async def test_the_prompts_can_be_put_together_again_from_the_records(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    ollama.answers["/api/chat"] = saying(*PERFECT)
    await run(Plan(configuration, (str(suite_file),)), tmp_path / "run")
    prompt: list[str] = []
    rebuilt: list[list[str]] = []
    for record in tasks_of(tmp_path / "run"):
        for turn in record.turns:
            prompt = prompt[: turn.kept] + [message.content for message in turn.sent]
            rebuilt.append(prompt)
    assert rebuilt == [[message.get("content", "") for message in messages] for messages in prompts(ollama)]


async def test_an_assisted_run_remembers_its_plans(ollama: StandIn, suite_file: Path, tmp_path: Path) -> None:
    def plan(**call: str) -> str:
        return json.dumps({"calls": [{"component": UART} | call]})

    clk = plan(tool="add_signal_port", name="clk", direction="in")
    rx = plan(tool="add_signal_port", name="rx", direction="in")
    assisted = Configuration.of(model="ollama:qwen3:4b", mode="assisted")
    ollama.answers["/api/chat"] = saying(clk, rx)
    chosen = Plan(assisted, (str(suite_file),), tasks=frozenset({1, 2}))
    await run(Plan(assisted, (str(suite_file),), tasks=frozenset({1})), tmp_path / "run")
    await run(chosen, tmp_path / "run")
    assert [record.grade.perfect for record in tasks_of(tmp_path / "run")] == [True, True]
    assert "Add the input clk" in json.dumps(prompts(ollama)[1])
    assert [body["options"]["temperature"] for body in ollama.bodies("/api/chat")] == [0.0, 0.0]


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "small-1.jsonl"
    file.write_text('{"kind": "task"}\n')
    with pytest.raises(RecordError, match=r"small-1\.jsonl, line 1"):
        Session(file)


@pytest.mark.parametrize(("text", "positions"), [("1-3", {1, 2, 3}), ("5", {5}), ("1, 3 - 4,9", {1, 3, 4, 9})])
def test_positions_of_tasks(text: str, positions: set[int]) -> None:
    assert parse_tasks(text) == positions


@pytest.mark.parametrize("text", ["", "0", "3-1", "a", "1-", "1;2", "-3"])
def test_what_selects_no_tasks(text: str) -> None:
    with pytest.raises(ConfigurationError, match="positions such as 1-10"):
        parse_tasks(text)
