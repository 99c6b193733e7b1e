"""``blockwright bench sweep``: run a whole matrix of configurations."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from agent.evaluation.configuration import ConfigurationError
from agent.evaluation.results import RunResult, load_run
from agent.evaluation.run_folder import RecordError, RunFolder
from agent.evaluation.suites import SuiteError
from agent.evaluation.sweep import load_sweep
from agent.models.catalog import default_model_name
from desktop.commands.bench_progress import BAD_USAGE, errors, execute
from desktop.commands.bench_tables import figure, print_table, result_data


def sweep_(
    file: Annotated[Path, typer.Argument(help="YAML: fixed, matrix, suites, tasks, repeats.")],
    out: Annotated[Path, typer.Option(help="Folder for the runs, one folder each; what is there is continued.")],
    workers: Annotated[int, typer.Option(min=1, help="Processes on this machine, each with its own workspace.")] = 1,
    scheduler: Annotated[
        str, typer.Option(help="A Dask scheduler's address: its workers, on any machine, do the sessions.")
    ] = "",
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Run every combination of a matrix. Stop it with Ctrl-C at any time: the same command goes on from there.

    Exit status: 0 all tasks are done, 2 bad usage, 3 the model cannot be reached, 4 stopped half-way.
    """
    try:
        plans = load_sweep(file, asyncio.run(default_model_name()) or "")
        jobs = [(plan, out / name) for plan, name in plans]
        status = execute(jobs, workers=workers, scheduler=scheduler, quiet=json_output)
        results = [load_run(RunFolder(folder)).result for _plan, folder in jobs if (folder / "run.json").exists()]
    except (ConfigurationError, SuiteError, RecordError) as error:
        errors.print(str(error), markup=False)
        raise typer.Exit(BAD_USAGE) from error
    if json_output:
        runs = [result_data(result) for result in results]
        typer.echo(json.dumps({"folder": str(out), "complete": status == 0, "runs": runs}, indent=2))
    else:
        print_table(_table(results))
        typer.echo(f"Wrote {out}. `blockwright bench report {out} --out FOLDER` makes a report of it.")
    raise typer.Exit(status)


def _table(results: list[RunResult]) -> Table:
    table = Table(box=None, caption="means over suites, the best ECC first", caption_justify="left")
    table.add_column("configuration")
    for heading in ("suites", "tasks", "ECC", "EVCR", "TFR", "NCA", "s/task"):
        table.add_column(heading, justify="right", no_wrap=True)
    ranked = [(result, result.overall) for result in results]
    for result, overall in sorted(ranked, key=lambda pair: -(pair[1].ecc or 0.0) if pair[1] else 1.0):
        if overall is None:
            continue
        seconds = sum(suite.cost.seconds for suite in result.suites) / len(result.suites)
        fixed = result.run.configuration
        shown = (overall.ecc, overall.evcr, overall.tfr, overall.nca)
        table.add_row(
            f"{fixed.model} {fixed.label}",
            str(len(result.suites)),
            str(overall.tasks),
            *map(figure, shown),
            f"{seconds:.1f}",
        )
    return table
