"""A benchmark window whose model is a stand-in that speaks Ollama's protocol; server, tools and runner are real."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from small_suite import LOOK, MODEL, SUITE, add, saying
from stand_in_server import StandIn, reply

from agent.evaluation.configuration import Configuration
from agent.evaluation.runner import Plan, run
from desktop.benchmark.window import BenchmarkWindow

FLAWED = [add("spare"), add("clk"), "Added.", add("rx"), add("rx"), "Added.", add("rxd"), "Renamed.", LOOK, "Two."]
"""A spare port; a call that is refused; an edit where none is right; then all right."""


def _offer(server: StandIn) -> None:
    server.answers["/api/version"] = reply({"version": "0.99.0"})
    server.answers["/api/tags"] = reply({"models": [{"model": "qwen3:4b", "size": 2_600_000_000, "digest": "abc"}]})
    server.answers["/api/show"] = reply(
        {"capabilities": ["completion", "tools"], "model_info": {"qwen3.context_length": 40960}}
    )


@contextmanager
def _serving() -> Iterator[StandIn]:
    with StandIn() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        _offer(server)
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch, application: QApplication) -> Iterator[StandIn]:
    with _serving() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        yield server


@pytest.fixture
def suite_file(tmp_path: Path) -> Path:
    file = tmp_path / "small.yaml"
    file.write_text(SUITE)
    return file


@pytest.fixture(scope="session")
def flawed_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run with flaws, made once."""
    folder = tmp_path_factory.mktemp("logs")
    suite = folder / "small.yaml"
    suite.write_text(SUITE)
    with _serving() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", server.url)
        server.answers["/api/chat"] = saying(*FLAWED)
        asyncio.run(run(Plan(Configuration.of(model=MODEL), (str(suite),)), folder / "flawed"))
    return folder / "flawed"


@pytest.fixture
def logs(flawed_run: Path, suite_file: Path, tmp_path: Path) -> Path:
    """A copy of it whose suite is the test's own."""
    folder = Path(shutil.copytree(flawed_run, tmp_path / "flawed"))
    log = folder / "small-1.jsonl"
    log.write_text(log.read_text().replace(str(flawed_run.parent / "small.yaml"), str(suite_file)))
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
