"""Runs sessions in several processes, here or on a cluster, each with its own workspace; one that dies is replaced."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from agent.evaluation.configuration import ConfigurationError
from agent.evaluation.events import Emit, TaskFinished
from agent.evaluation.run_folder import RecordError
from agent.evaluation.runner import Plan, prepare_folder, run
from agent.evaluation.worker import FAILED, job_line, read_event

DEATHS = 3  # of the processes of one session without any task done in between, before the run is given up
_LONGEST_LINE = 1 << 28  # bytes; a record holds whole conversations
_PATIENCE = 20.0  # seconds for a stopped process to let its model go

Job = tuple[Plan, Path]
Attempt = Callable[[Plan, Path, Emit], Awaitable[tuple[int, str, bool]]]
"""Does what is left of one session somewhere else; returns the exit status of the process that did it, its last
words, and whether a task was done."""


async def run_all(
    jobs: Sequence[Job], workers: int = 1, emit: Emit = lambda event: None, *, scheduler: str = ""
) -> None:
    """Run plans in their folders, session by session, several at a time; one worker needs no other process.

    Args:
        workers: how many processes on this machine.
        scheduler: address of a Dask scheduler, whose workers do the sessions instead; see
            :mod:`agent.evaluation.cluster`.

    Raises:
        ConfigurationError, SuiteError, RecordError, ModelError: as :func:`agent.evaluation.runner.run`; what was done
            is kept. RecordError, too, if a session's process keeps dying, and ConfigurationError if the scheduler
            does not answer.
    """
    if workers == 1 and not scheduler:
        for plan, folder in jobs:
            await run(plan, folder, emit)
        return
    for plan, folder in jobs:
        await prepare_folder(plan, folder)  # before several processes would do it at once
    sessions = [
        (replace(plan, suites=(suite,), repeats=(repeat,)), folder)
        for plan, folder in jobs
        for repeat in plan.repeats
        for suite in plan.suites
    ]
    if not scheduler:
        await _run_sessions(sessions, workers, _process, emit)
        return
    try:
        cluster = importlib.import_module("agent.evaluation.cluster")
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            "Runs over several machines need Dask, which is not installed here: pip install 'blockwright[cluster]'"
        ) from error
    async with cluster.connected(scheduler) as attempt:
        await _run_sessions(sessions, len(sessions), attempt, emit)


async def _run_sessions(sessions: Sequence[Job], workers: int, attempt: Attempt, emit: Emit) -> None:
    waiting = asyncio.Queue[Job]()
    for job in sessions:
        waiting.put_nowait(job)

    async def work() -> None:
        while not waiting.empty():
            await _until_done(*waiting.get_nowait(), attempt, emit)

    working = [asyncio.ensure_future(work()) for _number in range(min(workers, len(sessions)))]
    try:
        await asyncio.gather(*working)
    finally:
        for task in working:
            task.cancel()
        await asyncio.gather(*working, return_exceptions=True)


async def _until_done(plan: Plan, folder: Path, attempt: Attempt, emit: Emit) -> None:
    deaths = 0
    while True:
        status, words, progressed = await attempt(plan, folder, emit)
        if status == 0:
            return
        deaths = 1 if progressed else deaths + 1
        if deaths >= DEATHS:
            raise RecordError(
                f"The process for {plan.suites[0]} has died {deaths} times ({words or f'status {status}'}). "
                "What was done is kept: the same command goes on."
            )


async def _process(plan: Plan, folder: Path, emit: Emit) -> tuple[int, str, bool]:
    """Run a session in a process of its own; return its status, its last words, and whether it has done a task.

    Raises:
        ModelError, RecordError: what it failed with.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "agent.evaluation.worker"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=_LONGEST_LINE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    words = asyncio.ensure_future(process.stderr.read())
    failure: Exception | None = None
    progressed = False
    try:
        process.stdin.write(job_line(plan, folder).encode() + b"\n")
        async for line in process.stdout:
            event = read_event(line.decode())
            if isinstance(event, Exception):
                failure = event
            else:
                progressed = progressed or isinstance(event, TaskFinished)
                emit(event)
        status = await process.wait()
    except ValueError:
        status = -1  # it died in the middle of a line
    finally:
        await _end(process)
    if failure is not None and status == FAILED:
        raise failure
    return status, (await words).decode(errors="replace").strip()[-500:], progressed


async def _end(process: asyncio.subprocess.Process) -> None:
    """Let a process stop in its own time, then make it."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(_PATIENCE):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
