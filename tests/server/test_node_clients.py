"""Clients that are not ours and not in Python: the MCP Inspector and the conformance suite. Skipped without Node."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from model.workspace import Workspace
from server.design_server import build_server
from server.http import socket_on

# The newest of each that still runs on Node 20.
INSPECTOR = "@modelcontextprotocol/inspector@1.0.3"
CONFORMANCE = "@modelcontextprotocol/conformance@0.1.13"

COMMAND = [sys.executable, "-c", "import typer; from desktop.commands.serve import serve; typer.run(serve)"]
BASELINE = Path(__file__).parent / "conformance-expected-failures.yaml"

pytestmark = [
    pytest.mark.skipif(shutil.which("npx") is None, reason="needs Node with npx"),
    pytest.mark.timeout(600),
]


def npx(package: str, *arguments: str, seconds: int = 240) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["npx", "--yes", package, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


@cache
def needs(package: str) -> None:
    """Skip where the package cannot be fetched or does not run on this Node."""
    try:
        done = npx(package, *(["--cli"] if package == INSPECTOR else []), "--help")
    except subprocess.TimeoutExpired:
        pytest.skip(f"{package} cannot be fetched in time")
    if done.returncode:
        pytest.skip(f"{package} cannot be fetched or run: {done.stderr.strip()[-200:]}")


def inspected(*arguments: str) -> dict[str, Any]:
    done = npx(INSPECTOR, "--cli", *arguments)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@contextmanager
def served_plainly(workspace: Workspace) -> Iterator[str]:
    """The protocol over HTTP without the token, which the conformance suite cannot send."""
    app = build_server(workspace).streamable_http_app(host="127.0.0.1", streamable_http_path="/mcp")
    listening = socket_on(0)
    server = uvicorn.Server(
        uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1, lifespan="on", access_log=False)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()


def test_the_inspector_over_stdio(tmp_path: Path) -> None:
    needs(INSPECTOR)
    command = [*COMMAND, "--workspace", str(tmp_path)]
    listed = inspected(*command, "--method", "tools/list")["tools"]
    assert len(listed) == 14
    made = inspected(
        *command,
        "--method",
        "tools/call",
        "--tool-name",
        "create_component",
        *(
            part
            for pair in ("vendor=acme", "library=periph", "name=uart", "version=r1")
            for part in ("--tool-arg", pair)
        ),
    )
    assert made["structuredContent"]["added"] == ["component acme:periph:uart:r1"]
    assert "design://library" in [one["uri"] for one in inspected(*command, "--method", "resources/list")["resources"]]
    assert inspected(*command, "--method", "prompts/list")["prompts"]


def test_the_inspector_over_http(tmp_path: Path) -> None:
    needs(INSPECTOR)
    state = tmp_path / "state"
    child = subprocess.Popen(
        [*COMMAND, "--workspace", "resources/examples/tiny_soc", "--http", "0"],
        env=os.environ | {"XDG_STATE_HOME": str(state)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stderr is not None
        url = next(line.split()[-1] for line in child.stderr if line.startswith("Serving MCP at"))
        (token,) = (state / "blockwright").glob("http-*.token")
        header = f"Authorization: Bearer {token.read_text().strip()}"
        over_http = (url, "--transport", "http")
        arguments = ("--method", "tools/call", "--tool-name", "list_components", "--tool-arg", "name=uart")
        found = inspected(*over_http, "--header", header, *arguments)
        assert found["structuredContent"]["count"] == 1
        assert npx(INSPECTOR, "--cli", *over_http, "--method", "tools/list").returncode != 0
    finally:
        child.terminate()
        child.communicate(timeout=30)


def test_the_conformance_suite(workspace: Workspace, tmp_path: Path) -> None:
    needs(CONFORMANCE)
    with served_plainly(workspace) as url:
        done = npx(CONFORMANCE, "server", "--url", url, "--expected-failures", str(BASELINE), "-o", str(tmp_path))
    assert done.returncode == 0, done.stdout[-4000:]
    assert "Total:" in done.stdout
