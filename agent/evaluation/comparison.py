"""Is one configuration better than another? Paired tests over the tasks that both have done."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb
from operator import getitem
from statistics import fmean

from agent.evaluation.metrics import Interval, bootstrap_interval
from agent.evaluation.records import TaskRecord
from agent.evaluation.results import LoadedRun

EXACT = 14  # up to so many differing tasks all sign patterns are tried; beyond, a sample
SAMPLES = 20_000

TaskKey = tuple[str, str]  # suite and task


@dataclass(frozen=True, slots=True)
class McNemar:
    """Perfect tasks, paired: ``only_first`` and ``only_second`` are perfect in just one of the runs.

    Attributes:
        p: exact, two-sided.
    """

    both: int
    only_first: int
    only_second: int
    neither: int
    p: float


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of the second run minus that of the first, over the same tasks.

    Attributes:
        tasks: how many tasks have the figure in both.
        interval: 95 %, bootstrap over tasks.
        p: of a two-sided permutation test that swaps the runs task by task.
    """

    first: float
    second: float
    tasks: int
    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over what both have done.

    Attributes:
        suite: "" for all suites together.
        ecc: None where no task has one; likewise the others.
    """

    suite: str
    tasks: int
    perfect: McNemar
    ecc: Difference | None
    evcr: Difference | None
    tfr: Difference | None


def compare(first: LoadedRun, second: LoadedRun) -> list[Comparison]:
    """Compare suite by suite and, where there are several, over all; empty if no task is common to both.

    Where tasks were repeated, ECC, EVCR and TFR are the task's means, and McNemar's test, which knows no repeats,
    takes the first repeat.
    """
    firsts, seconds = _by_task(first), _by_task(second)
    common = [key for key in firsts if key in seconds and firsts[key][0].task.prompt == seconds[key][0].task.prompt]
    suites = list(dict.fromkeys(suite for suite, _task in common))
    groups = [(suite, [key for key in common if key[0] == suite]) for suite in suites]
    if len(groups) > 1:
        groups.append(("", common))
    return [_compare(suite, keys, firsts, seconds) for suite, keys in groups]


def _by_task(run: LoadedRun) -> dict[TaskKey, list[TaskRecord]]:
    found: dict[TaskKey, list[TaskRecord]] = defaultdict(list)
    for suite, records in run.records.items():
        for record in sorted(records, key=lambda record: (record.repeat, record.index)):
            found[suite, record.task.id].append(record)
    return found


def _compare(
    suite: str,
    keys: Sequence[TaskKey],
    firsts: Mapping[TaskKey, Sequence[TaskRecord]],
    seconds: Mapping[TaskKey, Sequence[TaskRecord]],
) -> Comparison:
    def difference(figure: Callable[[TaskRecord], float | None]) -> Difference | None:
        pairs = [
            (before, after)
            for key in keys
            if (before := _mean(map(figure, firsts[key]))) is not None
            and (after := _mean(map(figure, seconds[key]))) is not None
        ]
        return paired_difference(pairs) if pairs else None

    return Comparison(
        suite,
        len(keys),
        mcnemar([(firsts[key][0].grade.perfect, seconds[key][0].grade.perfect) for key in keys]),
        difference(lambda record: record.grade.ecc),
        difference(lambda record: record.grade.evcr),
        difference(lambda record: record.grade.tfr),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def mcnemar(pairs: Iterable[tuple[bool, bool]]) -> McNemar:
    """McNemar's exact test: do the pairs that differ favour one side?"""
    rows = list(pairs)
    only_first = sum(before and not after for before, after in rows)
    only_second = sum(after and not before for before, after in rows)
    both = sum(before and after for before, after in rows)
    differing = only_first + only_second
    tail = sum(comb(differing, k) for k in range(min(only_first, only_second) + 1)) / 2**differing
    return McNemar(both, only_first, only_second, len(rows) - both - differing, min(1.0, 2 * tail))


def paired_difference(pairs: Sequence[tuple[float, float]], *, seed: int = 0) -> Difference:
    """Compare two figures of the same tasks; at least one pair."""
    differences = [after - before for before, after in pairs]
    return Difference(
        fmean(before for before, _after in pairs),
        fmean(after for _before, after in pairs),
        len(pairs),
        bootstrap_interval([[difference] for difference in differences], seed=seed),
        permutation_p([difference for difference in differences if difference], seed=seed),
    )


def holm(values: Sequence[float]) -> list[float]:
    """Holm's correction of p values for how many tests were made, in their order."""
    order = sorted(range(len(values)), key=values.__getitem__)
    adjusted = [0.0] * len(values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, values[index] * (len(values) - rank)))
        adjusted[index] = largest
    return adjusted


def permutation_p(differences: Sequence[float], *, seed: int = 0) -> float:
    """Two-sided p of a sign-flip test: how often do random signs give a sum as far from zero as the one seen?"""
    if not differences:
        return 1.0
    seen = abs(sum(differences)) - 1e-9  # sums of the same numbers differ in their last bits
    if len(differences) <= EXACT:
        sums = [
            sum(sign * value for sign, value in zip(signs, differences, strict=True))
            for signs in product((1, -1), repeat=len(differences))
        ]
        return sum(abs(total) >= seen for total in sums) / len(sums)
    # The sums of eight differences with all their signs are worked out once, so that a sample takes a few look-ups.
    tables = [_signed_sums(differences[start : start + 8]) for start in range(0, len(differences), 8)]
    draw = random.Random(seed)
    extreme = 0
    for _sample in range(SAMPLES):
        signs = draw.randbytes(len(tables))
        extreme += abs(sum(map(getitem, tables, signs))) >= seen
    return (extreme + 1) / (SAMPLES + 1)


def _signed_sums(values: Sequence[float]) -> list[float]:
    """The sum of up to eight values for each byte, whose bits are their signs."""
    padded = [*values, *[0.0] * (8 - len(values))]
    return [sum(value if byte >> bit & 1 else -value for bit, value in enumerate(padded)) for byte in range(256)]
