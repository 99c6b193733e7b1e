"""``blockwright bench run``: run one configuration over suites, and go on where it was stopped."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.parallel import Job, run_all
from agent.evaluation.records import RecordError, RunFolder
from agent.evaluation.results import load_run
from agent.evaluation.runner import (
    CallMade,
    Emit,
    Plan,
    RunEvent,
    SessionStarted,
    TaskFinished,
    TaskInterrupted,
    TaskStarted,
    parse_tasks,
)
from agent.evaluation.suites import SuiteError, load_suite
from agent.models.base import ModelError
from agent.models.catalog import NO_MODEL, default_model_name
from desktop.commands.bench_tables import print_table, result_data, result_table

FAILED, BAD_USAGE, UNREACHABLE, INTERRUPTED = 1, 2, 3, 4

errors = Console(stderr=True, highlight=False, soft_wrap=True)


def run_(
    out: Annotated[Path, typer.Option(help="Folder for the logs; a run that is there already is continued.")],
    model: Annotated[
        str | None, typer.Option(help="ollama:NAME or embedded:NAME; chosen by itself if left out.")
    ] = None,
    suite: Annotated[
        list[str] | None, typer.Option(help="A bundled suite's name or a YAML file; may be repeated.")
    ] = None,
    prompt: Annotated[str, typer.Option(help="System prompt of ReAct: none, basic, md or fewshot.")] = "basic",
    tools: Annotated[str, typer.Option(help="Tool descriptions: comprehensive or minimal.")] = "comprehensive",
    history: Annotated[
        str, typer.Option(help="What a task sees of earlier ones: run, task, window:N, summary.")
    ] = "run",
    agent: Annotated[str, typer.Option(help="react or plan-and-act.")] = "react",
    mode: Annotated[str, typer.Option(help="faithful (the paper's agent) or assisted (the product's).")] = "faithful",
    planner_model: Annotated[str, typer.Option(help="Plans and validates; the worker's model if left out.")] = "",
    planner_prompt: Annotated[str, typer.Option(help="basic or structured.")] = "basic",
    validator_prompt: Annotated[str, typer.Option(help="basic or structured.")] = "basic",
    max_turns: Annotated[int, typer.Option(help="Calls a task.")] = 12,
    num_ctx: Annotated[int, typer.Option(help="Context length in tokens.")] = 8192,
    temperature: Annotated[float | None, typer.Option(help="The model's own default if left out.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the first repeat; each further one adds 1.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often each suite is run.")] = 1,
    tasks: Annotated[str | None, typer.Option(help="Positions in each suite, such as 1-10 or 3,5.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes on this machine, each with its own workspace.")] = 1,
    json_output: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Run a configuration over suites. Stop it with Ctrl-C at any time: the same command goes on from there.

    Exit status: 0 all tasks are done (however well), 2 bad usage, 3 the model cannot be reached, 4 stopped half-way.
    """
    name = model or asyncio.run(default_model_name())
    if name is None:
        errors.print(NO_MODEL, markup=False)
        raise typer.Exit(UNREACHABLE)
    try:
        configuration = Configuration.of(
            model=name,
            prompt=prompt,
            tools=tools,
            history=history,
            agent=agent,
            mode=mode,
            planner_model=planner_model,
            planner_prompt=planner_prompt,
            validator_prompt=validator_prompt,
            max_turns=max_turns,
            num_ctx=num_ctx,
            temperature=temperature,
            seed=seed,
        )
        plan = Plan(
            configuration,
            tuple(suite or ["first-ten"]),
            tuple(range(1, repeats + 1)),
            parse_tasks(tasks) if tasks else None,
        )
        status = execute([(plan, out)], workers=workers, quiet=json_output)
    except (ConfigurationError, SuiteError, RecordError) as error:
        errors.print(str(error), markup=False)
        raise typer.Exit(BAD_USAGE) from error
    try:
        result = load_run(RunFolder(out)).result
    except RecordError:
        raise typer.Exit(status) from None  # it was stopped before there was anything to write
    if json_output:
        typer.echo(json.dumps(result_data(result) | {"folder": str(out), "complete": status == 0}, indent=2))
    else:
        if result.suites:
            print_table(result_table(result))
        typer.echo(f"Wrote {out}")
    raise typer.Exit(status)


def execute(jobs: Sequence[Job], *, workers: int = 1, quiet: bool) -> int:
    """Run plans in their folders with a progress bar; return the exit status.

    Raises:
        ConfigurationError, SuiteError, RecordError: see :func:`agent.evaluation.parallel.run_all`.
    """
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=False),
        TextColumn("{task.fields[last]}"),
    )
    with Progress(*columns, console=errors, disable=quiet, speed_estimate_period=3600) as progress:
        total = sum(
            len(plan.selected(load_suite(source))) * len(plan.repeats)
            for plan, _folder in jobs
            for source in plan.suites
        )
        watcher = _Watcher(progress, total)
        try:
            asyncio.run(_stoppable(jobs, workers, watcher.show))
        except ModelError as error:
            errors.print(f"{error.message}\nThe tasks done so far are kept: the same command goes on.", markup=False)
            return UNREACHABLE
        except asyncio.CancelledError:
            errors.print("Stopped. The same command goes on from here.")
            return INTERRUPTED
    return 0


async def _stoppable(jobs: Sequence[Job], workers: int, emit: Emit) -> None:
    running = asyncio.ensure_future(run_all(jobs, workers, emit))
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows has no signal handlers on event loops
            asyncio.get_running_loop().add_signal_handler(number, running.cancel)
    await running


class _Watcher:
    """Turns what happens in a run into a bar."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._bar = progress.add_task("starting the model", total=total, last="")
        self._calls = 0

    def show(self, event: RunEvent) -> None:
        match event:
            case SessionStarted():
                self._progress.update(self._bar, completed=self._done(event.done), description=event.suite)
            case TaskStarted():
                self._calls = 0
                self._progress.update(self._bar, description=f"{event.suite} {event.task.id}")
            case CallMade():
                self._calls += 1
                self._progress.update(self._bar, last=f"{self._calls} calls, {event.call.tool}")
            case TaskFinished():
                grade = event.record.grade
                achieved = "ECC" if grade.ecc is not None else "NCA"
                value = grade.ecc if grade.ecc is not None else grade.nca
                self._progress.update(
                    self._bar,
                    advance=1,
                    last=f"{event.record.task.id}: {achieved} {value:.2f}, {event.record.seconds:.0f} s",
                )
            case TaskInterrupted():
                self._progress.console.print(f"{event.interruption.message} Again in {event.wait:g} s.", markup=False)

    def _done(self, more: int) -> float:
        return self._progress.tasks[self._bar].completed + more
