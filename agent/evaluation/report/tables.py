"""The report's own tables: every run with its suites, what it cost, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from agent.evaluation.comparison import Difference, compare, holm
from agent.evaluation.metrics import Interval
from agent.evaluation.results import LoadedRun, RunResult, SuiteResult

NONE = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """Something to be shown as a table.

    Attributes:
        name: file name without ending.
        published: how many of the first rows are the paper's.
        note: what the reader must know to read it right.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    published: int = 0


def own_tables(runs: Sequence[LoadedRun]) -> list[Table]:
    """The tables of what was run here."""
    results = [run.result for run in runs]
    return [
        _figures(results),
        _beyond(results),
        _cost(results),
        _mishaps(results),
        *([_comparisons(runs)] if len(runs) > 1 else []),
        *([_other_servers(results)] if any(result.other_servers for result in results) else []),
        _conditions(results),
    ]


def run_name(result: RunResult) -> tuple[str, str]:
    """Model and configuration, as every table begins its rows."""
    return result.run.configuration.model, result.run.configuration.label


def _figures(results: Sequence[RunResult]) -> Table:
    rows: list[tuple[str, ...]] = []
    for result in results:
        for suite in result.suites:
            figures, intervals = suite.figures, suite.intervals
            rows.append(
                (
                    *run_name(result),
                    suite.suite,
                    count(suite),
                    sure(figures.ecc, intervals.get("ecc")),
                    sure(figures.evcr, intervals.get("evcr")),
                    sure(figures.evcr_writes, intervals.get("evcr_writes")),
                    sure(figures.tfr, intervals.get("tfr")),
                    sure(figures.nca, intervals.get("nca")),
                )
            )
        overall = result.overall
        if overall is not None and len(result.suites) > 1:
            shown = (
                sure(getattr(overall, name), result.overall_intervals.get(name))
                for name in ("ecc", "evcr", "evcr_writes", "tfr", "nca")
            )
            rows.append((*run_name(result), "mean of suites", str(overall.tasks), *shown))
    return Table(
        "figures",
        "Figures of every run",
        ("model", "configuration", "suite", "tasks", "ECC", "EVCR", "EVCR without reads", "TFR", "NCA"),
        tuple(rows),
        "In brackets 95 % intervals: bootstrap over tasks, in means of suites within each suite; Wilson's for NCA "
        "where tasks were done once, and where all tasks have 0 or all have 1. ECC is over the tasks with expected "
        "calls, NCA over the others, EVCR and TFR over all.",
    )


def _beyond(results: Sequence[RunResult]) -> Table:
    rows = tuple(
        (
            *run_name(result),
            suite.suite,
            count(suite),
            sure(suite.perfect, suite.intervals["perfect"]),
            sure(suite.state, suite.intervals["state"]),
            sure(suite.evcr_weighted, suite.intervals["evcr_weighted"]),
            " ".join(f"{value:.3f}" for value in suite.pass_k),
        )
        for result in results
        for suite in result.suites
    )
    return Table(
        "beyond",
        "Beyond the paper",
        ("model", "configuration", "suite", "tasks", "perfect", "state", "EVCR by severity", "pass^k, k = 1 …"),
        rows,
        "Perfect: everything asked for was done, nothing else was done or tried. State: the design is structurally "
        "equal to the canonical one afterwards. Severity: an extraneous read counts 0.1, a port or parameter 1, an "
        "instance 2, a connection 4, a deletion 6 or 8. pass^k: the chance that k repeats of a task are all perfect.",
    )


def _cost(results: Sequence[RunResult]) -> Table:
    rows = tuple(
        (
            *run_name(result),
            suite.suite,
            *(f"{value:.2f}" for value in (cost.seconds, cost.load, cost.reading, cost.writing)),
            f"{cost.tools:.3f}",
            f"{cost.overhead:.4f}",
            f"{cost.turns:.1f}",
            *(f"{value:.0f}" for value in (cost.prompt_tokens, cost.cached_tokens, cost.completion_tokens)),
        )
        for result in results
        for suite in result.suites
        for cost in [suite.cost]
    )
    return Table(
        "cost",
        "Seconds and tokens a task",
        (
            *("model", "configuration", "suite", "seconds", "loading", "reading", "writing", "tools", "overhead"),
            *("turns", "tokens read", "of them cached", "tokens written"),
        ),
        rows,
        "Means. Loading the model, reading prompts, writing answers and the tools' work are parts of the seconds; "
        "restoring the state before and grading are the overhead, which is not.",
    )


