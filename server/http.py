"""The tools over Streamable HTTP on this machine only, guarded by a random token.

Three things keep others out: the socket listens on the loopback address; the SDK refuses foreign Host and Origin
headers (a web page whose name resolves to 127.0.0.1); and every request must carry the token of this start, which lies
in a file that only its owner can read.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

import uvicorn
from platformdirs import user_state_path
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from model.workspace import Workspace
from server.connections import Connections, peer_of
from server.descriptions import DescriptionSet
from server.design_server import DesignServer
from server.editor import Editor
from server.private_files import HOST, write_private

PATH = "/mcp"

_PORTS_TRIED = 20
_KEEP_ALIVE_SECONDS = 24 * 3600
"""A connection stays as long as its program keeps it: so long the program is counted as a client."""


class HttpService:
    """A running HTTP server for MCP clients; start it and stop it from the same event loop, as often as wanted.

    It builds a server of its own, so that other clients' edits never join an agent's undo step.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        port: int = 0,
        descriptions: DescriptionSet = "comprehensive",
        extended: bool = False,
        token_folder: Path | None = None,
        clients_changed: Callable[[int], None] | None = None,
    ) -> None:
        """Prepare a server; nothing listens yet.

        Args:
            port: the port that is wanted, or 0 for any.
            descriptions, extended: as for :func:`server.design_server.build_server`.
            token_folder: where the token's file is put; by default the user's state folder.
            clients_changed: called on the event loop with the number of connected clients when it has changed.
        """
        self._server = DesignServer(workspace, Editor(is_outside=True), descriptions, extended=extended)
        self.wanted_port = port
        self._token_folder = token_folder or user_state_path("blockwright")
        self._connections = Connections(clients_changed)
        self._listener: _Listener | None = None
        self._socket: socket.socket | None = None
        self._task: asyncio.Task[None] | None = None
        self.port = 0
        self.token = ""
        self.token_file: Path | None = None

    @property
    def url(self) -> str:
        """Where clients connect, once started."""
        return f"http://{HOST}:{self.port}{PATH}"

    @property
    def took_other_port(self) -> bool:
        """Whether the port that was wanted is taken and another one is served."""
        return self.wanted_port not in (0, self.port)

    @property
    def client_count(self) -> int:
        """How many clients are connected."""
        return self._connections.count

    async def start(self) -> None:
        """Listen; returns when clients can connect.

        Raises:
            OSError: no port can be had, or the token cannot be written.
        """
        if self._task is not None:
            return
        self._socket = socket_on(self.wanted_port)
        self.port = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(32)
        try:
            self.token_file = write_private(self._token_folder / f"http-{self.port}.token", self.token)
        except OSError:
            self._socket.close()
            raise
        app = _TokenGuard(
            self._server.streamable_http_app(host=HOST, streamable_http_path=PATH, json_response=True),
            self.token,
            self._connections,
        )
        self._listener = _Listener(app, self._connections)
        self._task = asyncio.create_task(self._listener.serve(sockets=[self._socket]))
        ready = asyncio.create_task(self._listener.ready.wait())
        await asyncio.wait((ready, self._task), return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._task.done():
            await self.stop()
            raise OSError("The HTTP server did not start; its log says why.")

    def show(self, workspace: Workspace) -> None:
        """Serve another workspace from the next call on; clients stay connected and are told that all has changed."""
        self._server.show(workspace)

    async def stop(self) -> None:
        """Close every connection and take the token away. Open streams are given one second."""
        if self._task is None or self._listener is None:
            return
        self._listener.should_exit = True
        task, self._task = self._task, None
        try:
            await task
        finally:
            if self._socket is not None:
                self._socket.close()
            if self.token_file is not None:
                self.token_file.unlink(missing_ok=True)


async def serve_http(
    workspace: Workspace,
    port: int,
    *,
    descriptions: DescriptionSet = "comprehensive",
    extended: bool = False,
    announce: Callable[[HttpService], None],
) -> None:
    """Serve until the program is interrupted or told to end; ``announce`` is called once clients can connect.

    Raises:
        OSError: no port can be had, or the token cannot be written.
    """
    service = HttpService(workspace, port=port, descriptions=descriptions, extended=extended)
    told_to_end = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: an interrupt cancels this coroutine instead
            asyncio.get_running_loop().add_signal_handler(number, told_to_end.set)
    await service.start()
    try:
        announce(service)
        await told_to_end.wait()
    finally:
        await service.stop()


def socket_on(port: int) -> socket.socket:
    """Return a listening loopback socket on ``port`` or, where it is taken, on the next free one.

    Raises:
        OSError: no port can be had.
    """
    following = [wanted for wanted in range(port, port + _PORTS_TRIED) if wanted < 65536] if port else []
    for wanted in [*following, 0]:
        # asyncio switches Nagle's delay off only for sockets that say they are TCP: 2 ms instead of 48 ms for a call.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, wanted))
            listening.listen(128)
        except OSError:
            listening.close()
            if wanted == 0:
                raise
            continue
        return listening
    raise AssertionError("port 0 either binds or raises")


class _Listener(uvicorn.Server):
    """Uvicorn that says when it listens, and leaves the program's logging and signals alone."""

    def __init__(self, app: ASGIApp, connections: Connections) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=connections.protocol(),
                log_config=None,
                access_log=False,
                proxy_headers=False,  # no proxy stands before it; a client must not say that it is another one
                lifespan="on",
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=1,
            )
        )
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.ready.set()

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]  # a context manager either way
        return nullcontext()


class _TokenGuard:
    """Lets only requests with the token through to ``app``."""

    def __init__(self, app: ASGIApp, token: str, connections: Connections) -> None:
        self._app = app
        self._connections = connections
        self._expected = f"Bearer {token}".encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._admits(scope):
            answer = JSONResponse(
                {
                    "error": "unauthorized",
                    "message": "Send 'Authorization: Bearer TOKEN' with the token from the file that "
                    "'blockwright serve' names when it starts. There is a new one at every start.",
                },
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await answer(scope, receive, send)
            return
        if scope["type"] == "http":
            self._connections.used(peer_of(scope), scope["headers"])
        await self._app(scope, receive, send)

    def _admits(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(given) == 1 and secrets.compare_digest(given[0], self._expected)
