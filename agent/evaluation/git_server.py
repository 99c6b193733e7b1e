"""The official Git server (PyPI ``mcp-server-git``) in an environment of its own, made once in the user's cache."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from agent.evaluation.firmware import git_environment
from agent.models.weights import cache_folder
from agent.servers import ServerCommand, ServerError

VERSION = "2026.10.19"
"""Runs are compared, so the server is always the same one."""

_PACKAGE = f"mcp-server-git=={VERSION}"
_MINUTES = 5


def environment() -> Path:
    """Where the environment lies, whether or not it is there yet."""
    return cache_folder() / f"mcp-server-git-{VERSION}"


def git_server(parent: Path, repository: str) -> ServerCommand:
    """How the server is started on a repository in ``parent``, which its calls name relative to that."""
    arguments = ("-m", "mcp_server_git", "--repository", repository)
    return ServerCommand("git", str(_python(environment())), arguments, git_environment(), parent)


def provide_git_server(tell: Callable[[str], None] = lambda text: None) -> None:
    """Make the environment, where it is not there yet, with pip as the user has set it up.

    Raises:
        ServerError: Git is missing, or the server cannot be installed.
    """
    if shutil.which("git") is None:
        raise ServerError("There is no git on this machine. Install it: sudo apt-get install git")
    wanted = environment()
    if _python(wanted).exists():
        return
    tell(f"Installing {_PACKAGE} into {wanted} (once, about half a minute) …")
    wanted.parent.mkdir(parents=True, exist_ok=True)
    # Made beside and moved into place, so that a kill or a second process leaves all of it or nothing.
    with tempfile.TemporaryDirectory(prefix=wanted.name + "-", dir=wanted.parent) as folder:
        made = Path(folder) / "environment"
        here = [sys.executable, "-m"]
        if find_spec("pip"):  # it can install elsewhere, and a second one need not be set up
            venv, pip = [*here, "venv", "--without-pip"], [*here, "pip", "--python", str(_python(made))]
        else:
            venv, pip = [*here, "venv"], [str(_python(made)), "-m", "pip"]
        _run([*venv, str(made)], "Python cannot make a virtual environment")
        options = ["--quiet", "--disable-pip-version-check", "--no-input"]
        _run([*pip, "install", *options, _PACKAGE], f"{_PACKAGE} cannot be installed")
        try:
            made.rename(wanted)
        except OSError as error:
            if not _python(wanted).exists():  # else another process was faster
                raise ServerError(f"{wanted} cannot be made: {error}.") from error


def _run(command: list[str], failed: str) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_MINUTES * 60)
    except OSError as error:
        raise ServerError(f"{failed}: {error}.") from error
    except subprocess.TimeoutExpired as error:
        raise ServerError(f"{failed} within {_MINUTES} minutes. Is the package index reachable?") from error
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise ServerError(
            f"{failed}: {' '.join(lines[-2:])} It is fetched by pip from your own package index: see `pip config list`."
        )


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
