"""The library as a tree: vendor, library, then name and version."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from desktop.canvas.editing_view import COMPONENT_FORMAT
from desktop.document import Document
from desktop.panels.widgets import PanelHeader, make_label, row
from desktop.theme.fonts import mono_font, ui_font
from desktop.theme.symbols import paint_symbol
from desktop.theme.theme import Theme
from model.change import Change
from model.elements import Component
from model.library import Library
from model.vlnv import Vlnv

_VLNV = Qt.ItemDataRole.UserRole + 1
_SEARCH = Qt.ItemDataRole.UserRole + 2
_STATE = Qt.ItemDataRole.UserRole + 3
_ROW_HEIGHT = 22

_Index = QModelIndex | QPersistentModelIndex


class LibraryPanel(QWidget):
    """The tree, its filter and the number of components.

    Signals:
        component_chosen: the :class:`Vlnv` to show.
        reveal_requested: a file finding's component.
    """

    component_chosen = Signal(object)

    def __init__(self, document: Document, theme: Theme) -> None:
        super().__init__()
        self._document = document
        self._theme = theme
        self.count = make_label("0", "chip")
        self.header = PanelHeader("Library", self.count)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter by VLNV or port")
        self.filter.setClearButtonEnabled(True)
        self.model = _Model(self)
        self.proxy = QSortFilterProxyModel(self)
        self.proxy.setSourceModel(self.model)
        self.proxy.setRecursiveFilteringEnabled(True)
        self.proxy.setFilterRole(_SEARCH)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.tree = _Tree(theme)
        self.tree.setModel(self.proxy)
        self.tree.setItemDelegate(_Delegate(theme, self.tree))
        self._items: dict[Vlnv, QStandardItem] = {}

        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row(self.filter, margins=(10, 10, 10, 6)))
        layout.addWidget(self.tree, 1)

        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(80)
        self._later.timeout.connect(self._refresh_states)
        self.filter.textChanged.connect(self._filter)
        self.tree.activated.connect(self._choose)
        self.tree.clicked.connect(self._choose)
        document.library_changed.connect(self._on_changed)
        document.reopened.connect(self.rebuild)
        document.completed.connect(self._on_completed)
        document.component_shown.connect(self._mark_shown)
        theme.changed.connect(self.tree.viewport().update)
        self.rebuild()

    def rebuild(self) -> None:
        """Read the whole library anew."""
        self.model.clear()
        self._items.clear()
        library = self._document.library
        for vlnv in sorted(library.components):
            self._item(vlnv)
        self._on_completed()
        self._refresh_states()
        if len(library) <= 200:
            self.tree.expandAll()
        self._mark_shown(self._document.component)

    def _on_completed(self) -> None:
        """Let the filter find what is in the components that have been read; none is read for that."""
        for component in self._document.library.at_hand():
            self._add(component)

    def _add(self, component: Component) -> None:
        item = self._item(component.vlnv)
        item.setData(_search_text(component), _SEARCH)

    def _item(self, vlnv: Vlnv) -> QStandardItem:
        known = self._items.get(vlnv)
        if known is not None:
            return known
        vendor = _child(self.model.invisibleRootItem(), vlnv.vendor)
        library = _child(vendor, vlnv.library)
        item = QStandardItem(f"{vlnv.name} {vlnv.version}")
        item.setEditable(False)
        item.setData(vlnv, _VLNV)
        item.setData(str(vlnv), _SEARCH)
        _insert_sorted(library, item)
        self._items[vlnv] = item
        return item

    def _remove(self, vlnv: Vlnv) -> None:
        item = self._items.pop(vlnv, None)
        while item is not None:
            parent = item.parent() or self.model.invisibleRootItem()
            parent.removeRow(item.row())
            item = parent if parent.rowCount() == 0 and parent is not self.model.invisibleRootItem() else None

    def _on_changed(self, change: Change, library: Library) -> None:
        for vlnv in {element.component for element in change.touched}:
            component = library.find(vlnv)
            if component is None:
                self._remove(vlnv)
            else:
                new = vlnv not in self._items
                self._add(component)
                if new:
                    self._expand_to(self._items[vlnv])
        if not self._later.isActive():  # not anew: edits without end must not put it off for ever
            self._later.start()

    def _expand_to(self, item: QStandardItem) -> None:
        parent = item.parent()
        while parent is not None:
            self.tree.setExpanded(self.proxy.mapFromSource(parent.index()), True)
            parent = parent.parent()

    def _refresh_states(self) -> None:
        """Mark what is unsaved, duplicated or missing, and count."""
        document = self._document
        library = document.library
        self.count.setText(str(len(library)))
        used = {
            instance.component
            for component in library.at_hand()
            for design in component.designs.values()
            for instance in design.instances.values()
        }
        missing = {vlnv for vlnv in used if vlnv not in library}
        for vlnv in [known for known in self._items if known not in library and known not in missing]:
            self._remove(vlnv)
        for vlnv in missing:
            self._item(vlnv)
        unsaved = document.unsaved
        twice = {
            finding.where.component
            for finding in document.findings
            if finding.where is not None and "duplicate" in finding.code and finding.where.kind == "component"
        }
        for vlnv, item in self._items.items():
            state, tip = "", str(vlnv)
            if vlnv in missing:
                state, tip = "missing", f"{vlnv}\nIs instantiated, but no file in the workspace holds it."
            elif vlnv in unsaved:
                state, tip = "unsaved", f"{vlnv}\nHas changes that are not saved."
            elif vlnv in twice:
                state, tip = "twice", f"{vlnv}\nMore than one file holds it; the first is used."
            if item.data(_STATE) != state:
                item.setData(state, _STATE)
            item.setToolTip(tip)

    def _filter(self, text: str) -> None:
        words = [f"(?=.*{_escape(word)})" for word in text.split()]
        self.proxy.setFilterRegularExpression("".join(words))
        if text:
            self.tree.expandAll()

    def _choose(self, index: QModelIndex) -> None:
        vlnv = index.data(_VLNV)
        if isinstance(vlnv, Vlnv) and vlnv in self._document.library:
            self.component_chosen.emit(vlnv)
        elif vlnv is None and index.isValid():
            self.tree.setExpanded(index, not self.tree.isExpanded(index))

    def _mark_shown(self, vlnv: Vlnv | None) -> None:
        item = self._items.get(vlnv) if vlnv is not None else None
        if item is not None:
            index = self.proxy.mapFromSource(item.index())
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index)


def _search_text(component: Component) -> str:
    return " ".join([str(component.vlnv), *component.ports, *component.bus_interfaces])


def _escape(word: str) -> str:
    return "".join(f"\\{letter}" if not letter.isalnum() and letter != "_" else letter for letter in word)


def _child(parent: QStandardItem, text: str) -> QStandardItem:
    for position in range(parent.rowCount()):
        child = parent.child(position)
        if child.text() == text and child.data(_VLNV) is None:
            return child
    item = QStandardItem(text)
    item.setEditable(False)
    item.setSelectable(False)
    item.setData(text, _SEARCH)
    _insert_sorted(parent, item)
    return item


def _insert_sorted(parent: QStandardItem, item: QStandardItem) -> None:
    position = 0
    while position < parent.rowCount() and parent.child(position).text().casefold() <= item.text().casefold():
        position += 1
    parent.insertRow(position, [item])


class _Model(QStandardItemModel):
    """Hands components out to be dragged."""

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The VLNV of the component, also as text."""
        mime = QMimeData()
        vlnv = next((index.data(_VLNV) for index in indexes if isinstance(index.data(_VLNV), Vlnv)), None)
        if vlnv is not None:
            mime.setText(str(vlnv))
            mime.setData(COMPONENT_FORMAT, str(vlnv).encode())
        return mime


