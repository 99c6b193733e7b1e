"""Calibration over the real runner; the model is a stand-in that is good with one configuration only."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_suite import MODEL, by_task, saying
from stand_in_server import Request, StandIn

from agent.evaluation.calibration import candidates, halve, jobs, recommend, rounds, sample, standing
from agent.evaluation.configuration import Configuration
from agent.evaluation.parallel import run_all
from agent.evaluation.run_folder import RecordError
from agent.evaluation.suites import load_suite


def test_all_prompts_descriptions_and_histories_are_tried_beginning_with_the_usual_one() -> None:
    found = candidates(MODEL, "faithful")
    assert len({one.key for one in found}) == 16
    assert found[0] == Configuration.of(model=MODEL)
    assert [one.history for one in candidates(MODEL, "assisted")] == ["run", "task"]


@given(st.integers(1, 40), st.integers(1, 8), st.integers(1, 2000))
def test_the_better_half_goes_on_until_two_are_left(configurations: int, suites: int, budget: int) -> None:
    course = rounds(configurations, suites, budget)
    assert course[0][0] == configurations
    assert course[-1][0] <= 2
    for (before, tasks), (after, more) in itertools.pairwise(course):
        assert after == -(-before // 2)
        assert more > tasks


def test_the_budget_is_about_kept() -> None:
    course = rounds(16, 6, 240)
    done = sum(
        count * 6 * (tasks - (course[place - 1][1] if place else 0)) for place, (count, tasks) in enumerate(course)
    )
    assert 200 <= done <= 280


@pytest.mark.parametrize("name", ["easy", "medium", "hard", "history", "errors", "cross"])
def test_a_longer_sample_goes_on_where_a_shorter_one_ends(name: str) -> None:
    suite = load_suite(name)
    before = sorted(sample(suite, 1))
    for count in range(2, 10):
        now = sorted(sample(suite, count))
        assert now[: len(before)] == before
        assert len(now) == count
        before = now


def test_the_sample_of_errors_has_requests_that_no_call_answers() -> None:
    suite = load_suite("errors")
    kinds = [bool(suite.tasks[position - 1].expected) for position in sorted(sample(suite, 4))]
    assert kinds.count(True) == kinds.count(False) == 2


def only_good_with_headings(request: Request) -> None:
    """Do the tasks if the system prompt is in Markdown; else make no call."""
    system = request.body["messages"][0]
    good = system["role"] == "system" and "# Role" in system["content"]
    (by_task if good else saying("I cannot do that."))(request)


def test_the_configuration_that_suits_the_model_is_recommended(
    ollama: StandIn, suite_file: Path, tmp_path: Path
) -> None:
    ollama.answers["/api/chat"] = only_good_with_headings
    arms = candidates(MODEL, "faithful", ("task",))
    asyncio.run(run_all(jobs(arms, [str(suite_file)], 2, tmp_path)))
    best, dropped = halve([standing(one, tmp_path) for one in arms], 2)
    assert {one.configuration.prompt for one in best} == {"md"}
    asyncio.run(run_all(jobs([one.configuration for one in best], [str(suite_file)], 4, tmp_path)))
    finalists, _none = halve([standing(one.configuration, tmp_path) for one in best], 2)
    found = recommend([*finalists, *dropped], arms[0])
    kept = found.calibrated()
    assert (kept.prompt, kept.history, kept.score, kept.tasks, kept.digest) == ("md", "task", 1.0, 4, "abc")
    assert found.default is not None
    assert (found.default.first, found.default.second, found.default.tasks) == (0.0, 1.0, 2)
    assert found.second is not None
    assert found.second.tasks == 4


def test_what_was_not_run_has_no_standing(tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        standing(Configuration.of(model=MODEL), tmp_path)
