"""Knows when the window has been painted for the first time, with its design: what can wait begins only then."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop.canvas.view import DesignView

_LONGEST_MS = 2000  # a window that is not painted, as it is minimised, or a design that takes long to arrange


class FirstPicture(QObject):
    """Watches a window and its canvas until both have been painted once, for two seconds at most.

    Signals:
        painted: once; the painting itself is over.
    """

    painted = Signal()

    def __init__(self, window: QWidget, view: DesignView) -> None:
        super().__init__(window)
        self._view = view
        self._watched = (window, view.viewport())
        self._over = False
        for each in self._watched:
            each.installEventFilter(self)
        QTimer.singleShot(_LONGEST_MS, self, self._end)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look for the painting; a window that shows no canvas is complete with its own."""
        if event.type() == QEvent.Type.Paint and self._is_complete(watched):
            QTimer.singleShot(0, self, self._end)
        return False

    def _is_complete(self, watched: QObject) -> bool:
        if not self._view.isVisible():
            return True
        return watched is self._view.viewport() and self._view.layout_is_there

    def _end(self) -> None:
        if not self._over:
            self._over = True
            for each in self._watched:
                each.removeEventFilter(self)
            self.painted.emit()
