"""The panels below the canvas: problems, history, netlist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFont, QIcon
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from desktop.theme.fonts import mono_font, ui_font
from desktop.theme.symbols import Symbol, symbol_icon
from desktop.theme.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: the cells' texts, a sign before the first, and what the row stands for."""

    cells: tuple[str, ...]
    target: Any = None
    symbol: Symbol | None = None
    colour: str = "text_muted"
    faint: bool = False
    strong: bool = False
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """A table's headings; those in ``mono`` hold names, the last ``right`` ones are aligned right."""

    titles: tuple[str, ...]
    mono: frozenset[int] = field(default_factory=frozenset)
    right: frozenset[int] = field(default_factory=frozenset)


class RowModel(QAbstractTableModel):
    """A table of :class:`TableRow`, replaced as a whole: a few thousand rows are no effort."""

    def __init__(self, columns: Columns, theme: Theme) -> None:
        super().__init__()
        self._columns = columns
        self._theme = theme
        self._rows: Sequence[TableRow] = ()
        self._icons: dict[tuple[str, str], QIcon] = {}
        self._fonts: dict[str, QFont] = {}
        theme.changed.connect(self._repaint)

    def _repaint(self) -> None:
        self._icons.clear()
        self.set_rows(self._rows)

    @property
    def rows(self) -> Sequence[TableRow]:
        """What is shown."""
        return self._rows

    def set_rows(self, rows: Sequence[TableRow]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Columns."""
        return 0 if parent.isValid() else len(self._columns.titles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Headings."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns.titles[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell."""
        row, column = self._rows[index.row()], index.column()
        tokens = self._theme.tokens
        if role == Qt.ItemDataRole.DisplayRole:
            return row.cells[column]
        if role == Qt.ItemDataRole.UserRole:
            return row.target
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.ForegroundRole:
            quiet = row.faint or (column > 0 and column not in self._columns.mono)
            return QColor(tokens.text_faint if row.faint else tokens.text_muted if quiet else tokens.text)
        if role == Qt.ItemDataRole.FontRole:
            if column in self._columns.mono:
                return mono_font(tokens, tokens.text_small + 1)
            return ui_font(tokens, tokens.text_small + 1, strong=row.strong)
        if role == Qt.ItemDataRole.DecorationRole and column == 0 and row.symbol is not None:
            return self._icon(row.symbol, getattr(tokens, row.colour))
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.tip or row.cells[column]
        return None

    def _alignment(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignRight if column in self._columns.right else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)

    def _icon(self, symbol: Symbol, colour: str) -> QIcon:
        key = (symbol, colour)
        if key not in self._icons:
            self._icons[key] = symbol_icon(symbol, colour)
        return self._icons[key]


class RowTable(QTableView):
    """A quiet table: no grid, whole rows, one column takes the room."""

    def __init__(self, columns: Columns, theme: Theme, name: str, widths: Sequence[int], *, stretched: int = 0) -> None:
        """Build the table.

        Args:
            widths: of the columns but the ``stretched`` one, which takes what is left.
        """
        super().__init__()
        self.rows = RowModel(columns, theme)
        self._proxy = QSortFilterProxyModel(self)
        self._proxy.setSourceModel(self.rows)
        self.setModel(self._proxy)
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(23)
        self.verticalHeader().setMinimumSectionSize(20)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setFixedHeight(24)
        head.setMinimumSectionSize(40)
        head.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)
        others = [column for column in range(len(columns.titles)) if column != stretched]
        for column, width in zip(others, widths, strict=True):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            head.resizeSection(column, width)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the first row, so that the arrows and Enter have something to act on."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))

    def target(self, index: QModelIndex) -> Any:
        """What a row stands for."""
        return index.data(Qt.ItemDataRole.UserRole)

    def allow_sorting(self) -> None:
        """Let the headings sort; unsorted until one is clicked."""
        self.setSortingEnabled(True)
        self._proxy.sort(-1)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
