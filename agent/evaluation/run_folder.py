"""A run on disk: what was run, and one line of JSON for every task that was done.

A run's folder holds ``run.json`` and one ``SUITE-REPEAT.jsonl`` for each session. A session file's first line is its
header; the others are tasks, or interruptions that were not the model's doing. Every line is on the disk before the
next task begins, so a run can be killed at any moment: a line that was torn is dropped, and its task is run again.
The file may be compressed (``.jsonl.gz``).
"""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from agent.evaluation.configuration import Configuration
from agent.evaluation.records import Interruption, Record, RunRecord, SessionHeader, TaskRecord
from model.ipxact.atomic import sync_folder

RUN_FILE = "run.json"
PACKED = ".gz"


class RecordError(Exception):
    """A run's folder cannot be used; the text says which file, why, and what to do."""


class Session:
    """One session's file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header: SessionHeader | None = None
        self.tasks: list[TaskRecord] = []
        self.interruptions: list[Interruption] = []
        if path.exists():
            self._read()

    @property
    def packed(self) -> bool:
        """Whether the file is compressed; it is written whole then, or unpacked to be continued."""
        return self.path.suffix == PACKED

    def content(self) -> bytes:
        """The file's lines, the last of which may be torn.

        Raises:
            RecordError: it cannot be read.
        """
        try:
            content = self.path.read_bytes()
            return gzip.decompress(content) if self.packed else content
        except (OSError, EOFError, zlib.error) as error:
            raise RecordError(f"{self.path} cannot be read: {error}") from error

    def _read(self) -> None:
        whole, _newline, _torn = self.content().rpartition(b"\n")
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                value = json.loads(line)
                kind = value["kind"]
                if kind == "session":
                    self.header = SessionHeader.model_validate(value)
                elif kind == "task":
                    self.tasks.append(TaskRecord.model_validate_json(line))
                else:
                    self.interruptions.append(Interruption.model_validate(value))
            except (ValueError, KeyError, TypeError, ValidationError) as error:
                raise RecordError(f"{self.path}, line {number} is not a record of a benchmark run.") from error

    def cut_torn_line(self) -> None:
        """Remove what a kill left of a line that was being written."""
        if self.packed or not self.path.exists():
            return
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) != len(content):
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
                os.fsync(file.fileno())

    def append(self, record: SessionHeader | TaskRecord | Interruption) -> None:
        """Write a line; it is on the disk when this returns.

        Raises:
            RecordError: it cannot be written, and the file is as it was before.
        """
        with _explained(self.path):
            if self.packed:
                self._move(self.path.with_suffix(""), self.content())
            new = not self.path.exists()
            left = record.model_dump_json().encode() + b"\n"
            with self.path.open("ab", buffering=0) as file:
                size = file.tell()
                try:
                    while left:
                        left = left[file.write(left) :]
                    os.fsync(file.fileno())
                except OSError:
                    file.truncate(size)
                    raise
            if new:
                sync_folder(self.path.parent)
        if isinstance(record, TaskRecord):
            self.tasks.append(record)
        elif isinstance(record, Interruption):
            self.interruptions.append(record)
        else:
            self.header = record

    def rewrite(self, tasks: Sequence[TaskRecord]) -> None:
        """Replace the records of tasks, all at once."""
        lines: list[Record] = [*([self.header] if self.header else []), *self.interruptions, *tasks]
        content = "".join(line.model_dump_json() + "\n" for line in lines).encode()
        with _explained(self.path):
            write_whole(self.path, _compressed(content) if self.packed else content)
        self.tasks = list(tasks)

    def pack(self) -> None:
        """Compress the file; the same content gives the same bytes."""
        if not self.packed:
            self.cut_torn_line()
            with _explained(self.path):
                self._move(self.path.with_name(self.path.name + PACKED), _compressed(self.content()))

    def _move(self, target: Path, content: bytes) -> None:
        """Go on in another file; a kill in between leaves both, of which the uncompressed one counts."""
        write_whole(target, content)
        self.path.unlink()
        self.path = target


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RecordError(
            f"{path} cannot be written: {error.strerror}. What was done before is kept: the same command goes on."
        ) from error


def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


class RunFolder:
    """A run's folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> RunRecord | None:
        """What is run here; None for a folder without a run.

        Raises:
            RecordError: ``run.json`` cannot be read.
        """
        file = self.path / RUN_FILE
        if not file.exists():
            return None
        try:
            return RunRecord.model_validate_json(file.read_bytes())
        except (OSError, ValidationError) as error:
            raise RecordError(f"{file} is not the description of a benchmark run.") from error

    def create(self, run: RunRecord) -> None:
        """Make the folder, or make sure that it is one of the same configuration.

        Raises:
            RecordError: it holds a run of another configuration, or files of something else.
        """
        found = self.read()
        if found is None:
            with _explained(self.path):
                self.path.mkdir(parents=True, exist_ok=True)
            if any(self.path.glob("*.jsonl*")):
                raise RecordError(f"{self.path} holds logs without their {RUN_FILE}: choose another folder.")
            with _explained(self.path):
                write_whole(self.path / RUN_FILE, run.model_dump_json(indent=2) + "\n")
        elif found.key != run.key:
            differing = ", ".join(
                f"{name} {getattr(found.configuration, name)!s}"
                for name in Configuration.model_fields
                if getattr(found.configuration, name) != getattr(run.configuration, name)
            )
            raise RecordError(
                f"{self.path} holds a run of another configuration ({differing or 'other prompt texts'}): "
                "choose another folder."
            )

    def session(self, suite: str, repeat: int) -> Session:
        """The session of a suite in a repeat, as far as it has come.

        Raises:
            RecordError: its file cannot be read.
        """
        path = self.path / f"{re.sub(r'[^A-Za-z0-9_.-]', '_', suite)}-{repeat}.jsonl"
        packed = path.with_name(path.name + PACKED)
        return Session(packed if packed.exists() and not path.exists() else path)

    def sessions(self) -> Iterator[Session]:
        """All sessions, by name.

        Raises:
            RecordError: one cannot be read.
        """
        plain = set(self.path.glob("*.jsonl"))
        packed = {path for path in self.path.glob(f"*.jsonl{PACKED}") if path.with_suffix("") not in plain}
        for path in sorted(plain | packed):
            yield Session(path)


def find_runs(folder: Path) -> list[RunFolder]:
    """The runs in a folder: itself, or those below it.

    Raises:
        RecordError: there is none.
    """
    found = [RunFolder(path.parent) for path in sorted(folder.rglob(RUN_FILE))]
    if not found:
        raise RecordError(f"There is no benchmark run in {folder}: `blockwright bench run --out {folder}` makes one.")
    return found


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that a kill leaves the old content or the new."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync_folder(path.parent)
