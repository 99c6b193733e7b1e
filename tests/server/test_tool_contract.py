import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from model.workspace import Workspace
from server.contract import TOOLS
from server.descriptions import load_descriptions
from server.design_server import build_server

CONTRACT: dict[str, Any] = json.loads(Path("tests/contract/tools.json").read_text("utf-8"))


def without_descriptions(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {
        name: {key: value for key, value in part.items() if key != "description"}
        for name, part in schema["properties"].items()
    }
    return schema | {"properties": properties}


@pytest.mark.anyio
@pytest.mark.parametrize("descriptions", ["comprehensive", "minimal"])
async def test_published_schemas_equal_the_contract(workspace: Workspace, mode: str, descriptions: Any) -> None:
    async with Client(build_server(workspace, descriptions=descriptions), mode=mode) as client:
        tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == list(CONTRACT)
    for tool in tools:
        expected = CONTRACT[tool.name]["parameters"]
        assert without_descriptions(tool.input_schema) == without_descriptions(expected), tool.name


@pytest.mark.anyio
async def test_schemas_are_flat(workspace: Workspace) -> None:
    async with Client(build_server(workspace)) as client:
        tools = (await client.list_tools()).tools
    for tool in tools:
        for part in tool.input_schema["properties"].values():
            assert set(part) <= {"type", "description", "enum", "default"}
            assert part["type"] in ("string", "boolean")


@pytest.mark.anyio
async def test_annotations_tell_reading_from_deleting(workspace: Workspace, mode: str) -> None:
    async with Client(build_server(workspace), mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    for name, tool in tools.items():
        assert tool.title
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (CONTRACT[name]["effect"] == "read")
        assert tool.annotations.open_world_hint is False
    destructive = {name for name, tool in tools.items() if tool.annotations and tool.annotations.destructive_hint}
    assert destructive == {"delete_element", "delete_component", "save_component", "load_component"}


def _listing(descriptions: Any) -> str:
    described = load_descriptions(descriptions)
    return json.dumps(
        [
            {
                "name": name,
                "description": described[name].text,
                "inputSchema": contract.input_schema(described[name].arguments),
            }
            for name, contract in TOOLS.items()
        ]
    )


def test_minimal_descriptions_save_about_2000_tokens() -> None:
    saved = (len(_listing("comprehensive")) - len(_listing("minimal"))) / 4  # a token is about four characters
    assert 1800 <= saved <= 2300


def test_comprehensive_descriptions_cover_every_argument() -> None:
    for name, description in load_descriptions("comprehensive").items():
        assert set(description.arguments) == set(TOOLS[name].argument_names), name


@pytest.mark.parametrize("descriptions", ["comprehensive", "minimal"])
def test_enumerations_are_spelled_out(descriptions: Any) -> None:
    for name, description in load_descriptions(descriptions).items():
        for argument in TOOLS[name].arguments:
            text = description.text + " " + description.arguments.get(argument.name, "")
            assert [choice for choice in argument.choices if choice not in text] == [], (name, argument.name)


def test_minimal_descriptions_are_one_sentence() -> None:
    for name, description in load_descriptions("minimal").items():
        assert description.text.count(". ") == 0, name
        assert not description.arguments
