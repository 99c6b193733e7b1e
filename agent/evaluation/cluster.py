"""Runs sessions on the workers of a Dask scheduler, so that several machines with a model each share a benchmark.

On every machine::

    OLLAMA_HOST=http://127.0.0.1:11434 dask worker --nthreads 1 tcp://SCHEDULER:8786

A worker needs this program in the same version, and its environment says where its model is. It needs no common disk:
a session's file travels to the worker, and every record comes back to be written where the run was started.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import distributed

from agent.evaluation.configuration import ConfigurationError
from agent.evaluation.events import Emit, TaskFinished, TaskInterrupted
from agent.evaluation.parallel import Attempt
from agent.evaluation.run_folder import PACKED, RUN_FILE, RecordError, RunFolder, Session
from agent.evaluation.runner import Plan, begin
from agent.evaluation.suites import bundled_suites, load_suite
from agent.evaluation.worker import FAILED, job_line, read_event
from agent.models.base import ModelError

_Dask: Any = distributed  # its annotations cover a part of it only

_CONNECTING = "10s"
_WATCH = 1.0  # seconds between looks whether a job is still wanted
_PATIENCE = 20.0  # seconds for a stopped process to let its model go
_DIED = "its worker died"


@dataclass(frozen=True, slots=True)
class _Errand:
    """A session as it travels to a worker.

    Attributes:
        token: names this attempt.
        suite: the text of a suite file that the worker may not have; "" for a bundled suite.
    """

    token: str
    plan: Plan
    suite: str
    run: str
    session_name: str
    session: str


@asynccontextmanager
async def connected(scheduler: str) -> AsyncIterator[Attempt]:
    """Connect to a scheduler; what is yielded does a session on one of its workers.

    Raises:
        ConfigurationError: it does not answer, or has no workers.
    """
    try:
        client: Any = await _Dask.Client(scheduler, asynchronous=True, timeout=_CONNECTING)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"No Dask scheduler answers at {scheduler}: `dask scheduler` starts one.") from error
    async with client:
        try:
            await client.wait_for_workers(1, timeout=_CONNECTING)
        except TimeoutError as error:
            raise ConfigurationError(
                f"The Dask scheduler at {scheduler} has no workers: start one on every machine that has a model, "
                f"with `dask worker --nthreads 1 {scheduler}`."
            ) from error

        async def attempt(plan: Plan, folder: Path, emit: Emit) -> tuple[int, str, bool]:
            return await _attempt(client, plan, folder, emit)

        yield attempt


async def _attempt(client: Any, plan: Plan, folder: Path, emit: Emit) -> tuple[int, str, bool]:
    """Have a worker do what is left of a session, and write down what it sends."""
    session, errand = await asyncio.to_thread(_packed, plan, folder)
    queue = await _Dask.Queue(errand.token, client=client)
    # A worker that has died is no answer of the job, so another one gets the same job – which then says so.
    future = client.submit(_on_worker, errand, key=errand.token, pure=False)
    try:
        return await _listen(queue, future, session, emit)
    except OSError as error:
        raise ModelError("unreachable", "The Dask scheduler has gone away.") from error
    finally:
        await asyncio.shield(_forget(future, queue))


def _packed(plan: Plan, folder: Path) -> tuple[Session, _Errand]:
    source, repeat = plan.suites[0], plan.repeats[0]
    suite = load_suite(source)
    session = RunFolder(folder).session(suite.name, repeat)
    begin(plan, source, suite, session, repeat)
    return session, _Errand(
        token=f"blockwright-{uuid.uuid4()}",
        plan=plan,
        suite="" if source in bundled_suites() else Path(source).read_text("utf-8"),
        run=(folder / RUN_FILE).read_text("utf-8"),
        session_name=session.path.name.removesuffix(PACKED),
        session=session.content().decode(),
    )


async def _listen(queue: Any, future: Any, session: Session, emit: Emit) -> tuple[int, str, bool]:
    failure: Exception | None = None
    progressed = False
    while True:
        line = await _next_line(queue, future)
        value = json.loads(line)
        if value["event"] == "end":
            if failure is not None and value["status"] == FAILED:
                raise failure
            return value["status"], value["words"], progressed
        event = read_event(line)
        if isinstance(event, Exception):
            failure = event
            continue
        if isinstance(event, TaskFinished):
            session.append(event.record)
            progressed = True
        elif isinstance(event, TaskInterrupted):
            session.append(event.interruption)
        emit(event)


async def _next_line(queue: Any, future: Any) -> str:
    """What a worker sends next; what went wrong with the job itself is raised."""
    coming = asyncio.ensure_future(queue.get())
    failed = asyncio.ensure_future(_failure(future))
    try:
        await asyncio.wait({coming, failed}, return_when=asyncio.FIRST_COMPLETED)
        if coming.done():
            line: str = coming.result()
            return line
        raise RecordError(f"The cluster could not do a session: {failed.result()}")
    finally:
        coming.cancel()
        failed.cancel()


async def _failure(future: Any) -> str:
    """Wait until a job has failed; a job that ends well has sent its last line before."""
    error = await future.exception()
    if error is None:
        await asyncio.Event().wait()
    return f"{type(error).__name__}: {error}"


async def _forget(future: Any, queue: Any) -> None:
    with suppress(OSError):
        await future.cancel()
        queue.close()


def _on_worker(errand: _Errand) -> None:
    """Do a session in a process of its own and send home what it tells; runs in a thread of a Dask worker."""
    client: Any = _Dask.get_client()
    queue: Any = _Dask.Queue(errand.token, client=client)
    begun: Any = _Dask.Event(errand.token, client=client)
    if begun.is_set():
        # The worker before has died. What it did since is known only where the run was started.
        queue.put(_end(-1, _DIED))
        return
    begun.set()
    with tempfile.TemporaryDirectory(prefix="blockwright-cluster-") as name:
        folder = Path(name)
        (folder / RUN_FILE).write_text(errand.run, "utf-8")
        (folder / errand.session_name).write_text(errand.session, "utf-8")
        plan = errand.plan
        if errand.suite:
            file = folder / "suite.yaml"
            file.write_text(errand.suite, "utf-8")
            plan = replace(plan, suites=(str(file),))
        status, words = _process(job_line(plan, folder), queue)
    queue.put(_end(status, words))


def _process(job: str, queue: Any) -> tuple[int, str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.evaluation.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    words: list[bytes] = []
    ended = threading.Event()
    task = _Dask.get_worker().get_current_task()
    threads = [
        threading.Thread(target=_stop_when_unwanted, args=(_Dask.get_worker(), task, process, ended), daemon=True),
        threading.Thread(target=lambda stream: words.append(stream.read()), args=(process.stderr,), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        process.stdin.write(job.encode() + b"\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.endswith(b"\n"):
                queue.put(line.decode())
        status = process.wait()
    finally:
        ended.set()
        process.kill()
        process.wait()
        for thread in threads:
            thread.join()
        process.stdout.close()
        process.stderr.close()
    return status, b"".join(words).decode(errors="replace").strip()[-500:]


def _stop_when_unwanted(worker: Any, task: str, process: subprocess.Popen[bytes], ended: threading.Event) -> None:
    """End the process when the run was stopped, or whoever started it is gone."""
    assert process.stdin is not None
    while not ended.wait(_WATCH):
        state = worker.state.tasks.get(task)
        if state is None or state.state != "executing":
            break
    with suppress(OSError):
        process.stdin.close()
    if not ended.is_set():
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()


def _end(status: int, words: str) -> str:
    return json.dumps({"event": "end", "status": status, "words": words})
