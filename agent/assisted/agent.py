"""The agent that the product uses: plan all calls, hold them against the request, try them on a copy, then edit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from agent.assisted.aids import AIDS, Aid
from agent.assisted.attempts import Means
from agent.assisted.by_hand import edits_between
from agent.assisted.inventions import is_read
from agent.assisted.leaning import leans_on_the_conversation
from agent.assisted.planning import Planner
from agent.assisted.prompts import Exchange
from agent.host import Answer, Host, Proposes
from agent.models.base import ChatOptions, LanguageModel, Message, ToolCall, Usage
from agent.react import last_turn
from agent.toolbox import ToolResult
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace

MOST_READ = 1500  # characters of results that the model answers from; the user sees all of them
BY_HAND = "(Edited by hand, not by the agent.)"
_REJECTED = "The proposal was rejected. Nothing was changed."


@dataclass
class AssistedAgent:
    """Plans with constrained decoding and edits only what a dry run has accepted.

    Attributes:
        workspace: read for names and forked for dry runs; edited only through the host's calls.
        focus: the component that the user is looking at, if any.
        attempts: answers asked of the model for one request before it is refused.
        remembered: how many earlier exchanges stay in the prompt at least when a request leans on them; twice as many
            at most.
        aids: what is switched on, see :mod:`agent.assisted.aids`.
    """

    model: LanguageModel
    workspace: Workspace
    options: ChatOptions = field(default_factory=lambda: ChatOptions(temperature=0.0, seed=1))
    focus: Callable[[], Vlnv | None] = lambda: None
    attempts: int = 3
    remembered: int = 4
    aids: Collection[Aid] = AIDS

    def __post_init__(self) -> None:
        self.history: list[Exchange] = []
        self._begun: list[int] = []  # for each request, how long the history was before it
        self._left: Library | None = None  # what the design was after the last request

    async def run(self, request: str, host: Host) -> Answer:
        """Work on one request; see :class:`agent.host.Agent`."""
        self._begun.append(len(self.history))
        self._note_edits_of_others()
        try:
            return await self._answer(request, host)
        finally:
            self._left = self.workspace.library

    async def _answer(self, request: str, host: Host) -> Answer:
        planned = await self._planner().plan(request, self._earlier(request), host)
        if not planned.calls:
            self.history.append(Exchange(planned.request, (), planned.subjects))
            return Answer(f"Nothing was changed. {planned.refusal}", "refused", planned.usage)
        calls = await host.propose(planned.calls) if isinstance(host, Proposes) else planned.calls
        if not calls:
            return Answer(_REJECTED, "stopped", planned.usage)
        answer = await self._carry_out(calls, planned.messages, planned.usage, host)
        if len(calls) < len(planned.calls):
            answer = replace(answer, text=f"{len(calls)} of {len(planned.calls)} calls were wanted. {answer.text}")
        self.history.append(Exchange(planned.request, tuple(calls) if answer.outcome == "done" else ()))
        return answer

    async def read_ahead(self, draft: str) -> None:
        """Have the engine read what a request begins with while the user is still typing the rest.

        Reading takes longer than writing where a component is large. What is read stays known as far as the request
        that is sent in the end agrees with it.

        Raises:
            ModelError: the model cannot answer.
        """
        messages = self._planner().prompt(draft, self._earlier(draft))
        async with aclosing(self.model.chat(messages, (), replace(self.options, max_tokens=1))) as answer:
            async for _part in answer:
                pass

    def retract(self, requests: int) -> None:
        """Forget requests; see :class:`agent.host.Agent`."""
        start = max(len(self._begun) - requests, 0)
        if self._begun[start:]:
            del self.history[self._begun[start] :]
            del self._begun[start:]
        self._left = None  # the design goes back to where it was, which is nobody's edit

    def has_left(self, library: Library) -> None:
        """Take over what the design was after the last request of a recalled conversation."""
        self._left = library

    def _note_edits_of_others(self) -> None:
        if self._left is not None and (made := edits_between(self._left, self.workspace.library)):
            self.history.append(Exchange(BY_HAND, made))

    def _planner(self) -> Planner:
        means = Means(self.model, self.workspace, self.options, self.attempts, self.aids)
        return Planner(means, self.focus(), tuple(self.history))

    def _earlier(self, request: str) -> list[Exchange]:
        """The exchanges that stand in the prompt, the oldest first.

        A window that moved with every request would change what comes before it, and the engine would read it all
        again; so it grows, and is cut back from time to time.
        """
        names = {vlnv.name for vlnv in self.workspace.library.components}
        if not self.remembered or "memory" not in self.aids or not leans_on_the_conversation(request, names):
            return []
        start = max(len(self.history) // self.remembered - 1, 0) * self.remembered
        return self.history[start:]

    async def _carry_out(self, calls: Sequence[ToolCall], messages: list[Message], usage: Usage, host: Host) -> Answer:
        results: list[tuple[ToolCall, ToolResult]] = []
        for call in calls:
            result = await host.call(call)
            results.append((call, result))
            if not result.ok:
                return Answer(result.text, "refused", usage)
        reads = [(call, result) for call, result in results if is_read(call)]
        if not reads:
            return Answer(" ".join(_said(result) for _call, result in results), "done", usage)
        told = "\n".join(result.text for _call, result in reads)[:MOST_READ]
        messages.append(Message("user", f"Results:\n{told}\n\nAnswer the request in one or two plain sentences."))
        turn = await last_turn(self.model.chat(messages, (), replace(self.options, max_tokens=200)), host)
        return Answer(turn.text, "done", usage + turn.usage)


def _said(result: ToolResult) -> str:
    return str(result.data.get("message") or result.text)
