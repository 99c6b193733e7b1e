from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from agent.evaluation.contract import tools_contract
from agent.evaluation.suites import Suite, SuiteError, bundled_suites, load_suite, parse_suite

CONTRACT = Path(__file__).parents[2] / "contract"
SHIPPED = Path(__file__).parents[3] / "resources" / "contract"
SCHEMA = json.loads((CONTRACT / "suite.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

GOOD: dict[str, Any] = {
    "suite": "sample",
    "description": "one of everything",
    "servers": ["design", "git"],
    "setup": [{"tool": "create_component", "args": {"vendor": "a", "library": "b", "name": "c", "version": "1.0"}}],
    "tasks": [
        {
            "id": "s-1",
            "prompt": "Remove a:b:c:1.0.",
            "expected": [{"tool": "delete_component", "args": {"component": "a:b:c:1.0"}}],
            "alternatives": [[{"tool": "delete_component", "args": {"component": "a:b:c:1.0", "force": True}}]],
            "twin": "other/s-1",
            "server": "design",
            "tags": ["delete"],
        },
        {"id": "s-2", "prompt": "What is the weather?", "expected": [], "reason": "off-topic"},
    ],
}


@pytest.mark.parametrize("name", ["tools.json", "suite.schema.json"])
def test_the_shipped_contract_is_the_contract(name: str) -> None:
    assert (SHIPPED / name).read_bytes() == (CONTRACT / name).read_bytes()


def test_contract_knows_defaults_effects_and_flags() -> None:
    tools = tools_contract()
    assert len(tools) == 14
    assert tools["add_signal_port"].defaults["width"] == "1"
    assert tools["delete_element"].flags == {"cascade"}
    assert {name for name, tool in tools.items() if tool.effect == "file"} == {"save_component", "load_component"}


def test_a_suite_is_read_whole() -> None:
    suite = parse_suite(yaml.safe_dump(GOOD), "sample.yaml")
    assert suite.name == "sample"
    assert suite.setup[0].args["version"] == "1.0"
    assert suite.tasks[0].alternatives[0][0].args == {"component": "a:b:c:1.0", "force": True}
    assert (suite.tasks[1].reason, suite.tasks[1].expected) == ("off-topic", ())


@pytest.mark.parametrize("name", bundled_suites())
def test_bundled_suites_obey_the_schema_and_the_tools(name: str) -> None:
    text = (SHIPPED.parent / "suites" / f"{name}.yaml").read_text(encoding="utf-8")
    VALIDATOR.validate(yaml.safe_load(text))
    suite = load_suite(name)
    assert suite.name == name
    assert len({task.prompt for task in suite.tasks}) == len(suite.tasks)
    for task in suite.tasks:
        assert bool(task.reason) == (not task.expected), task.id
        if task.server != "design":
            continue  # what another server takes, only its own replay can tell
        for call in (*task.expected, *(call for calls in task.alternatives for call in calls)):
            tool = tools_contract()[call.tool]
            assert tool.required <= call.args.keys() <= tool.required | tool.defaults.keys(), (task.id, call)


def test_any_path_is_a_suite_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(GOOD))
    assert load_suite(path) == load_suite(str(path)) == parse_suite(yaml.safe_dump(GOOD), "")


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(SuiteError, match=r"no suite or file 'first-tin'\. Did you mean first-ten\?"):
        load_suite("first-tin")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'version: "1.0"',
            "version: 1.0",
            "x.yaml, line 5: setup 1, argument 'version': 1.0 is not text; quote it: \"1.0\".",
        ),
        ('"DATA_W"', "", "task 'w-1', expected 1, argument 'value': nothing is not text"),
        ("prompt: Go.", "", "task 'w-1': 'prompt' is missing."),
        ("prompt: Go.", "promt: Go.", "task 'w-1', promt: 'promt' is not part of the format. Did you mean 'prompt'?"),
        ("tool: add_user_parameter", "tols: x", "task 'w-1', expected 1, tols: 'tols' is not part of the format"),
        ("tags: [a]", "tags: a", "task 'w-1', tags: a list is wanted here."),
        ("tags: [a]", "server: gbd", "task 'w-1', server: Input should be 'design', 'git' or 'gdb'."),
        ("id: w-1", "id: [w]", "task number 1, id: text is wanted here."),
        ("suite: x", "suit: x", "x.yaml, line 1: 'suite' is missing."),
        ("suite: x", "suite: {", "x.yaml is not YAML"),
    ],
)
def test_errors_name_the_file_the_task_and_the_fault(old: str, new: str, message: str) -> None:
    text = """\
suite: x
setup:
  - tool: create_component
    args: {vendor: a, library: b, name: c,
           version: "1.0"}
tasks:
  - id: w-1
    prompt: Go.
    tags: [a]
    expected:
      - tool: add_user_parameter
        args: {component: "a:b:c:1.0", name: W, value: "DATA_W"}
"""
    parse_suite(text, "x.yaml")
    with pytest.raises(SuiteError) as caught:
        parse_suite(text.replace(old, new), "x.yaml")
    assert message in str(caught.value)


