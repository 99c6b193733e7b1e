"""Plots as SVG, drawn by hand: they need no library, no font and no network, and follow a dark or light page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from agent.evaluation.metrics import Interval
from agent.evaluation.results import LoadedRun

COLOURS = ("#3565c9", "#c2632b", "#2f8f5b", "#8a55b8", "#b0982b", "#b8487a", "#2f8f98", "#7a7a7a")
_LEFT, _TOP, _HEIGHT, _BAR, _GAP = 44, 16, 200, 14, 18


@dataclass(frozen=True, slots=True)
class Bar:
    """One value of a series in a group; None leaves its place empty."""

    value: float | None
    interval: Interval | None = None


def bars(title: str, groups: Sequence[str], series: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """Grouped bars from 0 to 1 with whiskers; every series has one bar for each group."""
    group_width = len(series) * _BAR + _GAP
    width = _LEFT + len(groups) * group_width + 12
    bottom = _TOP + _HEIGHT
    height = bottom + 30 + 18 * len(series)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {max(width, 420)} {height}" '
        f'width="{max(width, 420)}" height="{height}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = bottom - tick * _HEIGHT
        out.append(f'<line class="grid" x1="{_LEFT}" x2="{width - 6}" y1="{y:g}" y2="{y:g}"/>')
        out.append(f'<text x="{_LEFT - 6}" y="{y + 4:g}" text-anchor="end">{tick:g}</text>')
    for position, group in enumerate(groups):
        left = _LEFT + position * group_width + _GAP / 2
        for number, (name, row) in enumerate(series):
            out += _bar(left + number * _BAR, bottom, row[position], f"{name}, {group}", _colour(number))
        middle = left + len(series) * _BAR / 2
        out.append(f'<text x="{middle:g}" y="{bottom + 16}" text-anchor="middle">{escape(group)}</text>')
    for number, (name, _row) in enumerate(series):
        y = bottom + 40 + 18 * number
        out.append(f'<rect x="{_LEFT}" y="{y - 9}" width="10" height="10" fill="{_colour(number)}"/>')
        out.append(f'<text x="{_LEFT + 16}" y="{y}">{escape(name)}</text>')
    return "\n".join([*out, "</svg>"])


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _bar(x: float, bottom: float, bar: Bar, label: str, colour: str) -> list[str]:
    if bar.value is None:
        return []
    top = bottom - bar.value * _HEIGHT
    words = f"{label}: {bar.value:.3f}"
    if bar.interval is not None:
        words += f" [{bar.interval.low:.2f}, {bar.interval.high:.2f}]"
    out = [
        f'<rect x="{x + 1:g}" y="{top:.1f}" width="{_BAR - 2}" height="{max(bottom - top, 1):.1f}" fill="{colour}">'
        f"<title>{escape(words)}</title></rect>"
    ]
    if bar.interval is not None:
        middle = x + _BAR / 2
        low, high = bottom - bar.interval.low * _HEIGHT, bottom - bar.interval.high * _HEIGHT
        path = f"M{middle - 3:g} {high:.1f}h6M{middle:g} {high:.1f}V{low:.1f}M{middle - 3:g} {low:.1f}h6"
        out.append(f'<path class="whisker" d="{path}"/>')
    return out


def figure_of(runs: Sequence[LoadedRun], figure: str, title: str) -> str:
    """A figure of every run and suite as bars; runs are the series."""
    results = [(f"{run.configuration.model} {run.configuration.label}", run.result) for run in runs]
    suites = list(dict.fromkeys(suite.suite for _name, result in results for suite in result.suites))
    series: list[tuple[str, list[Bar]]] = []
    for name, result in results:
        found = {suite.suite: suite for suite in result.suites}
        row = [
            Bar(getattr(found[suite].figures, figure), found[suite].intervals.get(figure))
            if suite in found
            else Bar(None)
            for suite in suites
        ]
        series.append((name, row))
    return bars(title, suites, series)


def heat_map(runs: Sequence[LoadedRun], suite: str) -> str:
    """Which task was done how well under which run: green all of it, red nothing; a dot marks a perfect task."""
    shown = [run for run in runs if suite in run.records]
    tasks = list(dict.fromkeys(record.task.id for run in shown for record in run.records[suite]))
    cell, left, top = 16, 260, 10
    width, height = left + cell * len(tasks) + 10, top + cell * len(shown) + 10
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="Tasks of {escape(suite)}">'
    ]
    for line, run in enumerate(shown):
        name = f"{run.configuration.model.partition(':')[2]} {run.configuration.label}"
        y = top + cell * line
        out.append(f'<text x="{left - 6}" y="{y + 12}" text-anchor="end">{escape(name)}</text>')
        for column, task in enumerate(tasks):
            rows = [record for record in run.records[suite] if record.task.id == task]
            if rows:
                marks = [
                    record.grade.ecc if record.grade.ecc is not None else record.grade.nca or 0.0 for record in rows
                ]
                value = sum(marks) / len(marks)
                perfect = all(record.grade.perfect for record in rows)
                x = left + cell * column
                out.append(
                    f'<rect x="{x}" y="{y}" width="{cell - 2}" height="{cell - 2}" '
                    f'fill="hsl({value * 125:.0f} 50% 45%)"><title>{escape(name)}, {escape(task)}: {value:.2f}</title>'
                    "</rect>"
                )
                if perfect:
                    out.append(f'<circle cx="{x + 7}" cy="{y + 7}" r="2.5" fill="#fff" pointer-events="none"/>')
    return "\n".join([*out, "</svg>"])
