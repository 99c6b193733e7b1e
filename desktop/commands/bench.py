"""``blockwright bench``: the benchmark on the command line."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from agent.evaluation.gold import GoldResult, replay_all
from agent.evaluation.suites import Suite, SuiteError, bundled_suites, load_suite
from agent.servers import ServerError
from desktop.commands.bench_calibrate import calibrate_
from desktop.commands.bench_results import compare_, pack_, report_, rescore_
from desktop.commands.bench_run import run_
from desktop.commands.bench_sweep import sweep_
from desktop.commands.bench_window import view_, window_

app = typer.Typer(no_args_is_help=True, help="Check and run the benchmark's task suites.")
app.command("run")(run_)
app.command("sweep")(sweep_)
app.command("calibrate")(calibrate_)
app.command("rescore")(rescore_)
app.command("compare")(compare_)
app.command("report")(report_)
app.command("pack")(pack_)
app.command("window")(window_)
app.command("view")(view_)


@app.callback()
def bench() -> None:
    """Check and run the benchmark's task suites."""


@app.command()
def gold(
    suite: Annotated[
        list[str] | None,
        typer.Option(help="A bundled suite's name or a YAML file; may be repeated. All bundled suites if left out."),
    ] = None,
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of lines.")] = False,
) -> None:
    """Replay suites' expected calls against the server: they must all be accepted and score perfectly.

    Exit status 0: every suite is perfect; 1: one is not; 2: one cannot be read.
    """
    try:
        suites = [load_suite(name) for name in suite or bundled_suites()]
    except SuiteError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    try:
        perfect = asyncio.run(_replay_all(suites, json_output=json_output))
    except ServerError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    if not perfect:
        raise typer.Exit(1)


async def _replay_all(suites: list[Suite], *, json_output: bool) -> bool:
    width = max(len(suite.name) for suite in suites)
    perfect = True
    found: list[dict[str, Any]] = []

    def show(result: GoldResult) -> None:
        nonlocal perfect
        for server, reason in result.missing.items():
            typer.echo(f"{result.suite}: the tasks of the server {server} are left out. {reason}", err=True)
        perfect = perfect and result.is_perfect
        for problem in result.problems:
            typer.echo(f"{result.suite}: {problem}", err=True)
        if json_output:
            found.append(_data(result))
        else:
            typer.echo(_line(result, width))

    await replay_all(suites, show, lambda text: typer.echo(text, err=True))
    if json_output:
        typer.echo(json.dumps({"perfect": perfect, "suites": found}, indent=2))
    return perfect


def _data(result: GoldResult) -> dict[str, Any]:
    return {
        "suite": result.suite,
        "tasks": result.tasks,
        "calls": result.calls,
        "figures": asdict(result.figures) if result.figures else None,
        "perfect": result.is_perfect,
        "problems": result.problems,
        "left_out": result.skipped,
        "seconds": round(result.seconds, 3),
    }


def _line(result: GoldResult, width: int) -> str:
    figures = result.figures
    parts = [f"{result.suite:<{width}}", f"{result.tasks:3} tasks", f"{result.calls:4} calls"]
    if figures is not None:
        parts += [
            f"ECC {_figure(figures.ecc)}",
            f"EVCR {_figure(figures.evcr)}",
            f"TFR {_figure(figures.tfr)}",
            f"NCA {_figure(figures.nca)}",
        ]
    parts.append("perfect" if result.is_perfect else f"{len(result.problems)} problems")
    if result.skipped:
        parts.append(f"{result.skipped} tasks of other servers left out")
    return "  ".join([*parts, f"{result.seconds:.1f} s"])


def _figure(value: float | None) -> str:
    return "  –  " if value is None else f"{value:.3f}"
