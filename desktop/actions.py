"""Everything that the user can do, in one table: menus, the command palette and shortcuts are made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from desktop.controller import Controller


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


C = Controller
ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open-folder", "Open folder…", "File", C.open_folder, "Ctrl+O"),
    ActionSpec("open-file", "Open file…", "File", C.open_file, "Ctrl+Shift+O"),
    ActionSpec("open-example", "Open the example", "File", C.open_example),
    ActionSpec("save", "Save", "File", C.save, "Ctrl+S", 1, C.can_save),
    ActionSpec("save-all", "Save all", "File", C.save_all, "Ctrl+Shift+S", 1, C.has_unsaved),
    ActionSpec("quit", "Quit", "File", C.quit, "Ctrl+Q", 2),
    ActionSpec("undo", "Undo", "Edit", C.undo, "Ctrl+Z", 0, C.can_undo),
    ActionSpec("redo", "Redo", "Edit", C.redo, "Ctrl+Shift+Z", 0, C.can_redo),
    ActionSpec("delete", "Delete selection", "Edit", C.delete_selection, "", 1, C.has_selection),
    ActionSpec("palette", "Search or run a command", "Edit", C.open_palette, "Ctrl+K", 2),
    ActionSpec("fit", "Fit to window", "View", C.fit, "Ctrl+0"),
    ActionSpec("zoom-in", "Zoom in", "View", C.zoom_in, "Ctrl++"),
    ActionSpec("zoom-out", "Zoom out", "View", C.zoom_out, "Ctrl+-"),
    ActionSpec("back", "Back to parent", "View", C.back, "Alt+Up", 0, C.can_go_back),
    ActionSpec("history", "Show the history", "View", C.show_history, "Ctrl+Shift+H", 1),
    ActionSpec("netlist", "Show the netlist", "View", C.show_netlist, "Ctrl+Shift+N", 1),
    ActionSpec("theme", "Switch light and dark", "View", C.toggle_theme, "Ctrl+Shift+L", 2),
    ActionSpec("theme-system", "Follow the system's light or dark", "View", C.follow_system_theme, "", 2),
    ActionSpec("new-component", "New component…", "Design", C.new_component, "Ctrl+N"),
    ActionSpec("add-port", "Add port…", "Design", C.add_port, "Ctrl+Shift+P", 1, C.has_component),
    ActionSpec("add-parameter", "Add parameter…", "Design", C.add_parameter, "Ctrl+Shift+A", 1, C.has_component),
    ActionSpec("add-instance", "Add instance…", "Design", C.add_instance, "Ctrl+Shift+I", 1, C.has_component),
    ActionSpec("add-connection", "Add connection…", "Design", C.add_connection, "Ctrl+Shift+W", 1, C.has_component),
    ActionSpec("delete-component", "Delete component…", "Design", C.delete_component, "", 2, C.has_component),
    ActionSpec("relayout", "Re-layout", "Design", C.relayout, "Ctrl+L", 3, C.has_component),
    ActionSpec("reroute", "Re-route wires", "Design", C.reroute, "", 3, C.has_component),
    ActionSpec("check", "Check", "Design", C.check, "F8", 3),
    ActionSpec("ask", "Ask the agent", "Agent", C.focus_chat, "Ctrl+I"),
    ActionSpec("stop", "Stop the agent", "Agent", C.stop, "Esc", 0, C.is_agent_busy),
    ActionSpec("new-chat", "New conversation", "Agent", C.new_conversation, "", 1, C.is_agent_idle),
    ActionSpec("transcripts", "Earlier conversations…", "Agent", C.show_transcripts, "", 1),
    ActionSpec("models", "Look for models again", "Agent", C.list_models, "", 1),
    ActionSpec("mcp", "Let other programs in, or no longer", "Agent", C.toggle_mcp, "", 2),
    ActionSpec("connect", "Connect other programs…", "Agent", C.connect_programs, "", 2),
    ActionSpec("pick-task", "Pick a task…", "Benchmark", C.pick_task, "Ctrl+T"),
    ActionSpec("export-scores", "Export the session…", "Benchmark", C.export_scores, "", 1, C.has_scores),
    ActionSpec("clear-scores", "Clear the session's scores", "Benchmark", C.clear_scores, "", 1, C.has_scores),
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
