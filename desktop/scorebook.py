"""What the score panel shows, without Qt: each request with its calls and, where it is a suite's task, its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from agent.evaluation.metrics import Interval, bootstrap_interval, wilson_interval
from agent.evaluation.scoring import Call, MadeCall, Score, score
from agent.events import RequestFinished
from desktop.call_text import call_words
from desktop.marking import Marking, marking_of
from model.change import Change
from model.library import Library

if TYPE_CHECKING:
    from agent.evaluation.suites import Task

Mark = Literal["matched", "missing", "not asked", "refused", "made"]
_RESAMPLES = 500  # enough for two digits, and quick enough to be drawn anew at every mark


@dataclass(frozen=True, slots=True)
class CallLine:
    """One line of the comparison of expected and made calls.

    Attributes:
        made: index of the made call that a mark on this line is about.
        missing: position of the missing call that was added by hand.
    """

    mark: Mark
    tool: str
    words: str
    detail: str = ""
    made: int | None = None
    missing: int | None = None


@dataclass(frozen=True, slots=True)
class ScoredRequest:
    """One finished request.

    Attributes:
        task: the suite's task that it was scored as, or "".
        score: None for a request whose expected calls nobody has said.
        marking: a person's marks; None where a suite's task alone says what is expected.
        designs: the library before the request and after it, where they are known.
        answers: all sets of calls that are right; none as long as the request has no score.
        state: how the design differs from what it should be; None where that is not known.
    """

    text: str
    finished: RequestFinished
    task: str = ""
    score: Score | None = None
    lines: tuple[CallLine, ...] = ()
    marking: Marking | None = None
    designs: tuple[Library, Library] | None = None
    answers: tuple[tuple[Call, ...], ...] = ()
    state: Change | None = None

    @property
    def made(self) -> list[MadeCall]:
        """The calls as the metrics take them."""
        return [MadeCall(call.tool, call.arguments, call.ok) for call in self.finished.calls]

    @property
    def calls(self) -> int:
        """Calls made."""
        return len(self.finished.calls)

    @property
    def failed_calls(self) -> int:
        """Calls that the server refused."""
        return sum(not call.ok for call in self.finished.calls)

    @property
    def failure_rate(self) -> float:
        """TFR, which needs no expected calls."""
        return self.failed_calls / self.calls if self.calls else 0.0

    @property
    def tokens(self) -> int:
        """Tokens that the model wrote."""
        return self.finished.usage.completion_tokens


def judge(
    text: str, finished: RequestFinished, task: Task | None, designs: tuple[Library, Library] | None = None
) -> ScoredRequest:
    """Score a finished request against its task, or list its calls, to be marked, where there is none."""
    row = ScoredRequest(text, finished, designs=designs)
    if task is None:
        return remark(row, Marking())
    result = score(task.expected, row.made, task.alternatives)
    lines = line_up(result.expected, result.pairs, row.made, [call.text for call in finished.calls])
    answers = (task.expected, *task.alternatives)
    return replace(row, task=task.id, score=result, lines=lines, answers=answers)


def edit_expected(row: ScoredRequest) -> ScoredRequest:
    """Let a person change what a suite's task expects; from then on it is no longer that task."""
    if row.marking is not None or row.score is None:
        return row
    return remark(replace(row, task=""), marking_of(row.score, row.made))


def remark(row: ScoredRequest, marking: Marking) -> ScoredRequest:
    """Take a person's marks, and score the request once they say all that is needed."""
    made = row.made
    result = None if marking.open_question(made) else score(marking.expected(), made)
    lines = [_made_line(row.finished, index, marking) for index in range(len(made))]
    lines += [
        CallLine("missing", call.tool, call_words(call.tool, call.args), missing=position)
        for position, call in enumerate(marking.missing)
    ]
    answers = (marking.expected(),) if result is not None else ()
    state = row.state if answers == row.answers else None
    return replace(row, score=result, lines=tuple(lines), marking=marking, answers=answers, state=state)


def _made_line(finished: RequestFinished, index: int, marking: Marking) -> CallLine:
    call = finished.calls[index]
    words = call_words(call.tool, call.arguments)
    if not call.ok:
        return CallLine("refused", call.tool, words, _why(call.text))
    mark: Mark = "made"
    if marking.no_call:
        mark = "not asked"
    elif index in marking.marks:
        mark = "not asked" if marking.marks[index] is None else "matched"
    return CallLine(mark, call.tool, words, made=index)


def line_up(
    expected: Sequence[Call], pairs: Sequence[tuple[int, int]], made: Sequence[MadeCall], results: Sequence[str]
) -> tuple[CallLine, ...]:
    """Put each expected call beside the call that was made for it, then what was made besides.

    Args:
        pairs: which expected call was answered by which made call.
        results: of the made calls, as the model read them.
    """
    partner = dict(pairs)
    lines = [_expected_line(call, index in partner) for index, call in enumerate(expected)]
    matched = set(partner.values())
    for index, call in enumerate(made):
        if index not in matched:
            mark: Mark = "not asked" if call.ok else "refused"
            detail = "" if call.ok else _why(results[index])
            lines.append(CallLine(mark, call.tool, call_words(call.tool, call.args), detail))
    return tuple(lines)


def _expected_line(call: Call, matched: bool) -> CallLine:
    return CallLine("matched" if matched else "missing", call.tool, call_words(call.tool, call.args))


def _why(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean, and how sure it is; no interval where a single request has the figure."""

    mean: float
    interval: Interval | None = None

    def __str__(self) -> str:
        if self.interval is None:
            return f"{self.mean:.2f}"
        return f"{self.mean:.2f} [{self.interval.low:.2f}–{self.interval.high:.2f}]"


@dataclass(frozen=True, slots=True)
class Totals:
    """Means over the requests of the session; None where no request has the figure.

    TFR is over all requests, as it needs no expected calls; its interval, as those of ECC and EVCR, is a bootstrap over
    requests. Those of NCA and the state score, shares, are Wilson's.
    """

    requests: int
    scored: int
    ecc: Figure | None
    evcr: Figure | None
    tfr: Figure | None
    nca: Figure | None
    state: Figure | None
    seconds: float
    tokens: int


def totals(rows: Sequence[ScoredRequest]) -> Totals:
    """Sum a session up."""
    scores = [row.score for row in rows if row.score is not None]
    return Totals(
        len(rows),
        len(scores),
        _mean([each.ecc for each in scores if each.ecc is not None]),
        _mean([each.evcr for each in scores]),
        _mean([row.failure_rate for row in rows]),
        _share([each.nca for each in scores if each.nca is not None]),
        _share([float(row.state.is_empty) for row in rows if row.state is not None]),
        sum(row.finished.seconds for row in rows),
        sum(row.tokens for row in rows),
    )


def _mean(values: Sequence[float]) -> Figure | None:
    if len(values) < 2:
        return Figure(values[0]) if values else None
    return Figure(fmean(values), bootstrap_interval([[value] for value in values], resamples=_RESAMPLES))


def _share(values: Sequence[float]) -> Figure | None:
    if not values:
        return None
    return Figure(fmean(values), wilson_interval(sum(value == 1.0 for value in values), len(values)))
