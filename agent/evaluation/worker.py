"""A process that runs one session: ``python -m agent.evaluation.worker``, started by :mod:`agent.evaluation.parallel`.

Standard input gives the job as one line of JSON; when it ends, the work stops, whatever became of the parent. Standard
output tells what happens, one line of JSON each.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.events import CallMade, RunEvent, SessionStarted, TaskFinished, TaskInterrupted, TaskStarted
from agent.evaluation.records import Interruption, MadeCallRecord, TaskRecord
from agent.evaluation.run_folder import RecordError
from agent.evaluation.runner import Plan, run
from agent.evaluation.suites import SuiteError, Task
from agent.models.base import ModelError

FAILED = 1  # the reason has been told
STOPPED = 4


def job_line(plan: Plan, folder: Path) -> str:
    """A job as the worker reads it."""
    return json.dumps(
        {
            "configuration": plan.configuration.model_dump(mode="json"),
            "suites": plan.suites,
            "repeats": plan.repeats,
            "tasks": sorted(plan.tasks) if plan.tasks is not None else None,
            "tasks_of": {suite: sorted(tasks) for suite, tasks in plan.tasks_of.items()},
            "folder": str(folder),
        }
    )


def read_event(line: str) -> RunEvent | Exception:
    """What a line of a worker's output tells: an event, or why it failed."""
    value = json.loads(line)
    session = value.get("key", ""), value.get("suite", ""), value.get("repeat", 0)
    match value["event"]:
        case "session":
            return SessionStarted(*session, value["done"], value["total"])
        case "task":
            return TaskStarted(*session, Task.model_validate(value["task"]))
        case "call":
            return CallMade(*session, value["task_id"], MadeCallRecord.model_validate(value["call"]))
        case "finished":
            return TaskFinished(TaskRecord.model_validate(value["record"]))
        case "interrupted":
            return TaskInterrupted(*session, Interruption.model_validate(value["interruption"]), value["wait"])
    return ModelError(value["code"], value["message"]) if value["code"] else RecordError(value["message"])


def event_line(event: RunEvent) -> str:
    """An event as :func:`read_event` reads it, without the workspace, which stays in its process."""
    if isinstance(event, TaskFinished):
        return json.dumps({"event": "finished", "record": event.record.model_dump(mode="json")})
    value: dict[str, Any] = {"key": event.key, "suite": event.suite, "repeat": event.repeat}
    match event:
        case SessionStarted():
            value |= {"event": "session", "done": event.done, "total": event.total}
        case TaskStarted():
            value |= {"event": "task", "task": event.task.model_dump(mode="json")}
        case CallMade():
            value |= {"event": "call", "task_id": event.task_id, "call": event.call.model_dump(mode="json")}
        case TaskInterrupted():
            facts = event.interruption.model_dump(mode="json")
            value |= {"event": "interrupted", "interruption": facts, "wait": event.wait}
    return json.dumps(value)


def _emit(event: RunEvent) -> None:
    print(event_line(event), flush=True)


def _fail(code: str, message: str) -> int:
    print(json.dumps({"event": "failed", "code": code, "message": message}), flush=True)
    return FAILED


async def _work(job: dict[str, Any]) -> None:
    plan = Plan(
        Configuration.of(**job["configuration"]),
        tuple(job["suites"]),
        tuple(job["repeats"]),
        frozenset(job["tasks"]) if job["tasks"] is not None else None,
        {suite: frozenset(tasks) for suite, tasks in job["tasks_of"].items()},
    )
    running = asyncio.ensure_future(run(plan, Path(job["folder"]), _emit))
    loop = asyncio.get_running_loop()

    def stop_with_parent() -> None:
        while sys.stdin.buffer.read(1):
            pass
        loop.call_soon_threadsafe(running.cancel)

    threading.Thread(target=stop_with_parent, daemon=True).start()
    await running


def main() -> int:
    """Do the job; return the exit status."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the parent to handle
    job = json.loads(sys.stdin.buffer.readline())
    try:
        asyncio.run(_work(job))
    except asyncio.CancelledError:
        return STOPPED
    except ModelError as error:
        return _fail(error.code, error.message)
    except (ConfigurationError, SuiteError, RecordError) as error:
        return _fail("", str(error))
    return 0


if __name__ == "__main__":
    # The thread that waits for the parent holds standard input's lock, at which an ordinary exit would wait.
    import os

    status = main()
    sys.stdout.flush()
    os._exit(status)