def _mishaps(results: Sequence[RunResult]) -> Table:
    rows = tuple(
        (
            *run_name(result),
            suite.suite,
            *(
                str(value)
                for value in (
                    mishaps.lost_calls,
                    mishaps.dropped_calls,
                    mishaps.unknown_tools,
                    mishaps.repeated_calls,
                    mishaps.turn_limits,
                    mishaps.overflows,
                    mishaps.forgotten,
                    mishaps.spare_reads,
                    mishaps.spare_writes,
                )
            ),
            NONE if mishaps.first_error is None else f"{mishaps.first_error:.1f}",
            number(mishaps.recovered),
        )
        for result in results
        for suite in result.suites
        for mishaps in [suite.mishaps]
    )
    return Table(
        "mishaps",
        "What went wrong on the way",
        (
            *("model", "configuration", "suite", "lost calls", "dropped calls", "unknown tools", "repeated calls"),
            *("turn limits", "overflows", "requests forgotten", "extraneous reads", "extraneous writes"),
            *("first refusal", "recovered"),
        ),
        rows,
        "Counts over all tasks. Lost: tokens were written, but no call arrived. Dropped: calls beyond the first of a "
        "turn. Extraneous: accepted, and asked for by nobody. First refusal: its mean position among a task's calls; "
        "recovered: share of the tasks with right calls and a refusal that were done completely.",
    )


def _comparisons(runs: Sequence[LoadedRun]) -> Table:
    rows: list[tuple[str, ...]] = []
    ranked = sorted(runs, key=lambda run: (run.configuration.model, -_coverage(run)))
    for _model, group in groupby(ranked, key=lambda run: run.configuration.model):
        best, *others = group
        found = [(other, compared[-1]) for other in others if (compared := compare(best, other))]
        for (other, one), adjusted in zip(found, holm([one.perfect.p for _other, one in found]), strict=True):
            rows.append(
                (
                    *run_name(other.result),
                    best.configuration.label,
                    str(one.tasks),
                    f"+{one.perfect.only_second} −{one.perfect.only_first}",
                    f"{one.perfect.p:.3f}",
                    f"{adjusted:.3f}",
                    *_change(one.ecc),
                    *_change(one.evcr),
                    *_change(one.tfr),
                )
            )
    return Table(
        "comparisons",
        "Every configuration against the best",
        (
            *("model", "configuration", "best", "tasks", "perfect", "p (McNemar)", "p (Holm)"),
            *("ΔECC", "p", "ΔEVCR", "p", "ΔTFR", "p"),
        ),
        tuple(rows),
        "Paired, over the tasks that both have done. Perfect: how many tasks only this one (+) or only the best (−) "
        "did perfectly, with McNemar's exact test, and its p after Holm's correction for that model's comparisons. "
        "Δ: this one minus the best, with a 95 % bootstrap interval over tasks and the p of a permutation test. The "
        "best is the one with the highest ECC as a mean over suites.",
    )


def _coverage(run: LoadedRun) -> float:
    overall = run.result.overall
    return (overall.ecc or 0.0) if overall is not None else 0.0


def _change(difference: Difference | None) -> tuple[str, str]:
    if difference is None:
        return NONE, NONE
    low, high = difference.interval.low, difference.interval.high
    return f"{difference.second - difference.first:+.3f} [{low:+.2f}, {high:+.2f}]", f"{difference.p:.3f}"


def _other_servers(results: Sequence[RunResult]) -> Table:
    rows = tuple(
        (
            *run_name(result),
            suite.suite,
            count(suite),
            sure(suite.figures.ecc, suite.intervals.get("ecc")),
            number(suite.figures.evcr),
            number(suite.figures.tfr),
        )
        for result in results
        for suite in result.other_servers
    )
    return Table(
        "other-servers",
        "Tasks of the Git and GDB servers",
        ("model", "configuration", "suite", "tasks", "ECC", "EVCR", "TFR"),
        rows,
        "The noise suites' tasks of other servers; they count in no other figure.",
    )


def _conditions(results: Sequence[RunResult]) -> Table:
    rows: list[tuple[str, ...]] = []
    for result in results:
        fixed = result.run.configuration
        temperature = "default" if fixed.temperature is None else f"{fixed.temperature:g}"
        seed = NONE if fixed.seed is None else str(fixed.seed)
        versions = ", ".join(f"{name} {text}" for name, text in result.run.versions.items() if text)
        limits = (str(fixed.max_turns), str(fixed.num_ctx), temperature, seed)
        rows.append((*run_name(result), fixed.mode, *limits, str(result.interruptions), result.run.key, versions))
    return Table(
        "conditions",
        "What was held fixed",
        (
            *("model", "configuration", "mode", "turns", "context", "temperature", "seed", "interruptions", "key"),
            "versions",
        ),
        tuple(rows),
        "A full context loses its oldest requests, down to half of the room for them. Interruptions were failures of "
        "the infrastructure; their tasks were run again and never scored.",
    )


def count(suite: SuiteResult) -> str:
    """Number of tasks, times repeats."""
    return str(suite.tasks) if suite.repeats == 1 else f"{suite.tasks} × {suite.repeats}"


def number(value: float | None) -> str:
    """Three decimals, or a dash."""
    return NONE if value is None else f"{value:.3f}"


def sure(value: float | None, interval: Interval | None) -> str:
    """A figure with its interval."""
    if value is None or interval is None:
        return number(value)
    return f"{value:.3f} [{interval.low:.2f}, {interval.high:.2f}]"
