"""The agent pane: the conversation, and the field in which requests are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFrame, QMenu, QVBoxLayout, QWidget

from agent.events import AgentEvent, RequestFinished, RequestStarted
from agent.models.catalog import ModelInfo
from agent.rehearsal import Rehearsal
from desktop.call_text import element_words
from desktop.conversation import Approval
from desktop.panels.request_view import RequestView
from desktop.panels.widgets import (
    Composer,
    ElidedLabel,
    PanelHeader,
    TextButton,
    column,
    make_button,
    make_chip_button,
    make_label,
    make_scroll_area,
    row,
    set_role,
    set_style_property,
)
from desktop.theme.theme import Theme
from model.change import ElementId

if TYPE_CHECKING:
    from agent.evaluation.suites import Task

HOW_TO_GET_A_MODEL = (
    "No language model yet: run “blockwright models pull qwen2.5-coder:1.5b” in a terminal, or start Ollama. "
    "Everything else works without one."
)
WHAT_THE_AGENT_DOES = (
    "The agent edits the design with the same rules as you do. Every call shows here as it happens, "
    "and one undo takes a whole request back."
)
_TASK_LETTERS = 26
_APPROVALS: tuple[tuple[Approval, str], ...] = (
    ("apply", "Apply at once"),
    ("ask", "Ask before deletes"),
    ("propose", "Propose only"),
)
_APPROVAL_TIPS: dict[Approval, str] = {
    "apply": "Every call is made as it comes",
    "ask": "A plan that deletes, overwrites or loads is shown first",
    "propose": "Every plan is drawn on the canvas first; nothing is made before you say so",
}


class ChatPanel(QWidget):
    """The conversation with the agent; fed with events by :meth:`handle`.

    Signals:
        asked: the text of a request.
        stop_requested, tasks_requested, models_requested: buttons.
        approval_given: request id, index of the call, yes or no.
        part_chosen: request id and the ticked calls of its proposal, as a frozenset.
        proposal_decided: request id and the calls of its proposal that are to be made; none rejects it.
        reveal_requested: elements to show on the canvas.
        model_chosen: a model's name.
        pull_requested: the name of a model whose weights are to be fetched.
        approval_chosen: ``ask``, ``apply`` or ``propose``.
        task_dropped: the picked task is no longer wanted.
        retry_requested, edit_requested: the number of a request of this conversation, counted from 0.
    """

    asked = Signal(str)
    stop_requested = Signal()
    tasks_requested = Signal()
    models_requested = Signal()
    approval_given = Signal(int, int, bool)
    part_chosen = Signal(int, object)
    proposal_decided = Signal(int, object)
    reveal_requested = Signal(object)
    model_chosen = Signal(str)
    pull_requested = Signal(str)
    approval_chosen = Signal(str)
    task_dropped = Signal()
    retry_requested = Signal(int)
    edit_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.requests: dict[int, RequestView] = {}
        self._views: list[RequestView] = []  # also those of earlier sessions, whose ids begin at 1 as well
        self._selection: tuple[ElementId, ...] = ()
        self._busy = False
        self.model_button = make_chip_button("no model", "Choose the language model")
        self.approval_button = make_chip_button("Ask before deletes ▾", "When the agent waits for your approval")
        self.header = PanelHeader("Agent", self.model_button, self.approval_button)
        self._approval_actions: dict[Approval, QAction] = {}
        self._model_menu = QMenu(self.model_button)
        self._model_menu.aboutToShow.connect(self.models_requested)
        self.model_button.setMenu(self._model_menu)
        self._fill_approvals()
        self._models: Sequence[ModelInfo] = ()
        self._model: str | None = None

        self._column = column(spacing=16, margins=(14, 12, 14, 12))
        self.empty = self._empty_state()
        self._column.addWidget(self.empty)
        self._column.addStretch(1)
        self.scroll_area = make_scroll_area(self._column)
        self._at_bottom = True
        bar = self.scroll_area.verticalScrollBar()
        bar.rangeChanged.connect(self._keep_at_bottom)
        bar.valueChanged.connect(self._note_position)

        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.scroll_area, 1)
        layout.addLayout(row(self._composer(), margins=(14, 4, 14, 14)))
        self._update_send()

    def _composer(self) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", "composer")
        self.field = Composer("Describe an edit, or ask about the design…")
        self.field.setAccessibleName("Request")
        self.field.sent.connect(self.send)
        self.field.focused.connect(lambda on: set_style_property(frame, "focused", on))
        self.field.textChanged.connect(self._update_send)
        self.task_button = make_chip_button("Task…", "Pick a task of a suite, to be scored")
        self.task_button.clicked.connect(self.tasks_requested)
        self.task_chip = make_label("", "chip")
        self.task_chip.hide()
        self.drop_task = make_chip_button("✕", "Ask without the task's score")
        self.drop_task.clicked.connect(self.task_dropped)
        self.drop_task.hide()
        self.attach = make_chip_button("", "Name the selected elements in the request")
        self.attach.clicked.connect(self._attach_selection)
        self.attach.hide()
        self.meter = ElidedLabel("", "small")
        self.meter.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.button = make_button("Send", "primary", tip="Send (Enter)")
        self.button.clicked.connect(self._press)
        foot = row(self.task_button, self.task_chip, self.drop_task, self.attach, spacing=6)
        foot.addWidget(self.meter, 1)
        foot.addWidget(self.button)
        layout = column(self.field, spacing=8, margins=(10, 9, 8, 8))
        layout.addLayout(foot)
        frame.setLayout(layout)
        return frame

    def _empty_state(self) -> QWidget:
        empty = QWidget()
        self.hint = make_label(WHAT_THE_AGENT_DOES, "muted", wrap=True)
        self._suggestions = column(spacing=6)
        layout = column(make_label("Say what to change", "brand"), self.hint, spacing=8, margins=(0, 4, 0, 0))
        layout.addLayout(self._suggestions)
        empty.setLayout(layout)
        self.set_suggestions(())
        return empty

    def set_suggestions(self, texts: Sequence[str]) -> None:
        """Offer requests for an empty chat, made from what is on the canvas."""
        while (item := self._suggestions.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for text in texts:
            button = TextButton(text)
            button.clicked.connect(lambda text=text: self.prefill(text))
            self._suggestions.addWidget(button)

    def prefill(self, text: str) -> None:
        """Write a request into the field, to be read before it is sent."""
        self.field.setPlainText(text)
        self.field.setFocus()
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    # --- sending ---

    def send(self) -> None:
        """Send what is written, unless a request is running."""
        text = self.field.toPlainText().strip()
        if text and not self._busy:
            self.field.clear()
            self.asked.emit(text)

    def _press(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        else:
            self.send()

    def set_busy(self, busy: bool) -> None:
        """Turn Send into Stop while a request runs."""
        self._busy = busy
        self._update_send()

    def _update_send(self) -> None:
        self.button.setText("Stop" if self._busy else "Send")
        self.button.setToolTip("Stop the agent (Esc)" if self._busy else "Send (Enter)")
        set_role(self.button, "danger" if self._busy else "primary")
        self.button.setEnabled(self._busy or bool(self.field.toPlainText().strip()))

    # --- events ---

    def handle(self, event: AgentEvent) -> None:
        """Show an event of the agent."""
        if isinstance(event, RequestStarted):
            self._start(event)
            return
        view = self.requests.get(event.request_id)
        if view is not None:
            view.handle(event)
        if isinstance(event, RequestFinished):
            self._show_meter(event)

    def show_rehearsal(self, request_id: int, rehearsal: Rehearsal) -> None:
        """Show how the ticked part of a proposal goes."""
        view = self.requests.get(request_id)
        if view is not None and view.proposal is not None:
            view.proposal.show_rehearsal(rehearsal)

    def _start(self, event: RequestStarted) -> None:
        self.empty.hide()
        view = RequestView(self._theme, event.request_id, event.text)
        view.reveal_requested.connect(self.reveal_requested)
        view.approval_given.connect(self.approval_given)
        view.part_chosen.connect(self.part_chosen)
        view.proposal_decided.connect(self.proposal_decided)
        number = len(self._views)
        view.retry_requested.connect(lambda: self.retry_requested.emit(number))
        view.edit_requested.connect(lambda: self.edit_requested.emit(number))
        self.requests[event.request_id] = view
        self._views.append(view)
        self._at_bottom = True
        self._column.insertWidget(self._column.count() - 1, view)

    def take_back(self, number: int) -> None:
        """Say that a request and all after it were taken back."""
        for view in self._views[number:]:
            view.take_back()

    def clear(self) -> None:
        """Begin an empty conversation."""
        for view in self._views:
            view.hide()
            view.deleteLater()
        self._views.clear()
        self.requests.clear()
        self.meter.set_full_text("")
        self.empty.show()

    def _show_meter(self, event: RequestFinished) -> None:
        usage = event.usage
        parts = []
        if usage.prompt_tokens:
            parts.append(f"{_thousands(usage.prompt_tokens)} read")
        if usage.completion_tokens and usage.generation_seconds:
            parts.append(f"{usage.completion_tokens / usage.generation_seconds:.0f} tok/s")
        self.meter.set_full_text(" · ".join(parts))

    def _note_position(self, value: int) -> None:
        self._at_bottom = value >= self.scroll_area.verticalScrollBar().maximum() - 24

    def _keep_at_bottom(self, _minimum: int, maximum: int) -> None:
        # The bar takes its room from the margin, so that nothing moves when it appears.
        self._column.setContentsMargins(14, 12, 4 if maximum else 14, 12)
        if self._at_bottom:
            QTimer.singleShot(0, self, lambda: self.scroll_area.verticalScrollBar().setValue(maximum))

    # --- task, selection, model, approval ---

    def set_task(self, label: str, task: Task | None) -> None:
        """Show the picked task and write its request, or forget it."""
        self.task_chip.setVisible(task is not None)
        self.drop_task.setVisible(task is not None)
        self.task_button.setVisible(task is None)
        self.task_chip.setText(label if len(label) <= _TASK_LETTERS else label[: _TASK_LETTERS - 1] + "…")
        self.task_chip.setToolTip(label)
        if task is not None:
            self.prefill(task.prompt)

    def set_selection(self, elements: tuple[ElementId, ...]) -> None:
        """Offer to name the selected elements in the request."""
        self._selection = elements
        self.attach.setVisible(bool(elements))
        if len(elements) == 1:
            self.attach.setText(f"+ {elements[0].name or 'this component'}")
        elif elements:
            self.attach.setText(f"+ {len(elements)} selected")

    def _attach_selection(self) -> None:
        names = ", ".join(element_words(element) for element in self._selection)
        cursor = self.field.textCursor()
        before = self.field.toPlainText()[: cursor.position()]
        cursor.insertText(f"{'' if not before or before[-1].isspace() else ' '}{names} ")
        self.field.setFocus()

    def set_models(self, models: Sequence[ModelInfo]) -> None:
        """Fill the picker."""
        self._models = models
        self._fill_models()

    def set_model(self, name: str | None) -> None:
        """Show which model answers; None says how to get one."""
        self._model = name
        kind, _colon, short = (name or "").partition(":")
        self.model_button.setText(f"{short} · {kind} ▾" if name else "no model ▾")
        self.hint.setText(HOW_TO_GET_A_MODEL if name is None else WHAT_THE_AGENT_DOES)
        self._fill_models()

    def _fill_models(self) -> None:
        self._model_menu.clear()
        for info in self._models:
            action = QAction(_model_words(info), self._model_menu)
            action.setCheckable(info.present)
            action.setChecked(info.name == self._model)
            signal = self.model_chosen if info.present else self.pull_requested
            action.triggered.connect(lambda _checked=False, name=info.name, signal=signal: signal.emit(name))
            self._model_menu.addAction(action)
        if not self._models:
            nothing = self._model_menu.addAction("No model found")
            nothing.setEnabled(False)

    def _fill_approvals(self) -> None:
        menu = QMenu(self.approval_button)
        group = QActionGroup(menu)
        menu.setToolTipsVisible(True)
        for approval, words in _APPROVALS:
            action = menu.addAction(words)
            action.setToolTip(_APPROVAL_TIPS[approval])
            action.setCheckable(True)
            action.setChecked(approval == "ask")
            group.addAction(action)
            self._approval_actions[approval] = action
            action.triggered.connect(lambda _checked=False, approval=approval: self.approval_chosen.emit(approval))
        self.approval_button.setMenu(menu)

    def set_approval(self, approval: Approval) -> None:
        """Show the rule in force."""
        self.approval_button.setText(f"{dict(_APPROVALS)[approval]} ▾")
        self.approval_button.setToolTip(_APPROVAL_TIPS[approval])
        self._approval_actions[approval].setChecked(True)


def _thousands(tokens: int) -> str:
    return str(tokens) if tokens < 1000 else f"{tokens / 1000:.1f}k"


def _model_words(info: ModelInfo) -> str:
    size = f"{info.size / 1e9:.1f} GB" if info.size else ""
    context = f"{info.context_length // 1024}k context" if info.context_length else ""
    words = " · ".join(part for part in (info.name, size, context, "" if info.supports_tools else "no tools") if part)
    return words if info.present else f"Download {words}"
