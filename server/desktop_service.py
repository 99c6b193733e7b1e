"""What the desktop switches on so that other programs work on the design that is open, and how they find it.

While it runs, a file in the user's state folder, which only its owner can read, says where it serves and with which
token; ``blockwright serve --attach`` reads it. Of several desktops the one that was switched on last is found.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from platformdirs import user_state_path

from model.collection import loading
from model.workspace import Workspace
from server.private_files import HOST, write_private

if TYPE_CHECKING:
    from server.descriptions import DescriptionSet
    from server.http import HttpService

DESKTOP_PORT = 7391
"""The port that the desktop asks for, so that a noted address stays right; the next free one where it is taken."""


@dataclass(frozen=True, slots=True)
class RunningDesktop:
    """Where a desktop serves."""

    url: str
    token: str


class NoDesktopError(Exception):
    """No desktop serves; the text says what to do."""


class DesktopService:
    """The switch. Use it from one event loop; start and stop it as often as wanted."""

    def __init__(self, *, folder: Path | None = None, clients_changed: Callable[[int], None] | None = None) -> None:
        """Prepare; nothing listens yet.

        Args:
            folder: where the token and the address are put; by default the user's state folder.
            clients_changed: called on the event loop with the number of connected clients when it has changed.
        """
        self._clients_changed = clients_changed
        self._folder = folder or user_state_path("blockwright")
        self._http: HttpService | None = None

    @property
    def is_running(self) -> bool:
        """Whether other programs can connect."""
        return self._http is not None

    @property
    def url(self) -> str:
        """Where they connect; "" while it does not run."""
        return self._http.url if self._http else ""

    @property
    def client_count(self) -> int:
        """How many clients are connected."""
        return self._http.client_count if self._http else 0

    @property
    def token_file(self) -> Path | None:
        """The file with the token that they must send; None while it does not run."""
        return self._http.token_file if self._http else None

    @property
    def notice(self) -> str:
        """What people should know about the start, or ""."""
        if self._http is None or not self._http.took_other_port:
            return ""
        return f"Port {self._http.wanted_port} is taken by another program; the next free one is {self._http.port}."

    async def start(
        self,
        workspace: Workspace,
        *,
        port: int = DESKTOP_PORT,
        descriptions: DescriptionSet = "comprehensive",
        extended: bool = False,
    ) -> None:
        """Serve ``workspace``; does nothing but :meth:`show` where it runs already.

        Raises:
            OSError: no port can be had, or the files cannot be written.
        """
        if self._http is not None:
            self.show(workspace)
            return
        # Not before it is switched on: the MCP SDK takes a second to load.
        with loading():
            from server.http import HttpService  # noqa: PLC0415

        http = HttpService(
            workspace,
            port=port,
            descriptions=descriptions,
            extended=extended,
            token_folder=self._folder,
            clients_changed=self._clients_changed,
        )
        await http.start()
        try:
            write_private(_address_file(self._folder), json.dumps({"url": http.url, "token": http.token}))
        except OSError:
            await http.stop()
            raise
        self._http = http

    def show(self, workspace: Workspace) -> None:
        """Serve another workspace from now on: another folder was opened. Connected programs stay connected."""
        if self._http is not None:
            self._http.show(workspace)

    async def stop(self) -> None:
        """Close every connection and take address and token away."""
        http, self._http = self._http, None
        if http is None:
            return
        file = _address_file(self._folder)
        with suppress(OSError, ValueError):
            # Another desktop may have been switched on since.
            if json.loads(file.read_text("utf-8")).get("token") == http.token:
                file.unlink()
        await http.stop()


def find_desktop(folder: Path | None = None) -> RunningDesktop:
    """Read where a desktop serves.

    Raises:
        NoDesktopError: none does, or the file was not written by this user's desktop.
    """
    file = _address_file(folder or user_state_path("blockwright"))
    try:
        status = file.stat()
        said = json.loads(file.read_text("utf-8"))
        found = RunningDesktop(str(said["url"]), str(said["token"]))
    except FileNotFoundError:
        raise NoDesktopError(
            "No desktop serves. Start blockwright and switch its MCP server on, or serve a folder with --workspace."
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoDesktopError(f"{file} cannot be read ({error}). Switch the desktop's MCP server off and on.") from error
    if os.name == "posix" and (status.st_uid != os.getuid() or status.st_mode & 0o077):
        raise NoDesktopError(f"Others can write or read {file}: it is not trusted. Remove it and start again.")
    if urlsplit(found.url).hostname != HOST:
        raise NoDesktopError(f"{file} names {found.url}, which is not on this machine: it is not trusted.")
    return found


def _address_file(folder: Path) -> Path:
    return folder / "desktop.json"
