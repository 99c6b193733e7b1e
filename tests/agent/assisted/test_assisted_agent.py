"""Whole requests through the assisted agent; what the model would answer is given."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from scripted import Scripted, Watching, calls
from small_design import LIBRARY
from small_design import UART as UART_COMPONENT

from agent.assisted.agent import AssistedAgent
from agent.toolbox import Toolbox
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"
TOP = "acme:soc:top:1.0"
NOTHING = calls()


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(folder=tmp_path)
    workspace.restore(LIBRARY)
    return workspace


@pytest.fixture
async def host(workspace: Workspace) -> AsyncIterator[Watching]:
    async with Toolbox.connected({"design": build_server(workspace)}) as toolbox:
        yield Watching(toolbox)


def instance(component: str, subcomponent: str, name: str) -> dict[str, str]:
    return {
        "tool": "add_subcomponent",
        "component": component,
        "subcomponent": subcomponent,
        "instance_name": name,
    }


def connection(source: str, target: str) -> dict[str, str]:
    return {"tool": "add_subcomponent_connection", "component": TOP, "source": source, "target": target}


async def test_a_misspelled_name_of_a_block_is_no_unknown_one(workspace: Workspace, host: Watching) -> None:
    filter_ = UART_COMPONENT.model_copy(update={"vlnv": Vlnv.parse("acme:dsp:fir_filter:1.0")})
    workspace.restore(LIBRARY.put(filter_))
    model = Scripted(calls(instance(TOP, "acme:dsp:fir_filter:1.0", "u_fir")))
    agent = AssistedAgent(model, workspace)
    answer = await agent.run("put an instance u_fir of fir_fitler into top", host)
    assert (answer.outcome, host.made) == ("done", ["add_subcomponent"])
    assert "component acme:dsp:fir_filter:1.0" in model.asked[0][-1].content


async def test_what_holds_a_named_instance_is_described(workspace: Workspace, host: Watching) -> None:
    model = Scripted(NOTHING, NOTHING)
    await AssistedAgent(model, workspace).run("Tie the clock of u_uart to the one of its parent", host)
    assert f"component {TOP}\n" in model.asked[0][-1].content


async def test_a_refused_request_is_remembered_as_not_carried_out(workspace: Workspace, host: Watching) -> None:
    model = Scripted(calls(connection("u_dma.irq", "clk")), calls(connection("clk", "u_uart.clk")))
    agent = AssistedAgent(model, workspace)
    assert (await agent.run(f"In {TOP} connect u_dma.irq to clk", host)).outcome == "refused"
    answer = await agent.run("I meant the clk of u_uart, connect that with the own clk", host)
    assert (answer.outcome, host.made) == ("done", ["add_subcomponent_connection"])
    asked = model.asked[-1]
    assert not any(message.content == '{"calls":[]}' for message in asked)
    assert f"not carried out: In {TOP} connect u_dma.irq to clk" in asked[-1].content
    assert f"component {TOP}\n" in asked[-1].content


async def test_two_outputs_are_not_joined_another_way(workspace: Workspace, host: Watching) -> None:
    aux = calls(instance(TOP, UART, "u_aux"))
    await AssistedAgent(Scripted(aux), workspace).run(f"Add another {UART} to {TOP} as u_aux", host)
    host.made.clear()
    model = Scripted(calls(connection("u_uart.tx", "u_aux.tx")))
    answer = await AssistedAgent(model, workspace).run(f"In {TOP} let u_uart.tx drive u_aux.tx", host)
    assert (answer.outcome, host.made, len(model.asked)) == ("refused", [], 1)
    assert "u_aux.tx (out)" in answer.text


async def test_a_file_outside_the_folder_is_refused_before_the_call(workspace: Workspace, host: Watching) -> None:
    model = Scripted(calls({"tool": "save_component", "component": UART, "path": "/home/mira/uart.xml"}))
    answer = await AssistedAgent(model, workspace).run(f"Save {UART} to /home/mira/uart.xml", host)
    assert (answer.outcome, host.made) == ("refused", [])
    assert "outside the workspace folder" in answer.text


async def test_an_order_that_a_plan_forgets_is_asked_about(workspace: Workspace, host: Watching) -> None:
    port = {"tool": "add_signal_port", "component": UART, "name": "rts", "direction": "out"}
    model = Scripted(calls(port), calls({"tool": "save_component", "component": UART}))
    answer = await AssistedAgent(model, workspace).run(f"Give {UART} an output rts and save it", host)
    assert (answer.outcome, host.made) == ("done", ["add_signal_port", "save_component"])


@pytest.mark.parametrize("component", [UART, "nothing", ""])
async def test_a_question_about_no_design_is_refused(workspace: Workspace, host: Watching, component: str) -> None:
    look = calls({"tool": "get_component_details", "component": component})
    answer = await AssistedAgent(Scripted(look), workspace).run("How far does a cable stretch?", host)
    assert (answer.outcome, host.made) == ("refused", [])


async def test_a_misspelled_vlnv_is_looked_at(workspace: Workspace, host: Watching) -> None:
    model = Scripted(calls({"tool": "get_component_details", "component": UART}), {"text": "It has two ports."})
    answer = await AssistedAgent(model, workspace).run("shwo me al teh detials off acme:perihp:uart:1.0", host)
    assert (answer.outcome, host.made) == ("done", ["get_component_details"])
