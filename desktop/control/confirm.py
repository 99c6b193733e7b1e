"""The question before something that a person may not have meant."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget


def confirm(window: QWidget, title: str, text: str, button: str) -> bool:
    """Ask; True where the person pressed ``button``."""
    box = QMessageBox(window)
    box.setWindowTitle(title)
    box.setText(title)
    box.setInformativeText(text)
    yes = box.addButton(button, QMessageBox.ButtonRole.DestructiveRole)
    cancel = box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(cancel)
    box.exec()
    return box.clickedButton() is yes
