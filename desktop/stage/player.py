"""Plays tasks one after the other: types the request, lets the agent work, shows the score, goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from PySide6.QtCore import QObject, QTimer, Signal

from agent.evaluation.canonical import restore
from agent.evaluation.suites import Suite, Task
from desktop.scorebook import ScoredRequest
from desktop.stage.states import Scene
from desktop.suggestions import component_for
from desktop.window import MainWindow
from model.change import Change
from model.library import Library

Step = Literal["ready", "setting", "typing", "asked", "working", "scored", "over"]
SPEEDS: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0)
_TICK_MS = 30
_LETTERS_PER_S = 40.0
_TO_READ_MS = 900  # between the last letter and the agent's start
_TO_SEE_MS = 4000  # with a score in view


class Player(QObject):
    """Plays scenes in a window.

    While paused it stands still before the agent is asked and after each score; :meth:`go_on` takes one step.

    Attributes:
        speed: of typing and of the pauses; the model takes the time it takes.
        number: of the scene that is played, from 0.
        shown: what has been typed of the request.
        outcomes: the scored requests, one for each scene that is over.

    Signals:
        changed: another step, more of the request, or a score.
    """

    changed = Signal()

    def __init__(self, window: MainWindow, suite: Suite, scenes: Sequence[Scene]) -> None:
        super().__init__(window)
        self._window = window
        self._suite = suite
        self._scenes = tuple(scenes)
        self.speed = 1.0
        self.paused = False
        self.step: Step = "ready"
        self.number = 0
        self.shown = ""
        self.outcomes: list[ScoredRequest] = []
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._then: Callable[[], None] = self._ask
        self._waiting.timeout.connect(self._move_on)
        self._typing = QTimer(self)
        self._typing.setInterval(_TICK_MS)
        self._typing.timeout.connect(self._type)
        self._letters = 0.0
        window.tasks.scored.connect(self._take_score)
        window.document.library_changed.connect(self._follow)

    @property
    def count(self) -> int:
        """How many scenes there are."""
        return len(self._scenes)

    @property
    def suite(self) -> Suite:
        """What is played."""
        return self._suite

    @property
    def task(self) -> Task:
        """The task that is played."""
        return self._suite.tasks[self._scenes[self.number].position]

    @property
    def prompt(self) -> str:
        """Its request, on one line."""
        return " ".join(self.task.prompt.split())

    def begin(self) -> None:
        """Play the first scene."""
        self._set_scene(0)

    def _set_scene(self, number: int) -> None:
        if number >= len(self._scenes):
            self._enter("over")
            return
        self.number, self.shown, self._letters = number, "", 0.0
        self._enter("setting")
        work = partial(restore, self._window.document.workspace, self._scenes[number].before)
        self._window.bridge.run_blocking(work, lambda _none: self._raise_curtain(number))

    def _raise_curtain(self, number: int) -> None:
        if self.step != "setting" or number != self.number:
            return
        document = self._window.document
        vlnv = component_for(self.task.prompt, document.library)
        if vlnv is not None and vlnv != document.component:
            document.show(vlnv)
        self._window.tasks.choose(self._suite, self._scenes[number].position)
        self._window.chat.field.clear()
        self._enter("typing")
        self._typing.start()

    def _type(self) -> None:
        self._letters += _LETTERS_PER_S * self.speed * _TICK_MS / 1000
        self._show(int(self._letters))
        if self.shown == self.prompt:
            self._typing.stop()
            self._rest("asked", _TO_READ_MS, self._ask)

    def _show(self, letters: int) -> None:
        self.shown = self.prompt[:letters]
        self._window.chat.prefill(self.shown)
        self.changed.emit()

    def _rest(self, step: Step, milliseconds: int, then: Callable[[], None]) -> None:
        """Stand still for a while, or as long as it is paused."""
        self._then = then
        if not self.paused:
            self._waiting.start(round(milliseconds / self.speed))
        self._enter(step)

    def _ask(self) -> None:
        self._enter("working")
        self._window.chat.send()

    def _follow(self, change: Change, library: Library) -> None:
        """Show the component that the agent edits."""
        touched = [element.component for element in (*change.added, *change.changed, *change.removed)]
        owner = next((vlnv for vlnv in reversed(touched) if vlnv in library), None)
        document = self._window.document
        if self.step == "working" and owner is not None and owner != document.component:
            document.show(owner)

    def _take_score(self, scored: ScoredRequest) -> None:
        if self.step != "working":
            return  # somebody typed a request of their own
        self.outcomes.append(scored)
        if scored.finished.outcome == "no-model":
            self._enter("over")
            return
        self._rest("scored", _TO_SEE_MS, partial(self._set_scene, self.number + 1))

    def set_paused(self, paused: bool) -> None:
        """Stand still at the next rest, or go on."""
        self.paused = paused
        if paused:
            self._waiting.stop()
        elif self.step in {"asked", "scored"}:
            self._waiting.start(0)
        self.changed.emit()

    def go_on(self) -> None:
        """Take the next step now: finish typing, ask, stop the agent, or set the next scene."""
        if self.step == "typing":
            self._letters = float(len(self.prompt))
        elif self.step == "working":
            self._window.conversation.stop()
        elif self.step in {"asked", "scored"}:
            self._waiting.stop()
            self._move_on()

    def _move_on(self) -> None:
        self._then()

    def stop(self) -> None:
        """Play no further."""
        self._typing.stop()
        self._waiting.stop()
        if self.step == "working":
            self._window.conversation.stop()
        self._enter("over")

    def _enter(self, step: Step) -> None:
        self.step = step
        self.changed.emit()
