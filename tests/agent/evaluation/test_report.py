"""Reports of whole runs; their figures worked out by hand."""

from __future__ import annotations

import asyncio
import csv
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from small_suite import LOOK, PERFECT, SUITE, add, saying
from stand_in_server import StandIn

from agent.evaluation.configuration import Configuration
from agent.evaluation.records import TaskRecord
from agent.evaluation.report.paper import paper_tables
from agent.evaluation.report.writing import write_report
from agent.evaluation.results import LoadedRun, load_run
from agent.evaluation.run_folder import RunFolder
from agent.evaluation.runner import Plan, run

pytestmark = pytest.mark.anyio

# clk: a look too many, then right. rx: an unknown tool, then right. rename: refused twice the same way. look: nothing.
CLUMSY = [
    *(LOOK, add("clk"), "Added."),
    *(("rename_port", {}), add("rx"), "Added."),
    *(add("rx"), add("rx"), "No tool renames."),
    "Two ports.",
]


@pytest.fixture
async def clumsy(ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration) -> LoadedRun:
    ollama.answers["/api/chat"] = saying(*CLUMSY)
    await run(Plan(configuration, (str(suite_file),)), tmp_path / "clumsy")
    return load_run(RunFolder(tmp_path / "clumsy"))


@pytest.fixture
async def perfect(ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration) -> LoadedRun:
    ollama.answers["/api/chat"] = saying(*PERFECT)
    await run(Plan(configuration.model_copy(update={"prompt": "md"}), (str(suite_file),)), tmp_path / "perfect")
    return load_run(RunFolder(tmp_path / "perfect"))


async def test_a_suite_has_the_figures_that_its_calls_give(clumsy: LoadedRun) -> None:
    (suite,) = clumsy.result.suites
    figures = suite.figures
    assert (figures.ecc, figures.nca) == (pytest.approx(2 / 3), 0.0)
    assert figures.evcr == pytest.approx(0.5 / 4)
    assert figures.evcr_writes == 0.0
    assert figures.tfr == pytest.approx((0.5 + 1) / 4)
    assert suite.evcr_weighted == pytest.approx(0.1 / 1.1 / 4)
    # The state is right in all tasks: none of what went wrong has changed the design.
    assert (suite.perfect, suite.state) == (0.0, 1.0)
    assert suite.pass_k == (0.0,)
    mishaps = suite.mishaps
    assert (mishaps.unknown_tools, mishaps.repeated_calls, mishaps.lost_calls, mishaps.dropped_calls) == (1, 1, 0, 0)
    assert (mishaps.spare_reads, mishaps.spare_writes) == (1, 0)
    assert (mishaps.first_error, mishaps.recovered) == (1.0, 1.0)


async def test_the_costs_add_up(clumsy: LoadedRun) -> None:
    (suite,) = clumsy.result.suites
    cost = suite.cost
    assert (cost.turns, cost.prompt_tokens, cost.completion_tokens) == (10 / 4, 40 * 10 / 4, 5 * 10 / 4)
    assert 0 < cost.tools < cost.seconds
    assert cost.overhead > 0


async def test_nothing_varying_is_no_certainty(clumsy: LoadedRun, perfect: LoadedRun) -> None:
    assert perfect.result.suites[0].intervals["ecc"].low == pytest.approx(0.438, abs=1e-3)  # Wilson, 3 of 3
    assert perfect.result.overall_intervals["ecc"] == perfect.result.suites[0].intervals["ecc"]
    assert clumsy.result.suites[0].intervals["nca"].high == pytest.approx(0.793, abs=1e-3)  # Wilson, 0 of 1


