"""Marks that a person gives to the calls of a request, which turn a spot-check into a scored task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.evaluation.scoring import Call, ExpectedCall, MadeCall, Score


@dataclass(frozen=True, slots=True)
class Marking:
    """What a person expects of a request.

    Attributes:
        marks: by the index of a made call, the expected call that it answers, or None where nobody asked for it.
            Refused calls need no mark: they answer nothing.
        missing: expected calls that were not made.
        no_call: the right answer is no call.
    """

    marks: Mapping[int, ExpectedCall | None] = field(default_factory=dict)
    missing: tuple[ExpectedCall, ...] = ()
    no_call: bool = False

    def mark(self, index: int, made: MadeCall, right: bool) -> Marking:
        """Mark a made call as right or as not asked."""
        marks = {**self.marks, index: ExpectedCall(made.tool, suite_arguments(made.args)) if right else None}
        return Marking(marks, self.missing, self.no_call and not right)

    def add_missing(self, call: ExpectedCall) -> Marking:
        """Expect a call that was not made."""
        return Marking(self.marks, (*self.missing, call))

    def drop_missing(self, position: int) -> Marking:
        """Expect a missing call no longer."""
        return Marking(self.marks, self.missing[:position] + self.missing[position + 1 :], self.no_call)

    def expect_no_call(self, expected: bool) -> Marking:
        """Say that no call is the right answer, or begin anew."""
        return Marking(no_call=expected)

    def expected(self) -> tuple[ExpectedCall, ...]:
        """The expected calls: those that were made, in their order, then the missing ones."""
        right = [call for _index, call in sorted(self.marks.items(), key=lambda each: each[0]) if call is not None]
        return (*right, *self.missing)

    def open_question(self, made: Sequence[MadeCall]) -> str:
        """What is still to be said before the request can be scored, or ""."""
        if self.no_call:
            return ""
        unmarked = sum(call.ok and index not in self.marks for index, call in enumerate(made))
        if unmarked:
            return f"not scored: {unmarked} call{'s' if unmarked != 1 else ''} to mark"
        if not self.expected():
            return "not scored: add what is missing, or expect no call"
        return ""


def marking_of(score: Score, made: Sequence[MadeCall]) -> Marking:
    """The marks that a suite's task amounts to, to be edited."""
    answered = {index: position for position, index in score.pairs}
    marks = {
        index: _as_expected(score.expected[answered[index]]) if index in answered else None
        for index, call in enumerate(made)
        if call.ok
    }
    matched = {position for position, _index in score.pairs}
    missing = tuple(_as_expected(call) for position, call in enumerate(score.expected) if position not in matched)
    return Marking(marks, missing, not score.expected)


def _as_expected(call: Call) -> ExpectedCall:
    return ExpectedCall(call.tool, suite_arguments(call.args))


def suite_arguments(arguments: Mapping[str, Any]) -> dict[str, str | bool]:
    """Arguments as a suite writes them: texts and booleans, without those that were left empty."""
    return {
        name: value if isinstance(value, bool) else str(value)
        for name, value in arguments.items()
        if value not in ("", None)
    }
