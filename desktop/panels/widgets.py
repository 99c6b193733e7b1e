"""Small parts that every panel is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop.theme.symbols import Symbol, paint_symbol
from desktop.theme.theme import Theme


def make_label(text: str = "", role: str = "", *, wrap: bool = False, selectable: bool = False) -> QLabel:
    """A label of plain text in one of the style sheet's roles."""
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        label.setProperty("role", role)
    if wrap:
        label.setWordWrap(True)
        # A wrapped label asks for a third of the screen otherwise; its layout decides.
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    if selectable:
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.LinksAccessibleByMouse
        )
    return label


def set_role(widget: QWidget, role: str) -> None:
    """Give a widget another of the style sheet's roles."""
    set_style_property(widget, "role", role)


def set_style_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet looks at."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def make_button(text: str, role: str = "", *, tip: str = "") -> QPushButton:
    """A push button in one of the style sheet's roles."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    if role:
        button.setProperty("role", role)
    if role in {"link", "flat"}:
        button.setCursor(Qt.CursorShape.PointingHandCursor)
    if tip:
        button.setToolTip(tip)
    return button


def make_chip_button(text: str, tip: str) -> QToolButton:
    """A small button, often with a menu, in the style of the chips."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setProperty("role", "chip")
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    return button


def row(*items: QWidget | None, spacing: int = 8, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QHBoxLayout:
    """A horizontal layout; None stands for stretch."""
    layout = QHBoxLayout()
    return _filled(layout, items, spacing, margins)


def column(*items: QWidget | None, spacing: int = 4, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QVBoxLayout:
    """A vertical layout; None stands for stretch."""
    layout = QVBoxLayout()
    return _filled(layout, items, spacing, margins)


_Layout = TypeVar("_Layout", bound=QBoxLayout)


def _filled(
    layout: _Layout, items: Sequence[QWidget | None], spacing: int, margins: tuple[int, int, int, int]
) -> _Layout:
    layout.setSpacing(spacing)
    layout.setContentsMargins(*margins)
    for item in items:
        if item is None:
            layout.addStretch(1)
        else:
            layout.addWidget(item)
    return layout


def clear_layout(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear_layout(inner)


def hairline() -> QFrame:
    """A line across."""
    line = QFrame()
    line.setProperty("role", "hairline")
    return line


class SymbolLabel(QWidget):
    """A hand-drawn sign whose colour is one of the tokens."""

    def __init__(self, theme: Theme, symbol: Symbol, colour: str, side: int = 12) -> None:
        super().__init__()
        self._theme = theme
        self._symbol: Symbol = symbol
        self._colour = colour
        self.setFixedSize(side, side)
        theme.changed.connect(self.update)

    @property
    def symbol(self) -> Symbol:
        """What is drawn."""
        return self._symbol

    def set(self, symbol: Symbol, colour: str) -> None:
        """Draw another sign; ``colour`` is the name of a token."""
        self._symbol = symbol
        self._colour = colour
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sign."""
        painter = QPainter(self)
        paint_symbol(painter, QRectF(self.rect()), self._symbol, getattr(self._theme.tokens, self._colour))
        painter.end()


class _Page(QWidget):
    """What scrolls: as high as its content is at the present width.

    A scroll area asks for the minimum size alone, and that of wrapped text is for a width that it never has.
    """

    def minimumSizeHint(self) -> QSize:
        """The height that the present width needs."""
        layout = self.layout()
        if layout is None or not layout.hasHeightForWidth():
            return super().minimumSizeHint()
        return QSize(0, layout.totalHeightForWidth(max(self.width(), 80)))

    def sizeHint(self) -> QSize:
        """The same."""
        return self.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


def make_scroll_area(layout: QLayout) -> QScrollArea:
    """An area that scrolls a layout up and down."""
    page = _Page()
    page.setProperty("role", "page")
    page.setLayout(layout)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    return area


class ThinBar(QWidget):
    """A thin line that fills from the left."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._share = 0.0
        self._running = False
        self.setFixedHeight(3)
        self.setAccessibleName("Progress")
        theme.changed.connect(self.update)

    def set_share(self, share: float, *, running: bool) -> None:
        """Fill a share of the line; what stands still is drawn quietly."""
        self._share, self._running = share, running
        self.setAccessibleDescription(f"{share * 100:.0f} %")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line."""
        painter = QPainter(self)
        tokens = self._theme.tokens
        painter.fillRect(self.rect(), QColor(tokens.line if self._share else tokens.surface))
        filled = self.rect()
        filled.setWidth(round(self.width() * self._share))
        painter.fillRect(filled, QColor(tokens.accent if self._running else tokens.line_strong))
        painter.end()


class ElidedLabel(QLabel):
    """One line that ends in an ellipsis where it does not fit; the whole text is the tool tip."""

    def __init__(self, text: str = "", role: str = "", mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        super().__init__()
        self._full = ""
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if role:
            self.setProperty("role", role)
        self.set_full_text(text)

    @property
    def full_text(self) -> str:
        """The text as it was given."""
        return self._full

    def set_full_text(self, text: str) -> None:
        """Show another text."""
        self._full = text
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the text anew."""
        super().resizeEvent(event)
        self._elide()

    def sizeHint(self) -> QSize:
        """As wide as the whole text."""
        hint = super().sizeHint()
        return QSize(
            self.fontMetrics().horizontalAdvance(self._full) + 2 + self.width() - self.contentsRect().width(),
            hint.height(),
        )

    def minimumSizeHint(self) -> QSize:
        """A few letters."""
        return QSize(24, super().minimumSizeHint().height())

    def _elide(self) -> None:
        self.ensurePolished()
        shown = self.fontMetrics().elidedText(self._full, self._mode, max(self.contentsRect().width(), 8))
        super().setText(shown)
        self.setToolTip(self._full if shown != self._full else "")


class TextButton(QFrame):
    """A button whose text may take several lines.

    Signals:
        clicked: by mouse, Enter or Space.
    """

    clicked = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setProperty("role", "suggestion")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(text)
        self.setLayout(column(make_label(text, wrap=True), margins=(10, 7, 10, 7)))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter or Space."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


class PanelHeader(QWidget):
    """The line on top of a panel: its name on the left, small things on the right."""

    def __init__(self, title: str = "", *right: QWidget) -> None:
        super().__init__()
        self.setObjectName("PanelHeader")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = make_label(title, "title")
        self._layout = row(self.title, None, *right, spacing=8, margins=(12, 0, 10, 0))
        self.setLayout(self._layout)

    def insert_left(self, widget: QWidget) -> None:
        """Put a widget on the left, after the title."""
        self._layout.insertWidget(1, widget)

    def sizeHint(self) -> QSize:
        """Of the fixed height: a dock's layout asks for this and for nothing else."""
        return QSize(super().sizeHint().width(), 30)

    def minimumSizeHint(self) -> QSize:
        """Of the fixed height."""
        return QSize(40, 30)


class Composer(QPlainTextEdit):
    """A text field that grows with its text and sends on Enter; Shift+Enter starts a new line.

    Signals:
        sent: Enter was pressed.
        focused: the field got or lost the keyboard.
    """

    sent = Signal()
    focused = Signal(bool)

    def __init__(self, placeholder: str, lines: int = 6) -> None:
        super().__init__()
        self._lines = lines
        self.setPlaceholderText(placeholder)
        self.setProperty("role", "bare")
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(0)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        lines = max(1, min(int(self.document().size().height()), self._lines))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 6)
        tall = self.document().size().height() > self._lines
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if tall else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter without Shift."""
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.sent.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusOutEvent(event)
        self.focused.emit(False)
