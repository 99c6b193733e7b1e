from __future__ import annotations

import subprocess
import sys

from typer.testing import CliRunner

from desktop.cli import app


def test_the_help_tells_of_every_subcommand() -> None:
    told = CliRunner().invoke(app, ["--help"])
    assert told.exit_code == 0
    for name in ("ask", "serve", "check", "diff", "import-rtl", "export-rtl", "open", "models", "bench"):
        assert f" {name} " in told.output


def test_the_window_does_not_wait_for_what_subcommands_need() -> None:
    script = "import sys, desktop.cli; print({'mcp', 'httpx', 'networkx', 'pyslang', 'pydantic'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
