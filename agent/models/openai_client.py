"""Chat with a local server that speaks OpenAI's protocol, llama.cpp's endpoint above all."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any
from urllib.parse import urlsplit

import httpx

from agent.models.answers import Answer
from agent.models.base import ChatOptions, Delta, Message, ModelError, ToolCall, ToolSpec, Turn, Usage
from agent.models.limits import Limits, within

LOOPBACK = ("localhost", "127.0.0.1", "::1", "0.0.0.0")


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint; ``digest`` is for whoever runs the server to tell."""

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str = "",
        name: str = "",
        digest: str = "",
        limits: Limits | None = None,
    ) -> None:
        self._model = model
        self._name = name or model
        self._digest = digest
        self._limits = limits or Limits()
        self._client = httpx.AsyncClient(
            base_url=base_url,
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
            timeout=httpx.Timeout(None, connect=self._limits.connect),
            trust_env=not is_loopback(base_url),  # a proxy cannot reach this machine's own loopback
        )

    @property
    def name(self) -> str:
        """What the model is called in messages and logs."""
        return self._name

    @property
    def digest(self) -> str:
        """Digest of the weights; empty if nobody told."""
        return self._digest

    async def chat(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: ChatOptions
    ) -> AsyncGenerator[Delta | Turn, None]:
        """Stream one answer; see ``LanguageModel.chat``."""
        answer = Answer(offers_tools=bool(tools) and options.response_schema is None)
        reader = _StreamReader(answer)
        try:
            async with aclosing(self._events(_request(self._model, messages, tools, options))) as events:
                async for event in events:
                    if delta := reader.read(event):
                        yield delta
        except ContextExceeded as exceeded:
            yield Turn("", usage=Usage(prompt_tokens=exceeded.prompt_tokens), context_overflow=True)
            return
        if not reader.finished:
            raise ModelError("broken-off", f"{self._name} ended its answer half-way. Send the request again.")
        yield reader.turn()

    async def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Post to another of the server's endpoints.

        Raises:
            ModelError: as in ``chat``.
        """
        try:
            response = await self._client.post(path, json=body, timeout=self._limits.idle)
            await self._raise_for(response)
            result: dict[str, Any] = response.json()
        except (httpx.HTTPError, ValueError) as error:
            raise self._explain(error) from error
        return result

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _events(self, request: Mapping[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """The server-sent events of one answer. Leaving closes the connection, at which the server stops."""
        async with aclosing(within(self._lines(request), self._limits, self._name)) as lines:
            try:
                async for line in lines:
                    if not line.startswith("data:"):
                        continue
                    data = line.removeprefix("data:").strip()
                    if data == "[DONE]":
                        return
                    event = json.loads(data)
                    if "error" in event:
                        self._raise_error(event["error"], 0)
                    yield event
            except (httpx.HTTPError, ValueError) as error:
                raise self._explain(error) from error

    async def _lines(self, request: Mapping[str, Any]) -> AsyncGenerator[str, None]:
        async with self._client.stream("POST", "/v1/chat/completions", json=request) as response:
            await self._raise_for(response)
            async for line in response.aiter_lines():
                yield line

    async def _raise_for(self, response: httpx.Response) -> None:
        if response.is_success:
            return
        text = (await response.aread()).decode(errors="replace")
        try:
            error = json.loads(text).get("error", text)
        except (ValueError, AttributeError):
            error = text
        self._raise_error(error, response.status_code)

    def _raise_error(self, error: Any, status: int) -> None:
        details = error if isinstance(error, dict) else {"message": str(error)}
        message = str(details.get("message", details)).strip()
        status = status or int(details.get("code") or 0)
        if details.get("type") == "exceed_context_size_error":
            raise ContextExceeded(int(details.get("n_prompt_tokens") or 0))
        if status in {401, 403}:
            raise ModelError("unreachable", f"{self._name}: the server refused the key ({message}). Check the key.")
        if status == 404:
            raise ModelError("missing", f"The server has no {self._name} ({message}). Check the model's name.")
        if status in {429, 503}:
            raise ModelError("busy", f"{self._name} is busy ({message}). Wait a moment and send the request again.")
        if status == 400 and "tool" in message.lower():
            raise ModelError("no-tools", f"{self._name} cannot call tools ({message}). Choose another model.")
        raise ModelError(
            "bad-answer", f"{self._name} could not answer: {message}. Send the request again or reword it."
        )

    def _explain(self, error: Exception) -> ModelError:
        if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
            return ModelError(
                "unreachable",
                f"{self._name}: nothing answers at {self._client.base_url}. Start the server and try again.",
            )
        if isinstance(error, httpx.TimeoutException):
            return ModelError("timeout", f"{self._name} did not answer in time. Try again, or choose a smaller model.")
        if isinstance(error, httpx.TransportError):
            reason = str(error) or type(error).__name__
            return ModelError(
                "unreachable", f"{self._name}: the connection broke off ({reason}). Send the request again."
            )
        return ModelError("bad-answer", f"{self._name} sent something that cannot be read ({error}). Send it again.")


class ContextExceeded(Exception):
    """The prompt is longer than the server's context."""

    def __init__(self, prompt_tokens: int) -> None:
        self.prompt_tokens = prompt_tokens
        super().__init__(f"{prompt_tokens} tokens")


