"""The extended set: there only when asked for, with the same rules, errors and undo."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from model.elements import Component, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace
from server.contract import TOOLS
from server.contract_extended import ALL_TOOLS, EXTENDED_TOOLS
from server.descriptions import load_descriptions
from server.design_server import Editor, build_server
from server.tools_check import MAX_FINDINGS
from server.tools_write import OPERATIONS

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"
TOP = "acme:soc:top:1.0"
Text = Callable[[CallToolResult], str]


async def test_it_is_not_there_unless_asked_for(workspace: Workspace, mode: str) -> None:
    async with Client(build_server(workspace), mode=mode) as client:
        assert len((await client.list_tools()).tools) == 14
        result = await client.call_tool("check_design", {})
    assert result.structured_content["code"] == "unknown-tool"


async def test_it_adds_nine_tools_and_changes_none_of_the_14(workspace: Workspace, mode: str) -> None:
    async with Client(build_server(workspace), mode=mode) as client:
        plain = (await client.list_tools()).tools
    async with Client(build_server(workspace, extended=True), mode=mode) as client:
        both = (await client.list_tools()).tools
    assert both[:14] == plain
    assert [tool.name for tool in both[14:]] == list(EXTENDED_TOOLS)
    assert len(EXTENDED_TOOLS) == 9
    assert all(tool.annotations and tool.annotations.title for tool in both)


def test_its_schemas_are_flat_and_take_what_is_left_out() -> None:
    for contract in EXTENDED_TOOLS.values():
        for name, part in contract.input_schema()["properties"].items():
            assert set(part) <= {"type", "description", "enum", "default"}, name
            assert part["type"] == "string"
            if "enum" in part and "default" in part:
                assert part["default"] in part["enum"]
        json.dumps(contract.input_schema())


def test_every_editing_tool_has_its_operation() -> None:
    assert set(OPERATIONS) == {name for name, contract in ALL_TOOLS.items() if contract.effect == "write"}
    assert not set(TOOLS) & set(EXTENDED_TOOLS)


@pytest.mark.parametrize("descriptions", ["comprehensive", "minimal"])
def test_its_descriptions_spell_out_what_is_legal(descriptions: Any) -> None:
    described = load_descriptions(descriptions, extended=True)
    for name, contract in EXTENDED_TOOLS.items():
        for argument in contract.arguments:
            text = described[name].text + " " + described[name].arguments.get(argument.name, "")
            assert [choice for choice in argument.choices if choice not in text] == [], (name, argument.name)
        if descriptions == "comprehensive":
            assert set(described[name].arguments) == set(contract.argument_names), name
        else:
            assert described[name].text.count(". ") == 0


CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("rename_element", {"component": UART, "element_type": "signal_port", "name": "data", "new_name": "q"}, "q"),
    ("rename_element", {"component": UART, "element_type": "bus_interface", "name": "apb", "new_name": "s"}, "s"),
    ("update_element", {"component": UART, "element_type": "signal_port", "name": "data", "width": 12}, "12"),
    ("update_element", {"component": UART, "element_type": "component", "description": "Serial."}, "Serial."),
    (
        "set_instance_parameter",
        {"component": TOP, "instance_name": "u_uart", "parameter": "DATA_WIDTH", "value": 32},
        "32",
    ),
    (
        "connect_slice",
        {
            "component": TOP,
            "source_instance": "u_uart",
            "source_port": "data",
            "source_left": 7,
            "source_right": 0,
            "target_instance": "u_cpu",
            "target_port": "din",
        },
        "u_uart.data[7:0]",
    ),
    ("tie_off", {"component": TOP, "instance": "u_cpu", "port": "din", "value": 0}, "u_cpu.din"),
    ("connect_by_name", {"component": TOP, "what": "clocks"}, "u_uart.clk"),
    ("copy_component", {"component": UART, "new_component": "acme:periph:uart:2.0"}, "acme:periph:uart:2.0"),
]


@pytest.mark.parametrize(("tool", "arguments", "said"), CALLS)
async def test_an_edit_is_one_undo_step(
    workspace: Workspace, soc: Library, text_of: Text, tool: str, arguments: dict[str, Any], said: str
) -> None:
    editor = Editor(Transaction("Request"))
    async with Client(build_server(workspace, editor=editor, extended=True)) as client:
        result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert said in text_of(result)
    data = result.structured_content
    assert data["added"] + data["changed"] + data["removed"]
    assert [step.label for step in workspace.done] == ["Request"]
    workspace.undo()
    assert workspace.library is soc


REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    (
        "rename_element",
        {"component": UART, "element_type": "signal_port", "name": "data", "new_name": "clk"},
        "name-taken",
    ),
    (
        "update_element",
        {"component": UART, "element_type": "signal_port", "name": "data", "value": "1"},
        "unknown-property",
    ),
    (
        "update_element",
        {"component": UART, "element_type": "signal_port", "name": "data", "clear": "widht"},
        "unknown-property",
    ),
    (
        "update_element",
        {"component": UART, "element_type": "signal_port", "name": "data", "direction": "input"},
        "bad-choice",
    ),
    (
        "set_instance_parameter",
        {"component": TOP, "instance_name": "u_uart", "parameter": "DATA_WIDHT", "value": "1"},
        "parameter-not-found",
    ),
    ("connect_by_name", {"component": TOP, "what": "resets"}, "no-source"),
    ("check_design", {"component": "acme:periph:uarts:1.0"}, "component-not-found"),
    ("tie_off", {"component": TOP, "port": "clk", "value": "0"}, "ties-a-driver"),
]


@pytest.mark.parametrize(("tool", "arguments", "code"), REFUSALS)
async def test_a_refusal_teaches_and_changes_nothing(
    workspace: Workspace, soc: Library, tool: str, arguments: dict[str, Any], code: str
) -> None:
    async with Client(build_server(workspace, extended=True)) as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content["code"] == code
    assert result.structured_content["hint"] or result.structured_content["suggestions"]
    assert workspace.library is soc


async def test_properties_are_emptied_by_name(workspace: Workspace) -> None:
    async with Client(build_server(workspace, extended=True)) as client:
        arguments = {
            "component": UART,
            "element_type": "signal_port",
            "name": "rx",
            "clear": "default_value, description",
        }
        assert not (await client.call_tool("update_element", arguments)).is_error
    port = workspace.library.get(Vlnv.parse(UART)).ports["rx"]
    assert isinstance(port, SignalPort)
    assert port.default_value == ""


async def test_the_check_says_what_is_wrong(workspace: Workspace, text_of: Text, mode: str) -> None:
    async with Client(build_server(workspace, extended=True), mode=mode) as client:
        everything = await client.call_tool("check_design", {})
        one = await client.call_tool("check_design", {"component": TOP})
        clean = await client.call_tool("check_design", {"component": UART})
    found = everything.structured_content["findings"]
    assert "component-missing" in [finding["code"] for finding in found]
    assert [finding["severity"] for finding in found] == sorted(
        (finding["severity"] for finding in found), key=["error", "warning", "note"].index
    )
    assert "u_lost" in text_of(one)
    assert TOP in text_of(everything)
    assert clean.structured_content["errors"] == 0


async def test_a_long_report_is_cut(text_of: Text) -> None:
    ports = FrozenMap((f"p{i}", SignalPort(name=f"p{i}", direction="in", left="X", right="0")) for i in range(200))
    workspace = Workspace(library=Library.of((Component(vlnv=Vlnv.parse("a:b:c:1.0"), ports=ports),)))
    async with Client(build_server(workspace, extended=True)) as client:
        result = await client.call_tool("check_design", {})
    assert len(result.structured_content["findings"]) == MAX_FINDINGS
    assert result.structured_content["left_out"] == 200 - MAX_FINDINGS
    assert "left out" in text_of(result)
