"""How far something long has come, in the status bar, with a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from desktop.panels.widgets import make_button, make_label, row
from model.storage import Stage

_WORDS: dict[Stage, tuple[str, str]] = {
    "files": ("Looking at files", "Stop: the open design stays as it is"),
    "components": ("Reading components", "Stop: the others are read when they are looked at"),
}


class ProgressLine(QWidget):
    """A few words, a bar and a button; seen only while something is under way.

    Signals:
        stop_requested: the button was pressed.
    """

    stop_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.words = make_label("", "small")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(120, 6)
        self.bar.setAccessibleName("Progress of opening")
        self.stop = make_button("Stop", "status")
        self.stop.clicked.connect(self.stop_requested)
        self.setLayout(row(self.words, self.bar, self.stop, spacing=8))
        self.hide()

    def show_progress(self, stage: Stage, count: int, total: int) -> None:
        """Show how far it has come."""
        words, tip = _WORDS[stage]
        self.words.setText(f"{words} {count:,} of {total:,}")
        self.stop.setToolTip(tip)
        self.bar.setRange(0, total)
        self.bar.setValue(count)
        self.show()
