"""The session's requests and scores as JSON or CSV, for other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from desktop.scorebook import Figure, ScoredRequest, totals

_COLUMNS = (
    "request",
    "task",
    "outcome",
    "scored",
    "ecc",
    "evcr",
    "evcr_writes",
    "tfr",
    "nca",
    "state",
    "calls",
    "refused",
    "seconds",
    "prompt_tokens",
    "completion_tokens",
)


def session_json(rows: Sequence[ScoredRequest], model: str | None, now: datetime) -> str:
    """Everything: the requests with their made and expected calls, the scores, the means with their intervals."""
    sums = totals(rows)
    figures = {"ecc": sums.ecc, "evcr": sums.evcr, "tfr": sums.tfr, "nca": sums.nca, "state": sums.state}
    document = {
        "exported": now.isoformat(timespec="seconds"),
        "model": model,
        "totals": {
            "requests": sums.requests,
            "scored": sums.scored,
            "seconds": round(sums.seconds, 3),
            "completion_tokens": sums.tokens,
            **{name: _figure(figure) for name, figure in figures.items()},
        },
        "requests": [_request(row) for row in rows],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def session_csv(rows: Sequence[ScoredRequest]) -> str:
    """One line for each request, without the calls; a figure that a request does not have is empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({**_facts(row), "calls": row.calls, "refused": row.failed_calls})
    return text.getvalue()


def _facts(row: ScoredRequest) -> dict[str, Any]:
    score, usage = row.score, row.finished.usage
    return {
        "request": row.text,
        "task": row.task,
        "outcome": row.finished.outcome,
        "scored": score is not None,
        "ecc": score.ecc if score else None,
        "evcr": score.evcr if score else None,
        "evcr_writes": score.evcr_writes if score else None,
        "tfr": row.failure_rate,
        "nca": score.nca if score else None,
        "state": None if row.state is None else float(row.state.is_empty),
        "seconds": round(row.finished.seconds, 3),
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
    }


def _request(row: ScoredRequest) -> dict[str, Any]:
    calls = [
        {
            "tool": call.tool,
            "args": dict(call.arguments),
            "ok": call.ok,
            "result": call.text,
            "seconds": round(call.seconds, 6),
        }
        for call in row.finished.calls
    ]
    expected = [{"tool": call.tool, "args": dict(call.args)} for call in row.score.expected] if row.score else None
    differences = None
    if row.state is not None:
        differences = {
            "added": [str(element) for element in row.state.added],
            "changed": [str(element) for element in row.state.changed],
            "removed": [str(element) for element in row.state.removed],
        }
    answer = row.finished.answer
    return {**_facts(row), "answer": answer, "calls": calls, "expected": expected, "state_differences": differences}


def _figure(figure: Figure | None) -> dict[str, Any] | None:
    if figure is None:
        return None
    interval = [figure.interval.low, figure.interval.high] if figure.interval else None
    return {"mean": figure.mean, "interval_95": interval}
