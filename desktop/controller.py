"""What the user can do: the commands behind menus, buttons, the palette and the panels' signals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.control.agent import AgentCommands
from desktop.control.benchmarking import BenchmarkCommands
from desktop.control.clips import ClipCommands
from desktop.control.editing import EditCommands
from desktop.control.files import FileCommands
from desktop.control.looking import ViewCommands
from desktop.conversation import Conversation
from desktop.document import Document
from desktop.theme.theme import Theme

if TYPE_CHECKING:
    from desktop.window import MainWindow


class Controller:
    """The commands by topic.

    Attributes:
        files, edits, clips, views, agent, benchmark: what can be done, see there.
    """

    def __init__(self, window: MainWindow, document: Document, conversation: Conversation, theme: Theme) -> None:
        self.files = FileCommands(window, document, conversation)
        self.edits = EditCommands(window, document)
        self.clips = ClipCommands(window, document)
        self.views = ViewCommands(window, document, theme)
        self.agent = AgentCommands(window, conversation)
        self.benchmark = BenchmarkCommands(window)
