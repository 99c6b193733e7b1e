"""The canonical course of a suite: the state before every task, and the states that its right answers lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.evaluation.canonical import State
from agent.evaluation.contract import tools_contract
from agent.evaluation.scoring import Call
from agent.evaluation.suites import Suite, SuiteError, Task
from agent.evaluation.surroundings import Surroundings
from agent.models.base import ToolCall
from agent.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Stage:
    """A task in its place.

    Attributes:
        before: the state that it is given in: the expected calls of all tasks before it have been made.
        ends: the states that its right answers end in; the first is the canonical one.
    """

    task: Task
    before: State
    ends: tuple[State, ...]


async def lay_out(suite: Suite, around: Surroundings) -> list[Stage]:
    """Replay a suite's setup and expected calls in untouched surroundings and keep the state at every step.

    Raises:
        SuiteError: the server refuses one of the suite's own calls.
    """
    await _make(suite.setup, around.tools, f"{suite.name}: setup")
    stages: list[Stage] = []
    for task in suite.tasks:
        before = await around.capture()
        ends: list[State] = []
        for calls in (task.expected, *task.alternatives):
            if ends and not any(_changes(call) for call in calls):
                continue  # an alternative that only reads ends where no call does
            await around.restore(before)
            await _make(calls, around.tools, f"{suite.name}: task {task.id}")
            ends.append(await around.capture())
        stages.append(Stage(task, before, tuple(ends)))
        await around.restore(ends[0])
    return stages


async def _make(calls: Sequence[Call], tools: Toolbox, where: str) -> None:
    for number, call in enumerate(calls, 1):
        result = await tools.call(ToolCall(call.tool, call.args))
        if not result.ok:
            raise SuiteError(f"{where}, call {number} ({call.tool}) was refused: {result.text}")


def _changes(call: Call) -> bool:
    contract = tools_contract().get(call.tool)
    return contract is None or contract.effect != "read"
