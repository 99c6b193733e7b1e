"""Pens, brushes and fonts of the canvas, made once from each set of tokens."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPen

from desktop.canvas.diagram import Tone
from desktop.canvas.layout import TextWidths
from desktop.theme.tokens import Tokens

State = Literal["", "added", "changed", "removed"]

WIRE_WIDTHS: dict[Tone, float] = {"wire": 1.3, "clock": 1.3, "bus": 2.2, "interface": 3.0}


class Style:
    """Everything that items paint with; shared by all items of a scene, so that painting allocates nothing."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.title_font = _font(tokens.font_ui, tokens.text_normal, QFont.Weight.DemiBold)
        self.tag_font = _font(tokens.font_ui, tokens.text_small - 1, QFont.Weight.DemiBold)
        self.pin_font = _font(tokens.font_mono, tokens.text_small, QFont.Weight.Normal)
        self.small_font = _font(tokens.font_mono, tokens.text_small - 2, QFont.Weight.Normal)
        self.note_font = _font(tokens.font_ui, tokens.text_small, QFont.Weight.Normal)
        self.note_metrics = QFontMetricsF(self.note_font)
        self.title_metrics = QFontMetricsF(self.title_font)
        self.tag_metrics = QFontMetricsF(self.tag_font)
        self.pin_metrics = QFontMetricsF(self.pin_font)
        self.small_metrics = QFontMetricsF(self.small_font)
        sample = "u_interrupt_controller0"
        self.text_widths = TextWidths(
            title=self.title_metrics.horizontalAdvance(sample) / len(sample) * 1.08,
            pin=self.pin_metrics.horizontalAdvance("0" * 20) / 20,
            small=self.small_metrics.horizontalAdvance("0" * 20) / 20,
        )
        self.text = QColor(tokens.text)
        self.muted = QColor(tokens.text_muted)
        self.faint = QColor(tokens.text_faint)
        self.canvas = QColor(tokens.canvas)
        self.surface = QBrush(QColor(tokens.surface if tokens.name == "light" else tokens.surface_raised))
        self.note = QBrush(QColor(tokens.warning_soft))
        self.note_line = QColor(tokens.warning)
        self.note_line.setAlphaF(0.45)
        self.terminal = QBrush(QColor(tokens.surface_raised))
        self.soft = {
            "": self.surface,
            "added": QBrush(QColor(tokens.success_soft)),
            "changed": QBrush(QColor(tokens.warning_soft)),
            "removed": QBrush(QColor(tokens.danger_soft)),
        }
        self.state_colors = {
            "added": QColor(tokens.success),
            "changed": QColor(tokens.warning),
            "removed": QColor(tokens.danger),
        }
        self.on_state = QColor(tokens.accent_text)
        self.accent = QColor(tokens.accent)
        self.accent_soft = QColor(tokens.accent_soft)
        self.warning = QColor(tokens.warning)
        self.success = QColor(tokens.success)
        self.danger = QColor(tokens.danger)
        self.hairline = QPen(QColor(tokens.line), 1.0)
        self.outline = QPen(QColor(tokens.line_strong), 1.0)
        self.missing_outline = _dashed(QColor(tokens.danger), 1.3)
        self.selected_outline = QPen(self.accent, 1.8)
        self.dot = QPen(QColor(tokens.canvas_dot), 1.6)
        self.dot.setCosmetic(True)
        self.tones: dict[Tone, QColor] = {
            "wire": QColor(tokens.wire),
            "bus": QColor(tokens.wire_bus),
            "interface": QColor(tokens.wire_interface),
            "clock": QColor(tokens.wire_clock),
        }
        self.wires = {tone: _wire(color, WIRE_WIDTHS[tone]) for tone, color in self.tones.items()}
        self.lit_wires = {tone: _wire(color, WIRE_WIDTHS[tone] + 0.8) for tone, color in self.tones.items()}
        self.selected_wires = {tone: _wire(self.accent, WIRE_WIDTHS[tone] + 0.8) for tone in self.tones}
        self.state_wires = {
            (state, tone): _dashed(color, max(WIRE_WIDTHS[tone], 1.8))
            for state, color in self.state_colors.items()
            for tone in self.tones
        }
        self.state_outlines = {state: _dashed(color, 1.5) for state, color in self.state_colors.items()}
        self.halo = QPen(self.accent_soft, 9.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)


@lru_cache(maxsize=4)
def style_of(tokens: Tokens) -> Style:
    """The style for ``tokens``. Needs a QGuiApplication."""
    return Style(tokens)


def _font(family: str, pixels: int, weight: QFont.Weight) -> QFont:
    font = QFont()
    fallback = "DejaVu Sans Mono" if "Mono" in family else "DejaVu Sans"
    font.setFamilies([family, fallback])
    font.setPixelSize(pixels)
    font.setWeight(weight)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)  # text must not jump while zooming
    return font


def _wire(color: QColor, width: float) -> QPen:
    return QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.MiterJoin)


def _dashed(color: QColor, width: float) -> QPen:
    pen = _wire(color, width)
    pen.setDashPattern([max(2.0, 6.0 / width), max(1.5, 4.0 / width)])
    return pen
