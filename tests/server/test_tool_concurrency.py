import threading
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult

from model import operations
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"
TOP = "acme:soc:top:1.0"


@contextmanager
def busy(workspace: Workspace) -> Iterator[None]:
    """Another editor, on a thread of its own, in the middle of an edit."""
    inside, leave = threading.Event(), threading.Event()

    def edit() -> None:
        with workspace.lock:
            inside.set()
            leave.wait()

    thread = threading.Thread(target=edit)
    thread.start()
    inside.wait()
    try:
        yield
    finally:
        leave.set()
        thread.join()


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


async def test_nobody_sees_half_of_an_edit(workspace: Workspace, mode: str) -> None:
    """Clients connect and disconnect all clocks at once; readers see all of these connections or none."""
    for name in ("u_a", "u_b", "u_c"):
        workspace.apply(operations.add_subcomponent, component=TOP, subcomponent=UART, instance_name=name)
    server = build_server(workspace, extended=True)
    seen: set[int] = set()

    async def write() -> None:
        async with Client(server, mode=mode) as client:
            for _ in range(4):
                await client.call_tool("connect_by_name", {"component": TOP, "what": "clocks"})
                clock = {"component": TOP, "element_type": "signal_port", "name": "clk", "cascade": True}
                await client.call_tool("delete_element", clock)
                await client.call_tool("add_signal_port", {"component": TOP, "name": "clk", "direction": "in"})

    async def read() -> None:
        async with Client(server, mode=mode) as client:
            for _ in range(10):
                result = await client.call_tool("get_component_details", {"component": TOP})
                if result.structured_content is not None:
                    names = [joined["name"] for joined in result.structured_content.get("connections", [])]
                    seen.add(sum(name.startswith("clk_to_") for name in names))

    async with anyio.create_task_group() as group:
        for index in range(50):
            group.start_soon(read if index % 5 else write)
    assert seen <= {0, 4, 5}  # 4 beside the connection that the design begins with


async def test_a_waiting_edit_holds_up_nobody_who_reads(workspace: Workspace, mode: str) -> None:
    server = build_server(workspace)
    results: list[CallToolResult] = []

    async def add() -> None:
        async with Client(server, mode=mode) as client:
            port = {"component": UART, "name": "late", "direction": "in"}
            results.append(await client.call_tool("add_signal_port", port))

    async with anyio.create_task_group() as group:
        with busy(workspace):
            group.start_soon(add)
            async with Client(server, mode=mode) as client:
                for _ in range(20):
                    await client.call_tool("list_components", {})
            assert results == []
    assert [result.is_error for result in results] == [False]


async def test_a_cancelled_call_that_waited_is_not_made_and_harms_nobody(workspace: Workspace, mode: str) -> None:
    server = build_server(workspace)
    port = {"component": UART, "direction": "in"}
    async with Client(server, mode=mode) as client:
        with busy(workspace):
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "add_signal_port", port | {"name": "given_up"})
                await client.call_tool("list_components", {})  # by now the edit waits for its turn
                group.cancel_scope.cancel()
            await client.call_tool("list_components", {})  # by now the server knows that it is cancelled
        assert not (await client.call_tool("add_signal_port", port | {"name": "next"})).is_error
    ports = workspace.library.get(Vlnv.parse(UART)).ports
    assert "next" in ports
    assert "given_up" not in ports
    assert len(workspace.done) == 1
