"""Takes pictures of windows in both sizes and both themes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import typer
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication, QWidget

from desktop.pictures.png import save_small
from desktop.theme.theme import Mode, Theme

SIZES = ((1280, 800), (2560, 1440))
THEMES: tuple[Mode, ...] = ("light", "dark")
_SETTLE_S = 0.7  # blocks move to their places for a moment


class NothingCame(Exception):
    """What a picture needs did not come about; the text says what."""


class Studio:
    """Where pictures go, and how long is waited for what they show."""

    def __init__(self, application: QApplication, out: Path, patience: float) -> None:
        self._application = application
        self._out = out
        self._patience = patience
        self.written: list[Path] = []

    def until(self, there: Callable[[], bool], what: str) -> None:
        """Let the windows work until something has come about.

        Raises:
            NothingCame: it has not in all the time that is given.
        """
        end = time.monotonic() + self._patience
        while not there():
            if time.monotonic() > end:
                raise NothingCame(f"{what} took longer than {self._patience:g} s.")
            self._let_work()

    def settle(self, seconds: float = _SETTLE_S) -> None:
        """Let the windows work for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._let_work()

    def _let_work(self) -> None:
        # With a limit of time, waiting for events is not waiting: it would take half of the model's processors.
        self._application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
        time.sleep(0.005)

    def shoot(self, window: QWidget, name: str, arrange: Callable[[], None] = lambda: None) -> None:
        """Take a window in every size and theme; ``arrange`` puts its parts in place after each change of size."""
        theme = Theme.of_application()
        for width, height in SIZES:
            window.resize(width, height)
            self.settle(0.2)
            for mode in THEMES:
                theme.set_mode(mode)
                self.settle(0.2)
                arrange()
                self.settle()
                path = self._out / f"{name}-{width}x{height}-{mode}.png"
                size = save_small(window.grab().toImage(), path)
                self.written.append(path)
                typer.echo(f"{path}  {size / 1024:.0f} KiB")
        theme.set_mode("light")
