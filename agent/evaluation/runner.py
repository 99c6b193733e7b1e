"""Runs a configuration over suites by the paper's protocol (section 3.5), one session after the other.

A session is one suite in one repeat: its tasks in order, the canonical state restored after each. What has been done
is read back from the run's folder, so the same call goes on where a run was stopped or killed.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from agent.evaluation.configuration import Configuration, ConfigurationError
from agent.evaluation.contestants import (
    Models,
    build_agent,
    forgotten,
    has_left,
    in_memory,
    notices_edits,
    prepare,
    recall,
    remembered,
    sampling,
    starts_afresh,
    usage_record,
)
from agent.evaluation.events import CallMade, Emit, SessionStarted, TaskFinished, TaskInterrupted, TaskStarted
from agent.evaluation.grading import grade
from agent.evaluation.records import (
    Interruption,
    MadeCallRecord,
    RunRecord,
    SessionHeader,
    StateRecord,
    TaskRecord,
    TurnRecord,
)
from agent.evaluation.run_folder import RecordError, RunFolder, Session
from agent.evaluation.scoring import MadeCall
from agent.evaluation.stages import Stage, lay_out
from agent.evaluation.state import state_difference
from agent.evaluation.suites import Suite, SuiteError, Task, load_suite
from agent.evaluation.surroundings import Surroundings, missing, tool_versions
from agent.evaluation.versions import versions
from agent.host import Agent, Answer
from agent.models.base import ChatOptions, Delta, ModelError, ToolCall, ToolSpec, Usage
from agent.servers import ServerError
from agent.toolbox import Toolbox, ToolResult
from model.library import Library

INFRASTRUCTURE = frozenset({"unreachable", "timeout", "busy", "out-of-memory", "broken-off"})
"""Codes of model errors that say nothing about the model: the task is run again and never scored."""
FAULTS_OF_THE_MODEL = frozenset({"bad-answer"})
RETRY_WAITS = (2.0, 15.0, 60.0)  # seconds before a task that was interrupted is run again


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run.

    Attributes:
        suites: bundled names or paths.
        repeats: which repeats, counted from 1.
        tasks: positions in each suite, counted from 1; None is all of them.
        tasks_of: positions in those suites, by name, for which they differ.
    """

    configuration: Configuration
    suites: tuple[str, ...]
    repeats: tuple[int, ...] = (1,)
    tasks: frozenset[int] | None = None
    tasks_of: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def selected(self, suite: Suite) -> list[Task]:
        """The tasks of a suite that are run, in order."""
        chosen = self.tasks_of.get(suite.name, self.tasks)
        return [task for position, task in enumerate(suite.tasks, 1) if chosen is None or position in chosen]


def parse_tasks(text: str) -> frozenset[int]:
    """Read positions such as ``1-10`` or ``3,5,8-12``.

    Raises:
        ConfigurationError: it is not that.
    """
    chosen: set[int] = set()
    for part in text.split(","):
        found = re.fullmatch(r"\s*([1-9][0-9]*)(?:\s*-\s*([1-9][0-9]*))?\s*", part)
        if not found or int(found[2] or found[1]) < int(found[1]):
            raise ConfigurationError(f"'{text}' does not select tasks: write positions such as 1-10 or 3,5,8-12.")
        chosen.update(range(int(found[1]), int(found[2] or found[1]) + 1))
    return frozenset(chosen)


async def run(plan: Plan, folder: Path, emit: Emit = lambda event: None) -> None:
    """Run what is left of a plan; a cancelled or killed run is continued by the same call.

    Raises:
        ConfigurationError, SuiteError, RecordError: the plan does not fit itself, a suite, or the folder.
        ModelError: the model cannot be opened, or went away for longer than is waited for.
    """
    configuration = plan.configuration
    target, found = await prepare_folder(plan, folder)
    suites = [(source, load_suite(source)) for source in plan.suites]
    models: Models | None = None
    try:
        for repeat in plan.repeats:
            for source, suite in suites:
                session = target.session(suite.name, repeat)
                left = begin(plan, source, suite, session, repeat)
                if not left:
                    total = len(plan.selected(suite))
                    emit(SessionStarted(configuration.key, suite.name, repeat, total, total))
                    continue
                if models is None:
                    models = await Models.open(configuration)
                await _SessionRun(plan, suite, session, repeat, models, found, emit).go(left)
    finally:
        if models is not None:
            await models.aclose()


