"""The conversation of a task of a log: the request, what the model said, the calls with their results."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QFrame, QPlainTextEdit, QVBoxLayout, QWidget

from agent.evaluation.records import MadeCallRecord, MessageRecord, TaskRecord, TurnRecord
from agent.events import CallFinished
from desktop.panels.cards import CallCard, format_seconds
from desktop.panels.widgets import clear_layout, column, make_label, make_scroll_area, row
from desktop.theme.theme import Theme


class ConversationPane(QWidget):
    """What was said and done, from the request to the answer."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.cards: list[CallCard] = []
        self._steps = column(spacing=8, margins=(12, 10, 12, 12))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(make_scroll_area(self._steps))

    def show_record(self, record: TaskRecord | None) -> None:
        """Show a task's conversation, or nothing."""
        clear_layout(self._steps)
        self.cards = []
        if record is None:
            return
        left = deque(record.calls)
        said = ""
        for message in record.messages:
            if message.role == "user":
                self._steps.addWidget(_bubble(message.content.strip()))
            elif message.role == "assistant":
                said = message.content.strip()
                if said:
                    self._steps.addWidget(make_label(_breakable(said), "", wrap=True, selectable=True))
                for _call in message.tool_calls:
                    if left:
                        self._add_card(left.popleft())
        if not record.messages:
            self._steps.addWidget(_bubble(record.task.prompt.strip()))
        for call in left:
            self._add_card(call)
        if record.answer.strip() and record.answer.strip() != said:
            self._steps.addWidget(make_label(_breakable(record.answer.strip()), "", wrap=True, selectable=True))
        for notice in record.notices:
            self._steps.addWidget(make_label(notice, "muted", wrap=True, selectable=True))
        self._steps.addWidget(make_label(_summary(record), "small", wrap=True, selectable=True))
        self._steps.addStretch(1)

    def _add_card(self, call: MadeCallRecord) -> None:
        card = CallCard(self._theme, call.tool, call.arguments)
        card.finish(CallFinished(0, len(self.cards), call.tool, call.arguments, call.ok, call.text, {}, call.seconds))
        self.cards.append(card)
        self._steps.addWidget(card)


class TurnsPane(QWidget):
    """Exactly what the model was given in each turn, and what it wrote."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = QComboBox()
        self.turns.setAccessibleName("Turn of the model")
        self.figures = make_label("", "small")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("role", "mono")
        self.text.setAccessibleName("What the model was given, and what it wrote")
        self._prompts: list[list[MessageRecord]] = []
        self._record: TaskRecord | None = None
        layout = column(spacing=8, margins=(12, 10, 12, 12))
        layout.addLayout(row(self.turns, self.figures, None))
        layout.addWidget(self.text, 1)
        self.setLayout(layout)
        self.turns.currentIndexChanged.connect(self._show)

    def show_record(self, record: TaskRecord | None, session: Sequence[TaskRecord]) -> None:
        """Show a task's turns; ``session`` holds the records before it, which its prompts may begin with."""
        self._record = record
        self._prompts = prompts_of(record, session) if record is not None else []
        self.turns.blockSignals(True)
        self.turns.clear()
        self.turns.addItems([f"Turn {number} of {len(self._prompts)}" for number in range(1, len(self._prompts) + 1)])
        self.turns.setCurrentIndex(len(self._prompts) - 1)
        self.turns.blockSignals(False)
        self._show(self.turns.currentIndex())

    def _show(self, position: int) -> None:
        if self._record is None or not 0 <= position < len(self._prompts):
            self.text.setPlainText("")
            self.figures.setText("")
            return
        turn = self._record.turns[position]
        parts = [_written(message) for message in self._prompts[position]]
        answer = "\n".join(
            part
            for part in (
                f"(thinking)\n{turn.thinking.strip()}\n" if turn.thinking.strip() else "",
                turn.text.strip(),
                *(f"→ {name} {arguments}" for name, arguments in turn.calls),
            )
            if part
        )
        self.text.setPlainText("\n\n".join([*parts, f"━━ the model wrote ━━\n{answer or '(nothing)'}"]))
        self.figures.setText(_turn_figures(turn))
        self.text.verticalScrollBar().setValue(self.text.verticalScrollBar().maximum())


def prompts_of(record: TaskRecord, session: Sequence[TaskRecord]) -> list[list[MessageRecord]]:
    """Put the prompts of a task's turns together again: each was written down as what differs from the one before."""
    previous: list[MessageRecord] = []
    found: list[list[MessageRecord]] = []
    for each in session:
        mine = each is record or each.task.id == record.task.id
        for turn in each.turns:
            previous = [*previous[: turn.kept], *turn.sent]
            if mine:
                found.append(previous)
        if mine:
            break
    return found


def _bubble(text: str) -> QFrame:
    bubble = QFrame()
    bubble.setProperty("role", "bubble")
    bubble.setLayout(column(make_label(text, wrap=True, selectable=True), margins=(12, 8, 12, 8)))
    return bubble


def _breakable(text: str) -> str:
    """Blanks between the parts of JSON: plans are written without any, and a line is broken at a blank only."""
    try:
        content = json.loads(text)
    except ValueError:
        return text
    return json.dumps(content, ensure_ascii=False) if isinstance(content, dict | list) else text


def _written(message: MessageRecord) -> str:
    name = message.role + (f" ({message.tool_name})" if message.tool_name else "")
    calls = [f"→ {tool} {arguments}" for tool, arguments in message.tool_calls]
    return "\n".join([f"━━ {name} ━━", *([message.content.strip()] if message.content.strip() else []), *calls])


def _turn_figures(turn: TurnRecord) -> str:
    usage = turn.usage
    facts = [
        turn.model,
        f"{usage.prompt_tokens} tokens read, {usage.cached_tokens} of them cached",
        f"{usage.completion_tokens} written",
        format_seconds(turn.seconds),
    ]
    facts += [
        word
        for word, applies in (
            ("cut off", turn.truncated),
            ("prompt longer than the context", turn.overflow),
            ("its call was lost", turn.lost),
        )
        if applies
    ]
    return " · ".join(facts)


def _summary(record: TaskRecord) -> str:
    usage = record.usage
    facts = [
        record.outcome,
        f"{len(record.turns)} turn{'s' if len(record.turns) != 1 else ''}",
        format_seconds(record.seconds),
        f"{usage.prompt_tokens} + {usage.completion_tokens} tokens",
    ]
    facts += [f"{name} {value}" for name in ("temperature", "seed") if (value := record.options.get(name)) is not None]
    if record.dropped_calls:
        facts.append(f"{record.dropped_calls} further calls of a turn not made")
    return " · ".join(facts)
