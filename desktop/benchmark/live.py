"""The design as the agent changes it, with the request that it works on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agent.evaluation.events import CallMade, RunEvent, SessionStarted, TaskFinished, TaskInterrupted, TaskStarted
from desktop.benchmark.faults import fault_words
from desktop.bridge import Bridge
from desktop.call_text import call_words, short_name
from desktop.canvas.view import DesignView
from desktop.panels.cards import format_seconds
from desktop.panels.widgets import ElidedLabel, PanelHeader, SymbolLabel, column, make_label, row
from desktop.suggestions import component_for, first_component
from desktop.theme.theme import Theme
from model.change import Change
from model.library import Library
from model.vlnv import Vlnv
from model.workspace import Workspace


class LivePane(QWidget):
    """Follows one worker: the task in words, its last call, and the component that is being edited."""

    def __init__(self, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._bridge = bridge
        self._theme = theme
        self._workspace: Workspace | None = None
        self._watched: Workspace | None = None
        self.where = make_label("", "mono-small")
        self.header = PanelHeader("Live", self.where)
        self.symbol = SymbolLabel(theme, "ring", "text_faint", 12)
        self.prompt = make_label("The request that the agent works on is shown here.", "", wrap=True)
        self.call = ElidedLabel("", "mono-small")
        self.view = DesignView(theme.tokens)
        self.view.setAccessibleName("The design that the agent edits")
        self.quiet = make_label(
            "With several workers the design is edited in other processes; watch the cells above.", "muted", wrap=True
        )
        self.quiet.hide()
        caption = column(self.prompt, self.call, self.quiet, spacing=4)
        top = row(spacing=8, margins=(12, 10, 12, 10))
        top.addWidget(self.symbol, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(caption, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addLayout(top)
        layout.addWidget(self.view, 1)
        layout.addStretch(0)
        self.view.hide()
        bridge.changed.connect(self._follow)
        theme.changed.connect(self._redress)

    def _redress(self, _tokens: object) -> None:
        self.view.set_tokens(self._theme.tokens)

    def handle(self, event: RunEvent) -> None:
        """Follow a run."""
        match event:
            case SessionStarted():
                self._workspace = event.workspace
                self.quiet.setVisible(event.workspace is None and event.done < event.total)
            case TaskStarted():
                self._start(event)
            case CallMade():
                sign = "" if event.call.ok else "refused: "
                self.call.set_full_text(f"{sign}{event.call.tool}  {call_words(event.call.tool, event.call.arguments)}")
                self.symbol.set("dot", "success" if event.call.ok else "danger")
            case TaskFinished():
                record = event.record
                perfect = record.grade.perfect
                self.symbol.set("tick" if perfect else "cross", "success" if perfect else "warning")
                self.call.set_full_text(f"{fault_words(record)} · {format_seconds(record.seconds)}")
            case TaskInterrupted():
                self.symbol.set("warning", "warning")
                self.call.set_full_text(f"{event.interruption.message} Again in {event.wait:g} s.")

    def _start(self, event: TaskStarted) -> None:
        self.symbol.set("ring", "accent")
        self.header.title.setText(f"{event.suite} {event.task.id}")
        self.prompt.setText(event.task.prompt.strip())
        self.call.set_full_text("the model reads…")
        if self._workspace is None:
            return
        if self._watched is not self._workspace:
            self._watched = self._workspace
            self._bridge.watch(self._workspace)
        library = self._workspace.library
        self._show(library, component_for(event.task.prompt, library) or self.view.component)

    def _follow(self, change: Change, library: Library) -> None:
        """Show an edit, going to the component that it is about."""
        touched = [element.component for element in (*change.added, *change.changed, *change.removed)]
        owner = next((vlnv for vlnv in reversed(touched) if vlnv in library), None)
        if change.summary == "Restored." or owner == self.view.component or owner is None:
            self.view.apply_change(library, change)
        else:
            self._show(library, owner)

    def _show(self, library: Library, vlnv: Vlnv | None) -> None:
        if vlnv is None or vlnv not in library:
            vlnv = first_component(library)
        if vlnv is None:
            self.where.setText("")
            return
        self.where.setText(short_name(vlnv))
        self.view.show()
        self.view.show_component(library, vlnv)

    def rest(self) -> None:
        """Nothing runs any more."""
        self._workspace = self._watched = None
