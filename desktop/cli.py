"""The console script: ``blockwright [FOLDER|FILE]`` opens the window, the subcommands work without one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from desktop.commands.ask import ask
from desktop.commands.bench import app as bench
from desktop.commands.check import check
from desktop.commands.diff import diff
from desktop.commands.models import app as models
from desktop.commands.models import ensure_model
from desktop.commands.rtl import export_rtl, import_rtl
from desktop.commands.serve import serve
from desktop.display import has_display


class _OpensByDefault(TyperGroup):
    """Takes a first word that is no subcommand for what to open."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        known = {*self.commands, "--help", "-h", "--version", "--install-completion", "--show-completion"}
        if not args or args[0] not in known:
            args = ["open", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_OpensByDefault,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Hardware block design, edited on request by a local language model.\n\n"
    "blockwright [FOLDER|FILE] opens the window on a folder of IP-XACT files or on one file.",
)
app.command("ask")(ask)
app.command("serve")(serve)
app.command("check")(check)
app.command("diff")(diff)
app.command("import-rtl")(import_rtl)
app.command("export-rtl")(export_rtl)
app.add_typer(models, name="models")
app.add_typer(bench, name="bench")


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
    if target is None:
        ensure_model()
    if has_display():
        from desktop.application import run_window  # noqa: PLC0415  # Qt is imported only where a window is opened

        raise typer.Exit(run_window(target, model))
    from desktop.demonstration import demonstrate, picture  # noqa: PLC0415

    raise typer.Exit(demonstrate(model) if target is None else picture(target))


def main() -> None:
    """Run the console script."""
    app()
