"""What waits to be delivered in Qt's thread: callbacks one by one, and changes merged into portions it can bear."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from model.change import Change
from model.library import Library

FEWEST, MOST = 8, 256
"""Bounds of a portion, in edits."""

_AIM_SECONDS = 0.03
"""How long a portion should occupy the window; it notices what takes longer than two or three frames."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A callback, or else one or more edits as one change with the library that the last one led to."""

    callback: Callable[[], None] | None = None
    change: Change = Change()
    library: Library = Library()
    edits: int = 0


class Deliveries:
    """A queue that any thread may add to.

    A portion grows while it is cheap or while the window falls behind, and shrinks while it is expensive: twenty edits
    drawn one by one cost much more than twenty drawn at once, but a thousand at once would stop the window.
    """

    def __init__(self) -> None:
        self._waiting: deque[Delivery] = deque()
        self._guard = threading.Lock()  # not the workspace's: Qt's thread must not wait for an edit
        self._portion = 4 * FEWEST

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, callback: Callable[[], None]) -> None:
        """Let ``callback`` follow everything that waits."""
        with self._guard:
            self._waiting.append(Delivery(callback))

    def add_change(self, change: Change, library: Library) -> bool:
        """Let a change follow everything that waits; returns whether nothing did."""
        with self._guard:
            self._waiting.append(Delivery(None, change, library, 1))
            return len(self._waiting) == 1

    def forget_changes(self) -> None:
        """Drop the changes that wait; the callbacks stay."""
        with self._guard:
            self._waiting = deque(each for each in self._waiting if each.callback is not None)

    def take(self, *, only_callback: bool = False) -> Delivery | None:
        """Take what is next: a callback, or a portion of the changes before the next callback; None if there is none.

        Args:
            only_callback: leave a change where it is, and with it all that follows.
        """
        with self._guard:
            if not self._waiting or (only_callback and self._waiting[0].callback is None):
                return None
            first = self._waiting.popleft()
            if first.callback is not None:
                return first
            change, library, edits = first.change, first.library, 1
            while edits < self._portion and self._waiting and self._waiting[0].callback is None:
                following = self._waiting.popleft()
                change, library, edits = change.then(following.change), following.library, edits + 1
            return Delivery(None, change, library, edits)

    def learn(self, delivery: Delivery, seconds: float) -> None:
        """Adapt the portion to what one has cost in Qt's thread."""
        if delivery.callback is not None:
            return
        if len(self._waiting) > 4 * self._portion or (seconds < _AIM_SECONDS / 2 and delivery.edits == self._portion):
            self._portion = min(2 * self._portion, MOST)
        elif seconds > _AIM_SECONDS and delivery.edits > self._portion // 2:
            self._portion = max(self._portion // 2, FEWEST)
