"""The paper's figures as transcribed, against its text where that is at hand."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.evaluation.report.paper import paper_tables

PAPER = Path(__file__).parents[4] / "shared" / "docs" / "paper.txt"
TABLES = ["table-02", "table-03", "table-04", "table-05", "table-06", "table-07", "table-08", "table-09", "table-10"]


def transcribed(name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((files("resources") / "paper" / f"{name}.yaml").read_text("utf-8"))
    return content


def printed(text: str, number: int) -> list[list[str]]:
    """The rows of a table of the text: the lines with tabs before its caption."""
    before = text[: text.index(f"\nTable {number}:")].rstrip().splitlines()
    rows: list[list[str]] = []
    while "\t" in before[-1] or not before[-1]:
        line = before.pop()
        if line:
            rows.insert(0, line.split("\t"))
    return [row for row in rows if row[0] and re.search(r"\d\.\d", " ".join(row[1:]))]


@pytest.fixture(scope="module")
def text() -> str:
    if not PAPER.exists():
        pytest.skip("the paper's text is not here")
    return PAPER.read_text("utf-8").replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_as_printed(text: str, name: str) -> None:
    number = int(name[-2:])
    rows = transcribed(name)["rows"]
    if number == 7:  # the deviations stand in the caption
        caption = next(line for line in text.splitlines() if line.startswith("Table 7:"))
        told = re.findall(r"(0\.\d+) \((Gemma|Llama) (best|worst)\)", caption)
        assert [(row[5], row[0].split()[0], row[1]) for row in rows] == told
        rows = [row[:5] for row in rows]
    assert rows == printed(text, number)


def test_what_the_text_tells_of_figure_3_is_in_it(text: str) -> None:
    for model, suites, ecc in transcribed("figure-03")["rows"]:
        assert ecc in text, (model, suites)
    assert "on Cross the gap widens to $47\\%$ ($0.517$ vs. $0.972$)" in text
    assert "Llama 3.1 8B reaches $0.753$ average ECC on the independent task suites" in text
    assert "only $0.139$ on the two suites" in text
    assert "this global optimum gives only $0.113$ ECC on History" in text


@pytest.mark.parametrize("name", [*TABLES, "figure-03"])
def test_every_row_has_a_cell_for_each_column(name: str) -> None:
    content = transcribed(name)
    assert {len(row) for row in content["rows"]} == {len(content["columns"])}


def test_table_3_cannot_follow_from_the_equations() -> None:
    # On tasks without right calls each call is extraneous or failed, so 1 - NCA <= EVCR + TFR; two decimals each.
    rows = [[float(cell) for cell in row[1:4]] for row in transcribed("table-03")["rows"]]
    assert any(1 - nca > evcr + tfr + 0.015 for nca, evcr, tfr in rows)


def test_without_runs_the_published_figures_stand_alone() -> None:
    tables = paper_tables([])
    assert [table.name for table in tables] == ["table-02", "figure-03", *TABLES[1:]]
    for table in tables:
        assert len(table.rows) == table.published > 0
        assert "Nothing that belongs here was run." in table.note
