"""``blockwright bench run``: run one configuration over suites, and go on where it was stopped."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated

import typer

from agent.assisted.aids import AIDS
from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.results import load_run
from agent.evaluation.run_folder import RecordError, RunFolder
from agent.evaluation.runner import Plan, parse_tasks
from agent.evaluation.suites import SuiteError
from agent.models.catalog import NO_MODEL, default_model_name
from desktop.commands.bench_progress import BAD_USAGE, UNREACHABLE, errors, execute
from desktop.commands.bench_tables import print_table, result_data, result_table


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
    without: Annotated[
        list[str] | None, typer.Option(help=f"Switch an aid of the assisted mode off: {', '.join(AIDS)}.")
    ] = None,
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
    scheduler: Annotated[
        str, typer.Option(help="A Dask scheduler's address: its workers, on any machine, do the sessions.")
    ] = "",
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
            without=tuple(without or ()),
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
        status = execute([(plan, out)], workers=workers, scheduler=scheduler, quiet=json_output)
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
