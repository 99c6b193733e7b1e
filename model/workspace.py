"""The one mutable object: the current library, its lock, undo and redo, the folder of files, and who listens."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, MutableMapping
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from model.change import Change
from model.difference import change_between
from model.errors import DesignError
from model.files import CatalogEntry, Source
from model.library import Library
from model.vlnv import Vlnv

Operation = Callable[..., tuple[Library, Change]]
Listener = Callable[[Change], None]


@dataclass(eq=False, frozen=True)
class Transaction:
    """Marks edits that belong together: one agent request, one gesture. Compared by identity.

    Attributes:
        label: what the undo list calls them; "" for the first edit's own words.
    """

    label: str


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the undo list: the library before and after, and what it is called.

    Attributes:
        loaded: which file a component had before and has since, where the step read it from another; None for none.
    """

    label: str
    before: Library
    after: Library
    transaction: Transaction | None = None
    loaded: tuple[tuple[Vlnv, Source | None, Source | None], ...] = ()


@dataclass
class Workspace:
    """A library that is being edited.

    Every editor works through :meth:`apply`; edits are serialised by one lock, so no editor sees another's half-made
    state. Listeners are called while the lock is held, in the order of the edits, on the editing thread: they must
    return quickly (the desktop only emits a queued signal).

    Attributes:
        folder: where files may be read and written, or None when nothing may.
        sources: the file that each component was loaded from or last saved to.
        catalog: the other IP-XACT documents that were met in the folder.
        outdated: components whose files another program has changed, which the user did not want; until they are
            saved they count as unsaved.
    """

    folder: Path | None = None
    library: Library = field(default_factory=Library)
    sources: MutableMapping[Vlnv, Source] = field(default_factory=dict)
    catalog: tuple[CatalogEntry, ...] = ()
    outdated: set[Vlnv] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._lock = threading.RLock()
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._listeners: list[Listener] = []

    @property
    def lock(self) -> threading.RLock:
        """Held during every edit; hold it to read several things that must belong together."""
        return self._lock

    def apply(
        self,
        operation: Operation,
        /,
        *,
        transaction: Transaction | None = None,
        label: str = "",
        loaded: Mapping[Vlnv, Source | None] | None = None,
        **arguments: Any,
    ) -> Change:
        """Run an operation of :mod:`model.operations` on the current library and make its result current.

        Args:
            operation: called with the current library and ``arguments``.
            transaction: edits that follow one another with the same transaction become one undo step.
            label: what the undo list calls the step; by default the change's summary.
            loaded: the files that the operation's components were read from, None for one whose file is gone; undo
                takes that back, too.

        Raises:
            DesignError: the rules refuse the edit; nothing has changed.
        """
        with self._lock:
            before = self.library
            after, change = operation(before, **arguments)
            if after is not before:
                files = tuple((vlnv, self.sources.get(vlnv), source) for vlnv, source in (loaded or {}).items())
                self._record(Step(label or change.summary, before, after, transaction, files))
                for vlnv, source in (loaded or {}).items():
                    self._set_source(vlnv, source)
                self._publish(after, change)
            return change

    def _record(self, step: Step) -> None:
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if step.transaction is None:
            self._done.append(step)
        elif last is not None and last.transaction is step.transaction:
            self._done[-1] = replace(last, after=step.after, loaded=last.loaded + step.loaded)
        else:
            self._done.append(replace(step, label=step.transaction.label or step.label))

    def _publish(self, library: Library, change: Change) -> None:
        self.library = library
        for listener in tuple(self._listeners):
            listener(change)

    @property
    def done(self) -> tuple[Step, ...]:
        """The steps that undo would take back, oldest first."""
        with self._lock:
            return tuple(self._done)

    @property
    def undone(self) -> tuple[Step, ...]:
        """The steps that redo would bring back; the last is the next."""
        with self._lock:
            return tuple(self._undone)

    def undo(self) -> Change:
        """Take the last step back.

        Raises:
            DesignError: ``nothing-to-undo``.
        """
        with self._lock:
            if not self._done:
                raise DesignError("nothing-to-undo", "There is nothing to undo.")
            step = self._done.pop()
            self._undone.append(step)
            for vlnv, before, after in reversed(step.loaded):
                self._return_source(vlnv, after, before)
            change = change_between(self.library, step.before, f"Undid: {step.label}")
            self._publish(step.before, change)
            return change

    def redo(self) -> Change:
        """Make the last undone step again.

        Raises:
            DesignError: ``nothing-to-redo``.
        """
        with self._lock:
            if not self._undone:
                raise DesignError("nothing-to-redo", "There is nothing to redo.")
            step = self._undone.pop()
            self._done.append(step)
            for vlnv, before, after in step.loaded:
                self._return_source(vlnv, before, after)
            change = change_between(self.library, step.after, f"Redid: {step.label}")
            self._publish(step.after, change)
            return change

    def _return_source(self, vlnv: Vlnv, expected: Source | None, other: Source | None) -> None:
        """Let a component have its other file again, unless it was saved elsewhere meanwhile."""
        known = self.sources.get(vlnv)
        if (known and known.path) != (expected and expected.path):
            return
        self._set_source(vlnv, other)

    def _set_source(self, vlnv: Vlnv, source: Source | None) -> None:
        if source is None:
            self.sources.pop(vlnv, None)
        else:
            self.sources[vlnv] = source
        self.outdated.discard(vlnv)

    def restore(self, library: Library) -> Change:
        """Make ``library`` current and forget undo and redo: the benchmark's canonical state, a folder just opened."""
        with self._lock:
            change = change_between(self.library, library, "Restored.")
            self._done.clear()
            self._undone.clear()
            self._publish(library, change)
            return change

    def fork(self) -> Workspace:
        """Return an independent workspace on the same library without a folder: dry runs and previews."""
        with self._lock:
            return Workspace(library=self.library, sources=copy(self.sources))

    def unsaved(self) -> tuple[Vlnv, ...]:
        """The components that differ from their file, or have none."""
        with self._lock:
            return tuple(
                vlnv
                for vlnv in self.library.components
                if not self.library.is_unread(vlnv)
                and (
                    vlnv in self.outdated
                    or (source := self.sources.get(vlnv)) is None
                    or source.component != self.library.find(vlnv)
                )
            )

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` with every change from now on; the returned function ends it."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe
