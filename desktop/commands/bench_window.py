"""``blockwright bench window`` and ``bench view``: the benchmark on screen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from desktop.commands.bench_progress import BAD_USAGE, errors
from desktop.display import has_display


def window_(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="A run's folder, or one with several runs below it.")
    ] = None,
) -> None:
    """Open the benchmark's window: configure a run, start, watch, stop and resume it; or open one that is there."""
    _open(folder, tasks=False)


def view_(
    folder: Annotated[Path, typer.Argument(help="A run's folder, one with several runs below it, or an archive.")],
) -> None:
    """Read the logs of runs in a window: every task with its conversation, its calls and its design."""
    _open(folder, tasks=True)


def _open(folder: Path | None, *, tasks: bool) -> None:
    if folder is not None and not folder.exists():
        errors.print(f"There is no {folder}. Give the folder of a benchmark run.", markup=False)
        raise typer.Exit(BAD_USAGE)
    if not has_display():
        errors.print(
            "There is no display to open a window on. `blockwright bench run` runs without one, and "
            "`blockwright bench report` writes what came of it as HTML, Markdown and CSV.",
            markup=False,
        )
        raise typer.Exit(BAD_USAGE)
    from desktop.application import run_benchmark_window  # noqa: PLC0415  # Qt only where a window is opened

    raise typer.Exit(run_benchmark_window(folder, tasks=tasks))
