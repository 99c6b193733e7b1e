"""A suite's task in the chat: picking it, setting its design up, scoring what the agent made of it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from agent.design_tools import design_tools
from agent.events import AgentEvent, RequestFinished, RequestStarted
from agent.toolbox import Toolbox
from desktop.document import Document
from desktop.scorebook import judge
from model.change import Change
from model.difference import change_between
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace

if TYPE_CHECKING:
    from agent.evaluation.suites import Suite, Task


class TaskDesk(QObject):
    """Knows which task the next request is, and scores it when it is over.

    Signals:
        task_changed: a label and the :class:`Task`, or "" and None.
        scored: a :class:`~desktop.scorebook.ScoredRequest`.
        told: something for the user to read.
    """

    task_changed = Signal(str, object)
    scored = Signal(object)
    told = Signal(str)

    def __init__(self, document: Document, window: QWidget) -> None:
        super().__init__(window)
        self._document = document
        self._window = window
        self._task: Task | None = None
        self._running: Task | None = None
        self._text = ""
        self._before = document.library

    @property
    def task(self) -> Task | None:
        """The task that the next request is scored as."""
        return self._task

    def pick(self) -> None:
        """Let the user choose a task."""
        from desktop.panels.task_picker import TaskPicker  # noqa: PLC0415  # with the suites, which take a while to load

        picker = TaskPicker(self._document.bridge, self._window)
        picker.task_chosen.connect(self.choose)
        picker.setup_requested.connect(self.set_up)
        picker.exec()

    def choose(self, suite: Suite, index: int) -> None:
        """Score the next request as a task of ``suite``."""
        self._task = suite.tasks[index]
        self.task_changed.emit(f"{suite.name} / {self._task.id}", self._task)

    def drop(self) -> None:
        """Do not score the next request."""
        self._task = None
        self.task_changed.emit("", None)

    def set_up(self, suite: Suite, index: int) -> None:
        """Put the design that a task starts from into the library, as one step that undo takes back."""

        def arrived(start: Library) -> None:
            before = self._document.library
            change = self._document.apply(_put_all, label=f"Set up {suite.name} / {suite.tasks[index].id}", start=start)
            self.told.emit(f"{len(start)} components of {suite.name} are in the library; undo takes them out.")
            new = [element.component for element in change.added if element.kind == "component"]
            first = _largest(start, new or [each.vlnv for each in start])
            if first is not None and before is not start:
                self._document.show_when_there(first)

        self._document.bridge.run(_starting_design(suite, index), arrived)

    def handle(self, event: AgentEvent) -> None:
        """Follow a request from its start to its score."""
        if isinstance(event, RequestStarted):
            self._text = event.text
            self._running = self._task
            self._before = self._document.library
            if self._task is not None:
                self.drop()
        elif isinstance(event, RequestFinished):
            designs = (self._before, self._document.library)
            self.scored.emit(judge(self._text, event, self._running, designs))
            self._running = None


async def _starting_design(suite: Suite, index: int) -> Library:
    """The suite's setup and the expected calls of the tasks before ``index``, replayed in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="blockwright-task-") as folder:
        workspace = Workspace(folder=Path(folder))
        from agent.evaluation.gold import Replayer  # noqa: PLC0415  # with the MCP SDK, which takes a second to load

        async with Toolbox.connected({"design": design_tools(workspace)}) as tools:
            replayer = Replayer(workspace, tools)
            await replayer.make(suite.setup, "setup")
            for task in suite.tasks[:index]:
                if task.server == "design":
                    await replayer.make(task.expected, f"task {task.id}")
        return workspace.library


def _put_all(current: Library, /, start: Library) -> tuple[Library, Change]:
    after = current
    for component in start:
        after = after.put(component)
    return after, change_between(current, after, f"Put {len(start)} components in place.")


def _largest(library: Library, among: list[Vlnv]) -> Vlnv | None:
    return max(among, key=lambda vlnv: len(library.get(vlnv).design.instances), default=None)
