"""The way from the main window and from the command line to the benchmark's window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from typer.testing import CliRunner

from desktop.benchmark.window import BenchmarkWindow
from desktop.commands.bench import app
from desktop.window import MainWindow


def _opened() -> list[BenchmarkWindow]:
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, BenchmarkWindow) and each.isVisible()]


def test_the_menu_opens_a_window_to_run_the_benchmark_in(window: MainWindow, qtbot: QtBot) -> None:
    window.actions_["benchmark"].trigger()
    (opened,) = _opened()
    with qtbot.waitSignal(opened.closed):
        opened.close()


def test_the_menu_opens_logs(window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nothing").mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args: str(tmp_path / "nothing"))
    window.actions_["logs"].trigger()
    (opened,) = _opened()
    qtbot.waitUntil(lambda: "There is no benchmark run in" in opened.toast.words.text())
    with qtbot.waitSignal(opened.closed):
        opened.close()


@pytest.mark.parametrize("command", ["window", "view"])
def test_the_commands_say_that_they_need_a_display(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    result = CliRunner().invoke(app, [command, str(tmp_path)])
    assert result.exit_code == 2
    assert "bench report" in result.stderr
    assert CliRunner().invoke(app, [command, str(tmp_path / "nowhere")]).exit_code == 2
