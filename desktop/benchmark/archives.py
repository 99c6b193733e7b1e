"""Logs that were packed to be kept or sent: an archive of runs, or a folder whose log files are compressed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.evaluation.run_folder import RecordError

LARGEST = 4 << 30  # bytes that an archive may unpack to
_PACKERS: Mapping[str, Any] = {".gz": gzip, ".xz": lzma, ".bz2": bz2}


def is_packed(path: Path) -> bool:
    """Whether a path has to be unpacked before its logs can be read."""
    if path.is_file():
        return tarfile.is_tarfile(path) or zipfile.is_zipfile(path)
    return any(_compressed(path))


def unpack(path: Path, into: Path) -> None:
    """Put the logs of a packed path into a folder.

    Raises:
        RecordError: it cannot be unpacked, or would take too much room.
    """
    try:
        if path.is_dir():
            _unpack_folder(path, into)
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                _check(sum(member.file_size for member in archive.infolist()), path)
                archive.extractall(into)  # which keeps every name inside the folder
        else:
            with tarfile.open(path) as packed:
                _check(sum(member.size for member in packed.getmembers()), path)
                packed.extractall(into, filter="data")
        for file in _compressed(into):
            _decompress(file, file.with_suffix(""))
            file.unlink()
    except (OSError, tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, EOFError) as error:
        raise RecordError(f"{path} cannot be unpacked: {error}") from error


def _unpack_folder(folder: Path, into: Path) -> None:
    for file in folder.rglob("*.json*"):
        if file.is_file():
            target = into / file.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)


def _compressed(folder: Path) -> list[Path]:
    return [file for suffix in _PACKERS for kind in ("json", "jsonl") for file in folder.rglob(f"*.{kind}{suffix}")]


def _decompress(packed: Path, target: Path) -> None:
    read = 0
    with _PACKERS[packed.suffix].open(packed) as source, target.open("wb") as file:
        while piece := source.read(1 << 20):
            read += len(piece)
            _check(read, packed)
            file.write(piece)


def _check(size: int, path: Path) -> None:
    if size > LARGEST:
        raise RecordError(f"{path} unpacks to more than {LARGEST >> 30} GiB: unpack it yourself and open the folder.")
