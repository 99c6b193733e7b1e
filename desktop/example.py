"""The example design: bundled with the product, opened from a copy that the user may edit."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path

from platformdirs import user_data_path


def example_folder() -> Path:
    """The user's own copy of the example, made the first time it is asked for."""
    target = user_data_path("blockwright", appauthor=False) / "examples" / "tiny_soc"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name("tiny_soc.partial")
        shutil.rmtree(fresh, ignore_errors=True)
        with as_file(files("resources").joinpath("examples", "tiny_soc")) as source:
            shutil.copytree(source, fresh)
        fresh.rename(target)  # a copy that was interrupted never stands in the place of the whole
    return target
