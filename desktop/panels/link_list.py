"""A list of links in one widget: hundreds of them cost no more than one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop.panels.properties import Link
from desktop.theme.fonts import mono_font
from desktop.theme.theme import Theme

_ROW_HEIGHT = 21
_LINK = Qt.ItemDataRole.UserRole
_ROOT = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex


class LinkList(QListView):
    """Shows links one below the other, as high as they are many.

    Signals:
        followed: the :class:`Link` that was clicked, or chosen with Enter.
    """

    followed = Signal(object)

    def __init__(self, theme: Theme, links: Sequence[Link]) -> None:
        super().__init__()
        self._links = _Links(self)
        self.setModel(self._links)
        self.setItemDelegate(_Delegate(theme, self))
        self.setUniformItemSizes(True)
        self.set_links(links)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._follow)
        self.activated.connect(self._follow)

    def set_links(self, links: Sequence[Link]) -> None:
        """Show other links."""
        self._links.replace(links)
        self.setFixedHeight(len(links) * _ROW_HEIGHT)

    def _follow(self, index: QModelIndex) -> None:
        self.followed.emit(index.data(_LINK))


class _Links(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._links: Sequence[Link] = ()

    def replace(self, links: Sequence[Link]) -> None:
        self.beginResetModel()
        self._links = links
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._links)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        link = self._links[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return link.text
        if role == _LINK:
            return link
        if role == Qt.ItemDataRole.ToolTipRole:
            return link.tip or f"{link.text} {link.detail}"
        return None


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(40, _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        tokens, link = self._theme.tokens, index.data(_LINK)
        painter.save()
        box = option.rect
        small = mono_font(tokens, tokens.text_small)
        right = QFontMetrics(small).elidedText(link.detail, Qt.TextElideMode.ElideRight, box.width() * 45 // 100)
        painter.setFont(small)
        painter.setPen(QColor(tokens.text_muted))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right)
        font = mono_font(tokens)
        pointed = option.state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_HasFocus)
        font.setUnderline(bool(pointed))
        painter.setFont(font)
        painter.setPen(QColor(tokens.accent))
        room = box.width() - QFontMetrics(small).horizontalAdvance(right) - (10 if right else 0)
        text = painter.fontMetrics().elidedText(link.text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()
