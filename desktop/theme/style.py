"""Qt's palette and style sheet, made from the tokens."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from PySide6.QtGui import QColor, QPalette

from desktop.theme.tokens import Tokens


def build_palette(tokens: Tokens) -> QPalette:
    """Colours for everything that Fusion draws by itself."""
    role = QPalette.ColorRole
    palette = QPalette()
    for which, colour in (
        (role.Window, tokens.surface),
        (role.WindowText, tokens.text),
        (role.Base, tokens.surface),
        (role.AlternateBase, tokens.surface_raised),
        (role.Text, tokens.text),
        (role.PlaceholderText, tokens.text_faint),
        (role.Button, tokens.surface),
        (role.ButtonText, tokens.text),
        (role.BrightText, tokens.danger),
        (role.Highlight, tokens.accent),
        (role.HighlightedText, tokens.accent_text),
        (role.ToolTipBase, tokens.surface_raised),
        (role.ToolTipText, tokens.text),
        (role.Link, tokens.accent),
        (role.LinkVisited, tokens.accent),
        (role.Light, tokens.surface),
        (role.Midlight, tokens.line),
        (role.Mid, tokens.line_strong),
        (role.Dark, tokens.line_strong),
        (role.Shadow, tokens.line_strong),
        (role.Accent, tokens.accent),
    ):
        palette.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(tokens.text_faint))
    return palette


def build_stylesheet(tokens: Tokens) -> str:
    """Rules for what the palette cannot say: hairlines, radii, paddings, the roles of labels and buttons."""
    values = {name: getattr(tokens, name) for name in Tokens.__slots__}
    sheet = _SHEET
    values["icons"] = Path(str(files("resources").joinpath("icons"))).as_posix()
    for name in sorted(values, key=len, reverse=True):
        sheet = sheet.replace(f"@{name}", str(values[name]))
    return sheet


_SHEET = """
QToolTip {
    background: @surface_raised; color: @text; border: 1px solid @line_strong; padding: 4px 8px;
}
QMainWindow { background: @surface; }
QMainWindow::separator { background: @line; width: 2px; height: 2px; }
QMainWindow::separator:hover { background: @accent; }
QDockWidget { border: none; }
QSplitter::handle { background: @line; }

/* Words */
QLabel { background: transparent; }
QLabel[role="title"] { font-family: "@font_ui_strong", "@font_ui"; font-size: 12px; color: @text; }
QLabel[role="brand"] { font-family: "@font_ui_strong", "@font_ui"; font-size: 13px; color: @text; }
QLabel[role="heading"] { font-family: "@font_ui_strong", "@font_ui"; font-size: 12px; color: @text; }
QLabel[role="muted"] { color: @text_muted; font-size: 12px; }
QLabel[role="faint"] { color: @text_faint; font-size: 11px; }
QLabel[role="small"] { color: @text_muted; font-size: 11px; }
QLabel[role="mono"] { font-family: "@font_mono"; font-size: @text_monopx; }
QLabel[role="mono-strong"] { font-family: "@font_mono_strong", "@font_mono"; font-size: @text_monopx; }
QLabel[role="mono-muted"] { font-family: "@font_mono"; font-size: @text_monopx; color: @text_muted; }
QLabel[role="mono-small"] { font-family: "@font_mono"; font-size: 11px; color: @text_muted; }
QLabel[role="success"] { color: @success; font-size: 12px; }
QLabel[role="warning"] { color: @warning; font-size: 12px; }
QLabel:disabled { color: @text_faint; }
QLabel[role="danger"] { color: @danger; font-size: 12px; }
QLabel[role="chip"] {
    border: 1px solid @line; border-radius: @radiuspx; padding: 0px 6px; color: @text_muted;
    font-family: "@font_ui_strong", "@font_ui"; font-size: 11px; min-height: 16px; max-height: 16px;
}
QLabel[role="key"] {
    border: 1px solid @line; border-radius: 3px; padding: 0px 4px; color: @text_faint;
    font-family: "@font_mono"; font-size: 11px;
}
QLabel[role="caption"] { font-family: "@font_ui_strong", "@font_ui"; font-size: 21px; color: @text; }
QLabel[role="caption-small"] { font-size: 14px; color: @text_muted; }
QLabel[role="caption-success"] { font-size: 14px; color: @success; }
QLabel[role="caption-warning"] { font-size: 14px; color: @warning; }
QLabel[role="caption-danger"] { font-size: 14px; color: @danger; }
QLabel[role="caption-figure"] { font-family: "@font_ui_strong", "@font_ui"; font-size: 26px; color: @text; }

