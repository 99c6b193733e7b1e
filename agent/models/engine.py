"""Start, share and end the embedded engine's process."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import secrets
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agent.models.base import ModelError

SCRIPT = Path(__file__).with_name("engine_process.py")
START_LIMIT = 180.0  # seconds; a cold disk reads a gigabyte slowly
STOP_LIMIT = 3.0
KEPT_LINES = 60
MEMORY_FACTOR = 1.9  # measured: the mapped file, and a repacked copy of most of it
MEMORY_BASE = 300_000_000  # bytes: context, buffers and the interpreter

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What makes two users share one engine.

    Attributes:
        prefixes: folder that read prompt prefixes are kept in.
    """

    name: str
    path: Path
    num_ctx: int
    prefixes: Path


class Engine:
    """One child process that serves one model.

    Attributes:
        url: where it listens; empty before it has started.
        key: what a request must bear.
        load_seconds: what the last start took.
    """

    def __init__(self, settings: EngineSettings) -> None:
        self.settings = settings
        self.url = ""
        self.key = ""
        self.load_seconds = 0.0
        self.users = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._errors: deque[str] = deque(maxlen=KEPT_LINES)

    @property
    def pid(self) -> int | None:
        """Process id while the process runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self, report: Report = lambda text: None) -> bool:
        """Start the process unless it runs, and wait until it has loaded the model. Blocks; call it in a thread.

        Returns:
            Whether it had to be started.

        Raises:
            ModelError: ``missing``, ``damaged``, ``out-of-memory``, ``not-installed``, ``timeout``.
        """
        with self._lock:
            if self.pid is not None:
                return False
            self._end()
            self._check()
            began = time.monotonic()
            size = self.settings.path.stat().st_size
            report(f"Loading {self.settings.name} ({size / 1e9:.1f} GB)")
            self._spawn()
            self.load_seconds = time.monotonic() - began
            report(f"{self.settings.name} is ready ({self.load_seconds:.1f} s)")
            return True

    def stop(self) -> None:
        """End the process; a later ``start`` begins anew."""
        process = self._process
        if process is not None and not self.url:  # do not wait until it has loaded
            process.kill()
        with self._lock:
            self._end()

    def why_gone(self, patience: float = 0.0) -> str:
        """Why the process has ended by itself, for people; empty while it runs.

        Args:
            patience: seconds to wait for the end of a process that is on its way there. Blocks that long.
        """
        process = self._process
        if process is None:
            return ""
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            return ""
        if process.returncode == -9:
            return "it was killed, most likely because the machine ran out of memory"
        return self._errors[-1] if self._errors else f"exit status {process.returncode}"

    def _check(self) -> None:
        path = self.settings.path
        if not path.is_file():
            raise ModelError(
                "missing",
                f"{self.settings.name}: there is no file {path}. Run `blockwright models pull` or give another path.",
            )
        with path.open("rb") as file:
            if file.read(4) != b"GGUF":
                raise ModelError("damaged", _damaged(self.settings, "it is not a GGUF file"))
        needed = int(path.stat().st_size * MEMORY_FACTOR) + MEMORY_BASE
        available = available_memory()
        if available is not None and available < needed:
            raise ModelError("out-of-memory", _short_of_memory(self.settings, needed, available))

    def _spawn(self) -> None:
        self.settings.prefixes.mkdir(parents=True, exist_ok=True)
        self.key = secrets.token_urlsafe(32)
        self._errors = deque(maxlen=KEPT_LINES)
        process = subprocess.Popen(
            [sys.executable, "-P", str(SCRIPT)],  # -P: nothing from the folder that the user happens to be in
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._process = process
        config = {
            "name": self.settings.name,
            "path": str(self.settings.path),
            "num_ctx": self.settings.num_ctx,
            "threads": threads(),
            "prefixes": str(self.settings.prefixes),
            "key": self.key,
        }
        first: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        readers = (
            threading.Thread(target=_read_first_line, args=(process, first), daemon=True),
            threading.Thread(target=_keep_errors, args=(process, self._errors), daemon=True),
        )
        for reader in readers:
            reader.start()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(config).encode() + b"\n")
            process.stdin.flush()
            line = first.get(timeout=START_LIMIT)
        except queue.Empty:
            self._end()
            raise ModelError(
                "timeout", f"{self.settings.name} did not load within {START_LIMIT:g} s. Try again, or a smaller model."
            ) from None
        except BrokenPipeError:
            line = b""
        if b'"url"' not in line:
            self._fail(line)
        self.url = json.loads(line)["url"]

    def _fail(self, line: bytes) -> None:
        assert self._process is not None
        status = self._process.wait()
        fact: dict[str, str] = json.loads(line) if line else {}
        log = "\n".join(self._errors)
        self._end()
        raise _explain(self.settings, fact, log, status)

    def _end(self) -> None:
        process, self._process = self._process, None
        self.url = ""
        if process is None:
            return
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def threads() -> int:
    """Cores that this process may use; llama.cpp gets slower when two of its threads share a physical core."""
    usable = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
    cores = set()
    for cpu in usable:
        siblings = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        try:
            cores.add(siblings.read_text())
        except OSError:
            cores.add(str(cpu))
    return len(cores)


def available_memory() -> int | None:
    """Bytes of memory that can be had without swapping; None where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


