"""The heat map: a row for each session, a cell for each task, coloured by how well it went."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from desktop.benchmark.board import Row
from desktop.benchmark.faults import fault_words
from desktop.benchmark.shades import SHADES, Shade, colour_of, ink_on, short_figure
from desktop.panels.cards import format_seconds
from desktop.theme.fonts import mono_font
from desktop.theme.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ROW_HEIGHT = 22
_NARROWEST, _WIDEST = 17, 34
_STATE_WORDS = {"waiting": "still to do", "running": "being done", "interrupted": "interrupted; will be done again"}
CELL = Qt.ItemDataRole.UserRole


class HeatModel(QAbstractTableModel):
    """The board as a table."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.rows: list[Row] = []
        self.shade: Shade = SHADES[0]
        self._labels: list[str] = []
        self._columns = 0

    def set_rows(self, rows: list[Row]) -> None:
        """Show other sessions."""
        self.beginResetModel()
        self.rows = rows
        self._labels = labels(rows)
        self._columns = max((len(row.tasks) for row in rows), default=0)
        self.endResetModel()

    def set_shade(self, shade: Shade) -> None:
        """Colour by another figure."""
        self.shade = shade
        self._touch(0, len(self.rows) - 1)

    def row_changed(self, row: Row) -> None:
        """Repaint a session."""
        if row in self.rows:
            position = self.rows.index(row)
            self._touch(position, position)

    def _touch(self, first: int, last: int) -> None:
        if 0 <= first <= last and self._columns:
            self.dataChanged.emit(self.index(first, 0), self.index(last, self._columns - 1))

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Sessions."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Tasks of the longest session."""
        return 0 if parent.isValid() else self._columns

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Cells without a task cannot be reached."""
        if index.isValid() and self.rows[index.row()].state(index.column()) == "none":
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The sessions' names on the left, the tasks' positions on top."""
        if orientation == Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                number = section + 1
                return str(number) if number == 1 or number % 5 == 0 else ""
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._labels[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            row = self.rows[section]
            return (
                f"{row.configuration.model}, {row.configuration.label}, {row.configuration.mode}\n{row.id.folder.name}"
            )
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The figure of a cell, what it stands for, and what there is to say about it."""
        row, column = self.rows[index.row()], index.column()
        record = row.record(column)
        if role == Qt.ItemDataRole.DisplayRole:
            return short_figure(self.shade.value(record)) if record is not None else ""
        if role == CELL:
            return (row, row.tasks[column]) if column < len(row.tasks) else None
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole} and column < len(row.tasks):
            return self._words(row, column)
        return None

    def _words(self, row: Row, column: int) -> str:
        name = f"{row.id.suite} {row.tasks[column]}"
        record = row.record(column)
        if record is None:
            return f"{name}: {_STATE_WORDS.get(row.state(column), '')}"
        grade = record.grade
        figures = [
            f"ECC {grade.ecc:.2f}" if grade.ecc is not None else f"NCA {grade.nca or 0.0:.0f}",
            f"EVCR {grade.evcr:.2f}",
            f"TFR {grade.tfr:.2f}",
            format_seconds(record.seconds),
        ]
        prompt = record.task.prompt.strip()
        shown = prompt if len(prompt) < 300 else prompt[:300] + "…"
        return f"{name}: {fault_words(record)}\n{' · '.join(figures)}\n{shown}"


class HeatMap(QTableView):
    """The table of cells; arrows walk, Enter opens.

    Signals:
        cell_opened: the :class:`Row` and the task's id.
        cell_entered: the same, for the cell that the keyboard or a click has come to.
    """

    cell_opened = Signal(object, str)
    cell_entered = Signal(object, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.cells = HeatModel(theme)
        self.setModel(self.cells)
        self.setItemDelegate(_CellDelegate(theme, self))
        self.setAccessibleName("Heat map of tasks")
        self.setShowGrid(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for head in (self.horizontalHeader(), self.verticalHeader()):
            head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            head.setSectionsClickable(False)
            head.setHighlightSections(False)
            head.setMinimumSectionSize(_NARROWEST)
        self.horizontalHeader().setFixedHeight(20)
        self.horizontalHeader().setObjectName("HeatTop")
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        self.verticalHeader().setObjectName("HeatSide")
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.activated.connect(self._open)
        self.doubleClicked.connect(self._open)
        self.selectionModel().currentChanged.connect(self._enter)
        self.cells.modelReset.connect(self._share_width)
        theme.changed.connect(self.viewport().update)

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        rows = max(1, self.cells.rowCount())
        return QSize(600, 20 + rows * _ROW_HEIGHT + 12)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the first cell."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.cells.rowCount() and self.cells.columnCount():
            self.setCurrentIndex(self.cells.index(0, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width out anew."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        columns = self.cells.columnCount()
        if columns:
            share = (self.viewport().width() - 2) // columns
            self.horizontalHeader().setDefaultSectionSize(max(_NARROWEST, min(_WIDEST, share)))

    def show_cell(self, row: Row, task: str) -> None:
        """Bring a task into view."""
        if row in self.cells.rows and task in row.tasks:
            self.scrollTo(self.cells.index(self.cells.rows.index(row), row.tasks.index(task)))

    def _open(self, index: QModelIndex) -> None:
        cell = index.data(CELL)
        if cell is not None:
            self.cell_opened.emit(*cell)

    def _enter(self, index: QModelIndex, _before: QModelIndex) -> None:
        cell = index.data(CELL) if index.isValid() else None
        if cell is not None:
            self.cell_entered.emit(*cell)


class _CellDelegate(QStyledItemDelegate):
    """Paints a cell: colour and figure for what is done, an outline for what is not."""

    def __init__(self, theme: Theme, parent: HeatMap) -> None:
        super().__init__(parent)
        self._theme = theme
        self._map = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Small."""
        return QSize(_NARROWEST, _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one cell."""
        cells = self._map.cells
        row = cells.rows[index.row()]
        state = row.state(index.column())
        if state == "none":
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = option.rect.adjusted(1, 1, -2, -2)
        record = row.record(index.column())
        tokens = self._theme.tokens
        if record is not None:
            paper = colour_of(cells.shade.goodness(record), tokens)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(paper)
            painter.drawRoundedRect(box, 2, 2)
            painter.setPen(ink_on(paper, tokens))
            painter.setFont(mono_font(tokens, 10))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, short_figure(cells.shade.value(record)))
            if not record.grade.perfect and cells.shade.goodness(record) == 1.0:
                _corner(painter, box, ink_on(paper, tokens))
        else:
            self._empty(painter, box, state)
        if option.state & QStyle.StateFlag.State_Selected:
            focused = self._map.hasFocus()
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.text if focused else tokens.text_faint), 2 if focused else 1))
            painter.drawRoundedRect(box, 2, 2)
        painter.restore()

    def _empty(self, painter: QPainter, box: QRect, state: str) -> None:
        tokens = self._theme.tokens
        painter.setBrush(Qt.BrushStyle.NoBrush)
        colour = {"running": tokens.accent, "interrupted": tokens.warning}.get(state, tokens.line)
        painter.setPen(QPen(QColor(colour), 1 if state == "waiting" else 1.6))
        painter.drawRoundedRect(box, 2, 2)
        if state == "waiting":
            return
        painter.setFont(mono_font(tokens, 10))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "…" if state == "running" else "!")


def _corner(painter: QPainter, box: QRect, colour: QColor) -> None:
    """Mark a cell whose figure is the best although something else went wrong."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(box.right() - 3, box.top() + 1, 3, 3)


def labels(rows: list[Row]) -> list[str]:
    """Name sessions by what tells them apart."""
    suites = {row.id.suite for row in rows}
    repeats = {row.id.repeat for row in rows}
    models = {row.configuration.model for row in rows}
    configurations = {(row.configuration.model, row.configuration.label, row.id.folder) for row in rows}
    return [
        " ".join(
            part
            for part in (
                row.configuration.model.partition(":")[2] if len(models) > 1 else "",
                row.configuration.label if len(configurations) > 1 else "",
                row.id.suite if len(suites) > 1 or len(configurations) == 1 else "",
                f"#{row.id.repeat}" if len(repeats) > 1 else "",
            )
            if part
        )
        for row in rows
    ]
