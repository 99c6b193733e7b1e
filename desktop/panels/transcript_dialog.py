"""Earlier conversations, to be read."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QSplitter, QVBoxLayout, QWidget

from agent.events import RequestStarted
from desktop.bridge import Bridge
from desktop.panels.request_view import RequestView
from desktop.panels.widgets import clear_layout, column, make_button, make_label, make_scroll_area, row
from desktop.theme.theme import Theme
from desktop.transcripts import SavedTranscript, list_transcripts, read_transcript


class TranscriptDialog(QDialog):
    """Lists the kept conversations and shows one, read-only."""

    def __init__(self, folder: Path, theme: Theme, bridge: Bridge, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Earlier conversations")
        self.resize(860, 620)
        self._theme = theme
        self._bridge = bridge
        self.views: dict[int, RequestView] = {}
        self.list = QListWidget()
        self.list.setObjectName("Tasks")
        self.list.setAccessibleName("Conversations")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.words = make_label("", "muted", wrap=True, selectable=True)
        self._column = column(spacing=16, margins=(16, 8, 16, 8))
        self._column.addStretch(1)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row(self.words, margins=(16, 0, 16, 0)))
        layout.addWidget(make_scroll_area(self._column), 1)
        split = QSplitter()
        split.setHandleWidth(1)
        split.addWidget(self.list)
        split.addWidget(page)
        split.setSizes([300, 560])
        close = make_button("Close", "primary")
        close.clicked.connect(self.accept)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 16, 16)
        outer.setSpacing(12)
        outer.addWidget(split, 1)
        outer.addLayout(row(make_label(f"Kept in {folder}", "small", selectable=True), None, close))
        self.list.currentItemChanged.connect(self._choose)
        bridge.run_blocking(lambda: list_transcripts(folder), self._fill)

    def _fill(self, paths: list[Path]) -> None:
        for path in paths:
            day, _t, time = path.stem.partition("T")
            item = QListWidgetItem(f"{day}  {time.replace('-', ':')[:5]}")
            item.setData(Qt.ItemDataRole.UserRole, path)
            self.list.addItem(item)
        if paths:
            self.list.setCurrentRow(0)
            self.list.setFocus()
        else:
            self.words.setText("No conversation has been kept yet. Each is, from its first finished request on.")

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is None:
            return
        path: Path = item.data(Qt.ItemDataRole.UserRole)

        def show(saved: SavedTranscript) -> None:
            if self.list.currentItem() is item:
                item.setToolTip(saved.title)
                self.show_transcript(saved)

        self._bridge.run_blocking(lambda: read_transcript(path), show, self._say)

    def _say(self, error: Exception) -> None:
        self._empty()
        self.words.setText(str(error))

    def _empty(self) -> None:
        self.views.clear()
        clear_layout(self._column)
        self._column.addStretch(1)

    def show_transcript(self, saved: SavedTranscript) -> None:
        """Show a conversation."""
        self._empty()
        count = len(saved.requests)
        place = f" in {saved.workspace}" if saved.workspace else ""
        self.words.setText(f"{saved.started:%d %B %Y, %H:%M} · {count} request{'s' if count != 1 else ''}{place}")
        for event in saved.events():
            if isinstance(event, RequestStarted):
                view = RequestView(self._theme, event.request_id, event.text, read_only=True)
                self.views[event.request_id] = view
                self._column.insertWidget(self._column.count() - 1, view)
            else:
                self.views[event.request_id].handle(event)
