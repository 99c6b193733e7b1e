"""Plans that wait for a person: shown as a difference, applied whole or in part, rejected, and forgotten."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from stand_in_ollama import MODEL, offer_model, plan, saying
from stand_in_server import StandIn

from agent.approvals import Approval
from agent.calibrated import Mode
from agent.events import AgentEvent, CallStarted, ProposalMade, RequestFinished
from agent.models.base import ToolCall
from agent.rehearsal import Rehearsal, rehearse
from agent.session import AgentSession
from model import operations
from model.change import ElementId
from model.vlnv import Vlnv
from model.workspace import Workspace

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"
TOP = "acme:soc:top:1.0"
ADD_RX = ToolCall("add_signal_port", {"component": UART, "name": "rx", "direction": "in"})
ADD_INSTANCE = ToolCall("add_subcomponent", {"component": TOP, "subcomponent": UART, "instance_name": "u_uart"})
WIRE = ToolCall(
    "add_subcomponent_connection",
    {"component": TOP, "source_port": "clk", "target_instance": "u_uart", "target_port": "clk"},
)
REQUEST = f"Instantiate {UART} in {TOP} as u_uart and connect clk to u_uart.clk"


@pytest.fixture
def workspace() -> Workspace:
    made = Workspace()
    for name, library in (("uart", "periph"), ("top", "soc")):
        made.apply(operations.create_component, vendor="acme", library=library, name=name, version="1.0")
        made.apply(operations.add_signal_port, component=f"acme:{library}:{name}:1.0", name="clk", direction="in")
    made.restore(made.library)
    return made


@pytest.fixture
def ollama(stand_in: StandIn, monkeypatch: pytest.MonkeyPatch) -> StandIn:
    monkeypatch.setenv("OLLAMA_HOST", stand_in.url)
    offer_model(stand_in)
    return stand_in


def as_plan(*calls: ToolCall) -> dict[str, Any]:
    return plan(*({"tool": call.name, **call.arguments} for call in calls))


async def ask(
    session: AgentSession, text: str, decide: Callable[[ProposalMade], list[int]]
) -> tuple[RequestFinished, list[AgentEvent]]:
    events: list[AgentEvent] = []

    def emit(event: AgentEvent) -> None:
        events.append(event)
        if isinstance(event, ProposalMade):
            session.decide(event.request_id, decide(event))

    return await session.ask(text, emit), events


async def test_a_rehearsal_tells_what_each_call_changes_and_touches_nothing(workspace: Workspace) -> None:
    before = workspace.library
    tried = await rehearse(workspace, [ADD_INSTANCE, WIRE])
    assert workspace.library is before
    assert not workspace.done
    added = [call.change.added for call in tried.calls]
    top = Vlnv.parse(TOP)
    assert added[0] == (ElementId(top, "subcomponent", "u_uart"),)
    assert added[1] == (ElementId(top, "connection", "clk_to_u_uart_clk"),)
    assert set(tried.change.added) == {*added[0], *added[1]}


async def test_a_part_whose_beginning_is_left_out_says_why_it_cannot_be_had(workspace: Workspace) -> None:
    tried = await rehearse(workspace, [ADD_INSTANCE, WIRE, ADD_RX], chosen=[1, 2])
    assert [call.chosen for call in tried.calls] == [False, True, True]
    assert "u_uart" in tried.calls[1].reason
    assert [call.reason for call in tried.calls][::2] == ["", ""]
    assert {element.name for element in tried.change.touched} == {"rx"}


@pytest.mark.parametrize(("approval", "shown"), [("apply", False), ("ask", False), ("propose", True)])
async def test_additions_are_shown_first_only_where_a_person_wants_that(
    workspace: Workspace, ollama: StandIn, approval: Approval, shown: bool
) -> None:
    ollama.answers["/api/chat"] = saying(as_plan(ADD_INSTANCE, WIRE))
    session = AgentSession(workspace, MODEL, approval=approval)
    finished, events = await ask(session, REQUEST, lambda _event: [0, 1])
    await session.aclose()
    assert any(isinstance(event, ProposalMade) for event in events) is shown
    assert finished.outcome == "done"
    assert len(workspace.done) == 1
    assert list(workspace.library.get(Vlnv.parse(TOP)).design.connections) == ["clk_to_u_uart_clk"]


async def test_nothing_is_touched_while_a_plan_waits(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = saying(as_plan(ADD_INSTANCE, WIRE))
    before, seen = workspace.library, []

    def decide(event: ProposalMade) -> list[int]:
        seen.append(workspace.library is before)
        assert event.rehearsal.after != before
        return []

    session = AgentSession(workspace, MODEL, approval="propose")
    finished, events = await ask(session, REQUEST, decide)
    await session.aclose()
    assert seen == [True]
    assert workspace.library is before
    assert not workspace.done
    assert not any(isinstance(event, CallStarted) for event in events)
    assert (finished.outcome, finished.calls) == ("stopped", ())


async def test_a_part_of_a_plan_is_made_in_one_step(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = saying(as_plan(ADD_INSTANCE, WIRE))
    session = AgentSession(workspace, MODEL, approval="propose")
    finished, _events = await ask(session, REQUEST, lambda _event: [0])
    await session.aclose()
    design = workspace.library.get(Vlnv.parse(TOP)).design
    assert list(design.instances) == ["u_uart"]
    assert not design.connections
    assert "1 of 2" in finished.answer
    assert [step.label for step in workspace.done] == [REQUEST]


async def test_a_deletion_in_a_plan_is_agreed_to_once(workspace: Workspace, ollama: StandIn) -> None:
    deletion = ToolCall("delete_element", {"component": UART, "element_type": "signal_port", "name": "clk"})
    ollama.answers["/api/chat"] = saying(as_plan(ADD_RX, deletion))
    session = AgentSession(workspace, MODEL)
    finished, events = await ask(session, f"Add an input rx to {UART} and delete its port clk", lambda _event: [0, 1])
    await session.aclose()
    assert finished.outcome == "done"
    assert [event.reason for event in events if isinstance(event, ProposalMade)] == ["It deletes something."]
    assert list(workspace.library.get(Vlnv.parse(UART)).ports) == ["rx"]


async def test_a_part_is_tried_on_the_design_as_it_is_now(workspace: Workspace, ollama: StandIn) -> None:
    ollama.answers["/api/chat"] = saying(as_plan(ADD_RX))
    session = AgentSession(workspace, MODEL, approval="propose")
    tried: list[Rehearsal | None] = []

    async def look(event: ProposalMade) -> None:
        workspace.apply(operations.add_signal_port, component=UART, name="rx", direction="out")
        tried.append(await session.rehearse(event.request_id, [0]))
        session.decide(event.request_id, [])

    waiting: list[Any] = []
    loop_emit: list[AgentEvent] = []

    def emit(event: AgentEvent) -> None:
        loop_emit.append(event)
        if isinstance(event, ProposalMade):
            waiting.append(look(event))

    request = asyncio.ensure_future(session.ask(f"Add an input rx to {UART}", emit))
    while not waiting:
        await asyncio.to_thread(lambda: None)
    await waiting[0]
    finished = await request
    assert await session.rehearse(finished.request_id, [0]) is None
    await session.aclose()
    assert tried[0] is not None
    assert "rx" in tried[0].calls[0].reason


@pytest.mark.parametrize(("rejected", "remembered"), [(False, True), (True, False)])
async def test_what_was_rejected_or_taken_back_is_not_remembered(
    workspace: Workspace, ollama: StandIn, rejected: bool, remembered: bool
) -> None:
    def rx(name: str) -> dict[str, Any]:
        return as_plan(ToolCall("add_signal_port", {"component": UART, "name": name, "direction": "in"}))

    ollama.answers["/api/chat"] = saying(rx("rx"), rx("cts_n"))
    session = AgentSession(workspace, MODEL, approval="propose")
    await ask(session, f"Add an input rx to {UART}", lambda _event: [] if rejected else [0])
    await ask(session, f"Add the same again to {UART} as cts_n", lambda _event: [0])
    await session.aclose()
    prompt = str(ollama.bodies("/api/chat")[1]["messages"])
    assert ("Add an input rx" in prompt) is remembered


@pytest.mark.parametrize("mode", ["assisted", "faithful"])
async def test_requests_that_were_taken_back_are_forgotten(workspace: Workspace, ollama: StandIn, mode: Mode) -> None:
    names = ["rx", "cts_n", "rts_n"]
    calls = [ToolCall("add_signal_port", {"component": UART, "name": name, "direction": "in"}) for name in names]
    ollama.answers["/api/chat"] = saying(*[as_plan(call) if mode == "assisted" else "Done." for call in calls])
    session = AgentSession(workspace, MODEL, mode=mode)
    await ask(session, f"Add an input rx to {UART}", lambda _event: [])
    await ask(session, f"Add an input cts_n to {UART} too", lambda _event: [])
    await session.retract(1)
    await ask(session, f"And the same for rts_n on {UART}", lambda _event: [])
    await session.aclose()
    prompt = str(ollama.bodies("/api/chat")[-1]["messages"])
    assert "Add an input rx" in prompt
    assert "Add an input cts_n" not in prompt


async def test_a_request_that_the_agent_never_heard_takes_no_other_with_it(
    workspace: Workspace, ollama: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = ollama.answers.pop("/api/show")
    session = AgentSession(workspace, MODEL, mode="faithful")
    unheard, _events = await ask(session, "Hello?", lambda _event: [])
    assert unheard.outcome in {"no-model", "failed"}
    ollama.answers["/api/show"] = show
    ollama.answers["/api/chat"] = saying("One.", "Two.", "Three.")
    await ask(session, "Say one", lambda _event: [])
    await ask(session, "Say two", lambda _event: [])
    await session.retract(1)
    await ask(session, "Say three", lambda _event: [])
    await session.aclose()
    prompt = str(ollama.bodies("/api/chat")[-1]["messages"])
    assert "Say one" in prompt
    assert "Say two" not in prompt
