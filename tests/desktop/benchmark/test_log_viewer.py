"""Old logs: the list, the filters, the conversation, expected against made calls, the design."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from small_suite import MODEL, SUITE, UART, by_task
from stand_in_server import StandIn

from agent.evaluation.configuration import Configuration
from agent.evaluation.runner import Plan, run
from desktop.benchmark.faults import FAULTS
from desktop.benchmark.shades import SHADES, colour_of, contrast, ink_on, short_figure
from desktop.benchmark.window import BenchmarkWindow
from desktop.theme.tokens import DARK, LIGHT
from model.vlnv import Vlnv

_OTHER = Configuration.of(model=MODEL, prompt="md")


@pytest.fixture
def opened(window: BenchmarkWindow, logs: Path, qtbot: QtBot) -> BenchmarkWindow:
    window.open_path(logs, page=window.TASKS)
    qtbot.waitUntil(lambda: len(window.viewer.tasks.rows.rows) == 4)
    return window


def _ids(window: BenchmarkWindow) -> list[str]:
    return [row.target[1] for row in window.viewer.tasks.rows.rows]


@pytest.mark.parametrize(
    ("fault", "ids"),
    [
        (None, ["clk", "rx", "rename", "look"]),
        ("failed", ["clk", "rx", "rename"]),
        ("missed", []),
        ("extraneous", ["clk", "rename"]),
        ("refused", ["rx"]),
        ("lost", []),
        ("state", ["clk", "rename"]),
        ("no-call", ["rename"]),
        ("perfect", ["look"]),
    ],
)
def test_the_list_is_filtered_by_what_failed(opened: BenchmarkWindow, fault: str | None, ids: list[str]) -> None:
    viewer = opened.viewer
    position = viewer.filter.findData(fault)
    viewer.filter.setCurrentIndex(position)
    viewer.filter.activated.emit(position)
    assert _ids(opened) == ids
    assert viewer.filter.currentText().endswith(f"({len(ids)})")


def test_every_fault_has_a_filter(opened: BenchmarkWindow) -> None:
    assert all(opened.viewer.filter.findData(fault) > 0 for fault in FAULTS)


def test_words_filter_the_list_too(opened: BenchmarkWindow, qtbot: QtBot) -> None:
    qtbot.keyClicks(opened.viewer.search, "get_component")
    assert _ids(opened) == ["look"]


def test_expected_and_made_calls_stand_side_by_side(opened: BenchmarkWindow) -> None:
    opened.viewer.open_task(opened.board.rows[0], "clk")
    lines = opened.viewer.comparison.lines
    assert [(line.mark, line.words) for line in lines] == [
        ("matched", "clk in in uart 1.0"),
        ("not asked", "spare in in uart 1.0"),
    ]
    opened.viewer.open_task(opened.board.rows[0], "rx")
    assert [line.mark for line in opened.viewer.comparison.lines] == ["matched", "refused"]
    assert "already" in opened.viewer.comparison.lines[1].detail


def test_the_conversation_has_a_card_for_each_call_with_its_result(opened: BenchmarkWindow) -> None:
    opened.viewer.open_task(opened.board.rows[0], "rx")
    cards = opened.viewer.conversation.cards
    assert [card.tool for card in cards] == ["add_signal_port", "add_signal_port"]
    assert cards[1].result.text().startswith("Refused: ")


def test_a_plan_of_json_without_blanks_is_broken_into_lines(opened: BenchmarkWindow) -> None:
    record = opened.board.rows[0].records["clk"]
    plan = json.dumps([{"tool": "add_signal_port", "name": f"irq_{bit}"} for bit in range(40)], separators=(",", ":"))
    said = [each.model_copy(update={"content": plan}) if each.role == "assistant" else each for each in record.messages]
    pane = opened.viewer.conversation
    pane.show_record(record.model_copy(update={"messages": said}))
    labels = [label for label in pane.findChildren(QLabel) if "irq_39" in label.text()]
    assert labels
    assert all(label.minimumSizeHint().width() < 400 for label in labels)


def test_what_the_model_was_given_is_put_together_again(opened: BenchmarkWindow) -> None:
    opened.viewer.tabs.setCurrentIndex(2)
    opened.viewer.open_task(opened.board.rows[0], "look")
    turns = opened.viewer.turns
    assert turns.turns.currentText() == "Turn 2 of 2"
    text = turns.text.toPlainText()
    for piece in ("━━ system ━━", "Add the input clk", f"Which ports does {UART} have?", "━━ the model wrote ━━\nTwo."):
        assert piece in text
    assert "40 tokens read" in turns.figures.text()


def test_the_design_is_shown_before_and_after_with_what_changed(opened: BenchmarkWindow, qtbot: QtBot) -> None:
    viewer, uart = opened.viewer, Vlnv.parse(UART)
    viewer.open_task(opened.board.rows[0], "clk")
    viewer.tabs.setCurrentIndex(1)
    view = viewer.design.view

    def pins() -> list[str]:
        return sorted(pin.ref.name for pin in view.design_scene().nodes[""].pins)

    qtbot.waitUntil(lambda: view.component == uart and pins() == ["clk", "spare"], timeout=10_000)
    assert "2 added" in viewer.design.words.text()
    for number, shown in ((0, []), (2, ["clk", "spare"]), (3, ["clk", "spare"])):
        viewer.design.sides.button(number).click()
        qtbot.waitUntil(lambda shown=shown: pins() == shown)
    assert "1 added" in viewer.design.words.text()


def test_a_design_whose_suite_is_gone_says_so(opened: BenchmarkWindow, suite_file: Path, qtbot: QtBot) -> None:
    suite_file.unlink()
    opened.viewer.tabs.setCurrentIndex(1)
    opened.viewer.open_task(opened.board.rows[0], "clk")
    qtbot.waitUntil(lambda: "cannot be shown" in opened.viewer.design.words.text())


def test_the_heat_map_is_walked_by_keys_and_opens_a_task(window: BenchmarkWindow, logs: Path, qtbot: QtBot) -> None:
    window.open_path(logs)
    heat = window.heat.map
    qtbot.waitUntil(lambda: heat.cells.columnCount() == 4)
    heat.setFocus()
    qtbot.keyClick(heat, Qt.Key.Key_Right)
    assert window.heat.words.full_text.startswith("small rx: call failed")
    qtbot.keyClick(heat, Qt.Key.Key_Return)
    assert window.pages.currentWidget() is window.viewer
    assert window.viewer.chosen is not None
    assert window.viewer.chosen[1] == "rx"


def test_the_colours_can_tell_of_other_figures(window: BenchmarkWindow, logs: Path, qtbot: QtBot) -> None:
    window.open_path(logs)
    cells = window.heat.map.cells
    qtbot.waitUntil(lambda: cells.columnCount() == 4)
    shown = {}
    for position, shade in enumerate(SHADES):
        window.heat.shade.setCurrentIndex(position)
        window.heat.shade.activated.emit(position)
        shown[shade.name] = [cells.data(cells.index(0, column)) for column in range(4)]
    assert shown == {
        "ECC / NCA": ["1", "1", "0", "1"],
        "perfect": ["0", "0", "0", "1"],
        "state": ["0", "1", "0", "1"],
        "EVCR": [".5", "0", "1", "0"],
        "TFR": ["0", ".5", "0", "0"],
    }


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
@pytest.mark.parametrize("goodness", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_figures_can_be_read_on_their_colours(tokens: object, goodness: float) -> None:
    paper = colour_of(goodness, tokens)  # type: ignore[arg-type]
    assert contrast(paper, ink_on(paper, tokens)) > 4.5  # type: ignore[arg-type]


def test_short_figures() -> None:
    assert [short_figure(value) for value in (0.0, 0.02, 0.5, 0.99, 1.0)] == ["0", ".1", ".5", ".9", "1"]


def test_a_folder_that_is_dropped_is_opened(window: BenchmarkWindow, logs: Path, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(logs))])
    action, no_button, no_key = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(10, 10), action, data, no_button, no_key))
    qtbot.waitUntil(lambda: len(window.viewer.tasks.rows.rows) == 4)
    assert window.pages.currentWidget() is window.viewer


def test_a_folder_without_logs_says_so(window: BenchmarkWindow, tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "empty").mkdir()
    window.open_path(tmp_path / "empty")
    qtbot.waitUntil(lambda: "There is no benchmark run" in window.toast.words.text())


def test_a_run_that_another_process_writes_is_followed(window: BenchmarkWindow, logs: Path, qtbot: QtBot) -> None:
    log = logs / "small-1.jsonl"
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    window.open_path(logs)
    qtbot.waitUntil(lambda: len(window.viewer.tasks.rows.rows) == 2)
    log.write_bytes(whole)
    os.utime(log, ns=(1, 1))
    window.follow()
    qtbot.waitUntil(lambda: len(window.viewer.tasks.rows.rows) == 4)


def _zip(logs: Path, target: Path) -> Path:
    return Path(shutil.make_archive(str(target), "zip", logs))


def _tar(logs: Path, target: Path) -> Path:
    return Path(shutil.make_archive(str(target), "xztar", logs.parent, logs.name))


def _compressed_folder(logs: Path, target: Path) -> Path:
    target.mkdir()
    for file in logs.iterdir():
        content = file.read_bytes()
        if file.suffix == ".jsonl":
            (target / f"{file.name}.gz").write_bytes(gzip.compress(content))
        else:
            (target / file.name).write_bytes(content)
    return target


@pytest.mark.parametrize("pack", [_zip, _tar, _compressed_folder])
def test_packed_logs_are_read_but_not_continued(
    window: BenchmarkWindow, logs: Path, tmp_path: Path, qtbot: QtBot, pack: Callable[[Path, Path], Path]
) -> None:
    window.open_path(pack(logs, tmp_path / "packed"))
    qtbot.waitUntil(lambda: len(window.viewer.tasks.rows.rows) == 4)
    assert "4 of 4 tasks · read only" in window.status.text()
    assert not window.start.isEnabled()


def test_an_archive_that_is_broken_says_so(window: BenchmarkWindow, tmp_path: Path, qtbot: QtBot) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "small-1.jsonl.xz").write_bytes(b"not compressed")
    window.open_path(broken)
    qtbot.waitUntil(lambda: "cannot be unpacked" in window.toast.words.text())


def test_several_configurations_stand_below_one_another(
    window: BenchmarkWindow, logs: Path, suite_file: Path, ollama: StandIn, qtbot: QtBot
) -> None:
    ollama.answers["/api/chat"] = by_task
    second = suite_file.with_name("second.yaml")
    second.write_text(SUITE.replace("suite: small", "suite: second"))
    for configuration, folder in ((Configuration.of(model=MODEL), "flawed"), (_OTHER, "other")):
        asyncio.run(run(Plan(configuration, (str(suite_file), str(second))), logs.parent / "sweep" / folder))
    window.open_path(logs.parent / "sweep")
    cells = window.heat.map.cells
    qtbot.waitUntil(lambda: cells.rowCount() == 2)
    assert [line.label for line in cells.grid.lines] == ["R/basic/C", "R/MD/C"]
    assert cells.grid.sections == ((0, "second"), (5, "small"))
    assert [cells.data(cells.index(1, column)) for column in range(9)] == ["1", "1", "1", "1", None, "1", "1", "1", "1"]
    window.heat.suite.setCurrentIndex(1)
    window.heat.suite.activated.emit(1)
    assert (cells.rowCount(), cells.columnCount(), cells.grid.sections) == (2, 4, ())
    assert [row.cells[0] for row in window.figures.table.rows.rows][:2] == ["R/basic/C · second", "R/basic/C · small"]
