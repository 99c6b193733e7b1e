"""Chat with a model that an Ollama server runs."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, cast

import httpx
import ollama
import pydantic

from agent.models.answers import Answer
from agent.models.base import ChatOptions, Delta, Message, ModelError, ToolCall, ToolSpec, Turn, Usage
from agent.models.downloads import Progress
from agent.models.limits import Limits, within
from agent.models.openai_client import is_loopback, wire_tool

DEFAULT_HOST = "http://127.0.0.1:11434"
NEARLY_FULL = 0.97  # share of num_ctx from which a prompt counts as cut: Ollama drops its front without a word
FEWEST_TOKENS_PER_CHARACTER = 1 / 8  # no prompt of words and JSON has fewer tokens than that


@dataclass(frozen=True, slots=True)
class OllamaInfo:
    """What a server tells about one of its models.

    Attributes:
        size: bytes of the weights.
        context_length: tokens, 0 if the server does not tell.
        remote: it runs on somebody else's machine, the local server only passes prompts on.
    """

    name: str
    size: int
    digest: str
    context_length: int
    supports_chat: bool
    supports_tools: bool
    remote: bool


class OllamaServer:
    """A connection to the server that OLLAMA_HOST names, or to the usual address on this machine."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        host = os.environ.get("OLLAMA_HOST") or DEFAULT_HOST
        timeout = httpx.Timeout(self.limits.idle, connect=self.limits.connect)
        local = is_loopback(host if "//" in host else f"//{host}") or host.startswith(":")
        self.client = ollama.AsyncClient(timeout=timeout, trust_env=not local)
        self.host = host

    async def models(self) -> list[OllamaInfo]:
        """The models that the server has.

        Raises:
            ModelError: ``unreachable``, ``busy``, ``timeout``, ``bad-answer``.
        """
        try:
            listed = (await self.client.list()).models
            return [await self._describe(entry) for entry in listed if entry.model]
        except _FAILURES as error:
            raise self.explain(error, "") from error

    async def info(self, name: str) -> OllamaInfo:
        """One of the server's models.

        Raises:
            ModelError: as ``models``, and ``missing``.
        """
        try:
            for entry in (await self.client.list()).models:
                if entry.model in {name, f"{name}:latest"}:
                    return await self._describe(entry)
        except _FAILURES as error:
            raise self.explain(error, name) from error
        raise self.missing(name)

    async def _describe(self, entry: ollama.ListResponse.Model) -> OllamaInfo:
        name = entry.model or ""
        shown = await self.client.show(name)
        facts = shown.modelinfo or {}
        lengths = [value for key, value in facts.items() if key.endswith(".context_length")]
        template_tools = ".Tools" in (shown.template or "")
        capabilities = shown.capabilities
        return OllamaInfo(
            name=name,
            size=int(entry.size or 0),
            digest=entry.digest or "",
            context_length=int(lengths[0]) if lengths else 0,
            supports_chat=capabilities is None or "completion" in capabilities,
            supports_tools=template_tools if capabilities is None else "tools" in capabilities,
            remote=name.endswith(("-cloud", ":cloud")),
        )

    async def version(self) -> str:
        """The server's version.

        Raises:
            ModelError: as ``models``.
        """
        client: httpx.AsyncClient = cast(Any, self.client)._client  # the package has no call for this endpoint
        try:
            return str((await client.get("/api/version")).raise_for_status().json()["version"])
        except (*_FAILURES, KeyError, TypeError) as error:
            raise self.explain(error, "") from error

    async def pull(self, name: str) -> AsyncGenerator[Progress, None]:
        """Have the server fetch a model; closing the generator stops it, and the server goes on there next time.

        Raises:
            ModelError: as ``info``.
        """
        try:
            async with aclosing(cast(_Pulls, await self.client.pull(name, stream=True))) as parts:
                async for part in parts:
                    yield Progress(part.status or "", part.completed or 0, part.total or 0)
        except _FAILURES as error:
            raise self.explain(error, name) from error

    async def aclose(self) -> None:
        """Close the connections."""
        await cast(Any, self.client).close()  # the package gives this method no types

    def missing(self, name: str) -> ModelError:
        """The error for a model that the server does not have."""
        return ModelError(
            "missing", f"Ollama has no model {name}. Fetch it with `blockwright models pull ollama:{name}`."
        )

    def explain(self, error: Exception, name: str) -> ModelError:
        """What a failure of the client means, and what to do about it."""
        if isinstance(error, ollama.ResponseError):
            return self._explain_status(error, name)
        if isinstance(error, ConnectionError | httpx.ConnectError | httpx.ConnectTimeout):
            return ModelError(
                "unreachable",
                f"No Ollama server answers at {self.host}. Start it with `ollama serve`, set OLLAMA_HOST to where it "
                "runs, or use the embedded engine (`blockwright models pull qwen2.5-coder:1.5b`).",
            )
        if isinstance(error, httpx.TimeoutException):
            return ModelError(
                "timeout", f"Ollama at {self.host} did not answer within {self.limits.idle:g} s. Try again later."
            )
        if isinstance(error, httpx.TransportError):
            reason = str(error) or type(error).__name__
            return ModelError(
                "unreachable", f"The connection to Ollama at {self.host} broke off ({reason}). Send the request again."
            )
        return ModelError(
            "bad-answer", f"Ollama at {self.host} sent something that cannot be read ({error}). Is it another program?"
        )

    def _explain_status(self, error: ollama.ResponseError, name: str) -> ModelError:
        text, status = str(error.error), error.status_code
        if status == httpx.codes.NOT_FOUND and name:
            return self.missing(name)
        if "does not support tools" in text:
            return no_tools(name)
        if status in {httpx.codes.SERVICE_UNAVAILABLE, httpx.codes.TOO_MANY_REQUESTS}:
            return ModelError("busy", f"Ollama is busy ({text}). Wait a moment and send the request again.")
        if "memory" in text:
            return ModelError("out-of-memory", f"Ollama cannot load {name} ({text}). Choose a smaller model.")
        if "has terminated" in text:
            return ModelError("broken-off", f"Ollama's engine has ended: {text}. Send the request again.")
        return ModelError("bad-answer", f"Ollama could not answer: {text}. Send the request again or reword it.")


