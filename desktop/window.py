"""The main window: the panels around the canvas, and who listens to whom."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QDockWidget, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from agent.events import AgentEvent, RequestFinished
from agent.models.base import ModelError
from desktop.actions import ACTIONS, ActionSet
from desktop.bridge import Bridge
from desktop.call_text import KIND_WORDS, short_name
from desktop.canvas.view import DesignView
from desktop.canvas_desk import CanvasDesk
from desktop.chat_desk import ChatDesk
from desktop.controller import Controller
from desktop.conversation import Conversation
from desktop.disk_desk import DiskDesk
from desktop.document import Document
from desktop.first_picture import FirstPicture
from desktop.mcp_switch import McpSwitch
from desktop.panels.banner import Banner
from desktop.panels.bottom import BottomPanel
from desktop.panels.breadcrumbs import Breadcrumbs
from desktop.panels.chat import ChatPanel
from desktop.panels.find_bar import FindBar
from desktop.panels.inspector import InspectorPanel
from desktop.panels.library_tree import LibraryPanel
from desktop.panels.palette import Entry, Palette
from desktop.panels.progress import ProgressLine
from desktop.panels.scores import ScorePanel
from desktop.panels.status import StatusBar
from desktop.panels.toast import Kind, Toast
from desktop.panels.top_bar import TopBar
from desktop.panels.welcome import Welcome
from desktop.proposal_desk import ProposalDesk
from desktop.reading_along import ReadingAlong
from desktop.safety import Safety
from desktop.score_desk import ScoreDesk
from desktop.suggestions import first_component, suggest
from desktop.tasks import TaskDesk
from desktop.theme.theme import Theme
from model.change import Change, ElementId
from model.difference import elements_of
from model.errors import DesignError
from model.library import Library
from model.storage import Opened
from model.vlnv import Vlnv

_STATE_VERSION = 1
_LEFT, _RIGHT, _BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)


class MainWindow(QMainWindow):
    """One workspace on screen.

    Attributes:
        view: the canvas.
        chat, scores, library, inspector, bottom: the panels.
    """

    def __init__(self, opened: Opened, model_name: str | None = None) -> None:
        super().__init__()
        self.setWindowTitle("Blockwright")
        self.theme = Theme.of_application()
        self._settings = QSettings()
        self._restore_theme()  # first: another style sheet looks at every widget that there is
        self.bridge = Bridge(self)
        self.document = Document(opened, self.bridge, self)
        self.conversation = Conversation(opened.workspace, model_name, self.bridge)
        self.safety = Safety(self.document, self)
        self.tasks = TaskDesk(self.document, self)
        self.view = DesignView(tokens=self.theme.tokens)
        self.welcome = Welcome()
        self.controller = Controller(self, self.document, self.conversation, self.theme)
        self.canvas = CanvasDesk(self.document, self.view, self.controller, self)
        first = opened.active or first_component(self.document.library)
        if first is not None:
            self.view.show_component(self.document.library, first)  # its blocks are arranged while the panels are made
        self.actions_ = ActionSet(self.controller, self)
        self.top_bar = TopBar(self.actions_, self.theme)
        self.library = LibraryPanel(self.document, self.theme)
        self.inspector = InspectorPanel(self.document, self.theme)
        self.breadcrumbs = Breadcrumbs(self.document)
        self.find_bar = FindBar(self.document)
        self.bottom = BottomPanel(self.document, self.theme)
        self.chat = ChatPanel(self.theme)
        self.chat_desk = ChatDesk(self.document, self.conversation, self.chat, self.theme, self)
        self.proposals = ProposalDesk(self.document, self.conversation, self.chat, self.view, self)
        self.scores = ScorePanel(self.theme)
        self.score_desk = ScoreDesk(self.document, self.scores, lambda: self.conversation.model_name, self)
        self.mcp = McpSwitch(self.document, self)
        self.status = StatusBar(self.document, self.theme)
        self.progress = ProgressLine()
        self.status.insertWidget(0, self.progress)
        self.banner = Banner(self.theme)
        self.disk = DiskDesk(self.document, self.banner, self)
        self.palette_ = Palette(self.theme, self, self._palette_entries)
        self._started = False
        self._lay_out()
        self._connect_document()
        self._connect_agent()
        self.document.show(first)
        self.actions_.refresh()

    # --- layout ---

    def _lay_out(self) -> None:
        self.setMenuWidget(self.top_bar)
        self.setStatusBar(self.status)
        centre = QWidget()
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.breadcrumbs)
        layout.addWidget(self.find_bar)
        layout.addWidget(self.banner)
        self.centre = QStackedWidget()
        self.centre.addWidget(self.view)
        self.centre.addWidget(self.welcome)
        layout.addWidget(self.centre, 1)
        self.setCentralWidget(centre)
        self.toast = Toast(self.theme, centre)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowNestedDocks)
        for corner, area in (
            (Qt.Corner.TopLeftCorner, _LEFT),
            (Qt.Corner.BottomLeftCorner, _LEFT),
            (Qt.Corner.TopRightCorner, _RIGHT),
            (Qt.Corner.BottomRightCorner, _RIGHT),
        ):
            self.setCorner(corner, area)
        view_menu = self.top_bar.menus["View"]
        view_menu.addSeparator()
        self._docks: dict[str, QDockWidget] = {}
        for name, panel, header, area in (
            ("Library", self.library, self.library.header, _LEFT),
            ("Inspector", self.inspector, self.inspector.header, _LEFT),
            ("Agent", self.chat, self.chat.header, _RIGHT),
            ("Scores", self.scores, self.scores.header, _RIGHT),
            ("Checks and lists", self.bottom, self.bottom.header, _BOTTOM),
        ):
            dock = QDockWidget(name)
            dock.setObjectName(name)
            dock.setWidget(panel)
            dock.setTitleBarWidget(header)
            self.addDockWidget(area, dock)
            view_menu.addAction(dock.toggleViewAction())
            self._docks[name] = dock
        self.resize(1600, 1000)
        self._restore()

    def _restore_theme(self) -> None:
        mode = self._settings.value("window/theme", "system")
        if mode in {"light", "dark"} and self.theme.mode == "system":
            self.theme.set_mode(mode)

    def _restore(self) -> None:
        """The places of the last time, or the usual ones."""
        geometry, state = self._settings.value("window/geometry"), self._settings.value("window/state")
        if geometry is not None:
            self.restoreGeometry(geometry)
        self._placed = state is not None and self.restoreState(state, _STATE_VERSION)

    def place_panels(self) -> None:
        """Give every panel its usual share of the window's present size."""
        width, height = self.width(), self.height()
        docks = self._docks
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        right = max(340, min(448, width * 28 // 100))
        self.resizeDocks([docks["Library"], docks["Agent"]], [max(210, min(232, width // 6)), right], horizontal)
        self.resizeDocks([docks["Library"], docks["Inspector"]], [height * 58 // 100, height * 42 // 100], vertical)
        self.resizeDocks([docks["Agent"], docks["Scores"]], [height * 66 // 100, height * 34 // 100], vertical)
        self.resizeDocks([docks["Checks and lists"]], [max(120, height * 18 // 100)], vertical)

    def showEvent(self, event: QShowEvent) -> None:
        """Place the panels, and start the model, when the window is first seen."""
        super().showEvent(event)
        if not self._started:
            self._started = True
            if not self._placed:
                self.place_panels()
            self.chat.field.setFocus()
            # Not before: threads that load a model's client or a server would take turns with the first painting.
            FirstPicture(self, self.view).painted.connect(self._start_programs)
            self.safety.offer()
            self.disk.begin()

    def _start_programs(self) -> None:
        if not self.bridge.closed:
            self.conversation.start()
            self.mcp.start_as_remembered()

    # --- who listens to whom ---

    def _connect_document(self) -> None:
        document, controller, view = self.document, self.controller, self.view
        document.component_shown.connect(self._on_shown)
        document.library_changed.connect(self._on_changed)
        document.selection_changed.connect(self._on_selected)
        document.history_changed.connect(self.actions_.refresh)
        document.refused.connect(lambda error: self.say(str(error), "warning"))
        opener = controller.files.opener
        opener.progressed.connect(self.progress.show_progress)
        opener.ended.connect(self.progress.hide)
        self.progress.stop_requested.connect(opener.stop)
        self.disk.told.connect(self.say)
        self.theme.changed.connect(self._on_theme)
        self.library.component_chosen.connect(document.show)
        self.inspector.reveal_requested.connect(controller.views.reveal)
        self.inspector.component_chosen.connect(controller.views.open_inside)
        self.inspector.action_requested.connect(lambda action: self.actions_[action].trigger())
        self.bottom.reveal_requested.connect(controller.views.reveal)
        self.bottom.problems_counted.connect(self.top_bar.show_problems)
        self.bottom.problems_found.connect(view.set_findings)
        self.breadcrumbs.station_chosen.connect(partial(document.show, inside=True))
        self.breadcrumbs.fit_requested.connect(controller.views.fit)
        for button, name in ((self.breadcrumbs.before, "before"), (self.breadcrumbs.after, "after")):
            button.clicked.connect(self.actions_[name].trigger)
            self.actions_[name].enabledChanged.connect(button.setEnabled)
        self.find_bar.found.connect(controller.views.reveal)
        self.find_bar.closed.connect(view.setFocus)
        self.welcome.action_requested.connect(lambda action: self.actions_[action].trigger())
        view.zoom_changed.connect(self.breadcrumbs.show_zoom)
        view.selection_changed.connect(lambda _elements: self.actions_.refresh())
        view.layout_finished.connect(self.actions_.refresh)  # what has moved can be saved
        self.canvas.told.connect(lambda text: self.say(text, "warning"))

    def _connect_agent(self) -> None:
        chat, conversation, tasks = self.chat, self.conversation, self.tasks
        self.bridge.happened.connect(self._on_event)
        self.bridge.failed.connect(self._on_failure)
        chat.asked.connect(conversation.ask)
        self.reading_along = ReadingAlong(conversation, chat.field)
        chat.stop_requested.connect(conversation.stop)
        chat.approval_given.connect(conversation.approve)
        chat.reveal_requested.connect(self._reveal_of_agent)
        chat.model_chosen.connect(conversation.use_model)
        chat.pull_requested.connect(conversation.pull)
        chat.models_requested.connect(conversation.list_models)
        chat.tasks_requested.connect(tasks.pick)
        chat.task_dropped.connect(tasks.drop)
        conversation.models_listed.connect(chat.set_models)
        conversation.model_changed.connect(chat.set_model)
        conversation.model_changed.connect(self.status.show_model)
        conversation.readiness_changed.connect(self.status.show_readiness)
        conversation.busy_changed.connect(chat.set_busy)
        conversation.busy_changed.connect(lambda _busy: self.actions_.refresh())
        tasks.task_changed.connect(chat.set_task)
        tasks.scored.connect(self.scores.add)
        tasks.told.connect(self.say)
        self.scores.changed.connect(self.actions_.refresh)
        self.score_desk.told.connect(self.say)
        self.chat_desk.told.connect(lambda text: self.say(text, "warning"))

        self.safety.told.connect(lambda text: self.say(text, "warning"))
        self.mcp.changed.connect(self._on_mcp)
        self.mcp.told.connect(self.say)
        self.mcp.refused.connect(lambda text: self.say(text, "error"))
        self.status.mcp_toggled.connect(self.mcp.toggle)
        self.status.connect_requested.connect(self.controller.agent.connect_programs)
        self._on_mcp()

    def _on_mcp(self) -> None:
        self.status.show_mcp(self.mcp.address, changing=self.mcp.changing, clients=self.mcp.clients)

    def _on_shown(self, vlnv: Vlnv | None) -> None:
        self.centre.setCurrentWidget(self.view if self.document.library else self.welcome)
        if vlnv is not None:
            self.view.show_component(self.document.library, vlnv)
            self.setWindowTitle(f"{short_name(vlnv)} – Blockwright")
        else:
            self.setWindowTitle("Blockwright")
        self.conversation.focus(vlnv)
        self.reading_along.look_again()
        component = self.document.library.find(vlnv) if vlnv is not None else None
        self.chat.set_suggestions(suggest(self.document.library, component))
        self.actions_.refresh()

    def _on_changed(self, change: Change, library: Library) -> None:
        self.view.apply_change(library, change)
        if not library:
            self.centre.setCurrentWidget(self.welcome)
        elif self.document.component is None:  # the first component: whoever made it, it is there to be seen
            self.document.show(first_component(library))
        self.actions_.refresh()

    def _on_selected(self, elements: tuple[ElementId, ...]) -> None:
        self.view.select(elements)
        self.chat.set_selection(elements)
        self.actions_.refresh()

    def _on_theme(self, tokens: object) -> None:
        self.view.set_tokens(self.theme.tokens)
        self._settings.setValue("window/theme", self.theme.mode)

    def _on_event(self, event: AgentEvent) -> None:
        self.chat.handle(event)
        self.tasks.handle(event)
        self.chat_desk.handle(event)
        self.proposals.handle(event)
        if isinstance(event, RequestFinished) and event.outcome == "done" and self.document.component is None:
            self.document.show(first_component(self.document.library))

    def _reveal_of_agent(self, elements: tuple[ElementId, ...]) -> None:
        if not self.proposals.reveal(elements):
            self.controller.views.reveal(elements)

    def _on_failure(self, error: Exception) -> None:
        from agent.evaluation.suites import SuiteError  # noqa: PLC0415  # who raises one has loaded it

        if isinstance(error, DesignError | ModelError | SuiteError):
            self.say(str(error), "warning")
        else:
            self.say(f"Something went wrong ({type(error).__name__}: {error}). The log has the details.", "error")

    def bring_up(self, panel: str) -> None:
        """Show a panel, also one that was closed.

        Args:
            panel: what its dock is called.
        """
        self._docks[panel].show()
        self._docks[panel].raise_()

    def say(self, text: str, kind: Kind = "note") -> None:
        """Show a short message over the canvas."""
        self.toast.say(text, kind)

    # --- palette ---

    def open_palette(self) -> None:
        """Open the command palette below the search box."""
        self.palette_.open(self.top_bar.search)

    def _palette_entries(self) -> list[Entry]:
        entries = [
            Entry(spec.text, spec.shortcut or spec.menu, self.actions_[spec.id].trigger)
            for spec in ACTIONS
            if self.actions_[spec.id].isEnabled() and spec.id != "palette"
        ]
        library, shown = self.document.library, self.document.component
        component = library.find(shown) if shown is not None else None
        if component is not None:
            entries += [
                Entry(
                    element.name, KIND_WORDS[element.kind], partial(self.controller.views.reveal, (element,)), mono=True
                )
                for element, _value in elements_of(component)
                if not element.view
            ]
        entries += [
            Entry(str(vlnv), "component", partial(self.document.show, vlnv), mono=True) for vlnv in library.components
        ]
        return entries

    # --- the end ---

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, remember the places, end the background work."""
        if not self.controller.files.may_lose_changes(partial(self.close)):  # type: ignore[arg-type]
            event.ignore()
            return
        self._settings.setValue("window/geometry", self.saveGeometry())
        self._settings.setValue("window/state", self.saveState(_STATE_VERSION))
        self.hide()  # what follows may take a moment, and is nothing to look at
        self.shut_down()
        super().closeEvent(event)

    def shut_down(self) -> None:
        """Stop the agent and the background thread; the window is of no use afterwards."""
        self.view.selection_changed.disconnect(self.document.select)  # a scene that goes away tells of it
        self.canvas.flush()
        self.bridge.close(self._wind_up)
        self.safety.journal.close()

    async def _wind_up(self) -> None:
        await self.mcp.aclose()
        await self.conversation.aclose()
