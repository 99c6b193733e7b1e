"""The score panel: a row for each request, which opens to its calls and to the marks that score them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from desktop.marking import Marking
from desktop.panels.mark_line import FootLine, MarkLine
from desktop.panels.score_delegate import LINE, SCORED, ScoreDelegate
from desktop.panels.widgets import PanelHeader, make_chip_button, make_label
from desktop.scorebook import CallLine, ScoredRequest, edit_expected, remark, totals
from desktop.theme.theme import Theme
from model.change import Change

_COLUMNS = ("Request", "ECC", "EVCR", "TFR", "NCA", "State", "s", "tokens")
_TIPS = (
    "",
    "Expected call coverage: the share of the expected calls that were made (1 is best)",
    "Extraneous valid call ratio: the share of the accepted calls that nobody asked for (0 is best)",
    "Tool failure rate: the share of the calls that were refused (0 is best)",
    "No-call accuracy: for a request that no call answers, 1 if none was made",
    "State score: 1 if the design is as the expected calls would have left it, however it was brought there",
    "Seconds",
    "Tokens that the model wrote",
)
_WIDTHS = (0, 36, 42, 36, 37, 41, 46, 52)
_TOKENS = 7
_ROOM_FOR_TOKENS = 440  # pixels


class ScorePanel(QWidget):
    """Requests with their scores, and the session's means; marks are given here.

    Signals:
        missing_requested: position of the request that a call is missing from.
        task_save_requested: position of the request that is to become a task of a suite file.
        export_requested: the session is to be written to a file.
        changed: a request came, went, or was marked.
        state_wanted: position of a request whose expected calls are known now, but not what they lead to.
    """

    missing_requested = Signal(int)
    task_save_requested = Signal(int)
    export_requested = Signal()
    changed = Signal()
    state_wanted = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._rows: list[ScoredRequest] = []
        self._items: list[QTreeWidgetItem] = []
        self.summary = make_label("no requests yet", "chip")
        self.more = make_chip_button("⋯", "Export or clear the session")
        self.more.setAccessibleName("Session of scores")
        menu = QMenu(self.more)
        self._export = menu.addAction("Export the session…")
        self._export.triggered.connect(self.export_requested)
        self._clear = menu.addAction("Clear the session's scores")
        self._clear.triggered.connect(self.clear)
        self.more.setMenu(menu)
        self.header = PanelHeader("Scores", self.summary, self.more)
        self.table = self._table(theme)
        self.empty = make_label(
            "Every request gets a row here. Pick a suite's task in the agent pane, or mark the calls of any request, "
            "and expected and made calls stand side by side.",
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
        self.totals = make_label("", "small", wrap=True)
        self.totals.setContentsMargins(12, 6, 12, 7)
        self.totals.setAccessibleName("Means of the session")
        layout.addWidget(self.totals)
        self.totals.hide()
        self.table.hide()
        self.table.itemClicked.connect(self._toggle)
        self.table.itemActivated.connect(self._toggle)
        theme.changed.connect(self.table.viewport().update)
        self._summarise()

    @staticmethod
    def _table(theme: Theme) -> QTreeWidget:
        table = QTreeWidget()
        table.setColumnCount(len(_COLUMNS))
        table.setHeaderLabels(_COLUMNS)
        table.setIndentation(0)
        table.setRootIsDecorated(False)
        table.setItemDelegate(ScoreDelegate(theme, table))
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setExpandsOnDoubleClick(False)
        table.setAccessibleName("Scores")
        head = table.header()
        head.setObjectName("Scores")
        head.setStretchLastSection(False)
        head.setMinimumSectionSize(36)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        item = table.headerItem()
        for column in range(1, len(_COLUMNS)):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            head.resizeSection(column, _WIDTHS[column])
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setToolTip(column, _TIPS[column])
        return table

    @property
    def rows(self) -> tuple[ScoredRequest, ...]:
        """The requests so far, the oldest first."""
        return tuple(self._rows)

    def add(self, scored: ScoredRequest) -> None:
        """Add a finished request on top and open it."""
        self._rows.append(scored)
        self.empty.hide()
        self.table.show()
        item = QTreeWidgetItem()
        self._items.append(item)
        self.table.collapseAll()
        self.table.insertTopLevelItem(0, item)
        for column in range(1, len(_COLUMNS)):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._fill(len(self._rows) - 1)
        item.setExpanded(True)
        self._summarise()
        self._ask_for_state(len(self._rows) - 1)

    def change(self, position: int, marking: Marking) -> None:
        """Take a person's marks of a request."""
        self._replace(position, remark(self._rows[position], marking))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the tokens out where the requests would have no room; an open request tells them."""
        super().resizeEvent(event)
        self.table.setColumnHidden(_TOKENS, self.width() < _ROOM_FOR_TOKENS)

    def clear(self) -> None:
        """Forget the session."""
        self._rows.clear()
        self._items.clear()
        self.table.clear()
        self.table.hide()
        self.empty.show()
        self._summarise()

    # --- rows ---

    def _replace(self, position: int, row: ScoredRequest) -> None:
        focused = self.focusWidget()
        name = focused.objectName() if focused is not None and self.table.isAncestorOf(focused) else ""
        self._rows[position] = row
        self._fill(position)
        if name:  # the keyboard stays where it was
            again = self.table.findChild(QWidget, name)
            (again or self.table).setFocus()
        self._summarise()
        self._ask_for_state(position)

    def _ask_for_state(self, position: int) -> None:
        row = self._rows[position]
        if row.answers and row.designs is not None and row.state is None:
            self.state_wanted.emit(position)

    def show_state(self, position: int, asked: ScoredRequest, state: Change) -> None:
        """Take how the design differs from what it should be, unless the request was marked otherwise since."""
        if position < len(self._rows) and self._rows[position] is asked:
            self._replace(position, replace(asked, state=state))

    def _fill(self, position: int) -> None:
        row, item = self._rows[position], self._items[position]
        for column, text in enumerate(_cells(row)):
            item.setText(column, text)
        item.setData(0, SCORED, row)
        item.setToolTip(0, f"{row.task + ': ' if row.task else ''}{row.text}")
        for number in range(item.childCount()):
            child = item.child(number)
            widget = self.table.itemWidget(child, 0) if child is not None else None
            if widget is not None:  # it lives until the next turn of the event loop
                for each in widget.findChildren(QWidget):
                    each.setObjectName("")
        item.takeChildren()
        for place, line in enumerate(row.lines):
            child = self._child(item, f"{line.mark}: {line.tool} {line.words}. {line.detail}")
            if row.marking is not None and (line.made is not None or line.missing is not None):
                self.table.setItemWidget(child, 0, self._mark_line(position, place, line))
            else:
                child.setData(0, LINE, line)
        self.table.setItemWidget(self._child(item, _footer(row)), 0, self._foot_line(position, row))

    def _child(self, item: QTreeWidgetItem, text: str) -> QTreeWidgetItem:
        child = QTreeWidgetItem()
        item.addChild(child)
        child.setText(0, text)
        child.setToolTip(0, text)
        child.setFirstColumnSpanned(True)
        return child

    def _mark_line(self, position: int, number: int, line: CallLine) -> MarkLine:
        widget = MarkLine(self._theme, line, f"{position}-{number}")
        row = self._rows[position]
        marking = row.marking or Marking()
        if line.made is not None:
            index, call = line.made, row.made[line.made]
            widget.marked.connect(lambda right: self.change(position, marking.mark(index, call, right)))
        elif line.missing is not None:
            missing = line.missing
            widget.dropped.connect(lambda: self.change(position, marking.drop_missing(missing)))
        return widget

    def _foot_line(self, position: int, row: ScoredRequest) -> FootLine:
        foot = FootLine(_footer(row), str(position))
        if row.marking is None:
            foot.add(
                "Edit expected calls", "edit", lambda: self._replace(position, edit_expected(self._rows[position]))
            )
        else:
            marking = row.marking
            if marking.no_call:
                foot.add("Calls expected", "calls", self._changing(position, marking.expect_no_call(False)))
            else:
                foot.add("Add missing…", "missing", lambda: self.missing_requested.emit(position))
                foot.add("Expect no call", "nocall", self._changing(position, marking.expect_no_call(True)))
        if row.score is not None and row.marking is not None:
            foot.add("Save as task…", "save", lambda: self.task_save_requested.emit(position))
        return foot

    def _changing(self, position: int, marking: Marking) -> Callable[[], None]:
        return lambda: self.change(position, marking)

    def _summarise(self) -> None:
        sums = totals(self._rows)
        self._export.setEnabled(bool(sums.requests))
        self._clear.setEnabled(bool(sums.requests))
        self.changed.emit()
        self.totals.setVisible(bool(sums.requests))
        if not sums.requests:
            self.summary.setText("no requests yet")
            self.summary.setToolTip("")
            return
        named = (
            ("ECC", sums.ecc),
            ("EVCR", sums.evcr),
            ("TFR", sums.tfr),
            ("NCA", sums.nca),
            ("state", sums.state),
        )
        count = f"{sums.requests} request" + ("s" if sums.requests != 1 else "")
        first = next((f"{name} {figure}" for name, figure in named if figure is not None and name != "EVCR"), "")
        self.summary.setText(" · ".join(part for part in (first if sums.scored else "", count) if part))
        figures = [f"{name} {figure}" for name, figure in named if figure is not None]
        scored = f"{sums.scored} of {count} scored"
        costs = f"{sums.seconds:.1f} s, {sums.tokens} tokens"
        self.totals.setText(" · ".join([scored, *figures, costs]))
        self.summary.setToolTip("\n".join([f"{scored}; means with 95 % intervals", *figures, costs]))

    def _toggle(self, item: QTreeWidgetItem) -> None:
        if item.parent() is None:
            item.setExpanded(not item.isExpanded())


def _cells(scored: ScoredRequest) -> list[str]:
    costs = [f"{scored.finished.seconds:.1f}", str(scored.tokens)]
    if scored.score is None:
        return [scored.text, "", "", f"{scored.failure_rate:.2f}" if scored.calls else "–", "", "", *costs]
    score = scored.score
    figures = [_figure(value) for value in (score.ecc, score.evcr, score.tfr, score.nca)]
    state = "–" if scored.state is None else f"{scored.state.is_empty:d}"
    return [scored.text, *figures, state, *costs]


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _footer(scored: ScoredRequest) -> str:
    if scored.marking is not None and scored.score is None:
        return scored.marking.open_question(scored.made)
    failed = f", {scored.failed_calls} refused" if scored.failed_calls else ""
    parts = [f"{scored.calls} call{'s' if scored.calls != 1 else ''}{failed}", f"{scored.tokens} tokens"]
    if scored.task:
        parts.insert(0, f"task {scored.task}")
    elif scored.marking is not None and scored.marking.no_call:
        parts.append("no call expected")
    if scored.state is not None:
        parts.insert(0, _state_words(scored.state))
    return " · ".join(parts)


def _state_words(state: Change) -> str:
    """How the design differs from what it should be."""
    count = len(state.touched)
    if not count:
        return "design as expected"
    return f"{count} difference{'s' if count != 1 else ''} from the expected design"
