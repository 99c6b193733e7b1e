"""A window on a small design of its own, without a language model."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from stand_in_ollama import offer_model
from stand_in_server import StandIn

from desktop.application import create_application
from desktop.theme.theme import Theme
from desktop.window import MainWindow
from model import operations
from model.storage import Opened
from model.vlnv import Vlnv
from model.workspace import Workspace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

TOP = "acme:soc:top:1.0"
UART = "acme:periph:uart:1.0"


@pytest.fixture
def application(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> QApplication:
    """The dressed application; settings and models of the machine stay out of the tests."""
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "settings"))
    monkeypatch.setenv("BLOCKWRIGHT_CACHE", str(tmp_path / "cache"))
    for kind in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    create_application()
    Theme.of_application().set_mode("light")
    return qapp


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A UART, instantiated once in a top."""
    made = Workspace(folder=tmp_path)
    made.apply(operations.create_component, vendor="acme", library="periph", name="uart", version="1.0")
    made.apply(operations.add_user_parameter, component=UART, name="DEPTH", value="16", type="int", maximum="64")
    made.apply(operations.add_signal_port, component=UART, name="clk", direction="in")
    made.apply(operations.add_signal_port, component=UART, name="irq", direction="out")
    made.apply(operations.create_component, vendor="acme", library="soc", name="top", version="1.0")
    made.apply(operations.add_signal_port, component=TOP, name="clk", direction="in")
    made.apply(operations.add_subcomponent, component=TOP, subcomponent=UART, instance_name="u_uart")
    made.apply(
        operations.add_subcomponent_connection,
        component=TOP,
        source_port="clk",
        target_instance="u_uart",
        target_port="clk",
    )
    made.restore(made.library)
    return made


@pytest.fixture
def window(application: QApplication, qtbot: QtBot, workspace: Workspace) -> Iterator[MainWindow]:
    """The window, seen, on the top."""
    shown = MainWindow(Opened(workspace, (), Vlnv.parse(TOP)))
    with qtbot.waitExposed(shown):
        shown.show()
    yield shown
    shown.shut_down()
    shown.deleteLater()


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch, application: QApplication) -> Iterator[StandIn]:
    """A stand-in that speaks Ollama's protocol and offers one model."""
    with StandIn() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        offer_model(server)
        yield server
        server.shutdown()
        thread.join()
