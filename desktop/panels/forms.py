"""A small dialog made from a list of fields: what the rules refuse is said in it, and nothing typed is lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QCompleter, QDialog, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.panels.widgets import make_button, make_label, row
from model.errors import DesignError


@dataclass(frozen=True, slots=True)
class FormField:
    """One line of a form.

    Attributes:
        choices: what to choose from; with ``free`` other text may be typed as well.
        hint: shown in the empty field.
    """

    name: str
    label: str
    value: str = ""
    choices: Sequence[str] = ()
    free: bool = False
    hint: str = ""
    mono: bool = True


class FormDialog(QDialog):
    """Asks for the arguments of one operation."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        fields: Sequence[FormField],
        submit: Callable[[Mapping[str, str]], None],
        button: str = "Add",
    ) -> None:
        """Build the dialog.

        Args:
            submit: called with the texts by field name; a :class:`DesignError` that it raises is shown and the dialog
                stays open.
        """
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(440)
        self._submit = submit
        self.inputs: dict[str, QLineEdit | QComboBox] = {}
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(8)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for field in fields:
            widget = _input(field)
            self.inputs[field.name] = widget
            form.addRow(make_label(field.label, "muted"), widget)
        self.message = make_label("", "danger", wrap=True)
        self.message.hide()
        self.accept_button = make_button(button, "primary")
        self.accept_button.setDefault(True)
        self.accept_button.clicked.connect(self._try)
        cancel = make_button("Cancel")
        cancel.clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(make_label(title, "brand"))
        layout.addLayout(form)
        layout.addWidget(self.message)
        layout.addLayout(row(None, cancel, self.accept_button))

    def values(self) -> dict[str, str]:
        """The texts by field name."""
        return {
            name: (widget.currentText() if isinstance(widget, QComboBox) else widget.text()).strip()
            for name, widget in self.inputs.items()
        }

    def _try(self) -> None:
        try:
            self._submit(self.values())
        except DesignError as error:
            self.message.setText(str(error))
            self.message.show()
        else:
            self.accept()


def _input(field: FormField) -> QLineEdit | QComboBox:
    if not field.choices:
        line = QLineEdit(field.value)
        line.setPlaceholderText(field.hint)
        if field.mono:
            line.setProperty("role", "mono")
        return line
    box = QComboBox()
    box.setProperty("role", "mono")
    box.addItems(list(field.choices))
    if field.free:
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        completer = QCompleter(list(field.choices), box)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        box.setCompleter(completer)
        edit = box.lineEdit()
        if edit is not None:
            edit.setPlaceholderText(field.hint)
    box.setCurrentText(field.value)
    if field.free and not field.value:
        box.setCurrentIndex(-1)
        box.setEditText("")
    return box
