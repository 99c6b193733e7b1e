import pytest
from mcp import Client, MCPError
from mcp.types import PromptReference, ResourceTemplateReference, TextContent

from model.elements import Component
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server
from server.prompts import get_prompt, list_prompts

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"


async def test_the_prompts_can_be_listed_and_filled_in(workspace: Workspace, mode: str) -> None:
    async with Client(build_server(workspace), mode=mode) as client:
        prompts = (await client.list_prompts()).prompts
        assert {"build_component", "assemble_design", "review_component"} <= {prompt.name for prompt in prompts}
        for prompt in prompts:
            assert prompt.title
            assert prompt.description
            values = {argument.name: f"<{argument.name}>" for argument in prompt.arguments or []}
            (message,) = (await client.get_prompt(prompt.name, values)).messages
            assert isinstance(message.content, TextContent)
            assert "{" not in message.content.text
            for value in values.values():
                assert value in message.content.text


def test_a_value_stays_the_text_it_is() -> None:
    (message,) = get_prompt("build_component", {"component": "{interface}", "interface": "a {component} b"}).messages
    assert isinstance(message.content, TextContent)
    assert "component {interface} with" in message.content.text
    assert "a {component} b" in message.content.text


def test_an_optional_argument_may_be_left_out() -> None:
    (optional,) = [p.name for p in list_prompts() if any(not argument.required for argument in p.arguments or [])]
    assert get_prompt(optional, None).messages


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("build_componen", {}, "build_component"),
        ("explain_component", {}, "needs component"),
        ("explain_component", {"component": UART, "componet": "x"}, "Use component"),
        ("explain_component", {"component": "x" * 5000}, "4000"),
        ("\x1b[31m", {}, "There is no prompt"),
    ],
)
async def test_what_is_refused(
    workspace: Workspace, mode: str, name: str, arguments: dict[str, str], said: str
) -> None:
    async with Client(build_server(workspace), mode=mode) as client:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt(name, arguments)
    assert said in str(caught.value)
    assert "\x1b" not in str(caught.value)


async def test_names_of_components_are_completed(workspace: Workspace, mode: str) -> None:
    async with Client(build_server(workspace), mode=mode) as client:
        template = ResourceTemplateReference(uri="design://component/{vlnv}")
        found = await client.complete(template, {"name": "vlnv", "value": "uar"})
        assert found.completion.values == [UART]
        job = PromptReference(name="explain_component")
        found = await client.complete(job, {"name": "component", "value": "acme:"})
        assert len(found.completion.values) == 3
        assert not (await client.complete(job, {"name": "interface", "value": "acme:"})).completion.values


async def test_a_hundred_completions_at_most() -> None:
    library = Library.of(Component(vlnv=Vlnv.parse(f"a:b:c{index}:1.0")) for index in range(250))
    async with Client(build_server(Workspace(library=library))) as client:
        template = ResourceTemplateReference(uri="design://component/{vlnv}")
        found = (await client.complete(template, {"name": "vlnv", "value": ""})).completion
    assert len(found.values) == 100
    assert found.total == 250
    assert found.has_more
