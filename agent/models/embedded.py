"""The embedded engine as a language model: llama.cpp in a child process, nothing to install beside Python."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from agent.models import engine, weights
from agent.models.base import ChatOptions, Delta, Message, ModelError, ToolSpec, Turn
from agent.models.calls import call_was_lost, find_calls
from agent.models.limits import Limits
from agent.models.openai_client import OpenAIModel

KEPT_PREFIXES = 4  # files of some 50 MB each
DYING = 2.0  # seconds that a process may take between closing its connections and its end


class EmbeddedModel:
    """A GGUF file, served by an engine that all models with the same file and context length share.

    The engine starts with the first chat, or with ``start``, and again if it has crashed since.
    """

    def __init__(
        self,
        name: str,
        path: Path,
        digest: str,
        num_ctx: int,
        *,
        limits: Limits | None = None,
        report: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._name = name
        self._digest = digest
        self._limits = limits or Limits()
        self._report = report
        self._prefixes = weights.cache_folder() / "prefixes" / f"{digest[:16]}-{num_ctx}-{_engine_version()}"
        self._engine = engine.acquire(engine.EngineSettings(name, path, num_ctx, self._prefixes))
        self._client: OpenAIModel | None = None
        self._connected_to = ""
        self._load_seconds = 0.0  # of a start that no chat has reported yet
        self._closed = False

    @property
    def name(self) -> str:
        """``embedded:NAME``."""
        return self._name

    @property
    def digest(self) -> str:
        """SHA-256 of the weights."""
        return self._digest

    @property
    def engine_pid(self) -> int | None:
        """Process id of the engine while it runs."""
        return self._engine.pid

    async def start(self) -> float:
        """Start the engine unless it runs.

        Returns:
            Seconds that took.

        Raises:
            ModelError: it does not start; see ``Engine.start``.
        """
        started = await asyncio.to_thread(self._engine.start, self._report)
        seconds = self._engine.load_seconds if started else 0.0
        self._load_seconds += seconds
        if self._connected_to != self._engine.url:  # it is new, or another of its users has started it anew
            await self._disconnect()
            self._connected_to = self._engine.url
            self._client = OpenAIModel(
                self._connected_to, self._name, api_key=self._engine.key, name=self._name, limits=self._limits
            )
        return seconds

    async def chat(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: ChatOptions
    ) -> AsyncGenerator[Delta | Turn, None]:
        """Stream one answer; see ``LanguageModel.chat``. The prompt's length is bound by the engine's context."""
        await self.start()
        assert self._client is not None
        try:
            async with aclosing(self._client.chat(messages, tools, options)) as answer:
                async for item in answer:
                    if isinstance(item, Delta):
                        yield item
                        continue
                    offered = bool(tools) and options.response_schema is None
                    turn = _with_written_calls(item) if offered else item
                    load_seconds, self._load_seconds = self._load_seconds, 0.0
                    yield replace(turn, usage=replace(turn.usage, load_seconds=load_seconds))
        except ModelError as error:
            raise await self._with_reason(error) from error

    async def prepare(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> bool:
        """Have the engine know a prompt's unchanging beginning, from disk if it has ever read it before.

        Reading system message and tools takes half a minute on two cores; restoring them takes milliseconds.

        Returns:
            Whether it came from disk.

        Raises:
            ModelError: as ``chat``.
        """
        name = _prefix_name(messages, tools)
        if await self.restore_prefix(name):
            return True
        load_seconds = self._load_seconds
        async with aclosing(self.chat(messages, tools, ChatOptions(max_tokens=1, temperature=0.0))) as answer:
            async for _ in answer:
                pass
        self._load_seconds = load_seconds  # for the first chat of the user's to report
        await self.save_prefix(name)
        return False

    async def save_prefix(self, name: str) -> int:
        """Keep what the engine has read and written last on disk.

        Returns:
            The number of tokens.

        Raises:
            ModelError: the engine is gone.
        """
        result = await self._slot("save", name)
        _keep_newest(self._prefixes)
        return int(result.get("n_saved") or 0)

    async def restore_prefix(self, name: str) -> bool:
        """Bring back what ``save_prefix`` kept under ``name``; False if there is nothing (any more) to bring back.

        Raises:
            ModelError: the engine does not start.
        """
        if not (self._prefixes / _file_name(name)).is_file():
            return False
        try:
            result = await self._slot("restore", name)
        except ModelError as error:
            if error.code != "bad-answer":
                raise
            (self._prefixes / _file_name(name)).unlink(missing_ok=True)  # cut short, or of another engine
            return False
        return bool(result.get("n_restored"))

    async def aclose(self) -> None:
        """Close the connection, and end the engine if nobody else uses it."""
        if self._closed:
            return
        self._closed = True
        await self._disconnect()
        await asyncio.to_thread(engine.release, self._engine)

    async def _slot(self, action: str, name: str) -> dict[str, Any]:
        await self.start()
        assert self._client is not None
        return await self._client.post(f"/slots/0?action={action}", {"filename": _file_name(name)})

    async def _disconnect(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None
            self._connected_to = ""

    async def _with_reason(self, error: ModelError) -> ModelError:
        """Say why a connection broke off if the engine has died."""
        if error.code != "unreachable":
            return error
        # A dying process closes its connections a moment before it has ended.
        reason = await asyncio.to_thread(self._engine.why_gone, DYING)
        if not reason:
            return error
        await self._disconnect()
        return ModelError(
            error.code,
            f"{self._name}: the embedded engine has ended ({reason}). Send the request again: it starts anew.",
        )


def _with_written_calls(turn: Turn) -> Turn:
    """Add calls that the model wrote in its own format and that the server's parser has left in the text."""
    calls = turn.calls or find_calls(turn.text)
    lost = call_was_lost(turn.text, calls, turn.usage.completion_tokens)
    return replace(turn, calls=calls, lost_call=lost)


def _prefix_name(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> str:
    parts = [[message.role, message.content] for message in messages]
    offered = [[tool.name, tool.description, dict(tool.parameters)] for tool in tools]
    return hashlib.sha256(json.dumps([parts, offered]).encode()).hexdigest()[:24]


def _file_name(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:24] + ".bin"


def _keep_newest(folder: Path) -> None:
    files = sorted(folder.glob("*.bin"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files[KEPT_PREFIXES:]:
        file.unlink(missing_ok=True)


def _engine_version() -> str:
    try:
        return version("xllamacpp")
    except PackageNotFoundError:
        return "none"
