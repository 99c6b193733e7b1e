"""``blockwright bench calibrate``: find the configuration that suits a model best, and have the product use it."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path
from rich.table import Table

from agent import calibrated
from agent.calibrated import CalibrationError, Mode
from agent.evaluation.calibration import (
    BUDGET,
    SUITES,
    Recommendation,
    Standing,
    candidates,
    halve,
    jobs,
    recommend,
    rounds,
    standing,
)
from agent.evaluation.comparison import Difference
from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.run_folder import RecordError
from agent.evaluation.suites import SuiteError
from agent.models.catalog import NO_MODEL, default_model_name
from desktop.commands.bench_progress import BAD_USAGE, UNREACHABLE, errors, execute
from desktop.commands.bench_tables import figure, interval, print_table


def calibrate_(
    model: Annotated[
        str | None, typer.Option(help="ollama:NAME or embedded:NAME; chosen by itself if left out.")
    ] = None,
    mode: Annotated[str, typer.Option(help="faithful (the paper's agent) or assisted (the product's).")] = "faithful",
    history: Annotated[
        list[str] | None,
        typer.Option(help="run, task, window:N or summary; may be repeated. run and task if left out."),
    ] = None,
    suite: Annotated[list[str] | None, typer.Option(help="May be repeated; the six core suites if left out.")] = None,
    budget: Annotated[int, typer.Option(min=1, help="About how many tasks are done in all.")] = BUDGET,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the logs; a calibration that is there already is continued.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes on this machine, each with its own workspace.")] = 1,
    scheduler: Annotated[
        str, typer.Option(help="A Dask scheduler's address: its workers, on any machine, do the sessions.")
    ] = "",
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Find a model's best prompt, tool descriptions and history on a short sample of tasks; the product uses them.

    All configurations do a few tasks, the better half some more, until two are left. Stop it with Ctrl-C at any time:
    the same command goes on from there.

    Exit status: 0 done, 2 bad usage, 3 the model cannot be reached, 4 stopped half-way.
    """
    name = model or asyncio.run(default_model_name())
    if name is None:
        errors.print(NO_MODEL, markup=False)
        raise typer.Exit(UNREACHABLE)
    if mode not in {"faithful", "assisted"}:
        errors.print(f"mode: '{mode}' is not among 'faithful' or 'assisted'.", markup=False)
        raise typer.Exit(BAD_USAGE)
    chosen: Mode = "assisted" if mode == "assisted" else "faithful"
    folder = out or _usual_folder(name, chosen)
    try:
        arms = candidates(name, chosen, tuple(history or ("run", "task")))
        found = _search(
            arms, suite or list(SUITES), budget, folder, workers=workers, scheduler=scheduler, quiet=json_output
        )
        file = calibrated.keep(name, chosen, found.calibrated())
    except (ConfigurationError, SuiteError, RecordError, CalibrationError) as error:
        errors.print(str(error), markup=False)
        raise typer.Exit(BAD_USAGE) from error
    if json_output:
        typer.echo(json.dumps(_data(name, chosen, found) | {"folder": str(folder), "file": str(file)}, indent=2))
        return
    print_table(_table(found))
    typer.echo(f"Recommended for {name}, {chosen}: {found.calibrated()}")
    for words, difference in (("the runner-up", found.second), ("what is used without calibration", found.default)):
        if difference is not None:
            typer.echo(f"Against {words}: {_told(difference)}")
    typer.echo("The best of several looks a little better than it is, since it was chosen by the same tasks.")
    typer.echo(f"Wrote {file}, which the product reads, and {folder}")


def _usual_folder(model: str, mode: Mode) -> Path:
    name = re.sub(r"[^A-Za-z0-9.]+", "-", f"{model} {mode}").strip("-")
    return user_data_path("blockwright", appauthor=False) / "calibration" / name


def _search(
    arms: list[Configuration],
    suites: list[str],
    budget: int,
    folder: Path,
    *,
    workers: int,
    scheduler: str,
    quiet: bool,
) -> Recommendation:
    """Run the rounds; a round that was done before is read from its files.

    Raises:
        typer.Exit: it was stopped, or the model cannot be reached.
        ConfigurationError, SuiteError, RecordError: see :func:`agent.evaluation.parallel.run_all`.
    """
    left = arms
    out: list[Standing] = []
    best: list[Standing] = []
    course = rounds(len(arms), len(suites), budget)
    for number, (_count, tasks) in enumerate(course, 1):
        if not quiet:
            errors.print(f"Round {number} of {len(course)}: {len(left)} configurations, {tasks} tasks of each suite")
        work = jobs(left, suites, tasks, folder)
        if status := execute(work, workers=workers, scheduler=scheduler, quiet=quiet):
            raise typer.Exit(status)
        keep = course[number][0] if number < len(course) else len(left)
        best, dropped = halve([standing(configuration, folder) for configuration in left], keep)
        out = dropped + out
        left = [one.configuration for one in best]
    return recommend([*best, *out], arms[0])


def _told(difference: Difference) -> str:
    change = difference.second - difference.first
    return (
        f"{change:+.3f} (95 % {difference.interval.low:+.2f} to {difference.interval.high:+.2f}, "
        f"p = {difference.p:.3f}, {difference.tasks} tasks that both did)"
    )


def _table(found: Recommendation) -> Table:
    table = Table(box=None, caption="score: ECC, or NCA where no call is right; waste: EVCR by severity + TFR")
    table.add_column("configuration")
    for heading in ("tasks", "score", "95 %", "waste", "s/task"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found.standings:
        table.add_row(
            one.configuration.label,
            str(len(one.records)),
            figure(one.score),
            interval(one.interval),
            figure(one.waste),
            f"{one.seconds:.1f}",
            style="bold" if one is found.best else "",
        )
    return table


def _data(model: str, mode: Mode, found: Recommendation) -> dict[str, object]:
    return {
        "model": model,
        "mode": mode,
        "recommended": found.calibrated().model_dump(),
        "against_second": _difference_data(found.second),
        "against_default": _difference_data(found.default),
        "standings": [
            {
                "configuration": one.configuration.model_dump(mode="json"),
                "label": one.configuration.label,
                "tasks": len(one.records),
                "score": one.score,
                "low": one.interval.low,
                "high": one.interval.high,
                "waste": one.waste,
                "seconds": one.seconds,
            }
            for one in found.standings
        ],
    }


def _difference_data(difference: Difference | None) -> dict[str, float] | None:
    if difference is None:
        return None
    return {
        "difference": difference.second - difference.first,
        "low": difference.interval.low,
        "high": difference.interval.high,
        "p": difference.p,
        "tasks": difference.tasks,
    }
