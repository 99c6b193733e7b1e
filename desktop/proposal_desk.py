"""Draws the plan that waits for a person on the canvas, keeps it true while the design changes, and clears it away."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSettings

from agent.events import AgentEvent, CallStarted, ProposalMade, RequestFinished
from agent.rehearsal import Rehearsal
from desktop.canvas.view import DesignView
from desktop.conversation import Approval, Conversation
from desktop.document import Document
from desktop.panels.chat import ChatPanel
from model.change import ElementId
from model.vlnv import Vlnv

_TRUST = "agent/trust"
_MODES: tuple[Approval, ...] = ("apply", "ask", "propose")


class ProposalDesk(QObject):
    """Between the chat's check boxes, the agent that waits, and the canvas."""

    def __init__(
        self, document: Document, conversation: Conversation, chat: ChatPanel, view: DesignView, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._conversation = conversation
        self._chat = chat
        self._view = view
        self._request = 0
        self._wanted: frozenset[int] = frozenset()
        self._rehearsal: Rehearsal | None = None
        self._made: Vlnv | None = None  # a component that the proposal creates and the canvas shows
        self._to_show: Vlnv | None = None
        self._drawing = False
        self._settings = QSettings()
        chat.approval_chosen.connect(self.trust)
        chat.part_chosen.connect(self._choose)
        chat.proposal_decided.connect(self._decide)
        document.library_changed.connect(lambda _change, _library: self._on_changed())
        document.reopened.connect(self._end)
        view.layout_finished.connect(self._draw_when_there)
        stored = self._settings.value(_TRUST, "ask")
        self.trust(stored if stored in _MODES else "ask")

    @property
    def waits(self) -> bool:
        """Whether a plan waits for a person."""
        return self._rehearsal is not None

    def trust(self, approval: str) -> None:
        """Take a rule for what waits for a yes; the next start has it, too."""
        rule: Approval = next(mode for mode in _MODES if mode == approval)
        self._conversation.set_approval(rule)
        self._chat.set_approval(rule)
        self._settings.setValue(_TRUST, rule)

    def handle(self, event: AgentEvent) -> None:
        """Follow the plans of the agent."""
        match event:
            case ProposalMade():
                self._request = event.request_id
                self._wanted = frozenset(range(len(event.rehearsal.calls)))
                self._take(event.rehearsal)
            case CallStarted() | RequestFinished():
                self._end()
            case _:
                pass

    def _choose(self, request_id: int, wanted: frozenset[int]) -> None:
        if self.waits and request_id == self._request:
            self._wanted = wanted
            self._rehearse()

    def _rehearse(self) -> None:
        self._conversation.rehearse(self._request, self._wanted, self._rehearsed)

    def _rehearsed(self, rehearsal: Rehearsal) -> None:
        if self.waits:
            self._chat.show_rehearsal(self._request, rehearsal)
            self._take(rehearsal)

    def _take(self, rehearsal: Rehearsal) -> None:
        self._rehearsal = rehearsal
        self._draw()

    def _decide(self, request_id: int, chosen: frozenset[int]) -> None:
        self._to_show = self._made if chosen else None
        self._end()
        self._conversation.decide(request_id, chosen)

    def _on_changed(self) -> None:
        made, self._to_show = self._to_show, None
        if made is not None and made in self._document.library:
            self._document.show(made)
        if self.waits:
            self._rehearse()  # somebody edits while the plan waits

    def _draw_when_there(self) -> None:
        if self.waits and not self._drawing and not self._view.shows_proposal:
            self._draw()

    def _draw(self) -> None:
        """Draw over the shown component; go to another one where the plan is not about this one."""
        rehearsal = self._rehearsal
        assert rehearsal is not None
        touched = dict.fromkeys(element.component for element in rehearsal.change.touched)
        library, shown = self._document.library, self._document.component
        self._made = None
        if shown not in touched:
            known = next((vlnv for vlnv in touched if vlnv in library), None)
            if known is not None:
                self._document.show(known)  # the layout comes first, then the proposal
            else:
                self._made = next(iter(touched), None)
        self._drawing = True  # what is drawn tells of its layout at once where it is known
        self._view.show_proposal(rehearsal.after, self._made)
        self._drawing = False

    def _end(self) -> None:
        if self.waits:
            self._rehearsal = None
            self._view.show_proposal(None)

    def reveal(self, elements: tuple[ElementId, ...]) -> bool:
        """Show elements of the plan that waits; False where there is none or the design has them."""
        rehearsal = self._rehearsal
        if rehearsal is None or not elements:
            return False
        owner = elements[0].component
        if owner in self._document.library and owner != self._document.component:
            self._document.show(owner)
        for element in elements:
            self._view.reveal(element)
        return True
