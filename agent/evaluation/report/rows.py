"""One row for every task of every run, for anybody's own statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.evaluation.mishaps import first_refusal, has_recovered, repeated_calls, spare_calls, unknown_tools
from agent.evaluation.records import TaskRecord
from agent.evaluation.results import LoadedRun
from agent.evaluation.scoring import reads


def task_rows(runs: Sequence[LoadedRun]) -> Iterator[Sequence[object]]:
    """A heading, then the tasks; what does not apply is None."""
    heading: tuple[str, ...] | None = None
    for run in runs:
        fixed = run.configuration
        told = {"key": run.run.key, "model": fixed.model, "configuration": fixed.label, "mode": fixed.mode}
        for records in (*run.records.values(), *run.others.values()):
            for record in records:
                row = told | _task(record)
                if heading is None:
                    heading = tuple(row)
                    yield heading
                yield tuple(row.values())


def _task(record: TaskRecord) -> dict[str, object]:
    mark, usage = record.grade, record.usage
    spare = spare_calls(record)
    recovered = has_recovered(record)
    return {
        "suite": record.suite,
        "task": record.task.id,
        "repeat": record.repeat,
        "server": record.task.server,
        "outcome": record.outcome,
        "ecc": mark.ecc,
        "evcr": mark.evcr,
        "evcr_writes": mark.evcr_writes,
        "evcr_weighted": mark.evcr_weighted,
        "tfr": mark.tfr,
        "nca": mark.nca,
        "perfect": int(mark.perfect),
        "state": int(record.state.equal),
        "expected": len(record.task.expected),
        "calls": len(record.calls),
        "failed": sum(not call.ok for call in record.calls),
        "extraneous_reads": sum(map(reads, spare)),
        "extraneous_writes": sum(not reads(call) for call in spare),
        "unknown_tools": unknown_tools(record),
        "repeated_calls": repeated_calls(record),
        "lost_calls": record.lost_calls,
        "dropped_calls": record.dropped_calls,
        "first_refusal": first_refusal(record),
        "recovered": None if recovered is None else int(recovered),
        "turns": len(record.turns),
        "seconds": record.seconds,
        "load_seconds": usage.load_seconds,
        "reading_seconds": usage.prompt_seconds,
        "writing_seconds": usage.generation_seconds,
        "tool_seconds": round(sum(call.seconds for call in record.calls), 5),
        "overhead_seconds": record.overhead,
        "prompt_tokens": usage.prompt_tokens,
        "cached_tokens": usage.cached_tokens,
        "completion_tokens": usage.completion_tokens,
        "forgotten": record.forgotten,
        "grader": mark.grader,
        "digest": record.digest,
        "started": record.started,
    }
