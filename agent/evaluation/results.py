"""What a run has come to: figures of its suites, with how sure they are and what they cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from statistics import fmean

from agent.evaluation.configuration import Configuration
from agent.evaluation.metrics import (
    Figures,
    Interval,
    bootstrap_interval,
    overall_figures,
    stratified_interval,
    suite_figures,
    wilson_interval,
)
from agent.evaluation.mishaps import Mishaps
from agent.evaluation.records import RunRecord, TaskRecord
from agent.evaluation.run_folder import RecordError, RunFolder, Session
from agent.evaluation.suites import bundled_suites


@dataclass(frozen=True, slots=True)
class Cost:
    """Means over tasks: seconds by what they were spent on, and tokens.

    Attributes:
        seconds: wall time of a task; ``load``, ``reading``, ``writing`` and ``tools`` are parts of it.
        overhead: restoring the state before and grading; not part of ``seconds``.
    """

    seconds: float
    load: float
    reading: float
    writing: float
    tools: float
    overhead: float
    prompt_tokens: float
    cached_tokens: float
    completion_tokens: float
    turns: float


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """One suite under one configuration.

    Attributes:
        figures: means over tasks and repeats.
        evcr_weighted: EVCR with calls counted by severity.
        perfect: share of tasks in which everything asked for was done and nothing else.
        state: share of tasks after which the design was as it should be.
        pass_k: for k = 1 … repeats, the chance that k repeats of a task are all perfect.
        intervals: 95 % by name of the figure: cluster bootstrap over tasks; Wilson's for shares, and where all tasks
            have 0 or all have 1, which a bootstrap takes for certain.
    """

    suite: str
    tasks: int
    repeats: int
    figures: Figures
    evcr_weighted: float
    perfect: float
    state: float
    pass_k: tuple[float, ...]
    intervals: dict[str, Interval]
    cost: Cost
    mishaps: Mishaps


@dataclass(frozen=True, slots=True)
class RunResult:
    """A run and its suites.

    Attributes:
        other_servers: results of the tasks of other servers in the noise suites, which are reported apart.
        overall_intervals: 95 % of the means over suites, by name of the figure; tasks are drawn within their suites.
    """

    run: RunRecord
    suites: tuple[SuiteResult, ...]
    other_servers: tuple[SuiteResult, ...]
    overall_intervals: Mapping[str, Interval]
    interruptions: int

    @property
    def overall(self) -> Figures | None:
        """Means over suites, each weighing the same; None where nothing was run."""
        return overall_figures(suite.figures for suite in self.suites) if self.suites else None


@dataclass(frozen=True)
class LoadedRun:
    """A run with its records.

    Attributes:
        records: of the design tasks, by suite.
        others: of the tasks of other servers, by suite.
    """

    run: RunRecord
    records: Mapping[str, Sequence[TaskRecord]]
    others: Mapping[str, Sequence[TaskRecord]]
    interruptions: int

    @property
    def configuration(self) -> Configuration:
        """What was run."""
        return self.run.configuration

    @cached_property
    def result(self) -> RunResult:
        """The figures; worked out once, since the intervals take a while."""
        return RunResult(
            self.run,
            tuple(suite_result(suite, rows) for suite, rows in self.records.items()),
            tuple(suite_result(suite, rows) for suite, rows in self.others.items()),
            _overall_intervals(list(self.records.values())),
            self.interruptions,
        )


def load_run(folder: RunFolder) -> LoadedRun:
    """Read what there is in a run's folder.

    Raises:
        RecordError: it holds no run, or a file cannot be read.
    """
    run = folder.read()
    if run is None:
        raise RecordError(f"There is no benchmark run in {folder.path}.")
    design: dict[str, list[TaskRecord]] = defaultdict(list)
    others: dict[str, list[TaskRecord]] = defaultdict(list)
    interruptions = 0
    for session in sorted(folder.sessions(), key=lambda session: (_place(session), session.path)):
        interruptions += len(session.interruptions)
        for record in session.tasks:
            (design if record.task.server == "design" else others)[record.suite].append(record)
    return LoadedRun(run, design, others, interruptions)


def _place(session: Session) -> int:
    """Where a session's suite stands in a report: bundled suites in their order, then the others."""
    names = bundled_suites()
    suite = session.header.suite if session.header else ""
    return names.index(suite) if suite in names else len(names)


