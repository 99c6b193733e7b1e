from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult

from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace
from server.design_server import Editor, build_server

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"
TOP = "acme:soc:top:1.0"
Text = Callable[[CallToolResult], str]


async def test_a_chain_of_edits_builds_a_design(mode: str, text_of: Text) -> None:
    workspace = Workspace()
    calls: list[tuple[str, dict[str, Any]]] = [
        ("create_component", {"vendor": "a", "library": "b", "name": "leaf", "version": "1.0"}),
        ("create_component", {"vendor": "a", "library": "b", "name": "top", "version": "1.0"}),
        ("add_user_parameter", {"component": "a:b:leaf:1.0", "name": "W", "value": 8, "type": "int"}),
        ("add_generator_parameter", {"component": "a:b:leaf:1.0", "name": "G", "value": "1"}),
        ("add_signal_port", {"component": "a:b:leaf:1.0", "name": "q", "direction": "out", "width": "W"}),
        ("add_signal_port", {"component": "a:b:leaf:1.0", "name": "d", "direction": "in", "width": 8}),
        ("add_transactional_port", {"component": "a:b:leaf:1.0", "name": "t", "initiative": "requires"}),
        ("add_subcomponent", {"component": "a:b:top:1.0", "subcomponent": "a:b:leaf:1.0", "instance_name": "u1"}),
        ("add_subcomponent", {"component": "a:b:top:1.0", "subcomponent": "a:b:leaf:1.0", "instance_name": "u2"}),
        (
            "add_subcomponent_connection",
            {
                "component": "a:b:top:1.0",
                "source_instance": "u1",
                "source_port": "q",
                "target_instance": "u2",
                "target_port": "d",
            },
        ),
    ]
    async with Client(build_server(workspace), mode=mode) as client:
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, text_of(result)
            assert result.structured_content["ok"] is True
            assert result.structured_content["added"], tool
            assert result.structured_content["message"] in text_of(result)
    top = workspace.library.get(Vlnv.parse("a:b:top:1.0"))
    assert list(top.design.connections) == ["u1_q_to_u2_d"]
    assert len(workspace.done) == len(calls)


async def test_every_refusal_says_the_same_in_text_and_structure(
    workspace: Workspace, soc: Library, mode: str, text_of: Text
) -> None:
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("add_signal_port", {"component": "acme:periph:uartt:1.0", "name": "x", "direction": "in"}, UART),
        ("add_signal_port", {"component": UART, "name": "x", "direction": "input"}, "in"),
        ("add_signal_port", {"component": UART, "name": "x", "direction": "in", "widht": "2"}, "width"),
        ("get_element", {"component": UART, "element_type": "signal_port", "name": "dat"}, "data"),
        ("delete_element", {"component": TOP, "element_type": "subcomponent", "name": "u_uar"}, "u_uart"),
        ("add_port", {}, "add_signal_port"),
    ]
    async with Client(build_server(workspace), mode=mode) as client:
        for tool, arguments, suggestion in calls:
            result = await client.call_tool(tool, arguments)
            assert result.is_error
            data = result.structured_content
            assert set(data) == {"ok", "code", "message", "hint", "suggestions"}
            assert data["ok"] is False
            assert suggestion in data["suggestions"]
            text = text_of(result)
            for fact in (data["code"], data["message"], data["hint"], *data["suggestions"]):
                assert fact in text
    assert workspace.library is soc
    assert workspace.done == ()


async def test_deleting_a_subcomponent_lists_the_connections_that_went(workspace: Workspace, text_of: Text) -> None:
    async with Client(build_server(workspace)) as client:
        result = await client.call_tool(
            "delete_element", {"component": TOP, "element_type": "subcomponent", "name": "u_cpu"}
        )
    assert f"connection clk_net of {TOP}" in result.structured_content["removed"]
    assert "clk_net" in text_of(result)


async def test_a_warning_is_in_both_channels(workspace: Workspace, text_of: Text) -> None:
    async with Client(build_server(workspace)) as client:
        result = await client.call_tool(
            "add_subcomponent_connection",
            {
                "component": TOP,
                "source_instance": "u_uart",
                "source_port": "data",
                "target_instance": "u_cpu",
                "target_port": "din",
            },
        )
    (warning,) = result.structured_content["warnings"]
    assert warning["code"] == "widths-differ"
    assert "16" in warning["message"]
    assert warning["message"] in text_of(result)


async def test_deleting_a_component_says_that_its_file_stays(workspace: Workspace, text_of: Text) -> None:
    async with Client(build_server(workspace)) as client:
        result = await client.call_tool("delete_component", {"component": TOP})
    assert "file" in text_of(result)


async def test_the_calls_of_one_transaction_are_one_undo_step(workspace: Workspace, soc: Library) -> None:
    editor = Editor()
    async with Client(build_server(workspace, editor=editor)) as client:
        editor.transaction = Transaction("Add two ports")
        for name in ("a", "b"):
            await client.call_tool("add_signal_port", {"component": UART, "name": name, "direction": "in"})
        editor.transaction = Transaction("Add another")
        await client.call_tool("add_signal_port", {"component": UART, "name": "c", "direction": "in"})
    assert [step.label for step in workspace.done] == ["Add two ports", "Add another"]
    workspace.undo()
    assert "b" in workspace.library.get(Vlnv.parse(UART)).ports
    workspace.undo()
    assert workspace.library is soc


async def test_another_clients_edit_splits_the_transaction(workspace: Workspace) -> None:
    editor = Editor(Transaction("Request"))
    async with Client(build_server(workspace, editor=editor)) as agent, Client(build_server(workspace)) as other:
        for client, name in ((agent, "a"), (other, "b"), (agent, "c")):
            await client.call_tool("add_signal_port", {"component": UART, "name": name, "direction": "in"})
    labels = [step.label for step in workspace.done]
    assert len(labels) == 3
    assert labels[0] == labels[2] == "Request"


async def test_a_fault_inside_the_program_is_no_pydantic_text(
    workspace: Workspace, text_of: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object, **_named: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(workspace, "apply", broken)
    async with Client(build_server(workspace)) as client:
        result = await client.call_tool("add_signal_port", {"component": UART, "name": "x", "direction": "in"})
    assert result.is_error
    assert result.structured_content["code"] == "internal-error"
    assert "secret" not in text_of(result)
