"""Malformed calls over all tools: nothing crashes, and a refusal changes nothing."""

import json
import random
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
from server.contract_extended import ALL_TOOLS
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
TEXTS = [*NAMES, *NUMBERS, *WORDS, *PATHS, *ODDITIES]
PLAUSIBLE = st.sampled_from(TEXTS)
WRONG: list[Any] = [
    None,
    True,
    0,
    -1,
    8,
    8.0,
    1e308,
    float("nan"),
    10**400,
    [],
    ["in"],
    {},
    {"a": [1]},
    "x" * 5000,
    "\u0301" * 300,
]
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
    tool = draw(st.sampled_from(sorted(ALL_TOOLS)))
    legal = ALL_TOOLS[tool].arguments
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
    server = build_server(workspace, extended=True)
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
@given(tool=st.text(max_size=50).filter(lambda name: name not in ALL_TOOLS) | st.just("x" * 100_000))
def test_no_unknown_tool_crashes(portal: BlockingPortal, soc: Library, tool: str) -> None:
    server = build_server(Workspace(library=soc), extended=True)
    result = portal.call(server.call_tool, tool, {})
    assert result.is_error
    assert result.structured_content["code"] == "unknown-tool"
    assert result.model_dump_json().encode("utf-8")


COUNT = 5_000


def malformed(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """A call of any tool with at least one thing wrong: a type, a value, a missing or an extra argument."""
    tool = chance.choice(list(ALL_TOOLS))
    arguments: dict[str, Any] = {}
    for argument in ALL_TOOLS[tool].arguments:
        if argument.required or chance.random() < 0.3:
            legal = [*argument.choices] if argument.choices else TEXTS
            arguments[argument.name] = chance.choice(legal if chance.random() < 0.7 else [*TEXTS, *WRONG])
    match chance.randrange(4):
        case 0 if arguments:
            del arguments[chance.choice(list(arguments))]
        case 1:
            arguments[chance.choice(["nmae", "Component", "", "\ud800", "x" * 5000, "compon\u0435nt"])] = "8"
        case _ if arguments:
            arguments[chance.choice(list(arguments))] = chance.choice([*WRONG, *ODDITIES])
    return tool, arguments


def test_five_thousand_malformed_calls(portal: BlockingPortal, folder: Path, soc: Library) -> None:
    chance = random.Random(5)
    workspace = Workspace(folder=folder, library=soc)
    outside = sorted(path.name for path in folder.parent.iterdir())
    codes: dict[str, int] = {}

    async def make() -> None:
        async with Client(build_server(workspace, extended=True)) as client:
            for _ in range(COUNT):
                tool, arguments = malformed(chance)
                library, steps = workspace.library, len(workspace.done)
                result = await client.call_tool(tool, arguments)
                data = result.structured_content
                if result.is_error:
                    assert data["message"], (tool, arguments)
                    assert workspace.library is library, (tool, arguments)
                    assert len(workspace.done) == steps, (tool, arguments)
                    codes[data["code"]] = codes.get(data["code"], 0) + 1
                else:
                    workspace.restore(soc)

    portal.call(make)
    assert not {"internal-error", "unknown-tool"} & set(codes)
    assert sum(codes.values()) > COUNT * 0.8
    assert len(codes) > 10
    assert sorted(path.name for path in folder.parent.iterdir()) == outside
