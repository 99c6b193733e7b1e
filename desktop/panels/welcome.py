"""What stands in the place of the canvas while there is nothing to draw: three steps to a first design."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from desktop.panels.widgets import column, make_button, make_label, row

_STEPS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Bring in blocks",
        "Open a folder of IP-XACT files, look around in the example, or make a component of your own.",
        (("open-folder", "Open folder…"), ("open-example", "Open the example"), ("new-component", "New component…")),
    ),
    (
        "Put them together",
        "Add instances and draw wires from port to port. Or say what you want in the agent pane on the right: "
        "it works with the same rules as you, and one undo takes a whole request back.",
        (("ask", "Ask the agent"),),
    ),
    (
        "Check and save",
        "Problems stand below the canvas as you work. Saving changes in a file only what you changed in the design.",
        (("palette", "Find any command"),),
    ),
)


class Welcome(QWidget):
    """Three steps, with the buttons that take them.

    Signals:
        action_requested: the id of an action.
    """

    action_requested = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[str, QPushButton] = {}
        steps = column(make_label("Start a design", "brand"), spacing=20)
        for number, (title, text, actions) in enumerate(_STEPS, start=1):
            steps.addWidget(self._step(number, title, text, actions))
        page = QWidget()
        page.setLayout(steps)
        page.setFixedWidth(520)
        layout = column(None, spacing=0, margins=(24, 24, 24, 24))
        layout.addLayout(row(None, page, None))
        layout.addStretch(2)
        self.setLayout(layout)

    def _step(self, number: int, title: str, text: str, actions: tuple[tuple[str, str], ...]) -> QWidget:
        sign = QLabel(str(number))
        sign.setProperty("role", "key")
        sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        sign.setFixedSize(22, 22)
        buttons = row(spacing=8, margins=(0, 4, 0, 0))
        for action, words in actions:
            button = make_button(words, "primary" if not self.buttons else "")
            button.clicked.connect(lambda _checked=False, action=action: self.action_requested.emit(action))
            self.buttons[action] = button
            buttons.addWidget(button)
        buttons.addStretch(1)
        words_column = column(make_label(title, "heading"), make_label(text, "muted", wrap=True), spacing=4)
        words_column.addLayout(buttons)
        layout = row(spacing=14)
        layout.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words_column, 1)
        step = QWidget()
        step.setLayout(layout)
        return step
