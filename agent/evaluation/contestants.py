"""The agents that a benchmark runs, and their memory in a form that can be written down and brought back."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from time import perf_counter

from agent.assisted.agent import AssistedAgent
from agent.assisted.aids import AIDS
from agent.assisted.prompts import fixed_prefix
from agent.evaluation.configuration import Configuration
from agent.evaluation.records import MessageRecord, TaskRecord, TurnRecord, UsageRecord
from agent.host import Agent
from agent.memory import Episode
from agent.models.base import ChatOptions, Delta, LanguageModel, Message, Prepares, ToolCall, ToolSpec, Turn, Usage
from agent.models.catalog import open_model
from agent.plan_and_act import PlanAndActAgent
from agent.product import product_agent
from agent.react import ReActAgent
from agent.routing import RoutingAgent
from model.library import Library
from model.workspace import Workspace


class TurnLog:
    """The answers of the models that take part in a task, in the order in which they came."""

    def __init__(self) -> None:
        self._previous: list[Message] = []
        self._turns: list[TurnRecord] = []

    def add(self, model: str, messages: list[Message], turn: Turn, seconds: float) -> None:
        """Take an answer down, and of its prompt what differs from the prompt before."""
        kept = 0
        for before, now in zip(self._previous, messages, strict=False):
            if before != now:
                break
            kept += 1
        self._previous = messages
        self._turns.append(
            TurnRecord(
                model=model,
                kept=kept,
                sent=tuple(MessageRecord.of(message) for message in messages[kept:]),
                text=turn.text,
                thinking=turn.thinking,
                calls=tuple((call.name, dict(call.arguments)) for call in turn.calls),
                usage=usage_record(turn.usage),
                truncated=turn.truncated,
                overflow=turn.context_overflow,
                lost=turn.lost_call,
                seconds=round(seconds, 4),
            )
        )

    def take(self) -> tuple[TurnRecord, ...]:
        """The turns since this was last asked."""
        turns, self._turns = tuple(self._turns), []
        return turns

    def forget(self) -> None:
        """Drop the turns of a task that will be run again; the next prompt is written down whole."""
        self._turns.clear()
        self._previous = []


class RecordedModel:
    """Passes chats on to a model and takes down what it was given and what it answered."""

    def __init__(self, model: LanguageModel, log: TurnLog) -> None:
        self._model = model
        self._log = log

    @property
    def name(self) -> str:
        """See :class:`agent.models.base.LanguageModel`."""
        return self._model.name

    @property
    def digest(self) -> str:
        """See :class:`agent.models.base.LanguageModel`."""
        return self._model.digest

    async def chat(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], options: ChatOptions
    ) -> AsyncGenerator[Delta | Turn, None]:
        """See :class:`agent.models.base.LanguageModel`.

        What an agent has heard enough of is taken down as far as it came, with the tokens and seconds until then.
        """
        started = perf_counter()
        heard: list[str] = []
        first = started
        async with aclosing(self._model.chat(messages, tools, options)) as parts:
            try:
                async for part in parts:
                    if isinstance(part, Turn):
                        self._log.add(self.name, list(messages), part, perf_counter() - started)
                    elif part.text or part.thinking:
                        first = first if heard else perf_counter()
                        heard.append(part.text)
                    yield part
            except GeneratorExit:
                now = perf_counter()
                usage = Usage(
                    completion_tokens=len(heard), prompt_seconds=first - started, generation_seconds=now - first
                )
                self._log.add(self.name, list(messages), Turn("".join(heard), usage=usage), now - started)
                raise

    async def prepare(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> None:
        """Have the engine read the unchanging beginning of the prompts, where it can.

        Raises:
            ModelError: the engine does not start.
        """
        if isinstance(self._model, Prepares):
            await self._model.prepare(messages, tools)

    async def aclose(self) -> None:
        """See :class:`agent.models.base.LanguageModel`."""
        await self._model.aclose()


def sampling(configuration: Configuration, repeat: int) -> ChatOptions:
    """The sampling options of a repeat, counted from 1."""
    temperature, seed = configuration.temperature, configuration.seed
    if configuration.mode == "assisted":  # the product decodes greedily
        temperature, seed = (0.0 if temperature is None else temperature), (1 if seed is None else seed)
    return ChatOptions(temperature, None if seed is None else seed + repeat - 1, configuration.num_ctx)


@dataclass(frozen=True, slots=True)
class Models:
    """The models of a run; the planner is the worker where a configuration names no other."""

    worker: RecordedModel
    planner: RecordedModel
    log: TurnLog

    @classmethod
    async def open(cls, configuration: Configuration) -> Models:
        """Make the models of a configuration ready.

        Raises:
            ModelError: one cannot be opened.
        """
        log = TurnLog()
        worker = RecordedModel(await open_model(configuration.model, configuration.num_ctx), log)
        if configuration.agent == "react" or configuration.planner_model in {"", configuration.model}:
            return cls(worker, worker, log)
        try:
            planner = RecordedModel(await open_model(configuration.planner_model, configuration.num_ctx), log)
        except BaseException:
            await worker.aclose()
            raise
        return cls(worker, planner, log)

    @property
    def digest(self) -> str:
        """Of the weights; the planner's after the worker's where it is another."""
        digests = [self.worker.digest] + ([self.planner.digest] if self.planner is not self.worker else [])
        return ", ".join(digests)

    async def aclose(self) -> None:
        """Let the models go."""
        await self.worker.aclose()
        if self.planner is not self.worker:
            await self.planner.aclose()


def build_agent(configuration: Configuration, models: Models, options: ChatOptions, workspace: Workspace) -> Agent:
    """Make the agent that a configuration describes, without any memory."""
    if configuration.mode == "assisted":
        agent = product_agent(models.worker, workspace, lambda: None, configuration.num_ctx, "assisted")
        assert isinstance(agent, AssistedAgent)
        agent.options = options
        agent.aids = tuple(aid for aid in AIDS if aid not in configuration.without)
        return RoutingAgent(agent)
    # Ollama parses its models' formats itself; the embedded engine's models write calls as text.
    calls_in_text = models.worker.name.startswith("embedded:")
    if configuration.agent == "plan-and-act":
        return PlanAndActAgent(
            models.worker,
            models.planner,
            options,
            configuration.planner_prompt,
            configuration.validator_prompt,
            configuration.history,
            configuration.max_turns,
            calls_in_text,
        )
    return ReActAgent(
        models.worker,
        options,
        configuration.system_prompt,
        configuration.history,
        configuration.max_turns,
        calls_in_text,
    )


async def prepare(configuration: Configuration, models: Models, tools: Sequence[ToolSpec]) -> None:
    """Have the engine read what every task's first prompt begins with, where it can.

    Raises:
        ModelError: the engine does not start.
    """
    if configuration.agent == "plan-and-act":
        return  # its prompts take turns, so none stays in the engine
    if configuration.mode == "assisted":
        await models.worker.prepare(fixed_prefix(with_examples="examples" not in configuration.without), ())
        return
    system = [Message("system", configuration.system_prompt)] if configuration.system_prompt else []
    await models.worker.prepare([*system, Message("user", "")], tools)


def starts_afresh(configuration: Configuration) -> bool:
    """Whether every task has an agent without memory."""
    return configuration.history == "task"


def remembered(agent: Agent) -> tuple[MessageRecord, ...]:
    """What the last request added to an agent's memory."""
    messages: list[Message] = []
    if isinstance(agent, RoutingAgent):
        for request, answer in agent.latest:
            messages += [Message("user", request), Message("assistant", answer)]
    elif isinstance(agent, ReActAgent | PlanAndActAgent):
        messages = agent.memory.episodes[-1].messages
    return tuple(MessageRecord.of(message) for message in messages)


