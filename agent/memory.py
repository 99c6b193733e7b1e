"""What an agent remembers of earlier requests, and what it forgets when the model's context is full."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agent.models.base import Message, ToolCall, ToolSpec, Turn

LEAST_TOKENS_PER_CHARACTER = 0.25  # what words and JSON take at least, where a server's count cannot be trusted
KEPT_WHEN_FULL = 0.5  # share of the room that remains filled: dropping in bulk leaves the engine's cache of use


@dataclass(frozen=True, slots=True)
class HistoryScope:
    """How much of the conversation a request sees.

    Attributes:
        kind: ``run`` is all of it and ``task`` nothing, as in section 3.3 of the paper; ``window`` is the last
            ``length`` requests with their calls and answers; ``summary`` is one line for each earlier request.
    """

    kind: Literal["run", "task", "window", "summary"]
    length: int = 0

    @classmethod
    def parse(cls, text: str) -> HistoryScope:
        """Read ``run``, ``task``, ``summary`` or ``window:N``.

        Raises:
            ValueError: it is none of them.
        """
        plain: dict[str, HistoryScope] = {"run": cls("run"), "task": cls("task"), "summary": cls("summary")}
        if text in plain:
            return plain[text]
        if found := re.fullmatch(r"window:([1-9][0-9]{0,3})", text):
            return cls("window", int(found[1]))
        raise ValueError(f"'{text}' is not a history scope: use run, task, summary or window:N (such as window:3)")

    def __str__(self) -> str:
        return f"window:{self.length}" if self.kind == "window" else self.kind


@dataclass
class Episode:
    """One request with everything that followed.

    Attributes:
        messages: the request, calls, results and the answer.
        done: the calls that the server accepted.
    """

    messages: list[Message]
    done: list[ToolCall] = field(default_factory=list)


class Memory:
    """A conversation as a model is shown it: an opening that never changes, and the episodes in scope.

    When the next prompt would not fit, the oldest requests go, down to half of the room; where the present request
    alone is too long, its oldest calls with their results go.

    Attributes:
        episodes: the last is the present request's.
        forgotten: how many episodes have been dropped for want of room.
    """

    def __init__(self, opening: Sequence[Message], scope: HistoryScope, room: int) -> None:
        """``room``: tokens that a prompt may take, tools included."""
        self.episodes: list[Episode] = []
        self.forgotten = 0
        self._opening = list(opening)
        self._scope = scope
        self._room = room
        self._tokens_per_character = LEAST_TOKENS_PER_CHARACTER

    def begin(self, request: str) -> None:
        """Start the episode of a new request."""
        if self._scope.kind == "task":
            self.episodes.clear()
        elif self._scope.kind == "window":
            del self.episodes[: -self._scope.length]
        self.episodes.append(Episode([Message("user", request)]))

    def retract(self, requests: int) -> None:
        """Forget the latest requests as if they had never been made."""
        del self.episodes[max(len(self.episodes) - requests, 0) :]

    def add(self, message: Message) -> None:
        """Append to the present episode."""
        self.episodes[-1].messages.append(message)

    def add_result(self, call: ToolCall, text: str, *, ok: bool) -> None:
        """Append a call's result to the present episode."""
        self.add(Message("tool", text, tool_name=call.name))
        if ok:
            self.episodes[-1].done.append(call)

    def conversation(self) -> list[Message]:
        """The prompt as it is now."""
        if self._scope.kind == "summary" and len(self.episodes) > 1:
            first, *rest = self.episodes[-1].messages
            told = f"{summary(self.episodes[:-1])}\n\nRequest: {first.content}"
            return [*self._opening, Message("user", told), *rest]
        return [*self._opening, *(message for episode in self.episodes for message in episode.messages)]

    def measure(self, turn: Turn, tools: Sequence[ToolSpec]) -> None:
        """Learn from an answer to the present prompt how many tokens its characters take."""
        if turn.usage.prompt_tokens:
            measured = turn.usage.prompt_tokens / _characters(self.conversation(), tools)
            self._tokens_per_character = max(LEAST_TOKENS_PER_CHARACTER, measured)

    def make_room(self, tools: Sequence[ToolSpec]) -> bool:
        """Forget the oldest, if the next prompt would not fit.

        Returns:
            Whether something was forgotten.
        """
        return self._tokens(tools) > self._room and self.forget(tools)

    def forget(self, tools: Sequence[ToolSpec]) -> bool:
        """Forget the oldest requests, or the oldest calls of the present one; False if there is nothing to forget."""
        fixed = _characters(self._opening, tools) * self._tokens_per_character
        target = fixed + (self._room - fixed) * KEPT_WHEN_FULL
        forgot = False
        while len(self.episodes) > 1 and (not forgot or self._tokens(tools) > target):
            del self.episodes[0]
            self.forgotten += 1
            forgot = True
        present = self.episodes[-1].messages
        while len(present) > 3 and (not forgot or self._tokens(tools) > self._room):
            del present[1:3]  # a call and its result
            forgot = True
        return forgot

    def _tokens(self, tools: Sequence[ToolSpec]) -> float:
        return _characters(self.conversation(), tools) * self._tokens_per_character


def summary(episodes: Iterable[Episode]) -> str:
    """One line for each request: what was asked and which calls were made for it."""
    lines = ["Earlier in this session:"]
    for episode in episodes:
        calls = "; ".join(_written(call) for call in episode.done) or "no call"
        lines.append(f"- {' '.join(episode.messages[0].content.split())} -> {calls}")
    return "\n".join(lines)


def _written(call: ToolCall) -> str:
    return f"{call.name}({', '.join(f'{name}={value}' for name, value in call.arguments.items())})"


def _characters(messages: Iterable[Message], tools: Iterable[ToolSpec]) -> int:
    written = sum(
        len(message.content) + sum(len(call.name) + len(json.dumps(call.arguments)) for call in message.tool_calls)
        for message in messages
    )
    offered = sum(len(tool.name) + len(tool.description) + len(json.dumps(tool.parameters)) for tool in tools)
    return written + offered + 1
