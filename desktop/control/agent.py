"""Commands about the agent, its models, other programs, and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.conversation import Conversation
from desktop.panels.connect_dialog import ConnectDialog

if TYPE_CHECKING:
    from desktop.window import MainWindow


class AgentCommands(QObject):
    """Talks to the conversation, the MCP switch and the score panel."""

    def __init__(self, window: MainWindow, conversation: Conversation) -> None:
        super().__init__(window)
        self._window = window
        self._conversation = conversation

    def is_agent_busy(self) -> bool:
        """Whether a request is running."""
        return self._conversation.busy

    def is_agent_idle(self) -> bool:
        """Whether no request is running."""
        return not self._conversation.busy

    def focus_chat(self) -> None:
        """Put the keyboard into the request field."""
        self._window.bring_up("Agent")
        self._window.chat.field.setFocus()

    def stop(self) -> None:
        """Stop the running request."""
        self._conversation.stop()

    def new_conversation(self) -> None:
        """Forget what was said; the design and the scores stay."""
        self._conversation.restart()
        self._window.chat_desk.restart()

    def show_transcripts(self) -> None:
        """Show earlier conversations."""
        self._window.chat_desk.show_transcripts()

    def list_models(self) -> None:
        """Look for models again."""
        self._conversation.start()

    def toggle_mcp(self) -> None:
        """Let other programs edit the open design, or no longer."""
        self._window.mcp.toggle()

    def connect_programs(self) -> None:
        """Show how other programs connect."""
        dialog = ConnectDialog(self._window.mcp, self._window)
        dialog.exec()
        dialog.deleteLater()

    def pick_task(self) -> None:
        """Choose a task of a suite."""
        self._window.tasks.pick()

    def has_scores(self) -> bool:
        """Whether a request was made in this session."""
        return bool(self._window.scores.rows)

    def export_scores(self) -> None:
        """Write the session's requests and scores to a file."""
        self._window.score_desk.export()

    def clear_scores(self) -> None:
        """Forget the session's scores."""
        self._window.scores.clear()
