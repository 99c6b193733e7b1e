"""The commands themselves, killed with all that they have started, and called again."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from small_suite import by_task
from stand_in_server import Request, StandIn

from agent.evaluation.run_folder import find_runs

COMMAND = (sys.executable, "-c", "from desktop.cli import main; main()", "bench")
SWEEP = """
fixed: {model: "ollama:qwen3:4b", temperature: 0}
matrix: {history: [run, task]}
suites: [SUITE]
repeats: 2
"""


class Executioner:
    """Answers chats like :func:`by_task`, and kills a command when it has asked so often."""

    def __init__(self) -> None:
        self._left = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> None:
        with self._lock:
            self._left -= 1
            if self._left == 0 and self._process is not None:
                self._process.kill()
        by_task(request)

    def run(self, arguments: list[str], *, chats: int) -> int:
        """Run a command that is killed at its n-th chat; return its status."""
        with self._lock:
            self._left = chats
            self._process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL)
        return self._process.wait(120)


def tasks_done(folder: Path) -> Counter[tuple[str, int, str]]:
    """How often each task of each session is in the logs of all runs of a folder."""
    return Counter(
        (record.key, record.repeat, record.task.id)
        for run in find_runs(folder)
        for session in run.sessions()
        for record in session.tasks
    )


def workers_of(folder: Path) -> list[int]:
    """Processes that still work on a run of the folder: their command is this program's worker."""
    found: list[int] = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and b"agent.evaluation.worker" in (process / "cmdline").read_bytes():
                environment = (process / "environ").read_bytes()
                if f"KILLS={folder}".encode() in environment:
                    found.append(int(process.name))
        except OSError:
            continue
    return found


def wait_for(pids: list[int]) -> None:
    """Wait until processes of nobody have ended."""
    for pid in pids:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        with os.fdopen(descriptor) as watched:
            assert select.select([watched], [], [], 60)[0], f"process {pid} works on"


@pytest.mark.parametrize(("kind", "kills"), [("run", (2, 9)), ("sweep", (5,))])
def test_a_command_with_workers_goes_on_after_kills(
    ollama: StandIn,
    suite_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    kills: tuple[int, ...],
) -> None:
    monkeypatch.setenv("KILLS", str(tmp_path))
    executioner = Executioner()
    ollama.answers["/api/chat"] = executioner
    out = tmp_path / "out"
    if kind == "run":
        arguments = ["run", "--model", "ollama:qwen3:4b", "--suite", str(suite_file), "--repeats", "3"]
    else:
        file = tmp_path / "sweep.yaml"
        file.write_text(SWEEP.replace("SUITE", str(suite_file)))
        arguments = ["sweep", str(file)]
    arguments += ["--out", str(out), "--workers", "2"]
    for chats in kills:
        assert executioner.run(arguments, chats=chats) == -signal.SIGKILL
        wait_for(workers_of(tmp_path))
    before = tasks_done(out)
    assert 1 <= len(before) < 12
    assert executioner.run(arguments, chats=0) == 0
    after = tasks_done(out)
    assert len(after) == (12 if kind == "run" else 16)
    assert set(after.values()) == {1}
    assert before.keys() <= after.keys()
