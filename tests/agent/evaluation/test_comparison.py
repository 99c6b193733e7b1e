from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evaluation import comparison
from agent.evaluation.comparison import mcnemar, paired_difference, permutation_p
from agent.evaluation.results import pass_power_k


def test_mcnemar_counts_the_pairs_that_differ() -> None:
    # 1 against 8 of nine differing pairs: 2 * (1 + 9) / 2^9
    pairs = [(True, False)] + [(False, True)] * 8 + [(True, True)] * 20 + [(False, False)] * 3
    result = mcnemar(pairs)
    assert (result.both, result.only_first, result.only_second, result.neither) == (20, 1, 8, 3)
    assert isclose(result.p, 20 / 512)


@pytest.mark.parametrize("pairs", [[], [(True, True)], [(True, False), (False, True)]])
def test_without_a_leaning_mcnemar_sees_nothing(pairs: list[tuple[bool, bool]]) -> None:
    assert mcnemar(pairs).p == 1.0


def test_a_permutation_test_tries_all_signs_of_few_differences() -> None:
    # All six the same way: only +++++ + and ------ are as far from zero.
    assert permutation_p([0.5] * 6) == 2 / 64
    assert permutation_p([0.5, -0.5]) == 1.0
    assert permutation_p([]) == 1.0


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.25, 1.0]), min_size=1, max_size=10))
def test_a_sample_of_signs_comes_near_to_all_of_them(differences: list[float]) -> None:
    exact = permutation_p(differences)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "EXACT", 0)
        patch.setattr(comparison, "SAMPLES", 2000)
        sampled = permutation_p(differences)
    assert abs(exact - sampled) < 0.06


def test_a_difference_is_of_the_same_tasks() -> None:
    found = paired_difference([(0.0, 1.0), (0.5, 0.5), (0.0, 0.5)])
    assert (found.first, found.second, found.tasks) == (0.5 / 3, 2 / 3, 3)
    assert 0.0 <= found.interval.low <= 0.5 <= found.interval.high <= 1.0
    assert found.p == 0.5


def test_pass_power_k() -> None:
    # One task succeeds always, one in two of three repeats: (1 + 2/3) / 2, (1 + 1/3) / 2, (1 + 0) / 2
    assert pass_power_k([(3, 3), (2, 3)]) == pytest.approx((5 / 6, 4 / 6, 3 / 6))
    assert pass_power_k([(1, 1), (1, 2)]) == pytest.approx((0.75,))
