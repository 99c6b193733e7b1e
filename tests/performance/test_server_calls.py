"""How long a call takes, compared with a tool of the bare SDK that only gives back its text."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from measuring import CALLS, Timing, echo_server, is_idle, time_calls
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from desktop.application import create_application
from desktop.window import MainWindow
from model import operations
from model.storage import Opened, open_workspace
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server
from server.desktop_service import DesktopService, find_desktop

HERE = Path(__file__).parent
EXAMPLE = Path("resources/examples/tiny_soc")
TOP = "blockwright.org:soc:tiny_soc:1.0"
READ = ("get_element", {"component": TOP, "element_type": "signal_port", "name": "clk"})
ELSEWHERE = (
    "add_signal_port",
    {"component": "blockwright.org:peripheral:uart:1.0", "name": "bench_#", "direction": "in", "width": "8"},
)
WRITE = ("add_signal_port", {"component": TOP, "name": "bench_#", "direction": "in", "width": "8"})
Call = tuple[str, dict[str, str]]


def filled(arguments: dict[str, str], index: int) -> dict[str, str]:
    return {key: value.replace("#", str(index).replace("-", "m")) for key, value in arguments.items()}


def report(benchmark: Any, name: str, limit_ms: float | None, ratio_limit: float, ours: Timing, bare: Timing) -> None:
    """Keep the figures, and judge them: always against the bare SDK, in milliseconds only on an idle machine."""
    benchmark.extra_info.update(
        n=CALLS,
        median_ms=round(ours.median, 3),
        p99_ms=round(ours.p99, 3),
        bare_median_ms=round(bare.median, 3),
        ratio=round(ours.median / bare.median, 2),
        idle=is_idle(),
    )
    print(f"\n{name}: {benchmark.extra_info}")
    assert ours.median / bare.median < ratio_limit
    if limit_ms is not None and is_idle():
        assert ours.median < limit_ms


@pytest.fixture
def workspace() -> Workspace:
    return open_workspace(EXAMPLE).workspace


async def both(server: Any, echo: Any, call: Call) -> tuple[Timing, Timing]:
    tool, arguments = call
    async with Client(echo) as client:
        bare = await time_calls(lambda _index: client.call_tool("echo", {"text": "x"}))
    async with Client(server) as client:
        ours = await time_calls(lambda index: client.call_tool(tool, filled(arguments, index)))
    return ours, bare


@pytest.mark.parametrize("call", [READ, WRITE], ids=["read", "write"])
def test_in_memory(benchmark: Any, workspace: Workspace, call: Call) -> None:
    ours, bare = benchmark.pedantic(
        lambda: asyncio.run(both(build_server(workspace), echo_server(), call)), rounds=1, iterations=1
    )
    report(benchmark, f"in memory, {call[0]}", 0.5, 2.0, ours, bare)


@pytest.mark.parametrize("call", [READ, WRITE], ids=["read", "write"])
def test_over_stdio(benchmark: Any, tmp_path: Path, call: Call) -> None:
    python = [
        "-c",
        "import sys; sys.path.insert(0, sys.argv[1]); from measuring import echo_server; echo_server().run()",
    ]
    echo = StdioServerParameters(command=sys.executable, args=[*python, str(HERE)])
    serve = ["-c", "import typer; from desktop.commands.serve import serve; typer.run(serve)", "-w", str(EXAMPLE)]
    ours_started = StdioServerParameters(command=sys.executable, args=serve)
    with (tmp_path / "errors").open("w") as errors:
        ours, bare = benchmark.pedantic(
            lambda: asyncio.run(
                both(stdio_client(ours_started, errlog=errors), stdio_client(echo, errlog=errors), call)
            ),
            rounds=1,
            iterations=1,
        )
    report(benchmark, f"stdio, {call[0]}", 1.5, 2.0, ours, bare)


@contextmanager
def echo_over_http() -> Iterator[str]:
    app = echo_server().streamable_http_app(host="127.0.0.1", streamable_http_path="/mcp", json_response=True)
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()


def client_process(url: str, token: str, call: Call) -> subprocess.Popen[str]:
    command = [sys.executable, str(HERE / "calls_over_http.py"), url, token, call[0], json.dumps(call[1])]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def timing_of(process: subprocess.Popen[str]) -> Timing:
    out, _errors = process.communicate(timeout=120)
    assert process.returncode == 0
    return Timing(**json.loads(out))


@pytest.mark.parametrize("call", [READ, ELSEWHERE, WRITE], ids=["read", "write", "write-what-is-shown"])
def test_over_http_with_the_window_open(benchmark: Any, workspace: Workspace, tmp_path: Path, call: Call) -> None:
    """The client is another process; the window shows the design that is edited, and its own pace is measured, too."""
    application = QApplication.instance() or create_application()
    assert isinstance(application, QApplication)
    window = MainWindow(Opened(workspace, (), Vlnv.parse(TOP)))
    window.show()
    service = DesktopService(folder=tmp_path)
    window.bridge.run(service.start(workspace, port=0)).result(30)
    address = find_desktop(tmp_path)
    beats: list[float] = []
    timer = QTimer(window)
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))

    def measure() -> tuple[Timing, Timing]:
        with echo_over_http() as url:
            bare = timing_of(client_process(url, "none", ("echo", {"text": "x"})))
        loop = QEventLoop()
        found: list[Timing] = []

        def wait() -> None:
            try:
                found.append(timing_of(client_process(address.url, address.token, call)))
            finally:
                window.bridge.post(loop.quit)

        thread = threading.Thread(target=wait)
        beats[:] = [time.perf_counter()]
        timer.start(5)
        thread.start()
        loop.exec()
        timer.stop()
        thread.join()
        return found[0], bare

    try:
        ours, bare = benchmark.pedantic(measure, rounds=1, iterations=1)
        gaps = sorted(later - earlier for earlier, later in pairwise(beats))
        benchmark.extra_info["window_gap_ms_p95"] = round(gaps[int(len(gaps) * 0.95)] * 1000, 1)
        benchmark.extra_info["window_gap_ms_max"] = round(gaps[-1] * 1000, 1)
        # After an edit the window refreshes itself, in the same process: recorded, without a limit in milliseconds.
        limits = (2.5, 2.5) if call is READ else (None, 20.0)
        report(benchmark, f"HTTP with the window, {call[0]} of {call[1]['component']}", *limits, ours, bare)
    finally:
        window.bridge.run(service.stop()).result(30)
        window.shut_down()
        window.deleteLater()


def test_fifty_clients_at_once(benchmark: Any, workspace: Workspace) -> None:
    """Edits per second of fifty clients in memory, and that none is lost."""
    server = build_server(workspace)
    each = 20

    async def client_of(number: int) -> None:
        async with Client(server) as client:
            for index in range(each):
                port = {"component": TOP, "name": f"c{number}_{index}", "direction": "in"}
                assert not (await client.call_tool("add_signal_port", port)).is_error

    async def all_of_them() -> None:
        await asyncio.gather(*(client_of(number) for number in range(50)))

    before = len(workspace.done)
    started = time.perf_counter()
    benchmark.pedantic(lambda: asyncio.run(all_of_them()), rounds=1, iterations=1)
    benchmark.extra_info["edits_per_second"] = round(50 * each / (time.perf_counter() - started))
    print(f"\nfifty clients: {benchmark.extra_info}")
    assert len(workspace.done) - before == 50 * each


def test_an_operation_by_itself(benchmark: Any, workspace: Workspace) -> None:
    """What of a write is the model's: the operation without any protocol."""
    numbers = iter(range(10**9))

    def add() -> None:
        workspace.apply(operations.add_signal_port, component=TOP, name=f"n{next(numbers)}", direction="in", width="8")

    benchmark.pedantic(add, rounds=CALLS, iterations=1, warmup_rounds=20)
