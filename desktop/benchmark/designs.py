"""The designs around a task of a log, made again by replaying the suite up to it and then the calls that were made."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from agent.evaluation.canonical import capture, restore
from agent.evaluation.gold import Replayer
from agent.evaluation.records import TaskRecord
from agent.evaluation.scoring import ExpectedCall
from agent.evaluation.suites import Suite
from agent.toolbox import Toolbox
from model.library import Library
from model.workspace import Workspace
from server.design_server import build_server


@dataclass(frozen=True, slots=True)
class TaskDesigns:
    """What a task began with, what became of it, and what should have become of it.

    Attributes:
        note: what should be known about them, or "".
    """

    before: Library
    after: Library
    expected: Library
    note: str = ""


async def designs_of(suite: Suite, record: TaskRecord) -> TaskDesigns | None:
    """Replay a task; None where the suite no longer has it."""
    position = next((index for index, task in enumerate(suite.tasks) if task.id == record.task.id), None)
    if position is None:
        return None
    with tempfile.TemporaryDirectory(prefix="blockwright-log-") as folder:
        workspace = Workspace(folder=Path(folder))
        async with Toolbox.connected({"design": build_server(workspace)}) as tools:
            replayer = Replayer(workspace, tools)
            await replayer.make(suite.setup, "setup")
            for task in suite.tasks[:position]:
                if task.server == "design":
                    await replayer.make(task.expected, f"task {task.id}")
            before = capture(workspace)
            made = [ExpectedCall(call.tool, call.arguments) for call in record.calls if call.server == "design"]
            accepted = [call.ok for call in record.calls if call.server == "design"]
            again = await replayer.make(made, "log")
            after = workspace.library
            restore(workspace, before)
            if record.task.server == "design":
                await replayer.make(record.task.expected, "expected")
            expected = workspace.library
    notes = []
    if suite.tasks[position].prompt != record.task.prompt:
        notes.append("The suite has changed since this was run: the design may have looked otherwise.")
    if [call.ok for call in again] != accepted:
        notes.append("Some calls went otherwise this time than in the log: the tools have changed since.")
    return TaskDesigns(before.library, after, expected, " ".join(notes))