def forgotten(agent: Agent) -> int:
    """How many earlier requests the agent has lost for want of room."""
    return agent.memory.forgotten if isinstance(agent, ReActAgent | PlanAndActAgent) else 0


def in_memory(agent: Agent) -> int:
    """How many requests the agent remembers."""
    if isinstance(agent, RoutingAgent):
        return len(agent.history)
    return len(agent.memory.episodes) if isinstance(agent, ReActAgent | PlanAndActAgent) else 0


def recall(agent: Agent, tasks: Sequence[TaskRecord]) -> None:
    """Give a new agent the memory that it had after these tasks."""
    if isinstance(agent, RoutingAgent):
        said = [message.content for task in tasks for message in task.messages]
        agent.recall(list(zip(said[::2], said[1::2], strict=True)))
    elif isinstance(agent, ReActAgent | PlanAndActAgent) and tasks:
        agent.memory.forgotten = tasks[-1].forgotten
        agent.memory.episodes = [
            Episode(
                [message.message() for message in task.messages],
                [ToolCall(call.tool, call.arguments) for call in task.calls if call.ok],
            )
            for task in tasks[-tasks[-1].in_memory :]
        ]


def notices_edits(agent: Agent) -> bool:
    """Whether the agent compares the design with what it was after its last request."""
    return isinstance(agent, RoutingAgent)


def has_left(agent: Agent, library: Library) -> None:
    """Tell a new agent what the design was after the last request that it remembers."""
    if isinstance(agent, RoutingAgent):
        agent.design.has_left(library)


def usage_record(usage: Usage) -> UsageRecord:
    """Take a usage down."""
    return UsageRecord(
        prompt_tokens=usage.prompt_tokens,
        cached_tokens=usage.cached_tokens,
        completion_tokens=usage.completion_tokens,
        load_seconds=round(usage.load_seconds, 4),
        prompt_seconds=round(usage.prompt_seconds, 4),
        generation_seconds=round(usage.generation_seconds, 4),
    )
