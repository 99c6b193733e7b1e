from __future__ import annotations

from typing import Any

import pytest
from small_suite import UART

from agent.evaluation.grading import SEVERITY, grade
from agent.evaluation.scoring import MadeCall
from agent.evaluation.suites import SuiteCall, Task
from server.contract import TOOLS

CLK = SuiteCall(tool="add_signal_port", args={"component": UART, "name": "clk", "direction": "in"})
LOOK = SuiteCall(tool="get_component_details", args={"component": UART})
LIST = SuiteCall(tool="list_components", args={})
PORT = Task(id="port", prompt="Add the input clk.", expected=(CLK,))
NOTHING = Task(id="nothing", prompt="What is the weather?", expected=(), reason="off-topic")
EITHER = Task(id="either", prompt="What is there?", expected=(LIST,), alternatives=((LOOK,),))


def made(call: SuiteCall, *, ok: bool = True, **other: Any) -> MadeCall:
    return MadeCall(call.tool, call.args | other, ok)


def test_every_tool_has_a_severity() -> None:
    assert SEVERITY.keys() == TOOLS.keys()


@pytest.mark.parametrize(
    ("task", "calls", "perfect"),
    [
        (PORT, [made(CLK)], True),
        (PORT, [], False),
        (PORT, [made(LIST), made(CLK)], False),
        (PORT, [made(CLK, ok=False, width="x"), made(CLK)], False),
        (NOTHING, [], True),
        (NOTHING, [made(LIST)], False),
        (NOTHING, [made(CLK, ok=False)], False),
        (EITHER, [made(LIST)], True),
        (EITHER, [made(LOOK)], True),
        (EITHER, [made(LOOK), made(LIST)], False),
    ],
)
def test_a_perfect_task_has_all_that_was_asked_for_and_nothing_else(
    task: Task, calls: list[MadeCall], perfect: bool
) -> None:
    assert grade(task, calls).perfect is perfect


def test_the_answer_that_was_given_is_noted() -> None:
    assert grade(EITHER, [made(LOOK)]).answer == 1
    assert grade(EITHER, [made(LIST)]).answer == 0


def test_severity_weighs_a_deletion_more_than_a_read() -> None:
    read = grade(PORT, [made(CLK), made(LIST)])
    deletion = grade(PORT, [made(CLK), MadeCall("delete_component", {"component": UART}, ok=True)])
    refused = grade(PORT, [made(CLK), MadeCall("delete_component", {"component": UART}, ok=False)])
    assert read.evcr == deletion.evcr == 0.5
    assert (read.evcr_weighted, refused.evcr_weighted) == (pytest.approx(0.1 / 1.1), 0.0)
    assert deletion.evcr_weighted == pytest.approx(8 / 9)
