"""The paper's multi-agent design (section 3.3, appendix A.2): planner, validator, one worker a step, synthesis."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from typing import Literal

from agent.host import Answer, Host
from agent.memory import HistoryScope, Memory
from agent.models.base import ChatOptions, Delta, LanguageModel, Message, ToolCall, ToolSpec, Usage
from agent.react import FORGOT, ReActAgent, last_turn
from agent.toolbox import ToolResult

PromptStyle = Literal["basic", "structured"]

_MOST_TOLD = 300  # characters of a result or an answer that the trace keeps
_INVALID = re.compile(r"\W*INVALID\b[\s:.*-]*(.*)", re.DOTALL | re.IGNORECASE)


@dataclass
class PlanAndActAgent:
    """Plans a request, has the plan checked, and has each step done by a fresh ReAct agent.

    Attributes:
        model: the workers'.
        planner: plans, validates and writes the answer; may be the same model.
        history: what the planner sees of earlier requests: their answers and the calls made for them.
        max_turns: calls allowed for one request, over all its workers.
    """

    model: LanguageModel
    planner: LanguageModel
    options: ChatOptions = field(default_factory=ChatOptions)
    planner_prompt: PromptStyle = "basic"
    validator_prompt: PromptStyle = "basic"
    history: str = "run"
    max_turns: int = 12
    calls_in_text: bool = False

    def __post_init__(self) -> None:
        room = max(self.options.num_ctx - self.options.max_tokens, self.options.num_ctx // 2)
        self.memory = Memory([], HistoryScope.parse(self.history), room)

    async def run(self, request: str, host: Host) -> Answer:
        """Work on one request; see :class:`agent.host.Agent`."""
        self.memory.begin(request)
        if self.memory.make_room(host.tools):
            host.notice(FORGOT)
        plan, usage = await self._checked_plan(request, host)
        steps = read_steps(plan)
        if not steps:
            answer = Answer(plan, "done", usage)
        else:
            trace, outcome, spent = await self._carry_out(steps, host)
            text, written = await self._synthesis(request, trace, host)
            answer = Answer(text, outcome, usage + spent + written)
            self.memory.episodes[-1].done += trace.done
        self.memory.add(Message("assistant", _remembered(answer.text, self.memory.episodes[-1].done)))
        return answer

    def retract(self, requests: int) -> None:
        """Forget requests; see :class:`agent.host.Agent`."""
        self.memory.retract(requests)

    async def _checked_plan(self, request: str, host: Host) -> tuple[str, Usage]:
        """Plan, have it checked, and plan once more if something speaks against it."""
        tools = tool_list(host.tools)
        asked = [Message("system", f"{_prompt('planner', self.planner_prompt)}\n{tools}"), *self.memory.conversation()]
        plan, usage = await self._think(asked, host)
        check = [
            Message("system", f"{_prompt('validator', self.validator_prompt)}\n{tools}"),
            Message("user", f"{_context(self.memory)}Request: {request}\n\nPlan:\n{plan or '(no steps)'}"),
        ]
        verdict, spent = await self._think(check, host)
        usage += spent
        if found := _INVALID.match(verdict):
            objection = f"The plan was checked and is not right: {found[1].strip() or 'see the request'}"
            again = [
                *asked,
                Message("assistant", plan),
                Message("user", f"{objection}\nWrite the whole corrected plan."),
            ]
            plan, spent = await self._think(again, host)
            usage += spent
        return plan, usage

    async def _carry_out(self, steps: Sequence[str], host: Host) -> tuple[_Trace, Literal["done", "turn-limit"], Usage]:
        trace = _Trace()
        usage = Usage()
        for number, step in enumerate(steps, 1):
            left = self.max_turns - trace.calls
            if left <= 0:
                return trace, "turn-limit", usage
            watched = _StepHost(host)
            worker = ReActAgent(self.model, self.options, _prompt("worker"), "task", left, self.calls_in_text)
            told = f"Done before:\n{trace.text()}\n\n" if trace.lines else ""
            answer = await worker.run(f"{told}Step: {step}", watched)
            usage += answer.usage
            trace.add(number, step, watched, answer)
        return trace, "done", usage

    async def _synthesis(self, request: str, trace: _Trace, host: Host) -> tuple[str, Usage]:
        messages = [
            Message("system", _prompt("synthesis")),
            Message("user", f"Request: {request}\n\nSteps:\n{trace.text()}"),
        ]
        turn = await last_turn(self.planner.chat(messages, (), self.options), host)
        return turn.text, turn.usage

    async def _think(self, messages: Sequence[Message], host: Host) -> tuple[str, Usage]:
        turn = await last_turn(self.planner.chat(messages, (), self.options), host, as_thinking=True)
        if turn.context_overflow:
            host.notice(FORGOT)
        return turn.text, turn.usage


class _Trace:
    """A compact account of the steps done: what each was, its calls, and how they ended."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.done: list[ToolCall] = []
        self.calls = 0

    def add(self, number: int, step: str, host: _StepHost, answer: Answer) -> None:
        self.lines.append(f"{number}. {step}")
        for call, result in host.made:
            self.lines.append(f"   {call.name}: {_shortened(result.text)}")
            if result.ok:
                self.done.append(call)
        if not host.made:
            self.lines.append(f"   no call: {_shortened(answer.text)}")
        self.calls += len(host.made)

    def text(self) -> str:
        return "\n".join(self.lines)


