"""``blockwright bench rescore``, ``compare`` and ``report``: what can be done with the logs of runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from agent.evaluation.comparison import Comparison, Difference, compare
from agent.evaluation.grading import GRADER
from agent.evaluation.report.inspect_log import write_inspect_logs
from agent.evaluation.report.writing import write_report
from agent.evaluation.rescoring import rescore
from agent.evaluation.results import LoadedRun, load_run
from agent.evaluation.run_folder import RecordError, RunFolder, find_runs
from agent.evaluation.suites import SuiteError, load_suite
from desktop.commands.bench_progress import BAD_USAGE, FAILED, errors
from desktop.commands.bench_tables import NONE, figure, interval, print_table

_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")]


def rescore_(
    folder: Annotated[Path, typer.Argument(help="A run's folder, or one with several runs below it.")],
    suite: Annotated[
        list[str] | None,
        typer.Option(help="Take the right answers from this suite where a task's id and prompt are the same."),
    ] = None,
    json_output: _Json = False,
) -> None:
    """Grade the calls of old logs by the present rules, and write the grades into the logs."""
    with _explained():
        suites = [load_suite(name) for name in suite or ()]
        runs = [(run.path, *rescore(run, suites)) for run in find_runs(folder)]
    if json_output:
        found = [
            {
                "folder": str(path),
                "tasks": graded,
                "changed": [
                    {"suite": one.after.suite, "task": one.after.task.id, "repeat": one.after.repeat}
                    | {"before": one.before.grade.model_dump(), "after": one.after.grade.model_dump()}
                    for one in changed
                ],
            }
            for path, graded, changed in runs
        ]
        typer.echo(json.dumps({"grader": GRADER, "runs": found}, indent=2))
        return
    for path, graded, changed in runs:
        typer.echo(f"{path}: {graded} tasks graded by grader {GRADER}, {len(changed)} changed")
        for one in changed:
            before, after = one.before.grade, one.after.grade
            typer.echo(
                f"  {one.after.suite} {one.after.task.id}: ECC {figure(before.ecc)} → {figure(after.ecc)}, "
                f"EVCR {figure(before.evcr)} → {figure(after.evcr)}, NCA {figure(before.nca)} → {figure(after.nca)}"
            )


def compare_(
    first: Annotated[Path, typer.Argument(metavar="A", help="A run's folder.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another run's folder.")],
    json_output: _Json = False,
) -> None:
    """Compare two runs over the tasks that both have done: B against A, with paired tests."""
    with _explained():
        runs = (load_run(RunFolder(first)), load_run(RunFolder(second)))
        found = compare(*runs)
    if not found:
        errors.print(f"{first} and {second} have no task in common.", markup=False)
        raise typer.Exit(FAILED)
    if json_output:
        typer.echo(json.dumps({"first": str(first), "second": str(second), "suites": [asdict(one) for one in found]}))
        return
    for letter, run in zip("AB", runs, strict=True):
        typer.echo(f"{letter}: {_described(run)}")
    print_table(_comparison_table(found))


def report_(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Runs, or folders with runs below them.")],
    out: Annotated[Path, typer.Option(help="Folder for the report.")],
    inspect: Annotated[
        Path | None, typer.Option(help="Folder for logs of inspect_ai, one for each run and suite, as well.")
    ] = None,
    json_output: _Json = False,
) -> None:
    """Write a report of runs: HTML with plots, Markdown and CSV, the paper's figures beside."""
    with _explained():
        runs = [load_run(run) for folder in folders for run in find_runs(folder)]
        try:
            written = write_report(runs, out)
            logs = write_inspect_logs(runs, inspect) if inspect is not None else []
        except OSError as error:
            errors.print(f"The report cannot be written: {error}", markup=False)
            raise typer.Exit(FAILED) from error
    if json_output:
        typer.echo(json.dumps({"runs": len(runs), "files": [str(path) for path in [*written, *logs]]}, indent=2))
        return
    table = Table(box=None)
    for heading in ("model", "configuration", "mode", "suites", "tasks"):
        table.add_column(heading)
    for run in runs:
        fixed = run.configuration
        tasks = sum(map(len, run.records.values()))
        table.add_row(fixed.model, fixed.label, fixed.mode, ", ".join(run.records), str(tasks))
    print_table(table)
    typer.echo(f"Wrote {written[0]}, {written[1]} and {len(written) - 2} CSV files")
    if inspect is not None:
        typer.echo(f"Wrote {len(logs)} logs of inspect_ai in {inspect}: `inspect view --log-dir {inspect}` shows them")


def pack_(
    folder: Annotated[Path, typer.Argument(help="A run's folder, or one with several runs below it.")],
    json_output: _Json = False,
) -> None:
    """Compress the logs of runs, to be kept beside a report. Every other command reads them as they are then."""
    with _explained():
        sessions = [session for run in find_runs(folder) for session in run.sessions()]
        sizes: list[tuple[Path, int, int]] = []
        for session in sessions:
            before = session.path.stat().st_size
            session.pack()
            sizes.append((session.path, before, session.path.stat().st_size))
    if json_output:
        found = [{"file": str(path), "before": before, "after": after} for path, before, after in sizes]
        typer.echo(json.dumps({"folder": str(folder), "files": found}, indent=2))
        return
    table = Table(box=None)
    for heading in ("file", "KiB before", "KiB now"):
        table.add_column(heading, justify="left" if heading == "file" else "right", overflow="fold")
    for path, before, after in sizes:
        table.add_row(str(path.relative_to(folder)), f"{before / 1024:.0f}", f"{after / 1024:.0f}")
    print_table(table)
    typer.echo(f"Wrote {len(sizes)} files in {folder}")


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except (RecordError, SuiteError) as error:
        errors.print(str(error), markup=False)
        raise typer.Exit(BAD_USAGE) from error


def _described(run: LoadedRun) -> str:
    fixed = run.configuration
    return f"{fixed.model} {fixed.label}, {fixed.mode}, {sum(map(len, run.records.values()))} tasks"


def _comparison_table(found: list[Comparison]) -> Table:
    table = Table(box=None, caption="p: McNemar's exact test on perfect tasks; permutation over tasks for the others")
    table.add_column("suite")
    for heading in (
        "tasks",
        "perfect",
        "only A",
        "only B",
        "p",
        "ECC A",
        "ECC B",
        "B−A 95 %",
        "p",
        "EVCR",
        "p",
        "TFR",
        "p",
    ):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found:
        perfect = one.perfect
        table.add_row(
            one.suite or "all",
            str(one.tasks),
            f"{perfect.both + perfect.only_first}→{perfect.both + perfect.only_second}",
            str(perfect.only_first),
            str(perfect.only_second),
            f"{perfect.p:.3f}",
            figure(one.ecc.first if one.ecc else None),
            figure(one.ecc.second if one.ecc else None),
            interval(one.ecc.interval if one.ecc else None),
            *(f"{one.ecc.p:.3f}" if one.ecc else NONE,),
            *_change(one.evcr),
            *_change(one.tfr),
            style="" if one.suite else "bold",
        )
    return table


def _change(difference: Difference | None) -> tuple[str, str]:
    if difference is None:
        return NONE, NONE
    return f"{difference.first:.2f}→{difference.second:.2f}", f"{difference.p:.3f}"
