"""The caption over the canvas: the request in large letters, how it went, and what steers the player."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget

from desktop.panels.widgets import SymbolLabel, ThinBar, column, make_button, make_label, row, set_role
from desktop.scorebook import totals
from desktop.stage.player import SPEEDS, Player, Step
from desktop.stage.verdict import verdict
from desktop.theme.theme import Theme

_WORDS: dict[Step, str] = {
    "ready": "",
    "setting": "setting the scene…",
    "typing": "",
    "asked": "",
    "working": "the agent works…",
    "scored": "",
    "over": "",
}


class Caption(QWidget):
    """Shows a :class:`Player`."""

    def __init__(self, player: Player, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("Caption")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._player = player
        self.where = make_label("", "caption-small")
        self.request = make_label("", "caption", wrap=True)
        self.request.setMinimumHeight(68)
        self.request.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.symbol = SymbolLabel(theme, "ring", "accent", 16)
        self.outcome = make_label("", "caption-small")
        self.figures = make_label("", "caption-figure")
        self.figures_words = make_label("", "caption-small")
        self.pause = make_button("Pause", tip="Stand still before the agent is asked and after each score (Space)")
        self.pause.setCheckable(True)
        self.next = make_button("Next", tip="Finish typing, ask, stop the agent, or go to the next task (→)")
        self.speed = QComboBox()
        self.speed.setAccessibleName("Speed")
        for speed in SPEEDS:
            self.speed.addItem(f"{speed:g}×", speed)
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.end = make_button("End")
        self.bar = ThinBar(theme)
        self._lay_out()
        self.pause.toggled.connect(player.set_paused)
        self.next.clicked.connect(player.go_on)
        self.speed.activated.connect(self._set_speed)
        player.changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        steering = row(self.pause, self.next, self.speed, self.end, spacing=6)
        said = row(self.symbol, self.outcome, None, spacing=8)
        words = column(self.where, self.request, spacing=4)
        words.addLayout(said)
        side = column(spacing=2)
        side.addLayout(steering)
        side.addStretch(1)
        side.addWidget(self.figures, 0, Qt.AlignmentFlag.AlignRight)
        side.addWidget(self.figures_words, 0, Qt.AlignmentFlag.AlignRight)
        inner = row(spacing=20, margins=(20, 12, 14, 12))
        inner.addLayout(words, 1)
        inner.addLayout(side)
        layout = column(spacing=0)
        layout.addLayout(inner)
        layout.addWidget(self.bar)
        self.setLayout(layout)

    def _set_speed(self, position: int) -> None:
        self._player.speed = self.speed.itemData(position)

    def refresh(self) -> None:
        """Show the player as it is."""
        player = self._player
        place = f"Task {player.number + 1} of {player.count}  ·  {player.suite.name} {player.task.id}"
        self.where.setText(place)
        over = player.step == "over"
        self.request.setText(player.prompt if over else player.shown + ("▏" if player.step == "typing" else ""))
        self.pause.setText("Paused" if player.paused else "Pause")
        self.pause.setEnabled(not over)
        self.next.setEnabled(not over and player.step != "setting")
        self._show_outcome()
        sums = totals(player.outcomes)
        figure = sums.ecc or sums.nca
        self.figures.setText(f"{figure.mean:.2f}" if figure is not None else "–")
        name = "ECC" if sums.ecc is not None else "NCA" if sums.nca is not None else "no score yet"
        evcr = f" · EVCR {sums.evcr.mean:.2f}" if sums.evcr is not None else ""
        self.figures_words.setText(f"{name}{evcr} · {len(player.outcomes)} of {player.count}")
        self.bar.set_share(len(player.outcomes) / max(1, player.count), running=not over)

    def _show_outcome(self) -> None:
        player = self._player
        scored = player.outcomes[-1] if player.outcomes and player.step in {"scored", "over"} else None
        self.symbol.setVisible(scored is not None or player.step == "working")
        if scored is None:
            words = _WORDS[player.step] or ("paused: Next goes on" if player.paused else "")
            self.symbol.set("ring", "accent")
            set_role(self.outcome, "caption-small")
            self.outcome.setText(words)
            return
        symbol, colour, words = verdict(scored)
        self.symbol.set(symbol, colour)
        set_role(self.outcome, f"caption-{colour}" if colour in {"success", "warning", "danger"} else "caption-small")
        self.outcome.setText(words)
