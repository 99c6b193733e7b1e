"""The inspector: every property of what is selected, edited in place under the model's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.call_text import KIND_WORDS
from desktop.document import Document
from desktop.panels.link_list import LinkList
from desktop.panels.properties import Link, Property, Section, describe
from desktop.panels.widgets import (
    ElidedLabel,
    PanelHeader,
    clear_layout,
    column,
    hairline,
    make_button,
    make_label,
    make_scroll_area,
    row,
    set_style_property,
)
from desktop.theme.theme import Theme
from model.change import Change, ElementId
from model.errors import DesignError
from model.library import Library

_LABEL_WIDTH = 76
_FIELD_HEIGHT = 22
_PACE_MS = 50  # edits that follow one another faster are shown together


class InspectorPanel(QWidget):
    """Shows the selection, or the shown component where nothing is selected.

    Signals:
        reveal_requested: elements to select, as a tuple.
        component_chosen: a :class:`Vlnv` to open.
        action_requested: the id of an action (``add-port``, ``delete`` …).
    """

    reveal_requested = Signal(object)
    component_chosen = Signal(object)
    action_requested = Signal(str)

    def __init__(self, document: Document, theme: Theme) -> None:
        super().__init__()
        self._document = document
        self._theme = theme
        self._shown: tuple[tuple[ElementId, ...], list[Section]] | None = None
        self.kind = make_label("", "chip")
        self.header = PanelHeader("Inspector", self.kind)
        self.fields: dict[str, PropertyField] = {}
        self._stale = False
        self._lists: list[LinkList | None] = []  # of each section that is shown
        self._pace = QTimer(self)
        self._pace.setSingleShot(True)
        self._pace.setInterval(_PACE_MS)
        self._pace.timeout.connect(self._catch_up)
        self._late = False
        self._body = column(spacing=10, margins=(12, 10, 12, 12))
        self.scroll_area = make_scroll_area(self._body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.scroll_area)
        document.selection_changed.connect(lambda _elements: self.refresh())
        document.component_shown.connect(lambda _vlnv: self.refresh())
        document.library_changed.connect(self._on_changed)
        self.refresh()

    def _on_changed(self, change: Change, _library: Library) -> None:
        shown = {element.component for element in self._subjects()}
        if change.is_empty or shown & {element.component for element in change.touched}:
            if self._pace.isActive():
                self._late = True
            else:
                self._follow_edit()

    def _catch_up(self) -> None:
        if self._late:
            self._follow_edit()

    def _follow_edit(self) -> None:
        if any(field.is_being_edited for field in self.fields.values()):
            self._stale = True  # somebody else's edit must not take what is being typed
        else:
            self.refresh()
            self._pace.start()

    def _after_edit(self) -> None:
        if self._stale:
            self.refresh()

    def _subjects(self) -> tuple[ElementId, ...]:
        document = self._document
        if document.selection:
            return document.selection
        return (ElementId(document.component, "component"),) if document.component is not None else ()

    def refresh(self) -> None:
        """Read the properties anew; of the same element only the sections that differ are built again."""
        self._late = False
        subjects = self._subjects()
        sections = describe(self._document, subjects[0]) if len(subjects) == 1 else []
        if self._shown == (subjects, sections) and not self._stale:
            return
        before, self._shown = self._shown, (subjects, sections)
        if not self._stale and before is not None and before[0] == subjects and self._update(before[1], sections):
            return
        position = self.scroll_area.verticalScrollBar().value()
        clear_layout(self._body)
        self._lists.clear()
        self.fields.clear()
        self._stale = False
        self.kind.setVisible(len(subjects) == 1)
        if not subjects:
            self._body.addWidget(make_label("Nothing is shown. Pick a component in the library.", "muted", wrap=True))
        elif len(subjects) > 1:
            self._show_several(subjects)
        else:
            self._show_one(subjects[0], sections)
        self._body.addStretch(1)
        self.scroll_area.verticalScrollBar().setValue(position)

    def _update(self, before: Sequence[Section], after: Sequence[Section]) -> bool:
        """Show other links where nothing else differs; returns whether that was all."""
        if len(before) != len(after) or not all(map(_differ_in_links_alone, before, after)):
            return False
        for old, new, listed in zip(before, after, self._lists, strict=True):
            if listed is not None and old.lines != new.lines:
                listed.set_links([line for line in new.lines if isinstance(line, Link)])
        return True

    def _show_several(self, subjects: Sequence[ElementId]) -> None:
        self._body.addWidget(make_label(f"{len(subjects)} elements selected", "heading"))
        for element in subjects[:20]:
            self._body.addLayout(_pair(KIND_WORDS[element.kind], ElidedLabel(element.name, "mono")))
        self._add_delete(f"Delete {len(subjects)} elements")

    def _show_one(self, element: ElementId, sections: Sequence[Section]) -> None:
        self.kind.setText(KIND_WORDS[element.kind])
        for number, section in enumerate(sections):
            if number:
                self._body.addWidget(hairline())
            self._lists.append(self._show_section(section))
        if element.kind != "component" and element.component == self._document.component:
            self._add_delete(f"Delete {KIND_WORDS[element.kind]}")

    def _show_section(self, section: Section) -> LinkList | None:
        if section.headline is not None:
            name, place = section.headline
            headline = column(ElidedLabel(name, "mono-strong"), ElidedLabel(place, "mono-small"), spacing=1)
            self._body.addLayout(headline)
        if section.title or section.action:
            head = row(make_label(section.title, "heading"), None)
            if section.action:
                words, action = section.action
                button = make_button(words, "flat")
                button.clicked.connect(lambda _checked=False, action=action: self.action_requested.emit(action))
                head.addWidget(button)
            self._body.addLayout(head)
        links = [line for line in section.lines if isinstance(line, Link)]
        listed = None
        if links:
            listed = LinkList(self._theme, links)
            listed.followed.connect(self._follow)
            self._body.addWidget(listed)
        properties = [line for line in section.lines if isinstance(line, Property)]
        if properties:
            grid = QGridLayout()
            grid.setHorizontalSpacing(8)
            grid.setVerticalSpacing(2)
            grid.setColumnMinimumWidth(0, _LABEL_WIDTH)
            grid.setColumnStretch(1, 1)
            for position, line in enumerate(properties):
                self._show_line(grid, position, line)
            self._body.addLayout(grid)
        if section.note:
            self._body.addWidget(make_label(section.note, "faint", wrap=True))
        return listed

    def _show_line(self, grid: QGridLayout, position: int, line: Property) -> None:
        name = ElidedLabel(line.label, "mono-muted" if line.mono_label else "muted")
        name.setFixedSize(_LABEL_WIDTH, _FIELD_HEIGHT)
        name.setToolTip(line.tip)
        field = PropertyField(line)
        field.settled.connect(self._after_edit)
        self.fields[line.label] = field
        grid.addWidget(name, position, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(field, position, 1)

    def _follow(self, line: Link) -> None:
        if line.component is not None:
            self.component_chosen.emit(line.component)
        elif line.elements:
            self.reveal_requested.emit(line.elements)

    def _add_delete(self, words: str) -> None:
        button = make_button(words, "danger")
        button.clicked.connect(lambda: self.action_requested.emit("delete"))
        self._body.addLayout(row(button, None, margins=(0, 4, 0, 0)))


class PropertyField(QWidget):
    """A value that can be edited; what the rules refuse is said below it, and Escape brings the old value back.

    Signals:
        settled: the field is no longer being edited.
    """

    settled = Signal()

    def __init__(self, line: Property) -> None:
        super().__init__()
        self._line = line
        self.message = make_label("", "danger", wrap=True)
        self.message.hide()
        self.input: QLineEdit | QComboBox | None = None
        layout = column(spacing=0)
        if line.apply is None:
            value = ElidedLabel(line.value or "–", "mono" if line.mono else "")
            value.setContentsMargins(7, 0, 0, 0)  # where the text of a field begins
            value.setFixedHeight(_FIELD_HEIGHT)
            layout.addWidget(value)
        elif line.choices:
            layout.addWidget(self._choice(line))
        else:
            layout.addWidget(self._text(line))
        layout.addWidget(self.message)
        self.setLayout(layout)

    @property
    def is_being_edited(self) -> bool:
        """Whether somebody has typed something that is not committed yet."""
        return isinstance(self.input, QLineEdit) and self.input.hasFocus() and self.input.text() != self._line.value

    def _choice(self, line: Property) -> QComboBox:
        box = QComboBox()
        box.addItems(list(line.choices))
        box.setCurrentText(line.value)
        box.setProperty("role", "mono" if line.mono else "")
        box.setProperty("quiet", True)
        box.setFixedHeight(_FIELD_HEIGHT)
        box.setAccessibleName(line.label)
        box.textActivated.connect(self._commit)
        self.input = box
        return box

    def _text(self, line: Property) -> QLineEdit:
        edit = _Field(line.value)
        edit.setPlaceholderText(line.placeholder)
        edit.setProperty("role", "mono" if line.mono else "")
        edit.setProperty("quiet", True)
        edit.setFixedHeight(_FIELD_HEIGHT)
        edit.setAccessibleName(line.label)
        edit.setCursorPosition(0)
        edit.setToolTip(line.tip)
        edit.editingFinished.connect(lambda: self._commit(edit.text()))
        edit.cancelled.connect(self._restore)
        self.input = edit
        return edit

    def _commit(self, text: str) -> None:
        value = text.strip()
        if self._line.apply is None or value == self._line.value:
            self._clear()
            return
        try:
            self._line.apply(value)
        except DesignError as error:
            self.message.setText(str(error))
            self.message.show()
            if self.input is not None:
                set_style_property(self.input, "refused", True)
        else:
            self._line = self._line.with_value(value)
            self._clear()

    def _clear(self) -> None:
        self.message.hide()
        if self.input is not None:
            set_style_property(self.input, "refused", False)
        self.settled.emit()

    def _restore(self) -> None:
        if isinstance(self.input, QLineEdit):
            self.input.setText(self._line.value)
        self._clear()


class _Field(QLineEdit):
    """A line that tells of Escape."""

    cancelled = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up the edit."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
            self.clearFocus()
        else:
            super().keyPressEvent(event)


def _differ_in_links_alone(before: Section, after: Section) -> bool:
    lists = all(section.lines and all(isinstance(line, Link) for line in section.lines) for section in (before, after))
    return before == after or (lists and replace(before, lines=()) == replace(after, lines=()))


def _pair(label: str, value: QWidget) -> QGridLayout:
    grid = QGridLayout()
    grid.setColumnMinimumWidth(0, _LABEL_WIDTH)
    grid.setColumnStretch(1, 1)
    grid.addWidget(make_label(label, "muted"), 0, 0)
    grid.addWidget(value, 0, 1)
    return grid
