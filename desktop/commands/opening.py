"""Opens a workspace for a command: shows how far it has come, and tells of work that a window lost."""

from __future__ import annotations

import time
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn

from desktop.recovery import lost_work
from model.storage import Opened, Stage, open_workspace
from model.workspace import Workspace

_FIRST_S = 0.5  # what is done sooner needs no bar
_WORDS: dict[Stage, str] = {"files": "Looking at files", "components": "Reading components"}


def open_with_progress(target: Path) -> Opened:
    """Open a folder or file; on a terminal, a bar on standard error shows how far it has come. Ctrl+C ends it.

    Raises:
        DesignError: as :func:`open_workspace`.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        return open_workspace(target)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    bar = Progress(*columns, console=console, transient=True)
    begun = time.monotonic()
    tasks: dict[Stage, TaskID] = {}

    def told(stage: Stage, count: int, total: int) -> None:
        if not tasks and time.monotonic() - begun < _FIRST_S:
            return
        if stage not in tasks:
            bar.start()
            tasks[stage] = bar.add_task(_WORDS[stage], total=total)
        bar.update(tasks[stage], completed=count)

    try:
        return open_workspace(target, told)
    finally:
        bar.stop()


def tell_of_lost_work(workspace: Workspace) -> None:
    """Say on standard error that a window that was killed left unsaved work on this folder."""
    lost = lost_work(workspace.folder)
    if lost is not None:
        names = ", ".join(str(vlnv) for vlnv in list(lost.components)[:4])
        more = f" and {len(lost.components) - 4} more" if len(lost.components) > 4 else ""
        typer.echo(
            f"A window that ended on {lost.written:%d %B %Y, %H:%M} left unsaved work on {names}{more}. It is not part "
            f"of what is open now: start 'blockwright {lost.folder}' to restore or discard it.",
            err=True,
        )
