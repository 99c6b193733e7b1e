"""What the heat map's colours mean: a task's figure, how good it is, and the colour for that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QColor

from agent.evaluation.records import TaskRecord
from desktop.theme.tokens import Tokens


@dataclass(frozen=True, slots=True)
class Shade:
    """One way to colour the heat map.

    Attributes:
        value: the figure that stands in the cell.
        best: the figure of a task that went well; the colours run from there to the other end of 0 … 1.
    """

    name: str
    tip: str
    value: Callable[[TaskRecord], float]
    best: float

    def goodness(self, record: TaskRecord) -> float:
        """From 0 for the worst to 1 for the best."""
        return 1.0 - abs(self.value(record) - self.best)


def _coverage(record: TaskRecord) -> float:
    grade = record.grade
    return grade.ecc if grade.ecc is not None else grade.nca or 0.0


SHADES: tuple[Shade, ...] = (
    Shade("ECC / NCA", "The share of the expected calls that were made; 1 for a no-call task left alone", _coverage, 1),
    Shade("perfect", "Everything asked for was done, and nothing else", lambda record: float(record.grade.perfect), 1),
    Shade("state", "The design is as it should be", lambda record: float(record.state.equal), 1),
    Shade("EVCR", "The share of the accepted calls that nobody asked for", lambda record: record.grade.evcr, 0),
    Shade("TFR", "The share of the calls that were refused", lambda record: record.grade.tfr, 0),
)


def colour_of(goodness: float, tokens: Tokens) -> QColor:
    """From the warning colour over the surface to the accent: it tells apart whatever colours a person sees."""
    low, middle, high = QColor(tokens.warning), QColor(tokens.surface_raised), QColor(tokens.accent)
    return _mix(low, middle, goodness * 2) if goodness < 0.5 else _mix(middle, high, goodness * 2 - 1)


def ink_on(paper: QColor, tokens: Tokens) -> QColor:
    """The text colour that can be read best on a cell."""
    return max((QColor(tokens.text), QColor(tokens.surface)), key=lambda ink: contrast(paper, ink))


def contrast(first: QColor, second: QColor) -> float:
    """The contrast of two colours from 1 to 21, as WCAG 2 defines it."""
    dark, light = sorted((_luminance(first), _luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: QColor) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (colour.redF(), colour.greenF(), colour.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def short_figure(value: float) -> str:
    """A figure for a small cell: ``1``, ``0`` or ``.7``."""
    if value in {0.0, 1.0}:
        return f"{value:.0f}"
    return f"{min(0.9, max(0.1, value)):.1f}"[1:]


def _mix(first: QColor, second: QColor, share: float) -> QColor:
    return QColor.fromRgbF(
        *(
            one + (other - one) * share
            for one, other in zip(first.getRgbF()[:3], second.getRgbF()[:3], strict=True)  # type: ignore[index]
        )
    )
