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
ALWAYS_REFUSED = {
    "wrong type": "bad-argument",
    "missing": "missing-argument",
    "extra": "unknown-argument",
    "huge": "argument-too-long",
    "control character": "illegal-character",
}
KINDS = (*ALWAYS_REFUSED, "unicode", "path trick")
HUGE: list[Any] = ["x" * 5000, "9" * 4001, 10**4000, "\u0301" * 4100, "a:b:c:" + "1" * 100_000]
CONTROLS = ["\x00", "a\x07b", "\x1b[31m", "clk\x0b", "\ud800", "x\ufffe"]
UNICODE = ["e\u0301", "\u202eevil", "\U0001f600", "c\u043b\u043a", "\u2028", "\u00df" * 200, "a\nb", "ﬁ", "\ufeffclk"]
EXTRA = ["nmae", "Component", "", "\ud800", "x" * 5000, "compon\u0435nt", "__class__", "component "]


def malformed(chance: random.Random, kind: str) -> tuple[str, dict[str, Any]]:
    """A call of any tool with one thing of this kind wrong, among arguments that may or may not be right."""
    tool = chance.choice(list(ALL_TOOLS))
    legal = ALL_TOOLS[tool].arguments
    required = [argument.name for argument in legal if argument.required]
    texts = [argument.name for argument in legal if not isinstance(argument.default, bool) and not argument.choices]
    arguments: dict[str, Any] = {
        argument.name: chance.choice([*argument.choices] or TEXTS[: len(TEXTS) - len(ODDITIES)])
        for argument in legal
        if not isinstance(argument.default, bool) and (argument.required or chance.random() < 0.3)
    }
    match kind:
        case "missing" if required:
            del arguments[chance.choice(required)]
        case "missing":
            return malformed(chance, kind)
        case "extra":
            arguments[chance.choice(EXTRA)] = "8"
        case "wrong type":
            arguments[chance.choice(legal).name] = chance.choice([["in"], {"a": [1]}, [[]], {"": None}, [None]])
        case "huge":
            arguments = dict.fromkeys(arguments, "1") | {chance.choice(texts): chance.choice(HUGE)}
        case "control character":
            arguments = dict.fromkeys(arguments, "1") | {chance.choice(texts): chance.choice(CONTROLS)}
        case "unicode":
            arguments[chance.choice(texts)] = chance.choice(UNICODE)
        case _:
            arguments[chance.choice(texts)] = chance.choice(PATHS)
    return tool, arguments


def test_five_thousand_malformed_calls(portal: BlockingPortal, folder: Path, soc: Library) -> None:
    """Every kind of fault in every tool: nothing crashes, a refusal changes nothing, nothing leaves the folder."""
    chance = random.Random(5)
    workspace = Workspace(folder=folder, library=soc)
    outside = sorted(path.name for path in folder.parent.iterdir())
    refused: dict[tuple[str, str], int] = {}
    codes: set[str] = set()

    async def make() -> None:
        async with Client(build_server(workspace, extended=True)) as client:
            for number in range(COUNT):
                kind = KINDS[number % len(KINDS)]
                tool, arguments = malformed(chance, kind)
                library, steps = workspace.library, len(workspace.done)
                result = await client.call_tool(tool, arguments)
                data = result.structured_content
                assert data["message"], (tool, arguments)
                if result.is_error:
                    assert workspace.library is library, (tool, arguments)
                    assert len(workspace.done) == steps, (tool, arguments)
                    refused[tool, kind] = refused.get((tool, kind), 0) + 1
                    codes.add(data["code"])
                else:
                    assert kind not in ALWAYS_REFUSED, (tool, arguments)
                    workspace.restore(soc)

    portal.call(make)
    assert not {"internal-error", "unknown-tool"} & codes
    assert codes >= set(ALWAYS_REFUSED.values())
    for tool, contract in ALL_TOOLS.items():
        for kind in ALWAYS_REFUSED:
            if kind != "missing" or any(argument.required for argument in contract.arguments):
                assert refused.get((tool, kind)), (tool, kind)
    assert sum(refused.values()) > COUNT * 0.8
    assert sorted(path.name for path in folder.parent.iterdir()) == outside