/* Frames */
QWidget#Caption { background: @surface; border-bottom: 1px solid @line; }
QWidget#TopBar { background: @surface; border-bottom: 1px solid @line; }
QWidget#PanelHeader { background: @surface; border-bottom: 1px solid @line; }
QStatusBar { background: @surface; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QFrame[role="bubble"] { background: @accent_soft; border-radius: 6px; }
QFrame[role="card"] { background: @surface_raised; border: 1px solid @line; border-radius: @radiuspx; }
QFrame[role="card-danger"] { background: @danger_soft; border: 1px solid @line; border-radius: @radiuspx; }
QFrame[role="card-ask"] { background: @surface; border: 1px solid @warning; border-radius: @radiuspx; }
QFrame[role="card-proposal"] { background: @surface; border: 1px solid @success; border-radius: @radiuspx; }
QFrame[role="notice"] { background: @warning_soft; border-radius: @radiuspx; }
QFrame[role="composer"] { background: @surface_raised; border: 1px solid @line; border-radius: 6px; }
QFrame[role="composer"][focused="true"] { border-color: @accent; }
QFrame[role="toast"] { background: @surface_raised; border: 1px solid @line_strong; border-radius: 6px; }
QFrame[role="popup"] { background: @surface; border: 1px solid @line_strong; border-radius: 6px; }
QFrame[role="hairline"] { background: @line; border: none; max-height: 1px; min-height: 1px; }

/* Menus */
QMenuBar { background: transparent; color: @text_muted; spacing: 0px; font-size: 13px; }
QMenuBar::item { padding: 4px 8px; border-radius: @radiuspx; background: transparent; }
QMenuBar::item:selected { background: @surface_raised; color: @text; }
QMenu { background: @surface; border: 1px solid @line_strong; padding: 4px; font-size: 13px; }
QMenu::item { padding: 5px 24px 5px 12px; border-radius: @radiuspx; color: @text; }
QMenu::item:selected { background: @accent_soft; color: @text; }
QMenu::item:disabled { color: @text_faint; }
QMenu::separator { height: 1px; background: @line; margin: 4px 4px; }
QMenu::indicator { width: 12px; height: 12px; left: 4px; }

/* Buttons */
QPushButton, QToolButton {
    background: @surface; color: @text; border: 1px solid @line; border-radius: @radiuspx;
    padding: 3px 10px; font-size: 12px;
}
QPushButton:hover, QToolButton:hover { background: @surface_raised; border-color: @line_strong; }
QPushButton:pressed, QToolButton:pressed { background: @line; }
QPushButton:focus, QToolButton:focus { border-color: @accent; }
QPushButton:disabled, QToolButton:disabled { color: @text_faint; background: @surface; }
QPushButton[role="primary"] {
    background: @accent; color: @accent_text; border-color: @accent; font-family: "@font_ui_strong", "@font_ui";
}
QPushButton[role="primary"]:hover { background: @accent; border-color: @text; }
QPushButton[role="primary"]:focus { border-color: @text; }
QPushButton[role="primary"]:disabled { background: @line; color: @text_faint; border-color: @line; }
QPushButton[role="danger"] { color: @danger; }
QPushButton[role="danger"]:hover { background: @danger_soft; border-color: @danger; }
QToolButton[role="chip"], QPushButton[role="chip"] {
    padding: 0px 6px; min-height: 16px; max-height: 16px; font-size: 11px; color: @text_muted;
    font-family: "@font_ui_strong", "@font_ui";
}
QToolButton[role="chip"]::menu-indicator { image: none; width: 0px; }
QToolButton[role="flat"], QPushButton[role="flat"] {
    border-color: transparent; background: transparent; color: @text_muted; padding: 2px 4px;
}
QToolButton[role="flat"]:hover, QPushButton[role="flat"]:hover { color: @text; background: @surface_raised; }
QToolButton[role="flat"]:disabled, QPushButton[role="flat"]:disabled { color: @line_strong; }
QToolButton[role="flat"]:focus, QPushButton[role="flat"]:focus { border-color: @accent; }
QPushButton[role="segment"] { border-radius: 0px; margin-left: -1px; color: @text_muted; }
QPushButton[role="segment"]:checked { background: @accent_soft; color: @text; border-color: @accent; }
QPushButton:checked { background: @accent_soft; border-color: @accent; }
QPushButton[role="link"] {
    border: none; background: transparent; color: @accent; padding: 0px; text-align: left; font-size: 12px;
}
QPushButton[role="link"]:hover, QPushButton[role="link"]:focus { text-decoration: underline; }
QPushButton[role="link"]:disabled { color: @text_faint; background: transparent; text-decoration: none; }
QPushButton[role="search"] {
    color: @text_muted; text-align: left; padding: 0px 12px; font-size: 13px; min-height: 22px;
}
QPushButton[role="status"] {
    border: none; background: transparent; color: @text_muted; padding: 0px 4px; font-size: 11px;
}
QPushButton[role="status"]:hover, QPushButton[role="status"]:focus { color: @text; text-decoration: underline; }
QPushButton[role="warn"] { color: @warning; }
QFrame[role="suggestion"] { border: 1px solid @line; border-radius: @radiuspx; background: @surface; }
QFrame[role="suggestion"]:hover { background: @surface_raised; border-color: @line_strong; }
QFrame[role="suggestion"]:focus { border-color: @accent; }
QFrame[role="suggestion"] QLabel { font-size: 12px; }

/* Fields */
QLineEdit, QComboBox, QPlainTextEdit, QSpinBox {
    background: @surface; color: @text; border: 1px solid @line; border-radius: @radiuspx; padding: 2px 8px;
    min-height: 18px; font-size: 12px; selection-background-color: @accent; selection-color: @accent_text;
}
QLineEdit:hover, QComboBox:hover { border-color: @line_strong; }
QLineEdit:focus, QComboBox:focus, QPlainTextEdit:focus { border-color: @accent; }
QLineEdit[role="mono"], QComboBox[role="mono"], QPlainTextEdit[role="mono"] {
    font-family: "@font_mono"; font-size: @text_monopx;
}
QLineEdit[refused="true"], QComboBox[refused="true"] { border-color: @danger; }
QSpinBox QLineEdit, QComboBox QLineEdit { border: none; padding: 0px; min-height: 0px; background: transparent; }
QLineEdit[quiet="true"], QComboBox[quiet="true"] { border-color: transparent; padding: 1px 4px; }
QLineEdit[quiet="true"]:hover, QComboBox[quiet="true"]:hover { border-color: @line_strong; }
QLineEdit[quiet="true"]:focus, QComboBox[quiet="true"]:focus { border-color: @accent; }
QLineEdit[quiet="true"][refused="true"] { border-color: @danger; }
QPlainTextEdit[role="bare"] { background: transparent; border: none; padding: 0px; font-size: 13px; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox::down-arrow { image: url("@icons/chevron.svg"); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @surface; border: 1px solid @line_strong; padding: 2px; }

/* Lists */
QAbstractItemView {
    background: @surface; color: @text; border: none; outline: none; font-size: 12px;
    selection-background-color: @accent_soft; selection-color: @text; alternate-background-color: @surface;
}
QAbstractItemView::item:selected { background: @accent_soft; color: @text; }
QAbstractItemView::item:hover:!selected { background: @surface_raised; }
QTableView::item { padding: 0px 5px; border: none; }
QListWidget#Tasks::item { padding: 5px 8px; border: none; }
QListWidget#Suites { border: 1px solid @line; border-radius: @radiuspx; }
QListWidget#Suites::item { padding: 1px 4px; }
QHeaderView { background: @surface; border: none; }
QHeaderView#Scores::section { padding: 2px 8px 2px 0px; }
QHeaderView#Scores::section:first { padding-left: 8px; }
QTableView QTableCornerButton::section { background: @surface; border: none; }
QHeaderView#HeatTop::section { border: none; padding: 0px; font-size: 10px; color: @text_faint; }
QHeaderView#HeatSide::section {
    border: none; padding: 0px 10px 0px 0px; font-family: "@font_mono"; font-size: 11px; color: @text_muted;
}
QHeaderView::section {
    background: @surface; color: @text_muted; border: none; border-bottom: 1px solid @line; padding: 2px 8px;
    font-size: 12px; font-weight: normal;
}
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab {
    background: transparent; color: @text_muted; border: none; border-bottom: 2px solid transparent;
    padding: 6px 2px 5px 2px; margin: 0px 8px 0px 0px; font-size: 12px;
}
QTabBar::tab:selected { color: @text; border-bottom-color: @accent; }
QTabBar::tab:hover { color: @text; }

QScrollArea { border: none; background: transparent; }
QScrollArea > QWidget > QWidget[role="page"] { background: @surface; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0px; }
QScrollBar::handle { background: @line_strong; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @text_faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""