class Page(HTMLParser):
    """What a page would load, and whether its tags close."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value or "" for name, value in attrs if name in {"src", "href"} and (value or "")[0] != "#"]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


async def test_a_report_is_a_page_without_resources_a_text_and_tables(
    clumsy: LoadedRun, perfect: LoadedRun, tmp_path: Path
) -> None:
    written = write_report([clumsy, perfect], tmp_path / "report")
    assert all(path.exists() for path in written)
    page = Page()
    html = written[0].read_text()
    page.feed(html)
    assert (page.loads, page.open) == ([], [])
    assert not re.search(r"url\(|@import|<script", html)
    assert "color-scheme: light dark" in html
    markdown = written[1].read_text()
    for text in (html, markdown):
        assert "0.667" in text
        assert "1 − NCA" in text
        assert "Gemma 4 31B" in text
    assert {path.name for path in written if path.suffix == ".csv"} >= {
        *("tasks.csv", "faithful-figures.csv", "faithful-beyond.csv", "faithful-cost.csv", "faithful-mishaps.csv"),
        *("faithful-comparisons.csv", "faithful-conditions.csv"),
        *(f"paper-table-{number:02}.csv" for number in range(2, 11)),
        "paper-figure-03.csv",
    }


async def test_every_task_is_a_row_for_other_peoples_statistics(clumsy: LoadedRun, tmp_path: Path) -> None:
    write_report([clumsy], tmp_path / "report")
    with (tmp_path / "report" / "tasks.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["task"] for row in rows] == ["clk", "rx", "rename", "look"]
    assert [row["ecc"] for row in rows] == ["1.0", "1.0", "", "0.0"]
    assert [row["extraneous_reads"] for row in rows] == ["1", "0", "0", "0"]
    assert [row["first_refusal"] for row in rows] == ["", "1", "1", ""]
    assert [row["recovered"] for row in rows] == ["", "1", "", ""]


async def test_a_configuration_is_compared_with_the_best(clumsy: LoadedRun, perfect: LoadedRun, tmp_path: Path) -> None:
    write_report([clumsy, perfect], tmp_path / "report")
    with (tmp_path / "report" / "faithful-comparisons.csv").open() as file:
        heading, *rows = csv.reader(file)
    assert heading[:7] == ["model", "configuration", "best", "tasks", "perfect", "p (McNemar)", "p (Holm)"]
    (row,) = rows
    assert row[1:7] == ["R/basic/C", "R/MD/C", "4", "+0 −4", "0.125", "0.125"]
    assert row[7].startswith("-0.333 [")


def moved(record: TaskRecord, suite: str, server: str = "design") -> TaskRecord:
    task = record.task.model_copy(update={"server": server, "id": f"{server}-{record.task.id}"})
    return record.model_copy(update={"suite": suite, "task": task})


async def test_the_suites_with_noise_stand_beside_the_clean_ones(clumsy: LoadedRun, perfect: LoadedRun) -> None:
    scoped = clumsy.run.model_copy(
        update={"configuration": clumsy.configuration.model_copy(update={"history": "task"})}
    )
    clean = [moved(record, "hard") for record in perfect.records["small"]]
    noisy = [moved(record, "hard-noise") for record in clumsy.records["small"]]
    git = [moved(record, "hard-noise", "git") for record in perfect.records["small"]]
    loaded = LoadedRun(scoped, {"hard": clean, "hard-noise": noisy}, {"hard-noise": git}, 0)
    table = next(table for table in paper_tables([loaded]) if table.name == "table-03")
    assert table.rows[-1][-2:] == ("0.000", "0.125")
    (other,) = loaded.result.other_servers
    assert (other.tasks, other.figures.ecc) == (4, 1.0)


async def test_the_long_session_of_both_architectures_is_a_row(clumsy: LoadedRun, perfect: LoadedRun) -> None:
    def of(run: LoadedRun, agent: str) -> LoadedRun:
        fixed = run.run.model_copy(update={"configuration": run.configuration.model_copy(update={"agent": agent})})
        return LoadedRun(fixed, {"hard-noise": [moved(one, "hard-noise") for one in run.records["small"]]}, {}, 0)

    runs = [of(clumsy, "react"), of(perfect, "plan-and-act")]
    table = next(table for table in paper_tables(runs) if table.name == "table-04")
    assert table.rows[-1] == ("here", "ollama:qwen3:4b", "Hard-Noise", "0.667", "1.000")


async def test_repeats_of_a_run_have_deviations(
    ollama: StandIn, suite_file: Path, tmp_path: Path, configuration: Configuration
) -> None:
    await asyncio.to_thread(suite_file.write_text, SUITE.replace("suite: small", "suite: hard"))
    ollama.answers["/api/chat"] = saying(*PERFECT, *CLUMSY)
    await run(Plan(configuration, (str(suite_file),), (1, 2)), tmp_path / "twice")
    loaded = load_run(RunFolder(tmp_path / "twice"))
    (suite,) = loaded.result.suites
    assert (suite.tasks, suite.repeats) == (4, 2)
    assert suite.pass_k == (0.5, 0.0)
    row = next(table for table in paper_tables([loaded]) if table.name == "table-06").rows[-1]
    assert row[2:] == ("0.236", "0.236")  # of 1 and 2/3


async def test_modes_are_never_mixed(ollama: StandIn, clumsy: LoadedRun, suite_file: Path, tmp_path: Path) -> None:
    assisted = LoadedRun(
        clumsy.run.model_copy(update={"configuration": Configuration.of(model="ollama:qwen3:4b", mode="assisted")}),
        clumsy.records,
        {},
        0,
    )
    assert all(len(table.rows) == table.published for table in paper_tables([assisted]))
    written = write_report([clumsy, assisted], tmp_path / "report")
    names = {path.name for path in written}
    assert {"faithful-figures.csv", "assisted-figures.csv"} <= names
    assert "faithful-comparisons.csv" not in names