class _StepHost:
    """Makes a worker's calls through the request's host; what the worker says is not the answer."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.made: list[tuple[ToolCall, ToolResult]] = []

    @property
    def tools(self) -> Sequence[ToolSpec]:
        return self._host.tools

    async def call(self, call: ToolCall) -> ToolResult:
        result = await self._host.call(call)
        self.made.append((call, result))
        return result

    def stream(self, delta: Delta) -> None:
        self._host.stream(replace(delta, text="", thinking=delta.thinking + delta.text))

    def notice(self, text: str) -> None:
        self._host.notice(text)


def read_steps(plan: str) -> list[str]:
    """The steps of a plan; what stands before the first ``<STEP>`` is not one."""
    pieces = re.split(r"<STEP>", re.sub(r"</STEP>", "", plan, flags=re.IGNORECASE), flags=re.IGNORECASE)[1:]
    return [step for piece in pieces if (step := " ".join(piece.split()))]


def tool_list(tools: Sequence[ToolSpec]) -> str:
    """The tools for those who plan with them and do not call them: names, arguments, and what each does."""
    lines = ["", "Tools:"]
    for tool in tools:
        required = set(tool.parameters.get("required", ()))
        names = ", ".join(name if name in required else f"{name}?" for name in tool.parameters.get("properties", {}))
        lines.append(f"- {tool.name}({names}): {_first_sentence(tool.description)}")
    return "\n".join(lines)


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=\.)\s", " ".join(text.split()), maxsplit=1)[0]


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MOST_TOLD else f"{text[:_MOST_TOLD]} …"


def _remembered(answer: str, done: Sequence[ToolCall]) -> str:
    """What a later plan needs to know of a request: names that were given stand in its calls."""
    calls = [
        f"- {call.name}({', '.join(f'{name}={value}' for name, value in call.arguments.items())})" for call in done
    ]
    return "\n".join([answer, "Calls made:", *calls]) if calls else answer


def _context(memory: Memory) -> str:
    """The conversation before the present request, for the validator."""
    earlier = [message for episode in memory.episodes[:-1] for message in episode.messages]
    if not earlier:
        return ""
    return "Conversation so far:\n" + "\n".join(f"{message.role}: {message.content}" for message in earlier) + "\n\n"


def _prompt(role: str, style: str = "") -> str:
    name = f"{role}-{style}.md" if style else f"{role}.md"
    return (files("resources") / "prompts" / name).read_text("utf-8").rstrip()
