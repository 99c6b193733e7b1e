"""A client in a process of its own that adds ports and reads, so many calls a second.

Arguments: URL, token, component, calls a second, seconds.
Up to eight calls are under way at once. Prints the rate that it came to and the times of the calls in milliseconds.
"""

import asyncio
import json
import sys
import time

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

AT_ONCE = 8


async def main(url: str, token: str, component: str, rate: float, seconds: float) -> None:
    times: list[float] = []
    under_way = asyncio.Semaphore(AT_ONCE)

    async def call(index: int) -> None:
        port = {"component": component, "name": f"p{index}", "direction": "in"}
        tool, arguments = (
            ("get_component_details", {"component": component}) if index % 2 else ("add_signal_port", port)
        )
        began = time.perf_counter()
        assert not (await client.call_tool(tool, arguments)).is_error
        times.append((time.perf_counter() - began) * 1000)
        under_way.release()

    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        await client.list_tools()
        count = int(rate * seconds)
        began = time.perf_counter()
        async with asyncio.TaskGroup() as calls:
            for index in range(count):
                await asyncio.sleep(max(0.0, began + index / rate - time.perf_counter()))
                await under_way.acquire()
                calls.create_task(call(index))
        spent = time.perf_counter() - began
    times.sort()
    print(json.dumps({"rate": count / spent, "median": times[count // 2], "p99": times[int(count * 0.99)]}))


asyncio.run(main(*sys.argv[1:4], *map(float, sys.argv[4:6])))
