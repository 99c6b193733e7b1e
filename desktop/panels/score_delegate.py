"""How the score panel paints requests and their calls."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeWidget, QWidget

from desktop.scorebook import CallLine, Mark
from desktop.theme.fonts import mono_font, ui_font
from desktop.theme.symbols import Symbol, paint_symbol
from desktop.theme.theme import Theme

LINE = Qt.ItemDataRole.UserRole + 1
SCORED = Qt.ItemDataRole.UserRole + 2
MARKS: dict[Mark, tuple[Symbol, str, str]] = {
    "matched": ("tick", "success", ""),
    "missing": ("cross", "danger", "missing"),
    "not asked": ("plus", "warning", "not asked"),
    "refused": ("bang", "danger", "refused"),
    "made": ("dot", "text_faint", ""),
}

_Index = QModelIndex | QPersistentModelIndex


class ScoreDelegate(QStyledItemDelegate):
    """Paints requests as rows of figures and calls as marked lines."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Rows of 24, lines of 22: there is room for a button."""
        return QSize(40, 24 if index.data(SCORED) is not None or not index.parent().isValid() else 22)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one cell."""
        painter.save()
        tokens = self._theme.tokens
        line = index.data(LINE)
        if index.parent().isValid():
            painter.fillRect(option.rect, QColor(tokens.accent_soft))
            self._line(painter, option, line)
        else:
            self._cell(painter, option, index)
            painter.setPen(QColor(tokens.line))
            painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())
        painter.restore()

    def _cell(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        tokens = self._theme.tokens
        scored = index.sibling(index.row(), 0).data(SCORED)
        box = option.rect.adjusted(8, 0, -8, 0)
        if option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(tokens.surface_raised))
        painter.setFont(ui_font(tokens, tokens.text_small + 1))
        colour = tokens.text
        if index.column() == 0:
            tree = self.parent()
            expanded = isinstance(tree, QTreeWidget) and tree.isExpanded(index)
            sign = QRectF(box.left() - 3, box.center().y() - 4.5, 10, 10)
            paint_symbol(painter, sign, "open" if expanded else "closed", tokens.text_muted)
            box.setLeft(box.left() + 12)
            if option.state & QStyle.StateFlag.State_HasFocus:
                colour = tokens.accent
            text = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, box.width())
            align = Qt.AlignmentFlag.AlignLeft
        else:
            text, align = index.data(), Qt.AlignmentFlag.AlignRight
            if text == "–":
                colour = tokens.text_faint
            elif index.column() == 1 and scored.score is None:
                text, colour, align = "not scored yet", tokens.text_muted, Qt.AlignmentFlag.AlignLeft
                box.setRight(box.right() + 48)
                box.setLeft(box.left() - 4)
        painter.setPen(QColor(colour))
        painter.drawText(box, align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, text)

    def _line(self, painter: QPainter, option: QStyleOptionViewItem, line: CallLine | None) -> None:
        if line is None:  # a widget stands here
            return
        tokens = self._theme.tokens
        box = option.rect.adjusted(10, 0, -8, 0)
        symbol, colour, word = MARKS[line.mark]
        ink = getattr(tokens, colour)
        paint_symbol(painter, QRectF(box.left(), box.center().y() - 5, 10.5, 10.5), symbol, ink)
        left = box.left() + 18
        painter.setFont(mono_font(tokens, tokens.text_small))
        for text, pen in ((word, ink), (line.tool, tokens.text), (f"{line.words}  {line.detail}", tokens.text_muted)):
            if text.strip() and left < box.right():
                painter.setPen(QColor(pen))
                shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.right() - left)
                target = box.adjusted(left - box.left(), 0, 0, 0)
                painter.drawText(target, Qt.AlignmentFlag.AlignVCenter, shown)
                left += painter.fontMetrics().horizontalAdvance(shown) + 7
