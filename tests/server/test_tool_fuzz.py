"""Malformed calls over all tools: nothing crashes, and a refusal changes nothing."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client

from model.library import Library
from model.workspace import Workspace
from server.contract import TOOLS
from server.design_server import build_server

UART = "acme:periph:uart:1.0"
TOP = "acme:soc:top:1.0"

NAMES = [UART, TOP, "acme:cpu:core:2.0", "acme:periph:uart", ":::", "a:b:c:d:e", "clk", "data", "u_cpu", "clk_net"]
NUMBERS = ["DATA_WIDTH", "DATA_WIDTH/0", "2**99999", "1/0", "-1", "0", "7", "1e400", "'hZZ", "(" * 500, "9" * 3000]
WORDS = ["in", "out", "requires", "tlm_socket", "int", "real", "bit", "signal_port", "connection", "true", ""]
PATHS = [
    "../../etc/passwd",
    "/etc/passwd",
    "a/../../b.xml",
    "~/x.xml",
    "C:\\x.xml",
    "x.xml",
    ".",
    "CON",
    "escape/x.xml",
]
ODDITIES = [
    "e\u0301",
    "\u202eevil",
    "\x00",
    "\ud800",
    "\uffff",
    "a\nb",
    "\U0001f600",
    "${DATA_WIDTH}",
    "%s%n",
    "<!-- -->",
]
PLAUSIBLE = st.sampled_from([*NAMES, *NUMBERS, *WORDS, *PATHS, *ODDITIES])
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.just(10**400)
    | st.just("x" * 5000),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
VALUES = PLAUSIBLE | ANYTHING


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    tool = draw(st.sampled_from(sorted(TOOLS)))
    legal = TOOLS[tool].arguments
    arguments: dict[str, Any] = {}
    for argument in legal:
        if draw(st.integers(0, 9)) < (9 if argument.required else 4):
            choices = st.sampled_from(argument.choices) | VALUES if argument.choices else VALUES
            arguments[argument.name] = draw(choices)
    if draw(st.integers(0, 5)) == 0:
        arguments[draw(st.sampled_from(["nmae", "Component", "", "\ud800", "x" * 5000]) | st.text(max_size=8))] = "8"
    return tool, arguments


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside.xml").write_text("<secret/>")
    (inside / "broken.xml").write_text("<!DOCTYPE x><x/>")
    (inside / "escape").symlink_to(tmp_path)
    return inside


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=st.lists(calls(), min_size=1, max_size=20))
def test_no_malformed_call_crashes_or_changes_what_it_refuses(
    portal: BlockingPortal, folder: Path, soc: Library, made: list[tuple[str, dict[str, Any]]]
) -> None:
    workspace = Workspace(folder=folder, library=soc)
    server = build_server(workspace)
    outside = sorted(path.name for path in folder.parent.iterdir())

    async def make() -> None:
        async with Client(server) as client:
            for tool, arguments in made:
                library, steps = workspace.library, len(workspace.done)
                result = await client.call_tool(tool, arguments)
                data = result.structured_content
                assert data["ok"] is not result.is_error
                assert json.dumps(data).encode("utf-8")
                assert result.model_dump_json().encode("utf-8")
                if result.is_error:
                    assert data["code"] not in ("internal-error", "unknown-tool"), (tool, arguments)
                    assert data["message"]
                    assert workspace.library is library
                    assert len(workspace.done) == steps

    portal.call(make)
    assert sorted(path.name for path in folder.parent.iterdir()) == outside


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tool=st.text(max_size=50).filter(lambda name: name not in TOOLS) | st.just("x" * 100_000))
def test_no_unknown_tool_crashes(portal: BlockingPortal, soc: Library, tool: str) -> None:
    server = build_server(Workspace(library=soc))
    result = portal.call(server.call_tool, tool, {})
    assert result.is_error
    assert result.structured_content["code"] == "unknown-tool"
    assert result.model_dump_json().encode("utf-8")
