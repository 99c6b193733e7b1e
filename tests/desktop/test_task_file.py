"""Tasks appended to suite files, and the session in files."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import validate
from yaml import safe_load

from agent.evaluation.scoring import ExpectedCall
from agent.evaluation.suites import SuiteError, bundled_suites, load_suite
from agent.events import CallFinished, RequestFinished
from agent.models.base import Usage
from desktop.marking import Marking
from desktop.scorebook import judge, remark
from desktop.session_export import session_csv, session_json
from desktop.task_file import save_task

CALL = ExpectedCall("delete_component", {"component": "a:b:c:1.0", "force": True})
CREATE = ExpectedCall("create_component", {"vendor": "on", "library": "1", "name": "null", "version": "1.0"})


def _valid(path: Path) -> None:
    schema = json.loads(files("resources").joinpath("contract", "suite.schema.json").read_text(encoding="utf-8"))
    validate(safe_load(path.read_text(encoding="utf-8")), schema)


def test_a_new_suite_says_that_the_setup_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    assert save_task(path, "Delete c", [CALL]) == "t1"
    assert save_task(path, "Create it", [CREATE]) == "t2"
    assert save_task(path, "What is the weather?", []) == "t3"
    _valid(path)
    suite = load_suite(path)
    assert suite.name == "mine"
    assert "setup" in suite.description
    assert [dict(task.expected[0].args) for task in suite.tasks[:2]] == [dict(CALL.args), dict(CREATE.args)]
    assert suite.tasks[2].reason
    assert 'version: "1.0"' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", bundled_suites())
def test_everything_else_in_a_suite_stays(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.yaml"
    before = files("resources").joinpath("suites", f"{name}.yaml").read_text(encoding="utf-8")
    path.write_text(before, encoding="utf-8")
    earlier = load_suite(path)
    save_task(path, "One more", [CALL], "extra")
    after = load_suite(path)
    assert after.tasks[:-1] == earlier.tasks
    assert after.tasks[-1].id == "extra"
    assert [line for line in before.splitlines() if line not in path.read_text(encoding="utf-8").splitlines()] == []
    _valid(path)


def test_comments_and_keys_behind_the_tasks_stay_behind(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text('suite: s\ntasks:\n- id: "a"\n  prompt: p\n  expected: []\n# the end\ndescription: d', "utf-8")
    save_task(path, "q", [CALL])
    assert path.read_text("utf-8").endswith("# the end\ndescription: d")
    assert [task.id for task in load_suite(path).tasks] == ["a", "t1"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tasks: [", "is not YAML"),
        ("suite: s\ntasks: [{id: a, prompt: p, expected: []}]", "brackets"),
        ("suite: s\ntasks:\n  - {id: t9, prompt: p, expected: []}", "already has a task t9"),
    ],
)
def test_what_cannot_be_added_to_is_left_alone(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError, match=words):
        save_task(path, "q", [CALL], "t9")
    assert path.read_text(encoding="utf-8") == text


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"), min_size=1, max_size=40)


@given(prompts=st.lists(texts, min_size=1, max_size=3), value=texts)
def test_any_request_is_read_back_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, prompts: list[str], value: str
) -> None:
    path = tmp_path_factory.mktemp("suite") / "s.yaml"
    for prompt in prompts:
        save_task(path, prompt, [ExpectedCall("add_signal_port", {"name": value})])
    suite = load_suite(path)
    assert [task.prompt for task in suite.tasks] == prompts
    assert {task.expected[0].args["name"] for task in suite.tasks} == {value}


def test_the_session_is_exported_with_calls_scores_and_intervals() -> None:
    arguments = {"component": "a:b:c:1.0", "name": "clk", "direction": "in"}
    call = CallFinished(1, 0, "add_signal_port", arguments, True, "done", {}, 0.001)
    row = judge("Add, please", RequestFinished(1, "done", "Added.", 2.0, Usage(10, 0, 5), (call,)), None)
    rows = [remark(row, Marking().mark(0, row.made[0], right=True)), row]
    document = json.loads(session_json(rows, "embedded:x", datetime(2026, 1, 2, tzinfo=UTC)))
    assert document["model"] == "embedded:x"
    assert document["totals"]["ecc"] == {"mean": 1.0, "interval_95": None}
    assert document["totals"]["tfr"]["interval_95"] == [0.0, 0.0]
    assert document["requests"][0]["expected"] == [{"tool": "add_signal_port", "args": arguments}]
    assert document["requests"][1]["expected"] is None
    table = list(csv.DictReader(io.StringIO(session_csv(rows))))
    assert [(line["request"], line["ecc"], line["calls"]) for line in table] == [
        ("Add, please", "1.0", "1"),
        ("Add, please", "", "1"),
    ]
