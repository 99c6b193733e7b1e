"""A line over the canvas that asks something without standing in the way: it stays until it is answered."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from desktop.panels.widgets import SymbolLabel, make_button, make_label, row
from desktop.theme.theme import Theme


class Banner(QWidget):
    """A sentence and two answers.

    Signals:
        taken: the first answer was given.
        kept: the second.
    """

    taken = Signal()
    kept = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.words = make_label("", wrap=True)
        self.take = make_button("", "primary")
        self.keep = make_button("")
        self.take.clicked.connect(self.taken)
        self.keep.clicked.connect(self.kept)
        frame = QFrame()
        frame.setProperty("role", "notice")
        frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        line = row(SymbolLabel(theme, "warning", "warning", 14), spacing=10, margins=(12, 6, 8, 6))
        line.addWidget(self.words, 1)
        line.addWidget(self.take)
        line.addWidget(self.keep)
        frame.setLayout(line)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.addWidget(frame)
        self.hide()

    def ask(self, words: str, take: str, keep: str) -> None:
        """Show a sentence and its answers; those to an earlier one count no more."""
        self.words.setText(words)
        self.take.setText(take)
        self.keep.setText(keep)
        self.take.setEnabled(True)
        self.keep.setEnabled(True)
        self.show()

    def wait(self) -> None:
        """Take no second answer."""
        self.take.setEnabled(False)
        self.keep.setEnabled(False)
