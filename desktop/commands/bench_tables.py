"""A run's figures as a table for people and as data for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from agent.evaluation.metrics import Figures, Interval
from agent.evaluation.results import RunResult, SuiteResult

NONE = "–"
WIDE = 160


def result_table(result: RunResult) -> Table:
    """The table that ``bench run`` ends with."""
    configuration = result.run.configuration
    table = Table(
        title=f"{configuration.model} {configuration.label}, {configuration.mode}", title_justify="left", box=None
    )
    table.add_column("suite")
    for heading in ("tasks", "ECC", "95 %", "EVCR", "writes", "TFR", "NCA", "perfect", "state", "s/task", "tokens"):
        table.add_column(heading, justify="right", no_wrap=True)
    for suite in result.suites:
        table.add_row(*_row(suite))
    for suite in result.other_servers:
        table.add_row(*_row(suite, f"{suite.suite}, other servers"))
    if len(result.suites) > 1 and result.overall is not None:
        table.add_row(*_overall(result.overall), style="bold")
    if result.interruptions:
        table.caption = f"{result.interruptions} interruptions that were not the model's doing, run again"
    return table


def print_table(table: Table) -> None:
    """Print a table; where no terminal sets a width, as wide as it is."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=WIDE)
    console.print(table)


def _row(suite: SuiteResult, name: str = "") -> list[str]:
    figures = suite.figures
    tasks = str(suite.tasks) if suite.repeats == 1 else f"{suite.tasks}×{suite.repeats}"
    return [
        name or suite.suite,
        tasks,
        figure(figures.ecc),
        interval(suite.intervals.get("ecc")),
        figure(figures.evcr),
        figure(figures.evcr_writes),
        figure(figures.tfr),
        figure(figures.nca),
        figure(suite.perfect),
        figure(suite.state),
        f"{suite.cost.seconds:.1f}",
        f"{suite.cost.prompt_tokens:.0f}+{suite.cost.completion_tokens:.0f}",
    ]


def _overall(figures: Figures) -> list[str]:
    shown = [figure(figures.ecc), "", figure(figures.evcr), figure(figures.evcr_writes), figure(figures.tfr)]
    return ["mean of suites", str(figures.tasks), *shown, figure(figures.nca), "", "", "", ""]


def figure(value: float | None) -> str:
    """A figure with three decimals, or a dash."""
    return NONE if value is None else f"{value:.3f}"


def interval(value: Interval | None) -> str:
    """An interval with two decimals, or a dash."""
    return NONE if value is None else f"[{value.low:.2f}, {value.high:.2f}]"


def result_data(result: RunResult) -> dict[str, Any]:
    """The same as JSON."""
    return {
        "configuration": result.run.configuration.model_dump(mode="json"),
        "label": result.run.configuration.label,
        "key": result.run.key,
        "versions": result.run.versions,
        "interruptions": result.interruptions,
        "suites": [asdict(suite) for suite in result.suites],
        "other_servers": [asdict(suite) for suite in result.other_servers],
        "overall": asdict(result.overall) if result.overall else None,
    }
