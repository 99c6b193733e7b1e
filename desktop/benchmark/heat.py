"""The heat map: a row for each session, a cell for each task, coloured by how well it went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from desktop.benchmark.board import Row, RowId
from desktop.benchmark.faults import fault_words
from desktop.benchmark.shades import SHADES, Shade, colour_of, ink_on, short_figure
from desktop.panels.cards import format_seconds
from desktop.theme.fonts import mono_font, ui_font
from desktop.theme.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ROW_HEIGHT = 22
_NARROWEST, _WIDEST = 17, 34
_STATE_WORDS = {"waiting": "still to do", "running": "being done", "interrupted": "interrupted; will be done again"}
CELL = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Line:
    """A line of the map: one session, or the sessions of one configuration side by side.

    Attributes:
        cells: a session and the position of its task; None for a gap.
    """

    label: str
    tip: str
    cells: tuple[tuple[Row, int] | None, ...]


@dataclass(frozen=True)
class Grid:
    """All lines, and what stands over their columns.

    Attributes:
        heads: a text for some columns.
        sections: names over the columns where several suites stand side by side, by first column.
    """

    lines: tuple[Line, ...] = ()
    heads: tuple[str, ...] = ()
    sections: tuple[tuple[int, str], ...] = ()


def grid_of(rows: list[Row]) -> Grid:
    """Lay sessions out: a line each; where several runs share suites, a line for each run and repeat."""
    runs = list(dict.fromkeys((row.id.folder, row.id.repeat) for row in rows))
    suites = {row.id.suite: max(len(each.tasks) for each in rows if each.id.suite == row.id.suite) for row in rows}
    if len({folder for folder, _repeat in runs}) == 1 or len(suites) == 1:
        width = max((len(row.tasks) for row in rows), default=0)
        lines = [
            Line(label, _run_words(row), tuple((row, column) for column in range(width)))
            for row, label in zip(rows, labels(rows), strict=True)
        ]
        return Grid(tuple(lines), _numbers(width))
    known = {row.id: row for row in rows}
    lines = []
    firsts = [next(row for row in rows if (row.id.folder, row.id.repeat) == run) for run in runs]
    for (folder, repeat), first, label in zip(runs, firsts, labels(firsts, suites=False), strict=True):
        cells: list[tuple[Row, int] | None] = []
        for suite, width in suites.items():
            row = known.get(RowId(folder, suite, repeat))
            cells += [(row, column) if row is not None else None for column in range(width)]
            cells.append(None)
        lines.append(Line(label, _run_words(first), tuple(cells[:-1])))
    heads: list[str] = []
    sections: list[tuple[int, str]] = []
    for suite, width in suites.items():
        sections.append((len(heads), suite))
        heads += [*_numbers(width), ""]
    return Grid(tuple(lines), tuple(heads[:-1]), tuple(sections))


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(number) if number == 1 or number % 5 == 0 else "" for number in range(1, count + 1))


def _run_words(row: Row) -> str:
    fixed = row.configuration
    return f"{fixed.model}, {fixed.label}, {fixed.mode}\n{row.id.folder.name}"


class HeatModel(QAbstractTableModel):
    """The board as a table."""

    def __init__(self) -> None:
        super().__init__()
        self.grid = Grid()
        self.shade: Shade = SHADES[0]

    def set_rows(self, rows: list[Row]) -> None:
        """Show other sessions."""
        self.beginResetModel()
        self.grid = grid_of(rows)
        self.endResetModel()

    def set_shade(self, shade: Shade) -> None:
        """Colour by another figure."""
        self.shade = shade
        self.touch(0, len(self.grid.lines) - 1)

    def row_changed(self, row: Row) -> None:
        """Repaint a session."""
        for number, line in enumerate(self.grid.lines):
            if any(cell is not None and cell[0] is row for cell in line.cells):
                self.touch(number, number)

    def touch(self, first: int, last: int) -> None:
        """Repaint lines."""
        if 0 <= first <= last and self.grid.heads:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.grid.heads) - 1))

    def cell(self, index: _Index) -> tuple[Row, int] | None:
        """The session and the position of the task in it; None where there is no task."""
        cell = self.grid.lines[index.row()].cells[index.column()]
        return cell if cell is not None and cell[0].state(cell[1]) != "none" else None

    def find(self, row: Row, task: str) -> QModelIndex:
        """Where a task stands; invalid where it is not shown."""
        for number, line in enumerate(self.grid.lines):
            for column, cell in enumerate(line.cells):
                if cell is not None and cell[0] is row and cell[1] < len(row.tasks) and row.tasks[cell[1]] == task:
                    return self.index(number, column)
        return QModelIndex()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Lines."""
        return 0 if parent.isValid() else len(self.grid.lines)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Columns of the longest line."""
        return 0 if parent.isValid() else len(self.grid.heads)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Cells without a task cannot be reached."""
        if index.isValid() and self.cell(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The lines' names on the left, the tasks' positions on top."""
        if orientation == Qt.Orientation.Horizontal:
            return self.grid.heads[section] if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.grid.lines[section].label
        return self.grid.lines[section].tip if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The figure of a cell, what it stands for, and what there is to say about it."""
        cell = self.cell(index)
        if cell is None:
            return None
        row, column = cell
        if role == Qt.ItemDataRole.DisplayRole:
            record = row.record(column)
            return short_figure(self.shade.value(record)) if record is not None else ""
        if role == CELL:
            return (row, row.tasks[column])
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
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
        self.cells = HeatModel()
        self.setModel(self.cells)
        self.setHorizontalHeader(_Head(theme, self))
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
        return QSize(600, self._head_height() + rows * _ROW_HEIGHT + 12)

    def _head_height(self) -> int:
        return 36 if self.cells.grid.sections else 20

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
        self.horizontalHeader().setFixedHeight(self._head_height())
        columns = self.cells.columnCount()
        if columns:
            share = (self.viewport().width() - 2) // columns
            self.horizontalHeader().setDefaultSectionSize(max(_NARROWEST, min(_WIDEST, share)))

    def show_cell(self, row: Row, task: str) -> None:
        """Bring a task into view."""
        index = self.cells.find(row, task)
        if index.isValid():
            self.scrollTo(index)

    def _open(self, index: QModelIndex) -> None:
        cell = index.data(CELL)
        if cell is not None:
            self.cell_opened.emit(*cell)

    def _enter(self, index: QModelIndex, _before: QModelIndex) -> None:
        cell = index.data(CELL) if index.isValid() else None
        if cell is not None:
            self.cell_entered.emit(*cell)


class _Head(QHeaderView):
    """Positions of the tasks, with the suites' names above where several stand side by side."""

    def __init__(self, theme: Theme, parent: HeatMap) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._map = parent
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the names over the numbers."""
        super().paintEvent(event)
        sections = self._map.cells.grid.sections
        if not sections:
            return
        painter = QPainter(self.viewport())
        painter.setFont(ui_font(self._theme.tokens, self._theme.tokens.text_small, strong=True))
        painter.setPen(QColor(self._theme.tokens.text_muted))
        for first, name in sections:
            painter.drawText(QRect(self.sectionViewportPosition(first) + 2, 2, 200, 16), 0, name)
        painter.end()


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
        cell = cells.cell(index)
        if cell is None:
            return
        row, column = cell
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = option.rect.adjusted(1, 1, -2, -2)
        record = row.record(column)
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
            self._empty(painter, box, row.state(column))
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


def labels(rows: list[Row], *, suites: bool = True) -> list[str]:
    """Name sessions by what tells them apart, or runs where the suites do not count."""
    names = {row.id.suite for row in rows} if suites else set()
    repeats = {row.id.repeat for row in rows}
    models = {row.configuration.model for row in rows}
    configurations = {(row.configuration.model, row.configuration.label, row.id.folder) for row in rows}
    return [
        " ".join(
            part
            for part in (
                row.configuration.model.partition(":")[2] if len(models) > 1 else "",
                row.configuration.label if len(configurations) > 1 else "",
                row.id.suite if len(names) > 1 or (suites and len(configurations) == 1) else "",
                f"#{row.id.repeat}" if len(repeats) > 1 else "",
            )
            if part
        )
        for row in rows
    ]
