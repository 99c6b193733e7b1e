"""Colours that can be read, and a style sheet without holes."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from desktop.theme.style import build_stylesheet
from desktop.theme.tokens import DARK, LIGHT, Tokens


def _luminance(colour: str) -> float:
    parts = QColor(colour).getRgbF()[:3]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ink", ["text", "text_muted", "success", "warning", "danger", "accent"])
@pytest.mark.parametrize("ground", ["surface", "surface_raised", "accent_soft"])
def test_words_can_be_read_on_every_ground(tokens: Tokens, ink: str, ground: str) -> None:
    needed = 4.5 if ground != "accent_soft" else 3.5  # WCAG 2.2 AA; marks on the selection stand beside a symbol
    assert _contrast(getattr(tokens, ink), getattr(tokens, ground)) >= needed


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_states_can_be_read_on_their_own_ground(tokens: Tokens) -> None:
    for state in ("success", "warning", "danger"):
        assert _contrast(getattr(tokens, state), getattr(tokens, f"{state}_soft")) >= 4
    assert _contrast(tokens.accent_text, tokens.accent) >= 4.5


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_knows_every_token_it_names(tokens: Tokens) -> None:
    assert "@" not in build_stylesheet(tokens)
