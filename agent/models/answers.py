"""An answer while it is put together from what a server streams."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.models.base import Delta, ToolCall, Turn, Usage
from agent.models.calls import call_was_lost


@dataclass(slots=True)
class Answer:
    """The pieces so far.

    Attributes:
        offers_tools: the prompt offered tools, so an answer that is neither a call nor plain text has lost one.
        broken_calls: calls that arrived but cannot be read.
    """

    offers_tools: bool
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    broken_calls: int = 0
    truncated: bool = False
    context_overflow: bool = False

    def add(self, text: str, thinking: str) -> Delta | None:
        """Take a piece in and return it as a delta, if there is anything in it."""
        if text:
            self.text.append(text)
        if thinking:
            self.thinking.append(thinking)
        return Delta(text, thinking) if text or thinking else None

    def turn(self, usage: Usage) -> Turn:
        """The whole answer."""
        text = "".join(self.text)
        calls = tuple(self.calls)
        lost = self.broken_calls > 0 or call_was_lost(text, calls, usage.completion_tokens)
        return Turn(
            text,
            calls,
            thinking="".join(self.thinking),
            usage=usage,
            truncated=self.truncated,
            context_overflow=self.context_overflow,
            lost_call=self.offers_tools and lost,
        )