def is_loopback(url: str) -> bool:
    """Whether ``url`` points at this machine."""
    return urlsplit(url).hostname in LOOPBACK


def _request(
    model: str, messages: Sequence[Message], tools: Sequence[ToolSpec], options: ChatOptions
) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": model,
        "messages": _wire_messages(messages),
        "max_tokens": options.max_tokens,
        "stream": True,
        "stream_options": {"include_usage": True},
        "cache_prompt": True,  # llama.cpp: keep what this prompt shares with the last one
        "return_progress": True,  # llama.cpp: tell how much of the prompt has been read
    }
    if options.response_schema is not None:
        schema = {"name": "answer", "strict": True, "schema": options.response_schema}
        request["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif tools:
        request["tools"] = [wire_tool(tool) for tool in tools]
    if options.temperature is not None:
        request["temperature"] = options.temperature
    if options.seed is not None:
        request["seed"] = options.seed
    if options.stop:
        request["stop"] = list(options.stop)
    return request


def wire_tool(tool: ToolSpec) -> dict[str, Any]:
    """A tool as both OpenAI's and Ollama's protocol describe it."""
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def _wire_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Number the calls, since this protocol ties a result to its call by an id; results come in the calls' order."""
    wire: list[dict[str, Any]] = []
    made = answered = 0
    for message in messages:
        entry: dict[str, Any] = {"role": message.role, "content": message.content}
        if message.tool_calls:
            answered = made
            entry["tool_calls"] = [_wire_call(call, made + index) for index, call in enumerate(message.tool_calls)]
            made += len(message.tool_calls)
        if message.role == "tool":
            entry |= {"tool_call_id": f"call_{answered}", "name": message.tool_name}
            answered += 1
        wire.append(entry)
    return wire


def _wire_call(call: ToolCall, number: int) -> dict[str, Any]:
    function = {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)}
    return {"id": f"call_{number}", "type": "function", "function": function}


class _StreamReader:
    """Puts the pieces of a streamed answer together."""

    def __init__(self, answer: Answer) -> None:
        self.finished = False
        self._answer = answer
        self._calls: dict[int, dict[str, str]] = {}
        self._usage: Mapping[str, Any] = {}
        self._timings: Mapping[str, Any] = {}
        self._started = time.monotonic()
        self._first_token: float | None = None

    def read(self, event: Mapping[str, Any]) -> Delta | None:
        self._usage = event.get("usage") or self._usage
        self._timings = event.get("timings") or self._timings
        delta = None
        if (progress := event.get("prompt_progress")) and progress.get("total"):
            delta = Delta(prompt_read=progress["processed"] / progress["total"])
        for choice in event.get("choices") or ():
            delta = self._read_piece(choice.get("delta") or {}) or delta
            if reason := choice.get("finish_reason"):
                self.finished = True
                self._answer.truncated = reason == "length"
        return delta

    def _read_piece(self, piece: Mapping[str, Any]) -> Delta | None:
        text = piece.get("content") or ""
        thinking = piece.get("reasoning_content") or ""
        for call in piece.get("tool_calls") or ():
            collected = self._calls.setdefault(call.get("index", 0), {"name": "", "arguments": ""})
            for key in collected:
                collected[key] += (call.get("function") or {}).get(key) or ""
        if self._first_token is None and (text or thinking or self._calls):
            self._first_token = time.monotonic()
        return self._answer.add(text, thinking)

    def turn(self) -> Turn:
        for _, call in sorted(self._calls.items()):
            try:
                arguments = json.loads(call["arguments"] or "{}")
            except ValueError:
                arguments = None
            if isinstance(arguments, dict):
                self._answer.calls.append(ToolCall(call["name"], arguments))
            else:
                self._answer.broken_calls += 1
        return self._answer.turn(self._cost())

    def _cost(self) -> Usage:
        now = time.monotonic()
        first = self._first_token or now
        timings = self._timings
        details = self._usage.get("prompt_tokens_details") or {}
        return Usage(
            prompt_tokens=self._usage.get("prompt_tokens") or 0,
            cached_tokens=details.get("cached_tokens") or timings.get("cache_n") or 0,
            completion_tokens=self._usage.get("completion_tokens") or 0,
            prompt_seconds=timings["prompt_ms"] / 1000 if "prompt_ms" in timings else first - self._started,
            generation_seconds=timings["predicted_ms"] / 1000 if "predicted_ms" in timings else now - first,
        )
