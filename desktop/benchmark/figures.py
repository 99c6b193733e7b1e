"""The running figures: a line for each suite, with intervals, brought up to date as tasks come in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from agent.evaluation.records import TaskRecord
from agent.evaluation.results import SuiteResult, suite_result
from desktop.benchmark.board import Board
from desktop.bridge import Bridge
from desktop.panels.tables import Columns, RowTable, TableRow
from desktop.theme.theme import Theme

_TITLES = ("Suite", "Tasks", "ECC", "EVCR", "TFR", "NCA", "State", "s/task")
_DELAY_MS = 400


class FiguresTable(RowTable):
    """A line for each suite of each run."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            Columns(_TITLES, frozenset(range(1, len(_TITLES))), frozenset(range(1, len(_TITLES)))),
            theme,
            "Running figures",
            (54, 122, 122, 122, 122, 122, 54),
        )


class Figures(QObject):
    """Keeps a :class:`FiguresTable` up to date; intervals are computed away from Qt's thread."""

    def __init__(self, bridge: Bridge, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self.table = FiguresTable(theme)
        self._board = Board()
        self._known: dict[tuple[Path, str], tuple[int, SuiteResult]] = {}
        self._computing = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_DELAY_MS)
        self._later.timeout.connect(self._compute)

    def show(self, board: Board) -> None:
        """Show another board's figures."""
        self._board = board
        self._known.clear()
        self._draw()
        self._later.start()

    def refresh(self) -> None:
        """A task has come in."""
        self._draw()
        if not self._later.isActive():
            self._later.start()

    def _compute(self) -> None:
        if self._computing:
            self._later.start()
            return
        stale = {
            group: tuple(records)
            for group in self._board.groups()
            if (records := self._board.records(*group)) and self._known.get(group, (0,))[0] != len(records)
        }
        if stale:
            self._computing = True
            board = self._board
            self._bridge.run_blocking(partial(_results, stale), partial(self._take, board))

    def _take(self, board: Board, found: dict[tuple[Path, str], tuple[int, SuiteResult]]) -> None:
        self._computing = False
        if board is self._board:
            self._known |= found
            self._draw()
            self._later.start()  # more may have come in meanwhile

    def _draw(self) -> None:
        several = len(self._board.folders()) > 1
        rows: list[TableRow] = []
        for folder, suite in self._board.groups():
            fixed = self._board.configuration(folder)
            name = f"{fixed.label} · {suite}" if several else suite
            done = len(self._board.records(folder, suite))
            known = self._known.get((folder, suite))
            count = f"{done}/{self._board.planned(folder, suite)}"
            cells = _cells(known[1]) if known is not None else ("",) * (len(_TITLES) - 2)
            rows.append(TableRow((name, count, *cells), (folder, suite), tip=f"{fixed.model}, {fixed.mode}"))
        self.table.rows.set_rows(rows)


def _results(
    stale: dict[tuple[Path, str], tuple[TaskRecord, ...]],
) -> dict[tuple[Path, str], tuple[int, SuiteResult]]:
    return {group: (len(records), suite_result(group[1], records)) for group, records in stale.items()}


def _cells(result: SuiteResult) -> Sequence[str]:
    figures = result.figures
    named = (
        ("ecc", figures.ecc),
        ("evcr", figures.evcr),
        ("tfr", figures.tfr),
        ("nca", figures.nca),
        ("state", result.state),
    )
    shown = []
    for name, value in named:
        interval = result.intervals.get(name)
        if value is None:
            shown.append("–")
        else:
            shown.append(f"{value:.2f}" + (f" [{_short(interval.low)}–{_short(interval.high)}]" if interval else ""))
    return (*shown, f"{result.cost.seconds:.1f}")


def _short(value: float) -> str:
    """A bound without its leading zero: a column must take five of these."""
    text = f"{value:.2f}"
    return text[0] if text.endswith(".00") else text.removeprefix("0")