def _read_first_line(process: subprocess.Popen[bytes], first: queue.SimpleQueue[bytes]) -> None:
    assert process.stdout is not None
    with process.stdout as stream:
        first.put(stream.readline())
        stream.read()  # nothing more is said; hold the pipe open until the process ends


def _keep_errors(process: subprocess.Popen[bytes], errors: deque[str]) -> None:
    assert process.stderr is not None
    with process.stderr as stream:
        for line in stream:
            errors.append(line.decode(errors="replace").rstrip())


def _explain(settings: EngineSettings, fact: dict[str, str], log: str, status: int) -> ModelError:
    if fact.get("error") == "not-installed":
        return ModelError(
            "not-installed",
            f"The embedded engine cannot be loaded ({fact['details']}). Install it with `pip install xllamacpp`, or "
            "start Ollama.",
        )
    if status == -9 or "allocate" in log or "bad_alloc" in log:
        return ModelError("out-of-memory", _short_of_memory(settings, None, available_memory()))
    if "error loading model" in log or "failed to load" in log:
        reasons = [line.partition("error loading model: ")[2] for line in log.splitlines() if "loading model: " in line]
        return ModelError("damaged", _damaged(settings, reasons[-1] if reasons else "it cannot be loaded"))
    reason = log.splitlines()[-1] if log else fact.get("details") or f"exit status {status}"
    return ModelError("broken-off", f"The embedded engine did not start ({reason}). Try again, or start Ollama.")


def _damaged(settings: EngineSettings, reason: str) -> str:
    return (
        f"The weights of {settings.name} at {settings.path} are damaged ({reason}). Delete that file, then fetch it "
        f"again with `blockwright models pull {settings.name.removeprefix('embedded:')}`."
    )


def _short_of_memory(settings: EngineSettings, needed: int | None, available: int | None) -> str:
    wants = f" needs about {needed / 1e9:.1f} GB of memory" if needed else " does not fit into memory"
    has = f", and {available / 1e9:.1f} GB are free" if available is not None else ""
    return f"{settings.name}{wants}{has}. Close other programs, or choose embedded:qwen2.5-coder:0.5b."


_engines: dict[EngineSettings, Engine] = {}
_engines_lock = threading.Lock()


def acquire(settings: EngineSettings) -> Engine:
    """The engine for ``settings``, shared by all who ask; it is not started yet."""
    with _engines_lock:
        engine = _engines.setdefault(settings, Engine(settings))
        engine.users += 1
        return engine


def release(engine: Engine) -> None:
    """Give an engine back; the last one to do so ends its process."""
    with _engines_lock:
        engine.users -= 1
        if engine.users == 0:
            del _engines[engine.settings]
    if engine.users == 0:
        engine.stop()


@atexit.register
def _stop_all() -> None:
    for engine in list(_engines.values()):
        engine.stop()
