"""Configure, start, watch, stop and resume a run in its window; the canvas follows the agent."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from small_suite import PERFECT, UART, by_task, saying
from stand_in_server import Request, StandIn

from agent.evaluation.run_folder import RunFolder
from desktop.benchmark.plans import read_plan
from desktop.benchmark.window import BenchmarkWindow
from model.vlnv import Vlnv

Click = Callable[[object], None]


def _state(window: BenchmarkWindow) -> str:
    return window.control.progress.state


def test_a_run_fills_the_heat_map_the_figures_and_the_canvas(
    window: BenchmarkWindow, ollama: StandIn, qtbot: QtBot, tmp_path: Path, click: Click
) -> None:
    ollama.answers["/api/chat"] = saying(*PERFECT)
    seen: list[str] = []
    window.live.view.layout_finished.connect(lambda: seen.append(str(window.live.view.component)))
    click(window.start)
    qtbot.waitUntil(lambda: _state(window) == "done", timeout=20_000)
    (row,) = window.board.rows
    assert [row.state(column) for column in range(5)] == ["done"] * 4 + ["none"]
    assert window.heat.map.cells.data(window.heat.map.cells.index(0, 0)) == "1"
    assert "perfect" in window.heat.map.cells.data(window.heat.map.cells.index(0, 2), Qt.ItemDataRole.ToolTipRole)
    qtbot.waitUntil(lambda: window.figures.table.rows.rows[0].cells[2].startswith("1.00 ["))
    assert window.figures.table.rows.rows[0].cells[1] == "4/4"
    assert UART in seen
    assert window.live.prompt.text() == f"Which ports does {UART} have?"
    assert "4 of 4 tasks · done" in window.status.text()
    assert not window.start.isEnabled()
    assert len(RunFolder(tmp_path / "run").session("small", 1).tasks) == 4


def test_the_canvas_shows_the_design_while_the_agent_is_at_it(
    window: BenchmarkWindow, ollama: StandIn, qtbot: QtBot, click: Click
) -> None:
    go_on = threading.Event()
    perfect = saying(*PERFECT)

    def hold(request: Request) -> None:
        if len(ollama.bodies("/api/chat")) == 2:  # the first call has been made
            go_on.wait(20)
        perfect(request)

    ollama.answers["/api/chat"] = hold
    click(window.start)
    uart = Vlnv.parse(UART)
    qtbot.waitUntil(lambda: "add_signal_port" in window.live.call.full_text, timeout=20_000)
    qtbot.waitUntil(lambda: window.live.view.component == uart)
    scene = window.live.view.design_scene()
    qtbot.waitUntil(lambda: [pin.ref.name for pin in scene.nodes[""].pins] == ["clk"])
    assert window.board.rows[0].state(0) == "running"
    assert not window.form.isEnabled()
    go_on.set()
    qtbot.waitUntil(lambda: _state(window) == "done", timeout=20_000)


def test_a_run_is_stopped_in_the_middle_of_a_task_and_resumed(
    window: BenchmarkWindow, ollama: StandIn, qtbot: QtBot, tmp_path: Path, click: Click
) -> None:
    held, go_on = threading.Event(), threading.Event()
    answers = saying(*PERFECT)

    def hold(request: Request) -> None:
        if "rx" in str(request.body["messages"][-1]) and not go_on.is_set():
            held.set()
            go_on.wait(20)
        answers(request)

    ollama.answers["/api/chat"] = hold
    click(window.start)
    qtbot.waitUntil(held.is_set, timeout=20_000)
    click(window.stop)
    qtbot.waitUntil(lambda: _state(window) == "stopped", timeout=20_000)
    go_on.set()
    assert "1 of 4 tasks" in window.status.text()
    assert window.start.text() == "Resume"
    (row,) = window.board.rows
    assert [row.state(column) for column in range(4)] == ["done", "waiting", "waiting", "waiting"]
    ollama.answers["/api/chat"] = by_task
    click(window.start)
    qtbot.waitUntil(lambda: _state(window) == "done", timeout=20_000)
    assert [record.grade.perfect for record in RunFolder(tmp_path / "run").session("small", 1).tasks] == [True] * 4


def test_another_window_goes_on_with_a_run_as_it_was_planned(
    window: BenchmarkWindow, ollama: StandIn, qtbot: QtBot, tmp_path: Path, click: Click
) -> None:
    ollama.answers["/api/chat"] = by_task
    window.form.tasks.setText("1-2")
    window.form.repeats.setValue(2)
    click(window.start)
    qtbot.waitUntil(lambda: _state(window) == "done", timeout=20_000)
    log = tmp_path / "run" / "small-2.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))  # as if killed in the second repeat
    second = BenchmarkWindow()
    try:
        second.open_path(tmp_path / "run")
        qtbot.waitUntil(lambda: second.start.text() == "Resume" and second.start.isEnabled())
        assert "3 of 4 tasks" in second.status.text()
        assert (second.form.tasks.text(), second.form.repeats.value()) == ("1-2", 2)
        click(second.start)
        qtbot.waitUntil(lambda: _state(second) == "done", timeout=20_000)
        assert [len(row.records) for row in second.board.rows] == [2, 2]
    finally:
        second.shut_down()
        second.deleteLater()


def test_closing_asks_while_a_run_goes_on_and_leaves_it_resumable(
    window: BenchmarkWindow,
    ollama: StandIn,
    qtbot: QtBot,
    tmp_path: Path,
    click: Click,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held, go_on = threading.Event(), threading.Event()

    def hold(request: Request) -> None:
        held.set()
        go_on.wait(20)
        by_task(request)

    ollama.answers["/api/chat"] = hold
    click(window.start)
    qtbot.waitUntil(held.is_set, timeout=20_000)
    answers = ["Keep running", "Stop and close"]

    def answer(box: QMessageBox) -> int:
        wanted = answers.pop(0)
        next(button for button in box.buttons() if button.text() == wanted).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    window.close()
    assert window.isVisible()
    assert window.control.busy
    with qtbot.waitSignal(window.closed, timeout=20_000):
        window.close()
    go_on.set()
    assert not answers
    run = RunFolder(tmp_path / "run")
    found = run.read()
    assert found is not None
    assert read_plan(run.path, found.configuration) is not None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda window: window.form.check_suites([]), "Check at least one suite."),
        (lambda window: window.form.tasks.setText("1-x"), "does not select tasks"),
        (lambda window: window.form.tasks.setText("99"), "just 4 tasks"),
        (lambda window: window.form.history.setCurrentText("for ever"), "for ever"),
        (lambda window: window.form.seed.setText("a"), "not a whole number"),
        (lambda window: window.form.check_suites(["/nowhere.yaml"]), "no suite or file"),
    ],
)
def test_a_form_that_makes_no_run_says_why(
    window: BenchmarkWindow, qtbot: QtBot, click: Click, change: Callable[[BenchmarkWindow], None], words: str
) -> None:
    change(window)
    click(window.start)
    qtbot.waitUntil(lambda: words in window.form.error.text() or words in window.toast.words.text())
    assert not window.control.busy
    assert window.start.isEnabled()


def test_a_model_that_is_not_there_ends_the_run_with_its_reason(
    window: BenchmarkWindow, qtbot: QtBot, click: Click
) -> None:
    window.form.model.setCurrentText("ollama:nobody")
    click(window.start)
    qtbot.waitUntil(lambda: _state(window) == "failed", timeout=20_000)
    assert "nobody" in window.status.text()
    assert window.start.isEnabled()


def test_the_assisted_agent_takes_no_prompt(window: BenchmarkWindow) -> None:
    window.form.mode.setCurrentIndex(1)
    assert not window.form.prompt.isEnabled()
    plan, _folder = window.form.plan()
    assert (plan.configuration.mode, plan.configuration.agent, plan.configuration.prompt) == (
        "assisted",
        "react",
        "basic",
    )


def test_a_folder_of_another_configuration_is_refused_and_left_as_it_is(
    window: BenchmarkWindow, logs: Path, qtbot: QtBot, click: Click
) -> None:
    before = {path.name: path.read_bytes() for path in logs.iterdir()}
    window.form.folder.setText(str(logs))
    window.form.prompt.setCurrentText("md")
    click(window.start)
    qtbot.waitUntil(lambda: _state(window) == "failed", timeout=20_000)
    assert "another configuration" in window.status.text()
    assert {path.name: path.read_bytes() for path in logs.iterdir()} == before


def test_a_run_from_the_command_line_can_go_on_with_more_tasks(
    window: BenchmarkWindow, ollama: StandIn, logs: Path, qtbot: QtBot, click: Click
) -> None:
    log = logs / "small-1.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:2]))  # as with --tasks 1
    ollama.answers["/api/chat"] = by_task
    window.open_path(logs)
    qtbot.waitUntil(lambda: "1 of 1 tasks" in window.status.text())
    click(window.start)
    qtbot.waitUntil(lambda: _state(window) == "done", timeout=20_000)
    assert "4 of 4 tasks · done" in window.status.text()
    assert not window.start.isEnabled()
