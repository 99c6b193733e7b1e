"""Several servers in assisted mode and in a session: requests reach their server, what fails is told."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, Watching, calls
from stand_in_ollama import MODEL, offer_model, saying
from stand_in_server import StandIn

from agent.assisted.agent import AssistedAgent
from agent.events import AgentEvent, ApprovalRequested, Notice
from agent.host import Answer
from agent.models.base import ToolSpec
from agent.routing import RoutingAgent, evidence
from agent.server_process import ServerProcess
from agent.servers import ServerCommand
from agent.session import AgentSession
from agent.toolbox import Toolbox
from model.workspace import Workspace
from server.design_server import build_server

pytestmark = pytest.mark.anyio

SHOP = ServerCommand("shop", sys.executable, (str(Path(__file__).with_name("frail_server.py")),))
UART = "acme:periph:uart:1.0"


@pytest.fixture
def workspace() -> Workspace:
    return Workspace()


@pytest.fixture
async def host(workspace: Workspace) -> AsyncIterator[Watching]:
    shop = ServerProcess(SHOP)
    await shop.start()
    async with Toolbox.connected({"design": build_server(workspace), "shop": shop}) as toolbox:
        yield Watching(toolbox)
    await shop.aclose()


def agent_with(model: Scripted, workspace: Workspace) -> RoutingAgent:
    return RoutingAgent(AssistedAgent(model, workspace))


CREATE = calls({"tool": "create_component", "component": UART})


async def test_each_request_goes_to_its_server(workspace: Workspace, host: Watching) -> None:
    model = Scripted(CREATE, calls({"tool": "shop_list_components", "folder": "drawer 3"}))
    agent = agent_with(model, workspace)
    assert (await agent.run(f"Create the component {UART}.", host)).outcome == "done"
    answer = await agent.run("List what the electronics shop has in drawer 3.", host)
    assert (answer.outcome, answer.text) == ("done", "resistors in drawer 3")
    assert host.made == ["create_component", "shop_list_components"]
    first, second = (json.dumps(schema) for schema in model.schemas)
    assert "shop_list_components" not in first
    assert "create_component" not in second
    assert "shop_list_components(folder) - List the components of an electronics shop." in model.asked[1][0].content


async def test_a_request_that_speaks_of_no_other_server_costs_no_question(workspace: Workspace, host: Watching) -> None:
    model = Scripted(CREATE)
    await agent_with(model, workspace).run(f"We need a component {UART}, an electronics part.", host)
    assert len(model.asked) == 1
    assert host.made == ["create_component"]


async def test_the_model_decides_where_words_do_not(workspace: Workspace, host: Watching) -> None:
    model = Scripted({"program": "shop"}, calls({"tool": "count"}))
    answer = await agent_with(model, workspace).run(f"Count the electronics {UART}.", host)
    assert answer.text == "1"
    assert model.schemas[0]["properties"]["program"] == {"enum": ["design", "shop"]}


async def test_a_refused_call_is_planned_again_with_the_servers_reason(workspace: Workspace, host: Watching) -> None:
    model = Scripted(
        calls({"tool": "count"}, {"tool": "break_protocol"}, {"tool": "count"}),
        calls({"tool": "count"}),
    )
    answer = await agent_with(model, workspace).run("Shop: count twice.", host)
    assert host.made == ["count", "break_protocol", "count"]
    assert answer.text == "1\n\n2"
    objection = model.asked[1][-1].content
    assert "count is done: 1" in objection
    assert "the shop is closed" in objection


async def test_a_server_that_dies_leaves_an_honest_answer(workspace: Workspace, host: Watching) -> None:
    dead = calls({"tool": "die", "word": "x"})
    answer = await agent_with(Scripted(dead, dead, dead), workspace).run("Shop: die now, word x", host)
    assert answer.outcome == "refused"
    assert "ended while it worked on die" in answer.text


async def test_memory_is_kept_apart_and_comes_back(workspace: Workspace, host: Watching) -> None:
    model = Scripted(CREATE, calls({"tool": "count"}), calls({"tool": "count"}))
    agent = agent_with(model, workspace)
    await agent.run(f"Create the component {UART}.", host)
    await agent.run("Shop: count.", host)
    assert [exchange.request for exchange in agent.design.history] == [f"Create the component {UART}."]
    again = agent_with(model, workspace)
    again.recall(agent.history)
    assert again.history == agent.history
    await again.run("Shop: count again.", host)
    assert [message.content for message in model.asked[2][1:]] == [
        "Request: Shop: count.",
        '{"calls": [{"tool": "count"}]}',
        "Request: Shop: count again.",
    ]
    agent.retract(1)
    assert len(agent.history) == 1
    agent.retract(1)
    assert agent.design.history == []


def test_evidence_is_what_only_one_servers_tools_say() -> None:
    parameters = {"type": "object", "properties": {}}
    tools = [
        ToolSpec("add_port", "Add a port to a component, from a file.", parameters),
        ToolSpec("git_commit", "Records staged changes of a repository, or a file.", parameters, "git"),
    ]
    assert evidence("Commit the staged file.", tools) == {"design": 0, "git": 2}
    assert evidence("Put a port on the component.", tools) == {"design": 2, "git": 0}
    assert evidence("Ask git.", tools)["git"] > 2
    assert evidence("Hello there.", tools) == {"design": 0, "git": 0}


@pytest.fixture
def ollama(stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    monkeypatch.setenv("OLLAMA_HOST", stand_in.url)
    offer_model(stand_in)
    return stand_in


async def test_a_session_keeps_its_servers_and_asks_before_what_may_destroy(
    ollama: StandIn, workspace: Workspace, tmp_path: Path
) -> None:
    count, die = calls({"tool": "count"}), calls({"tool": "die", "word": "x"})
    ollama.answers["/api/chat"] = saying(count, count, die)
    events: list[AgentEvent] = []
    session = AgentSession(workspace, MODEL, servers=[SHOP, ServerCommand("lost", str(tmp_path / "nothing"))])

    def emit(event: AgentEvent) -> None:
        events.append(event)
        if isinstance(event, ApprovalRequested):
            session.approve(event.request_id, event.index, False)

    try:
        answers = [(await session.ask(text, emit)).answer for text in ("Shop: count.", "Shop: count.")]
        assert answers == ["1", "2"]
        assert any("lost cannot be started" in event.text for event in events if isinstance(event, Notice))
        refused = await session.ask("Shop: die, word x", emit)
        assert refused.outcome == "stopped"
        assert any("may change what undo does not bring back" in each.reason for each in approvals(events))
    finally:
        await session.aclose()


def approvals(events: Sequence[AgentEvent]) -> list[ApprovalRequested]:
    return [event for event in events if isinstance(event, ApprovalRequested)]


async def test_the_file_of_servers_counts_from_the_next_request_on(
    ollama: StandIn, workspace: Workspace, tmp_path: Path
) -> None:
    ollama.answers["/api/chat"] = saying(calls({"tool": "count"}))
    file = tmp_path / "servers.json"
    session = AgentSession(workspace, MODEL, servers_file=file)
    notices: list[str] = []

    def emit(event: AgentEvent) -> None:
        if isinstance(event, Notice):
            notices.append(event.text)

    try:
        write(file, "{")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(RoutingAgent, "run", nothing)
            await session.ask("Anything.", emit)
        assert any("is not JSON" in notice for notice in notices)
        entry = {"command": SHOP.command, "args": list(SHOP.args)}
        write(file, json.dumps({"mcpServers": {"shop": entry}}))
        assert (await session.ask("Shop: count.", emit)).answer == "1"
    finally:
        await session.aclose()


async def nothing(_agent: RoutingAgent, _request: str, _host: Any) -> Any:
    return Answer("", "done")


def write(file: Path, text: str) -> None:
    file.write_text(text)


def test_the_command_line_takes_servers() -> None:
    text = f"shop={shlex.join([SHOP.command, *SHOP.args])}"
    assert ServerCommand.parse(text) == SHOP
