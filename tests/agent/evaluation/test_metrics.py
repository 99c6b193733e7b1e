from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evaluation.metrics import bootstrap_interval, overall_figures, suite_figures, wilson_interval
from agent.evaluation.scoring import ExpectedCall, MadeCall, score

LIST = ExpectedCall("list_components")
DONE, REFUSED = MadeCall("list_components", {}, True), MadeCall("list_components", {}, False)


def test_coverage_is_over_tasks_with_calls_and_abstention_over_the_others() -> None:
    figures = suite_figures([score([LIST], [DONE]), score([LIST], []), score([], []), score([], [REFUSED])])
    assert (figures.ecc, figures.nca, figures.tfr, figures.evcr) == (0.5, 0.5, 0.25, 0.0)
    assert (figures.tasks, figures.with_calls) == (4, 2)


def test_a_suite_without_no_call_tasks_has_no_abstention() -> None:
    assert suite_figures([score([LIST], [DONE])]).nca is None


def test_overall_weighs_suites_not_tasks() -> None:
    small = suite_figures([score([LIST], [DONE])])
    large = suite_figures([score([LIST], [])] * 9 + [score([], [])])
    overall = overall_figures([small, large])
    assert (overall.ecc, overall.nca, overall.tasks, overall.with_calls) == (0.5, 1.0, 11, 10)


def test_no_scores_no_mean() -> None:
    with pytest.raises(ValueError, match="No task"):
        suite_figures([])
    with pytest.raises(ValueError, match="No suite"):
        overall_figures([])


@pytest.mark.parametrize(("successes", "trials", "low", "high"), [(38, 40, 0.835, 0.986), (16, 20, 0.584, 0.919)])
def test_wilson_known_values(successes: int, trials: int, low: float, high: float) -> None:
    interval = wilson_interval(successes, trials)
    assert interval.low == pytest.approx(low, abs=5e-4)
    assert interval.high == pytest.approx(high, abs=5e-4)


@given(st.integers(1, 500).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials))))
def test_wilson_holds_the_share(counts: tuple[int, int]) -> None:
    successes, trials = counts
    interval = wilson_interval(successes, trials)
    assert 0.0 <= interval.low <= successes / trials + 1e-12
    assert successes / trials - 1e-12 <= interval.high <= 1.0


@pytest.mark.parametrize("counts", [(1, 0), (3, 2), (-1, 2)])
def test_wilson_refuses_what_is_no_share(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not a share"):
        wilson_interval(*counts)


def test_bootstrap_is_seeded_and_wider_for_fewer_tasks() -> None:
    many = [[0.0], [1.0]] * 50
    few = [[0.0], [1.0]] * 5
    first, wide = bootstrap_interval(many, seed=1), bootstrap_interval(few, seed=1)
    assert first == bootstrap_interval(many, seed=1)
    assert first.low < 0.5 < first.high
    assert wide.high - wide.low > first.high - first.low


def test_repeats_of_a_task_are_not_independent() -> None:
    tasks = [[0.0], [1.0]] * 5
    once, repeated = bootstrap_interval(tasks), bootstrap_interval([task * 10 for task in tasks])
    assert once == repeated


def test_bootstrap_needs_values() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        bootstrap_interval([[1.0], []])
