"""A session over a real workspace and the real MCP server; the model is a stand-in that speaks Ollama's protocol."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from stand_in_ollama import MODEL, calling, offer_model, plan, saying
from stand_in_server import StandIn, silent

from agent.approvals import Approval
from agent.calibrated import Mode
from agent.events import (
    AgentEvent,
    ApprovalRequested,
    CallFinished,
    CallStarted,
    Notice,
    ProposalMade,
    RequestFinished,
    RequestStarted,
    TextStreamed,
)
from agent.session import AgentSession
from model import operations
from model.vlnv import Vlnv
from model.workspace import Workspace

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"


@pytest.fixture
def workspace() -> Workspace:
    made = Workspace()
    made.apply(operations.create_component, vendor="acme", library="periph", name="uart", version="1.0")
    made.apply(operations.add_signal_port, component=UART, name="clk", direction="in")
    made.restore(made.library)
    return made


@pytest.fixture
def ollama(stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    monkeypatch.setenv("OLLAMA_HOST", stand_in.url)
    offer_model(stand_in)
    return stand_in


def port(name: str, **more: str) -> dict[str, Any]:
    return {"tool": "add_signal_port", "component": UART, "name": name, "direction": "in"} | more


async def ask(
    workspace: Workspace,
    text: str,
    *,
    approval: Approval = "ask",
    mode: Mode = "assisted",
    react: Callable[[AgentSession, AgentEvent], None] = lambda _session, _event: None,
) -> tuple[RequestFinished, list[AgentEvent]]:
    session = AgentSession(workspace, MODEL, approval=approval, mode=mode)
    events: list[AgentEvent] = []

    def emit(event: AgentEvent) -> None:
        events.append(event)
        react(session, event)

    try:
        return await session.ask(text, emit), events
    finally:
        await session.aclose()


async def test_a_request_is_events_in_order_and_one_undo_step(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = saying(plan(port("rx"), port("cts_n")))
    finished, events = await ask(workspace, f"Add the inputs rx and cts_n to {UART}")
    assert finished.outcome == "done"
    shown = [e for e in events if isinstance(e, RequestStarted | CallStarted | CallFinished | RequestFinished)]
    assert [type(event) for event in shown] == [
        RequestStarted,
        CallStarted,
        CallFinished,
        CallStarted,
        CallFinished,
        RequestFinished,
    ]
    assert list(workspace.library.get(Vlnv.parse(UART)).ports) == ["clk", "rx", "cts_n"]
    assert [step.label for step in workspace.done] == [f"Add the inputs rx and cts_n to {UART}"]
    workspace.undo()
    assert list(workspace.library.get(Vlnv.parse(UART)).ports) == ["clk"]


async def test_a_plan_is_thinking_and_never_the_answer(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = saying(plan(port("rx")))
    finished, events = await ask(workspace, f"Add the input rx to {UART}")
    streamed = [event for event in events if isinstance(event, TextStreamed)]
    assert "".join(event.text for event in streamed) == ""
    assert json.loads("".join(event.thinking for event in streamed)) == plan(port("rx"))
    assert finished.answer.startswith("Added signal port rx")


async def test_a_plan_that_the_copy_refuses_is_asked_for_again_and_leaves_no_failed_call(
    workspace: Workspace, ollama: StandIn
) -> None:
    ollama.answers["/api/chat"] = saying(plan(port("clk"), port("rx")), plan(port("rx")))
    finished, _events = await ask(workspace, f"{UART} has clk; give it an input rx as well")
    assert [call.ok for call in finished.calls] == [True]
    told = ollama.bodies("/api/chat")[1]["messages"][-1]["content"]
    assert "clk" in told
    assert "name-taken" in told


async def test_a_correction_that_gives_only_what_was_missing_is_taken_into_the_plan(
    workspace: Workspace, ollama: StandIn
) -> None:
    wire = {
        "tool": "add_subcomponent_connection",
        "component": "acme:soc:top:1.0",
        "source": "xtal",
        "target": "u_uart.clk",
    }
    first = [
        {"tool": "create_component", "component": "acme:soc:top:1.0"},
        {
            "tool": "add_subcomponent",
            "component": "acme:soc:top:1.0",
            "subcomponent": UART,
            "instance_name": "u_uart",
        },
        wire,
    ]
    missing = {"tool": "add_signal_port", "component": "acme:soc:top:1.0", "name": "xtal", "direction": "in"}
    ollama.answers["/api/chat"] = saying(plan(*first), plan(missing))
    finished, _events = await ask(
        workspace, f"Create acme:soc:top:1.0 with {UART} as u_uart and xtal, an input, that drives u_uart.clk"
    )
    assert [call.tool for call in finished.calls] == [
        "create_component",
        "add_subcomponent",
        "add_signal_port",
        "add_subcomponent_connection",
    ]
    assert finished.outcome == "done"


async def test_a_refused_call_that_nobody_asked_for_is_left_out_and_told(workspace: Workspace, ollama: StandIn) -> None:
    top = "acme:soc:top:1.0"
    workspace.apply(operations.create_component, vendor="acme", library="soc", name="top", version="1.0")
    workspace.apply(operations.add_signal_port, component=top, name="xtal", direction="in")
    workspace.apply(operations.add_subcomponent, component=top, subcomponent=UART, instance_name="u_uart")
    wire = {"tool": "add_subcomponent_connection", "component": top, "source": "xtal", "target": "u_uart.clk"}
    ollama.answers["/api/chat"] = saying(plan(wire, wire | {"source": "irq", "target": "u_uart.irq"}))
    finished, events = await ask(workspace, f"In {top} xtal drives the clk of u_uart")
    assert (finished.outcome, len(finished.calls)) == ("done", 1)
    assert len(ollama.bodies("/api/chat")) == 1
    assert any("Left out" in event.text and "irq" in event.text for event in events if isinstance(event, Notice))


async def test_a_request_about_an_unknown_component_is_refused_without_a_call(
    workspace: Workspace, ollama: StandIn
) -> None:
    ollama.answers["/api/chat"] = saying(plan({"tool": "delete_component", "component": "acme:periph:can:1.0"}))
    before = workspace.library
    finished, _events = await ask(workspace, "Delete acme:periph:can:1.0")
    assert (finished.outcome, finished.calls) == ("refused", ())
    assert "There is no component acme:periph:can:1.0." in finished.answer
    assert workspace.library is before


async def test_a_refusal_of_what_the_tools_can_do_is_overruled(workspace: Workspace, ollama: StandIn) -> None:
    refusal = {"calls": [], "refusal": "This tool cannot delete components."}
    ollama.answers["/api/chat"] = saying(refusal, plan({"tool": "delete_component", "component": UART}))
    finished, _events = await ask(workspace, f"Delete the component {UART}", approval="apply")
    assert finished.outcome == "done"
    assert len(workspace.library) == 0


async def test_a_refusal_of_what_no_tool_does_stands(workspace: Workspace, ollama: StandIn) -> None:
    refusal = {"calls": [], "refusal": "These tools cannot run simulations."}
    ollama.answers["/api/chat"] = saying(refusal, plan({"tool": "get_component_details", "component": UART}))
    finished, _events = await ask(workspace, f"Simulate {UART} for 10 us")
    assert (finished.outcome, finished.calls) == ("refused", ())
    assert "cannot run simulations" in finished.answer


async def test_an_invented_name_is_refused_when_the_model_insists(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = saying(*[plan(port("uart_data"))] * 3)
    finished, _events = await ask(workspace, f"Add an input to {UART}")
    assert (finished.outcome, finished.calls) == ("refused", ())
    assert "uart_data" in finished.answer


@pytest.mark.parametrize("yes", [True, False])
async def test_a_delete_waits_for_a_yes(workspace: Workspace, ollama: StandIn, yes: bool) -> None:
    deletion = {"tool": "delete_element", "component": UART, "element_type": "signal_port", "name": "clk"}
    ollama.answers["/api/chat"] = saying(plan(deletion))

    def react(session: AgentSession, event: AgentEvent) -> None:
        if isinstance(event, ProposalMade):
            assert "clk" in workspace.library.get(Vlnv.parse(UART)).ports
            session.decide(event.request_id, [0] if yes else [])

    finished, events = await ask(workspace, f"Delete the port clk of {UART}", react=react)
    assert any(isinstance(event, ProposalMade) for event in events)
    assert finished.outcome == ("done" if yes else "stopped")
    assert ("clk" in workspace.library.get(Vlnv.parse(UART)).ports) is not yes


@pytest.mark.parametrize("yes", [True, False])
async def test_an_agent_without_plans_asks_before_each_delete(workspace: Workspace, ollama: StandIn, yes: bool) -> None:
    deletion = {"component": UART, "element_type": "signal_port", "name": "clk"}
    ollama.answers["/api/chat"] = calling(("delete_element", deletion), "Deleted it.")

    def react(session: AgentSession, event: AgentEvent) -> None:
        if isinstance(event, ApprovalRequested):
            session.approve(event.request_id, event.index, yes)

    finished, events = await ask(workspace, f"Delete the port clk of {UART}", mode="faithful", react=react)
    assert any(isinstance(event, ApprovalRequested) for event in events)
    assert finished.outcome == ("done" if yes else "stopped")
    assert ("clk" in workspace.library.get(Vlnv.parse(UART)).ports) is not yes


async def test_where_nobody_can_be_asked_a_delete_ends_the_request(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = saying(plan({"tool": "delete_component", "component": UART}))
    finished, _events = await ask(workspace, f"Delete {UART}", approval="deny")
    assert (finished.outcome, finished.calls) == ("needs-approval", ())


async def test_stop_ends_the_request_and_lets_the_model_go(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = silent
    session = AgentSession(workspace, MODEL)
    request = asyncio.ensure_future(session.ask(f"Add an input rx to {UART}", lambda _event: None))
    while not ollama.bodies("/api/chat"):
        await asyncio.to_thread(ollama.client_left.wait, 0.01)
    session.stop()
    finished = await request
    await session.aclose()
    assert finished.outcome == "stopped"
    assert await asyncio.to_thread(ollama.client_left.wait, 10)


async def test_a_model_that_is_gone_ends_the_request_with_the_next_step(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    finished, _events = await ask(workspace, f"Add an input rx to {UART}")
    assert finished.outcome == "no-model"
    assert "Ollama" in finished.answer


async def test_an_answer_that_breaks_off_fails_with_the_next_step(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = saying('{"calls": [{"tool": "add_sig')
    finished, _events = await ask(workspace, f"Add an input rx to {UART}")
    assert finished.outcome == "failed"
    assert "larger model" in finished.answer


async def test_the_faithful_agent_reads_each_result_before_the_next_call(workspace: Workspace, ollama: StandIn) -> None:
    wanted = {"component": UART, "name": "rx", "direction": "in"}
    ollama.answers["/api/chat"] = calling(
        ("add_signal_port", wanted | {"name": "clk"}), ("add_signal_port", wanted), "Added rx."
    )
    finished, _events = await ask(workspace, f"Add an input rx to {UART}", mode="faithful")
    assert [call.ok for call in finished.calls] == [False, True]
    assert (finished.outcome, finished.answer) == ("done", "Added rx.")
    seen = ollama.bodies("/api/chat")
    assert len(seen[0]["tools"]) == 14
    assert seen[1]["messages"][-1]["role"] == "tool"
    assert "name-taken" in seen[1]["messages"][-1]["content"]


async def test_the_faithful_agent_stops_at_its_turn_limit(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = calling(*[("list_components", {})] * 20)
    finished, _events = await ask(workspace, "What is there?", mode="faithful")
    assert (finished.outcome, len(finished.calls)) == ("turn-limit", 12)


async def test_an_edit_by_somebody_else_in_the_middle_is_a_step_of_its_own(
    workspace: Workspace, ollama: StandIn
) -> None:
    ollama.answers["/api/chat"] = saying(plan(port("rx"), port("cts_n")))

    def react(_session: AgentSession, event: AgentEvent) -> None:
        if isinstance(event, CallFinished) and event.index == 0:
            workspace.apply(operations.add_signal_port, component=UART, name="by_hand", direction="out")

    await ask(workspace, f"Add the inputs rx and cts_n to {UART}", react=react)
    assert len(workspace.done) == 3
    assert list(workspace.library.get(Vlnv.parse(UART)).ports) == ["clk", "rx", "by_hand", "cts_n"]


async def test_the_model_reads_along_and_hears_the_newest_draft(workspace: Workspace, ollama: StandIn) -> None:
    session = AgentSession(workspace, MODEL)
    await session.read_ahead("before the model is there, nothing is asked")
    await session.warm_up()
    ollama.answers["/api/chat"] = silent
    stale = asyncio.ensure_future(session.read_ahead(f"Give {UART} an in"))
    await asyncio.to_thread(ollama.wait_for, "/api/chat")
    ollama.answers["/api/chat"] = saying(plan(port("rx")))
    await session.read_ahead(f"Give {UART} an input rx")
    await stale
    finished = await session.ask(f"Give {UART} an input rx", lambda event: None)
    await session.aclose()
    assert finished.outcome == "done"
    stale_body, draft, request = ollama.bodies("/api/chat")
    assert [body["options"]["num_predict"] == 1 for body in (stale_body, draft, request)] == [True, True, False]
    assert draft["messages"] == request["messages"]
    assert stale_body["messages"][-1]["content"].endswith("an in")


async def test_a_request_does_not_wait_for_a_model_that_reads_along(workspace: Workspace, ollama: StandIn) -> None:
    session = AgentSession(workspace, MODEL)
    await session.warm_up()
    ollama.answers["/api/chat"] = silent
    reading = asyncio.ensure_future(session.read_ahead("Add"))
    await asyncio.to_thread(ollama.wait_for, "/api/chat")
    ollama.answers["/api/chat"] = saying(plan(port("rx")))
    finished = await session.ask(f"Add the input rx to {UART}", lambda event: None)
    await reading
    await session.aclose()
    assert finished.outcome == "done"


async def test_what_fails_while_reading_along_is_left_for_the_request(workspace: Workspace, ollama: StandIn) -> None:
    session = AgentSession(workspace, MODEL)
    await session.warm_up()
    await session.read_ahead("Add")
    finished = await session.ask("Add the input rx", lambda event: None)
    await session.aclose()
    assert finished.outcome == "no-model"
