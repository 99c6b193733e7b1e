"""Coded refusals and warnings: what every editor of a design, human or agent, is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Warning:
    """Something the user should know about an edit that was made nevertheless.

    Attributes:
        code: stable, kebab-case, for programs (``widths-differ``).
        message: one sentence for people, naming the elements involved.
    """

    code: str
    message: str


class DesignError(Exception):
    """An edit that the rules refuse; the design is unchanged.

    Attributes:
        code: stable, kebab-case, for programs (``component-not-found``).
        message: what was wrong, naming it.
        hint: what to do next, or an empty string.
        suggestions: nearest existing names, best first.
    """

    def __init__(self, code: str, message: str, hint: str = "", suggestions: Sequence[str] = ()) -> None:
        self.code = code
        self.message = message
        self.hint = hint
        self.suggestions = tuple(suggestions)
        super().__init__(str(self))

    def __str__(self) -> str:
        parts = [self.message]
        if self.suggestions:
            parts.append(f"Did you mean {' or '.join(self.suggestions)}?")
        if self.hint:
            parts.append(self.hint)
        return " ".join(parts)


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return the candidates that look most like ``name``, best first, letter case aside.

    Only names similar enough to be a plausible misspelling are returned.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # with the first slip: most starts go without

    found = process.extract(
        name, list(candidates), scorer=fuzz.ratio, processor=str.casefold, limit=limit, score_cutoff=60
    )
    return tuple(candidate for candidate, _score, _index in found)
