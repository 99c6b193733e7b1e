"""What stands below the canvas: the checks' findings, the undo list, the netlist as a table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from desktop.call_text import short_name
from desktop.document import Document, Gesture
from desktop.history import Entry
from desktop.panels.tables import Columns, RowTable, TableRow
from desktop.panels.widgets import PanelHeader, make_label
from desktop.theme.symbols import Symbol
from desktop.theme.theme import Theme
from model.change import ElementId
from model.checks import check_component, check_library
from model.elements import Component
from model.findings import Finding
from model.library import Library
from model.nets import Net, nets_of
from server.editor import OutsideCall

_SIGNS = {"error": ("error", "danger"), "warning": ("warning", "warning"), "note": ("note", "accent")}
_ORDER = {"error": 0, "warning": 1, "note": 2}
_DELAY_MS = 120


class BottomPanel(QWidget):
    """Tabs for problems, history and netlist; only what is seen is kept up to date.

    Signals:
        reveal_requested: elements to show on the canvas, as a tuple.
        problems_counted: how many findings the shown design has.
        problems_found: the findings of the shown design, as a tuple of :class:`Finding`.
    """

    reveal_requested = Signal(object)
    problems_counted = Signal(int)
    problems_found = Signal(object)

    def __init__(self, document: Document, theme: Theme) -> None:
        super().__init__()
        self._document = document
        self._all = False
        self._checking = 0
        self._checked = False
        self.tabs = QTabBar()
        for title in ("Problems", "History", "Netlist"):
            self.tabs.addTab(title)
        self.scope = QToolButton()
        self.scope.setProperty("role", "chip")
        self.scope.setCheckable(True)
        self.scope.setToolTip("Check the shown design, or everything in the library")
        self.count = make_label("", "small")
        self.header = PanelHeader("", self.count, self.scope)
        self.header.title.hide()
        self.header.insert_left(self.tabs)
        self.problems = RowTable(
            Columns(("Problem", "Where", "Check"), frozenset({1}), frozenset({1, 2})), theme, "Problems", (190, 150)
        )
        self.history = RowTable(Columns(("Step", "Made by"), right=frozenset({1})), theme, "History", (120,))
        self.nets = RowTable(
            Columns(("Net", "Width", "Driver", "Ends"), frozenset({0, 2, 3}), frozenset({1})),
            theme,
            "Netlist",
            (170, 60, 150),
            stretched=3,
        )
        self.nets.allow_sorting()
        self._stack = QStackedWidget()
        for table in (self.problems, self.history, self.nets):
            self._stack.addWidget(table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_DELAY_MS)
        self._later.timeout.connect(self.refresh)
        self.tabs.currentChanged.connect(self._on_tab)
        self.scope.toggled.connect(self._set_scope)
        for table in (self.problems, self.nets):
            table.clicked.connect(partial(self._reveal, table))
            table.activated.connect(partial(self._reveal, table))
        self.history.activated.connect(self._jump)
        self.history.clicked.connect(self._jump)
        document.library_changed.connect(lambda _change, _library: self._later.start())
        document.component_shown.connect(lambda _vlnv: self._later.start())
        document.reopened.connect(self._later.start)
        document.history_changed.connect(self._on_history)
        self._set_scope(False)

    def show_tab(self, position: int) -> None:
        """Bring up problems (0), history (1) or netlist (2), up to date, and put the keyboard into the table."""
        self.tabs.setCurrentIndex(position)
        self.refresh()
        (self.problems, self.history, self.nets)[position].setFocus()

    def _on_tab(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        self.scope.setVisible(index == 0)
        self.refresh()

    def _set_scope(self, everything: bool) -> None:
        self._all = everything
        self.scope.setText("whole library" if everything else "this design")
        self._later.start()

    def refresh(self) -> None:
        """Bring the shown tab up to date; the checks run away from Qt's thread."""
        self._check()
        if self.tabs.currentIndex() == 1:
            self._show_history()
        elif self.tabs.currentIndex() == 2:
            self._show_nets()
        self._show_count()

    def _check(self) -> None:
        document = self._document
        library, vlnv, everything = document.library, document.component, self._all
        self._checking += 1
        ticket = self._checking

        def work() -> tuple[tuple[Finding, ...], int]:
            here = check_component(library, vlnv) if vlnv is not None and vlnv in library else ()
            return (check_library(library) if everything else here), len(here)

        def show(result: tuple[tuple[Finding, ...], int]) -> None:
            if ticket == self._checking:  # a later edit has made an older result worthless
                self._show_problems(*result)

        document.bridge.run_blocking(work, show)

    def _show_problems(self, found: tuple[Finding, ...], here: int) -> None:
        document = self._document
        files = [finding for finding in document.findings if self._all or _about(finding, document)]
        rows = [_problem_row(finding) for finding in sorted([*found, *files], key=lambda each: _ORDER[each.severity])]
        self._checked = True
        self.problems.rows.set_rows(rows)
        count = here + sum(_about(finding, document) for finding in document.findings)
        self.tabs.setTabText(0, f"Problems {len(rows)}" if rows else "Problems")
        self.problems_counted.emit(count)
        self.problems_found.emit(tuple(finding for finding in (*found, *files) if _about(finding, document)))
        self._show_count()

    def _show_history(self) -> None:
        done, undone = self._document.history.done, self._document.history.undone
        rows = [TableRow(("As opened", ""), 0, "dot" if not done else None, "accent", strong=not done)]
        for position, step in enumerate(done, start=1):
            here = position == len(done)
            sign: Symbol | None = "dot" if here else None
            rows.append(TableRow((step.label, _maker(step)), position, sign, "accent", strong=here))
        for position, step in enumerate(reversed(undone), start=len(done) + 1):
            rows.append(TableRow((step.label, "undone"), position, None, faint=True))
        rows.reverse()
        self.history.rows.set_rows(rows)

    def _on_history(self) -> None:
        if self.tabs.currentIndex() == 1:
            self._show_history()
            self._show_count()

    def _jump(self, index: QModelIndex) -> None:
        position = self.history.target(index)
        if isinstance(position, int) and position != len(self._document.history.done):
            self._document.jump(position)

    def _show_nets(self) -> None:
        document = self._document
        component = document.library.find(document.component) if document.component is not None else None
        if component is None:
            self.nets.rows.set_rows(())
            return
        library = document.library

        def show(rows: list[TableRow]) -> None:
            if document.component == component.vlnv:
                self.nets.rows.set_rows(rows)
                self._show_count()

        document.bridge.run_blocking(lambda: _net_rows(library, component), show)

    def _show_count(self) -> None:
        counts = (
            "" if self.problems.rows.rows or not self._checked else "nothing found",
            _count(len(self.history.rows.rows) - 1, "step"),
            _count(len(self.nets.rows.rows), "net"),
        )
        self.count.setText(counts[self.tabs.currentIndex()])

    def _reveal(self, table: RowTable, index: QModelIndex) -> None:
        target = table.target(index)
        if isinstance(target, ElementId):
            target = (target,)
        if target:
            self.reveal_requested.emit(target)


