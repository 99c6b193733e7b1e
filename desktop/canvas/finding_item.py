"""The sign at a block, a port or a wire that a check is about; its words are the tool tip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from desktop.canvas.block_item import BlockItem
from desktop.canvas.node_item import OUTLINE_BELOW, NodeItem
from desktop.canvas.style import Style
from desktop.canvas.wire_item import WireItem
from desktop.theme.symbols import Symbol, paint_symbol
from model.findings import Finding

_SIDE = 15.0
_SIGNS: Mapping[str, tuple[Symbol, str]] = {
    "error": ("error", "danger"),
    "warning": ("warning", "warning"),
    "note": ("note", "accent"),
}
_RANK = {"error": 0, "warning": 1, "note": 2}
_MOST_TOLD = 6


class FindingItem(QGraphicsItem):
    """One sign for all that was found about one element."""

    def __init__(self, about: NodeItem | WireItem, findings: Sequence[Finding], style: Style) -> None:
        super().__init__()
        self._about = about
        worst = min(findings, key=lambda finding: _RANK[finding.severity]).severity
        self.severity = worst
        self._symbol, self._colour = _SIGNS[worst]
        self._style = style
        lines = [finding.message for finding in findings[:_MOST_TOLD]]
        if len(findings) > _MOST_TOLD:
            lines.append(f"… and {len(findings) - _MOST_TOLD} more, see Problems.")
        self.setToolTip("\n".join(lines))
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)  # what lies below is clicked
        self.setZValue(4)
        self.place()

    def place(self) -> None:
        """Stand at the corner of a block or port, or in the middle of a wire."""
        about = self._about
        if isinstance(about, WireItem):
            line = about.polyline
            middle = line.size() // 2
            if line.size() > 1:
                self.setPos((line.at(middle - 1) + line.at(middle)) / 2)
            return
        body = about.body
        place = QPointF(body.right() - 13, 13) if isinstance(about, BlockItem) else QPointF(body.right() - 4, 0)
        self.setPos(about.mapToScene(place))

    def boundingRect(self) -> QRectF:
        """The sign."""
        return QRectF(-_SIDE / 2, -_SIDE / 2, _SIDE, _SIDE)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the sign, on a disc of the canvas so that wires do not cross it."""
        if option.levelOfDetailFromTransform(painter.worldTransform()) < OUTLINE_BELOW:
            return
        if isinstance(self._about, WireItem):
            painter.setPen(QPen(Qt.PenStyle.NoPen))
            painter.setBrush(self._style.canvas)
            painter.drawEllipse(self.boundingRect())
        rect = self.boundingRect().adjusted(1.5, 1.5, -1.5, -1.5)
        paint_symbol(painter, rect, self._symbol, getattr(self._style.tokens, self._colour))
