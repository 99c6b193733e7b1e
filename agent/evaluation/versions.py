"""Which versions of everything took part in a run."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from agent.models.base import ModelError
from agent.models.ollama_client import OllamaServer


async def versions(model_name: str) -> dict[str, str]:
    """Versions of this program, of what it was built from, and of the engine that runs the model."""
    found = {
        "blockwright": version("blockwright"),
        "revision": _revision(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "mcp": version("mcp"),
    }
    if model_name.startswith("ollama:"):
        found["ollama"] = await _ollama()
    else:
        try:
            found["xllamacpp"] = version("xllamacpp")
        except PackageNotFoundError:
            found["xllamacpp"] = "unknown"
    return found


async def _ollama() -> str:
    server = OllamaServer()
    try:
        return await server.version()
    except ModelError:
        return "unknown"
    finally:
        await server.aclose()


@cache
def _revision() -> str:
    """The commit of a source checkout, with ``-dirty`` where files differ from it; "" in an installation."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
