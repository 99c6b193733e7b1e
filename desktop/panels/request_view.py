"""One request of the chat: what was asked, and below it everything that the agent did about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from agent.events import (
    AgentEvent,
    ApprovalRequested,
    CallFinished,
    CallStarted,
    Notice,
    Outcome,
    ProposalMade,
    RequestFinished,
    TextStreamed,
)
from desktop.panels.cards import ApprovalCard, CallCard, format_seconds
from desktop.panels.proposal_card import ProposalCard
from desktop.panels.widgets import SymbolLabel, column, make_button, make_label, row, set_role
from desktop.theme.symbols import Symbol
from desktop.theme.theme import Theme

_OUTCOMES: dict[Outcome, tuple[Symbol, str, str]] = {
    "done": ("tick", "success", "done"),
    "refused": ("cross", "text_muted", "nothing done"),
    "failed": ("error", "danger", "failed"),
    "stopped": ("minus", "text_muted", "stopped"),
    "turn-limit": ("warning", "warning", "turn limit reached"),
    "no-model": ("warning", "warning", "no model"),
    "needs-approval": ("warning", "warning", "needs approval"),
}
_STREAM_MS = 40


class RequestView(QWidget):
    """The user's bubble, thinking, calls, answer and a line of figures.

    Signals:
        reveal_requested: elements to show on the canvas.
        approval_given: request id, index of the call, yes or no.
        part_chosen: request id and the ticked calls of its proposal.
        proposal_decided: request id and the calls of its proposal that are to be made.
        retry_requested: the request is to be sent again.
        edit_requested: the request is to be written anew, on the design as it was before it.
    """

    reveal_requested = Signal(object)
    approval_given = Signal(int, int, bool)
    part_chosen = Signal(int, object)
    proposal_decided = Signal(int, object)
    retry_requested = Signal()
    edit_requested = Signal()

    def __init__(self, theme: Theme, request_id: int, text: str, *, read_only: bool = False) -> None:
        super().__init__()
        self._read_only = read_only
        self._theme = theme
        self.request_id = request_id
        self.text = text
        self.cards: dict[int, CallCard] = {}
        self.approvals: dict[int, ApprovalCard] = {}
        self.proposal: ProposalCard | None = None
        self._thinking = ""
        self._streamed = ""
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        self._layout.addWidget(_bubble(text))
        self.thought = make_button("▸ Thinking…", "flat")
        self.thought.clicked.connect(self._toggle_thinking)
        self.thought.hide()
        self.thinking = make_label("", "muted", wrap=True, selectable=True)
        self.thinking.hide()
        self._layout.addLayout(row(self.thought, None))
        self._layout.addWidget(self.thinking)
        self._steps = column(spacing=6)
        self._layout.addLayout(self._steps)
        self.answer = make_label("", "", wrap=True, selectable=True)
        self.answer.hide()
        self._layout.addWidget(self.answer)
        self.symbol = SymbolLabel(theme, "ring", "accent", 12)
        self.status = make_label("thinking…", "small")
        self.edit = make_button("Edit", "link", tip="Take back what it did, and write it anew")
        self.edit.setAccessibleName(f"Edit the request {text}")
        self.edit.clicked.connect(self.edit_requested)
        self.edit.hide()
        self.retry = make_button("Ask again", "link", tip="Take back what it did, and ask the same again")
        self.retry.setAccessibleName(f"Ask again: {text}")
        self.retry.clicked.connect(self.retry_requested)
        self.retry.hide()
        self._layout.addLayout(row(self.symbol, self.status, None, self.edit, self.retry, spacing=8))
        self._painting = QTimer(self)
        self._painting.setSingleShot(True)
        self._painting.setInterval(_STREAM_MS)
        self._painting.timeout.connect(self._show_stream)

    def handle(self, event: AgentEvent) -> None:
        """Show one event of this request."""
        match event:
            case TextStreamed():
                self._stream(event)
            case CallStarted():
                self._start_call(event)
            case CallFinished():
                self._finish_call(event)
            case ApprovalRequested():
                self._ask(event)
            case ProposalMade():
                self._propose(event)
            case Notice():
                self._steps.addWidget(_notice(self._theme, event.text))
            case RequestFinished():
                self._finish(event)
            case _:
                pass

    def _stream(self, event: TextStreamed) -> None:
        if event.prompt_read is not None:
            self.status.setText(f"reading {event.prompt_read * 100:.0f} %")
            if not (event.text or event.thinking):
                return
        self._thinking += event.thinking
        self._streamed += event.text
        if not self._painting.isActive():  # one repaint for many tokens
            self._painting.start()

    def _show_stream(self) -> None:
        if self._thinking:
            self.status.setText("thinking…")
            self.thought.show()
            self.thinking.setText(self._thinking.strip())
        if self._streamed.strip():
            self.answer.setText(self._streamed.strip())
            self.answer.show()
            self.status.setText("writing…")

    def _start_call(self, event: CallStarted) -> None:
        approval = self.approvals.get(event.index)
        if approval is not None:
            approval.settle("Approved", True)
        # What streamed before a call was the call itself or talk about it; the answer comes last.
        self._painting.stop()
        self._streamed = ""
        self.answer.hide()
        card = CallCard(self._theme, event.tool, event.arguments)
        card.reveal_requested.connect(self.reveal_requested)
        self.cards[event.index] = card
        self._steps.addWidget(card)
        self.status.setText(f"{event.tool}…")

    def _finish_call(self, event: CallFinished) -> None:
        if event.index not in self.cards:
            self._start_call(CallStarted(event.request_id, event.index, event.tool, event.arguments))
        self.cards[event.index].finish(event)
        self.status.setText("thinking…")

    def _ask(self, event: ApprovalRequested) -> None:
        card = ApprovalCard(self._theme, event)
        card.answered.connect(self.approval_given)
        self.approvals[event.index] = card
        self._steps.addWidget(card)
        self.status.setText("waits for you")

    def _propose(self, event: ProposalMade) -> None:
        card = self.proposal = ProposalCard(self._theme, event)
        card.part_chosen.connect(lambda chosen: self.part_chosen.emit(self.request_id, chosen))
        card.decided.connect(lambda chosen: self.proposal_decided.emit(self.request_id, chosen))
        card.reveal_requested.connect(self.reveal_requested)
        self._painting.stop()
        self._steps.addWidget(card)
        self.status.setText("waits for you")

    def _finish(self, event: RequestFinished) -> None:
        self._painting.stop()
        self._show_stream()
        if self.proposal is not None:
            self.proposal.settle("Not applied")
        for approval in self.approvals.values():
            approval.settle("Not approved")
        for card in self.cards.values():
            card.abandon()
        if self._thinking:
            self.thought.setText("▸ Thought about it")
        self.answer.setTextFormat(Qt.TextFormat.MarkdownText)
        self.answer.setText(event.answer.strip())
        self.answer.setVisible(bool(event.answer.strip()))
        symbol, colour, words = _OUTCOMES[event.outcome]
        self.symbol.set(symbol, colour)
        if event.outcome in {"failed", "no-model"}:
            set_role(self.answer, "danger" if event.outcome == "failed" else "warning")
        self.status.setText(" · ".join([words, *_figures(event)]))
        self.edit.setVisible(not self._read_only)
        self.retry.setVisible(not self._read_only)

    def take_back(self) -> None:
        """Say that the design is again as it was before this request."""
        self.symbol.set("minus", "text_faint")
        self.status.setText("taken back")
        self.edit.hide()
        self.retry.hide()

    def _toggle_thinking(self) -> None:
        shown = self.thinking.isHidden()
        self.thinking.setVisible(shown)
        self.thought.setText(("▾" if shown else "▸") + self.thought.text()[1:])


def _figures(event: RequestFinished) -> list[str]:
    usage = event.usage
    figures = [format_seconds(event.seconds)]
    if event.calls:
        failed = sum(not call.ok for call in event.calls)
        calls = f"{len(event.calls)} call" + ("s" if len(event.calls) != 1 else "")
        figures.insert(0, f"{calls}, {failed} refused" if failed else calls)
    if usage.completion_tokens:
        figures.append(f"{usage.completion_tokens} tokens")
    if usage.completion_tokens and usage.generation_seconds:
        figures.append(f"{usage.completion_tokens / usage.generation_seconds:.0f} tok/s")
    return figures


def _bubble(text: str) -> QFrame:
    bubble = QFrame()
    bubble.setProperty("role", "bubble")
    bubble.setLayout(column(make_label(text, wrap=True, selectable=True), margins=(12, 8, 12, 8)))
    return bubble


def _notice(theme: Theme, text: str) -> QFrame:
    notice = QFrame()
    notice.setProperty("role", "notice")
    layout = row(SymbolLabel(theme, "note", "warning", 12), spacing=8, margins=(10, 5, 10, 5))
    layout.addWidget(make_label(text, "muted", wrap=True), 1)
    layout.setAlignment(Qt.AlignmentFlag.AlignTop)
    notice.setLayout(layout)
    return notice
