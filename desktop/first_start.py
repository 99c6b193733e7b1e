"""The guided first start: the tour of the main window, offered once and whenever somebody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QTimer

from desktop.panels.tour import Station, Tour

if TYPE_CHECKING:
    from desktop.window import MainWindow

_SEEN = "tour/seen"
_FIRST_LOOK_MS = 900  # the window is seen whole before it is dimmed


def take_tour(window: MainWindow) -> Tour:
    """Lead through the main window."""
    tour = Tour(
        window.theme,
        window,
        (
            Station(
                lambda: window.library,
                "Your library",
                "Every component of the open folder. Click one to see it; drag one onto the picture to use it there.",
            ),
            Station(
                lambda: window.centre,
                "The design",
                "Blocks and wires of the component that is shown. Drag from port to port to connect, double click to "
                "go inside, scroll to zoom. Every edit can be undone.",
            ),
            Station(
                lambda: window.chat,
                "The agent",
                "Say in plain words what to change. A language model on this machine does it with the same rules as "
                "you, shows every call, and one undo takes a whole request back.",
            ),
            Station(
                lambda: window.scores,
                "The scores",
                "Every request is counted. Mark its calls as right or not asked, and you know how far to trust the "
                "model; the Benchmark menu measures it on hundreds of tasks.",
            ),
            Station(
                lambda: window.bottom,
                "Problems, history, netlist",
                "What the checks find while you work, every step that can be taken back, and the nets as a table.",
            ),
            Station(
                lambda: window.top_bar.search,
                "Anything else",
                "Ctrl+K finds every command, component and port by its name. This tour is in there, too.",
            ),
        ),
    )
    tour.begin()
    return tour


def offer_tour(window: MainWindow) -> None:
    """Lead through the window if nobody has been led on this machine."""
    settings = QSettings()
    if settings.value(_SEEN, False, bool):
        return

    def begin() -> None:
        if window.isVisible():
            take_tour(window).ended.connect(lambda: settings.setValue(_SEEN, True))

    QTimer.singleShot(_FIRST_LOOK_MS, window, begin)
