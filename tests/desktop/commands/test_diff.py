"""``blockwright diff`` on the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from desktop.cli import app
from model import operations
from model.storage import open_workspace, save_all
from resources import __file__ as resources

EXAMPLE = Path(resources).parent / "examples" / "tiny_soc"
UART = "blockwright.org:peripheral:uart:1.0"
UART_FILE = Path("blockwright.org/peripheral/uart/1.0/uart.1.0.xml")


def diff(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["diff", *map(str, arguments)])


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    """The example with a wider UART port and a new component."""
    folder = tmp_path / "edited"
    shutil.copytree(EXAMPLE, folder)
    workspace = open_workspace(folder).workspace
    workspace.apply(
        operations.update_element, component=UART, element_type="signal_port", name="irq", left="0", right="3"
    )
    workspace.apply(
        operations.create_component, vendor="blockwright.org", library="peripheral", name="dma", version="1.0"
    )
    save_all(workspace)
    return folder


def test_equal_folders_have_no_differences() -> None:
    result = diff(EXAMPLE, EXAMPLE)
    assert (result.exit_code, result.stdout) == (0, "No differences.\n")


def test_text_is_grouped_by_component(edited: Path) -> None:
    result = diff(EXAMPLE, edited)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "blockwright.org:peripheral:dma:1.0",
        "  + added component",
        "",
        UART,
        "  ~ changed signal port irq: width 1 → 0:3, bounds nothing → 0:3",
        "",
        "1 added, 1 changed in 2 components.",
    ]


def test_json(edited: Path) -> None:
    data = json.loads(diff(EXAMPLE, edited, "--component", UART, "--json").stdout)
    assert data["equal"] is False
    (only,) = data["differences"]
    assert (only["change"], only["component"], only["name"]) == ("changed", UART, "irq")
    assert only["fields"][0] == {"field": "width", "before": "1", "after": "0:3"}


def test_a_file_means_its_component_alone(edited: Path) -> None:
    for arguments in ((EXAMPLE / UART_FILE, edited / UART_FILE), (EXAMPLE, edited / UART_FILE)):
        result = diff(*arguments)
        assert result.exit_code == 1
        assert result.stdout.splitlines()[0] == UART
        assert "dma" not in result.stdout


def test_two_components_are_compared_under_the_later_name() -> None:
    result = diff(EXAMPLE / UART_FILE, EXAMPLE / "blockwright.org/peripheral/i2c/1.0/i2c.1.0.xml")
    assert result.exit_code == 1
    assert "VLNV blockwright.org:peripheral:uart:1.0 → blockwright.org:peripheral:i2c:1.0" in result.stdout


def test_bad_usage(tmp_path: Path) -> None:
    assert diff(EXAMPLE, tmp_path / "nowhere").exit_code == 2
    assert diff(EXAMPLE).exit_code == 2
    result = diff(EXAMPLE, EXAMPLE, "--component", "blockwright.org:peripheral:urat:1.0")
    assert result.exit_code == 2
    assert f"Did you mean {UART}" in result.stderr
