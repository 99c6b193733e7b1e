"""The line at the bottom: the model, the MCP switch, the workspace, what is unsaved, undo, light or dark."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStatusBar

from desktop.document import Document
from desktop.panels.widgets import ElidedLabel, SymbolLabel, make_button, make_label
from desktop.theme.theme import Theme

_UNDO_LETTERS = 48


class StatusBar(QStatusBar):
    """Facts, always in the same places.

    Signals:
        mcp_toggled: other programs are to be let in, or no longer.
        connect_requested: how other programs connect is to be shown.
    """

    mcp_toggled = Signal()
    connect_requested = Signal()

    def __init__(self, document: Document, theme: Theme) -> None:
        super().__init__()
        self._document = document
        self._theme = theme
        self.setSizeGripEnabled(False)
        self.setFixedHeight(26)
        self.setContentsMargins(8, 0, 8, 0)
        self.light = SymbolLabel(theme, "ring", "text_faint", 10)
        self.model = make_label("no model", "small")
        self.mcp_light = SymbolLabel(theme, "ring", "text_faint", 10)
        self.mcp = make_button("MCP off", "status")
        self.mcp.clicked.connect(self.mcp_toggled)
        self.connect_ = make_button("connect…", "status", tip="Configuration for other programs")
        self.connect_.clicked.connect(self.connect_requested)
        self.workspace = make_label("", "small")
        self.unsaved = make_label("", "small")
        self.undo = ElidedLabel("", "small")
        self.undo.setSizePolicy(self.undo.sizePolicy().Policy.Preferred, self.undo.sizePolicy().Policy.Preferred)
        self.theme = make_button("", "status", tip="Switch between light and dark")
        self.theme.clicked.connect(theme.toggle)
        for widget in (
            self.light,
            self.model,
            self.mcp_light,
            self.mcp,
            self.connect_,
            self.workspace,
            self.unsaved,
        ):
            self.addWidget(widget)
            widget.setContentsMargins(4, 0, 8, 0)
        self.addPermanentWidget(self.undo)
        self.addPermanentWidget(self.theme)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(80)
        self._later.timeout.connect(self.refresh)
        document.library_changed.connect(lambda _change, _library: self._later.isActive() or self._later.start())
        document.reopened.connect(self.refresh)
        document.history_changed.connect(self._later.start)
        # Bound methods, no lambdas: the theme outlives the window, and Qt drops these by itself.
        theme.changed.connect(self._show_theme)
        self._show_theme()
        self.refresh()

    def _show_theme(self) -> None:
        self.theme.setText("dark" if self._theme.is_dark else "light")

    def show_model(self, name: str | None) -> None:
        """Say which model answers."""
        self.model.setText(name or "no model")

    def show_readiness(self, state: str, words: str) -> None:
        """Say whether the model can answer: ``starting``, ``ready``, ``missing``."""
        symbol, colour = {"ready": ("dot", "success"), "starting": ("ring", "accent")}.get(state, ("cross", "danger"))
        self.light.set(symbol, colour)  # type: ignore[arg-type]
        name = self.model.text().partition(" · ")[0]
        self.model.setText(f"{name} · {words}" if state == "starting" else name)
        self.model.setToolTip(words)
        self.light.setToolTip(words)

    def show_mcp(self, address: str, *, changing: bool, clients: int = 0) -> None:
        """Say whether other programs can connect, where, and how many have."""
        count = f"{clients} client{'s' if clients != 1 else ''}"
        self.mcp.setEnabled(not changing)
        self.mcp.setText("MCP …" if changing else f"MCP {address} · {count}" if address else "MCP off")
        self.mcp.setToolTip("Let other programs in no longer" if address else "Let other programs edit this design")
        self.mcp.setAccessibleName(f"Other programs: {f'let in at {address}, {count}' if address else 'off'}")
        self.mcp_light.set("dot" if address else "ring", "success" if address else "text_faint")

    def refresh(self) -> None:
        """Bring the facts of the workspace up to date."""
        workspace = self._document.workspace
        self.workspace.setText(f"workspace: {_home(workspace.folder)}" if workspace.folder else "no folder")
        count = len(self._document.unsaved)
        self.unsaved.setText("all saved" if not count else f"{count} component{'s' if count != 1 else ''} not saved")
        done = self._document.history.done
        label = done[-1].label if done else ""
        short = label if len(label) <= _UNDO_LETTERS else label[: _UNDO_LETTERS - 1] + "…"
        self.undo.set_full_text(f"undo: “{short}”" if label else "nothing to undo")


def _home(folder: Path) -> str:
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) and folder != home else str(folder)
