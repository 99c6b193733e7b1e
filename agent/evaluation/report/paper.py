"""The paper's tables 2 to 10 and figure 3, filled with what was run here beside the published figures.

Only runs in faithful mode enter them, and a mean is taken only over runs that have their counterpart at every level
that is compared: the same model, suites, tasks and other settings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from statistics import fmean, stdev
from typing import Any

import yaml

from agent.evaluation.metrics import Figures, overall_figures, suite_figures
from agent.evaluation.records import TaskRecord
from agent.evaluation.report.plots import Bar, bars
from agent.evaluation.report.tables import NONE, Table, number
from agent.evaluation.results import LoadedRun

CORE = ("easy", "medium", "hard", "history", "errors", "cross")
HARDEST = ("hard", "errors", "cross")
NOISE = "hard-noise"

Row = tuple[str, ...]


def paper_tables(runs: Sequence[LoadedRun]) -> list[Table]:
    """Every table of the paper; those without runs of ours show the published figures alone."""
    faithful = [run for run in runs if run.configuration.mode == "faithful" and run.records]
    react = [run for run in faithful if run.configuration.agent == "react"]
    plain = _plain(runs)
    return [
        _filled("table-02", _best_rows(plain)),
        _filled("figure-03", _suite_rows(plain)),
        _filled("table-03", _no_call_rows(plain)),
        _filled("table-04", _architecture_rows(faithful)),
        _filled("table-05", _level_rows(react, ("0", "0.5", "default"), _temperature, "temperature", HARDEST)),
        _filled("table-06", _deviation_rows(plain)),
        _filled("table-07", _repeat_rows(plain)),
        _filled("table-08", _level_rows(plain, ("none", "basic", "md", "fewshot"), _prompt, "prompt", CORE)),
        _filled("table-09", _level_rows(plain, ("comprehensive", "minimal"), _tools, "tools", CORE)),
        _filled("table-10", _level_rows(plain, ("run", "task"), _history, "history", CORE)),
    ]


@cache
def method() -> tuple[str, ...]:
    """What differs in method from the paper, one paragraph each."""
    text = files("resources").joinpath("paper", "method.md").read_text("utf-8")
    return tuple(" ".join(block.split()) for block in text.split("\n\n") if block.strip() and block[0] != "#")


def _filled(name: str, rows: Iterable[Row]) -> Table:
    published = _published(name)
    theirs = [("paper", *map(str, row)) for row in published["rows"]]
    ours = [("here", *row) for row in rows]
    return Table(
        name,
        published["title"],
        ("source", *published["columns"]),
        tuple(theirs + [tuple(row) for row in ours]),
        " ".join(published["note"].split()) + ("" if ours else " Nothing that belongs here was run."),
        len(theirs),
    )


@cache
def _published(name: str) -> Mapping[str, Any]:
    text = files("resources").joinpath("paper", f"{name}.yaml").read_text("utf-8")
    content: Mapping[str, Any] = yaml.safe_load(text)
    return content


def _by_model(runs: Iterable[LoadedRun]) -> list[tuple[str, list[LoadedRun]]]:
    ordered = sorted(runs, key=lambda run: run.configuration.model)
    return [(model, list(group)) for model, group in groupby(ordered, key=lambda run: run.configuration.model)]


def _figures(run: LoadedRun, suites: Iterable[str] = CORE, repeat: int | None = None) -> Figures | None:
    """Means over those of the suites that were run; None if none was."""
    found = [
        suite_figures(record.grade for record in rows)
        for suite in suites
        if (rows := [row for row in run.records.get(suite, ()) if repeat is None or row.repeat == repeat])
    ]
    return overall_figures(found) if found else None


def _core_runs(runs: Iterable[LoadedRun]) -> list[tuple[LoadedRun, Figures]]:
    """The runs of most core suites: figures over fewer suites cannot be ranked with them."""
    known = [(run, figures) for run in runs if (figures := _figures(run)) is not None and figures.ecc is not None]
    most = max((_extent(run, CORE) for run, _figures in known), default=())
    return [(run, figures) for run, figures in known if _extent(run, CORE) == most]


def _extent(run: LoadedRun, suites: Iterable[str]) -> tuple[tuple[int, str], ...]:
    """How many tasks of which suites were done."""
    done = [(len({record.task.id for record in run.records[suite]}), suite) for suite in suites if suite in run.records]
    return tuple(sorted(done, reverse=True))


def _named(model: str, run: LoadedRun) -> str:
    """A model, with the suites and tasks where they are fewer than the paper's."""
    extent = _extent(run, CORE)
    if len(extent) == len(CORE) and all(tasks == 40 for tasks, _suite in extent):
        return model
    sizes = {tasks for tasks, _suite in extent}
    each = f"{min(sizes)}" if len(sizes) == 1 else f"{min(sizes)}–{max(sizes)}"
    names = "six core suites" if len(extent) == len(CORE) else ", ".join(suite for _tasks, suite in reversed(extent))
    return f"{model} ({names}, {each} tasks each)"


