"""The log viewer: the list of tasks, filtered by what failed, and everything about the one that is chosen."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QSplitter, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from agent.evaluation.records import TaskRecord
from desktop.benchmark.board import Board, Row
from desktop.benchmark.comparison import ComparisonPane
from desktop.benchmark.conversation_pane import ConversationPane, TurnsPane
from desktop.benchmark.design_pane import DesignPane
from desktop.benchmark.faults import FAULTS, fault_signs, fault_words, faults_of
from desktop.benchmark.heat import labels
from desktop.bridge import Bridge
from desktop.panels.tables import Columns, RowTable, TableRow
from desktop.panels.widgets import column, hairline, make_label, make_scroll_area, row
from desktop.theme.symbols import Symbol
from desktop.theme.theme import Theme

Entry = tuple[Row, str]
_FAILED, _PERFECT = "failed", "perfect"


class LogViewer(QWidget):
    """Tasks on the left, the chosen one on the right."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._board = Board()
        self._chosen: Entry | None = None
        self._listing = False
        self.search = QLineEdit()
        self.search.setPlaceholderText("Filter by id, words or tool")
        self.search.setAccessibleName("Filter tasks")
        self.search.setClearButtonEnabled(True)
        self.filter = QComboBox()
        self.filter.setAccessibleName("What failed")
        self.session = QComboBox()
        self.session.setAccessibleName("Session")
        self.count = make_label("", "small")
        self.tasks = RowTable(
            Columns(("Task", "What failed", "Score", "s"), frozenset({0, 2, 3}), frozenset({2, 3})),
            theme,
            "Tasks of the logs",
            (120, 54, 48),
            stretched=1,
        )
        self.comparison = ComparisonPane(theme)
        self.conversation = ConversationPane(theme)
        self.design = DesignPane(bridge, theme)
        self.turns = TurnsPane()
        self.tabs = QTabBar()
        for title in ("Conversation", "Design", "What the model was given"):
            self.tabs.addTab(title)
        self.pages = QStackedWidget()
        for page in (self.conversation, self.design, self.turns):
            self.pages.addWidget(page)
        self._lay_out()
        self.tasks.selectionModel().currentRowChanged.connect(self._on_row)
        self.search.textChanged.connect(lambda _text: self._list())
        self.filter.activated.connect(lambda _position: self._list())
        self.session.activated.connect(lambda _position: self._list())
        self.tabs.currentChanged.connect(self._on_tab)
        self.comparison.show_record(None)

    def _lay_out(self) -> None:
        left = QWidget()
        filters = column(self.session, self.filter, self.search, self.count, spacing=6, margins=(10, 8, 10, 6))
        listing = column(spacing=0)
        listing.addLayout(filters)
        listing.addWidget(hairline())
        listing.addWidget(self.tasks, 1)
        left.setLayout(listing)
        above = QWidget()
        tab_row = row(self.tabs, None, margins=(12, 0, 12, 0))
        upper = column(spacing=0)
        holder = column(spacing=0)
        holder.addWidget(self.comparison)
        holder.addStretch(1)
        upper.addWidget(make_scroll_area(holder), 1)
        above.setLayout(upper)
        below = QWidget()
        lower = column(spacing=0)
        lower.addLayout(tab_row)
        lower.addWidget(hairline())
        lower.addWidget(self.pages, 1)
        below.setLayout(lower)
        self._right = QSplitter(Qt.Orientation.Vertical)
        self._right.setHandleWidth(2)
        self._right.addWidget(above)
        self._right.addWidget(below)
        self._right.setSizes([230, 470])
        self._right.setStretchFactor(1, 1)
        split = QSplitter()
        split.setHandleWidth(2)
        split.addWidget(left)
        split.addWidget(self._right)
        split.setSizes([400, 880])
        split.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(split)

    # --- the list ---

    def show_board(self, board: Board) -> None:
        """Show the tasks of other logs."""
        self._board = board
        self._chosen = None
        self.session.clear()
        self.session.addItem("All sessions", None)
        names = labels(board.rows)
        for each, name in zip(board.rows, names, strict=True):
            self.session.addItem(name or each.id.suite, each.id)
        self.session.setVisible(len(names) > 1)
        self._show(None)
        self._list()

    def refresh(self) -> None:
        """Tasks have come in."""
        self._list()

    def _entries(self) -> list[tuple[Row, TaskRecord]]:
        chosen = self.session.currentData()
        return [
            (each, record)
            for each in self._board.rows
            if chosen is None or each.id == chosen
            for record in each.in_order()
        ]

    def _list(self) -> None:
        entries = self._entries()
        self._offer_filters([record for _row, record in entries])
        wanted = self.filter.currentData()
        words = self.search.text().casefold().split()
        names = dict(zip((each.id for each in self._board.rows), labels(self._board.rows), strict=True))
        several = self.session.currentData() is None and len(names) > 1
        shown = [
            _table_row(each, record, names[each.id] if several else "")
            for each, record in entries
            if _passes(record, wanted) and all(word in _text(record) for word in words)
        ]
        longest = max((len(row.cells[0]) for row in shown), default=0)
        self.tasks.horizontalHeader().resizeSection(0, max(100, min(240, 44 + longest * 8)))
        self._listing = True
        self.tasks.rows.set_rows(shown)
        self._listing = False
        self.count.setText(f"{len(shown)} of {len(entries)} tasks")
        targets = [each.target for each in shown]
        if self._chosen in targets:
            self.tasks.setCurrentIndex(self.tasks.model().index(targets.index(self._chosen), 0))
        elif targets and self._chosen is None:
            self.tasks.setCurrentIndex(self.tasks.model().index(0, 0))

    def _offer_filters(self, records: list[TaskRecord]) -> None:
        chosen = self.filter.currentData()
        found = [fault for record in records for fault in faults_of(record)]
        perfect = sum(record.grade.perfect for record in records)
        options: list[tuple[str, str | None]] = [
            (f"Everything ({len(records)})", None),
            (f"Anything wrong ({sum(bool(faults_of(record)) for record in records)})", _FAILED),
            *((f"{words} ({found.count(fault)})", fault) for fault, (words, _word, _test) in FAULTS.items()),
            (f"perfect ({perfect})", _PERFECT),
        ]
        self.filter.clear()
        for text, value in options:
            self.filter.addItem(text[0].upper() + text[1:], value)
        self.filter.setCurrentIndex(max(0, self.filter.findData(chosen)))

    def open_task(self, chosen: Row, task: str) -> None:
        """Show a task; the filters make way where they hide it."""
        self._chosen = (chosen, task)
        record = chosen.records.get(task)
        if record is None:
            return
        if not _passes(record, self.filter.currentData()):
            self.filter.setCurrentIndex(0)
        if self.session.currentData() not in {None, chosen.id}:
            self.session.setCurrentIndex(0)
        self.search.setText("")
        self._list()
        self._show(self._chosen)

    @property
    def chosen(self) -> Entry | None:
        """The session and the id of the task that is shown."""
        return self._chosen

    def _on_row(self, index: QModelIndex, _before: QModelIndex) -> None:
        if self._listing or not index.isValid():
            return
        entry = self.tasks.target(index)
        if entry != self._chosen or not self.comparison.lines:
            self._chosen = entry
            self._show(entry)

    def _show(self, entry: Entry | None) -> None:
        record = entry[0].records.get(entry[1]) if entry is not None else None
        self.comparison.show_record(record)
        self.conversation.show_record(record)
        self.turns.show_record(record, entry[0].in_order() if entry is not None else ())
        if self.tabs.currentIndex() == 1 or record is None:
            self.design.show_record(record, entry[0].source if entry is not None else "")

    def _on_tab(self, position: int) -> None:
        self.pages.setCurrentIndex(position)
        if position == 1 and self._chosen is not None:  # a replay takes a moment: only where it is looked at
            chosen, task = self._chosen
            self.design.show_record(chosen.records.get(task), chosen.source)


def _passes(record: TaskRecord, wanted: str | None) -> bool:
    if wanted is None:
        return True
    if wanted == _PERFECT:
        return record.grade.perfect
    found = faults_of(record)
    return bool(found) if wanted == _FAILED else wanted in found


def _text(record: TaskRecord) -> str:
    tools = " ".join(call.tool for call in record.calls)
    return f"{record.task.id} {record.suite} {record.task.prompt} {tools} {record.answer}".casefold()


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f}" if seconds < 100 else f"{seconds:.0f}"


def _table_row(session: Row, record: TaskRecord, label: str) -> TableRow:
    grade = record.grade
    achieved = grade.ecc if grade.ecc is not None else grade.nca or 0.0
    symbol: Symbol = "tick" if grade.perfect else "cross"
    name = f"{label} {record.task.id}".strip()
    return TableRow(
        (name, fault_signs(record), f"{achieved:.2f}", _seconds(record.seconds)),
        (session, record.task.id),
        symbol,
        "success" if grade.perfect else "warning",
        tip=f"{name}: {fault_words(record)}\n{record.task.prompt.strip()}",
    )
