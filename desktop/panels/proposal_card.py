"""The card of a plan that waits: every change with a box to tick, applied whole or in part, or rejected."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QWidget

from agent.events import ProposalMade
from agent.rehearsal import Rehearsal, RehearsedCall
from desktop.call_text import call_words, element_words
from desktop.panels.widgets import ElidedLabel, SymbolLabel, column, make_button, make_label, row, set_role
from desktop.theme.theme import Theme
from model.change import ElementId

_MOST_ALONG = 3  # names of what goes along


class ProposalCard(QFrame):
    """A plan in check boxes.

    Signals:
        part_chosen: the places of the calls that are ticked, as a frozenset, whenever they become others.
        decided: the places of the calls to make; an empty set rejects all.
        reveal_requested: elements of the proposal, to be looked at on the canvas.
    """

    part_chosen = Signal(object)
    decided = Signal(object)
    reveal_requested = Signal(object)

    def __init__(self, theme: Theme, event: ProposalMade) -> None:
        super().__init__()
        self.setProperty("role", "card-proposal")
        self.setAccessibleName("Proposed changes")
        self.rows = {index: _Row(call) for index, call in enumerate(event.rehearsal.calls) if not call.is_read}
        self._wanted = set(self.rows)
        self.symbol = SymbolLabel(theme, "dot", "success", 12)
        self.title = make_label("", "heading")
        self.apply = make_button("Apply", "primary", tip="Make what is ticked, as one step that undo takes back")
        self.reject = make_button("Reject", tip="Leave the design as it is")
        self.apply.clicked.connect(lambda: self._decide(self.chosen))
        self.reject.clicked.connect(lambda: self._decide(frozenset()))
        self.all = make_button("", "link")
        self.all.clicked.connect(self._toggle_all)
        self.all.setVisible(len(self.rows) > 1)
        self._foot = QWidget()
        self._foot.setLayout(row(self.apply, self.reject, None, self.all, margins=(0, 6, 0, 0)))
        head = row(self.symbol, self.title, None, spacing=8)
        layout = column(spacing=4, margins=(10, 8, 10, 8))
        layout.addLayout(head)
        self.reason = make_label(event.reason, "muted", wrap=True)
        layout.addWidget(self.reason)
        for index, line in self.rows.items():
            line.box.toggled.connect(lambda on, index=index: self._tick(index, on))
            line.reveal_requested.connect(self.reveal_requested)
            layout.addWidget(line)
        layout.addWidget(self._foot)
        self.setLayout(layout)
        self.show_rehearsal(event.rehearsal)

    @property
    def wanted(self) -> frozenset[int]:
        """The calls that the person wants, also those that cannot be had at the moment."""
        return frozenset(self._wanted)

    @property
    def chosen(self) -> frozenset[int]:
        """The calls that Apply makes."""
        return frozenset(index for index in self._wanted if not self.rows[index].reason)

    @property
    def waits(self) -> bool:
        """Whether it is still to be decided."""
        return not self._foot.isHidden()

    def show_rehearsal(self, rehearsal: Rehearsal) -> None:
        """Show what each call would change now, and why some of them cannot be made."""
        for index, line in self.rows.items():
            line.show_call(rehearsal.calls[index], wanted=index in self._wanted)
        self._count()

    def _tick(self, index: int, on: bool) -> None:
        (self._wanted.add if on else self._wanted.discard)(index)
        self._count()
        self.part_chosen.emit(self.wanted)

    def _toggle_all(self) -> None:
        self._wanted = set(self.rows) if len(self._wanted) < len(self.rows) else set()
        for index, line in self.rows.items():
            line.tick(index in self._wanted)
        self._count()
        self.part_chosen.emit(self.wanted)

    def _count(self) -> None:
        total, chosen = len(self.rows), len(self.chosen)
        self.title.setText(f"{total} change{'s' if total != 1 else ''} proposed")
        whole = "Apply all" if total > 1 else "Apply"
        self.apply.setText(whole if chosen == total else f"Apply {chosen} of {total}")
        self.apply.setEnabled(chosen > 0)
        self.all.setText("Tick none" if len(self._wanted) == total else "Tick all")

    def _decide(self, chosen: Collection[int]) -> None:
        total = len(self.rows)
        words = "Applied" if len(chosen) == total else f"Applied {len(chosen)} of {total}"
        self.settle(words if chosen else "Rejected", made=bool(chosen))
        self.decided.emit(frozenset(chosen))

    def settle(self, words: str, *, made: bool = False) -> None:
        """Take boxes and buttons out of reach: it is decided, or no longer asked."""
        if not self.waits:
            return
        self._foot.hide()
        self.reason.hide()
        self.title.setText(words)
        self.symbol.set("tick" if made else "minus", "success" if made else "text_faint")
        for line in self.rows.values():
            line.freeze()
        set_role(self, "card")


class _Row(QWidget):
    """One call: its box, what it does, and why it cannot be had."""

    reveal_requested = Signal(object)

    def __init__(self, call: RehearsedCall) -> None:
        super().__init__()
        self.reason = ""
        self._elements: tuple[ElementId, ...] = ()
        words = call_words(call.call.name, call.call.arguments)
        self.box = QCheckBox()
        self.box.setAccessibleName(f"{call.call.name} {words}")
        self.box.setToolTip(f"{call.call.name}: {words}")
        self.sign = make_label("", "success")
        self.sign.setFixedWidth(10)
        self.name = make_label("", "mono-strong")
        self.words = ElidedLabel(words, "mono-small")
        self.note = make_label("", "muted", wrap=True)
        self.note.hide()
        line = row(self.box, self.sign, self.name, spacing=6)
        line.addWidget(self.words, 1)
        layout = column(spacing=0)
        layout.addLayout(line)
        layout.addLayout(column(self.note, margins=(38, 0, 0, 0)))
        self.setLayout(layout)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_call(self, call: RehearsedCall, *, wanted: bool) -> None:
        self.reason = call.reason
        if call.chosen and not call.reason:
            self._show_change(call)
        blocked = bool(call.reason)
        if blocked:
            self.note.setText(f"Not possible: {call.reason}")
        self.note.setVisible(bool(self.note.text()) if blocked or call.chosen else False)
        self.tick(wanted and not blocked)
        self.box.setEnabled(not blocked)
        self.name.setEnabled(not blocked)
        self.words.setEnabled(not blocked)

    def _show_change(self, call: RehearsedCall) -> None:
        change = call.change
        sign, role, element = ("·", "muted", None)
        for elements, its_sign, its_role in (
            (change.changed, "~", "warning"),
            (change.removed, "−", "danger"),
            (change.added, "+", "success"),
        ):
            if elements:
                sign, role, element = its_sign, its_role, _named(call, elements)
        self.sign.setText(sign)
        set_role(self.sign, role)
        self.name.setText(element_words(element) if element is not None else call.call.name.replace("_", " "))
        self._elements = change.added + change.changed or change.removed
        along = [each for each in change.removed if each != element]
        more = f" and {len(along) - _MOST_ALONG} more" if len(along) > _MOST_ALONG else ""
        names = ", ".join(element_words(each) for each in along[:_MOST_ALONG])
        self.note.setText(f"Goes along: {names}{more}" if along else "")

    def tick(self, on: bool) -> None:
        """Tick without telling."""
        self.box.blockSignals(True)
        self.box.setChecked(on)
        self.box.blockSignals(False)

    def freeze(self) -> None:
        """Let it stand as it was decided."""
        self.box.setEnabled(False)
        self.unsetCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Look at it on the canvas."""
        if event.button() == Qt.MouseButton.LeftButton and self._elements:
            self.reveal_requested.emit(self._elements)


def _named(call: RehearsedCall, elements: tuple[ElementId, ...]) -> ElementId:
    """The element that a call names, where several are touched."""
    given = {str(value) for value in call.call.arguments.values()}
    return next((element for element in elements if element.name in given), elements[0])
