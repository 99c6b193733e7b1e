from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import Scripted, Watching, calls
from small_design import LIBRARY, TOP, UART

from agent.assisted.agent import BY_HAND, AssistedAgent
from agent.assisted.by_hand import MOST, edits_between
from agent.design_tools import design_tools
from agent.models.base import ToolCall
from agent.toolbox import Toolbox
from model.elements import SignalPort
from model.frozen_map import FrozenMap
from model.vlnv import Vlnv
from model.workspace import Workspace

pytestmark = pytest.mark.anyio

SPI = "acme:periph:spi:1.0"
EDITS = (
    ToolCall("create_component", {"vendor": "acme", "library": "periph", "name": "spi", "version": "1.0"}),
    ToolCall("add_user_parameter", {"component": SPI, "name": "W", "value": "8", "type": "int"}),
    ToolCall("add_signal_port", {"component": SPI, "name": "data", "direction": "in", "width": "W"}),
    ToolCall("add_signal_port", {"component": SPI, "name": "part", "direction": "out", "left": "7", "right": "4"}),
    ToolCall("add_transactional_port", {"component": SPI, "name": "bus", "initiative": "provides", "bus_width": "32"}),
    ToolCall(
        "add_subcomponent",
        {"component": str(TOP.vlnv), "subcomponent": SPI, "instance_name": "u_spi"},
    ),
    ToolCall("add_signal_port", {"component": str(UART.vlnv), "name": "sel", "direction": "in"}),
    ToolCall(
        "add_subcomponent_connection",
        {
            "component": str(TOP.vlnv),
            "source_instance": "u_uart",
            "source_port": "tx",
            "target_instance": "u_spi",
            "target_port": "data",
        },
    ),
    ToolCall("delete_element", {"component": str(UART.vlnv), "element_type": "signal_port", "name": "clk"}),
)


async def edited(workspace: Workspace, made: tuple[ToolCall, ...]) -> Workspace:
    async with Toolbox.connected({"design": design_tools(workspace)}) as toolbox:
        for call in made:
            result = await toolbox.call(call)
            assert result.ok, result.text
    return workspace


def workspace_of(library: object = LIBRARY) -> Workspace:
    workspace = Workspace()
    workspace.restore(library)  # type: ignore[arg-type]
    return workspace


@pytest.mark.parametrize("count", range(len(EDITS) + 1))
async def test_the_calls_found_lead_to_the_same_design(count: int) -> None:
    after = (await edited(workspace_of(), EDITS[:count])).library
    found = edits_between(LIBRARY, after)
    assert bool(found) is bool(count)
    again = (await edited(workspace_of(), found)).library
    assert edits_between(again, after) == ()
    assert again == after


@given(st.integers(min_value=1, max_value=3 * MOST))
def test_who_has_changed_much_has_not_edited_by_hand(number: int) -> None:
    ports = {f"p{index}": SignalPort(name=f"p{index}", direction="in") for index in range(number)}
    grown = UART.model_copy(update={"ports": FrozenMap({**UART.ports, **ports})})
    found = edits_between(LIBRARY, LIBRARY.put(grown))
    assert len(found) == (number if number <= MOST else 0)


async def test_an_edit_between_two_requests_belongs_into_the_conversation() -> None:
    workspace = workspace_of()
    port = {"tool": "add_signal_port", "component": str(UART.vlnv), "name": "rts", "direction": "out"}
    model = Scripted(calls(port), calls({**port, "name": "cts"}), calls({**port, "name": "dtr"}))
    agent = AssistedAgent(model, workspace)
    async with Toolbox.connected({"design": design_tools(workspace)}) as toolbox:
        host = Watching(toolbox)
        await agent.run(f"Add an output rts to {UART.vlnv}", host)
        await edited(workspace, EDITS[:1])
        await agent.run("It needs an output cts too", host)
        told = [message.content for message in model.asked[1]]
        assert f"Request: {BY_HAND}" in told
        assert any(SPI in text for text in told)
        agent.retract(1)
        assert [exchange.request for exchange in agent.history] == [f"Add an output rts to {UART.vlnv}"]
        await agent.run("It needs an output dtr too", host)
        assert len(agent.history) == 2


def test_a_component_that_goes_takes_what_is_in_it_along() -> None:
    without = LIBRARY.without(Vlnv.parse(str(TOP.vlnv)))
    assert edits_between(LIBRARY, without) == (ToolCall("delete_component", {"component": str(TOP.vlnv)}),)
