"""The command palette: type to find a command, a component, or anything in the shown design."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from desktop.theme.fonts import mono_font, ui_font
from desktop.theme.theme import Theme

_Index = QModelIndex | QPersistentModelIndex
_SHOWN = 12
_ENTRY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be chosen; ``hint`` stands at the right (shortcut, kind)."""

    text: str
    hint: str
    run: Callable[[], None]
    mono: bool = False


class Palette(QFrame):
    """A list below the search box, over everything else; Escape or a click elsewhere closes it."""

    def __init__(self, theme: Theme, window: QWidget, entries: Callable[[], Sequence[Entry]]) -> None:
        super().__init__(window)
        self.setProperty("role", "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._window = window
        self._entries = entries
        self._all: Sequence[Entry] = ()
        self._before: QWidget | None = None
        self.field = QLineEdit()
        self.field.setPlaceholderText("Type a command, a component, a port…")
        self.list = QListWidget()
        self.list.setItemDelegate(_Delegate(theme, self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(6)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(lambda _item: self._run())
        self.hide()

    def open(self, below: QWidget) -> None:
        """Open over ``below``, the search box."""
        window = self._window
        self._before = window.focusWidget()
        self._all = self._entries()
        corner = below.mapTo(window, below.rect().topLeft())
        width = max(480, below.width())
        left = max(8, min(corner.x() + (below.width() - width) // 2, window.width() - width - 8))
        self.setGeometry(QRect(left, corner.y() - 4, width, 100))
        self.field.clear()
        self._search("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _search(self, text: str) -> None:
        if text.strip():
            from rapidfuzz import fuzz, process  # noqa: PLC0415  # with the first search

            names = [entry.text for entry in self._all]
            found = process.extract(
                text, names, scorer=fuzz.WRatio, processor=str.casefold, limit=_SHOWN * 4, score_cutoff=75
            )
            chosen = [self._all[position] for _name, _score, position in found]
            # What holds the text as it is typed comes before what only looks like it.
            chosen.sort(key=lambda entry: text.casefold() not in entry.text.casefold())
        else:
            chosen = list(self._all)
        self.list.clear()
        for entry in chosen[: _SHOWN * 4]:
            item = QListWidgetItem(entry.text)
            item.setData(_ENTRY, entry)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        rows = max(1, min(self.list.count(), _SHOWN))
        self.resize(self.width(), self.field.height() + rows * 26 + 24)

    def _run(self) -> None:
        item = self.list.currentItem()
        self._close()
        if item is not None:
            item.data(_ENTRY).run()

    def _close(self) -> None:
        self.hide()
        if self._before is not None:
            self._before.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move in the list while the text keeps the keyboard; losing it closes the list."""
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = event.key()
            if key in {Qt.Key.Key_Up, Qt.Key.Key_Down}:
                step = 1 if key == Qt.Key.Key_Down else -1
                self.list.setCurrentRow((self.list.currentRow() + step) % max(1, self.list.count()))
                return True
            if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._run()
                return True
            if key == Qt.Key.Key_Escape:
                self._close()
                return True
        return False


class _Delegate(QStyledItemDelegate):
    """Text on the left, hint on the right."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Rows of 26."""
        return QSize(100, 26)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one entry."""
        tokens = self._theme.tokens
        entry = index.data(_ENTRY)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.accent_soft))
            painter.drawRoundedRect(option.rect, tokens.radius, tokens.radius)
        box = option.rect.adjusted(8, 0, -8, 0)
        painter.setFont(ui_font(tokens, tokens.text_small))
        painter.setPen(QColor(tokens.text_faint))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, entry.hint)
        room = box.width() - painter.fontMetrics().horizontalAdvance(entry.hint) - 12
        painter.setFont(mono_font(tokens) if entry.mono else ui_font(tokens))
        painter.setPen(QColor(tokens.text))
        text = painter.fontMetrics().elidedText(entry.text, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()
