"""What a conversation needs beside the agent: asking again, editing a request, and keeping what was said."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from agent.events import AgentEvent, RequestFinished, RequestStarted
from desktop.conversation import Conversation
from desktop.document import Document
from desktop.panels.chat import ChatPanel
from desktop.panels.transcript_dialog import TranscriptDialog
from desktop.past_requests import PastRequests
from desktop.theme.theme import Theme
from desktop.transcripts import Transcript, transcripts_folder
from model.errors import DesignError

_BUSY = "The agent is still working. Stop it first, or wait until it is done."


class ChatDesk(QObject):
    """Takes the design back to where it was before a request, and writes the conversation to a file.

    Signals:
        told: something for the user to read.
    """

    told = Signal(str)

    def __init__(
        self, document: Document, conversation: Conversation, chat: ChatPanel, theme: Theme, window: QWidget
    ) -> None:
        super().__init__(window)
        self._document = document
        self._conversation = conversation
        self._chat = chat
        self._theme = theme
        self._window = window
        self._past = PastRequests()
        self._transcript = self._fresh_transcript()
        chat.retry_requested.connect(self.retry)
        chat.edit_requested.connect(self.edit)

    def _fresh_transcript(self) -> Transcript:
        folder: Path | None = self._document.workspace.folder
        return Transcript.begin(transcripts_folder(), datetime.now().astimezone(), str(folder or ""))

    def restart(self) -> None:
        """Begin another conversation; the present one stays in its file."""
        self._past.clear()
        self._chat.clear()
        self._transcript = self._fresh_transcript()

    def handle(self, event: AgentEvent) -> None:
        """Follow a request from its start to its end."""
        if isinstance(event, RequestStarted):
            self._past.started(event.text)
        elif isinstance(event, RequestFinished):
            self._past.finished(self._document.workspace)
        if self._transcript.record(event):
            transcript = self._transcript
            write = partial(transcript.write, transcript.text(), len(transcript.requests))
            self._document.bridge.run_blocking(write, None, self._not_kept)

    def _not_kept(self, error: Exception) -> None:
        self.told.emit(f"The conversation could not be kept in {self._transcript.path.parent}: {error}")

    def retry(self, number: int) -> None:
        """Ask the same again, on the design as it was before."""
        if self._may_go_back(number, always=False):
            self._conversation.ask(self._past[number].text)

    def edit(self, number: int) -> None:
        """Write a request anew, on the design as it was before it."""
        if self._may_go_back(number, always=True):
            self._chat.prefill(self._past[number].text)

    def _may_go_back(self, number: int, *, always: bool) -> bool:
        if self._conversation.busy or number not in self._past:
            self.told.emit(_BUSY)
            return False
        workspace = self._document.workspace
        if not always and not self._past.stands(workspace, number):
            return True
        try:
            self._conversation.retract(self._past.go_back(workspace, number))
        except DesignError as error:
            self.told.emit(str(error))
            return False
        self._chat.take_back(number)
        return True

    def show_transcripts(self) -> None:
        """Show the conversations that were kept."""
        dialog = TranscriptDialog(transcripts_folder(), self._theme, self._document.bridge, self._window)
        dialog.exec()
        dialog.deleteLater()