async def prepare_folder(plan: Plan, folder: Path) -> tuple[RunFolder, dict[str, str]]:
    """Check a plan and make its folder, or make sure that the one there is of the same configuration.

    Returns:
        The folder, and the versions of everything that takes part.

    Raises:
        ConfigurationError, SuiteError, RecordError: see :func:`run`.
    """
    for source in plan.suites:
        suite = load_suite(source)
        if not plan.selected(suite):
            raise ConfigurationError(f"The suite {suite.name} has just {len(suite.tasks)} tasks: choose among those.")
        for server, reason in (await asyncio.to_thread(missing, suite.servers)).items():
            raise ConfigurationError(f"The suite {suite.name} needs the server {server}. {reason}")
    configuration = plan.configuration
    found = await versions(configuration.model)
    target = RunFolder(folder)
    target.create(RunRecord(key=configuration.key, configuration=configuration, created=_now(), versions=found))
    return target, found


def begin(plan: Plan, source: str, suite: Suite, session: Session, repeat: int) -> list[Task]:
    """Begin a session's file, or clear away what a kill has left in it, and return the tasks that are still to do.

    Raises:
        RecordError: the session was begun in a way that cannot be continued.
    """
    digest = hashlib.sha256(suite.model_dump_json().encode()).hexdigest()[:16]
    session.cut_torn_line()
    if session.header is None:
        seed = sampling(plan.configuration, repeat).seed
        header = SessionHeader(
            key=plan.configuration.key,
            suite=suite.name,
            suite_source=source,
            suite_digest=digest,
            repeat=repeat,
            seed=seed,
        )
        session.append(header)
    elif session.header.suite_digest != digest:
        raise RecordError(
            f"{session.path} was begun with another version of the suite {suite.name}: choose another folder."
        )
    selected = plan.selected(suite)
    done = [record.task.id for record in session.tasks]
    left = [task for task in selected if task.id not in done]
    if left and not starts_afresh(plan.configuration) and done != [task.id for task in selected[: len(done)]]:
        raise RecordError(
            f"{session.path} holds other tasks than the first ones selected, and with history "
            f"{plan.configuration.history} their order matters: choose another folder, or all tasks."
        )
    return left


