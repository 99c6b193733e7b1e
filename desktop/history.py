"""One line of undo for edits of the design and for what people do to the picture. Without Qt.

The workspace keeps the edits; moved blocks, new layouts and notes are no part of the design and are kept here, between
the edits where they were made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from model.library import Library
from model.workspace import Step, Transaction, Workspace

_MOST_KEPT = 60  # rearrangements: each holds the places of a whole picture


@dataclass(eq=False)
class Rearrangement:
    """Something that was done to the picture alone.

    Attributes:
        label: what the history calls it ("Move u_uart").
        undo, redo: bring the picture back, and forth again.
    """

    label: str
    undo: Callable[[], None]
    redo: Callable[[], None]


@dataclass(frozen=True, eq=False)
class _Edit:
    """Stands for a step of the workspace: steps of one transaction grow, what was before them does not change."""

    before: Library
    tie: Transaction | Library

    @classmethod
    def of(cls, step: Step) -> _Edit:
        return cls(step.before, step.transaction or step.after)

    @property
    def key(self) -> tuple[int, int]:
        return id(self.before), id(self.tie)


_Mark = _Edit | Rearrangement


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the history.

    Attributes:
        transaction: of an edit of the design, where it has one.
        is_edit: of the design, not of the picture alone.
    """

    label: str
    transaction: Transaction | None
    is_edit: bool


@dataclass
class History:
    """The steps that can be taken back, and those that can be made again, of one workspace."""

    workspace: Workspace
    _done: list[_Mark] = field(default_factory=list, init=False)
    _undone: list[_Mark] = field(default_factory=list, init=False)

    def note(self, rearrangement: Rearrangement) -> None:
        """Add what was just done to the picture. Undone edits of the design can still be made again."""
        with self.workspace.lock:
            self._catch_up()
            self._done.append(rearrangement)
            self._undone = [mark for mark in self._undone if isinstance(mark, _Edit)]
            extra = [mark for mark in self._done if isinstance(mark, Rearrangement)][:-_MOST_KEPT]
            for mark in extra:
                self._done.remove(mark)

    @property
    def done(self) -> tuple[Entry, ...]:
        """What undo would take back, oldest first."""
        with self.workspace.lock:
            self._catch_up()
            return _entries(self._done, self.workspace.done)

    @property
    def undone(self) -> tuple[Entry, ...]:
        """What redo would bring back; the last is the next."""
        with self.workspace.lock:
            self._catch_up()
            return _entries(self._undone, self.workspace.undone)

    def undo(self) -> None:
        """Take the last step back, if there is one."""
        with self.workspace.lock:
            self._catch_up()
            if not self._done:
                return
            mark = self._done.pop()
            self._undone.append(mark)
            if isinstance(mark, _Edit):
                self.workspace.undo()
        if isinstance(mark, Rearrangement):
            mark.undo()

    def redo(self) -> None:
        """Make the last undone step again, if there is one."""
        with self.workspace.lock:
            self._catch_up()
            if not self._undone:
                return
            mark = self._undone.pop()
            self._done.append(mark)
            if isinstance(mark, _Edit):
                self.workspace.redo()
        if isinstance(mark, Rearrangement):
            mark.redo()

    def jump(self, position: int) -> None:
        """Undo or redo until ``position`` steps are done."""
        while len(self.done) > position:
            self.undo()
        while len(self.done) < position and self.undone:
            self.redo()

    def _catch_up(self) -> None:
        """Take in what others did to the workspace: agents edit, requests are taken back, other programs connect."""
        done = {edit.key: edit for edit in map(_Edit.of, self.workspace.done)}
        undone = {edit.key: edit for edit in map(_Edit.of, self.workspace.undone)}
        waiting = {mark.key for mark in self._undone if isinstance(mark, _Edit)}
        self._done = [mark for mark in self._done if isinstance(mark, Rearrangement) or mark.key in done]
        known = {mark.key for mark in self._done if isinstance(mark, _Edit)}
        new = [edit for key, edit in done.items() if key not in known]
        self._done += new
        fresh = any(edit.key not in waiting for edit in new)  # and not an undone one that was made again
        self._undone = [mark for mark in self._undone if (mark.key in undone if isinstance(mark, _Edit) else not fresh)]
        known = {mark.key for mark in self._undone if isinstance(mark, _Edit)}
        self._undone += [edit for key, edit in undone.items() if key not in known]


def _entries(marks: list[_Mark], steps: tuple[Step, ...]) -> tuple[Entry, ...]:
    by_key = {_Edit.of(step).key: step for step in steps}
    return tuple(
        Entry(mark.label, None, False)
        if isinstance(mark, Rearrangement)
        else Entry(by_key[mark.key].label, by_key[mark.key].transaction, True)
        for mark in marks
    )
