"""Lets the model read along while a request is being typed."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from desktop.conversation import Conversation
from desktop.panels.widgets import Composer

PAUSE = 400  # milliseconds without a key, after which the user is likely to think, and the processor is free


class ReadingAlong(QObject):
    """Hands the draft of a request to the model in each pause of the typing.

    Describing a component of some size takes a model on two cores longer to read than its answer takes to write. Read
    before the request is sent, that costs nobody any time. The processor stays idle while the user works elsewhere.
    """

    def __init__(self, conversation: Conversation, field: Composer) -> None:
        super().__init__(field)
        self._conversation = conversation
        self._field = field
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._read)
        field.textChanged.connect(self.look_again)
        field.focused.connect(self.look_again)
        conversation.readiness_changed.connect(self.look_again)
        conversation.busy_changed.connect(self.look_again)

    @property
    def waits(self) -> bool:
        """Whether the user may still be typing."""
        return self._pause.isActive()

    def look_again(self) -> None:
        """Something that a request may be about has changed."""
        self._pause.start()

    def _read(self) -> None:
        if self._field.hasFocus():
            self._conversation.read_ahead(self._field.toPlainText())
