from collections.abc import Callable
from pathlib import Path

import pytest
from mcp import Client
from mcp.types import CallToolResult

from model.library import Library
from model.workspace import Transaction, Workspace
from server.design_server import Editor, build_server

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"
Text = Callable[[CallToolResult], str]


def names_under(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.rglob("*"))


async def test_what_was_saved_can_be_loaded_again(soc: Library, tmp_path: Path, text_of: Text) -> None:
    async with Client(build_server(Workspace(folder=tmp_path, library=soc))) as client:
        saved = await client.call_tool("save_component", {"component": UART, "path": "ip/uart.xml"})
        assert saved.structured_content["paths"] == ["ip/uart.xml"]
        assert "ip/uart.xml" in text_of(saved)
    editor = Editor(Transaction("Load the UART"))
    other = Workspace(folder=tmp_path)
    async with Client(build_server(other, editor=editor)) as client:
        loaded = await client.call_tool("load_component", {"path": "ip/uart.xml"})
        assert f"component {UART}" in loaded.structured_content["added"]
        details = await client.call_tool("get_component_details", {"component": UART})
    assert [port["name"] for port in details.structured_content["signal_ports"]] == ["clk", "data", "rx", "nibble"]
    assert [step.label for step in other.done] == ["Load the UART"]


@pytest.mark.parametrize("path", ["../out.xml", "/tmp/out.xml", "link/out.xml", "uart.txt", "a/../../out.xml"])
async def test_nothing_is_written_outside_the_folder(soc: Library, tmp_path: Path, path: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(tmp_path)
    async with Client(build_server(Workspace(folder=inside, library=soc))) as client:
        result = await client.call_tool("save_component", {"component": UART, "path": path})
    assert result.is_error
    assert result.structured_content["hint"]
    assert names_under(tmp_path) == ["inside", "link"]


async def test_another_components_file_is_not_replaced_unasked(soc: Library, tmp_path: Path) -> None:
    async with Client(build_server(Workspace(folder=tmp_path, library=soc))) as client:
        await client.call_tool("save_component", {"component": UART, "path": "x.xml"})
        cpu = {"component": "acme:cpu:core:2.0", "path": "x.xml"}
        refused = await client.call_tool("save_component", cpu)
        assert refused.is_error
        assert not (await client.call_tool("save_component", cpu | {"overwrite": True})).is_error
