"""The bundled fonts: loading them, and the few cuts that the window uses."""

from __future__ import annotations

from importlib.resources import files

from PySide6.QtCore import QByteArray
from PySide6.QtGui import QFont, QFontDatabase

from desktop.theme.tokens import Tokens

_FILES = (
    "Inter-Regular.otf",
    "Inter-SemiBold.otf",
    "Inter-Bold.otf",
    "JetBrainsMono-Regular.ttf",
    "JetBrainsMono-SemiBold.ttf",
)


def load_fonts() -> None:
    """Register Inter and JetBrains Mono with the application; a font that cannot be read leaves the system's own."""
    for name in _FILES:
        content = files("resources").joinpath("fonts", name).read_bytes()
        QFontDatabase.addApplicationFontFromData(QByteArray(content))


def ui_font(tokens: Tokens, pixels: int | None = None, *, strong: bool = False) -> QFont:
    """The font of words, ``pixels`` high (13 unless told)."""
    families = [tokens.font_ui_strong, tokens.font_ui] if strong else [tokens.font_ui]
    return _font([*families, "sans-serif"], pixels or tokens.text_normal)


def mono_font(tokens: Tokens, pixels: int | None = None, *, strong: bool = False) -> QFont:
    """The font of names, ``pixels`` high (12 unless told)."""
    families = [tokens.font_mono_strong, tokens.font_mono] if strong else [tokens.font_mono]
    font = _font([*families, "monospace"], pixels or tokens.text_mono)
    font.setStyleHint(QFont.StyleHint.Monospace)
    return font


def _font(families: list[str], pixels: int) -> QFont:
    font = QFont(families)
    font.setPixelSize(pixels)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
