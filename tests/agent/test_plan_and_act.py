"""The multi-agent design over the real server; the model is a scripted one that remembers what it was asked."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from agent.host import Answer
from agent.models.base import ChatOptions, Delta, Message, ToolCall, ToolSpec, Turn, Usage
from agent.plan_and_act import PlanAndActAgent, read_steps, tool_list
from agent.toolbox import Toolbox, ToolResult
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server

pytestmark = pytest.mark.anyio

UART = "acme:periph:uart:1.0"
CREATE = ToolCall("create_component", {"vendor": "acme", "library": "periph", "name": "uart", "version": "1.0"})
CLK = ToolCall("add_signal_port", {"component": UART, "name": "clk", "direction": "in"})
LIST = ToolCall("list_components", {})
PLAN = f"Here is the plan.\n<STEP> Create {UART}.\n<STEP>Add the input clk\n to {UART}.</STEP>"


class Scripted:
    """Answers chat after chat with the next of its turns."""

    name = "scripted"
    digest = ""

    def __init__(self, *turns: str | ToolCall) -> None:
        self._turns: Iterator[str | ToolCall] = iter(turns)
        self.asked: list[tuple[list[Message], int]] = []

    async def chat(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: ChatOptions
    ) -> AsyncGenerator[Delta | Turn, None]:
        self.asked.append((list(messages), len(tools)))
        turn = next(self._turns)
        usage = Usage(prompt_tokens=10, completion_tokens=1)
        if isinstance(turn, str):
            yield Delta(turn)
            yield Turn(turn, usage=usage)
        else:
            yield Turn("", (turn,), usage=usage)

    async def aclose(self) -> None:
        pass


@dataclass
class Hosted:
    """Makes calls on a server of its own and keeps what is shown."""

    toolbox: Toolbox
    shown: list[str] = field(default_factory=list)
    made: list[ToolCall] = field(default_factory=list)

    @property
    def tools(self) -> Sequence[ToolSpec]:
        return self.toolbox.specs

    async def call(self, call: ToolCall) -> ToolResult:
        self.made.append(call)
        return await self.toolbox.call(call)

    def stream(self, delta: Delta) -> None:
        self.shown.append(delta.text)

    def notice(self, text: str) -> None:
        self.shown.append(text)


async def work(agent: PlanAndActAgent, *requests: str) -> tuple[Answer, Hosted, Workspace]:
    workspace = Workspace()
    async with Toolbox.connected({"design": build_server(workspace)}) as toolbox:
        host = Hosted(toolbox)
        for request in requests:
            answer = await agent.run(request, host)
    return answer, host, workspace


async def test_each_step_has_a_worker_that_sees_the_steps_before_and_no_more() -> None:
    planner = Scripted(PLAN, "VALID", "Created the UART with clk.")
    worker = Scripted(CREATE, "Created.", CLK, "Added.")
    answer, host, workspace = await work(PlanAndActAgent(worker, planner), "Make me a UART with a clk.")
    assert list(workspace.library.get(Vlnv.parse(UART)).ports) == ["clk"]
    assert (answer.text, answer.outcome) == ("Created the UART with clk.", "done")
    assert answer.usage.prompt_tokens == 70
    assert "".join(host.shown) == "Created the UART with clk."
    # Planner, validator and synthesis get no tools to call; the workers do.
    assert [tools for _messages, tools in planner.asked] == [0, 0, 0]
    assert [tools for _messages, tools in worker.asked] == [14] * 4
    first, second = worker.asked[0][0], worker.asked[2][0]
    assert [message.content for message in first[1:]] == [f"Step: Create {UART}."]
    assert second[1].content == (
        f"Done before:\n1. Create {UART}.\n   create_component: Created component {UART}.\n\n"
        f"Step: Add the input clk to {UART}."
    )
    assert "Make me a UART" not in first[1].content


async def test_a_plan_that_is_objected_to_is_made_once_more() -> None:
    planner = Scripted("<STEP> Add clk.", "INVALID: The component must be created first.", PLAN, "Done.")
    worker = Scripted(CREATE, "Created.", CLK, "Added.")
    _answer, host, _workspace = await work(PlanAndActAgent(worker, planner), "Make me a UART with a clk.")
    assert host.made == [CREATE, CLK]
    again = planner.asked[2][0]
    assert [message.role for message in again] == ["system", "user", "assistant", "user"]
    assert "The component must be created first." in again[-1].content


async def test_a_request_without_steps_is_answered_by_the_planner() -> None:
    planner = Scripted("These tools cannot forecast the weather.", "VALID")
    answer, host, _workspace = await work(PlanAndActAgent(Scripted(), planner), "Will it rain?")
    assert (answer.text, answer.outcome, host.made) == ("These tools cannot forecast the weather.", "done", [])


async def test_the_calls_of_all_workers_together_are_limited() -> None:
    planner = Scripted("<STEP> Look.\n<STEP> Look again.\n<STEP> Look once more.", "VALID", "Looked.")
    worker = Scripted(LIST, LIST, "Seen.", LIST, LIST)
    answer, host, _workspace = await work(PlanAndActAgent(worker, planner, max_turns=3), "Look.")
    assert (answer.outcome, len(host.made)) == ("turn-limit", 3)


async def test_the_planner_knows_what_was_done_for_earlier_requests() -> None:
    planner = Scripted(
        f"<STEP> Create {UART}.", "VALID", "Created it.", f"<STEP> Add clk to {UART}.", "VALID", "Added."
    )
    worker = Scripted(CREATE, "Created.", CLK, "Added.")
    await work(PlanAndActAgent(worker, planner), "Make me a UART.", "Give it a clk.")
    plan = planner.asked[3][0]
    assert [message.role for message in plan] == ["system", "user", "assistant", "user"]
    assert "create_component(vendor=acme, library=periph, name=uart, version=1.0)" in plan[2].content
    assert "Make me a UART." in planner.asked[4][0][1].content


async def test_with_task_scope_the_planner_knows_nothing_of_earlier_requests() -> None:
    planner = Scripted("Hello.", "VALID", "Hello again.", "VALID")
    await work(PlanAndActAgent(Scripted(), planner, history="task"), "Hi.", "Hi again.")
    assert [message.content for message in planner.asked[2][0][1:]] == ["Hi again."]


@pytest.mark.parametrize(
    ("plan", "steps"),
    [
        ("", []),
        ("No step is needed.", []),
        ("<STEP> a <STEP>b</STEP>\n<step>c", ["a", "b", "c"]),
        ("<STEP>\n<STEP> a", ["a"]),
    ],
)
def test_steps_are_what_follows_the_marks(plan: str, steps: list[str]) -> None:
    assert read_steps(plan) == steps


def test_the_tools_are_listed_with_their_arguments() -> None:
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"]}
    assert tool_list([ToolSpec("look", "Look at it.\nThen at that.", schema)]) == "\nTools:\n- look(a, b?): Look at it."
