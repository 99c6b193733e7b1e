"""The gold self-test: a suite's own expected calls, made against the server, must score perfectly."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.evaluation.canonical import State, capture, restore
from agent.evaluation.metrics import Figures, suite_figures
from agent.evaluation.scoring import Call, MadeCall, Score, score
from agent.evaluation.state import state_difference
from agent.evaluation.suites import Suite, Task
from agent.models.base import ToolCall
from agent.toolbox import Toolbox
from model.workspace import Workspace
from server.design_server import build_server


@dataclass(frozen=True, slots=True)
class GoldResult:
    """How a suite's replay went.

    Attributes:
        scores: of every expected set and every alternative set, each against itself.
        calls: how many calls were made for them.
        skipped: tasks of other servers, which are not replayed.
        problems: one line for each thing that is not as it should be.
    """

    suite: str
    scores: tuple[Score, ...]
    calls: int
    skipped: int
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


async def replay(suite: Suite) -> GoldResult:
    """Replay a suite's setup and tasks.

    The expected calls are made twice: once in one go, which gives the canonical states, and once more from the
    restored state of each task, as a run does it. Both must end in the same state.
    """
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="blockwright-gold-") as folder:
        workspace = Workspace(folder=Path(folder))
        async with Toolbox.connected({"design": build_server(workspace)}) as tools:
            replayer = Replayer(workspace, tools)
            await replayer.make(suite.setup, "setup")
            tasks = [task for task in suite.tasks if task.server == "design"]
            states = [capture(workspace)]
            for task in tasks:
                await replayer.make(task.expected, f"task {task.id}")
                states.append(capture(workspace))
            scores: list[Score] = []
            for task, before, after in zip(tasks, states, states[1:], strict=False):
                scores += await _replay_task(replayer, task, before, after)
    return GoldResult(
        suite=suite.name,
        scores=tuple(scores),
        calls=sum(len(scored.expected) for scored in scores),
        skipped=len(suite.tasks) - len(tasks),
        problems=tuple(dict.fromkeys(replayer.problems)),
        seconds=time.perf_counter() - started,
    )


async def _replay_task(replayer: Replayer, task: Task, before: State, after: State) -> list[Score]:
    scores: list[Score] = []
    for number, calls in enumerate((task.expected, *task.alternatives)):
        where = f"task {task.id}" + (f", alternative {number}" if number else "")
        restore(replayer.workspace, before)
        scored = score(calls, await replayer.make(calls, where))
        scores.append(scored)
        if (scored.ecc, scored.evcr, scored.tfr, scored.nca) not in ((1.0, 0.0, 0.0, None), (None, 0.0, 0.0, 1.0)):
            replayer.problems.append(
                f"{where} does not score perfectly against itself: ECC {scored.ecc}, EVCR {scored.evcr}, "
                f"TFR {scored.tfr}, NCA {scored.nca}."
            )
        if number == 0:
            replayer.problems += _state_problems(where, after, capture(replayer.workspace))
    return scores


def _state_problems(where: str, canonical: State, actual: State) -> list[str]:
    difference = state_difference(canonical.library, actual.library)
    problems = [f"{where} ends in another state: {element} differs." for element in difference.touched]
    problems += [
        f"{where} ends with other files: {name}." for name in sorted(canonical.files.keys() ^ actual.files.keys())
    ]
    return problems
