"""The score panel: a row for each request, which opens to its expected and made calls side by side."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop.panels.widgets import PanelHeader, make_label
from desktop.scorebook import CallLine, Mark, ScoredRequest, totals
from desktop.theme.fonts import mono_font, ui_font
from desktop.theme.symbols import Symbol, paint_symbol
from desktop.theme.theme import Theme

_LINE = Qt.ItemDataRole.UserRole + 1
_SCORED = Qt.ItemDataRole.UserRole + 2
_COLUMNS = ("Request", "ECC", "EVCR", "TFR", "NCA", "s")
_TIPS = (
    "",
    "Expected call coverage: the share of the expected calls that were made (1 is best)",
    "Extraneous valid call ratio: the share of the accepted calls that nobody asked for (0 is best)",
    "Tool failure rate: the share of the calls that were refused (0 is best)",
    "No-call accuracy: for a request that no call answers, 1 if none was made",
    "Seconds",
)
_MARKS: dict[Mark, tuple[Symbol, str, str]] = {
    "matched": ("tick", "success", ""),
    "missing": ("cross", "danger", "missing"),
    "not asked": ("plus", "warning", "not asked"),
    "refused": ("bang", "danger", "refused"),
    "made": ("dot", "text_faint", ""),
}

_Index = QModelIndex | QPersistentModelIndex


class ScorePanel(QWidget):
    """Requests with their scores, and the session's means."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._rows: list[ScoredRequest] = []
        self.summary = make_label("no requests yet", "chip")
        self.header = PanelHeader("Scores", self.summary)
        self.table = QTreeWidget()
        self.table.setColumnCount(len(_COLUMNS))
        self.table.setHeaderLabels(_COLUMNS)
        self.table.setIndentation(0)
        self.table.setRootIsDecorated(False)
        self.table.setItemDelegate(_Delegate(theme, self.table))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.setExpandsOnDoubleClick(False)
        self.table.setAccessibleName("Scores")
        head = self.table.header()
        head.setStretchLastSection(False)
        head.setMinimumSectionSize(36)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        item = self.table.headerItem()
        for column in range(1, len(_COLUMNS)):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            head.resizeSection(column, 46)
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setToolTip(column, _TIPS[column])
        self.empty = make_label(
            "Every request gets a row here. Pick a suite's task in the agent pane to see expected and made calls "
            "side by side.",
            "muted",
            wrap=True,
        )
        self.empty.setContentsMargins(12, 10, 12, 10)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.empty)
        layout.addWidget(self.table, 1)
        layout.addStretch()
        self.table.hide()
        self.table.itemClicked.connect(self._toggle)
        self.table.itemActivated.connect(self._toggle)
        theme.changed.connect(self.table.viewport().update)

    @property
    def rows(self) -> tuple[ScoredRequest, ...]:
        """The requests so far."""
        return tuple(self._rows)

    def add(self, scored: ScoredRequest) -> None:
        """Add a finished request on top and open it."""
        self._rows.append(scored)
        self.empty.hide()
        self.table.show()
        item = QTreeWidgetItem(_cells(scored))
        item.setData(0, _SCORED, scored)
        item.setToolTip(0, f"{scored.task + ': ' if scored.task else ''}{scored.text}")
        for column in range(1, len(_COLUMNS)):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        lines: list[CallLine | str] = [*scored.lines, _footer(scored)]
        for line in lines:
            child = QTreeWidgetItem()
            child.setData(0, _LINE, line)
            text = f"{line.mark}: {line.tool} {line.words}. {line.detail}" if isinstance(line, CallLine) else line
            child.setText(0, text)
            child.setToolTip(0, text)
            item.addChild(child)
        self.table.collapseAll()
        self.table.insertTopLevelItem(0, item)
        for child in item.takeChildren():  # a span needs the parent in its place
            item.addChild(child)
            child.setFirstColumnSpanned(True)
        item.setExpanded(True)
        self._summarise()

    def clear(self) -> None:
        """Forget the session."""
        self._rows.clear()
        self.table.clear()
        self.table.hide()
        self.empty.show()
        self._summarise()

    def _summarise(self) -> None:
        sums = totals(self._rows)
        if not sums.requests:
            self.summary.setText("no requests yet")
            return
        figures = [
            f"{name} {value:.2f}"
            for name, value in (("ECC", sums.ecc), ("NCA", sums.nca), ("TFR", sums.tfr))
            if value is not None
        ]
        count = f"{sums.requests} request" + ("s" if sums.requests != 1 else "")
        self.summary.setText(" · ".join([*figures, count]))
        evcr = "–" if sums.evcr is None else f"{sums.evcr:.2f}"
        self.summary.setToolTip(
            f"Means of this session: {sums.scored} of {sums.requests} requests scored, EVCR {evcr}, "
            f"{sums.seconds:.1f} s, {sums.tokens} tokens"
        )

    def _toggle(self, item: QTreeWidgetItem) -> None:
        if item.parent() is None:
            item.setExpanded(not item.isExpanded())