def _best(runs: Iterable[LoadedRun]) -> tuple[LoadedRun, Figures] | None:
    return max(_core_runs(runs), key=lambda found: found[1].ecc or 0.0, default=None)


def _best_rows(runs: Sequence[LoadedRun]) -> Iterable[Row]:
    for model, group in _by_model(runs):
        if best := _best(group):
            run, figures = best
            yield (_named(model, run), run.configuration.label, *map(number, (figures.ecc, figures.evcr, figures.tfr)))


def _suite_rows(runs: Sequence[LoadedRun]) -> Iterable[Row]:
    for model, group in _by_model(runs):
        if best := _best(group):
            for suite in CORE:
                if figures := _figures(best[0], (suite,)):
                    yield (model, suite.capitalize(), number(figures.ecc))


def figure_three(runs: Sequence[LoadedRun]) -> str:
    """Figure 3 as a picture: ECC by suite at each model's best configuration, and what the paper's text tells."""
    series: list[tuple[str, list[Bar]]] = []
    for model, group in _by_model(_plain(runs)):
        if best := _best(group):
            intervals = {suite.suite: suite.intervals.get("ecc") for suite in best[0].result.suites}
            found = {suite: figures for suite in CORE if (figures := _figures(best[0], (suite,)))}
            row = [Bar(found[suite].ecc, intervals.get(suite)) if suite in found else Bar(None) for suite in CORE]
            series.append((f"{_named(model, best[0])}, {best[0].configuration.label}", row))
    published = _published("figure-03")["rows"]
    for model in dict.fromkeys(row[0] for row in published):
        told = {suite: float(ecc) for name, suite, ecc in published if name == model}
        row = [Bar(told.get(suite.capitalize())) for suite in CORE]
        if any(bar.value is not None for bar in row):
            series.append((f"{model} (paper)", row))
    return bars("Figure 3: ECC by suite at the best configuration", [suite.capitalize() for suite in CORE], series)


def _plain(runs: Iterable[LoadedRun]) -> list[LoadedRun]:
    """What the paper's main experiments are: faithful ReAct at the model's default temperature."""
    return [
        run
        for run in runs
        if run.records
        and (run.configuration.mode, run.configuration.agent, run.configuration.temperature)
        == ("faithful", "react", None)
    ]


def _no_call_rows(runs: Sequence[LoadedRun]) -> Iterable[Row]:
    for model, group in _by_model(runs):
        best = _best([run for run in group if "errors" in run.records])
        calls = [record.grade for record in best[0].records["errors"] if not record.task.expected] if best else []
        left = (NONE,) * 3
        if calls:
            figures = suite_figures(calls)
            left = (number(figures.nca), number(figures.evcr), number(figures.tfr))
        noise = [run for run in group if {"hard", NOISE} <= run.records.keys() and run.configuration.history == "task"]
        right = (NONE,) * 2
        if noise:
            matched = _best_of(noise, "hard")
            assert matched is not None
            clean, noisy = (suite_figures(row.grade for row in matched.records[name]) for name in ("hard", NOISE))
            right = (number(clean.evcr), number(noisy.evcr))
        if calls or noise:
            yield (model, *left, *right)


def _architecture_rows(runs: Sequence[LoadedRun]) -> Iterable[Row]:
    for model, group in _by_model(runs):
        react = _best([run for run in group if run.configuration.agent == "react"])
        planned = _best([run for run in group if run.configuration.agent == "plan-and-act"])
        if not (react and planned):
            continue
        common = [suite for suite in CORE if suite in react[0].records and suite in planned[0].records]
        if len(common) > 1:
            yield (model, f"mean of {len(common)} suites", *_common_ecc(react[0], planned[0], common))
        for suite in common:
            yield (model, suite.capitalize(), *_common_ecc(react[0], planned[0], [suite]))
    for model, group in _by_model(runs):
        long = [run for run in group if NOISE in run.records and run.configuration.history == "run"]
        alone = _best_of([run for run in long if run.configuration.agent == "react"], NOISE)
        together = _best_of([run for run in long if run.configuration.agent == "plan-and-act"], NOISE)
        if alone and together:
            yield (model, "Hard-Noise", *_common_ecc(alone, together, [NOISE]))


