"""A client in a process of its own: times calls of a server over HTTP and prints them as JSON. URL, token, tool."""

import asyncio
import dataclasses
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from measuring import time_calls


async def main(url: str, token: str, tool: str) -> None:
    arguments = json.loads(sys.argv[4])

    async def call(index: int) -> None:
        filled = {key: value.replace("#", str(index).replace("-", "m")) for key, value in arguments.items()}
        assert not (await client.call_tool(tool, filled)).is_error

    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        print(json.dumps(dataclasses.asdict(await time_calls(call))))


asyncio.run(main(*sys.argv[1:4]))