def _cells(scored: ScoredRequest) -> list[str]:
    seconds = f"{scored.finished.seconds:.1f}"
    if scored.score is None:
        return [scored.text, "", "", f"{scored.failure_rate:.2f}" if scored.calls else "–", "", seconds]
    score = scored.score
    return [scored.text, _figure(score.ecc), _figure(score.evcr), _figure(score.tfr), _figure(score.nca), seconds]


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _footer(scored: ScoredRequest) -> str:
    failed = f", {scored.failed_calls} refused" if scored.failed_calls else ""
    parts = [f"{scored.calls} call{'s' if scored.calls != 1 else ''}{failed}", f"{scored.tokens} tokens"]
    if scored.task:
        parts.insert(0, f"task {scored.task}")
    else:
        parts.append("not scored: no expected calls")
    return " · ".join(parts)


class _Delegate(QStyledItemDelegate):
    """Paints requests as rows of figures and calls as marked lines."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Rows of 24, lines of 20."""
        return QSize(40, 24 if index.data(_SCORED) is not None or not index.parent().isValid() else 20)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one cell."""
        painter.save()
        tokens = self._theme.tokens
        line = index.data(_LINE)
        if index.parent().isValid():
            painter.fillRect(option.rect, QColor(tokens.accent_soft))
            self._line(painter, option, line)
        else:
            self._cell(painter, option, index)
            painter.setPen(QColor(tokens.line))
            painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        painter.restore()

    def _cell(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        tokens = self._theme.tokens
        scored = index.sibling(index.row(), 0).data(_SCORED)
        box = option.rect.adjusted(8, 0, -8, 0)
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(tokens.surface_raised))
        painter.setFont(ui_font(tokens, tokens.text_small + 1))
        colour = tokens.text
        if index.column() == 0:
            tree = self.parent()
            expanded = isinstance(tree, QTreeWidget) and tree.isExpanded(index)
            sign = QRectF(box.left() - 3, box.center().y() - 4.5, 10, 10)
            paint_symbol(painter, sign, "open" if expanded else "closed", tokens.text_muted)
            box.setLeft(box.left() + 12)
            if option.state & QStyle.StateFlag.State_HasFocus:
                colour = tokens.accent
            text = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, box.width())
            align = Qt.AlignmentFlag.AlignLeft
        else:
            text, align = index.data(), Qt.AlignmentFlag.AlignRight
            if text == "–":
                colour = tokens.text_faint
            elif index.column() == 1 and scored.score is None:
                text, colour, align = "not scored", tokens.text_muted, Qt.AlignmentFlag.AlignLeft
                box.setRight(box.right() + 46)
                box.setLeft(box.left() - 4)
        painter.setPen(QColor(colour))
        painter.drawText(box, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)

    def _line(self, painter: QPainter, option: QStyleOptionViewItem, line: CallLine | str) -> None:
        tokens = self._theme.tokens
        box = option.rect.adjusted(10, 0, -8, 0)
        if isinstance(line, str):
            painter.setFont(ui_font(tokens, tokens.text_small))
            painter.setPen(QColor(tokens.text_muted))
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, line)
            return
        symbol, colour, word = _MARKS[line.mark]
        ink = getattr(tokens, colour)
        paint_symbol(painter, QRectF(box.left(), box.center().y() - 5, 10.5, 10.5), symbol, ink)
        left = box.left() + 18
        painter.setFont(mono_font(tokens, tokens.text_small))
        for text, pen in ((word, ink), (line.tool, tokens.text), (f"{line.words}  {line.detail}", tokens.text_muted)):
            if text.strip() and left < box.right():
                painter.setPen(QColor(pen))
                shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.right() - left)
                target = box.adjusted(left - box.left(), 0, 0, 0)
                painter.drawText(target, Qt.AlignmentFlag.AlignVCenter, shown)
                left += painter.fontMetrics().horizontalAdvance(shown) + 7
