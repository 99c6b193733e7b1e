"""The designs that a suite's tasks begin with."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from agent.evaluation.canonical import State, capture
from agent.evaluation.gold import Replayer
from agent.evaluation.suites import Suite
from agent.toolbox import Toolbox
from model.workspace import Workspace
from server.design_server import build_server


@dataclass(frozen=True, slots=True)
class Scene:
    """A task and what it begins with.

    Attributes:
        position: of the task in its suite, from 0.
        before: the design and the files, as the expected calls of all tasks before leave them.
    """

    position: int
    before: State


async def scenes_of(suite: Suite) -> list[Scene]:
    """Replay a suite; tasks of other servers than the design server are left out."""
    with tempfile.TemporaryDirectory(prefix="blockwright-stage-") as folder:
        workspace = Workspace(folder=Path(folder))
        async with Toolbox.connected({"design": build_server(workspace)}) as tools:
            replayer = Replayer(workspace, tools)
            await replayer.make(suite.setup, "setup")
            scenes: list[Scene] = []
            for position, task in enumerate(suite.tasks):
                if task.server == "design":
                    scenes.append(Scene(position, capture(workspace)))
                    await replayer.make(task.expected, f"task {task.id}")
    return scenes
