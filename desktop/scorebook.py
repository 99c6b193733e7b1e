"""What the score panel shows, without Qt: each request with its calls and, where it is a suite's task, its score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from agent.evaluation.scoring import Call, MadeCall, Score, score
from agent.evaluation.suites import Task
from agent.events import RequestFinished
from desktop.call_text import call_words

Mark = Literal["matched", "missing", "not asked", "refused", "made"]


@dataclass(frozen=True, slots=True)
class CallLine:
    """One line of the comparison of expected and made calls."""

    mark: Mark
    tool: str
    words: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ScoredRequest:
    """One finished request.

    Attributes:
        score: None for a request without expected calls.
    """

    text: str
    finished: RequestFinished
    task: str = ""
    score: Score | None = None
    lines: tuple[CallLine, ...] = ()

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


def judge(text: str, finished: RequestFinished, task: Task | None) -> ScoredRequest:
    """Score a finished request against its task, or list its calls where there is none."""
    made = [MadeCall(call.tool, call.arguments, call.ok) for call in finished.calls]
    if task is None:
        lines = tuple(
            CallLine(
                "made" if call.ok else "refused", call.tool, call_words(call.tool, call.arguments), _why(call.text)
            )
            if not call.ok
            else CallLine("made", call.tool, call_words(call.tool, call.arguments))
            for call in finished.calls
        )
        return ScoredRequest(text, finished, lines=lines)
    result = score(task.expected, made, task.alternatives)
    return ScoredRequest(text, finished, task.id, result, line_up(result, made, finished))


def line_up(result: Score, made: Sequence[MadeCall], finished: RequestFinished) -> tuple[CallLine, ...]:
    """Put each expected call beside the call that was made for it, then what was made besides."""
    partner = dict(result.pairs)
    lines = [_expected_line(call, index in partner) for index, call in enumerate(result.expected)]
    matched = set(partner.values())
    for index, call in enumerate(made):
        if index not in matched:
            mark: Mark = "not asked" if call.ok else "refused"
            detail = "" if call.ok else _why(finished.calls[index].text)
            lines.append(CallLine(mark, call.tool, call_words(call.tool, call.args), detail))
    return tuple(lines)


def _expected_line(call: Call, matched: bool) -> CallLine:
    return CallLine("matched" if matched else "missing", call.tool, call_words(call.tool, call.args))


def _why(text: str) -> str:
    return text.strip().splitlines()[0] if text.strip() else ""


@dataclass(frozen=True, slots=True)
class Totals:
    """Means over the scored requests of the session; None where no request has the figure."""

    requests: int
    scored: int
    ecc: float | None
    evcr: float | None
    tfr: float | None
    nca: float | None
    seconds: float
    tokens: int


def totals(rows: Sequence[ScoredRequest]) -> Totals:
    """Sum a session up."""
    scores = [row.score for row in rows if row.score is not None]
    return Totals(
        len(rows),
        len(scores),
        _mean([each.ecc for each in scores]),
        _mean([each.evcr for each in scores]),
        _mean([row.failure_rate for row in rows]),
        _mean([each.nca for each in scores]),
        sum(row.finished.seconds for row in rows),
        sum(row.tokens for row in rows),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
