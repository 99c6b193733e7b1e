"""The cards of the chat: one for each tool call, and one for a call that waits for a yes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from agent.events import ApprovalRequested, CallFinished
from desktop.call_text import call_words, element_words, parse_element
from desktop.panels.widgets import (
    ElidedLabel,
    SymbolLabel,
    clear_layout,
    column,
    make_button,
    make_label,
    row,
    set_role,
)
from desktop.theme.theme import Theme
from model.change import ElementId

_SHOWN_CHANGES = 4
_SHOWN_LINES, _SHOWN_LETTERS = 12, 1200  # of a result; the rest on demand


class CallCard(QFrame):
    """A tool call: what, with which arguments, how it went, how long it took, what it changed.

    A click, Enter or Space opens all arguments and the whole result.

    Signals:
        reveal_requested: the :class:`ElementId` that the call touched, as a tuple.
    """

    reveal_requested = Signal(object)

    def __init__(self, theme: Theme, tool: str, arguments: Mapping[str, Any]) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.tool = tool
        self.symbol = SymbolLabel(theme, "ring", "text_faint", 12)
        self._words = call_words(tool, arguments)
        self.words = ElidedLabel(self._words, "mono-small")
        self.seconds = make_label("running…", "small")
        self.result = make_label("", "muted", wrap=True)
        self.result.hide()
        self._changes = QWidget()
        self._changes_row = row(spacing=8)
        self._changes.setLayout(self._changes_row)
        self._changes.hide()
        given = "\n".join(f"{name}: {value}" for name, value in arguments.items() if value not in ("", None))
        self.arguments = make_label(given or "no arguments", "mono-small", wrap=True, selectable=True)
        self.whole_result = make_label("", "mono-small", wrap=True, selectable=True)
        self._details = QWidget()
        self._text = ""
        self.all_of_it = make_button("", "link")
        self.all_of_it.clicked.connect(self._show_all)
        self.all_of_it.hide()
        details = column(self.arguments, self.whole_result, spacing=6, margins=(20, 2, 0, 0))
        details.addLayout(row(self.all_of_it, None))
        self._details.setLayout(details)
        self._details.hide()
        top = row(self.symbol, make_label(tool, "mono-strong"), spacing=8)
        top.addWidget(self.words, 1)
        top.addWidget(self.seconds)
        indented = column(self.result, self._changes, spacing=2, margins=(20, 0, 0, 0))
        layout = column(spacing=2, margins=(10, 6, 10, 6))
        layout.addLayout(top)
        layout.addLayout(indented)
        layout.addWidget(self._details)
        self.setLayout(layout)
        self.setAccessibleName(f"Call {tool} {self._words}")

    def finish(self, event: CallFinished) -> None:
        """Show how it went."""
        warnings = [
            str(each.get("message", "")) for each in event.data.get("warnings", []) if isinstance(each, Mapping)
        ]
        self.seconds.setText(format_seconds(event.seconds))
        self._text = event.text.strip()
        short = _beginning(self._text)
        self.whole_result.setText(short)
        if short != self._text:
            self.all_of_it.setText(f"Show all of it: {len(self._text.splitlines())} lines")
            self.all_of_it.show()
        if not event.ok:
            self.symbol.set("error", "danger")
            set_role(self, "card-danger")
            set_role(self.result, "danger")
            self.result.setText(_refusal(event))
        elif warnings:
            self.symbol.set("warning", "warning")
            set_role(self.result, "warning")
            self.result.setText("Done. " + " ".join(warnings))
        else:
            self.symbol.set("dot", "success")
        self.result.setVisible(bool(self.result.text()))
        self._show_changes(event.data)
        self.setAccessibleDescription(self.result.text() or "done")

    def _show_all(self) -> None:
        self.whole_result.setText(self._text)
        self.all_of_it.hide()

    def abandon(self) -> None:
        """Say that the call never came back."""
        if self.seconds.text() == "running…":
            self.symbol.set("minus", "text_faint")
            self.seconds.setText("stopped")

    def _show_changes(self, data: Mapping[str, Any]) -> None:
        clear_layout(self._changes_row)
        elements: list[ElementId] = []
        shown = 0
        for key, sign, role in (("added", "+", "success"), ("changed", "~", "warning"), ("removed", "−", "danger")):
            for text in _texts(data.get(key)):
                element = parse_element(text)
                if element is not None and key != "removed":
                    elements.append(element)
                shown += 1
                if shown <= _SHOWN_CHANGES:
                    words = element_words(element) if element is not None else text
                    self._changes_row.addWidget(make_label(f"{sign} {words}", role))
        if shown > _SHOWN_CHANGES:
            self._changes_row.addWidget(make_label(f"and {shown - _SHOWN_CHANGES} more", "small"))
        if elements:
            link = make_button("show on canvas", "link")
            link.clicked.connect(lambda: self.reveal_requested.emit(tuple(elements)))
            self._changes_row.addWidget(link)
        self._changes_row.addStretch(1)
        self._changes.setVisible(shown > 0)

    def toggle(self) -> None:
        """Open or close the details."""
        self._details.setVisible(self._details.isHidden())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open or close on a click."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.toggle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open or close on Enter or Space."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Space}:
            self.toggle()
        else:
            super().keyPressEvent(event)


class ApprovalCard(QFrame):
    """A call that waits for a person.

    Signals:
        answered: request id, index of the call, yes or no.
    """

    answered = Signal(int, int, bool)

    def __init__(self, theme: Theme, event: ApprovalRequested) -> None:
        super().__init__()
        self.setProperty("role", "card-ask")
        self._event = event
        self.symbol = SymbolLabel(theme, "warning", "warning", 14)
        self.title = make_label("Waits for your approval", "heading")
        self.apply = make_button("Apply", "primary")
        self.refuse = make_button("Refuse")
        self.apply.clicked.connect(lambda: self._answer(True))
        self.refuse.clicked.connect(lambda: self._answer(False))
        self._buttons = QWidget()
        self._buttons.setLayout(row(self.apply, self.refuse, None, margins=(0, 4, 0, 0)))
        top: QHBoxLayout = row(self.symbol, self.title, None)
        what = row(make_label(event.tool, "mono-strong"), spacing=8)
        what.addWidget(ElidedLabel(call_words(event.tool, event.arguments), "mono-small"), 1)
        layout = column(spacing=4, margins=(10, 8, 10, 8))
        layout.addLayout(top)
        layout.addLayout(what)
        layout.addWidget(make_label(event.reason, "muted", wrap=True))
        layout.addWidget(self._buttons)
        self.setLayout(layout)

    def _answer(self, yes: bool) -> None:
        self.settle("Approved" if yes else "Refused by you", yes)
        self.answered.emit(self._event.request_id, self._event.index, yes)

    def settle(self, words: str, yes: bool = False) -> None:
        """Take the buttons away: it is answered, or no longer asked."""
        if self._buttons.isHidden():
            return
        self._buttons.hide()
        self.title.setText(words)
        self.symbol.set("tick" if yes else "cross", "success" if yes else "text_muted")
        set_role(self, "card")


def format_seconds(seconds: float) -> str:
    """``0.3 ms``, ``12 ms``, ``9.8 s`` or ``2 min 5 s``."""
    if seconds < 0.0095:
        return f"{seconds * 1000:.1f} ms"
    if seconds < 0.995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def _beginning(text: str) -> str:
    """The part of a result that is shown at first."""
    lines = text.splitlines()
    if len(lines) <= _SHOWN_LINES and len(text) <= _SHOWN_LETTERS:
        return text
    return "\n".join(lines[:_SHOWN_LINES])[:_SHOWN_LETTERS] + "…"


def _texts(value: Any) -> Sequence[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else []


def _refusal(event: CallFinished) -> str:
    message = str(event.data.get("message", "")) or event.text.strip().partition("\n")[0]
    suggestions = _texts(event.data.get("suggestions"))
    if suggestions:
        message = f"{message} Did you mean {' or '.join(suggestions)}?"
    return f"Refused: {message}"
