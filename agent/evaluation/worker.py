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
from agent.evaluation.records import Interruption, RecordError, TaskRecord
from agent.evaluation.runner import Plan, RunEvent, SessionStarted, TaskFinished, TaskInterrupted, run
from agent.evaluation.suites import SuiteError
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
            "folder": str(folder),
        }
    )


def read_event(line: str) -> RunEvent | Exception | None:
    """What a line of a worker's output tells: an event, why it failed, or nothing for the parent."""
    value = json.loads(line)
    match value["event"]:
        case "session":
            return SessionStarted(value["suite"], value["repeat"], value["done"], value["total"], None)
        case "finished":
            return TaskFinished(TaskRecord.model_validate(value["record"]))
        case "interrupted":
            interruption = Interruption.model_validate(value["interruption"])
            return TaskInterrupted(value["suite"], value["repeat"], interruption, value["wait"])
        case "failed":
            return ModelError(value["code"], value["message"]) if value["code"] else RecordError(value["message"])
    return None


def _tell(**value: Any) -> None:
    print(json.dumps(value), flush=True)


def _emit(event: RunEvent) -> None:
    match event:
        case SessionStarted():
            _tell(event="session", suite=event.suite, repeat=event.repeat, done=event.done, total=event.total)
        case TaskFinished():
            _tell(event="finished", record=event.record.model_dump(mode="json"))
        case TaskInterrupted():
            facts = event.interruption.model_dump(mode="json")
            _tell(event="interrupted", suite=event.suite, repeat=event.repeat, interruption=facts, wait=event.wait)


async def _work(job: dict[str, Any]) -> None:
    plan = Plan(
        Configuration.of(**job["configuration"]),
        tuple(job["suites"]),
        tuple(job["repeats"]),
        frozenset(job["tasks"]) if job["tasks"] is not None else None,
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
        _tell(event="failed", code=error.code, message=error.message)
        return FAILED
    except (ConfigurationError, SuiteError, RecordError) as error:
        _tell(event="failed", code="", message=str(error))
        return FAILED
    return 0


if __name__ == "__main__":
    # The thread that waits for the parent holds standard input's lock, at which an ordinary exit would wait.
    import os

    status = main()
    sys.stdout.flush()
    os._exit(status)
