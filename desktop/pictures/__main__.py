"""Take the pictures of the documentation: ``python -m desktop.pictures``."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from PySide6.QtCore import QSettings

from desktop.application import create_application
from desktop.pictures.scenes import SCENES, Sources
from desktop.pictures.studio import NothingCame, Studio

_ROOT = Path(__file__).parents[2]


def main(
    out: Annotated[Path, typer.Option(help="Folder for the pictures.")] = Path("docs") / "images",
    only: Annotated[list[str] | None, typer.Option(help=f"Of {', '.join(SCENES)}; may be repeated.")] = None,
    ipxact: Annotated[Path, typer.Option(help="Kactus2's example library.")] = _ROOT.parent
    / "shared"
    / "ipxact"
    / "kactus2-example-library",
    logs: Annotated[Path, typer.Option(help="Logs of a benchmark run.")] = _ROOT / "docs" / "results",
    model: Annotated[str | None, typer.Option(help="ollama:NAME or embedded:NAME.")] = None,
    patience: Annotated[float, typer.Option(help="Seconds to wait for a layout or a model's answer.")] = 120.0,
) -> None:
    """Take pictures at 1280×800 and 2560×1440, light and dark.

    Exit status 1: a scene could not be brought about; the others are there.
    """
    names = only or list(SCENES)
    if unknown := [name for name in names if name not in SCENES]:
        raise typer.BadParameter(f"{', '.join(unknown)}; there are {', '.join(SCENES)}.", param_hint="--only")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sources = Sources(ipxact, logs, model)
    missing = False
    with tempfile.TemporaryDirectory(prefix="blockwright-pictures-") as folder:
        for kind in ("DATA", "STATE", "CONFIG"):  # nothing of the user's own windows, and nothing left behind for them
            os.environ[f"XDG_{kind}_HOME"] = str(Path(folder) / kind.lower())
        QSettings.setDefaultFormat(QSettings.Format.IniFormat)
        QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
        studio = Studio(create_application(), out, patience)
        for name in names:
            try:
                SCENES[name](studio, sources)
            except NothingCame as reason:
                typer.echo(f"{name}: {reason}", err=True)
                missing = True
    total = sum(path.stat().st_size for path in studio.written)
    typer.echo(f"{len(studio.written)} pictures, {total / 1024:.0f} KiB, in {out}")
    if missing:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
