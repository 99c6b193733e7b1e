"""The gold self-test: a suite's own expected calls, made against the server, must score perfectly."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.evaluation.canonical import State
from agent.evaluation.metrics import Figures, suite_figures
from agent.evaluation.scoring import Call, MadeCall, Score, score
from agent.evaluation.state import state_difference
from agent.evaluation.suites import ServerName, Suite, Task
from agent.evaluation.surroundings import Surroundings, Tell, missing
from agent.models.base import ToolCall
from agent.toolbox import Toolbox, alone
from model.workspace import Workspace

_HOLD_TIMES = (".git/index", ".git/logs/")  # when files were last written, and when branches were moved


@dataclass(frozen=True, slots=True)
class GoldResult:
    """How a suite's replay went.

    Attributes:
        tasks: how many the suite has.
        scores: of every expected set and every alternative set, each against itself.
        calls: how many calls were made for them.
        skipped: tasks of servers that the suite does not connect, or that are missing on this machine.
        missing: why servers are missing, by name.
        problems: one line for each thing that is not as it should be.
    """

    suite: str
    tasks: int
    scores: tuple[Score, ...]
    calls: int
    skipped: int
    missing: dict[ServerName, str]
    problems: tuple[str, ...]
    seconds: float

    @property
    def figures(self) -> Figures | None:
        """The suite's means, or None where nothing could be replayed."""
        return suite_figures(self.scores) if self.scores else None

    @property
    def is_perfect(self) -> bool:
        """Whether every call was accepted, every score is perfect and every state is the canonical one."""
        return not self.problems and bool(self.scores)


class Replayer:
    """Makes a suite's calls against a server of its own; the workspace and its folder are thrown away afterwards."""

    def __init__(self, workspace: Workspace, tools: Toolbox) -> None:
        self.workspace = workspace
        self._tools = tools
        self.problems: list[str] = []

    async def make(self, calls: Sequence[Call], where: str) -> list[MadeCall]:
        """Make calls in order; a refusal is noted and the rest is made nevertheless."""
        made: list[MadeCall] = []
        for number, call in enumerate(calls, 1):
            result = await self._tools.call(ToolCall(call.tool, call.args))
            made.append(MadeCall(call.tool, call.args, result.ok))
            if not result.ok:
                self.problems.append(f"{where}, call {number} ({call.tool}) was refused: {result.text}")
        return made


async def replay(suite: Suite, tell: Tell = lambda text: None) -> GoldResult:
    """Replay one suite; see :func:`replay_all`."""
    results: list[GoldResult] = []
    await replay_all([suite], results.append, tell)
    return results[0]


async def replay_all(suites: Sequence[Suite], done: Callable[[GoldResult], None], tell: Tell) -> None:
    """Replay the setups and tasks of suites.

    The expected calls are made twice: once in one go, which gives the canonical states, and once more from the
    restored state of each task, as a run does it. Both must end in the same state.

    Args:
        done: is given the results, in the order of the suites.
        tell: is given a line where a server is being installed.

    Raises:
        ServerError: a server that is installed does not start.
    """
    # Suites that need the same servers share them; those of other servers are started meanwhile.
    results = [asyncio.get_running_loop().create_future() for _suite in suites]
    groups: dict[frozenset[ServerName], list[int]] = {}
    for index, suite in enumerate(suites):
        groups.setdefault(frozenset(suite.servers), []).append(index)
    try:
        async with asyncio.TaskGroup() as group:
            for servers, members in groups.items():
                group.create_task(_replay_group(servers, [(suites[index], results[index]) for index in members], tell))
            for result in results:
                done(await result)
    except BaseExceptionGroup as errors:
        raise alone(errors) from None


async def _replay_group(
    servers: frozenset[ServerName], suites: Sequence[tuple[Suite, asyncio.Future[GoldResult]]], tell: Tell
) -> None:
    absent = await asyncio.to_thread(missing, servers, tell)
    with tempfile.TemporaryDirectory(prefix="blockwright-gold-") as folder:
        async with Surroundings.opened(servers - absent.keys(), Path(folder)) as around:
            fresh = await around.capture()
            for suite, result in suites:
                await around.restore(fresh)
                result.set_result(await _replay_in(around, suite, absent))


async def _replay_in(around: Surroundings, suite: Suite, absent: dict[ServerName, str]) -> GoldResult:
    started = time.perf_counter()
    replayer = Replayer(around.workspace, around.tools)
    await replayer.make(suite.setup, "setup")
    tasks = [task for task in suite.tasks if task.server in around.servers]
    states = [await around.capture()]
    for task in tasks:
        await replayer.make(task.expected, f"task {task.id}")
        states.append(await around.capture())
    scores: list[Score] = []
    for task, before, after in zip(tasks, states, states[1:], strict=False):
        scores += await _replay_task(replayer, around, task, before, after)
    return GoldResult(
        suite=suite.name,
        tasks=len(suite.tasks),
        scores=tuple(scores),
        calls=sum(len(scored.expected) for scored in scores),
        skipped=len(suite.tasks) - len(tasks),
        missing=absent,
        problems=tuple(dict.fromkeys(replayer.problems)),
        seconds=time.perf_counter() - started,
    )


async def _replay_task(
    replayer: Replayer, around: Surroundings, task: Task, before: State, after: State
) -> list[Score]:
    scores: list[Score] = []
    for number, calls in enumerate((task.expected, *task.alternatives)):
        where = f"task {task.id}" + (f", alternative {number}" if number else "")
        await around.restore(before)
        scored = score(calls, await replayer.make(calls, where))
        scores.append(scored)
        if (scored.ecc, scored.evcr, scored.tfr, scored.nca) not in ((1.0, 0.0, 0.0, None), (None, 0.0, 0.0, 1.0)):
            replayer.problems.append(
                f"{where} does not score perfectly against itself: ECC {scored.ecc}, EVCR {scored.evcr}, "
                f"TFR {scored.tfr}, NCA {scored.nca}."
            )
        if number == 0:
            replayer.problems += _state_problems(where, after, await around.capture())
    return scores


def _state_problems(where: str, canonical: State, actual: State) -> list[str]:
    difference = state_difference(canonical.library, actual.library)
    problems = [f"{where} ends in another state: {element} differs." for element in difference.touched]
    problems += [
        f"{where} ends with other files: {name}." for name in sorted(canonical.files.keys() ^ actual.files.keys())
    ]
    if canonical.repository is not None and actual.repository is not None:
        names = canonical.repository.files.keys() | actual.repository.files.keys()
        problems += [
            f"{where} ends with another repository: {name} differs."
            for name in sorted(names)
            if not name.startswith(_HOLD_TIMES)
            and canonical.repository.files.get(name) != actual.repository.files.get(name)
        ]
    if canonical.debugger != actual.debugger:
        problems.append(f"{where} ends with the debugger in another state.")
    return problems
