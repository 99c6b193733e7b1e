"""The look in force: follows the system's light or dark, or what the user chose."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from desktop.theme.fonts import ui_font
from desktop.theme.style import build_palette, build_stylesheet
from desktop.theme.tokens import DARK, LIGHT, Tokens

Mode = Literal["system", "light", "dark"]


class Theme(QObject):
    """Holds the tokens in force and dresses the application in them.

    Signals:
        changed: the new :class:`Tokens`; widgets that paint themselves repaint.
    """

    changed = Signal(object)

    def __init__(self, application: QApplication, mode: Mode = "system") -> None:
        super().__init__(application)
        self._application = application
        self._mode: Mode = mode
        self.tokens: Tokens = LIGHT
        application.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._dress()

    @classmethod
    def of_application(cls) -> Theme:
        """The application's theme, made where there is none yet."""
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            raise RuntimeError("there is no QApplication yet")
        known = application.findChild(cls)
        return known if known is not None else cls(application)

    @property
    def mode(self) -> Mode:
        """What the user chose."""
        return self._mode

    @property
    def is_dark(self) -> bool:
        """Whether the dark tokens are in force."""
        return self.tokens is DARK

    def set_mode(self, mode: Mode) -> None:
        """Follow the system, or stay light or dark."""
        self._mode = mode
        self._dress()

    def toggle(self) -> None:
        """Change to the other of light and dark, whatever the system says."""
        self.set_mode("light" if self.is_dark else "dark")

    def _follow_system(self) -> None:
        if self._mode == "system":
            self._dress()

    def _dress(self) -> None:
        dark = self._mode == "dark" or (
            self._mode == "system" and self._application.styleHints().colorScheme() == Qt.ColorScheme.Dark
        )
        self.tokens = DARK if dark else LIGHT
        self._application.setPalette(build_palette(self.tokens))
        self._application.setFont(ui_font(self.tokens))
        self._application.setStyleSheet(build_stylesheet(self.tokens))
        self.changed.emit(self.tokens)
