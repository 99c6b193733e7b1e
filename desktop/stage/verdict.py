"""One line about how a request went, for people who see it for the first time."""

from __future__ import annotations

from desktop.panels.cards import format_seconds
from desktop.scorebook import ScoredRequest
from desktop.theme.symbols import Symbol


def verdict(scored: ScoredRequest) -> tuple[Symbol, str, str]:
    """The sign, its colour and the words."""
    finished, score = scored.finished, scored.score
    if finished.outcome == "no-model":
        return "error", "danger", finished.answer.strip().splitlines()[0]
    if finished.outcome == "stopped" or score is None:
        return "minus", "text_muted", f"stopped · {format_seconds(finished.seconds)}"
    missing = sum(line.mark == "missing" for line in scored.lines)
    spare = sum(line.mark == "not asked" for line in scored.lines)
    parts = [
        f"{count} {words}{'s' if count != 1 else ''}{rest}"
        for count, words, rest in (
            (missing, "call", " missing"),
            (spare, "call", " that nobody asked for"),
            (scored.failed_calls, "call", " refused"),
        )
        if count
    ]
    seconds = format_seconds(finished.seconds)
    if parts:
        return "cross", "warning", " · ".join([*parts, seconds])
    right = "rightly left alone" if score.nca is not None else "exactly as asked"
    return "tick", "success", f"{right} · {seconds}"
