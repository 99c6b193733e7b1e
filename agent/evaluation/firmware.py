"""The repository and the program that the Git and GDB servers of a suite work on, made from a description.

``resources/noise/firmware.yaml`` says what is in them. Authors, dates and texts are fixed, so the same commits have the
same hashes on every machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field

from agent.servers import ServerError

COMMIT_TIME = "1714640400 +0000"
"""When everything is committed that a task commits: 2 May 2024, 09:00 UTC, as Git and GitPython both read it."""


class _Described(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _User(_Described):
    name: str
    email: str


class _Commit(_Described):
    id: str
    branch: str
    author: str
    date: datetime
    message: str
    files: dict[str, str]
    after: str = ""
    tag: str = ""


class Firmware(_Described):
    """What ``firmware.yaml`` says.

    Attributes:
        folder: name of the repository's folder.
        program: the executable, relative to it.
        compile_arguments: of the C compiler.
        user: who commits what tasks commit.
        uncommitted: changed and new files of the working tree.
    """

    folder: str
    program: str
    compile_arguments: list[str] = Field(alias="compile")
    user: _User
    commits: list[_Commit]
    checkout: str
    uncommitted: dict[str, str]


@cache
def firmware() -> Firmware:
    """The bundled description."""
    return Firmware.model_validate(
        yaml.safe_load(files("resources").joinpath("noise", "firmware.yaml").read_text("utf-8"))
    )


def git_environment() -> dict[str, str]:
    """Variables that make Git do the same on every machine, whoever uses it and whenever."""
    user = firmware().user
    fixed = {"NAME": user.name, "EMAIL": user.email, "DATE": COMMIT_TIME}
    return {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        **{f"GIT_AUTHOR_{name}": value for name, value in fixed.items()},
        **{f"GIT_COMMITTER_{name}": value for name, value in fixed.items()},
    }


def make_firmware(parent: Path, *, repository: bool, program: bool) -> Path:
    """Make the folder in ``parent``: its files, the repository where one is wanted, and the compiled program.

    Raises:
        ServerError: Git or the C compiler is missing or fails.
    """
    described = firmware()
    folder = parent / described.folder
    folder.mkdir(parents=True)
    if repository:
        _run(["git", "init", "-q", "--template=", f"--initial-branch={described.checkout}"], folder)
        one_pack = "fastimport.unpackLimit=1"  # few files, since they are compared after every task
        _run(["git", "-c", one_pack, "fast-import", "--quiet"], folder, _history(described))
        _run(["git", "reset", "-q", "--hard"], folder)
    else:
        for commit in described.commits:
            if commit.branch == described.checkout:
                _write(folder, commit.files)
    _write(folder, described.uncommitted)
    if program:
        (folder / described.program).parent.mkdir(parents=True, exist_ok=True)
        _compile(folder, described)
    return folder


def _compile(folder: Path, described: Firmware) -> None:
    """Link statically where that is possible: gdb then has no libraries to read, which takes ten times as long."""
    command = [compiler(), *described.compile_arguments]
    try:
        _run([*command, "-static"], folder)
    except ServerError:
        _run(command, folder)


def compiler() -> str:
    """The C compiler's path.

    Raises:
        ServerError: there is none.
    """
    for name in ("cc", "gcc", "clang"):
        if found := shutil.which(name):
            return found
    raise ServerError("There is no C compiler on this machine. Install one: sudo apt-get install gcc libc6-dev")


def _write(folder: Path, contents: Mapping[str, str]) -> None:
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")


def _history(described: Firmware) -> bytes:
    """The commits as a stream for ``git fast-import``."""
    stream = bytearray()
    marks: dict[str, int] = {}
    tips: dict[str, str] = {}
    for commit in described.commits:
        mark = marks[commit.id] = len(marks) + 1
        person = f"{commit.author} {int(commit.date.timestamp())} +0000"
        stream += f"commit refs/heads/{commit.branch}\nmark :{mark}\n".encode()
        stream += f"author {person}\ncommitter {person}\n".encode() + _data(commit.message + "\n")
        before = tips.get(commit.branch) or commit.after
        if before:
            stream += f"from :{marks[before]}\n".encode()
        for name, content in commit.files.items():
            stream += f"M 100644 inline {name}\n".encode() + _data(content)
        tips[commit.branch] = commit.id
        if commit.tag:
            stream += f"reset refs/tags/{commit.tag}\nfrom :{mark}\n\n".encode()
    return bytes(stream)


def _data(text: str) -> bytes:
    content = text.encode()
    return f"data {len(content)}\n".encode() + content + b"\n"


def _run(command: list[str], folder: Path, given: bytes = b"") -> None:
    environment: dict[str, Any] = {**os.environ, **git_environment()}
    try:
        subprocess.run(command, cwd=folder, env=environment, input=given, capture_output=True, check=True, timeout=60)
    except FileNotFoundError as error:
        raise ServerError(f"There is no {command[0]} on this machine. Install it: sudo apt-get install git") from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip()
        raise ServerError(f"{' '.join(command[:2])} failed: {said}") from error
    except subprocess.TimeoutExpired as error:
        raise ServerError(f"{' '.join(command[:2])} took more than a minute.") from error