def suite_result(suite: str, records: Sequence[TaskRecord]) -> SuiteResult:
    """Evaluate the records of one suite; at least one."""
    clusters = _by_task(records)
    perfect = [[float(record.grade.perfect) for record in cluster] for cluster in clusters]
    state = [[float(record.state.equal) for record in cluster] for cluster in clusters]
    weighted = [[record.grade.evcr_weighted for record in cluster] for cluster in clusters]
    return SuiteResult(
        suite=suite,
        tasks=len(clusters),
        repeats=max(map(len, clusters)),
        figures=suite_figures(record.grade for record in records),
        evcr_weighted=_flat_mean(weighted),
        perfect=_flat_mean(perfect),
        state=_flat_mean(state),
        pass_k=pass_power_k([(int(sum(row)), len(row)) for row in perfect]),
        intervals=_intervals(clusters)
        | {"evcr_weighted": interval(weighted), "perfect": _share(perfect), "state": _share(state)},
        cost=_cost(records),
        mishaps=Mishaps.of(records),
    )


_FIGURES: Mapping[str, Callable[[TaskRecord], float | None]] = {
    "ecc": lambda record: record.grade.ecc,
    "evcr": lambda record: record.grade.evcr,
    "evcr_writes": lambda record: record.grade.evcr_writes,
    "tfr": lambda record: record.grade.tfr,
    "nca": lambda record: record.grade.nca,
}


def _intervals(clusters: Sequence[Sequence[TaskRecord]]) -> dict[str, Interval]:
    intervals: dict[str, Interval] = {}
    for name, figure in _FIGURES.items():
        if values := _values(clusters, figure):
            intervals[name] = _share(values) if name == "nca" else interval(values)
    return intervals


def interval(values: Sequence[Sequence[float]]) -> Interval:
    """95 % of a mean between 0 and 1 over tasks: the bootstrap's, or Wilson's where it sees no variation at an end."""
    flat = {value for row in values for value in row}
    if flat in ({0.0}, {1.0}):
        return wilson_interval(len(values) if flat == {1.0} else 0, len(values))
    return bootstrap_interval(values)


def _overall_intervals(suites: Sequence[Sequence[TaskRecord]]) -> dict[str, Interval]:
    clustered = [_by_task(records) for records in suites]
    intervals: dict[str, Interval] = {}
    for name, figure in _FIGURES.items():
        if strata := [values for clusters in clustered if (values := _values(clusters, figure))]:
            flat = {value for values in strata for row in values for value in row}
            everything = [row for values in strata for row in values]
            intervals[name] = interval(everything) if len(flat) == 1 else stratified_interval(strata)
    return intervals


def _by_task(records: Iterable[TaskRecord]) -> list[list[TaskRecord]]:
    """The repeats of each task."""
    found: dict[str, list[TaskRecord]] = defaultdict(list)
    for record in records:
        found[record.task.id].append(record)
    return list(found.values())


def _values(
    clusters: Iterable[Iterable[TaskRecord]], figure: Callable[[TaskRecord], float | None]
) -> list[list[float]]:
    """A figure of every task that has it, in every repeat."""
    values = [[value for record in cluster if (value := figure(record)) is not None] for cluster in clusters]
    return [row for row in values if row]


def _share(clusters: Sequence[Sequence[float]]) -> Interval:
    """The interval of a share: Wilson's where every task was done once, else over tasks, since repeats depend."""
    if all(len(cluster) == 1 for cluster in clusters):
        return wilson_interval(int(sum(cluster[0] for cluster in clusters)), len(clusters))
    return interval(clusters)


def pass_power_k(tasks: Iterable[tuple[int, int]]) -> tuple[float, ...]:
    """Return pass^k for k = 1 up to the fewest repeats: the chance that k repeats of a task all succeed.

    Args:
        tasks: successes and repeats of each task.
    """
    counts = list(tasks)
    fewest = min(repeats for _successes, repeats in counts)
    return tuple(
        fmean(comb(successes, k) / comb(repeats, k) for successes, repeats in counts) for k in range(1, fewest + 1)
    )


def _flat_mean(clusters: Iterable[Iterable[float]]) -> float:
    return fmean(value for cluster in clusters for value in cluster)


def _cost(records: Sequence[TaskRecord]) -> Cost:
    return Cost(
        seconds=fmean(record.seconds for record in records),
        load=fmean(record.usage.load_seconds for record in records),
        reading=fmean(record.usage.prompt_seconds for record in records),
        writing=fmean(record.usage.generation_seconds for record in records),
        tools=fmean(sum(call.seconds for call in record.calls) for record in records),
        overhead=fmean(record.overhead for record in records),
        prompt_tokens=fmean(record.usage.prompt_tokens for record in records),
        cached_tokens=fmean(record.usage.cached_tokens for record in records),
        completion_tokens=fmean(record.usage.completion_tokens for record in records),
        turns=fmean(len(record.turns) for record in records),
    )
