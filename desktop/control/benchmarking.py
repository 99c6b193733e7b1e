"""The commands about measuring: the benchmark's window, its logs, a suite played before an audience."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

if TYPE_CHECKING:
    from agent.evaluation.suites import Suite
    from desktop.benchmark.window import BenchmarkWindow
    from desktop.stage.states import Scene
    from desktop.window import MainWindow


class BenchmarkCommands(QObject):
    """Opens windows of their own; they outlive the main window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def open_benchmark(self) -> None:
        """Open a window to run the benchmark in."""
        open_benchmark_window().show()

    def open_logs(self) -> None:
        """Ask for a run's folder and show its logs."""
        chosen = QFileDialog.getExistingDirectory(self._window, "Open the logs of a benchmark run", str(Path.home()))
        if chosen:
            opened = open_benchmark_window()
            opened.show()
            opened.open_path(Path(chosen), page=opened.TASKS)

    def demonstrate_suite(self) -> None:
        """Ask for a suite and play it in a window of its own."""
        from desktop.stage.chooser import StageDialog  # noqa: PLC0415  # not needed for the main window's start

        dialog = StageDialog(self._window.bridge, self._window)
        dialog.chosen.connect(self._play)
        dialog.open()
        dialog.finished.connect(dialog.deleteLater)

    def _play(self, suite: Suite, scenes: list[Scene]) -> None:
        from desktop.stage.window import StageWindow  # noqa: PLC0415  # it is a kind of main window itself

        stage = StageWindow(suite, scenes, self._window.conversation.model_name)
        stage.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        _open.add(stage)
        stage.closed.connect(lambda: _open.discard(stage))
        stage.show()


_open: set[QWidget] = set()


def open_benchmark_window() -> BenchmarkWindow:
    """Make a benchmark window that lives until it is closed."""
    from desktop.benchmark.window import BenchmarkWindow  # noqa: PLC0415  # not needed for the main window's start

    window = BenchmarkWindow()
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    _open.add(window)
    window.closed.connect(lambda: _open.discard(window))
    return window
