"""What a run is to do, kept beside its logs, so that the window can go on with it another day."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from agent.evaluation.configuration import Configuration
from agent.evaluation.run_folder import RecordError, RunFolder, write_whole
from agent.evaluation.runner import Plan

PLAN_FILE = "plan.json"


def write_plan(folder: Path, plan: Plan) -> None:
    """Keep a plan in its run's folder; the configuration stands in ``run.json``.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tasks = sorted(plan.tasks) if plan.tasks is not None else None
    content = {"suites": list(plan.suites), "repeats": list(plan.repeats), "tasks": tasks}
    write_whole(folder / PLAN_FILE, json.dumps(content, indent=2) + "\n")


def read_plan(folder: Path, configuration: Configuration) -> Plan | None:
    """The plan that was kept in a folder; None where none was, as for runs from the command line.

    Raises:
        RecordError: the file is something else.
    """
    file = folder / PLAN_FILE
    if not file.exists():
        return None
    try:
        value = json.loads(file.read_text("utf-8"))
        tasks = value["tasks"]
        return Plan(
            configuration,
            tuple(map(str, value["suites"])),
            tuple(map(int, value["repeats"])),
            frozenset(map(int, tasks)) if tasks is not None else None,
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RecordError(f"{file} is not the plan of a benchmark run; remove it to go on without.") from error


def guess_plan(run: RunFolder) -> Plan | None:
    """What a run has begun, where nobody kept a plan: its suites and repeats with all their tasks.

    Raises:
        RecordError: a log cannot be read.
    """
    found = run.read()
    if found is None:
        return None
    headers = [session.header for session in run.sessions() if session.header is not None]
    suites = dict.fromkeys(header.suite_source for header in headers)
    return Plan(found.configuration, tuple(suites), tuple(sorted({header.repeat for header in headers})) or (1,))


def tasks_text(tasks: frozenset[int] | None) -> str:
    """Positions as people write them: ``1-10, 12``; "" for all."""
    if tasks is None:
        return ""
    spans: list[list[int]] = []
    for position in sorted(tasks):
        if spans and position == spans[-1][1] + 1:
            spans[-1][1] = position
        else:
            spans.append([position, position])
    return ", ".join(_span(*span) for span in spans)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def describe(plans: Sequence[Plan]) -> str:
    """One line about what is run."""
    if len(plans) != 1:
        return f"{len(plans)} configurations"
    fixed = plans[0].configuration
    return f"{fixed.model} · {fixed.label} · {fixed.mode}"
