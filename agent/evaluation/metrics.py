"""From tasks to figures: the means of a suite and over suites, and how sure they are."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import Protocol


class Scored(Protocol):
    """The metrics of one task, as a :class:`~agent.evaluation.scoring.Score` or a written down grade has them."""

    @property
    def ecc(self) -> float | None: ...  # noqa: D102
    @property
    def evcr(self) -> float: ...  # noqa: D102
    @property
    def evcr_writes(self) -> float: ...  # noqa: D102
    @property
    def tfr(self) -> float: ...  # noqa: D102
    @property
    def nca(self) -> float | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Figures:
    """The metrics of a suite, or of several.

    Attributes:
        ecc: mean over the tasks with expected calls, or None where there are none.
        nca: share of the other tasks that were left alone, or None where there are none.
        tasks: how many tasks were scored.
        with_calls: how many of them have expected calls.
    """

    ecc: float | None
    evcr: float
    evcr_writes: float
    tfr: float
    nca: float | None
    tasks: int
    with_calls: int


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of a mean or a share."""

    low: float
    high: float


def suite_figures(scores: Iterable[Scored]) -> Figures:
    """Return the means over a suite's tasks; each task weighs the same, however many calls it takes.

    Raises:
        ValueError: there are no scores.
    """
    rows = list(scores)
    if not rows:
        raise ValueError("No task has been scored, so there is no mean.")
    coverage = [row.ecc for row in rows if row.ecc is not None]
    return Figures(
        ecc=_mean(coverage),
        evcr=fmean(row.evcr for row in rows),
        evcr_writes=fmean(row.evcr_writes for row in rows),
        tfr=fmean(row.tfr for row in rows),
        nca=_mean(row.nca for row in rows if row.nca is not None),
        tasks=len(rows),
        with_calls=len(coverage),
    )


def overall_figures(suites: Iterable[Figures]) -> Figures:
    """Return the means over suites, each weighing the same; ECC and NCA over the suites that have one.

    Raises:
        ValueError: there are no suites.
    """
    rows = list(suites)
    if not rows:
        raise ValueError("No suite has been scored, so there is no mean.")
    return Figures(
        ecc=_mean(row.ecc for row in rows if row.ecc is not None),
        evcr=fmean(row.evcr for row in rows),
        evcr_writes=fmean(row.evcr_writes for row in rows),
        tfr=fmean(row.tfr for row in rows),
        nca=_mean(row.nca for row in rows if row.nca is not None),
        tasks=sum(row.tasks for row in rows),
        with_calls=sum(row.with_calls for row in rows),
    )


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return fmean(known) if known else None


def wilson_interval(successes: int, trials: int, level: float = 0.95) -> Interval:
    """Return Wilson's score interval of a share: right for NCA and other yes-or-no outcomes, small counts too.

    Raises:
        ValueError: there are no trials, or not 0 <= successes <= trials.
    """
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"{successes} of {trials} is not a share.")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    centre = share + z * z / (2 * trials)
    return Interval(max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale))


def bootstrap_interval(
    clusters: Sequence[Sequence[float]], *, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> Interval:
    """Return the percentile bootstrap interval of a mean whose values come in clusters.

    Args:
        clusters: one cluster per task, holding the task's value in each repeat. Whole tasks are drawn, since the
            repeats of a task depend on one another.
        seed: the same seed gives the same interval.

    Raises:
        ValueError: there are no clusters, or one is empty.
    """
    return stratified_interval([clusters], level=level, resamples=resamples, seed=seed)


def stratified_interval(
    suites: Sequence[Sequence[Sequence[float]]], *, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> Interval:
    """Return the same of a mean over suites, each weighing the same; tasks are drawn within their suites.

    Raises:
        ValueError: there are no suites, one has no clusters, or one of those is empty.
    """
    if not suites or not all(clusters and all(clusters) for clusters in suites):
        raise ValueError("Every task needs at least one value.")
    draw = random.Random(seed)
    means = [0.0] * resamples
    for clusters in suites:
        for resample, mean in enumerate(_resampled(clusters, draw, resamples)):
            means[resample] += mean / len(suites)
    means.sort()
    tail = (1 - level) / 2
    last = resamples - 1
    return Interval(means[round(tail * last)], means[round((1 - tail) * last)])


def _resampled(clusters: Sequence[Sequence[float]], draw: random.Random, resamples: int) -> Iterable[float]:
    """Means of so many draws of whole clusters."""
    totals = [(sum(cluster), len(cluster)) for cluster in clusters]
    size = len(totals)
    if len({count for _total, count in totals}) == 1:
        means = [total / count for total, count in totals]
        if len(set(means)) == 1:
            return itertools.repeat(means[0], resamples)
        return (sum(draw.choices(means, k=size)) / size for _resample in range(resamples))
    return (
        sum(total for total, _count in drawn) / sum(count for _total, count in drawn)
        for drawn in (draw.choices(totals, k=size) for _resample in range(resamples))
    )
