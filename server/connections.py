"""How many programs are connected over HTTP: told from their connections, as the later protocol era has no sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

CLIENT_HEADER = "Blockwright-Client"
"""With this header our own bridge says which of its connections belong together."""

MAX_HEAD = 64 * 1024
"""Most bytes of a request's headers, apart from what comes with the first of them."""

_SESSION_HEADERS = (CLIENT_HEADER.lower().encode("ascii"), b"mcp-session-id")
_LISTENS = (b"mcp-method", b"subscriptions/listen")

Peer = tuple[str, int]
Headers = Iterable[tuple[bytes, bytes]]


class Connections:
    """The open connections that have shown the token.

    Connections of one session (earlier era) or of one of our bridges are one client. A program of the later era has no
    session: each connection that it keeps is counted, and its stream of notifications not beside them.
    """

    def __init__(self, changed: Callable[[int], None] | None = None) -> None:
        """Begin with none; ``changed`` is called on the event loop with every new count."""
        self._changed = changed
        self._sessions: dict[Peer, bytes] = {}
        self._calling: set[Peer] = set()
        self._listening: set[Peer] = set()
        self._told = 0

    @property
    def count(self) -> int:
        """How many clients are connected."""
        sessionless = max(len(self._calling), 1 if self._listening else 0)
        return len(set(self._sessions.values())) + sessionless

    def used(self, peer: Peer, headers: Headers) -> None:
        """Note a request that was let through."""
        given = tuple(headers)
        session = next((value for name, value in given if name in _SESSION_HEADERS), None)
        self._forget(peer)
        if session is not None:
            self._sessions[peer] = session
        elif _LISTENS in given:
            self._listening.add(peer)
        else:
            self._calling.add(peer)
        self._tell()

    def lost(self, peer: Peer | None) -> None:
        """Note that a connection has ended."""
        if peer is not None:
            self._forget(peer)
            self._tell()

    def _forget(self, peer: Peer) -> None:
        self._sessions.pop(peer, None)
        self._calling.discard(peer)
        self._listening.discard(peer)

    def _tell(self) -> None:
        if self.count != self._told:
            self._told = self.count
            if self._changed is not None:
                self._changed(self._told)

    def protocol(self) -> type[HttpToolsProtocol]:
        """Uvicorn's protocol of one connection that tells here when the connection ends.

        It is the one that parses in C. What uvicorn's other one sees to is
        added, as it matters before the token can be looked at: headers have an end, and what follows a body is none.
        """
        connections = self

        class Connection(HttpToolsProtocol):
            _head: int | None = None  # bytes that have come of headers which are not complete

            def on_message_begin(self) -> None:
                super().on_message_begin()
                self._head = 0

            def on_header(self, name: bytes, value: bytes) -> None:
                if self._head is not None:
                    super().on_header(name, value)

            def on_headers_complete(self) -> None:
                self._head = None
                super().on_headers_complete()

            def data_received(self, data: bytes) -> None:
                begun = self._head is not None
                super().data_received(data)
                if begun and self._head is not None and not self.transport.is_closing():
                    self._head += len(data)
                    if self._head > MAX_HEAD:
                        self.send_400_response("The headers are too long.")

            def connection_lost(self, exc: Exception | None) -> None:
                super().connection_lost(exc)
                connections.lost(self.client)

        return Connection


def peer_of(scope: Any) -> Peer:
    """The other end of the connection that a request came over."""
    host, port = scope["client"]
    return host, port
