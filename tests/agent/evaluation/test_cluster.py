"""Sessions on a Dask cluster of separate processes, each worker with a stand-in for Ollama of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_suite import by_task
from stand_in_server import StandIn, reply

from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.events import CallMade, TaskFinished
from agent.evaluation.run import Run
from agent.evaluation.run_folder import RunFolder
from agent.evaluation.runner import Plan

pytestmark = pytest.mark.anyio

WAIT = 60


def ollama_of(stand_in: StandIn) -> None:
    stand_in.answers["/api/version"] = reply({"version": "0.99.0"})
    stand_in.answers["/api/tags"] = reply({"models": [{"model": "qwen3:4b", "size": 2_600_000_000, "digest": "abc"}]})
    stand_in.answers["/api/show"] = reply(
        {"capabilities": ["completion", "tools"], "model_info": {"qwen3.context_length": 40960}}
    )
    stand_in.answers["/api/chat"] = by_task


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Cluster:
    """A scheduler and two workers, started as a user starts them."""

    def __init__(self, folder: Path) -> None:
        self.address = f"tcp://127.0.0.1:{_free_port()}"
        self.models = [StandIn(), StandIn()]
        for model in self.models:
            ollama_of(model)
            threading.Thread(target=model.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.scheduler = self._start("scheduler", "--host", self.address, "--no-dashboard")
        self.workers = [
            self._start(
                *("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder)),
                self.address,
                OLLAMA_HOST=model.url,
            )
            for model in self.models
        ]
        self._wait_for("Scheduler at", self.scheduler)
        for worker in self.workers:
            self._wait_for("Starting established connection", worker)

    def _start(self, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments]
        return subprocess.Popen(command, env=os.environ | environment, stderr=subprocess.PIPE)

    def _wait_for(self, words: str, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None
        assert any(words in line.decode() for line in process.stderr)
        threading.Thread(target=process.stderr.read, daemon=True).start()

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.terminate()
        for process in (*self.workers, self.scheduler):
            process.wait(WAIT)
            assert process.stderr is not None
            process.stderr.close()
        for model in self.models:
            model.shutdown()
            model.server_close()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("dask"))
    yield made
    made.close()


def done(folder: Path, repeat: int) -> list[tuple[str, bool]]:
    return [(record.task.id, record.grade.perfect) for record in RunFolder(folder).session("small", repeat).tasks]


ALL = [("clk", True), ("rx", True), ("rename", True), ("look", True)]


async def test_every_worker_does_sessions_with_its_own_model(
    cluster: Cluster, ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    plan = Plan(configuration, (str(suite_file),), (1, 2))
    run = Run([(plan, tmp_path / "run")], scheduler=cluster.address)
    told: list[object] = []
    run.subscribe(told.append)
    await run.start()
    assert all(done(tmp_path / "run", repeat) == ALL for repeat in plan.repeats)
    assert all(model.bodies("/api/chat") for model in cluster.models)
    assert ollama.bodies("/api/chat") == []
    assert sum(isinstance(event, TaskFinished) for event in told) == 8
    assert sum(isinstance(event, CallMade) for event in told) == 6


async def test_a_stopped_run_is_resumed(
    cluster: Cluster, ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    run = Run([(Plan(configuration, (str(suite_file),)), tmp_path / "run")], scheduler=cluster.address)
    unsubscribe = run.subscribe(lambda event: run.stop() if isinstance(event, TaskFinished) else None)
    await run.start()
    assert (run.progress.state, 1 <= run.progress.done < 4) == ("stopped", True)
    unsubscribe()
    await run.start()
    assert done(tmp_path / "run", 1) == ALL


async def test_the_run_survives_the_death_of_a_worker(
    cluster: Cluster, ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    # The last test of the module: a worker less is left.
    for model in cluster.models:
        model.requests.clear()
    run = Run([(Plan(configuration, (str(suite_file),)), tmp_path / "run")], scheduler=cluster.address)
    killed: list[int] = []

    def kill(event: object) -> None:
        if isinstance(event, TaskFinished) and not killed:
            busy = next(number for number, model in enumerate(cluster.models) if model.bodies("/api/chat"))
            killed.append(busy)
            cluster.workers[busy].send_signal(signal.SIGKILL)

    run.subscribe(kill)
    await run.start()
    assert done(tmp_path / "run", 1) == ALL
    other = cluster.models[1 - killed[0]]
    assert other.bodies("/api/chat")


async def test_a_scheduler_that_is_not_there_is_said(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.evaluation.cluster._CONNECTING", "1s")
    run = Run([(Plan(configuration, (str(suite_file),)), tmp_path / "run")], scheduler="tcp://127.0.0.1:1")
    with pytest.raises(ConfigurationError, match=r"No Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        await run.start()
