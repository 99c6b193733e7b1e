from __future__ import annotations

from itertools import combinations
from math import comb, isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.evaluation import comparison
from agent.evaluation.comparison import holm, mcnemar, paired_difference, permutation_p
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


@settings(deadline=None)
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


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_mcnemar_is_the_sign_test_of_the_pairs_that_differ(pairs: list[tuple[bool, bool]]) -> None:
    differing = [after for before, after in pairs if before != after]
    ways = [comb(len(differing), k) for k in range(len(differing) + 1)]
    seen = min(sum(differing), len(differing) - sum(differing))
    exact = min(1.0, 2 * sum(ways[: seen + 1]) / 2 ** len(differing))
    found = mcnemar(pairs)
    assert isclose(found.p, exact)
    assert found.both + found.only_first + found.only_second + found.neither == len(pairs)
    mirrored = mcnemar([(after, before) for before, after in pairs])
    assert (mirrored.p, mirrored.only_first) == (found.p, found.only_second)


def test_mcnemar_known_value() -> None:
    # 2 or fewer of 12: 1 + 12 + 66 of 4096 ways, on both sides.
    assert isclose(mcnemar([(True, False)] * 10 + [(False, True)] * 2).p, 158 / 4096)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(-1, 1), max_size=16))
def test_the_sign_of_the_difference_does_not_matter(differences: list[float]) -> None:
    assert 0.0 < permutation_p(differences) <= 1.0
    assert permutation_p(differences) == pytest.approx(permutation_p([-value for value in differences]), abs=0.02)


def test_a_sample_of_many_clear_differences_is_as_small_as_it_can_be() -> None:
    assert permutation_p([0.5] * 40) == 1 / (comparison.SAMPLES + 1)


@given(st.lists(st.tuples(st.integers(0, 5), st.just(5)), min_size=1, max_size=6))
def test_pass_power_k_is_the_share_of_draws_that_all_succeed(tasks: list[tuple[int, int]]) -> None:
    found = pass_power_k(tasks)
    for k in range(1, 6):
        shares = []
        for successes, repeats in tasks:
            draws = list(combinations([True] * successes + [False] * (repeats - successes), k))
            shares.append(sum(all(draw) for draw in draws) / len(draws))
        assert found[k - 1] == pytest.approx(sum(shares) / len(shares))
    assert list(found) == sorted(found, reverse=True)


def test_holm_known_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_never_helps(values: list[float]) -> None:
    adjusted = holm(values)
    assert all(before <= after <= 1.0 for before, after in zip(values, adjusted, strict=True))
    order = sorted(range(len(values)), key=values.__getitem__)
    assert [adjusted[index] for index in order] == sorted(adjusted)
