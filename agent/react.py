"""The paper's single agent (section 3.3, appendix A.1): reason, make one call, read its result, repeat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Literal

from agent.host import Answer, Host
from agent.models.base import ChatOptions, Delta, LanguageModel, Message, Turn, Usage
from agent.models.calls import find_calls

HistoryScope = Literal["run", "task"]


@dataclass
class ReActAgent:
    """One call a turn until the model answers without one, or the turn limit is reached.

    Attributes:
        system_prompt: "" for the paper's variant *none*.
        history: ``run`` keeps the conversation from request to request, ``task`` starts each afresh.
        max_turns: calls allowed for one request.
        calls_in_text: take a call that stands in the text in the model's own format, where the engine's parser left it.
    """

    model: LanguageModel
    options: ChatOptions = field(default_factory=ChatOptions)
    system_prompt: str = ""
    history: HistoryScope = "run"
    max_turns: int = 12
    calls_in_text: bool = False

    def __post_init__(self) -> None:
        self.messages: list[Message] = self._opening()

    def _opening(self) -> list[Message]:
        return [Message("system", self.system_prompt)] if self.system_prompt else []

    async def run(self, request: str, host: Host) -> Answer:
        """Work on one request; see :class:`agent.host.Agent`."""
        if self.history == "task":
            self.messages = self._opening()
        self.messages.append(Message("user", request))
        usage = Usage()
        for _turn in range(self.max_turns):
            turn = await last_turn(self.model.chat(self.messages, host.tools, self.options), host)
            if self.calls_in_text and not turn.calls:
                turn = replace(turn, calls=find_calls(turn.text))
            usage += turn.usage
            if turn.context_overflow:
                host.notice("The conversation no longer fits the model's context; its beginning was dropped.")
            if not turn.calls:
                self.messages.append(Message("assistant", turn.text))
                return Answer(turn.text, "done", usage)
            # The paper executes the first call of a turn; the others leave the history too, or the model would wait
            # for results that never come.
            call = turn.calls[0]
            self.messages.append(Message("assistant", turn.text, (call,)))
            result = await host.call(call)
            self.messages.append(Message("tool", result.text, tool_name=call.name))
        return Answer(
            f"Stopped after {self.max_turns} calls. What was done so far stands; undo takes it back.",
            "turn-limit",
            usage,
        )


async def last_turn(stream: AsyncIterator[Delta | Turn], host: Host, *, as_thinking: bool = False) -> Turn:
    """Show the deltas of an answer as they come and return its final turn.

    Args:
        as_thinking: the text is not for the user to read as the answer.
    """
    turn = Turn("")
    async for part in stream:
        if isinstance(part, Turn):
            turn = part
        elif as_thinking:
            host.stream(replace(part, text="", thinking=part.thinking + part.text))
        else:
            host.stream(part)
    return replace(turn, text=turn.text.strip())
