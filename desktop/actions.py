"""Everything that the user can do, in one table: menus, the command palette and shortcuts are made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from desktop.control.agent import AgentCommands as Agent
from desktop.control.benchmarking import BenchmarkCommands as Benchmark
from desktop.control.clips import ClipCommands as Clips
from desktop.control.editing import EditCommands as Edits
from desktop.control.files import FileCommands as Files
from desktop.control.looking import ViewCommands as Views
from desktop.controller import Controller

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One thing the user can do.

    Attributes:
        group: actions of one menu with different groups have a line between them.
        enabled: when it can be done; always where None.
    """

    id: str
    text: str
    menu: str
    run: Callable[[Controller], None]
    shortcut: str = ""
    group: int = 0
    enabled: Callable[[Controller], bool] | None = None


def files(command: Callable[[Files], T]) -> Callable[[Controller], T]:
    """A command about files."""
    return lambda controller: command(controller.files)


def edits(command: Callable[[Edits], T]) -> Callable[[Controller], T]:
    """A command that edits."""
    return lambda controller: command(controller.edits)


def clips(command: Callable[[Clips], T]) -> Callable[[Controller], T]:
    """A command that copies."""
    return lambda controller: command(controller.clips)


def views(command: Callable[[Views], T]) -> Callable[[Controller], T]:
    """A command about what is seen."""
    return lambda controller: command(controller.views)


def agent(command: Callable[[Agent], T]) -> Callable[[Controller], T]:
    """A command about the agent."""
    return lambda controller: command(controller.agent)


def benchmark(command: Callable[[Benchmark], T]) -> Callable[[Controller], T]:
    """A command about measuring."""
    return lambda controller: command(controller.benchmark)


