"""Writes files so that a crash leaves the old ones or the new ones: never half of one, nor one of two.

New contents are put beside the files first. Once all of them are safely on disk, a record of what is to be replaced
says so, and only then the files are replaced, one after another. A process that dies before leaves the old files; what
one that dies later has begun, the next one to open the folder ends (:func:`finish_save`).
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from model.errors import DesignError
from model.locks import hold

_RECORD = re.compile(r"\.(.+)\.([0-9a-f]{8})\.saving")
_WHOLE = b"whole\n"


def write_files(files: Sequence[tuple[Path, bytes]]) -> None:
    """Write all files in order; none is touched before the contents of all of them are safely on disk.

    Raises:
        DesignError: ``cannot-write``; every file that was not replaced yet is unchanged.
    """
    if not files:
        return
    token = secrets.token_hex(4)
    last = files[-1][0]
    record = last.with_name(f".{last.name}.{token}.saving")
    try:
        with record.open("xb") as stream:
            hold(stream)
            # Relative, so that a folder that was moved or copied after a crash can still be put in order.
            targets = [os.path.relpath(path, record.parent) for path, _content in files]
            stream.write(json.dumps(targets).encode() + b"\n")
            stream.flush()
            for path, content in files:
                _stage(path, token, content)
            if len(files) > 1:  # a single file is replaced in one step anyway
                stream.write(_WHOLE)
                stream.flush()
                os.fsync(stream.fileno())
                sync_folder(record.parent)
            for path, _content in files:
                _staged(path, token).replace(path)
                sync_folder(path.parent)
    except OSError as error:
        raise DesignError(
            "cannot-write",
            f"{error.filename or 'The file'} cannot be written: {error.strerror or error}.",
            "Check the folder's permissions and free space, or save under another path.",
        ) from error
    finally:
        with suppress(OSError):
            for path, _content in files:
                _staged(path, token).unlink(missing_ok=True)
            record.unlink(missing_ok=True)


def _staged(path: Path, token: str) -> Path:
    """Where a new content waits: on the same file system, so that replacing is one step."""
    return path.with_name(f".{path.name}.{token}.tmp")


def _stage(path: Path, token: str, content: bytes) -> None:
    temporary = _staged(path, token)
    known = path.exists()
    mode = path.stat().st_mode & 0o777 if known else 0o666  # what others may not read, they may not read on the way
    with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    if known:
        shutil.copymode(path, temporary)


def sync_folder(folder: Path) -> None:
    """Make new names in a folder durable, where the system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A save that a process did not live to end.

    Attributes:
        files: what it was to write.
        finished: whether the files are the new ones now; else they are the old ones.
    """

    files: tuple[Path, ...]
    finished: bool


def is_save_record(name: str) -> bool:
    """Whether a file of this name may be the record of a save."""
    return _RECORD.fullmatch(name) is not None


def finish_save(record: Path, root: Path) -> Interrupted | None:
    """End what a process that died had begun, or take it back where it had not come to replacing files.

    Args:
        root: folder outside which nothing is touched, resolved.

    Returns:
        What was found; None where there was nothing to do, the process lives, or the file is no such record.

    Raises:
        OSError: the files cannot be replaced; trying again later is safe.
    """
    match = _RECORD.fullmatch(record.name)
    if match is None or record.is_symlink():
        return None
    try:
        stream = record.open("r+b")
    except FileNotFoundError:
        return None
    with stream:
        try:
            hold(stream)
        except OSError:
            return None
        listed, _, rest = stream.read().partition(b"\n")
        files = _targets(listed, record.parent, root)
        if files is None:
            return None
        waiting = [(new, path) for path in files if (new := _staged(path, match.group(2))).exists()]
        for new, path in waiting:
            if rest == _WHOLE:
                new.replace(path)
                sync_folder(path.parent)
            else:
                new.unlink()
    record.unlink(missing_ok=True)
    return Interrupted(files, rest == _WHOLE) if waiting else None


def _targets(listed: bytes, folder: Path, root: Path) -> tuple[Path, ...] | None:
    """The files that a record names: () where it was cut off, None where it is not one of ours."""
    try:
        names = json.loads(listed) if listed else []
    except ValueError:
        return ()
    if not isinstance(names, list) or not all(isinstance(name, str) and "\0" not in name for name in names):
        return None
    files = tuple(folder / name for name in names)
    inside = all(path.parent.resolve().is_relative_to(root) and path.suffix == ".xml" for path in files)
    return files if inside else None
