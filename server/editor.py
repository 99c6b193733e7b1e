"""Who edits through a server, and how such edits are marked."""

from __future__ import annotations

from dataclasses import dataclass

from model.workspace import Transaction


@dataclass
class Editor:
    """Who edits through a server.

    Attributes:
        transaction: set by whoever owns the server, so that all calls of one agent request are one undo step; None
            makes every call a step of its own.
        is_outside: whether each call is marked as an :class:`OutsideCall`.
    """

    transaction: Transaction | None = None
    is_outside: bool = False


@dataclass(eq=False, frozen=True)
class OutsideCall(Transaction):
    """Marks the edit that one call of another program made, for the list of who did what."""

    label: str = ""
