"""The line on top of the window: name, menus, the search box, the three buttons used most."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QMenuBar, QPushButton, QWidget

from desktop.actions import ActionSet
from desktop.panels.widgets import make_button, make_label, row
from desktop.theme.theme import Theme


class TopBar(QWidget):
    """Menus on the left, search in the middle, buttons on the right."""

    def __init__(self, actions: ActionSet, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("TopBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(38)
        self._theme = theme
        self.menu_bar = QMenuBar()
        self.menu_bar.setNativeMenuBar(False)
        self.menus = actions.fill(self.menu_bar)
        self.search = make_button("Search or run a command", "search")
        self.search.setMinimumWidth(220)
        self.search.setMaximumWidth(420)
        self.search.setLayout(row(None, make_label("Ctrl K", "mono-small"), margins=(0, 0, 12, 0)))
        self.search.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+K is its keyboard way
        self.search.clicked.connect(actions["palette"].trigger)
        self.undo = self._button(actions, "undo", "Undo")
        self.relayout = self._button(actions, "relayout", "Re-layout")
        self.check = self._button(actions, "check", "Check")
        self._problems = 0
        left = row(make_label("Blockwright", "brand"), self.menu_bar, None, spacing=4, margins=(0, 0, 0, 0))
        right = row(None, self.undo, self.relayout, self.check, spacing=8)
        layout = QGridLayout(self)
        layout.setContentsMargins(12, 0, 12, 0)
        layout.setSpacing(12)
        layout.addLayout(left, 0, 0)
        layout.addWidget(self.search, 0, 1)
        layout.addLayout(right, 0, 2)
        layout.setColumnStretch(0, 3)
        layout.setColumnStretch(1, 4)
        layout.setColumnStretch(2, 3)

    @staticmethod
    def _button(actions: ActionSet, action_id: str, text: str) -> QPushButton:
        action = actions[action_id]
        button = make_button(text)
        shortcut = action.shortcut().toString()
        button.setToolTip(f"{action.text()} ({shortcut})" if shortcut else action.text())
        button.setEnabled(action.isEnabled())
        button.clicked.connect(action.trigger)
        action.enabledChanged.connect(button.setEnabled)
        return button

    def show_problems(self, count: int) -> None:
        """Put the number of findings on the Check button."""
        self._problems = count
        self.check.setText(f"Check  {count}" if count else "Check")
        self.check.setProperty("role", "warn" if count else "")
        self.check.style().unpolish(self.check)
        self.check.style().polish(self.check)
