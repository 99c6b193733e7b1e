"""A bridge from standard input and output to a running desktop, for clients that only start child processes.

Messages pass as they are, so a client speaks with the desktop's server in whichever protocol era it likes; only the
HTTP headers that the later era asks for, and the negotiated version of the earlier one, are added here.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.inbound import (
    MCP_METHOD_HEADER,
    MCP_NAME_HEADER,
    MCP_PROTOCOL_VERSION_HEADER,
    NAME_BEARING_METHODS,
    encode_header_value,
)
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from mcp_types import PROTOCOL_VERSION_META_KEY

from server.connections import CLIENT_HEADER
from server.desktop_service import NoDesktopError, RunningDesktop
from server.standard_streams import standard_streams

_IDLE_SECONDS = 3600.0
"""How long an answer, or the next piece of a stream, may take: a person may be asked first."""


async def attach(desktop: RunningDesktop, lost: Callable[[NoDesktopError], None]) -> None:
    """Carry messages until the client closes its end.

    Args:
        lost: called when the desktop is closed meanwhile. Returning from here waits for the client, which may keep its
            end open for ever, so a program should end itself in it.

    Raises:
        NoDesktopError: the desktop does not answer.
    """
    timeout = httpx2.Timeout(_IDLE_SECONDS, connect=5.0)
    headers = {"Authorization": f"Bearer {desktop.token}", CLIENT_HEADER: secrets.token_hex(8)}
    async with httpx2.AsyncClient(headers=headers, timeout=timeout) as http:
        await _check_reachable(http, desktop)
        async with standard_streams() as (from_client, to_client):
            try:
                await _carry(desktop, http, from_client, to_client)
            except* (httpx2.TransportError, anyio.ClosedResourceError, anyio.BrokenResourceError):
                lost(NoDesktopError("The desktop no longer answers: it was closed, or its MCP server switched off."))


async def _carry(desktop: RunningDesktop, http: httpx2.AsyncClient, from_client: Any, to_client: Any) -> None:
    carrier = _Carrier()
    async with (
        streamable_http_client(desktop.url, http_client=http) as (from_desktop, to_desktop),
        anyio.create_task_group() as group,
    ):

        async def answer() -> None:
            async for message in from_desktop:
                if isinstance(message, SessionMessage):
                    carrier.learn(message)
                    await to_client.send(message)

        group.start_soon(answer)
        async for message in from_client:
            if isinstance(message, SessionMessage):
                await to_desktop.send(carrier.stamped(message))
        group.cancel_scope.cancel()


async def _check_reachable(http: httpx2.AsyncClient, desktop: RunningDesktop) -> None:
    """A file that a desktop left behind when it was killed must not look like a server that is silent."""
    try:
        status = (await http.post(desktop.url, json={}, timeout=10.0)).status_code
    except httpx2.TransportError as error:
        raise NoDesktopError(
            f"No desktop answers at {desktop.url}. Start blockwright and switch its MCP server on."
        ) from error
    if status == 401:
        raise NoDesktopError(f"Another program answers at {desktop.url}. Switch the desktop's MCP server off and on.")


class _Carrier:
    """Adds to each message what HTTP needs beside it."""

    def __init__(self) -> None:
        self._initialize: Any = None
        self._version = ""

    def stamped(self, message: SessionMessage) -> SessionMessage:
        """The message with its HTTP headers."""
        content = message.message
        if not isinstance(content, JSONRPCRequest | JSONRPCNotification):
            return self._with_version(message)
        params = content.params or {}
        if content.method == "initialize" and isinstance(content, JSONRPCRequest):
            self._initialize = content.id
            return message
        meta = params.get("_meta")
        version = meta.get(PROTOCOL_VERSION_META_KEY) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            return self._with_version(message)
        headers = {MCP_PROTOCOL_VERSION_HEADER: encode_header_value(version), MCP_METHOD_HEADER: content.method}
        name = params.get(NAME_BEARING_METHODS.get(content.method, ""))
        if isinstance(name, str):
            headers[MCP_NAME_HEADER] = encode_header_value(name)
        return SessionMessage(content, ClientMessageMetadata(headers=headers))

    def learn(self, message: SessionMessage) -> None:
        """Keep the version that the earlier era negotiates."""
        content = message.message
        if isinstance(content, JSONRPCResponse | JSONRPCError) and content.id == self._initialize is not None:
            result = content.result if isinstance(content, JSONRPCResponse) else {}
            self._version = str(result.get("protocolVersion", ""))
            self._initialize = None

    def _with_version(self, message: SessionMessage) -> SessionMessage:
        if not self._version:
            return message
        return SessionMessage(
            message.message, ClientMessageMetadata(headers={MCP_PROTOCOL_VERSION_HEADER: self._version})
        )