class OllamaModel:
    """A model of an Ollama server. ``info`` was read from that server; closing the model closes the connection."""

    def __init__(self, server: OllamaServer, info: OllamaInfo) -> None:
        self._server = server
        self._info = info

    @property
    def name(self) -> str:
        """``ollama:NAME``."""
        return f"ollama:{self._info.name}"

    @property
    def digest(self) -> str:
        """Digest that the server gives."""
        return self._info.digest

    async def chat(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: ChatOptions
    ) -> AsyncGenerator[Delta | Turn, None]:
        """Stream one answer; see ``LanguageModel.chat``."""
        offered = () if options.response_schema is not None else tuple(tools)  # ``format`` suppresses tools
        if offered and not self._info.supports_tools:
            raise no_tools(self._info.name)
        answer = Answer(offers_tools=bool(offered))
        wire = [_wire_message(message) for message in messages]
        last: ollama.ChatResponse | None = None
        try:
            stream = await self._server.client.chat(
                model=self._info.name,
                messages=wire,
                tools=[wire_tool(tool) for tool in offered],
                format=cast(Any, options.response_schema),
                options=_wire_options(options),
                stream=True,
            )
            pieces = within(cast(_Chats, stream), self._server.limits, self.name)
            async with aclosing(pieces):
                async for piece in pieces:
                    last = piece
                    answer.calls += _read_calls(piece.message)
                    if delta := answer.add(piece.message.content or "", piece.message.thinking or ""):
                        yield delta
        except ollama.ResponseError as error:
            if "parsing tool call" not in str(error.error):
                raise self._server.explain(error, self._info.name) from error
            answer.broken_calls += 1  # the model's mistake, which the server answers with an error of its own
        except pydantic.ValidationError:
            answer.broken_calls += 1  # a call whose arguments are no object
        except _FAILURES as error:
            raise self._server.explain(error, self._info.name) from error
        if not answer.broken_calls and not (last and last.done):
            raise ModelError("broken-off", f"{self.name} ended its answer half-way. Send the request again.")
        answer.truncated = last is not None and last.done_reason == "length"
        usage = _cost(last)
        answer.context_overflow = _was_cut(wire, offered, usage.prompt_tokens, options.num_ctx)
        yield answer.turn(usage)

    async def aclose(self) -> None:
        """Close the connection."""
        await self._server.aclose()


_Chats = AsyncGenerator[ollama.ChatResponse, None]
_Pulls = AsyncGenerator[ollama.ProgressResponse, None]
_FAILURES = (ollama.ResponseError, httpx.HTTPError, OSError, ValueError)


def no_tools(name: str) -> ModelError:
    """The error for a model that cannot call tools."""
    return ModelError(
        "no-tools",
        f"ollama:{name} cannot call tools. Choose a model that can: `blockwright models list` shows which.",
    )


def _wire_message(message: Message) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [
            {"function": {"name": call.name, "arguments": dict(call.arguments)}} for call in message.tool_calls
        ]
    if message.tool_name:
        wire["tool_name"] = message.tool_name
    return wire


def _wire_options(options: ChatOptions) -> dict[str, Any]:
    wire: dict[str, Any] = {"num_ctx": options.num_ctx, "num_predict": options.max_tokens}
    if options.temperature is not None:
        wire["temperature"] = options.temperature
    if options.seed is not None:
        wire["seed"] = options.seed
    if options.stop:
        wire["stop"] = list(options.stop)
    return wire


def _read_calls(message: ollama.Message) -> list[ToolCall]:
    return [ToolCall(call.function.name, dict(call.function.arguments)) for call in message.tool_calls or ()]


def _cost(last: ollama.ChatResponse | None) -> Usage:
    if last is None:
        return Usage()
    return Usage(
        prompt_tokens=last.prompt_eval_count or 0,
        completion_tokens=last.eval_count or 0,
        load_seconds=(last.load_duration or 0) / 1e9,
        prompt_seconds=(last.prompt_eval_duration or 0) / 1e9,
        generation_seconds=(last.eval_duration or 0) / 1e9,
    )


def _was_cut(
    messages: Sequence[Mapping[str, Any]], tools: Sequence[ToolSpec], prompt_tokens: int, num_ctx: int
) -> bool:
    """Whether Ollama has cut the prompt: it says nothing, so judge by what it read and by what it was sent."""
    characters = len(json.dumps([*messages, *(wire_tool(tool) for tool in tools)], ensure_ascii=False))
    return prompt_tokens >= num_ctx * NEARLY_FULL or characters * FEWEST_TOKENS_PER_CHARACTER > num_ctx
