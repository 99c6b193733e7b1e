"""Writes files so that a crash leaves the old one or the new one, never half of one."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from model.errors import DesignError


def write_files(files: Sequence[tuple[Path, bytes]]) -> None:
    """Write all files in order; none is touched before the contents of all of them are safely on disk.

    Raises:
        DesignError: ``cannot-write``; every file that was not replaced yet is unchanged.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for path, content in files:
            staged.append((_stage(path, content), path))
        for temporary, path in staged:
            temporary.replace(path)
            _sync_folder(path.parent)
    except OSError as error:
        raise DesignError(
            "cannot-write",
            f"{error.filename or 'The file'} cannot be written: {error.strerror or error}.",
            "Check the folder's permissions and free space, or save under another path.",
        ) from error
    finally:
        for temporary, _path in staged:
            temporary.unlink(missing_ok=True)


def _stage(path: Path, content: bytes) -> Path:
    """Put the content beside the file, on the same file system, so that replacing is one step."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            shutil.copymode(path, temporary)
        else:
            temporary.chmod(0o666 & ~_umask())
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def _umask() -> int:
    # There is no way to ask for the mask without setting it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
