"""Runs as logs of inspect_ai, for its viewer and its data frames; works where that package is installed."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from agent.evaluation.records import MessageRecord, TaskRecord, UsageRecord
from agent.evaluation.results import LoadedRun, SuiteResult, suite_result
from agent.evaluation.run_folder import RecordError
from agent.evaluation.sweep import folder_name

_FIGURES = ("ecc", "nca", "evcr", "evcr_writes", "evcr_weighted", "tfr", "perfect", "state")


def write_inspect_logs(runs: Sequence[LoadedRun], folder: Path) -> list[Path]:
    """Write one log for each run and suite: a suite is a task of inspect_ai, its tasks are samples, repeats epochs.

    Raises:
        RecordError: inspect_ai is not installed.
        OSError: the folder cannot be written.
    """
    try:
        log: Any = importlib.import_module("inspect_ai.log")
    except ImportError as error:
        raise RecordError("inspect_ai is not installed here: `pip install inspect-ai` first.") from error
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for run in runs:
        for suite in dict.fromkeys((*run.records, *run.others)):
            path = folder / f"{folder_name(run.configuration)}_{suite}.eval"
            log.write_eval_log(_log(log, run, suite), str(path), format="eval")
            written.append(path)
    return written


def _log(log: Any, run: LoadedRun, suite: str) -> Any:
    model: Any = importlib.import_module("inspect_ai.model")
    fixed = run.configuration
    design = run.records.get(suite, ())
    records = sorted((*design, *run.others.get(suite, ())), key=lambda record: (record.repeat, record.index))
    name = _model_name(fixed.model)
    ids = list(dict.fromkeys(record.task.id for record in records))
    repeats = len({record.repeat for record in records})
    spec = log.EvalSpec(
        created=run.run.created,
        task=suite,
        task_id=f"{run.run.key}-{suite}",
        run_id=run.run.key,
        eval_id=f"{run.run.key}-{suite}",
        dataset=log.EvalDataset(name=suite, samples=len(ids), sample_ids=ids),
        model=name,
        model_generate_config=model.GenerateConfig(temperature=fixed.temperature, seed=fixed.seed),
        config=log.EvalConfig(epochs=repeats),
        packages=run.run.versions,
        task_args=fixed.model_dump(mode="json"),
        metadata={"label": fixed.label, "digest": records[0].digest},
    )
    results = log.EvalResults(total_samples=len(ids) * repeats, completed_samples=len(records))
    if design:
        results.scores = _totals(log, suite_result(suite, design), design)
    return log.EvalLog(
        version=2,
        status="success",
        eval=spec,
        results=results,
        stats=log.EvalStats(
            started_at=min(record.started for record in records),
            completed_at=max(map(_ended, records)),
            model_usage={name: _usage(model, [record.usage for record in records])},
        ),
        samples=[_sample(log, model, record, name, fixed.system_prompt) for record in records],
    )


def _sample(log: Any, model: Any, record: TaskRecord, name: str, system: str) -> Any:
    messages = _messages(model, record)
    if system and record.turns:
        messages.insert(0, model.ChatMessageSystem(content=system))
    return log.EvalSample(
        id=record.task.id,
        epoch=record.repeat,
        input=record.task.prompt,
        target=[_written(call.tool, call.args) for call in record.task.expected] or ["no call"],
        messages=messages,
        output=model.ModelOutput.from_content(name, record.answer),
        scores=_scores(record),
        metadata={
            "server": record.task.server,
            "outcome": record.outcome,
            "reason": record.task.reason,
            "lost_calls": record.lost_calls,
            "state": record.state.model_dump(mode="json"),
            "grader": record.grade.grader,
        },
        model_usage={name: _usage(model, [record.usage])},
        started_at=record.started,
        completed_at=_ended(record),
        total_time=record.seconds,
        working_time=record.seconds,
    )


def _messages(model: Any, record: TaskRecord) -> list[Any]:
    """What the task added to the conversation; refused calls are marked."""
    tool: Any = importlib.import_module("inspect_ai.tool")
    refused = iter([not call.ok for call in record.calls])
    made: list[Any] = []
    pending = ""
    for number, message in enumerate(record.messages):
        if message.role == "user":
            made.append(model.ChatMessageUser(content=message.content))
        elif message.role == "assistant":
            pending = f"{record.task.id}-{number}"
            made.append(_assistant(model, tool, message, pending))
        elif message.role == "tool":
            fault = tool.ToolCallError("unknown", message.content) if next(refused, False) else None
            made.append(
                model.ChatMessageTool(
                    content=message.content, tool_call_id=pending, function=message.tool_name, error=fault
                )
            )
    return made


def _assistant(model: Any, tool: Any, message: MessageRecord, call_id: str) -> Any:
    calls = [tool.ToolCall(call_id, name, arguments) for name, arguments in message.tool_calls]
    return model.ChatMessageAssistant(content=message.content, tool_calls=calls or None)


def _scores(record: TaskRecord) -> dict[str, Any]:
    scorer: Any = importlib.import_module("inspect_ai.scorer")
    made = "\n".join(
        f"{'accepted' if call.ok else 'refused'}: {_written(call.tool, call.arguments)}" for call in record.calls
    )
    return {
        name: scorer.Score(value=value, answer=record.answer, explanation=made)
        for name in _FIGURES
        if (value := _figure(record, name)) is not None
    }


def _totals(log: Any, result: SuiteResult, records: Sequence[TaskRecord]) -> list[Any]:
    scores = []
    for name in _FIGURES:
        values = [value for record in records if (value := _figure(record, name)) is not None]
        if not values:
            continue
        metrics = {"mean": log.EvalMetric(name="mean", value=fmean(values))}
        if interval := result.intervals.get(name):
            metrics["low95"] = log.EvalMetric(name="low95", value=interval.low)
            metrics["high95"] = log.EvalMetric(name="high95", value=interval.high)
        scores.append(log.EvalScore(name=name, scorer=name, scored_samples=len(values), metrics=metrics))
    return scores


def _figure(record: TaskRecord, name: str) -> float | None:
    if name == "state":
        return float(record.state.equal)
    value: float | bool | None = getattr(record.grade, name)
    return None if value is None else float(value)


def _usage(model: Any, usages: Iterable[UsageRecord]) -> Any:
    rows = list(usages)
    read, written = sum(row.prompt_tokens for row in rows), sum(row.completion_tokens for row in rows)
    return model.ModelUsage(
        input_tokens=read,
        output_tokens=written,
        total_tokens=read + written,
        input_tokens_cache_read=sum(row.cached_tokens for row in rows),
    )


def _model_name(model: str) -> str:
    """A model as inspect_ai names one: ``provider/model``."""
    return model.replace(":", "/", 1)


def _ended(record: TaskRecord) -> str:
    ended = datetime.fromisoformat(record.started) + timedelta(seconds=record.seconds)
    return ended.isoformat(timespec="seconds")


def _written(tool: str, arguments: Any) -> str:
    return f"{tool}({', '.join(f'{name}={value}' for name, value in arguments.items())})"
