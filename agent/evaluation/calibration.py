"""Calibration: which prompt, tool descriptions and history suit a model best, found on a short sample of tasks.

Sequential halving: all configurations do a few tasks of every suite, the better half does some more, and so on until
two are left. What is compared is always the same tasks.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from pathlib import Path
from statistics import fmean

from agent.calibrated import Calibrated, Mode
from agent.evaluation.comparison import Difference, paired_difference
from agent.evaluation.configuration import PROMPTS, Configuration
from agent.evaluation.metrics import Interval, bootstrap_interval
from agent.evaluation.parallel import Job
from agent.evaluation.records import TaskRecord
from agent.evaluation.results import load_run
from agent.evaluation.run_folder import RecordError, RunFolder
from agent.evaluation.runner import Plan
from agent.evaluation.suites import Suite, load_suite
from agent.evaluation.sweep import folder_name

SUITES = ("easy", "medium", "hard", "history", "errors", "cross")
BUDGET = 240  # tasks, about
STRIDE = 3  # between the tasks taken from a suite whose tasks stand alone, so that the sample is not its beginning
_STAND_ALONE = frozenset({"easy", "medium", "hard", "errors"})

TaskKey = tuple[str, str]  # suite and task


@dataclass(frozen=True, slots=True)
class Standing:
    """How a configuration has done so far.

    Attributes:
        score: mean over tasks of ECC, or of NCA for tasks without a right call.
        waste: mean over tasks of EVCR by severity plus TFR; it decides between equal scores.
        seconds: a task, as a mean; it decides where that is equal, too.
        interval: 95 % of the score, bootstrap over tasks.
    """

    configuration: Configuration
    score: float
    waste: float
    seconds: float
    interval: Interval
    records: dict[TaskKey, TaskRecord]

    @property
    def rank(self) -> tuple[float, float, float]:
        """Sorts the best first."""
        return -self.score, self.waste, self.seconds


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What calibration recommends.

    Attributes:
        standings: of all configurations: those that stayed longest first, of equals the best.
        second: the best against the one it beat last, None where there is one only; the difference is the best's
            score minus the other's, over the tasks that both did.
        default: likewise against the configuration that is used without calibration; None if that is the best.
    """

    standings: tuple[Standing, ...]
    second: Difference | None
    default: Difference | None

    @property
    def best(self) -> Standing:
        """The configuration to use."""
        return self.standings[0]

    def calibrated(self) -> Calibrated:
        """In the form in which the product reads it."""
        best = self.best
        fixed = best.configuration
        return Calibrated(
            prompt=fixed.prompt,
            tools=fixed.tools,
            history=fixed.history,
            label=fixed.label,
            score=round(best.score, 4),
            low=round(best.interval.low, 4),
            high=round(best.interval.high, 4),
            tasks=len(best.records),
            digest=next(iter(best.records.values())).digest,
            made=datetime.now(UTC).isoformat(timespec="seconds"),
        )


def candidates(model: str, mode: Mode, histories: Sequence[str] = ("run", "task")) -> list[Configuration]:
    """The configurations among which the best is looked for; the first is what is used without calibration.

    Raises:
        ConfigurationError: a history is none.
    """
    if mode == "assisted":
        return [Configuration.of(model=model, mode=mode, history=history) for history in histories]
    prompts = sorted(PROMPTS, key=lambda prompt: prompt != "basic")
    return [
        Configuration.of(model=model, prompt=prompt, tools=tools, history=history)
        for prompt, tools, history in itertools.product(prompts, ("comprehensive", "minimal"), histories)
    ]


def rounds(configurations: int, suites: int, budget: int) -> list[tuple[int, int]]:
    """How many configurations go into each round, and how many tasks of a suite they have done at its end.

    The budget is divided evenly among the rounds; every configuration does at least one new task of each suite.
    """
    left = [configurations]
    while left[-1] > 2:
        left.append(ceil(left[-1] / 2))
    each = budget / len(left)
    done = itertools.accumulate(max(1, round(each / (count * suites))) for count in left)
    return list(zip(left, done, strict=True))


def sample(suite: Suite, count: int) -> frozenset[int]:
    """Positions of the first ``count`` tasks of a suite's sample, counted from 1.

    Where later tasks refer to earlier ones, the sample is the suite's beginning. A longer sample goes on where a
    shorter one ended, since a session cannot go back.
    """
    step = STRIDE if suite.name in _STAND_ALONE else 1
    return frozenset(itertools.islice(range(1, len(suite.tasks) + 1, step), count))


def jobs(configurations: Sequence[Configuration], suites: Sequence[str], count: int, folder: Path) -> list[Job]:
    """What has to be run so that every configuration has done ``count`` tasks of every suite.

    Raises:
        SuiteError: a suite cannot be read.
    """
    loaded = [load_suite(source) for source in suites]
    tasks = {suite.name: sample(suite, count) for suite in loaded}
    return [
        (Plan(configuration, tuple(suites), tasks_of=tasks), folder / folder_name(configuration))
        for configuration in configurations
    ]


def standing(configuration: Configuration, folder: Path) -> Standing:
    """How a configuration has done in the tasks that it has done.

    Raises:
        RecordError: nothing was run, or a file cannot be read.
    """
    loaded = load_run(RunFolder(folder / folder_name(configuration)))
    records = {(suite, record.task.id): record for suite, rows in loaded.records.items() for record in rows}
    if not records:
        raise RecordError(f"No task of {configuration.label} was done in {folder}.")
    scores = [_achieved(record) for record in records.values()]
    return Standing(
        configuration,
        fmean(scores),
        fmean(record.grade.evcr_weighted + record.grade.tfr for record in records.values()),
        fmean(record.seconds for record in records.values()),
        bootstrap_interval([[score] for score in scores]),
        records,
    )


def halve(standings: Sequence[Standing], keep: int) -> tuple[list[Standing], list[Standing]]:
    """The ``keep`` best, and the others; both with the best first."""
    ranked = sorted(standings, key=lambda one: one.rank)
    return ranked[:keep], ranked[keep:]


def recommend(standings: Sequence[Standing], default: Configuration) -> Recommendation:
    """Sum up.

    Args:
        standings: of all configurations, those that stayed longest first, of equals the best.
        default: what is used without calibration.
    """
    best = standings[0]
    second = _against(best, standings[1]) if len(standings) > 1 else None
    usual = next((one for one in standings if one.configuration == default), None)
    beaten = _against(best, usual) if usual is not None and usual is not best else None
    return Recommendation(tuple(standings), second, beaten)


def _against(best: Standing, other: Standing) -> Difference:
    common = [key for key in best.records if key in other.records]
    return paired_difference([(_achieved(other.records[key]), _achieved(best.records[key])) for key in common])


def _achieved(record: TaskRecord) -> float:
    grade = record.grade
    return grade.ecc if grade.ecc is not None else grade.nca or 0.0
