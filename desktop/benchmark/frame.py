"""The benchmark's window without its behaviour: the parts, and where they stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QTabBar, QWidget

from desktop.benchmark.figures import Figures
from desktop.benchmark.form import RunForm
from desktop.benchmark.live import LivePane
from desktop.benchmark.run_page import HeatPane
from desktop.benchmark.texts import nothing_yet
from desktop.benchmark.viewer import LogViewer
from desktop.bridge import Bridge
from desktop.panels.toast import Kind, Toast
from desktop.panels.widgets import (
    ElidedLabel,
    PanelHeader,
    ThinBar,
    column,
    hairline,
    make_button,
    make_label,
    row,
)
from desktop.theme.theme import Theme


class BenchmarkFrame(QMainWindow):
    """The parts of the window.

    Attributes:
        form, heat, figures, live, viewer: the panes.
        name, status, bar: what is shown, how far it is.
        tabs, configure, open, new, start, stop: what can be pressed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Benchmark – Blockwright")
        self.setAcceptDrops(True)
        self.theme = Theme.of_application()
        self.bridge = Bridge(self)
        self.form = RunForm()
        self.heat = HeatPane(self.theme)
        self.figures = Figures(self.bridge, self.theme, self)
        self.live = LivePane(self.bridge, self.theme)
        self.viewer = LogViewer(self.bridge, self.theme)
        self.name = ElidedLabel("no run yet", "muted", Qt.TextElideMode.ElideMiddle)
        self.status = make_label("", "small")
        self.bar = ThinBar(self.theme)
        self.tabs = QTabBar()
        self.tabs.addTab("Run")
        self.tabs.addTab("Tasks")
        self.tabs.setExpanding(False)
        self.configure = make_button("Configure", tip="Show or hide what is run")
        self.configure.setCheckable(True)
        self.open = make_button("Open…", tip="Open a run's folder; one can be dropped here, too (Ctrl+O)")
        self.new = make_button("New run", tip="Prepare another run in a folder of its own (Ctrl+N)")
        self.start = make_button("Start", "primary", tip="Start, or go on with what is left (F5)")
        self.stop = make_button("Stop", tip="Stop soon; Resume goes on from there (Shift+F5)")
        self._lay_out()
        self.resize(1280, 800)

    def _lay_out(self) -> None:
        head = QWidget()
        head.setObjectName("TopBar")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        line = row(make_label("Benchmark", "brand"), self.tabs, spacing=16, margins=(14, 6, 12, 6))
        line.addWidget(self.name, 1)
        for button in (self.configure, self.open, self.new, self.stop, self.start):
            line.addWidget(button)
        head.setLayout(line)
        table = QWidget()
        header = PanelHeader("Figures so far", make_label("means with 95 % intervals", "small"))
        table_column = column(header, spacing=0)
        table_column.addWidget(self.figures.table, 1)
        table.setLayout(table_column)
        self._left = QSplitter(Qt.Orientation.Vertical)
        self._left.addWidget(self.heat)
        self._left.addWidget(table)
        self._left.setStretchFactor(1, 1)
        self._middle = QSplitter(Qt.Orientation.Horizontal)
        self._filled = QStackedWidget()
        self._filled.addWidget(nothing_yet())
        self._filled.addWidget(self._left)
        self._middle.addWidget(self._filled)
        self._middle.addWidget(self.live)
        self._middle.setSizes([800, 480])
        self.live.hide()  # until something is run here
        self._middle.setStretchFactor(0, 3)
        self._middle.setStretchFactor(1, 2)
        self._run_page = QSplitter(Qt.Orientation.Horizontal)
        self._run_page.addWidget(self.form)
        self._run_page.addWidget(self._middle)
        self._run_page.setStretchFactor(1, 1)
        self._run_page.setSizes([300, 980])
        self._run_page.setCollapsible(0, False)
        for split in (self._left, self._middle, self._run_page):
            split.setHandleWidth(2)
        self.form.setMinimumWidth(280)
        self.pages = QStackedWidget()
        self.pages.addWidget(self._run_page)
        self.pages.addWidget(self.viewer)
        foot = QWidget()
        foot.setLayout(row(self.status, None, spacing=8, margins=(14, 4, 12, 4)))
        centre = QWidget()
        layout = column(head, self.bar, spacing=0)
        layout.addWidget(self.pages, 1)
        layout.addWidget(hairline())
        layout.addWidget(foot)
        centre.setLayout(layout)
        self.setCentralWidget(centre)
        self.toast = Toast(self.theme, centre)

    def show_form(self, shown: bool) -> None:
        """Show or hide the form."""
        self.configure.setChecked(shown)
        self.form.setVisible(shown)

    def show_rows(self, has_rows: bool) -> None:
        """Show the heat map and the figures, or what to do first."""
        self._filled.setCurrentIndex(1 if has_rows else 0)

    def fit_heat(self) -> None:
        """Give the heat map the height of its rows, as far as there is room."""
        wanted = min(self.heat.wanted_height(), self.height() * 62 // 100)
        self._left.setSizes([wanted, max(120, self._left.height() - wanted)])

    def say(self, text: str, kind: Kind = "note") -> None:
        """Show a short message."""
        self.toast.say(text, kind)
