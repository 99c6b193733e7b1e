"""A small form for a call that should have been made."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from agent.evaluation.contract import tools_contract
from agent.evaluation.scoring import ExpectedCall
from desktop.panels.widgets import make_button, make_label, row


class MissingCallDialog(QDialog):
    """Asks for a tool and its arguments; what is left empty is left out.

    Attributes:
        call: the call once the dialog is accepted.
    """

    def __init__(self, parent: QWidget, component: str) -> None:
        """Build the dialog.

        Args:
            component: what the argument of that name begins with: the shown component.
        """
        super().__init__(parent)
        self.setWindowTitle("Missing call")
        self.setMinimumWidth(460)
        self._component = component
        self.call: ExpectedCall | None = None
        self.tool = QComboBox()
        self.tool.setProperty("role", "mono")
        self.tool.setAccessibleName("Tool")
        self.inputs: dict[str, QLineEdit | QCheckBox] = {}
        self._form = QFormLayout()
        self._form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(8)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.message = make_label("", "danger", wrap=True)
        self.message.hide()
        self.add = make_button("Add", "primary")
        self.add.setDefault(True)
        self.add.clicked.connect(self._accept)
        cancel = make_button("Cancel")
        cancel.clicked.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(make_label("A call that was expected and not made", "brand"))
        layout.addLayout(row(make_label("Tool", "muted"), self.tool, None, spacing=16))
        layout.addLayout(self._form)
        layout.addWidget(self.message)
        layout.addLayout(row(None, cancel, self.add))
        self.tool.currentTextChanged.connect(self._show_arguments)
        self.tool.addItems(sorted(tools_contract(), key=lambda name: (tools_contract()[name].effect == "read", name)))

    def _show_arguments(self, tool: str) -> None:
        while self._form.rowCount():
            self._form.removeRow(0)
        self.inputs.clear()
        self.message.hide()
        contract = tools_contract()[tool]
        first = ("component", "vendor", "library", "name", "version")
        names = sorted(
            contract.required | set(contract.defaults),
            key=lambda name: (name not in contract.required, first.index(name) if name in first else len(first), name),
        )
        for name in names:
            field: QLineEdit | QCheckBox
            if name in contract.flags:
                field = QCheckBox()
                field.setChecked(contract.defaults.get(name) is True)
            else:
                field = QLineEdit(self._component if name == "component" else "")
                field.setProperty("role", "mono")
                default = contract.defaults.get(name)
                field.setPlaceholderText("required" if name in contract.required else f"{default or 'optional'}")
            field.setAccessibleName(name)
            self.inputs[name] = field
            self._form.addRow(make_label(name, "muted"), field)
        self.adjustSize()

    def _accept(self) -> None:
        contract = tools_contract()[self.tool.currentText()]
        arguments: dict[str, str | bool] = {}
        for name, field in self.inputs.items():
            value = field.isChecked() if isinstance(field, QCheckBox) else field.text().strip()
            if value not in ("", contract.defaults.get(name)):
                arguments[name] = value
        lacking = [name for name in self.inputs if name in contract.required and name not in arguments]
        if lacking:
            self.message.setText(f"{contract.name} needs {' and '.join(lacking)}.")
            self.message.show()
            self.inputs[lacking[0]].setFocus()
            return
        self.call = ExpectedCall(contract.name, arguments)
        self.accept()
