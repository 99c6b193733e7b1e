"""Writes a report: one HTML page without any outside resource, Markdown, and CSV files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from datetime import timedelta
from html import escape
from pathlib import Path

from agent.evaluation.report.paper import figure_three, method, paper_tables
from agent.evaluation.report.plots import by_suite, heat_map, overview
from agent.evaluation.report.rows import task_rows
from agent.evaluation.report.tables import Table, own_tables
from agent.evaluation.results import LoadedRun
from agent.evaluation.run_folder import write_whole

TITLE = "Benchmark report"
_PAPER = "Beside the paper"
_FIGURE = re.compile(r"[-+−–—0-9.,:×\[\] ]*")
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 14px/1.5 Inter, system-ui, sans-serif; max-width: 1200px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; } h3 { font-size: 1rem; margin-top: 1.6rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th.words, td.words { text-align: left; } nav a { margin-right: 1em; }
tr.here td { background: var(--soft); font-weight: 600; } p.note { max-width: 80ch; opacity: .8; }
svg text { font: 11px Inter, system-ui, sans-serif; fill: currentColor; }
svg .grid { stroke: var(--line); } svg .whisker { stroke: currentColor; fill: none; opacity: .8; }
"""


def write_report(runs: Sequence[LoadedRun], folder: Path) -> list[Path]:
    """Write the report of runs into a folder and return the files.

    Runs in faithful and in assisted mode stand in chapters of their own.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    parts = [
        (f"{mode.capitalize()} mode", [run for run in runs if run.configuration.mode == mode and run.records])
        for mode in ("faithful", "assisted")
    ]
    chapters = [(title, mine, own_tables(mine)) for title, mine in parts if mine]
    paper = paper_tables(runs)
    written = [
        _write(folder / "report.html", _html(chapters, paper)),
        _write(folder / "report.md", _markdown(chapters, paper)),
        _write(folder / "tasks.csv", _csv_text(task_rows(runs))),
    ]
    for title, _runs, tables in chapters:
        for table in tables:
            written.append(_write(folder / f"{title.split()[0].lower()}-{table.name}.csv", _csv(table)))
    return written + [_write(folder / f"paper-{table.name}.csv", _csv(table)) for table in paper]


def _write(path: Path, text: str) -> Path:
    write_whole(path, text)
    return path


def _html(chapters: Sequence[tuple[str, Sequence[LoadedRun], Sequence[Table]]], paper: Sequence[Table]) -> str:
    body = [f"<h1>{TITLE}</h1>", _contents([*(title for title, _runs, _tables in chapters), _PAPER])]
    for title, runs, tables in chapters:
        body.append(_chapter(title))
        body.append(f"<p>{escape(_summary(runs))}</p>")
        body.append(f'<h3>Means over suites</h3><div class="scroll">{overview(runs)}</div>')
        for figure, words in (("ecc", "ECC by suite"), ("evcr", "EVCR by suite"), ("tfr", "TFR by suite")):
            body.append(f'<h3>{words}</h3><div class="scroll">{by_suite(runs, figure, words)}</div>')
        body.append(
            '<p class="note">Task by task: blue is all of ECC or NCA, grey half, orange nothing; a dot marks a '
            "task in which nothing else was done or tried.</p>"
        )
        for suite in dict.fromkeys(suite for run in runs for suite in run.records):
            body.append(f'<h3>Tasks of {escape(suite)}</h3><div class="scroll">{heat_map(runs, suite)}</div>')
        body += [_html_table(table) for table in tables]
    body.append(_chapter(_PAPER))
    body += [f"<p>{escape(paragraph)}</p>" for paragraph in method()]
    for table in paper:
        body.append(_html_table(table))
        if table.name == "figure-03":
            body.append(f'<div class="scroll">{figure_three([run for _t, mine, _o in chapters for run in mine])}</div>')
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{TITLE}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def _contents(chapters: Iterable[str]) -> str:
    links = (f'<a href="#{_anchor(title)}">{escape(title)}</a>' for title in chapters)
    return f"<nav>{' '.join(links)}</nav>"


def _chapter(title: str) -> str:
    return f'<h2 id="{_anchor(title)}">{escape(title)}</h2>'


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _summary(runs: Sequence[LoadedRun]) -> str:
    """What was run, in a sentence or two."""
    models = list(dict.fromkeys(run.configuration.model for run in runs))
    records = [record for run in runs for rows in (*run.records.values(), *run.others.values()) for record in rows]
    days = sorted({record.started[:10] for record in records})
    spent = timedelta(seconds=round(sum(record.seconds for record in records)))
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return (
        f"{len(runs)} configurations of {', '.join(models)}: {len(records)} tasks done on {when} in {spent} hours. "
        "Brackets and whiskers are 95 % intervals. A configuration is written history / prompt / tools: R run, T task, "
        "W window, S summary; fs few-shot; C comprehensive, M minimal."
    )


def _html_table(table: Table) -> str:
    words = [any(not _FIGURE.fullmatch(row[column]) for row in table.rows) for column in range(len(table.columns))]
    classes = [" class=words" if is_words else "" for is_words in words]
    head = "".join(f"<th{kind}>{escape(column)}</th>" for kind, column in zip(classes, table.columns, strict=True))
    rows = [
        f"<tr{' class=here' if table.published and number >= table.published else ''}>"
        + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(classes, row, strict=True))
        + "</tr>"
        for number, row in enumerate(table.rows)
    ]
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<h3>{escape(table.title)}</h3>{note}<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _markdown(chapters: Sequence[tuple[str, Sequence[LoadedRun], Sequence[Table]]], paper: Sequence[Table]) -> str:
    lines = [f"# {TITLE}", ""]
    for title, runs, tables in chapters:
        lines += [f"## {title}", "", _summary(runs), ""]
        for table in tables:
            lines += _markdown_table(table)
    lines += [f"## {_PAPER}", ""]
    for paragraph in method():
        lines += [paragraph, ""]
    for table in paper:
        lines += _markdown_table(table)
    return "\n".join(lines)


def _markdown_table(table: Table) -> list[str]:
    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    marks = line("---" for _column in table.columns)
    note = [table.note, ""] if table.note else []
    return [f"### {table.title}", "", *note, line(table.columns), marks, *map(line, table.rows), ""]


def _csv(table: Table) -> str:
    return _csv_text([table.columns, *table.rows])


def _csv_text(rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
