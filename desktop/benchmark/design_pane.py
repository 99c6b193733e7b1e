"""The design of a task of a log: before, after, and what changed, or what should have become of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QButtonGroup, QComboBox, QPushButton, QVBoxLayout, QWidget

from agent.evaluation.records import TaskRecord
from agent.evaluation.suites import Suite, SuiteError, load_suite
from desktop.benchmark.designs import TaskDesigns, designs_of
from desktop.bridge import Bridge
from desktop.call_text import short_name
from desktop.canvas.view import DesignView
from desktop.panels.widgets import column, make_label, row
from desktop.theme.theme import Theme
from model.difference import change_between
from model.library import Library
from model.vlnv import Vlnv

_SIDES = ("Before", "What it changed", "After", "Against the expected")


class DesignPane(QWidget):
    """One component of the design at a time, on the canvas."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._bridge = bridge
        self._theme = theme
        self._record: TaskRecord | None = None
        self._designs: TaskDesigns | None = None
        self._wanted: tuple[Vlnv, Library] | None = None  # to be compared with once the layout is there
        self._suites: dict[str, Suite] = {}
        self.component = QComboBox()
        self.component.setAccessibleName("Component")
        self.component.setProperty("role", "mono")
        self.component.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.sides = QButtonGroup(self)
        buttons = row(spacing=0)
        for number, text in enumerate(_SIDES):
            button = QPushButton(text)
            button.setCheckable(True)
            button.setProperty("role", "segment")
            button.setAutoDefault(False)
            self.sides.addButton(button, number)
            buttons.addWidget(button)
        self.sides.button(1).setChecked(True)
        self.words = make_label("", "muted", wrap=True)
        self.view = DesignView(theme.tokens)
        top = row(spacing=12, margins=(12, 8, 12, 4))
        top.addLayout(buttons)
        top.addWidget(self.component)
        top.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(top)
        layout.addLayout(column(self.words, margins=(12, 0, 12, 6)))
        layout.addWidget(self.view, 1)
        self.component.activated.connect(lambda _position: self._draw())
        self.sides.idClicked.connect(lambda _number: self._draw())
        self.view.layout_finished.connect(self._compare)
        theme.changed.connect(self._redress)

    def _redress(self, _tokens: object) -> None:
        self.view.set_tokens(self._theme.tokens)
        if self._designs is not None:
            self._draw()

    def show_record(self, record: TaskRecord | None, source: str) -> None:
        """Replay a task and show its design."""
        if record is self._record:
            return
        self._record = record
        self._designs = None
        self.component.clear()
        self.view.setVisible(False)
        if record is None:
            self.words.setText("")
            return
        self.words.setText("Replaying the suite up to this task…")
        load: Callable[[], Suite] = lambda: self._suites.get(source) or load_suite(source)  # noqa: E731

        def replay(suite: Suite) -> None:
            self._suites[source] = suite
            if record is self._record:
                self._bridge.run(designs_of(suite, record), lambda found: self._take(record, found), self._fail)

        self._bridge.run_blocking(load, replay, self._fail)

    def _fail(self, error: Exception) -> None:
        reason = str(error) if isinstance(error, SuiteError) else f"{type(error).__name__}: {error}"
        self.words.setText(f"The design cannot be shown: {reason}")

    def _take(self, record: TaskRecord, designs: TaskDesigns | None) -> None:
        if record is not self._record:
            return
        if designs is None:
            self.words.setText("The design cannot be shown: the suite no longer has this task.")
            return
        self._designs = designs
        for vlnv in _interesting(designs, record):
            self.component.addItem(str(vlnv), vlnv)
        self._draw()

    def _draw(self) -> None:
        """Show the chosen component on the chosen side."""
        designs, vlnv = self._designs, self.component.currentData()
        self._wanted = None
        self.view.setVisible(designs is not None and vlnv is not None)
        if designs is None or vlnv is None:
            self.words.setText("There is no design to show.")
            return
        side = self.sides.checkedId()
        base = {0: designs.before, 1: designs.before, 2: designs.after, 3: designs.expected}[side]
        other = {1: designs.after, 3: designs.after}.get(side)
        if vlnv not in base and other is not None and vlnv in other:
            base = other  # the whole component is new
        self.words.setText(" ".join(part for part in (self._describe(side, base, other), designs.note) if part))
        if vlnv not in base:
            self.view.setVisible(False)
            return
        if other is not None and other is not base:
            self._wanted = (vlnv, other)
        self.view.show_component(base, vlnv)
        self._compare()

    def _describe(self, side: int, base: Library, other: Library | None) -> str:
        vlnv = self.component.currentData()
        if vlnv not in base:
            return f"{short_name(vlnv)} is not there on this side."
        if other is None:
            return ""
        if other is base:
            return f"{short_name(vlnv)} is there only since the agent's work." if side == 1 else ""
        if side == 3 and self._record is not None and self._record.state.equal:
            return "The design is as expected; connections' names and descriptions do not count."
        change = change_between(base, other)
        if change.is_empty:
            return "It changed nothing." if side == 1 else "This component is as expected."
        counts = [
            f"{len(elements)} {word}"
            for elements, word in ((change.added, "added"), (change.changed, "changed"), (change.removed, "removed"))
            if elements
        ]
        start = "It changed the design" if side == 1 else "Compared with what was expected"
        return f"{start}: {', '.join(counts)}."

    def _compare(self) -> None:
        """Draw the difference once the layout is there."""
        if self._wanted is None or not self.view.layout_is_there:
            return
        (vlnv, other), self._wanted = self._wanted, None  # drawing it finishes a layout, too
        if vlnv == self.view.component:
            self.view.show_proposal(other)
            self.view.design_scene().set_tag_words({})


def _interesting(designs: TaskDesigns, record: TaskRecord) -> list[Vlnv]:
    """The components to choose from: first those that the task changed, those it should have, those it names."""
    found: dict[Vlnv, None] = {}
    for other in (designs.after, designs.expected):
        change = change_between(designs.before, other)
        touched = [each.component for each in (*change.added, *change.changed, *change.removed)]
        found |= dict.fromkeys(sorted(touched, key=touched.count, reverse=True))
    for library in (designs.before, designs.after):
        found |= dict.fromkeys(each.vlnv for each in library if str(each.vlnv) in record.task.prompt)
    for library in (designs.before, designs.after):
        found |= dict.fromkeys(each.vlnv for each in library)
    return list(found)
