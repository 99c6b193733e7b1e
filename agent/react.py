"""The paper's single agent (section 3.3, appendix A.1): reason, make one call, read its result, repeat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

from agent.host import Answer, Host
from agent.memory import HistoryScope, Memory
from agent.models.base import ChatOptions, Delta, LanguageModel, Message, Turn, Usage
from agent.models.calls import find_calls, without_calls

FORGOT = "The conversation no longer fits the model's context; its beginning was dropped."


@dataclass
class ReActAgent:
    """One call a turn until the model answers without one, or the turn limit is reached.

    Attributes:
        system_prompt: "" for the paper's variant *none*.
        history: ``run`` keeps the conversation from request to request, ``task`` starts each afresh; ``window:N`` and
            ``summary`` are in between, see :class:`agent.memory.HistoryScope`.
        max_turns: calls allowed for one request.
        calls_in_text: take a call that stands in the text in the model's own format, where the engine's parser left it.
    """

    model: LanguageModel
    options: ChatOptions = field(default_factory=ChatOptions)
    system_prompt: str = ""
    history: str = "run"
    max_turns: int = 12
    calls_in_text: bool = False

    def __post_init__(self) -> None:
        opening = [Message("system", self.system_prompt)] if self.system_prompt else []
        room = max(self.options.num_ctx - self.options.max_tokens, self.options.num_ctx // 2)
        self.memory = Memory(opening, HistoryScope.parse(self.history), room)

    async def run(self, request: str, host: Host) -> Answer:
        """Work on one request; see :class:`agent.host.Agent`."""
        self.memory.begin(request)
        usage = Usage()
        for _turn in range(self.max_turns):
            turn = await self._next_turn(host)
            usage += turn.usage
            if turn.context_overflow:
                host.notice(FORGOT)
                if not turn.text and not turn.calls:
                    return Answer("The request and its results are longer than the model's context.", "failed", usage)
            if not turn.calls:
                self.memory.add(Message("assistant", turn.text))
                return Answer(turn.text, "done", usage)
            # The paper executes the first call of a turn; the others leave the history too, or the model would wait
            # for results that never come.
            call = turn.calls[0]
            self.memory.add(Message("assistant", turn.text, (call,)))
            result = await host.call(call)
            self.memory.add_result(call, result.text, ok=result.ok)
        return Answer(
            f"Stopped after {self.max_turns} calls. What was done so far stands; undo takes it back.",
            "turn-limit",
            usage,
        )

    def retract(self, requests: int) -> None:
        """Forget requests; see :class:`agent.host.Agent`."""
        self.memory.retract(requests)

    async def _next_turn(self, host: Host) -> Turn:
        """Ask the model; where the prompt does not fit, forget the oldest and ask again."""
        if self.memory.make_room(host.tools):
            host.notice(FORGOT)
        while True:
            turn = await last_turn(self.model.chat(self.memory.conversation(), host.tools, self.options), host)
            unread = turn.context_overflow and not turn.text and not turn.calls
            if not (unread and self.memory.forget(host.tools)):
                break
            host.notice(FORGOT)
        if self.calls_in_text and not turn.calls:
            turn = replace(turn, calls=find_calls(turn.text))
        if self.calls_in_text and turn.calls:
            # A chat template writes the call out, and a call that stands there twice would be a bad example.
            turn = replace(turn, text=without_calls(turn.text))
        self.memory.measure(turn, host.tools)
        return turn


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
