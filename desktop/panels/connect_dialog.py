"""How other programs join the window: the switch, and texts to paste into their configuration."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QListWidget, QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from desktop.mcp_switch import McpSwitch
from desktop.panels.widgets import column, make_button, make_label, row
from server.client_configs import ClientConfiguration


class ConnectDialog(QDialog):
    """Shows the switch and one client's configuration at a time."""

    def __init__(self, switch: McpSwitch, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Connect other programs")
        self.resize(760, 420)
        self._switch = switch
        self._configurations: tuple[ClientConfiguration, ...] = ()
        self.on = QCheckBox("Let other programs on this machine edit the open design")
        self.on.clicked.connect(switch.switch)
        self.state = make_label("", "muted", wrap=True)
        self.clients = QListWidget()
        self.clients.setObjectName("Tasks")
        self.clients.setAccessibleName("Programs")
        self.clients.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.where = make_label("", "muted", wrap=True, selectable=True)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setProperty("role", "mono")
        self.text.setAccessibleName("Configuration")
        self.copy = make_button("Copy", "primary")
        self.copy.clicked.connect(self._copy)
        close = make_button("Close")
        close.clicked.connect(self.accept)
        right = QWidget()
        details = column(self.where, spacing=8, margins=(12, 0, 0, 0))
        details.addWidget(self.text, 1)
        right.setLayout(details)
        split = QSplitter()
        split.setHandleWidth(1)
        split.addWidget(self.clients)
        split.addWidget(right)
        split.setSizes([240, 500])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(10)
        layout.addWidget(self.on)
        layout.addWidget(self.state)
        layout.addWidget(split, 1)
        layout.addLayout(row(None, self.copy, close))
        self.clients.currentRowChanged.connect(self._show)
        switch.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        switch = self._switch
        self.on.setChecked(switch.is_on)
        self.on.setEnabled(not switch.changing)
        self.state.setText(
            f"The design tools are served over MCP at {switch.address}. Who connects needs the token of this start. "
            f"{switch.clients or 'Nobody'} {'are' if switch.clients > 1 else 'is'} connected now."
            if switch.is_on
            else "Nobody is let in now. These texts work once the switch is on."
        )
        configurations = switch.configurations()
        if configurations == self._configurations:
            return
        before = self.clients.currentRow()
        self._configurations = configurations
        self.clients.clear()
        self.clients.addItems([each.client for each in self._configurations])
        self.clients.setCurrentRow(before if 0 <= before < len(self._configurations) else 0)

    def _show(self, position: int) -> None:
        if 0 <= position < len(self._configurations):
            chosen = self._configurations[position]
            self.where.setText(chosen.where)
            self.text.setPlainText(chosen.text)
            self.copy.setText("Copy")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy.setText("Copied")
        self.copy.setFocus(Qt.FocusReason.OtherFocusReason)
