"""The heat map with what chooses its rows and its colours."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from desktop.benchmark.board import Board, Row
from desktop.benchmark.heat import HeatMap
from desktop.benchmark.shades import SHADES
from desktop.panels.widgets import ElidedLabel, PanelHeader, column, make_label
from desktop.theme.theme import Theme


class HeatPane(QWidget):
    """The map, a choice of suite and configuration where there are several, and the task under the keyboard."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._board = Board()
        self.suite = QComboBox()
        self.suite.setAccessibleName("Suite")
        self.configuration = QComboBox()
        self.configuration.setAccessibleName("Configuration")
        self.shade = QComboBox()
        self.shade.setAccessibleName("Colour by")
        for shade in SHADES:
            self.shade.addItem(shade.name, shade)
            self.shade.setItemData(self.shade.count() - 1, shade.tip, Qt.ItemDataRole.ToolTipRole)
        self.map = HeatMap(theme)
        self.words = ElidedLabel("", "small")
        self.words.setContentsMargins(12, 4, 12, 6)
        self.empty = make_label(
            "A row for each suite and repeat, a cell for each task: its colour and its figure tell how well it went.",
            "muted",
            wrap=True,
        )
        self.empty.setContentsMargins(12, 12, 12, 12)
        header = PanelHeader("Tasks", self.configuration, self.suite, make_label("colour by", "small"), self.shade)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(header)
        layout.addWidget(self.empty)
        layout.addLayout(column(self.map, spacing=0, margins=(12, 4, 8, 0)), 1)
        layout.addWidget(self.words)
        layout.addStretch(0)
        self.suite.activated.connect(lambda _position: self._fill())
        self.configuration.activated.connect(lambda _position: self._fill())
        self.shade.activated.connect(lambda _position: self._recolour())
        self.map.cell_entered.connect(self._describe)
        self.show_board(self._board)

    def show_board(self, board: Board) -> None:
        """Show other sessions; choices that still make sense stay."""
        self._board = board
        rows = board.rows
        suites = list(dict.fromkeys(each.id.suite for each in rows))
        folders = {each.id.folder: f"{each.configuration.model} {each.configuration.label}" for each in rows}
        _offer(self.suite, "all suites", [(name, name) for name in suites])
        _offer(self.configuration, "all configurations", [(name, folder) for folder, name in folders.items()])
        self.empty.setVisible(not rows)
        self.map.setVisible(bool(rows))
        self._fill()

    def wanted_height(self) -> int:
        """Room for all rows, in pixels."""
        return self.map.sizeHint().height() + 72

    def _fill(self) -> None:
        suite, folder = self.suite.currentData(), self.configuration.currentData()
        rows = [
            each
            for each in self._board.rows
            if (suite is None or each.id.suite == suite) and (folder is None or each.id.folder == folder)
        ]
        self.map.cells.set_rows(rows)
        self.words.set_full_text("")

    def _recolour(self) -> None:
        self.map.cells.set_shade(self.shade.currentData())

    def row_changed(self, changed: Row) -> None:
        """A session has moved on."""
        self.map.cells.row_changed(changed)
        if changed.running and not self.map.hasFocus():
            self.map.show_cell(changed, changed.running)

    def repaint_all(self) -> None:
        """Every session may look otherwise."""
        self.map.viewport().update()

    def _describe(self, chosen: Row, task: str) -> None:
        text = self.map.cells.find(chosen, task).data(Qt.ItemDataRole.ToolTipRole)
        self.words.set_full_text("  ·  ".join(str(text).splitlines()))


def _offer(box: QComboBox, everything: str, options: list[tuple[str, object]]) -> None:
    before = box.currentData()
    box.clear()
    box.addItem(everything, None)
    for text, value in options:
        box.addItem(text, value)
    position = box.findData(before)
    box.setCurrentIndex(max(0, position))
    box.setVisible(len(options) > 1)
