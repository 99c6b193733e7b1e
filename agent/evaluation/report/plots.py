"""Plots as SVG, drawn by hand: they need no library, no font and no network, and follow a dark or light page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from agent.evaluation.metrics import Interval
from agent.evaluation.results import LoadedRun

COLOURS = ("#3565c9", "#c2632b", "#2f8f5b", "#8a55b8", "#b0982b", "#b8487a", "#2f8f98", "#7a7a7a")
FEW = 6  # runs; the bars of more cannot be told apart
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
    out = [_opening(title, max(width, 420), height)]
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


def _between(value: float) -> str:
    """From orange for 0 over grey to blue for 1, which the colour-blind tell apart, too."""
    stops = ((0xC2, 0x63, 0x2B), (0x9A, 0x9A, 0x9A), (0x35, 0x65, 0xC9))
    low, high = (stops[0], stops[1]) if value < 0.5 else (stops[1], stops[2])
    share = value * 2 if value < 0.5 else value * 2 - 1
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
    return f"rgb({red} {green} {blue})"


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


def forest(title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """One line a row, and in each column a dot between 0 and 1 with its interval."""
    names, panel, gap, line = _names_width(rows), 210, 26, 20
    width, height = names + len(columns) * (panel + gap), 24 + len(rows) * line + 22
    out = [_opening(title, width, height)]
    for column, heading in enumerate(columns):
        left = names + column * (panel + gap)
        out.append(f'<text x="{left + panel / 2:g}" y="12" text-anchor="middle">{escape(heading)}</text>')
        for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
            x = left + tick * panel
            out.append(f'<line class="grid" x1="{x:g}" x2="{x:g}" y1="20" y2="{height - 20}"/>')
            out.append(f'<text x="{x:g}" y="{height - 6}" text-anchor="middle">{tick:g}</text>')
    for number, (name, row) in enumerate(rows):
        y = 34 + number * line
        out.append(f'<text x="{names - 10}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        for column, bar in enumerate(row):
            if bar.value is None:
                continue
            left = names + column * (panel + gap)
            words = f"{name}, {columns[column]}: {bar.value:.3f}"
            if bar.interval is not None:
                words += f" [{bar.interval.low:.2f}, {bar.interval.high:.2f}]"
                low, high = left + bar.interval.low * panel, left + bar.interval.high * panel
                out.append(
                    f'<path class="whisker" d="M{low:.1f} {y - 3}v6M{low:.1f} {y}H{high:.1f}M{high:.1f} {y - 3}v6"/>'
                )
            out.append(
                f'<circle cx="{left + bar.value * panel:.1f}" cy="{y}" r="4.5" fill="{COLOURS[column]}">'
                f"<title>{escape(words)}</title></circle>"
            )
    return "\n".join([*out, "</svg>"])


def matrix(title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """Figures as numbers on a ground that is the deeper the higher they are."""
    names, cell, line = _names_width(rows), 78, 24
    width, height = names + len(columns) * cell + 6, 24 + len(rows) * line
    out = [_opening(title, width, height)]
    for column, heading in enumerate(columns):
        middle = names + (column + 0.5) * cell
        out.append(f'<text x="{middle:g}" y="14" text-anchor="middle">{escape(heading)}</text>')
    for number, (name, row) in enumerate(rows):
        y = 22 + number * line
        out.append(f'<text x="{names - 10}" y="{y + 15}" text-anchor="end">{escape(name)}</text>')
        for column, bar in enumerate(row):
            if bar.value is None:
                continue
            x = names + column * cell
            words = f"{name}, {columns[column]}: {bar.value:.3f}"
            if bar.interval is not None:
                words += f" [{bar.interval.low:.2f}, {bar.interval.high:.2f}]"
            out.append(
                f'<rect x="{x + 1}" y="{y}" width="{cell - 2}" height="{line - 2}" rx="3" fill="{COLOURS[0]}" '
                f'fill-opacity="{0.06 + 0.5 * bar.value:.2f}"><title>{escape(words)}</title></rect>'
                f'<text x="{x + cell / 2:g}" y="{y + 15}" text-anchor="middle" pointer-events="none">'
                f"{bar.value:.2f}</text>"
            )
    return "\n".join([*out, "</svg>"])


def overview(runs: Sequence[LoadedRun]) -> str:
    """Every run's means over its suites, the best first."""
    results = [(run, run.result) for run in runs]
    ranked = sorted(
        ((run, result, overall) for run, result in results if (overall := result.overall) is not None),
        key=lambda found: (found[0].configuration.model, -(found[2].ecc or 0.0)),
    )
    rows = [
        (
            _name(run),
            [Bar(getattr(overall, figure), result.overall_intervals.get(figure)) for figure in ("ecc", "evcr", "tfr")],
        )
        for run, result, overall in ranked
    ]
    return forest("Means over suites", ("ECC", "EVCR", "TFR"), rows)


def by_suite(runs: Sequence[LoadedRun], figure: str, title: str) -> str:
    """A figure of every run and suite: bars where there are few runs, else a matrix."""
    suites = list(dict.fromkeys(suite for run in runs for suite in run.records))
    rows: list[tuple[str, list[Bar]]] = []
    for run in runs:
        found = {suite.suite: suite for suite in run.result.suites}
        row = [
            Bar(getattr(found[suite].figures, figure), found[suite].intervals.get(figure))
            if suite in found
            else Bar(None)
            for suite in suites
        ]
        rows.append((_name(run), row))
    return (bars if len(runs) <= FEW else matrix)(title, suites, rows)


def _name(run: LoadedRun) -> str:
    return f"{run.configuration.model.partition(':')[2]} {run.configuration.label}"


def _names_width(rows: Sequence[tuple[str, object]]) -> int:
    """Room for the names on the left, in pixels at the page's size of letters."""
    return 16 + round(6.6 * max((len(name) for name, _row in rows), default=0))


def _opening(title: str, width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="{escape(title)}"><title>{escape(title)}</title>'
    )


def heat_map(runs: Sequence[LoadedRun], suite: str) -> str:
    """Which task was done how well under which run: blue all of it, orange nothing; a dot marks a perfect task."""
    shown = [run for run in runs if suite in run.records]
    tasks = list(dict.fromkeys(record.task.id for run in shown for record in run.records[suite]))
    cell, left, top = 16, _names_width([(_name(run), None) for run in shown]), 10
    width, height = left + cell * len(tasks) + 10, top + cell * len(shown) + 10
    out = [_opening(f"Tasks of {suite}", width, height)]
    for line, run in enumerate(shown):
        name = _name(run)
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
                    f'fill="{_between(value)}"><title>{escape(name)}, {escape(task)}: {value:.2f}</title>'
                    "</rect>"
                )
                if perfect:
                    out.append(f'<circle cx="{x + 7}" cy="{y + 7}" r="2.5" fill="#fff" pointer-events="none"/>')
    return "\n".join([*out, "</svg>"])