def _best_of(runs: Iterable[LoadedRun], suite: str) -> LoadedRun | None:
    """The run with the highest ECC on a suite."""

    def ecc(run: LoadedRun) -> float:
        return suite_figures(record.grade for record in run.records[suite]).ecc or 0.0

    return max(runs, key=ecc, default=None)


def _common_ecc(first: LoadedRun, second: LoadedRun, suites: Sequence[str]) -> tuple[str, str]:
    """ECC of both over the tasks that both have done."""

    def ecc(run: LoadedRun, other: LoadedRun) -> float | None:
        found: list[Figures] = []
        for suite in suites:
            ids = {record.task.id for record in other.records[suite]}
            if rows := [record.grade for record in run.records[suite] if record.task.id in ids]:
                found.append(suite_figures(rows))
        return overall_figures(found).ecc if found else None

    return number(ecc(first, second)), number(ecc(second, first))


def _level_rows(
    runs: Sequence[LoadedRun],
    levels: Sequence[str],
    level_of: Callable[[LoadedRun], str],
    field: str,
    suites: Sequence[str],
) -> Iterable[Row]:
    """Means at every level of one setting, over what was run at all levels that were run."""
    for model, group in _by_model(runs):
        matched: dict[object, dict[str, LoadedRun]] = defaultdict(dict)
        for run in group:
            tasks = _tasks(run, suites)
            if not tasks:
                continue
            rest = run.configuration.model_dump(exclude={field})
            key = (tuple(sorted((name, str(value)) for name, value in rest.items())), tasks)
            matched[key][level_of(run)] = run
        present = [level for level in levels if any(level in found for found in matched.values())]
        complete = [found for found in matched.values() if all(level in found for level in present)]
        if len(present) < 2 or not complete:
            continue
        cells: list[str] = []
        for level in levels:
            figures = [_figures(found[level], suites) for found in complete if level in found]
            known = [figure for figure in figures if figure is not None]
            for name in ("ecc", "evcr", "tfr"):
                values = [value for figure in known if (value := getattr(figure, name)) is not None]
                cells.append(number(fmean(values)) if values else NONE)
        yield (f"{_named(model, next(iter(complete[0].values())))}, {len(complete)} configurations", *cells)


def _tasks(run: LoadedRun, suites: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(
        (suite, tuple(sorted({record.task.id for record in run.records[suite]})))
        for suite in suites
        if suite in run.records
    )


def _temperature(run: LoadedRun) -> str:
    value = run.configuration.temperature
    return "default" if value is None else f"{value:g}"


def _prompt(run: LoadedRun) -> str:
    return run.configuration.prompt


def _tools(run: LoadedRun) -> str:
    return run.configuration.tools


def _history(run: LoadedRun) -> str:
    return run.configuration.history


def _repeats(run: LoadedRun, suites: Iterable[str]) -> list[float]:
    """ECC of every repeat in which the suites were all run to the same extent."""
    rows: list[TaskRecord] = [record for suite in suites for record in run.records.get(suite, ())]
    tasks: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for record in rows:
        tasks[record.repeat].add((record.suite, record.task.id))
    most = max(map(len, tasks.values()), default=0)
    whole = [repeat for repeat, done in sorted(tasks.items()) if len(done) == most]
    found = [_figures(run, suites, repeat) for repeat in whole]
    return [figures.ecc for figures in found if figures is not None and figures.ecc is not None]


def _deviation_rows(runs: Sequence[LoadedRun]) -> Iterable[Row]:
    for model, group in _by_model(runs):
        repeated = [(run, values) for run in group if len(values := _repeats(run, HARDEST)) > 1]
        if repeated:
            deviations = [stdev(values) for _run, values in repeated]
            name = f"{model}, {len(repeated)} configurations, {max(len(values) for _run, values in repeated)} runs"
            yield (name, number(fmean(deviations)), number(max(deviations)))


def _repeat_rows(runs: Sequence[LoadedRun]) -> Iterable[Row]:
    for model, group in _by_model(runs):
        ranked = sorted(_core_runs(group), key=lambda found: found[1].ecc or 0.0)
        repeated = [(run, figures) for run, figures in ranked if len(_repeats(run, CORE)) > 1]
        for label, found in zip(("best", "worst"), [repeated[-1:], repeated[:1]][: len(repeated)], strict=False):
            for run, figures in found:
                shown = (figures.ecc, figures.evcr, figures.tfr, stdev(_repeats(run, CORE)))
                name = f"{label}: {run.configuration.label}, {len(_repeats(run, CORE))} runs"
                yield (_named(model, run), name, *map(number, shown))
