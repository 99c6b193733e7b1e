from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from desktop.commands.bench import app

GOOD = 'suite: mine\ntasks: [{id: a, prompt: b, expected: [{tool: list_components, args: {vendor: "acme"}}]}]'


def test_gold_prints_one_line_per_suite(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD)
    result = CliRunner().invoke(app, ["gold", "--suite", str(path), "--suite", "first-ten"])
    assert result.exit_code == 0, result.output
    mine, first = result.stdout.splitlines()
    assert mine.startswith("mine         1 tasks     1 calls  ECC 1.000  EVCR 0.000  TFR 0.000  NCA   –    perfect")
    assert first.startswith("first-ten   10 tasks")
    assert "NCA 1.000  perfect" in first


def test_gold_fails_when_a_suite_is_not_perfect(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD.replace("vendor", "vender"))
    result = CliRunner().invoke(app, ["gold", "--suite", str(path)])
    assert result.exit_code == 1
    assert "mine: task a, call 1 (list_components) was refused:" in result.stderr
    assert "2 problems" in result.stdout


def test_gold_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD.replace('"acme"', "1.0"))
    result = CliRunner().invoke(app, ["gold", "--suite", str(path)])
    assert result.exit_code == 2
    assert "task 'a', expected 1, argument 'vendor': 1.0 is not text; quote it" in result.stderr


def test_gold_is_one_json_object_for_machines(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD)
    result = CliRunner().invoke(app, ["gold", "--suite", str(path), "--json"])
    found = json.loads(result.stdout)
    assert found["perfect"] is True
    assert [(suite["suite"], suite["calls"], suite["figures"]["ecc"]) for suite in found["suites"]] == [
        ("mine", 1, 1.0)
    ]
