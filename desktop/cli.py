"""The console script: ``blockwright [FOLDER|FILE]`` opens the window, the subcommands work without one."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from agent.models import weights
from desktop.display import has_display

_COMMANDS = {
    "ask": "ask:ask",
    "serve": "serve:serve",
    "check": "check:check",
    "diff": "diff:diff",
    "import-rtl": "rtl:import_rtl",
    "export-rtl": "rtl:export_rtl",
    "open": "",
    "models": "models:app",
    "bench": "bench:app",
}
"""The subcommands, and where in ``desktop.commands`` they are: together they take two seconds to load."""


class _OpensByDefault(TyperGroup):
    """Takes a first word that is no subcommand for what to open, and loads a subcommand when it is asked for."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        known = {*self.list_commands(ctx), "--help", "-h", "--version", "--install-completion", "--show-completion"}
        if not args or args[0] not in known:
            args = ["open", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in _COMMANDS and cmd_name not in self.commands:  # ``open``, below, is there from the start
            self.commands[cmd_name] = _loaded(cmd_name)
        return super().get_command(ctx, cmd_name)


def _loaded(name: str) -> Any:
    module, _, attribute = _COMMANDS[name].partition(":")
    found = getattr(import_module(f"desktop.commands.{module}"), attribute)
    if isinstance(found, typer.Typer):
        command: Any = get_group(found)
    else:
        alone = typer.Typer(add_completion=False)
        alone.command(name)(found)
        command = get_command(alone)
    command.name = name
    return command


app = typer.Typer(
    cls=_OpensByDefault,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Hardware block design, edited on request by a local language model.\n\n"
    "blockwright [FOLDER|FILE] opens the window on a folder of IP-XACT files or on one file.",
)


@app.callback()
def _group() -> None:
    """With a callback the one command that is there from the start stays a subcommand."""


@app.command("open")
def open_(
    target: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER|FILE]", help="What to open; the bundled example if left out.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="ollama:NAME or embedded:NAME; chosen by itself if left out.")
    ] = None,
) -> None:
    """Open the window. Without a display, demonstrate on the example, or take a picture of the target."""
    if target is not None and not target.exists():
        typer.echo(f"There is no file or folder {target}. Give an IP-XACT file, or a folder that holds some.", err=True)
        raise typer.Exit(2)
    if target is None and not any(known.present for known in weights.KNOWN):
        from desktop.commands.models import ensure_model  # noqa: PLC0415  # asks Ollama first, whose client takes long

        ensure_model()
    if has_display():
        from desktop.application import run_window  # noqa: PLC0415  # Qt is imported only where a window is opened

        raise typer.Exit(run_window(target, model))
    from desktop.demonstration import demonstrate, picture  # noqa: PLC0415

    raise typer.Exit(demonstrate(model) if target is None else picture(target))


def main() -> None:
    """Run the console script."""
    app()
