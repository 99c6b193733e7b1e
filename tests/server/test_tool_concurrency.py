import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult

from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"


async def test_of_fifty_clients_creating_one_component_exactly_one_succeeds(mode: str) -> None:
    workspace = Workspace()
    server = build_server(workspace)
    results: list[CallToolResult] = []

    async def create() -> None:
        async with Client(server, mode=mode) as client:
            vlnv = {"vendor": "a", "library": "b", "name": "c", "version": "1.0"}
            results.append(await client.call_tool("create_component", vlnv))

    async with anyio.create_task_group() as group:
        for _ in range(50):
            group.start_soon(create)
    assert len(results) == 50
    assert sum(not result.is_error for result in results) == 1
    assert len(workspace.library) == 1
    assert len(workspace.done) == 1


async def test_fifty_clients_lose_no_edit(workspace: Workspace) -> None:
    servers = [build_server(workspace) for _ in range(2)]

    async def add(index: int) -> None:
        async with Client(servers[index % 2]) as client:
            result = await client.call_tool(
                "add_signal_port", {"component": UART, "name": f"p{index}", "direction": "in"}
            )
            assert not result.is_error

    async with anyio.create_task_group() as group:
        for index in range(50):
            group.start_soon(add, index)
    ports = workspace.library.get(Vlnv.parse(UART)).ports
    assert {f"p{index}" for index in range(50)} <= set(ports)
    assert len(workspace.done) == 50


async def test_a_client_that_leaves_in_the_middle_harms_nobody(workspace: Workspace) -> None:
    server = build_server(workspace)

    async def give_up() -> None:
        async with Client(server) as client:
            with anyio.CancelScope() as scope:
                scope.cancel()
                await client.call_tool("add_signal_port", {"component": UART, "name": "late", "direction": "in"})

    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(give_up)
    async with Client(server) as client:
        result = await client.call_tool("add_signal_port", {"component": UART, "name": "next", "direction": "in"})
    assert not result.is_error
    assert len(workspace.done) == sum(
        name in ("late", "next") for name in workspace.library.get(Vlnv.parse(UART)).ports
    )