class _SessionRun:
    """One session while it runs."""

    def __init__(
        self,
        plan: Plan,
        suite: Suite,
        session: Session,
        repeat: int,
        models: Models,
        versions: dict[str, str],
        emit: Emit,
    ) -> None:
        self._configuration = plan.configuration
        self._suite = suite
        self._total = len(plan.selected(suite))
        self._session = session
        self._repeat = repeat
        self._models = models
        self._versions = versions | tool_versions(suite.servers)
        self._emit = emit
        self._options: ChatOptions = sampling(plan.configuration, repeat)
        self._id = (plan.configuration.key, suite.name, repeat)

    async def go(self, left: Sequence[Task]) -> None:
        with tempfile.TemporaryDirectory(prefix="blockwright-bench-") as folder:
            try:
                async with Surroundings.opened(self._suite.servers, Path(folder), self._configuration.tools) as around:
                    done = self._total - len(left)
                    self._emit(SessionStarted(*self._id, done, self._total, around.workspace))
                    await self._work(left, around)
            except ServerError as error:
                raise SuiteError(f"{self._suite.name}: {error}") from error

    async def _work(self, left: Sequence[Task], around: Surroundings) -> None:
        stages = await lay_out(self._suite, around)
        await prepare(self._configuration, self._models, around.tools.specs)
        agent: Agent | None = None
        ids = {task.id for task in left}
        for index, stage in enumerate(stages):
            if stage.task.id in ids:
                if agent is None or starts_afresh(self._configuration):
                    agent = await self._new_agent(stages, around)
                agent = await self._until_done(index, stages, agent, around)

    async def _new_agent(self, stages: Sequence[Stage], around: Surroundings) -> Agent:
        agent = build_agent(self._configuration, self._models, self._options, around.workspace)
        if not starts_afresh(self._configuration):
            recall(agent, self._session.tasks)
            if self._session.tasks and notices_edits(agent):
                has_left(agent, await _library_after(self._session.tasks[-1], stages, around))
        return agent

    async def _until_done(self, index: int, stages: Sequence[Stage], agent: Agent, around: Surroundings) -> Agent:
        """Do a task, again and again where its infrastructure fails; return the agent that did it."""
        stage = stages[index]
        for wait in (*RETRY_WAITS, None):
            began = perf_counter()
            await around.restore(stage.before)
            overhead = perf_counter() - began
            self._emit(TaskStarted(*self._id, stage.task))
            try:
                await self._do(index, stage, agent, around, overhead)
                return agent
            except ModelError as error:
                if error.code not in INFRASTRUCTURE:
                    raise
                self._interrupted(stage, error, wait)
                if wait is None:
                    raise
                self._models.log.forget()
                await asyncio.sleep(wait)
                agent = await self._new_agent(stages, around)
        raise AssertionError("the last attempt returns or raises")

    def _interrupted(self, stage: Stage, error: ModelError, wait: float | None) -> None:
        interruption = Interruption(task=stage.task.id, code=error.code, message=error.message, at=_now())
        self._session.append(interruption)
        self._emit(TaskInterrupted(*self._id, interruption, wait or 0.0))

    async def _do(self, index: int, stage: Stage, agent: Agent, around: Surroundings, overhead: float) -> None:
        host = _Host(around.tools, lambda call: self._emit(CallMade(*self._id, stage.task.id, call)))
        started, clock = _now(), perf_counter()
        try:
            answer = await agent.run(stage.task.prompt, host)
        except ModelError as error:
            if error.code not in FAULTS_OF_THE_MODEL:
                raise
            answer = Answer(error.message, "failed")
        seconds = perf_counter() - clock
        clock = perf_counter()
        made = [MadeCall(call.tool, call.arguments, call.ok, call.read_only) for call in host.calls]
        turns = self._models.log.take()
        record = TaskRecord(
            key=self._configuration.key,
            suite=self._suite.name,
            repeat=self._repeat,
            index=index + 1,
            task=stage.task,
            outcome=answer.outcome,
            answer=answer.text,
            messages=remembered(agent),
            turns=turns,
            calls=tuple(host.calls),
            notices=tuple(host.notices),
            forgotten=forgotten(agent),
            in_memory=in_memory(agent),
            usage=usage_record(sum((_usage(turn) for turn in turns), Usage())),
            state=_state(stage, around.workspace.library),
            grade=grade(stage.task, made),
            started=started,
            seconds=round(seconds, 4),
            overhead=round(overhead + perf_counter() - clock, 4),
            digest=self._models.digest,
            options={
                "temperature": self._options.temperature,
                "seed": self._options.seed,
                "num_ctx": self._options.num_ctx,
                "max_tokens": self._options.max_tokens,
                "max_turns": self._configuration.max_turns,
            },
            versions=self._versions,
        )
        self._session.append(record)
        self._emit(TaskFinished(record))


async def _library_after(task: TaskRecord, stages: Sequence[Stage], around: Surroundings) -> Library:
    """The design as a task that was recorded has left it."""
    before = next(stage.before for stage in stages if stage.task.id == task.task.id)
    await around.restore(before)
    for call in task.calls:
        if call.ok and not call.read_only:
            await around.tools.call(ToolCall(call.tool, call.arguments))
    return around.workspace.library


@dataclass
class _Host:
    """Makes an agent's calls and takes them down."""

    toolbox: Toolbox
    made: Callable[[MadeCallRecord], None]
    calls: list[MadeCallRecord] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._started = perf_counter()

    @property
    def tools(self) -> Sequence[ToolSpec]:
        return self.toolbox.specs

    async def call(self, call: ToolCall) -> ToolResult:
        at = perf_counter() - self._started
        result = await self.toolbox.call(call)
        record = MadeCallRecord(
            tool=call.name,
            arguments=dict(call.arguments),
            ok=result.ok,
            text=result.text,
            server=self.toolbox.server_of(call.name),
            read_only=self.toolbox.is_read_only(call.name),
            at=round(at, 4),
            seconds=round(result.seconds, 5),
        )
        self.calls.append(record)
        self.made(record)
        return result

    def stream(self, delta: Delta) -> None:
        """Nobody watches the words; the record has the whole answer."""

    def notice(self, text: str) -> None:
        self.notices.append(text)


def _state(stage: Stage, library: Library) -> StateRecord:
    """How the design differs from the right end that is nearest."""
    differences = [state_difference(end.library, library) for end in stage.ends]
    nearest = min(differences, key=lambda change: len(change.touched))
    return StateRecord(
        equal=nearest.is_empty,
        added=tuple(str(element) for element in nearest.added),
        changed=tuple(str(element) for element in nearest.changed),
        removed=tuple(str(element) for element in nearest.removed),
    )


def _usage(turn: TurnRecord) -> Usage:
    return Usage(**turn.usage.model_dump())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
