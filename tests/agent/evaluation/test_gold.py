"""The bundled suites replayed against the real server, and what the replay says about a suite that is wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import yaml

from agent.evaluation.canonical import capture, restore
from agent.evaluation.gold import Replayer, replay
from agent.evaluation.suites import Suite, bundled_suites, load_suite, parse_suite
from agent.toolbox import Toolbox
from model.workspace import Workspace
from server.design_server import build_server

CORE = [name for name in bundled_suites() if "noise" not in name]
BLIND = sorted((Path(__file__).parents[3] / "docs" / "results" / "blind" / "suites").glob("*.yaml"))


def suite_of(*tasks: str) -> Suite:
    """A suite of tasks in YAML flow style, over one component a:b:c:1.0."""
    create = '{tool: create_component, args: {vendor: a, library: b, name: c, version: "1.0"}}'
    return parse_suite(f"suite: x\nsetup: [{create}]\ntasks: [{', '.join(tasks)}]", "x.yaml")


def task(name: str, calls: str = "", more: str = "") -> str:
    return f"{{id: {name}, prompt: go, expected: [{calls}]{more}}}"


def port(name: str, width: str = "1") -> str:
    return f'{{tool: add_signal_port, args: {{component: "a:b:c:1.0", name: {name}, direction: in, width: "{width}"}}}}'


@pytest.mark.parametrize("name", [*CORE, *map(str, BLIND)])
def test_suites_replay_perfectly(name: str) -> None:
    result = asyncio.run(replay(load_suite(name)))
    assert result.problems == ()
    assert result.is_perfect
    assert result.figures is not None
    assert (result.figures.ecc, result.figures.evcr, result.figures.tfr) == (1.0, 0.0, 0.0)
    assert result.figures.nca in (1.0, None)


@pytest.mark.parametrize("name", ["first-ten", "easy", "medium", "hard", "errors"])
def test_independent_tasks_can_follow_the_setup_in_any_order(name: str, tmp_path: Path) -> None:
    async def each_alone() -> list[str]:
        suite, workspace = load_suite(name), Workspace(folder=tmp_path)
        async with Toolbox.connected({"design": build_server(workspace)}) as tools:
            replayer = Replayer(workspace, tools)
            await replayer.make(suite.setup, "setup")
            start = capture(workspace)
            for task in suite.tasks:
                restore(workspace, start)
                await replayer.make(task.expected, task.id)
            return replayer.problems

    assert asyncio.run(each_alone()) == []


def test_a_refused_call_is_named_and_the_suite_is_not_perfect() -> None:
    result = asyncio.run(replay(suite_of(task("one", port("d")), task("two", port("d", "8")))))
    assert not result.is_perfect
    assert any(problem.startswith("task two, call 1 (add_signal_port) was refused:") for problem in result.problems)
    assert any("task two does not score perfectly" in problem for problem in result.problems)
    assert result.figures is not None
    assert (result.figures.ecc, result.figures.tfr) == (0.5, 0.5)


def test_alternatives_are_replayed_from_the_same_state() -> None:
    good = asyncio.run(
        replay(suite_of(task("one", port("d"), f", alternatives: [[{port('e')}]]"), task("two", port("e"))))
    )
    assert good.is_perfect
    assert (len(good.scores), good.calls) == (3, 3)
    bad = asyncio.run(replay(suite_of(task("one", port("d"), f", alternatives: [[{port('e', 'W')}]]"))))
    assert any(problem.startswith("task one, alternative 1, call 1") for problem in bad.problems)


def test_tasks_of_other_servers_are_counted_not_replayed() -> None:
    other = task("git", "{tool: git_status, args: {}}", ", server: git")
    result = asyncio.run(replay(suite_of(task("one", port("d")), other)))
    assert result.is_perfect
    assert (result.skipped, len(result.scores)) == (1, 1)
    alone = asyncio.run(replay(suite_of(other)))
    assert not alone.is_perfect
    assert alone.figures is None


def test_a_refused_setup_call_is_named() -> None:
    document = yaml.safe_load(
        "suite: x\nsetup: [{tool: make_coffee, args: {}}]\ntasks: [{id: a, prompt: b, expected: []}]"
    )
    result = asyncio.run(replay(Suite.model_validate(document)))
    assert result.problems[0].startswith("setup, call 1 (make_coffee) was refused:")


def test_files_are_part_of_the_state(tmp_path: Path) -> None:
    async def run() -> None:
        workspace = Workspace(folder=tmp_path)
        async with Toolbox.connected({"design": build_server(workspace)}) as tools:
            replayer = Replayer(workspace, tools)
            suite = suite_of(
                task("save", '{tool: save_component, args: {component: "a:b:c:1.0", path: x/c.xml}}'),
                task("delete", '{tool: delete_component, args: {component: "a:b:c:1.0"}}'),
            )
            await replayer.make(suite.setup, "setup")
            before = capture(workspace)
            assert before.files == {}
            await replayer.make(suite.tasks[0].expected, "save")
            saved = capture(workspace)
            assert list(saved.files) == ["x/c.xml"]
            await replayer.make(suite.tasks[1].expected, "delete")
            (tmp_path / "x" / "c.xml").write_bytes(b"changed")
            restore(workspace, saved)
            assert capture(workspace) == saved
            (tmp_path / "x" / "c.xml").unlink()
            restore(workspace, saved)
            assert capture(workspace) == saved
            restore(workspace, before)
            assert capture(workspace) == before
            assert replayer.problems == []

    asyncio.run(run())


def test_a_workspace_without_a_folder_cannot_take_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    state = capture(Workspace(folder=tmp_path))
    with pytest.raises(FileNotFoundError, match="no folder"):
        restore(Workspace(), state)