def test_many_faults_are_cut() -> None:
    tasks = "\n".join(f"  - {{id: {number}, prompt: a, expected: []}}" for number in range(30))
    with pytest.raises(SuiteError, match=r"… and 20 more\."):
        parse_suite(f"suite: x\ntasks:\n{tasks}", "x.yaml")


def test_ids_are_unique() -> None:
    task = {"id": "a", "prompt": "p", "expected": []}
    with pytest.raises(SuiteError, match="'a' is used twice"):
        parse_suite(yaml.safe_dump({"suite": "x", "tasks": [task, task]}), "x.yaml")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SuiteError, match="cannot be read"):
        load_suite(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([1.0, "", "design", "x", "gdb"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["tool", "args", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)
KEYS = st.sampled_from(["id", "prompt", "suite", "tool", "args", "reason", "twin", "server", "tags", "extra"])


def places(node: Any) -> list[Any]:
    """Every mapping and list of a document."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    return ([node] if isinstance(node, dict | list) else []) + [found for child in children for found in places(child)]


@settings(max_examples=300)
@given(data=st.data())
def test_the_models_are_exactly_as_strict_as_the_schema(data: st.DataObject) -> None:
    document = json.loads(json.dumps(GOOD))
    for _mutation in range(data.draw(st.integers(0, 2))):
        place = data.draw(st.sampled_from(places(document)))
        action = data.draw(st.sampled_from(["replace", "remove", "add"]))
        if isinstance(place, dict):
            key = data.draw(st.sampled_from(sorted(place)) if place and action != "add" else KEYS)
            if action == "remove":
                place.pop(key, None)
            else:
                place[key] = data.draw(JSON)
        elif action == "add" or not place:
            place.append(data.draw(JSON))
        else:
            index = data.draw(st.integers(0, len(place) - 1))
            if action == "remove":
                del place[index]
            else:
                place[index] = data.draw(JSON)
    try:
        Suite.model_validate(document)
        accepted = True
    except ValidationError:
        accepted = False
    assert accepted == VALIDATOR.is_valid(document)


@pytest.mark.parametrize(
    ("name", "counts"),
    [("easy", {1: 40}), ("medium", {2: 40}), ("hard", {3: None, 4: None, 5: None}), ("errors", {0: 20})],
)
def test_the_core_suites_have_the_sizes_that_the_paper_states(name: str, counts: dict[int, int | None]) -> None:
    tasks = load_suite(name).tasks
    assert len(tasks) == 40
    sizes = Counter(len(task.expected) for task in tasks)
    for size, count in counts.items():
        assert sizes[size] == count if count else sizes[size] > 0
    if None in counts.values():
        assert sizes.keys() == counts.keys()


def test_every_misspelled_task_expects_what_its_clean_twin_does() -> None:
    clean = {f"hard/{task.id}": task for task in load_suite("hard").tasks}
    twins = [task for task in load_suite("errors").tasks if task.twin]
    assert len(twins) == 20
    for task in twins:
        twin = clean[task.twin]
        assert (task.expected, task.alternatives) == (twin.expected, twin.alternatives)
        assert task.prompt != twin.prompt
        for name in re.findall(r"\w+(?::[\w.]*\w){3}|\w+_\w+", twin.prompt):
            assert name in task.prompt  # nobody could guess a misspelled name


def test_no_call_tasks_cover_every_kind_of_reason() -> None:
    kinds = Counter(tag for task in load_suite("errors").tasks if not task.expected for tag in task.tags)
    assert kinds.keys() == {
        "unknown-component",
        "unknown-port",
        "cannot-do",
        "contradiction",
        "off-topic",
        "missing-information",
    }
    assert min(kinds.values()) >= 3


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_independent_tasks_name_everything_they_need(name: str) -> None:
    for task in load_suite(name).tasks:
        for call in task.expected:
            for argument, value in call.args.items():
                if isinstance(value, bool) or argument in {"direction", "type", "element_type", "initiative"}:
                    continue  # said in many ways ("comes out", "integer")
                for part in value.split(":"):
                    assert part in task.prompt or NUMBER_WORDS.get(part, "-") in task.prompt, (task.id, argument, part)


NUMBER_WORDS = {"2": "two", "3": "three", "4": "four", "8": "eight"}
