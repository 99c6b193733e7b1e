"""A design of 10,000 instances: every reading tool answers within its stated limits, and soon."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from mcp import Client
from mcp.types import CallToolResult, TextResourceContents

from model.elements import Component, Connection, Design, Endpoint, Instance, Parameter, SignalPort
from model.frozen_map import FrozenMap
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server
from server.resources import MAX_IN_LIBRARY
from server.tools_check import MAX_FINDINGS
from server.tools_read import MAX_CHARACTERS, MAX_DETAILED, MAX_NAMED, MAX_VALUE, get_component_details, get_element

COUNT = 10_000
LEAF, TOP = "acme:periph:uart:1.0", "acme:soc:top:1.0"
MAX_TEXT = 30_000  # what one answer may cost a model: about 8,000 tokens
Text = Callable[[CallToolResult], str]


def by_name(*values: Any) -> FrozenMap[str, Any]:
    return FrozenMap((value.name, value) for value in values)


def joined(name: str, *ends: tuple[str, str]) -> Connection:
    return Connection(name=name, ends=tuple(Endpoint(instance=instance, port=port) for instance, port in ends))


@pytest.fixture(scope="module")
def large() -> Library:
    """A chain of instances on one clock, and ten thousand components beside it."""
    leaf = Component(
        vlnv=Vlnv.parse(LEAF),
        ports=by_name(
            SignalPort(name="clk", direction="in"),
            SignalPort(name="d", direction="in"),
            SignalPort(name="rst", direction="in"),
            SignalPort(name="q", direction="out"),
        ),
    )
    connections = [joined(f"q{index}", (f"u{index}", "q"), (f"u{index + 1}", "d")) for index in range(COUNT - 1)]
    connections += [joined(f"clk{index}", ("", "clk"), (f"u{index}", "clk")) for index in range(COUNT)]
    instances = (Instance(name=f"u{index}", component=leaf.vlnv) for index in range(COUNT))
    top = Component(
        vlnv=Vlnv.parse(TOP),
        ports=by_name(SignalPort(name="clk", direction="in")),
        designs=FrozenMap({"": Design(instances=by_name(*instances), connections=by_name(*connections))}),
    )
    others = (Component(vlnv=Vlnv.parse(f"acme:lib:block{index}:1.0")) for index in range(COUNT))
    return Library.of((leaf, top, *others))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("list_components", {}, "filter by vendor, library, name or version"),
        ("list_components", {"name": "block9999"}, "acme:lib:block9999:1.0"),
        ("get_component_details", {"component": TOP}, 'get_element (element_type "subcomponent")'),
        ("get_element", {"component": TOP, "element_type": "signal_port", "name": "clk"}, f"and {COUNT - MAX_NAMED}"),
        ("get_element", {"component": TOP, "element_type": "subcomponent", "name": "u9000"}, "q8999"),
        ("get_element", {"component": TOP, "element_type": "connection", "name": "q77"}, "u77.q -> u78.d"),
        ("check_design", {"component": TOP}, f"{COUNT + 1 - MAX_FINDINGS} left out: check one component"),
        ("check_design", {}, f"{COUNT + 1} warnings"),
    ],
)
async def test_every_reading_tool_answers_within_its_limits(
    large: Library, text_of: Text, tool: str, arguments: dict[str, str], said: str
) -> None:
    async with Client(build_server(Workspace(library=large), extended=True)) as client:
        began = time.process_time()
        result = await client.call_tool(tool, arguments)
        seconds = time.process_time() - began
    assert not result.is_error
    assert said in text_of(result)
    assert len(text_of(result)) < MAX_TEXT
    assert len(json.dumps(result.structured_content)) < MAX_TEXT
    assert seconds < (20 if tool == "check_design" else 3)  # of a processor; idle 1.5 and 0.03


@pytest.mark.anyio
async def test_an_edit_of_a_large_design_answers_within_its_limits(large: Library, text_of: Text) -> None:
    workspace = Workspace(library=large)
    clock = {"component": TOP, "element_type": "signal_port", "name": "clk"}
    async with Client(build_server(workspace)) as client:
        refused = await client.call_tool("delete_element", clock)
        assert refused.structured_content["code"] == "in-use"
        done = await client.call_tool("delete_element", clock | {"cascade": True})
    assert done.structured_content["elements_left_out"] == COUNT + 1 - 200
    for result in (refused, done):
        assert len(text_of(result)) < MAX_TEXT
        assert len(json.dumps(result.structured_content)) < MAX_TEXT


@pytest.mark.anyio
async def test_the_resources_of_a_large_design_are_cut(large: Library, mode: str) -> None:
    async with Client(build_server(Workspace(library=large)), mode=mode) as client:
        assert len((await client.list_resources()).resources) < 600
        for uri, limit in (
            ("design://library", 300_000),
            (f"design://component/{TOP}", MAX_TEXT),
            (f"design://component/{TOP}/diagram", 400_000),
        ):
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            assert len(content.text) < limit
            if uri == "design://library":
                listed = json.loads(content.text)
                assert listed["left_out"] == len(large) - MAX_IN_LIBRARY
                assert "list_components" in listed["hint"]


def test_long_texts_of_a_file_are_cut(text_of: Text) -> None:
    """A file may hold texts of any length; an answer does not grow with them."""
    long = "long " * 100_000
    component = Component(
        vlnv=Vlnv.parse("a:b:c:1.0"),
        description=long,
        ports=by_name(
            *(SignalPort(name=f"p{index}", direction="in", description="x" * 1000) for index in range(30)),
            SignalPort(name="wordy", direction="in", description=long, default_value=long),
        ),
        parameters=by_name(*(Parameter(name="n" * 2000 + str(index), kind="user", value="1") for index in range(99))),
    )
    library = Library.of((component,))
    result = get_component_details(library, component="a:b:c:1.0")
    data = result.structured_content
    assert len(data["signal_ports"]) < MAX_DETAILED
    assert len(str(data["signal_ports"])) <= MAX_CHARACTERS + 100
    assert data["left_out"]["signal_port"]["names"][-1] == "wordy"
    assert len(text_of(result)) < MAX_TEXT
    assert len(json.dumps(data)) < 2 * MAX_TEXT
    element = get_element(library, component="a:b:c:1.0", element_type="signal_port", name="wordy")
    assert f"{len(long) - MAX_VALUE} more characters" in element.structured_content["element"]["description"]
    assert len(text_of(element)) < MAX_TEXT
