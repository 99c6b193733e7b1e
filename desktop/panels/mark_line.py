"""The lines of an open request in the score panel that can be worked with: a call to mark, and the foot."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.panels.score_delegate import MARKS
from desktop.panels.widgets import ElidedLabel, SymbolLabel, make_button, make_label, row
from desktop.scorebook import CallLine
from desktop.theme.theme import Theme


class MarkLine(QWidget):
    """A made call with the buttons that mark it, or a missing call with the one that drops it.

    Signals:
        marked: True for right, False for not asked.
        dropped: the missing call is expected no longer.
    """

    marked = Signal(bool)
    dropped = Signal()

    def __init__(self, theme: Theme, line: CallLine, name: str) -> None:
        super().__init__()
        symbol, colour, word = MARKS[line.mark]
        parts: list[QWidget] = [SymbolLabel(theme, symbol, colour, 11)]
        if word:
            role = {"success": "success", "warning": "warning"}.get(colour, "danger")
            parts.append(make_label(word, role))
        parts.append(make_label(line.tool, "mono-small"))
        layout = row(*parts, spacing=6, margins=(10, 0, 8, 0))
        layout.addWidget(ElidedLabel(line.words, "mono-small"), 1)
        self.setLayout(layout)
        self.right: QPushButton | None = None
        self.wrong: QPushButton | None = None
        self.drop: QPushButton | None = None
        said = f"{line.tool} {line.words}"
        if line.made is None:
            self.drop = self._button("drop", f"drop-{name}", f"Expect {said} no longer")
            self.drop.clicked.connect(self.dropped)
            return
        self.right = self._button("right", f"right-{name}", f"{said}: right")
        self.wrong = self._button("not asked", f"wrong-{name}", f"{said}: not asked")
        self.right.setEnabled(line.mark != "matched")
        self.wrong.setEnabled(line.mark != "not asked")
        self.right.clicked.connect(lambda: self.marked.emit(True))
        self.wrong.clicked.connect(lambda: self.marked.emit(False))

    def _button(self, text: str, name: str, said: str) -> QPushButton:
        button = make_button(text, "link", tip=said)
        button.setObjectName(name)
        button.setAccessibleName(said)
        layout = self.layout()
        if layout is not None:
            layout.addWidget(button)
        return button


class FootLine(QWidget):
    """What there is to know about a request, and what can be done with it."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__()
        self._name = name
        self.words = ElidedLabel(text, "small")
        self._row = row(spacing=12, margins=(10, 0, 8, 0))
        self._row.addWidget(self.words, 1)
        self.setLayout(self._row)
        self.buttons: dict[str, QPushButton] = {}

    def add(self, text: str, key: str, action: Callable[[], object]) -> None:
        """Offer something."""
        button = make_button(text, "link")
        button.setObjectName(f"{key}-{self._name}")
        button.clicked.connect(action)
        self.buttons[key] = button
        self._row.addWidget(button)
