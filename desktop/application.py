"""The Qt application: fonts, style, the log, and what happens when something goes wrong."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from importlib.resources import files
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from platformdirs import user_log_path
from PySide6.QtCore import QMessageLogContext, QObject, Qt, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication, QIcon, QPixmap
from PySide6.QtWidgets import QApplication

import desktop.plain_imports  # noqa: F401  # before the many imports of the window
from desktop.canvas.elk import warm_up
from desktop.example import example_folder
from desktop.first_start import offer_tour
from desktop.theme.fonts import load_fonts
from desktop.theme.theme import Theme
from model.collection import loading
from model.errors import DesignError

if TYPE_CHECKING:
    from desktop.benchmark.window import BenchmarkWindow
    from desktop.window import MainWindow
    from model.storage import Opened

_log = logging.getLogger("blockwright")
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
}


def create_application(arguments: list[str] | None = None) -> QApplication:
    """Make the QApplication, or dress the one that exists: style, fonts, icon, theme.

    The engine that arranges blocks begins to load, on a thread of its own, beside all that follows.
    """
    warm_up()
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        application = existing
    else:
        QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
        application = QApplication(arguments if arguments is not None else sys.argv[:1])
    application.setApplicationName("Blockwright")
    application.setOrganizationName("Blockwright")
    application.setDesktopFileName("blockwright")
    application.setStyle("Fusion")
    # Only now: that Qt finds no display or lacks a library has to reach the terminal, where Qt itself writes it.
    qInstallMessageHandler(_log_qt)
    load_fonts()
    pixmap = QPixmap()
    if pixmap.loadFromData(files("resources").joinpath("icons", "blockwright.png").read_bytes()):
        application.setWindowIcon(QIcon(pixmap))
    Theme.of_application()
    return application


def log_path() -> Path:
    """Where the log is written."""
    return user_log_path("blockwright", appauthor=False, ensure_exists=True) / "blockwright.log"


def start_log() -> None:
    """Write warnings and worse to the log file; it never grows beyond two megabytes."""
    handler = RotatingFileHandler(log_path(), maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)


class Failures(QObject):
    """Catches what nobody caught: the log gets the traceback, the user one sentence.

    Signals:
        happened: the sentence; queued, as it may come from any thread.
    """

    happened = Signal(str)

    def install(self) -> None:
        """Take over the hooks of Python and its threads."""
        sys.excepthook = self._caught
        threading.excepthook = lambda unraised: self._caught(
            unraised.exc_type, unraised.exc_value or unraised.exc_type(), unraised.exc_traceback
        )

    def _caught(self, kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        _log.critical("Unexpected failure", exc_info=(kind, error, traceback))
        self.happened.emit(
            f"Something went wrong ({kind.__name__}); your design is still here. Details are in {log_path()}."
        )


def _log_qt(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    logging.getLogger("qt").log(_LEVELS.get(kind, logging.ERROR), message)


def open_window(opened: Opened, model_name: str | None) -> MainWindow:
    """Make the window for an open workspace, not shown yet."""
    from desktop.window import MainWindow  # noqa: PLC0415  # beside the engine that begins to load

    return MainWindow(opened, model_name)


def run_window(target: Path | None, model_name: str | None) -> int:
    """Open the window on a folder, a file, or the bundled example, and run until it is closed.

    Returns:
        The exit status: 2 where the target cannot be opened.
    """
    start_log()
    with loading():
        application = create_application()
        from model.storage import Opened, open_workspace  # noqa: PLC0415  # beside the engine that begins to load
        from model.workspace import Workspace  # noqa: PLC0415

        in_background = target is not None and target.is_dir()  # which may take a while
        try:
            opened = Opened(Workspace(), (), None) if in_background else open_workspace(target or example_folder())
        except DesignError as error:
            sys.stderr.write(f"{error}\n")
            return 2
        window = open_window(opened, model_name)
        failures = Failures(application)
        failures.happened.connect(_teller(window), Qt.ConnectionType.QueuedConnection)
        failures.install()
        window.show()
    if in_background and target is not None:
        window.controller.files.open_path(target)
    offer_tour(window)
    return application.exec()


def run_benchmark_window(folder: Path | None, *, tasks: bool) -> int:
    """Open the benchmark's window, on a run's logs where ``folder`` is given, and run until it is closed."""
    from desktop.control.benchmarking import open_benchmark_window  # noqa: PLC0415  # the main window does without

    start_log()
    application = create_application()
    window = open_benchmark_window()
    failures = Failures(application)
    failures.happened.connect(_teller(window), Qt.ConnectionType.QueuedConnection)
    failures.install()
    window.show()
    if folder is not None:
        window.open_path(folder, page=window.TASKS if tasks else window.RUN)
    return application.exec()


def _teller(window: MainWindow | BenchmarkWindow) -> Callable[[str], None]:
    return lambda text: window.say(text, "error")