class _Tree(QTreeView):
    """A tree with small triangles."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setHeaderHidden(True)
        self.setIndentation(14)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Library")
        self.setDragEnabled(True)
        self.setDragDropMode(QTreeView.DragDropMode.DragOnly)

    def drawBranches(self, painter: QPainter, rect: QRect, index: _Index) -> None:
        """Draw the triangle of a folder or the mark of a component."""
        model = index.model()
        if self.selectionModel().isSelected(index):
            painter.fillRect(
                QRect(0, rect.top(), rect.right() + 1, rect.height()), QColor(self._theme.tokens.accent_soft)
            )
        box = QRectF(rect.right() - 11, rect.center().y() - 5.5, 11, 11)
        if model.hasChildren(index):
            paint_symbol(painter, box, "open" if self.isExpanded(index) else "closed", self._theme.tokens.text_muted)
        else:
            paint_symbol(painter, box, "square", self._theme.tokens.text_faint)


class _Delegate(QStyledItemDelegate):
    """Paints words in the one font, names in the other, and the state at the right edge."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Rows of one height."""
        return QSize(80, _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        tokens = self._theme.tokens
        vlnv, state = index.data(_VLNV), index.data(_STATE)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(tokens.accent_soft))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(option.rect, QColor(tokens.surface_raised))
        box = option.rect.adjusted(6, 0, -10, 0)
        mark = QRectF(box.right() - 9, box.center().y() - 4.5, 10, 10)
        symbol = {"unsaved": "dot", "missing": "cross", "twice": "warning"}.get(state or "")
        if symbol is not None:
            colour = {"unsaved": tokens.text_muted, "missing": tokens.danger, "twice": tokens.warning}[state]
            paint_symbol(painter, mark, symbol, colour)  # type: ignore[arg-type]
            box.setRight(int(mark.left()) - 4)
        if vlnv is None:
            painter.setFont(ui_font(tokens))
            painter.setPen(QColor(tokens.text))
            text = index.data()
        else:
            painter.setFont(mono_font(tokens))
            painter.setPen(QColor(tokens.danger if state == "missing" else tokens.text))
            text = f"{index.data()} missing" if state == "missing" else index.data()
        text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        painter.restore()
