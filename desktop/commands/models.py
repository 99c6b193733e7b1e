"""``blockwright models``: which language models there are, and fetching one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from dataclasses import asdict
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn
from rich.table import Table

from agent.models import weights
from agent.models.base import ModelError
from agent.models.catalog import NO_MODEL, ModelInfo, default_model_name, list_models
from agent.models.downloads import Progress as Fetched
from agent.models.ollama_client import OllamaServer

app = typer.Typer(help="List language models and fetch them.", no_args_is_help=True)

_FAILED = 1
_BAD_USAGE = 2
_UNREACHABLE = 3
_INTERRUPTED = 4

_errors = Console(stderr=True, highlight=False, soft_wrap=True)


@app.command("list")
def list_(as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False) -> None:
    """Show the models that can be used now or after a pull."""
    models, default = asyncio.run(_find())
    if as_json:
        typer.echo(json.dumps([asdict(model) | {"default": model.name == default} for model in models], indent=2))
        return
    Console(highlight=False).print(_table(models, default))
    if default is None:
        _errors.print(NO_MODEL)


@app.command()
def pull(
    name: Annotated[
        str, typer.Argument(help="For example qwen2.5-coder:1.5b, or ollama:NAME for a model of Ollama's.")
    ],
) -> None:
    """Fetch a model's weights; what an interrupted pull has fetched is kept."""
    try:
        done = asyncio.run(_pull_from_ollama(name)) if name.startswith("ollama:") else _pull_weights(name)
    except ModelError as error:
        _errors.print(error.message, markup=False)
        raise typer.Exit(_UNREACHABLE if error.code == "unreachable" else _FAILED) from None
    except OSError as error:
        _errors.print(f"{name} cannot be stored: {error}. Set BLOCKWRIGHT_CACHE to a folder to write to.", markup=False)
        raise typer.Exit(_FAILED) from None
    except KeyboardInterrupt:
        _errors.print(f"Stopped. `blockwright models pull {name}` goes on from here.", markup=False)
        raise typer.Exit(_INTERRUPTED) from None
    typer.echo(done)


def ensure_model() -> None:
    """Fetch the embedded model where no model can be used yet; a failure is told and leaves the product usable."""
    if asyncio.run(default_model_name()) is not None:
        return
    typer.echo("No Ollama server answers and no model is here yet; fetching the embedded one, once.")
    try:
        typer.echo(_pull_weights(weights.DEFAULT.name))
    except ModelError as error:
        _errors.print(error.message, markup=False)
    except OSError as error:
        _errors.print(
            f"The model cannot be stored: {error}. Set BLOCKWRIGHT_CACHE to a folder to write to.", markup=False
        )
    except KeyboardInterrupt:
        _errors.print("Fetching was stopped; it goes on from here the next time.", markup=False)


async def _find() -> tuple[list[ModelInfo], str | None]:
    models, default = await asyncio.gather(list_models(), default_model_name())
    return models, default


def _table(models: list[ModelInfo], default: str | None) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("Model", "Size", "Context", "Tools", "Runs in", "State"):
        table.add_column(title, justify="right" if title in {"Size", "Context"} else "left", no_wrap=True)
    for model in models:
        state = "ready" if model.present else "to be pulled"
        table.add_row(
            model.name,
            f"{model.size / 1e9:.1f} GB",
            f"{model.context_length:,}" if model.context_length else "?",
            "yes" if model.supports_tools else "no",
            model.source,
            f"{state}, default" if model.name == default else state,
        )
    return table


def _pull_weights(name: str) -> str:
    wanted = weights.find(name)
    if wanted is None:
        known = ", ".join(model.name for model in weights.KNOWN)
        _errors.print(f"There is no model {name}. Known are {known}; for a model of Ollama's write ollama:NAME.")
        raise typer.Exit(_BAD_USAGE)
    with _bar() as bar:
        path = weights.pull(wanted, bar.show)
    return f"{wanted.name} is ready at {path}"


async def _pull_from_ollama(name: str) -> str:
    server = OllamaServer()
    try:
        with _bar() as bar:
            async with aclosing(server.pull(name.removeprefix("ollama:"))) as parts:
                async for part in parts:
                    bar.show(part)
    finally:
        await server.aclose()
    return f"{name} is ready"


class _Bar:
    """A progress bar with the current phase before it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("Starting", total=None)

    def show(self, fetched: Fetched) -> None:
        """Show how far a pull is."""
        self._progress.update(
            self._task, description=fetched.phase, completed=fetched.done, total=fetched.total or None
        )


class _Lines:
    """Progress where no bar can be drawn: a line for every tenth."""

    def __init__(self) -> None:
        self._last = ""

    def show(self, fetched: Fetched) -> None:
        """Print a line if enough has happened since the last one."""
        percent = fetched.done * 10 // fetched.total * 10 if fetched.total else 0
        if (
            percent
            and fetched.phase != "Checking"
            and self._last != (line := f"{percent} % of {fetched.total / 1e6:,.0f} MB")
        ):
            self._last = line
            _errors.print(f"{fetched.phase}: {line}", markup=False)


@contextmanager
def _bar() -> Iterator[_Bar | _Lines]:
    if not _errors.is_terminal:
        yield _Lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=_errors, transient=True) as progress:
        yield _Bar(progress)
