"""Which other MCP servers an agent may use: read from a command line or from a file in the ``mcpServers`` format."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from platformdirs import user_config_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError

DESIGN = "design"
"""Name of the server of the design itself."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


def settings_file() -> Path:
    """The user's own list of other servers, which the desktop's chat uses; it need not exist."""
    return user_config_path("blockwright", appauthor=False) / "servers.json"


class ServerError(Exception):
    """A server cannot be used; the text names it, says why, and what to do next."""


@dataclass(frozen=True, slots=True)
class ServerCommand:
    """How a server is started: a command that speaks MCP on its standard input and output.

    Attributes:
        name: by which people and results call it.
        env: added to the few variables that a server is given (home, search path, language and the like).
        cwd: the folder that it works in; None is the present one.
    """

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ServerError(
                f"'{self.name}' cannot name a server: use a letter, then letters, digits, - and _, at most 32."
            )
        if self.name == DESIGN:
            raise ServerError(f"'{DESIGN}' is the server of the design itself: choose another name.")
        if not self.command:
            raise ServerError(f"The server {self.name} has no command.")

    @classmethod
    def parse(cls, text: str) -> ServerCommand:
        """Read ``NAME=COMMAND``, the command as a shell would split it.

        Raises:
            ServerError: it is not that.
        """
        name, sign, command = text.partition("=")
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ServerError(f"The command of the server {name} cannot be read: {error}.") from error
        if not sign or not words:
            raise ServerError(f"'{text}' is not NAME=COMMAND, such as git='mcp-server-git --repository .'")
        return cls(name.strip(), words[0], tuple(words[1:]))


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    command: str = ""
    args: list[str] = Field(default_factory=list)
    env: dict[str, str] = Field(default_factory=dict)
    cwd: str | None = None
    url: str = ""
    disabled: bool = False


def read_servers(file: Path) -> tuple[ServerCommand, ...]:
    """Read a file in the format of Claude Desktop and others: ``{"mcpServers": {NAME: {"command": …, "args": […]}}}``.

    ``env``, ``cwd`` and ``disabled`` are honoured; other keys are left to the programs that they are for.

    Raises:
        ServerError: the file cannot be read or is not in that format.
    """
    try:
        content: Any = json.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ServerError(f"{file} cannot be read: {error}.") from error
    except ValueError as error:
        raise ServerError(f"{file} is not JSON: {error}.") from error
    entries = content.get("mcpServers") if isinstance(content, dict) else None
    if not isinstance(entries, dict):
        raise ServerError(f'{file} has no object "mcpServers".')
    found: list[ServerCommand] = []
    for name, value in entries.items():
        try:
            entry = _Entry.model_validate(value)
        except ValidationError as error:
            fault = error.errors()[0]
            place = ".".join(str(step) for step in (name, *fault["loc"]))
            raise ServerError(f"{file}: {place}: {fault['msg']}.") from error
        if entry.disabled:
            continue
        if entry.url and not entry.command:
            raise ServerError(
                f"{file}: {name} is a server at an address; only servers that are started by a command can be used."
            )
        cwd = Path(entry.cwd).expanduser() if entry.cwd else None
        found.append(ServerCommand(name, entry.command, tuple(entry.args), entry.env, cwd))
    return tuple(found)
