"""A model that says what a test wants it to say, and a host that keeps what was called."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from agent.models.base import ChatOptions, Delta, Message, ToolCall, ToolSpec, Turn
from agent.toolbox import Toolbox, ToolResult


class Scripted:
    """A model that gives answers one after another and keeps what it was asked."""

    name = "scripted"
    digest = ""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers = list(answers)
        self.asked: list[Sequence[Message]] = []
        self.schemas: list[Any] = []

    async def chat(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: ChatOptions
    ) -> AsyncGenerator[Delta | Turn, None]:
        self.asked.append(list(messages))
        self.schemas.append(options.response_schema)
        yield Turn(json.dumps(self.answers.pop(0)))

    async def aclose(self) -> None:
        pass


class Watching:
    """A host that makes calls at once and keeps them."""

    def __init__(self, toolbox: Toolbox) -> None:
        self.toolbox = toolbox
        self.made: list[str] = []
        self.notices: list[str] = []

    @property
    def tools(self) -> Sequence[ToolSpec]:
        return self.toolbox.specs

    async def call(self, call: ToolCall) -> ToolResult:
        self.made.append(call.name)
        return await self.toolbox.call(call)

    def stream(self, delta: Delta) -> None:
        pass

    def notice(self, text: str) -> None:
        self.notices.append(text)


def calls(*written: dict[str, Any]) -> dict[str, Any]:
    return {"calls": list(written)}
