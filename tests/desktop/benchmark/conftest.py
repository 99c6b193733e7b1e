"""A benchmark window whose model is a stand-in that speaks Ollama's protocol; server, tools and runner are real."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from small_suite import LOOK, MODEL, SUITE, UART, add, saying
from stand_in_server import StandIn, reply

from agent.evaluation.configuration import Configuration
from agent.evaluation.runner import Plan, run
from desktop.benchmark.window import BenchmarkWindow

FLAWED = [add("spare"), add("clk"), "Added.", add("rx"), add("rx"), "Added.", add("rxd"), "Renamed.", LOOK, "Two."]
"""A spare port; a call that is refused; an edit where none is right; then all right."""


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch, application: QApplication) -> Iterator[StandIn]:
    with StandIn() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        server.answers["/api/version"] = reply({"version": "0.99.0"})
        server.answers["/api/tags"] = reply({"models": [{"model": "qwen3:4b", "size": 2_600_000_000, "digest": "abc"}]})
        server.answers["/api/show"] = reply(
            {"capabilities": ["completion", "tools"], "model_info": {"qwen3.context_length": 40960}}
        )
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    file = tmp_path / "small.yaml"
    file.write_text(SUITE)
    return file


@pytest.fixture
def logs(ollama: StandIn, suite_file: Path, tmp_path: Path) -> Path:
    """The folder of a run with flaws."""
    folder = tmp_path / "flawed"
    ollama.answers["/api/chat"] = saying(*FLAWED)
    asyncio.run(run(Plan(Configuration.of(model=MODEL), (str(suite_file),)), folder))
    return folder


@pytest.fixture
def window(ollama: StandIn, qtbot: QtBot, suite_file: Path, tmp_path: Path) -> Iterator[BenchmarkWindow]:
    """The window, seen, with a form that runs the small suite."""
    shown = BenchmarkWindow()
    with qtbot.waitExposed(shown):
        shown.show()
    qtbot.waitUntil(lambda: shown.form.model.currentText() == MODEL)
    shown.form.check_suites([str(suite_file)])
    shown.form.folder.setText(str(tmp_path / "run"))
    yield shown
    shown.shut_down()
    shown.deleteLater()


@pytest.fixture
def click(qtbot: QtBot) -> Callable[[object], None]:
    return lambda button: qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


__all__ = ["UART"]