_SHOWN = edits(Edits.has_component)

ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open-folder", "Open folder…", "File", files(Files.open_folder), "Ctrl+O"),
    ActionSpec("open-file", "Open file…", "File", files(Files.open_file), "Ctrl+Shift+O"),
    ActionSpec("open-example", "Open the example", "File", files(Files.open_example)),
    ActionSpec("save", "Save", "File", files(Files.save), "Ctrl+S", 1, files(Files.can_save)),
    ActionSpec("save-all", "Save all", "File", files(Files.save_all), "Ctrl+Shift+S", 1, files(Files.has_unsaved)),
    ActionSpec("export-picture", "Export picture…", "File", views(Views.export_picture), "Ctrl+E", 2, _SHOWN),
    ActionSpec("quit", "Quit", "File", files(Files.quit), "Ctrl+Q", 3),
    ActionSpec("undo", "Undo", "Edit", edits(Edits.undo), "Ctrl+Z", 0, edits(Edits.can_undo)),
    ActionSpec("redo", "Redo", "Edit", edits(Edits.redo), "Ctrl+Shift+Z", 0, edits(Edits.can_redo)),
    ActionSpec("copy", "Copy", "Edit", clips(Clips.copy), "Ctrl+C", 1, clips(Clips.can_copy)),
    ActionSpec("paste", "Paste", "Edit", clips(Clips.paste), "Ctrl+V", 1, clips(Clips.can_paste)),
    ActionSpec("duplicate", "Duplicate", "Edit", clips(Clips.duplicate), "Ctrl+D", 1, clips(Clips.can_copy)),
    ActionSpec("delete", "Delete selection", "Edit", edits(Edits.delete_selection), "", 1, edits(Edits.has_selection)),
    ActionSpec("rename", "Rename", "Edit", views(Views.rename), "F2", 1, edits(Edits.has_one)),
    ActionSpec("select-all", "Select all", "Edit", views(Views.select_all), "Ctrl+A", 1, _SHOWN),
    ActionSpec("note", "Add note", "Edit", views(Views.add_note), "Ctrl+M", 1, _SHOWN),
    ActionSpec("find", "Find…", "Edit", views(Views.find), "Ctrl+F", 2),
    ActionSpec("find-next", "Find next", "Edit", views(Views.find_next), "F3", 2),
    ActionSpec("find-previous", "Find previous", "Edit", views(Views.find_previous), "Shift+F3", 2),
    ActionSpec("palette", "Search or run a command", "Edit", views(Views.open_palette), "Ctrl+K", 2),
    ActionSpec("fit", "Fit to window", "View", views(Views.fit), "Ctrl+0"),
    ActionSpec("zoom-selection", "Zoom to selection", "View", views(Views.zoom_to_selection), "Ctrl+9", 0, _SHOWN),
    ActionSpec("zoom-in", "Zoom in", "View", views(Views.zoom_in), "Ctrl++"),
    ActionSpec("zoom-out", "Zoom out", "View", views(Views.zoom_out), "Ctrl+-"),
    ActionSpec("before", "Back", "View", views(lambda v: v.go(-1)), "Alt+Left", 1, views(lambda v: v.can_go(-1))),
    ActionSpec("after", "Forward", "View", views(lambda v: v.go(1)), "Alt+Right", 1, views(lambda v: v.can_go(1))),
    ActionSpec("back", "Up to the parent", "View", views(Views.back), "Alt+Up", 1, views(Views.can_go_back)),
    ActionSpec("history", "Show the history", "View", views(Views.show_history), "Ctrl+Shift+H", 2),
    ActionSpec("netlist", "Show the netlist", "View", views(Views.show_netlist), "Ctrl+Shift+N", 2),
    ActionSpec("theme", "Switch light and dark", "View", views(Views.toggle_theme), "Ctrl+Shift+L", 3),
    ActionSpec("theme-system", "Follow the system's light or dark", "View", views(Views.follow_system_theme), "", 3),
    ActionSpec("tour", "Take the tour", "View", views(Views.take_tour), "F1", 3),
    ActionSpec("new-component", "New component…", "Design", edits(Edits.new_component), "Ctrl+N"),
    ActionSpec("add-port", "Add port…", "Design", edits(Edits.add_port), "Ctrl+Shift+P", 1, _SHOWN),
    ActionSpec("add-parameter", "Add parameter…", "Design", edits(Edits.add_parameter), "Ctrl+Shift+A", 1, _SHOWN),
    ActionSpec("add-instance", "Add instance…", "Design", edits(Edits.add_instance), "Ctrl+Shift+I", 1, _SHOWN),
    ActionSpec("add-connection", "Add connection…", "Design", edits(Edits.add_connection), "Ctrl+Shift+W", 1, _SHOWN),
    ActionSpec("delete-component", "Delete component…", "Design", edits(Edits.delete_component), "", 2, _SHOWN),
    ActionSpec("relayout", "Re-layout", "Design", views(Views.relayout), "Ctrl+L", 3, _SHOWN),
    ActionSpec("reroute", "Re-route wires", "Design", views(Views.reroute), "Ctrl+Shift+R", 3, _SHOWN),
    ActionSpec("check", "Check", "Design", views(Views.check), "F8", 3),
    ActionSpec("ask", "Ask the agent", "Agent", agent(Agent.focus_chat), "Ctrl+I"),
    ActionSpec("stop", "Stop the agent", "Agent", agent(Agent.stop), "Esc", 0, agent(Agent.is_agent_busy)),
    ActionSpec(
        "new-chat", "New conversation", "Agent", agent(Agent.new_conversation), "", 1, agent(Agent.is_agent_idle)
    ),
    ActionSpec("transcripts", "Earlier conversations…", "Agent", agent(Agent.show_transcripts), "", 1),
    ActionSpec("models", "Look for models again", "Agent", agent(Agent.list_models), "", 1),
    ActionSpec("mcp", "Let other programs in, or no longer", "Agent", agent(Agent.toggle_mcp), "", 2),
    ActionSpec("connect", "Connect other programs…", "Agent", agent(Agent.connect_programs), "", 2),
    ActionSpec("pick-task", "Pick a task…", "Benchmark", agent(Agent.pick_task), "Ctrl+T"),
    ActionSpec("benchmark", "Run the benchmark…", "Benchmark", benchmark(Benchmark.open_benchmark), "Ctrl+B"),
    ActionSpec("logs", "Open a run's logs…", "Benchmark", benchmark(Benchmark.open_logs)),
    ActionSpec("demonstrate", "Demonstrate a suite…", "Benchmark", benchmark(Benchmark.demonstrate_suite)),
    ActionSpec(
        "export-scores", "Export the session…", "Benchmark", agent(Agent.export_scores), "", 1, agent(Agent.has_scores)
    ),
    ActionSpec(
        "clear-scores",
        "Clear the session's scores",
        "Benchmark",
        agent(Agent.clear_scores),
        "",
        1,
        agent(Agent.has_scores),
    ),
)


class ActionSet:
    """The table as Qt's actions, bound to a controller."""

    def __init__(self, controller: Controller, window: QWidget) -> None:
        self._controller = controller
        self.actions: dict[str, QAction] = {}
        for spec in ACTIONS:
            action = QAction(spec.text, window)
            if spec.shortcut:
                action.setShortcut(QKeySequence(spec.shortcut))
            action.triggered.connect(lambda _checked=False, spec=spec: spec.run(controller))
            window.addAction(action)
            self.actions[spec.id] = action

    def __getitem__(self, action_id: str) -> QAction:
        return self.actions[action_id]

    def refresh(self) -> None:
        """Bring up to date what can be done."""
        for spec in ACTIONS:
            if spec.enabled is not None:
                self.actions[spec.id].setEnabled(spec.enabled(self._controller))

    def fill(self, bar: QMenuBar) -> dict[str, QMenu]:
        """Make the menus; returned by title."""
        menus: dict[str, QMenu] = {}
        group = 0
        for spec in ACTIONS:
            menu = menus.get(spec.menu)
            if menu is None:
                menu = menus[spec.menu] = bar.addMenu(spec.menu)
                group = spec.group
            elif spec.group != group:
                menu.addSeparator()
                group = spec.group
            menu.addAction(self.actions[spec.id])
        return menus
