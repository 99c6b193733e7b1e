"""What the benchmarks of calls share: a bare server of the SDK to compare with, and the measuring itself."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from mcp.server import MCPServer

CALLS = 400
WARM_UP = 40


def echo_server() -> MCPServer:
    """A server with one tool that gives back its text: what the SDK costs by itself."""
    server: MCPServer = MCPServer("echo", log_level="WARNING")

    @server.tool()
    async def echo(text: str) -> str:
        return text

    return server


@dataclass(frozen=True)
class Timing:
    """Times of single calls in milliseconds."""

    median: float
    p99: float


async def time_calls(call: Callable[[int], Awaitable[object]], count: int = CALLS) -> Timing:
    """Make calls one after another and time each."""
    for index in range(WARM_UP):
        await call(-1 - index)
    times = []
    for index in range(count):
        started = time.perf_counter()
        await call(index)
        times.append((time.perf_counter() - started) * 1000)
    ordered = sorted(times)
    return Timing(statistics.median(times), ordered[int(count * 0.99)])


def is_idle() -> bool:
    """Whether nothing else occupies this machine, so that absolute times mean something."""
    return os.getloadavg()[0] < 0.5 * (os.cpu_count() or 1)
