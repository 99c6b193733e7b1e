from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.evaluation.metrics import (
    Interval,
    bootstrap_interval,
    overall_figures,
    stratified_interval,
    suite_figures,
    wilson_interval,
)
from agent.evaluation.results import interval
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


def test_the_bootstrap_of_two_tasks_can_be_counted_out() -> None:
    # A quarter of the resamples is (0, 0), a quarter (1, 1): both ends of 95 % are there.
    assert bootstrap_interval([[0.0], [1.0]]) == Interval(0.0, 1.0)
    # At a level of 40 % the ends lie at the quantiles 0.3 and 0.7, which are both of the mixed half.
    assert bootstrap_interval([[0.0], [1.0]], level=0.4) == Interval(0.5, 0.5)


def test_the_bootstrap_comes_near_the_normal_interval_of_many_tasks() -> None:
    found = bootstrap_interval([[float(number % 2)] for number in range(400)])
    assert found.low == pytest.approx(0.5 - 1.96 * 0.5 / 20, abs=0.01)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.5 / 20, abs=0.01)


@settings(deadline=None)
@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=3), min_size=1, max_size=8))
def test_the_bootstrap_stays_between_the_tasks(clusters: list[list[float]]) -> None:
    found = bootstrap_interval(clusters, resamples=50)
    means = [sum(cluster) / len(cluster) for cluster in clusters]
    assert min(means) - 1e-9 <= found.low <= found.high <= max(means) + 1e-9


def test_suites_weigh_the_same_and_are_drawn_apart() -> None:
    # One suite is always 1, the other always 0: nothing is left to chance, however many tasks each has.
    assert stratified_interval([[[1.0]] * 30, [[0.0]] * 2]) == Interval(0.5, 0.5)


@settings(deadline=None)
@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=6), min_size=1, max_size=4))
def test_an_interval_over_suites_holds_the_mean_of_suites_of_equal_tasks(suites: list[list[float]]) -> None:
    flat = [[[suite[0]]] * len(suite) for suite in suites]
    mean = sum(suite[0] for suite in suites) / len(suites)
    found = stratified_interval(flat, resamples=20)
    assert found.low == pytest.approx(mean)
    assert found.high == pytest.approx(mean)


@pytest.mark.parametrize(
    ("values", "low", "high"), [([[0.0]] * 6, 0.0, 0.390), ([[1.0]] * 10, 0.722, 1.0), ([[1.0, 1.0]] * 10, 0.722, 1.0)]
)
def test_tasks_that_are_all_alike_do_not_make_certain(values: list[list[float]], low: float, high: float) -> None:
    found = interval(values)
    assert found.low == pytest.approx(low, abs=1e-3)
    assert found.high == pytest.approx(high, abs=1e-3)


def test_tasks_that_differ_have_the_bootstraps_interval() -> None:
    assert interval([[0.0], [0.5]]) == bootstrap_interval([[0.0], [0.5]])
