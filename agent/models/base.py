"""The protocol between an agent and a language model, and the values that pass through it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told of it; ``parameters`` is a flat JSON schema of type object, ``server`` whose it is."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    server: str = "design"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model wants made."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. ``tool_name`` is set on role ``tool``: whose result this is."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_name: str = ""


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """How a turn is sampled.

    Attributes:
        temperature: None leaves the model's own default.
        num_ctx: context length in tokens; one value for a whole run, since changing it reloads the model.
        max_tokens: bound on what is generated.
        response_schema: JSON schema that the answer must match; tools are then not offered for native calls.
        stop: strings at which generation ends.
    """

    temperature: float | None = None
    seed: int | None = None
    num_ctx: int = 8192
    max_tokens: int = 1024
    response_schema: Mapping[str, Any] | None = None
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What a turn cost: tokens and seconds. ``cached_tokens`` of the prompt did not have to be read again."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    load_seconds: float = 0.0
    prompt_seconds: float = 0.0
    generation_seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.cached_tokens + other.cached_tokens,
            self.completion_tokens + other.completion_tokens,
            self.load_seconds + other.load_seconds,
            self.prompt_seconds + other.prompt_seconds,
            self.generation_seconds + other.generation_seconds,
        )


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of an answer while it streams.

    Attributes:
        prompt_read: share of the prompt that has been read so far (0 to 1), where the engine tells; else None.
    """

    text: str = ""
    thinking: str = ""
    prompt_read: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """A finished answer: the last thing that a chat yields.

    Attributes:
        calls: as the engine's own parser found them.
        truncated: generation ended at ``max_tokens`` or at the end of the context.
        context_overflow: the prompt did not fit ``num_ctx``, so the model has not seen all of it.
        lost_call: tokens were generated but no call arrived, and the text is empty or looks like a broken call.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    thinking: str = ""
    usage: Usage = field(default_factory=Usage)
    truncated: bool = False
    context_overflow: bool = False
    lost_call: bool = False


class ModelError(Exception):
    """The model cannot answer.

    Attributes:
        code: ``unreachable``, ``missing``, ``no-tools``, ``timeout``, ``busy``, ``out-of-memory``, ``bad-answer``,
            ``broken-off`` (the engine ended in the middle of an answer, or did not start),
            ``not-installed``, ``damaged`` (a weights file is not what it should be), ``no-space``.
        message: what happened and what to do next, for people.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


class LanguageModel(Protocol):
    """A model that is ready to chat."""

    @property
    def name(self) -> str:
        """``ollama:NAME`` or ``embedded:NAME``, as ``--model`` takes it."""
        ...

    @property
    def digest(self) -> str:
        """Digest of the weights, for logs."""
        ...

    def chat(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: ChatOptions
    ) -> AsyncGenerator[Delta | Turn, None]:
        """Stream one answer: any number of deltas, then one turn. Closing the iterator stops the model.

        Raises:
            ModelError: the model cannot be reached or cannot answer.
        """
        ...

    async def aclose(self) -> None:
        """Let go of connections and child processes."""
        ...


@runtime_checkable
class Prepares(Protocol):
    """A model whose engine can be made to know the beginning of a prompt before the first request comes."""

    async def prepare(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> bool:
        """Read the unchanging beginning of a prompt now, or bring it back from disk.

        Returns:
            Whether it came from disk.

        Raises:
            ModelError: as ``LanguageModel.chat``.
        """
        ...
