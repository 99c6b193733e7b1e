"""The switch that lets other programs work on the open design, run on the bridge's loop."""

from __future__ import annotations

from urllib.parse import urlsplit

from PySide6.QtCore import QObject, QSettings, Signal

from desktop.document import Document
from server.client_configs import ClientConfiguration, client_configurations
from server.desktop_service import DesktopService

_SETTING = "mcp/on"


class McpSwitch(QObject):
    """Starts and stops the :class:`DesktopService`; off until it is switched on, and then as it was the last time.

    Signals:
        changed: it was switched, or is being switched, or another number of clients is connected.
        told: something for the user to read.
        refused: why it could not be switched on.
    """

    changed = Signal()
    told = Signal(str)
    refused = Signal(str)

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._settings = QSettings()
        self._service = DesktopService(clients_changed=self._count)
        self.address = ""
        self.clients = 0
        self.changing = False
        document.reopened.connect(self._show)

    @property
    def is_on(self) -> bool:
        """Whether other programs can connect."""
        return bool(self.address)

    def start_as_remembered(self) -> None:
        """Switch on where it was on the last time."""
        if self._settings.value(_SETTING, False, bool):
            self.switch(True)

    def toggle(self) -> None:
        """Switch on or off."""
        self.switch(not self.is_on)

    def switch(self, on: bool) -> None:
        """Switch on or off, and remember it; does nothing while it is being switched."""
        if self.changing or on == self.is_on:
            return
        self._settings.setValue(_SETTING, on)
        self.changing = True
        self.changed.emit()
        work = self._service.start(self._document.workspace) if on else self._service.stop()
        self._document.bridge.run(work, lambda _none: self._switched(), self._failed)

    def _count(self, clients: int) -> None:
        def show() -> None:
            self.clients = clients
            self.changed.emit()

        self._document.bridge.post(show)

    def _switched(self) -> None:
        self.changing = False
        self.address = urlsplit(self._service.url).netloc
        self.changed.emit()
        if self._service.notice:
            self.told.emit(self._service.notice)

    def _failed(self, error: Exception) -> None:
        self._settings.setValue(_SETTING, False)
        self._switched()
        self.refused.emit(f"Other programs cannot be let in: {error}")

    def _show(self) -> None:
        async def show() -> None:
            self._service.show(self._document.workspace)

        self._document.bridge.run(show())

    def configurations(self) -> tuple[ClientConfiguration, ...]:
        """What other programs' configuration takes, as things stand."""
        return client_configurations(url=self._service.url, token_file=self._service.token_file)

    async def aclose(self) -> None:
        """Let nobody in any more; on the bridge's loop. It stays remembered whether it was on."""
        await self._service.stop()