def _about(finding: Finding, document: Document) -> bool:
    return finding.where is not None and finding.where.component == document.component


def _problem_row(finding: Finding) -> TableRow:
    symbol, colour = _SIGNS[finding.severity]
    where = ""
    if finding.where is not None:
        where = finding.where.name or short_name(finding.where.component)
    elif finding.path is not None:
        where = f"{finding.path.name}:{finding.line}" if finding.line else finding.path.name
    tip = finding.message if finding.path is None else f"{finding.message}\n{finding.path}"
    return TableRow((finding.message, where, finding.code), finding.where, symbol, colour, tip=tip)  # type: ignore[arg-type]


def _maker(step: Entry) -> str:
    if isinstance(step.transaction, OutsideCall):
        return "another program"
    return "you" if step.transaction is None or isinstance(step.transaction, Gesture) else "agent"


def _net_rows(library: Library, component: Component) -> list[TableRow]:
    rows = [_net_row(component, net) for net in nets_of(library, component)]
    for name, joined in component.design.interconnections.items():
        element = ElementId(component.vlnv, "interconnection", name)
        rows.append(TableRow((name, "interface", "", _join(joined.ends)), (element,)))
    return rows


def _net_row(component: Component, net: Net) -> TableRow:
    target = tuple(ElementId(component.vlnv, "connection", name) for name in net.connections)
    width = "" if net.width is None else str(net.width)
    others = [end for end in net.ends if end not in net.drivers]
    return TableRow((net.name, width, _join(net.drivers) or "none", _join(others)), target)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _join(ends: Iterable[object]) -> str:
    return ", ".join(str(end) for end in ends)
