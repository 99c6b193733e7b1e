"""Every colour, size and font of the application, as one frozen value for each of light and dark."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours as ``#rrggbb``; sizes in device-independent pixels on a 4 px grid."""

    name: str
    # One neutral ramp: surfaces, lines, text.
    surface: str
    surface_raised: str
    canvas: str
    canvas_dot: str
    line: str
    line_strong: str
    text: str
    text_muted: str
    text_faint: str
    # One accent, and its quiet form for selected rows and the user's own messages.
    accent: str
    accent_text: str
    accent_soft: str
    # States. Never the only sign: a symbol or a word always stands beside the colour.
    success: str
    success_soft: str
    warning: str
    warning_soft: str
    danger: str
    danger_soft: str
    # Kinds of wire on the canvas.
    wire: str
    wire_bus: str
    wire_interface: str
    wire_clock: str
    # Type.
    font_ui: str = "Inter"
    font_mono: str = "JetBrains Mono"
    font_ui_strong: str = "Inter Semi Bold"  # the fonts name their weights as families of their own
    font_mono_strong: str = "JetBrains Mono SemiBold"
    text_small: int = 11
    text_mono: int = 12  # JetBrains Mono runs larger than Inter at one size
    text_normal: int = 13
    text_large: int = 15
    # Geometry.
    grid: int = 4
    radius: int = 4
    hairline: int = 1


LIGHT = Tokens(
    name="light",
    surface="#ffffff",
    surface_raised="#f6f7f9",
    canvas="#fafbfd",
    canvas_dot="#dfe3ea",
    line="#e1e4ea",
    line_strong="#c9ced8",
    text="#1b1f27",
    text_muted="#5f6877",
    text_faint="#8a93a3",
    accent="#3b5bdb",
    accent_text="#ffffff",
    accent_soft="#e7ecff",
    success="#197b42",
    success_soft="#e6f4ec",
    warning="#965c05",
    warning_soft="#fdf3e1",
    danger="#c92a3c",
    danger_soft="#fdeaec",
    wire="#6b7483",
    wire_bus="#2f4fcf",
    wire_interface="#2f3a52",
    wire_clock="#8a4fc7",
)

DARK = Tokens(
    name="dark",
    surface="#15181e",
    surface_raised="#1c2027",
    canvas="#111318",
    canvas_dot="#262b34",
    line="#2a2f39",
    line_strong="#3b424f",
    text="#e6e9ef",
    text_muted="#9aa4b5",
    text_faint="#6f7a8c",
    accent="#6a8bff",
    accent_text="#0e1116",
    accent_soft="#22305c",
    success="#3fbf7f",
    success_soft="#16291f",
    warning="#e0a33a",
    warning_soft="#2d2413",
    danger="#f06a78",
    danger_soft="#331a1f",
    wire="#8a93a6",
    wire_bus="#7d9aff",
    wire_interface="#c3cbdb",
    wire_clock="#c08bf5",
)
