"""Requests with their scores, and expected and made calls side by side."""

from __future__ import annotations

from agent.evaluation.scoring import ExpectedCall
from agent.evaluation.suites import Task
from agent.events import CallFinished, RequestFinished
from agent.models.base import Usage
from desktop.marking import Marking
from desktop.scorebook import edit_expected, judge, remark, totals

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
    assert sums.ecc is not None
    assert sums.nca is not None
    assert sums.tfr is not None
    assert (sums.requests, sums.scored, sums.ecc.mean, sums.nca.mean, sums.tfr.mean) == (4, 3, 0.5, 1.0, 0.25)
    assert str(sums.ecc) == "0.50 [0.00–1.00]"  # a bootstrap over two requests
    assert str(sums.nca) == "1.00 [0.21–1.00]"  # Wilson: one of one says little
    assert (sums.seconds, sums.tokens) == (8.0, 160)
    assert totals([]).ecc is None


def test_marks_score_a_request_once_they_say_all() -> None:
    made = _finished(_call(0, "add_signal_port", PORT), _call(1, "get_component_details", {"component": "a:b:c:1.0"}))
    row = judge("x", made, None)
    marking = Marking().mark(0, row.made[0], right=True)
    row = remark(row, marking)
    assert row.score is None
    assert marking.open_question(row.made) == "not scored: 1 call to mark"
    marking = marking.mark(1, row.made[1], right=False)
    row = remark(row, marking)
    assert row.score is not None
    assert (row.score.ecc, row.score.evcr, row.score.nca) == (1.0, 0.5, None)
    row = remark(row, marking.add_missing(ExpectedCall("add_signal_port", RESET)))
    assert row.score is not None
    assert row.score.ecc == 0.5
    assert [line.mark for line in row.lines] == ["matched", "not asked", "missing"]


def test_no_call_can_be_what_is_expected() -> None:
    quiet, busy = judge("x", _finished(), None), judge("y", _finished(_call(0, "add_signal_port", PORT)), None)
    assert quiet.score is None
    scores = [remark(each, Marking().expect_no_call(True)).score for each in (quiet, busy)]
    assert [score and (score.ecc, score.nca) for score in scores] == [(None, 1.0), (None, 0.0)]


def test_only_refused_calls_need_what_was_missing() -> None:
    row = judge("x", _finished(_call(0, "add_signal_port", PORT, False, "Taken.")), None)
    assert row.marking is not None
    assert "add what is missing" in row.marking.open_question(row.made)
    row = remark(row, row.marking.add_missing(ExpectedCall("add_signal_port", PORT)))
    assert row.score is not None
    assert (row.score.ecc, row.score.tfr) == (0.0, 1.0)


def test_what_a_task_expects_can_be_edited_and_scores_the_same_until_then() -> None:
    task = _task(PORT, RESET)
    before = judge("x", _finished(_call(0, "add_signal_port", PORT), _call(1, "add_signal_port", PORT, False)), task)
    row = edit_expected(before)
    assert row.task == ""
    assert row.marking is not None
    assert row.marking.missing == (ExpectedCall("add_signal_port", RESET),)
    assert row.score is not None
    assert before.score is not None
    assert (row.score.ecc, row.score.evcr, row.score.tfr) == (before.score.ecc, before.score.evcr, before.score.tfr)
    row = remark(row, row.marking.drop_missing(0))
    assert row.score is not None
    assert row.score.ecc == 1.0
