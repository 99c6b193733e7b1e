"""``blockwright check`` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
from typer.testing import CliRunner, Result

from desktop.cli import app
from model import operations
from model.frozen_map import FrozenMap
from model.storage import save_all
from model.vlnv import Vlnv
from model.workspace import Workspace
from resources import __file__ as resources

CORE, TOP = "acme:soc:core:1.0", "acme:soc:top:1.0"
EXAMPLE = Path(resources).parent / "examples" / "tiny_soc"


def check(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["check", *map(str, arguments)])


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """Two cores whose outputs drive one net, and whose inputs are not connected."""
    folder = tmp_path / "my designs"
    folder.mkdir()
    made = Workspace(folder)
    for vlnv in (CORE, TOP):
        made.apply(
            operations.create_component,
            **dict(zip(("vendor", "library", "name", "version"), vlnv.split(":"), strict=True)),
        )
    for component, name, direction in ((CORE, "q", "out"), (CORE, "d", "in"), (TOP, "led", "out")):
        made.apply(operations.add_signal_port, component=component, name=name, direction=direction)
    for name in ("u1", "u2"):
        made.apply(operations.add_subcomponent, component=TOP, subcomponent=CORE, instance_name=name)
    made.apply(
        operations.add_subcomponent_connection,
        component=TOP,
        source_instance="u1",
        source_port="q",
        target_port="led",
        name="leds",
    )
    component = made.library.get(Vlnv.parse(TOP))
    leds = component.design.connections["leds"]
    twice = leds.model_copy(update={"ends": (*leds.ends, leds.ends[0].model_copy(update={"instance": "u2"}))})
    design = component.design.model_copy(update={"connections": FrozenMap({"leds": twice})})
    made.restore(made.library.put(component.with_design(design)))
    return made


@pytest.fixture
def folder(workspace: Workspace) -> Path:
    """The same, saved."""
    save_all(workspace)
    assert workspace.folder is not None
    return workspace.folder


def test_a_clean_library_passes() -> None:
    result = check(EXAMPLE)
    assert result.exit_code == 0, result.output
    assert result.stdout == "0 errors, 0 warnings, 0 notes in 14 components.\n"


def test_errors_are_grouped_placed_and_end_with_status_1(folder: Path) -> None:
    result = check(folder)
    assert result.exit_code == 1
    heading, *lines, blank, summary = result.stdout.splitlines()
    assert heading == TOP
    assert blank == ""
    assert summary == "1 error, 2 warnings, 0 notes in 2 components."
    design = "acme/soc/top/1.0/top.design.1.0.xml"
    text = (folder / design).read_text().splitlines()
    found = next(line for line in lines if "second-driver" in line)
    place, _, message = found.strip().partition(": error second-driver (connection leds): ")
    assert message.startswith("The net of ")
    path, _, line = place.rpartition(":")
    assert path == design
    assert "<ipxact:adHocConnection>" in text[int(line) - 1]


def test_json_has_the_same_findings(folder: Path) -> None:
    result = check(folder, "--format", "json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert data["counts"] == {"error": 1, "warning": 2, "note": 0}
    error = next(entry for entry in data["findings"] if entry["severity"] == "error")
    assert error["component"] == TOP
    assert (error["code"], error["element_type"], error["name"]) == ("second-driver", "connection", "leds")
    assert error["line"] > 1


def test_sarif_is_complete_and_leads_to_the_files(folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.sarif"
    result = check(folder, "--format", "sarif", "--output", report)
    assert (result.exit_code, result.stdout) == (1, "")
    log = json.loads(report.read_text())
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    base = Path(unquote(urlparse(run["originalUriBaseIds"]["WORKSPACE"]["uri"]).path))
    assert len(run["results"]) == 3
    for entry in run["results"]:
        assert rules[entry["ruleIndex"]] == entry["ruleId"]
        assert entry["level"] in {"error", "warning", "note"}
        assert entry["message"]["text"]
        place = entry["locations"][0]["physicalLocation"]
        assert place["region"]["startLine"] >= 1
        assert (base / unquote(place["artifactLocation"]["uri"])).is_file()


def test_the_same_fault_in_two_views_is_placed_in_both_designs(workspace: Workspace) -> None:
    component = workspace.library.get(Vlnv.parse(TOP))
    both = component.model_copy(update={"designs": component.designs.set("other", component.design)})
    workspace.restore(workspace.library.put(both))
    save_all(workspace)
    entries = json.loads(check(workspace.folder, "--format", "json").stdout)["findings"]
    files = [entry["file"] for entry in entries if entry["name"] == "u1"]
    assert len(set(files)) == 2, entries


def test_a_file_that_cannot_be_read_is_an_error_of_its_own(tmp_path: Path) -> None:
    broken = tmp_path / "broken.xml"
    broken.write_text("<a>")
    for target in (broken, tmp_path):
        result = check(target)
        assert result.exit_code == 1
        assert "broken.xml" in result.stdout
        assert "not-xml" in result.stdout


def test_bad_usage(tmp_path: Path) -> None:
    result = check(tmp_path / "nowhere")
    assert result.exit_code == 2
    assert "There is no file or folder" in result.stderr
    assert check(EXAMPLE, "--format", "html").exit_code == 2
    assert check(EXAMPLE, "--output", tmp_path / "no" / "folder.txt").exit_code == 2


def test_only_the_file_and_what_it_needs_is_checked(folder: Path) -> None:
    place = folder / "acme/soc/core/1.0/core.1.0.xml"
    result = check(place)
    assert result.exit_code == 0
    assert result.stdout == "0 errors, 0 warnings, 0 notes in 1 component.\n"


def test_what_opening_and_checking_both_say_is_said_once(folder: Path) -> None:
    (folder / "acme/soc/core/1.0/core.1.0.xml").unlink()
    entries = json.loads(check(folder, "--format", "json").stdout)["findings"]
    missing = [entry["name"] for entry in entries if entry["code"] == "component-missing"]
    assert sorted(missing) == ["u1", "u2"]
