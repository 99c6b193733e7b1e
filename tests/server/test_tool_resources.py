import json
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp.types import ResourceUpdatedNotification, TextResourceContents

from model.workspace import Workspace
from server.design_server import build_server

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"
EARLIER = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
PORT = {"component": UART, "name": "irq", "direction": "out"}


async def read(client: Client, uri: str) -> Any:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    assert content.mime_type == "application/json"
    return json.loads(content.text)


async def test_the_library_and_its_components_can_be_read(workspace: Workspace, mode: str) -> None:
    async with Client(build_server(workspace), mode=mode) as client:
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        assert listed[:2] == ["design://library", f"design://component/{UART}"]
        assert len((await client.list_resource_templates()).resource_templates) == 2
        assert UART in (await read(client, "design://library"))["components"]
        details = await read(client, f"design://component/{UART}")
        assert details["component"] == UART
        assert "added" not in details


@pytest.mark.parametrize(
    ("uri", "said"), [("design://component/acme:periph:uarts:1.0", UART), ("design://nothing", "design://library")]
)
async def test_a_resource_that_is_not_there(workspace: Workspace, mode: str, uri: str, said: str) -> None:
    async with Client(build_server(workspace), mode=mode) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
    assert said in str(caught.value)


async def test_a_subscriber_hears_of_edits_by_anybody(workspace: Workspace) -> None:
    server = build_server(workspace)
    async with (
        Client(server) as client,
        client.listen(resources_list_changed=True, resource_subscriptions=[f"design://component/{UART}"]) as events,
    ):
        await client.call_tool("add_signal_port", PORT)
        with anyio.fail_after(10):
            assert await anext(events) == ResourceUpdated(f"design://component/{UART}")
        async with Client(build_server(workspace)) as other:
            vlnv = {"vendor": "a", "library": "b", "name": "c", "version": "1.0"}
            await other.call_tool("create_component", vlnv)
        with anyio.fail_after(10):
            assert await anext(events) == ResourcesListChanged()


@EARLIER
async def test_a_subscriber_of_the_earlier_protocol_hears_too(workspace: Workspace) -> None:
    heard: list[str] = []
    told = anyio.Event()

    async def hear(message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            heard.append(message.params.uri)
            told.set()

    async with Client(build_server(workspace), mode="legacy", message_handler=hear) as client:
        await client.subscribe_resource(f"design://component/{UART}")
        await client.call_tool("add_signal_port", PORT)
        with anyio.fail_after(10):
            await told.wait()
        await client.unsubscribe_resource(f"design://component/{UART}")
        await client.call_tool("add_signal_port", PORT | {"name": "irq2"})
        await client.call_tool("list_components", {})
    assert heard == [f"design://component/{UART}"]


@EARLIER
async def test_a_closed_session_leaves_no_listener(workspace: Workspace, mode: str) -> None:
    server = build_server(workspace)
    async with Client(server, mode=mode) as client:
        if mode == "legacy":
            await client.subscribe_resource("design://library")
        else:
            async with client.listen(resources_list_changed=True):
                pass
    assert workspace._listeners == []
