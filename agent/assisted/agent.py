"""The agent that the product uses: plan all calls, hold them against the request, try them on a copy, then edit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.assisted.evidence import asks_for, possible_tools
from agent.assisted.grounding import Grounded, ground
from agent.assisted.mentions import Mentions, is_about, mentioned_components
from agent.assisted.prompts import Exchange, conversation, objection, second_opinion
from agent.assisted.schema import answer_schema
from agent.assisted.state import state_summary
from agent.assisted.unknown import unknown_names
from agent.host import Answer, Host, Proposes
from agent.models.base import ChatOptions, LanguageModel, Message, ModelError, ToolCall, Usage
from agent.react import last_turn
from agent.toolbox import Toolbox, ToolResult
from model.elements import Component
from model.errors import DesignError
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace
from server.design_server import build_server

# Words by which a request leans on what was said before.
_BACKWARD = re.compile(
    r"\b(same|again|also|too|it|its|that|this|those|these|them|they|previous(ly)?|earlier|before|last|first|other|"
    r"others|another|like|likewise|as well|just|created|added)\b",
    re.IGNORECASE,
)
MOST_READ = 1500  # characters of results that the model answers from; the user sees all of them
_FAULT = "internal-error"  # of the program: no other answer of the model helps
_NOTHING_TO_DO = "This is not an edit or a question that the design tools can answer."
_REJECTED = "The proposal was rejected. Nothing was changed."
_FILE_TOOLS = {"save_component", "load_component"}


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the model answered, made ready to run."""

    grounded: Grounded
    refusal: str
    answer: Mapping[str, Any]

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return self.grounded.calls


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What speaks against a plan.

    Attributes:
        reasons: none where it can be carried out.
        final: asking again is pointless.
        tool: whose call the dry run refused.
    """

    reasons: tuple[str, ...] = ()
    final: bool = False
    tool: str = ""


@dataclass
class AssistedAgent:
    """Plans with constrained decoding and edits only what a dry run has accepted.

    Attributes:
        workspace: read for names and forked for dry runs; edited only through the host's calls.
        focus: the component that the user is looking at, if any.
        attempts: answers asked of the model for one request before it is refused.
        remembered: earlier exchanges that stay in the prompt when a request leans on them.
    """

    model: LanguageModel
    workspace: Workspace
    options: ChatOptions = field(default_factory=lambda: ChatOptions(temperature=0.0, seed=1))
    focus: Callable[[], Vlnv | None] = lambda: None
    attempts: int = 3
    remembered: int = 6

    def __post_init__(self) -> None:
        self.history: list[Exchange] = []
        self._begun: list[int] = []  # for each request, how long the history was before it

    async def run(self, request: str, host: Host) -> Answer:
        """Work on one request; see :class:`agent.host.Agent`."""
        self._begun.append(len(self.history))
        leans = self.remembered and _BACKWARD.search(request)
        earlier = self.history[-self.remembered :] if leans else []
        messages, plan, verdict, usage = await self._agreed_plan(request, earlier, host)
        if not plan.calls or verdict.reasons:
            self.history.append(Exchange(request, {"calls": []}))
            return Answer(_why_not(plan, verdict.reasons), "refused", usage)
        calls = await host.propose(plan.calls) if isinstance(host, Proposes) else plan.calls
        if not calls:
            return Answer(_REJECTED, "stopped", usage)
        answer = await self._carry_out(calls, messages, usage, host)
        if len(calls) < len(plan.calls):
            done = {"calls": [{"tool": call.name, **call.arguments} for call in calls]}
            answer = replace(answer, text=f"{len(calls)} of {len(plan.calls)} calls were wanted. {answer.text}")
        else:
            done = dict(plan.answer)
        self.history.append(Exchange(request, done if answer.outcome == "done" else {"calls": []}))
        return answer

    def retract(self, requests: int) -> None:
        """Forget requests; see :class:`agent.host.Agent`."""
        start = max(len(self._begun) - requests, 0)
        if self._begun[start:]:
            del self.history[self._begun[start] :]
            del self._begun[start:]

    async def _agreed_plan(
        self, request: str, earlier: Sequence[Exchange], host: Host
    ) -> tuple[list[Message], _Plan, _Verdict, Usage]:
        """Ask until a plan passes every check; return the last plan and what speaks against it."""
        library = self.workspace.library
        mentions = Mentions.of(request)
        about = mentioned_components(library, mentions, self._context(earlier))
        messages = conversation(earlier, state_summary(library, about, mentions), request)
        talk = "\n".join(f"{exchange.request}\n{json.dumps(exchange.answer)}" for exchange in earlier)
        tools = possible_tools(request, host.tools)
        usage = Usage()
        plan, verdict = _Plan(Grounded(()), "", {"calls": []}), _Verdict()
        refusal = ""
        for _attempt in range(self.attempts):
            may_refuse = not (verdict.reasons or refusal)
            schema = answer_schema(tools, library, about, mentions, may_refuse=may_refuse)
            options = replace(self.options, response_schema=schema)
            turn = await last_turn(self.model.chat(messages, (), options), host, as_thinking=True)
            usage += turn.usage
            answer = _parsed(turn.text)
            before, grounded = plan, ground(answer["calls"], host.tools, library, request, talk)
            plan = _Plan(grounded, str(answer.get("refusal", "")), answer)
            verdict = await self._judge(plan, library, mentions, about)
            messages.append(Message("assistant", turn.text))  # to the letter: the engine has it cached
            if refusal and (verdict.reasons or not all(asks_for(call.name, request) for call in plan.calls)):
                plan, verdict = _Plan(Grounded(()), refusal, {"calls": []}), _Verdict(final=True)
            elif not plan.calls and not refusal and is_about(library, mentions):
                refusal = plan.refusal or _NOTHING_TO_DO
                messages.append(second_opinion())
                continue
            if not verdict.reasons or verdict.final:
                break
            messages.append(objection(verdict.reasons))
            if plan.calls == before.calls:
                # A model that insists has taken the wrong tool more often than the wrong name.
                tools = [tool for tool in tools if tool.name != verdict.tool]
        if plan.calls and not verdict.reasons:
            for correction in plan.grounded.corrections:
                host.notice(correction)
            if plan.grounded.left_out:
                host.notice(f"Left out, since the request does not say it: {', '.join(plan.grounded.left_out)}.")
        return messages, plan, verdict, usage

    def _context(self, earlier: Sequence[Exchange]) -> list[Vlnv]:
        """What the conversation and the window are about, the most recent first."""
        found: dict[Vlnv, None] = {}
        focus = self.focus()
        if focus is not None:
            found[focus] = None
        for exchange in reversed(earlier):
            for call in exchange.answer["calls"]:
                text = call.get("component") or ":".join(
                    str(call.get(part, "")) for part in ("vendor", "library", "name", "version")
                )
                try:
                    found[Vlnv.parse(text)] = None
                except DesignError:
                    continue
        return list(found)

    async def _judge(self, plan: _Plan, library: Library, mentions: Mentions, about: Sequence[Component]) -> _Verdict:
        """Find what speaks against a plan: unknown names, invented values, a refusal on a copy of the design."""
        if not plan.calls:
            return _Verdict(final=True)
        if unknown := unknown_names(mentions, library, about, plan.calls):
            return _Verdict(tuple(unknown), final=True)
        if plan.grounded.invented:
            return _Verdict((f"The request does not say {', '.join(plan.grounded.invented)}.",))
        return await self._dry_run(plan.calls)

    async def _dry_run(self, calls: Sequence[ToolCall]) -> _Verdict:
        """Make the calls on a copy of the design; the first refusal speaks against them.

        File tools are left out: a copy has no folder, and a dry run must not write.
        """
        fork = self.workspace.fork()
        async with Toolbox.connected({"design": build_server(fork)}) as copy:
            for call in calls:
                if call.name not in _FILE_TOOLS:
                    result = await copy.call(call)
                    if not result.ok:
                        return _Verdict((f"{call.name}: {result.text}",), _FAULT in result.text, call.name)
        return _Verdict()

    async def _carry_out(self, calls: Sequence[ToolCall], messages: list[Message], usage: Usage, host: Host) -> Answer:
        results: list[tuple[ToolCall, ToolResult]] = []
        for call in calls:
            result = await host.call(call)
            results.append((call, result))
            if not result.ok:
                return Answer(result.text, "refused", usage)
        reads = [(call, result) for call, result in results if _is_read(call)]
        if not reads:
            return Answer(" ".join(_said(result) for _call, result in results), "done", usage)
        told = "\n".join(result.text for _call, result in reads)[:MOST_READ]
        messages.append(Message("user", f"Results:\n{told}\n\nAnswer the request in one or two plain sentences."))
        turn = await last_turn(self.model.chat(messages, (), replace(self.options, max_tokens=200)), host)
        return Answer(turn.text, "done", usage + turn.usage)


def _is_read(call: ToolCall) -> bool:
    return call.name in {"get_component_details", "get_element", "list_components"}


def _said(result: ToolResult) -> str:
    return str(result.data.get("message") or result.text)


def _parsed(text: str) -> dict[str, Any]:
    try:
        answer = json.loads(text)
        if not isinstance(answer["calls"], list):
            raise TypeError(text)
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(
            "bad-answer", "The model's answer broke off. Ask for less at once, or use a larger model."
        ) from error
    return dict(answer)


def _why_not(plan: _Plan, reasons: Sequence[str]) -> str:
    if plan.calls:
        return "Nothing was changed. " + " ".join(reason.partition(": ")[2] or reason for reason in reasons)
    return "Nothing was changed. " + (plan.refusal or _NOTHING_TO_DO)
