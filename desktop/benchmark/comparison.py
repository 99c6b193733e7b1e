"""Expected against made calls of a task of a log, with its figures and what differs in the design."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from agent.evaluation.records import TaskRecord
from agent.evaluation.scoring import MadeCall
from desktop.benchmark.faults import fault_words
from desktop.call_text import element_words, parse_element
from desktop.panels.score_delegate import MARKS
from desktop.panels.widgets import ElidedLabel, SymbolLabel, clear_layout, column, make_label, row
from desktop.scorebook import CallLine, line_up
from desktop.theme.theme import Theme

_SHOWN_DIFFERENCES = 4


class ComparisonPane(QWidget):
    """The request, the figures, and a line for each expected or made call."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.lines: tuple[CallLine, ...] = ()
        self._body = column(spacing=4, margins=(12, 10, 12, 10))
        self.setLayout(self._body)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def show_record(self, record: TaskRecord | None) -> None:
        """Show a task, or nothing."""
        clear_layout(self._body)
        self.lines = ()
        if record is None:
            self._body.addWidget(make_label("Choose a task on the left.", "muted"))
            return
        self._body.addWidget(make_label(record.task.prompt.strip(), "", wrap=True, selectable=True))
        self._body.addLayout(self._figures(record))
        answers = (record.task.expected, *record.task.alternatives)
        made = [MadeCall(call.tool, call.arguments, call.ok) for call in record.calls]
        results = [call.text for call in record.calls]
        self.lines = line_up(answers[record.grade.answer], record.grade.pairs, made, results)
        for line in self.lines:
            self._body.addWidget(self._line(line))
        if not self.lines:
            words = "No call was made, and none was right." if record.grade.nca else "No call was made."
            self._body.addWidget(make_label(words, "muted"))
        if not record.task.expected and record.task.reason:
            reason = f"No call is right here: {record.task.reason.strip()}"
            self._body.addWidget(make_label(reason, "muted", wrap=True))
        if record.grade.answer:
            self._body.addWidget(make_label("Compared with an alternative that is as right.", "small"))
        self._body.addWidget(make_label(state_words(record), "small", wrap=True))

    def _figures(self, record: TaskRecord) -> QHBoxLayout:
        grade = record.grade
        perfect = grade.perfect
        shown = [f"ECC {grade.ecc:.2f}" if grade.ecc is not None else f"NCA {grade.nca or 0.0:.0f}"]
        shown += [f"EVCR {grade.evcr:.2f}", f"TFR {grade.tfr:.2f}"]
        if grade.evcr_writes != grade.evcr:
            shown.insert(2, f"EVCR of writes {grade.evcr_writes:.2f}")
        line = row(SymbolLabel(self._theme, "tick" if perfect else "cross", "success" if perfect else "warning", 12))
        line.addWidget(make_label(fault_words(record), "success" if perfect else "warning"))
        for figure in shown:
            line.addWidget(make_label(figure, "chip"))
        line.addStretch(1)
        return line

    def _line(self, line: CallLine) -> QWidget:
        symbol, colour, word = MARKS[line.mark]
        parts: list[QWidget] = [SymbolLabel(self._theme, symbol, colour, 11)]
        if word:
            parts.append(make_label(word, {"success": "success", "warning": "warning"}.get(colour, "danger")))
        parts.append(make_label(line.tool, "mono"))
        layout = row(*parts, spacing=6)
        layout.addWidget(ElidedLabel(f"{line.words}  {line.detail}".strip(), "mono-small"), 1)
        holder = QWidget()
        holder.setLayout(layout)
        holder.setAccessibleName(f"{word or line.mark}: {line.tool} {line.words} {line.detail}")
        return holder


def state_words(record: TaskRecord) -> str:
    """How the design differs from what it should be."""
    state = record.state
    if state.equal:
        return "State: the design is as expected."
    pieces = [
        f"{sign} {_words(text)}"
        for sign, texts in (("+", state.added), ("~", state.changed), ("−", state.removed))
        for text in texts
    ]
    more = f" and {len(pieces) - _SHOWN_DIFFERENCES} more" if len(pieces) > _SHOWN_DIFFERENCES else ""
    count = f"{len(pieces)} difference{'s' if len(pieces) != 1 else ''}"
    return f"State: {count} from the expected design: {', '.join(pieces[:_SHOWN_DIFFERENCES])}{more}."


def _words(text: str) -> str:
    element = parse_element(text)
    return element_words(element) if element is not None else text
