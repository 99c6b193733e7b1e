"""Requests with their scores, and expected and made calls side by side."""

from __future__ import annotations

from agent.evaluation.suites import Task
from agent.events import CallFinished, RequestFinished
from agent.models.base import Usage
from desktop.scorebook import judge, totals

PORT = {"component": "a:b:c:1.0", "name": "clk", "direction": "in"}
RESET = {"component": "a:b:c:1.0", "name": "rst", "direction": "in"}


def _call(index: int, tool: str, arguments: dict[str, str], ok: bool = True, text: str = "done") -> CallFinished:
    return CallFinished(1, index, tool, arguments, ok, text, {}, 0.001)


def _finished(*calls: CallFinished) -> RequestFinished:
    return RequestFinished(1, "done", "", 2.0, Usage(completion_tokens=40), calls)


def _task(*arguments: dict[str, str]) -> Task:
    return Task(id="t1", prompt="p", expected=tuple({"tool": "add_signal_port", "args": each} for each in arguments))


def test_a_request_without_a_task_is_not_scored_but_its_calls_are_counted() -> None:
    row = judge(
        "x", _finished(_call(0, "add_signal_port", PORT), _call(1, "load_it", {}, False, "No such tool.")), None
    )
    assert row.score is None
    assert (row.calls, row.failed_calls, row.failure_rate) == (2, 1, 0.5)
    assert [(line.mark, line.detail) for line in row.lines] == [("made", ""), ("refused", "No such tool.")]


def test_expected_and_made_calls_stand_side_by_side() -> None:
    row = judge(
        "x",
        _finished(
            _call(0, "get_component_details", {"component": "a:b:c:1.0"}),
            _call(1, "add_signal_port", PORT),
            _call(2, "add_signal_port", PORT, False, "Taken.\nMore."),
        ),
        _task(PORT, RESET),
    )
    assert row.score is not None
    assert (row.score.ecc, row.score.evcr, row.task) == (0.5, 0.5, "t1")
    assert [line.mark for line in row.lines] == ["matched", "missing", "not asked", "refused"]
    assert row.lines[3].detail == "Taken."


def test_totals_are_means_over_the_requests_that_have_a_figure() -> None:
    rows = [
        judge("a", _finished(_call(0, "add_signal_port", PORT)), _task(PORT)),
        judge("b", _finished(), _task(PORT)),
        judge("c", _finished(), _task()),
        judge("d", _finished(_call(0, "x", {}, False)), None),
    ]
    sums = totals(rows)
    assert (sums.requests, sums.scored, sums.ecc, sums.nca, sums.tfr) == (4, 3, 0.5, 1.0, 0.25)
    assert (sums.seconds, sums.tokens) == (8.0, 160)
    assert totals([]).ecc is None
